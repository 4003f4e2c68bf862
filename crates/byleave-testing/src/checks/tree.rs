//! Checks that the tree of a robots.txt contains every byte exactly once.

use byleave::Reading;
use byleave::analysis::robots_txt::Leaf;
use byleave::analysis::tree;

/// Asserts that the leaves cover the text without gaps or overlaps, and that printing the leaves reproduces the text.
pub fn tiles(text: &[u8], reading: Reading) -> Vec<Leaf> {
    let tree = tree(text, reading);
    let leaves: Vec<Leaf> = tree.leaves().collect();
    let mut printed = Vec::new();
    for leaf in &leaves {
        assert_eq!(leaf.span.start as usize, printed.len(), "{leaf:?} of {}", text.escape_ascii());
        assert!(!leaf.span.is_empty(), "{leaf:?} of {}", text.escape_ascii());
        printed.extend_from_slice(leaf.span.of(text));
    }
    assert_eq!(printed, text);
    leaves
}

/// Asserts that replacing a leaf changes only the bytes of that leaf.
pub fn replaces(text: &[u8], reading: Reading, leaf: Leaf, bytes: &[u8]) {
    let replaced = tree(text, reading).replaced(leaf, bytes);
    let (before, after) = (&text[..leaf.span.start as usize], &text[leaf.span.end as usize..]);
    assert!(replaced.starts_with(before) && replaced.ends_with(after), "{leaf:?} of {}", text.escape_ascii());
    assert_eq!(replaced.len(), before.len() + bytes.len() + after.len());
    assert_eq!(&replaced[before.len()..before.len() + bytes.len()], bytes);
}
