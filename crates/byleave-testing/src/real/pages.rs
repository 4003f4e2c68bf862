//! The real pages in `BYLEAVE_CORPUS`, and the inputs of other projects' HTML tests. They belong to others and are not
//! copied into the repository.

use flate2::read::MultiGzDecoder;
use std::io::Read;
use std::path::PathBuf;

/// A page as it was served.
pub struct Page {
    pub name: String,
    pub content_type: Option<String>,
    /// The status line and header lines, as sent.
    pub headers: String,
    pub body: Vec<u8>,
}

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("BYLEAVE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: BYLEAVE_CORPUS is not set");
    }
    folder
}

/// Returns every page in `data/pages.warc.gz`, or `None` if no corpus is configured.
///
/// # Panics
/// If a corpus is configured but incomplete.
pub fn pages() -> Option<Vec<Page>> {
    let path = corpus()?.join("data/pages.warc.gz");
    let packed = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut archive = Vec::new();
    MultiGzDecoder::new(packed.as_slice()).read_to_end(&mut archive).unwrap();
    let mut pages = Vec::new();
    let mut rest = archive.as_slice();
    while !rest.is_empty() {
        let (headers, after) = headers(rest);
        let length: usize = field(&headers, "content-length").unwrap().parse().unwrap();
        let (block, after) = after.split_at(length);
        rest = after.strip_prefix(b"\r\n\r\n").unwrap();
        if field(&headers, "warc-type") == Some("response") {
            let (response, body) = self::headers(block);
            let name = field(&headers, "warc-target-uri").unwrap().to_owned();
            let content_type = field(&response, "content-type").map(str::to_owned);
            pages.push(Page { name, content_type, headers: response, body: body.to_vec() });
        }
    }
    assert!(pages.len() > 400, "{} pages in {}", pages.len(), path.display());
    Some(pages)
}

/// Returns the text before the first empty line, and the text after it.
fn headers(text: &[u8]) -> (String, &[u8]) {
    let end = text.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8_lossy(&text[..end]).into_owned(), &text[end + 4..])
}

fn field<'h>(headers: &'h str, name: &str) -> Option<&'h str> {
    let mut named = headers.lines().filter_map(|line| line.split_once(':'));
    named.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// A tree construction test for a whole document.
pub struct TreeTest {
    pub input: String,
    /// The expected tree, one node per line.
    pub document: String,
    /// Whether the test is for a parser with scripting off.
    pub is_for_scripting_off: bool,
}

/// Returns the tree construction tests that are about whole documents.
pub fn tree_tests() -> Option<Vec<TreeTest>> {
    let folder = corpus()?.join("data/html5lib-tests/tree-construction");
    let mut tests = Vec::new();
    for path in files(&folder, "dat") {
        let text = std::fs::read_to_string(&path).unwrap();
        for test in text.split("#data\n").skip(1) {
            let (input, rest) = test.split_once("\n#errors\n").or(test.split_once("#errors\n")).unwrap();
            let (settings, document) = rest.split_once("#document\n").unwrap();
            let has = |setting: &str| settings.lines().any(|line| line == setting);
            if !has("#document-fragment") {
                let is_for_scripting_off = !has("#script-on");
                tests.push(TreeTest { input: input.to_owned(), document: document.to_owned(), is_for_scripting_off });
            }
        }
    }
    assert!(tests.len() > 1000, "{} tests in {}", tests.len(), folder.display());
    Some(tests)
}

/// Returns pages, each with the encoding in which it should be read.
pub fn encoding_tests() -> Option<Vec<(Vec<u8>, String)>> {
    let folder = corpus()?.join("data/html5lib-tests/encoding");
    let mut tests = Vec::new();
    for path in files(&folder, "dat") {
        let text = std::fs::read(&path).unwrap();
        let mut rest = text.as_slice();
        while let Some(start) = find(rest, b"#data\n") {
            let end = find(rest, b"\n#encoding\n").unwrap();
            let after = &rest[end + b"\n#encoding\n".len()..];
            let name: Vec<u8> = after.iter().copied().take_while(|byte| *byte != b'\n').collect();
            tests.push((rest[start + b"#data\n".len()..end].to_vec(), String::from_utf8(name).unwrap()));
            rest = after;
        }
    }
    assert!(tests.len() > 50, "{} tests in {}", tests.len(), folder.display());
    Some(tests)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

fn files(folder: &std::path::Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths
}
