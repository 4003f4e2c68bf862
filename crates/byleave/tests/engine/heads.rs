//! Checks that the engine finds the same META tags, in the head and outside it, as html5ever's own tree: in real pages,
//! in the inputs of other projects' tests, and in generated heads (S-24).
//!
//! Tests that need other projects' files run only if `BYLEAVE_CORPUS` is set.

use byleave::Limits;
use byleave::analysis::html as page;
use byleave::analysis::html::{body_metas, decoded, head_metas};
use byleave_testing::checks::metas::{assert_same, ours};
use byleave_testing::gen_heads::LABELS;
use byleave_testing::generate::Numbers;
use byleave_testing::real::pages::TreeTest;
use byleave_testing::{gen_heads, real};
use encoding_rs::Encoding;

#[test]
fn s24_real_pages_have_the_metas_that_html5ever_finds() {
    let Some(pages) = real::pages::pages() else { return };
    for page in &pages {
        let charset = page.content_type.as_deref().and_then(page::charset);
        assert!(page::is_html(&page.body, page.content_type.as_deref()), "{}", page.name);
        assert_same(&page.name, &page.body, charset);
    }
    eprintln!("compared {} pages", pages.len());
}

#[test]
fn s24_tree_construction_tests_have_the_metas_that_html5ever_finds() {
    let Some(tests) = real::pages::tree_tests() else { return };
    for TreeTest { input, .. } in &tests {
        assert_same("a tree construction test", input.as_bytes(), Some("utf-8"));
        // Few of these inputs contain a META tag, so add some.
        let marked: String =
            input.split_inclusive('>').map(|part| format!("{part}<meta name={}>", part.len())).collect();
        assert_same("a tree construction test with METAs", marked.as_bytes(), Some("utf-8"));
        for at in (0..input.len()).filter(|at| input.is_char_boundary(*at)) {
            let put = format!("{}<meta name=here>{}", &input[..at], &input[at..]);
            assert_same("a tree construction test with a META", put.as_bytes(), Some("utf-8"));
        }
    }
    eprintln!("compared {} tests", tests.len());
}

#[test]
fn s24_tree_construction_tests_have_the_metas_that_they_expect() {
    let Some(tests) = real::pages::tree_tests() else { return };
    let mut compared = 0;
    for test in tests.iter().filter(|test| test.is_for_scripting_off) {
        let mut expected = (0, 0);
        let mut path: Vec<&str> = Vec::new();
        for line in test.document.lines().filter_map(|line| line.strip_prefix("| ")) {
            let node = line.trim_start();
            path.truncate((line.len() - node.len()) / 2);
            if node == "<meta>" && !path.contains(&"content") {
                let count = if path.contains(&"<head>") { &mut expected.0 } else { &mut expected.1 };
                *count += 1;
                compared += 1;
            }
            path.push(node);
        }
        let found = ours(test.input.as_bytes(), Some("utf-8"));
        assert_eq!((found.head.len(), found.body.len()), expected, "{}", test.input);
    }
    assert!(compared > 10, "{compared} METAs");
}

/// The test accepts two differences. If a page declares no encoding, the engine uses UTF-8, where these tests expect
/// windows-1252. Some tests expect a change of encoding after the first 1,024 bytes, where the engine does not look for
/// a declaration.
#[test]
fn s24_encoding_tests_have_the_encoding_that_they_expect() {
    let Some(tests) = real::pages::encoding_tests() else { return };
    for (text, expected) in &tests {
        let expected = Encoding::for_label(expected.as_bytes()).unwrap().name();
        let found = decoded(text, None, &Limits::default()).encoding();
        let is_undeclared = found == "UTF-8" && expected == "windows-1252";
        assert!(
            found == expected || is_undeclared || text.len() > 1024,
            "{found}, not {expected}: {}",
            String::from_utf8_lossy(text)
        );
    }
    eprintln!("compared {} tests", tests.len());
}

#[test]
fn s24_generated_heads_have_the_metas_that_html5ever_finds() {
    let times = if cfg!(debug_assertions) { 20_000 } else { 200_000 };
    let (mut head, mut body) = (0, 0);
    for seed in 0..times {
        let generated = gen_heads::head(&mut Numbers::new(seed));
        let found = ours(generated.as_bytes(), Some("utf-8"));
        (head, body) = (head + found.head.len(), body + found.body.len());
        assert_same(&format!("seed {seed}"), generated.as_bytes(), Some("utf-8"));
    }
    assert!(head > times as usize && body > times as usize / 4, "{head} METAs in heads, {body} elsewhere");
}

#[test]
fn s24_disturbed_real_heads_have_the_metas_that_html5ever_finds() {
    let Some(pages) = real::pages::pages() else { return };
    let mut numbers = Numbers::new(24);
    for page in &pages {
        let charset = page.content_type.as_deref().and_then(page::charset);
        let text = &page.body[..page.body.len().min(12_000)];
        for _ in 0..if cfg!(debug_assertions) { 2 } else { 50 } {
            let disturbed = gen_heads::disturbed(&mut numbers, text);
            assert_same(&page.name, &disturbed, charset);
        }
    }
}

