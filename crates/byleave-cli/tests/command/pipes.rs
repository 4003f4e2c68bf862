//! Closed pipes, and inputs that are large or are not text.

use crate::{byleave_with, command, file};
use std::process::Stdio;

#[test]
fn a_closed_pipe_is_silent_and_keeps_the_exit_code() {
    let list = file("many-urls.txt", "https://gazette.example/news/2026/budget.html\n".repeat(50_000));
    let cases: [(&[&str], i32); 5] = [
        (&["check", "examples/gazette", "--crawler", "GPTBot", "--urls", &list], 1),
        (&["check", "examples/gazette", "--crawler", "Zed", "--format", "plain", "--urls", &list], 1),
        (&["check", "examples/gazette", "--crawler", "Googlebot", "--format", "plain", "--urls", &list], 0),
        (&["rule", "S-13"], 0),
        (&["--help"], 0),
    ];
    for (arguments, code) in cases {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_device_is_reported() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&["rule", "S-13"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("byleave: cannot write the answer: ") && message.lines().count() == 1, "{message}");
}

#[test]
fn any_bytes_have_an_answer() {
    let noise: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let long_line = [b"User-agent: *\nDisallow: /".as_slice(), &b"x".repeat(300_000), b"\n"].concat();
    let too_long = [b"User-agent: *\nDisallow: /a\n".as_slice(), &b"# filling\n".repeat(80_000)].concat();
    for robots in [noise, long_line.clone(), too_long.clone(), Vec::new(), b"\xff\xfeU\0s\0".to_vec()] {
        for command in ["check", "explain"] {
            let ran = byleave_with(&[command, "-", "--crawler", "A", "/a", "/"], &robots);
            assert!(ran.stderr.is_empty() && ran.code < 2, "{}", ran.shown());
            assert!(ran.stdout.lines().all(|line| line.chars().count() < 400), "a line is too long to read");
        }
        assert_eq!(byleave_with(&["facts", "-"], &robots).code, 0);
    }
    let url = format!("/{}", "x".repeat(100_000));
    let ran = byleave_with(&["explain", "-", "--crawler", "A", &url], &long_line);
    assert_eq!(ran.code, 0);
    let ran = byleave_with(&["check", "-", "--crawler", "A", "/a"], &too_long);
    assert!(ran.stdout.contains("S-22"), "s22: {}", ran.stdout);
}
