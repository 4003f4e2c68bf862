//! The real files in `BYLEAVE_CORPUS`. They belong to others and are not copied into the repository.

pub mod pages;

use base64::Engine;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Returns every real file with its name, or `None` if no corpus is configured.
///
/// # Panics If a corpus is configured but incomplete. A check with missing input must fail, not be skipped.
pub fn files() -> Option<Vec<(String, Vec<u8>)>> {
    let Some(folder) = std::env::var_os("BYLEAVE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: BYLEAVE_CORPUS is not set");
        return None;
    };
    let mut files = packed(&folder.join("data/robots.jsonl.gz"));
    assert!(files.len() > 1000, "{} files in robots.jsonl.gz", files.len());
    let acap = folder.join("data/acap-real");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&acap)
        .unwrap_or_else(|error| panic!("{}: {error}", acap.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", acap.display());
    files.extend(paths.iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())));
    Some(files)
}

fn packed(path: &Path) -> Vec<(String, Vec<u8>)> {
    let packed = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = String::new();
    flate2::read::MultiGzDecoder::new(packed.as_slice()).read_to_string(&mut lines).unwrap();
    let read = |line: &str| {
        let group: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = match (group["robots"].as_str(), group["robots_b64"].as_str()) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (None, Some(coded)) => base64::engine::general_purpose::STANDARD.decode(coded).unwrap(),
            (None, None) => panic!("neither robots nor robots_b64 in {line:.200}"),
        };
        (group["host"].as_str().unwrap_or("").to_owned(), text)
    };
    lines.lines().map(read).collect()
}

/// Returns the values of all lines that look like one of these fields.
pub fn values<'t>(text: &'t [u8], fields: &[&str]) -> Vec<&'t str> {
    text.split(|byte| matches!(byte, b'\n' | b'\r'))
        .filter_map(|line| std::str::from_utf8(line).ok()?.split('#').next()?.split_once(':'))
        .filter(|(name, _)| fields.iter().any(|field| name.trim().eq_ignore_ascii_case(field)))
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty() && value.len() < 300)
        .collect()
}