/// Law: in an encoding that the engine tokenizes as bytes, a byte such as `<` that controls the tokenizer is always the
/// ASCII character, whatever precedes it.
#[test]
fn s24_bytes_that_steer_the_tokenizer_are_ascii_in_every_encoding_read_as_bytes() {
    let steers = |byte: u8| byte < 0x40 && !byte.is_ascii_digit();
    let steering: Vec<u8> = (0..0x40).filter(|byte| steers(*byte)).collect();
    for label in LABELS {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        if decoded(b"", Some(label), &Limits::default()).is_transcoded() {
            continue;
        }
        // Release builds try all of these bytes. Debug builds are slow, so they try only some.
        for shift in 0..if cfg!(debug_assertions) { 4 } else { steering.len() } {
            let mut text = Vec::new();
            let mut put = |before: &[u8]| {
                let byte = steering[(text.len() + shift) % steering.len()];
                text.extend_from_slice(before);
                // A letter after such a byte must also be decoded as that letter.
                text.extend([byte, b'm']);
            };
            for first in 0x80..=0xFF {
                put(&[first]);
                // All pairs are tried, but not every pair with every byte.
                for second in (0..=0xFF).skip(shift % 4).step_by(4) {
                    put(&[first, second]);
                }
                for third in (0x80..=0xFF).step_by(5) {
                    put(&[first, b'0' + third % 10, third]);
                    put(&[first, 0x80 | third, third]);
                }
            }
            let (characters, _) = encoding.decode_without_bom_handling(&text);
            let after = |text: &[u8]| -> Vec<[u8; 2]> {
                text.windows(2).filter(|two| steers(two[0])).map(|two| [two[0], two[1].min(0x80)]).collect()
            };
            assert_eq!(after(&text), after(characters.as_bytes()), "{label}");
        }
    }
}

#[test]
fn s24_in_every_encoding_the_metas_are_those_of_the_decoded_page() {
    let mut numbers = Numbers::new(25);
    for label in LABELS {
        for _ in 0..if cfg!(debug_assertions) { 60 } else { 600 } {
            let generated = gen_heads::head(&mut numbers);
            let bytes = gen_heads::encoded(&mut numbers, label, &generated);
            if Encoding::for_bom(&bytes).is_none() {
                assert_same(label, &bytes, Some(label));
            }
        }
    }
}

#[test]
fn s24_a_byte_order_mark_beats_the_transport_and_that_the_page() {
    let name = |bytes: &[u8], charset| decoded(bytes, charset, &Limits::default()).encoding();
    let declared = b"<meta charset=windows-1251>";
    assert_eq!(name(b"", None), "UTF-8");
    assert_eq!(name(b"\xEF\xBB\xBF<meta charset=windows-1251>", Some("koi8-r")), "UTF-8");
    assert_eq!(name(b"\xFF\xFE<\0", Some("koi8-r")), "UTF-16LE");
    assert_eq!(name(declared, Some("koi8-r")), "KOI8-R");
    assert_eq!(name(declared, Some("no such thing")), "windows-1251");
    assert_eq!(name(declared, None), "windows-1251");
    assert_eq!(name(b"<meta charset=utf-16>", None), "UTF-8");
    assert_eq!(name(b"<meta charset=x-user-defined>", None), "windows-1252");
    assert_eq!(name(b"<meta charset=iso-2022-kr>", None), "replacement");
    assert_eq!(name(b"<meta http-equiv=content-type content='text/html; charset=\"gbk\"'>", None), "GBK");
    assert_eq!(name(b"<meta content='text/html; charset=gbk'>", None), "UTF-8");
    assert_eq!(name(b"<!-- <meta charset=gbk> --><meta charset=big5>", None), "Big5");
    assert_eq!(name(b"<?xml version='1.0' encoding='euc-jp'?><html>", None), "EUC-JP");
    assert_eq!(name(b"<?xml version='1.0' encoding='euc-jp'?><meta charset=big5>", None), "Big5");
    let far = [vec![b' '; 1010], declared.to_vec()].concat();
    assert_eq!(name(&far, None), "UTF-8", "only 1,024 bytes are looked at");
}

#[test]
fn s22_bytes_past_the_limit_are_unread_and_reported() {
    let text = b"<meta name=a><meta name=b><body>";
    let read = |limit| {
        let mut limits = Limits::default();
        limits.page = limit;
        let page = decoded(text, None, &limits);
        let mut names = String::new();
        let read = head_metas(&page, |tag| names += &tag.name().unwrap());
        (names, read.is_whole, body_metas(&page, |_| ()).is_whole)
    };
    assert_eq!(read(12), (String::new(), false, false));
    assert_eq!(read(25), ("a".into(), false, false), "a tag at the cut is dropped whole");
    assert_eq!(read(26), ("ab".into(), false, false));
    assert_eq!(read(31), ("ab".into(), false, false));
    assert_eq!(read(32), ("ab".into(), true, true));
}
