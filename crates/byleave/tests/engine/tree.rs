//! Tests for the lossless tree of robots.txt: it contains every byte once, and it agrees with the compiled policy.

use byleave::analysis::robots_txt::{Leaf, LeafKind, Separator};
use byleave::analysis::tree;
use byleave::model::{Addressee, Modality, Scope};
use byleave::{Policy, Reading};
use byleave_testing::checks::tree::{replaces, tiles};
use byleave_testing::generate::{Noise, Numbers};
use byleave_testing::naive::{Field, Naive};
use byleave_testing::{generate, naive};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Generates bytes, most of which are special to the lexer.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let telling = prop::sample::select(b"\r\n\t :#*$%/\0aA\xEF\xBB\xBF\xFF".to_vec());
    prop::collection::vec(prop_oneof![3 => telling, 1 => any::<u8>()], 0..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: for any bytes, in every reading, the leaves' spans cover the text without gaps or overlaps, and joining the
    /// leaves gives the original text.
    #[test]
    fn leaves_tile_any_bytes(text in bytes(), mark in any::<bool>()) {
        let text = if mark { [b"\xEF\xBB\xBF", &text[..]].concat() } else { text };
        for reading in Reading::OF_ROBOTS_TXT {
            tiles(&text, *reading);
        }
    }

    /// Law: replacing one leaf changes only that leaf's bytes.
    #[test]
    fn replacing_a_leaf_changes_only_its_bytes(text in bytes(), which in any::<prop::sample::Index>(), new in bytes()) {
        for reading in Reading::OF_ROBOTS_TXT {
            let leaves = tiles(&text, *reading);
            if !leaves.is_empty() {
                replaces(&text, *reading, leaves[which.index(leaves.len())], &new);
            }
        }
    }
}

/// Law: text beyond the limit is one unread leaf, and the leaves still cover the whole text (S-22).
#[test]
fn s22_leaves_tile_a_text_beyond_the_limit() {
    for end in ["\n", "\r", "\r\n"] {
        for shift in 0..8 {
            let line = format!("Disallow: /aaaaaaaaaaaaaaa{end}");
            let text = format!("{}{}", "#".repeat(shift), line.repeat(530_000 / line.len()));
            let leaves = tiles(text.as_bytes(), Reading::Default);
            let unread: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.kind == LeafKind::Unread).collect();
            assert_eq!(unread.len(), 1);
            assert!(unread[0].span.start <= 512_000 && unread[0].span.end as usize == text.len());
        }
    }
}

/// A rule, in a form in which the tree and the policy are compared: its line, whether it permits, whether it is
/// uninterpretable, its pattern, and whether it is for any crawler.
type Seen = (u32, bool, bool, Vec<u8>, bool);

/// Law: the tree and the policy agree. The groups that brute force builds from the tree's lines contain the same rules
/// as the policy's statements, each with its line, modality, pattern and addressee.
#[test]
fn s12_groups_made_of_the_trees_lines_are_those_of_the_policy() {
    for seed in 0..2000 {
        let mut numbers = Numbers::new(seed);
        let groups = generate::groups(&mut numbers);
        let mut text = generate::noisy(&groups, &mut numbers, Noise::Any);
        if numbers.one_in(6) {
            text.splice(0..0, *b"\xEF\xBB\xBF");
        }
        for reading in Reading::OF_ROBOTS_TXT {
            let about = || format!("{reading}: {}", text.escape_ascii().to_string().replace("\\n", "\\n\n"));
            let tree = tree(&text, *reading);
            tiles(&text, *reading);
            let fields = tree.lines().iter().enumerate().filter(|(_, line)| line.separator != Separator::Missing);
            let fields = fields.map(|(n, line)| Field {
                line: n as u32 + 1,
                name: &text[line.name.0..line.name.1],
                value: &text[line.value.0..line.value.1],
                lacks_colon: line.separator == Separator::Blanks,
            });
            let slow = Naive::of_fields(fields, *reading, &[]);
            let expected: BTreeSet<Seen> = slow.groups.iter().flat_map(seen).collect();
            let policy = Policy::parse_as(&text, *reading);
            let statements: BTreeSet<Seen> = policy
                .statements()
                .iter()
                .map(|statement| {
                    let Scope::Pattern(pattern) = statement.scope else { panic!("{:?}", statement.scope) };
                    let is_any = statement.addressee == Addressee::Any;
                    let permits = statement.modality == Modality::Permission;
                    (statement.line, permits, statement.uninterpretable.is_some(), pattern.to_vec(), is_any)
                })
                .collect();
            assert_eq!(statements, expected, "{}", about());
        }
    }
}

/// Returns the rules in a group whose patterns can match a path.
fn seen(group: &naive::Group) -> Vec<Seen> {
    let is_any = |name: &Vec<u8>| name == b"*" || name.starts_with(b"* ") || name.starts_with(b"*\t");
    let is_any = group.names.iter().any(is_any);
    let rules = group.rules.iter().filter(|rule| matches!(rule.written[0], b'/' | b'*'));
    rules.map(|rule| (rule.line, rule.permits, rule.is_uninterpretable, rule.written.clone(), is_any)).collect()
}
