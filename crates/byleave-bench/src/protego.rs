//! Runs protego, Scrapy's parser, in a separate process on the same files and URLs, if it is installed.

use byleave_bench::corpus::Site;
use std::io::Write;
use std::process::Command;

/// Returns the seconds for parsing all sites and for deciding all URLs, or `None` if protego is not installed.
pub fn seconds(sites: &[Site], crawler: &str) -> Option<(f64, f64)> {
    let is_there =
        Command::new("python3").args(["-c", "import protego"]).output().is_ok_and(|ran| ran.status.success());
    if !is_there {
        return None;
    }
    let file = std::env::temp_dir().join(format!("byleave-bench-{}.jsonl", std::process::id()));
    let mut lines = std::io::BufWriter::new(std::fs::File::create(&file).ok()?);
    for site in sites {
        let site = serde_json::json!({ "robots": String::from_utf8_lossy(&site.text), "urls": site.urls.iter().collect::<Vec<_>>() });
        writeln!(lines, "{site}").ok()?;
    }
    lines.flush().ok()?;
    let ran = Command::new("python3").args(["-c", include_str!("protego.py")]).arg(&file).arg(crawler).output().ok();
    // Ignore the error: the result is valid even if the temporary file remains.
    let _ = std::fs::remove_file(&file);
    let printed = String::from_utf8(ran?.stdout).ok()?;
    let mut numbers = printed.split_whitespace().map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}
