//! Parses Structured Fields dictionaries (RFC 9651, 4.2.2).
//!
//! Unlike a list, a dictionary with a fault is dropped as a whole, as the RFC requires.

use super::{BareItem, Item, ValidMember, parse_member, parse_parameters, skip_blanks, skip_spaces};
use crate::base::cursor::Cursor;
use std::collections::HashSet;

/// A member of a dictionary: its key, its value if it is a token, and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DictionaryMember<'t> {
    pub(crate) key: &'t [u8],
    pub(crate) token: Option<&'t [u8]>,
    pub(crate) span: (usize, usize),
}

/// Parses a dictionary (RFC 9651, 4.2.2). Returns the last member with each key. Returns `None` at the first fault, as
/// the RFC requires.
///
/// Cost: O(text).
pub(crate) fn dictionary(text: &[u8]) -> Option<Vec<DictionaryMember<'_>>> {
    let mut keyed = members_by_key(text)?;
    let mut known = HashSet::new();
    keyed.reverse();
    keyed.retain(|member| known.insert(member.key));
    keyed.reverse();
    Some(keyed)
}

fn members_by_key(text: &[u8]) -> Option<Vec<DictionaryMember<'_>>> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(text);
    let mut member = ValidMember::default();
    skip_spaces(&mut cursor);
    while !cursor.is_at_end() {
        let start = cursor.at;
        let key =
            cursor.take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte));
        if !key.first().is_some_and(|byte| byte.is_ascii_lowercase() || *byte == b'*') {
            return None;
        }
        let token = if cursor.take(b'=').is_some() {
            parse_member(&mut cursor, &mut member)?;
            match member.items.as_slice() {
                [Item { bare: BareItem::Token(token), .. }] if !member.is_inner_list => Some(*token),
                _ => None,
            }
        } else {
            member.parameters.clear();
            parse_parameters(&mut cursor, &mut member.parameters)?;
            None
        };
        if member.parameters.iter().any(|parameter| parameter.key.iter().any(u8::is_ascii_uppercase)) {
            return None;
        }
        found.push(DictionaryMember { key, token, span: (start, cursor.at) });
        skip_blanks(&mut cursor);
        if cursor.is_at_end() {
            return Some(found);
        }
        cursor.take(b',')?;
        skip_blanks(&mut cursor);
        if cursor.is_at_end() {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfv::{Dictionary, ListEntry, Parser};

    /// Checks that both parsers return the same dictionary, or both fail.
    fn agree_on_dictionary(text: &str) {
        let theirs = Parser::new(text).parse::<Dictionary>().ok();
        let theirs = theirs.map(|dictionary| {
            let token = |entry: &ListEntry| match entry {
                ListEntry::Item(item) => item.bare_item.as_token().map(|token| token.as_str().to_owned()),
                ListEntry::InnerList(_) => None,
            };
            let mut shown: Vec<_> =
                dictionary.iter().map(|(key, entry)| (key.as_str().to_owned(), token(entry))).collect();
            shown.sort();
            shown
        });
        let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ours = dictionary(text.as_bytes()).map(|members| {
            let mut shown: Vec<_> = members.iter().map(|member| (owned(member.key), member.token.map(owned))).collect();
            shown.sort();
            shown
        });
        // This parser does not decode byte sequences (`:YQ==:`), so it accepts invalid ones.
        assert!(ours == theirs || text.contains(':'), "{text}: {ours:?} {theirs:?}");
    }

    #[test]
    fn s41_dictionaries_agree_with_sfv() {
        for text in [
            "train-ai=n, search=y",
            "train-ai=y, train-ai, search=n, search=\"n\"",
            "train-ai;allow=n, train-ai=y",
            "a;B",
            "A=n",
            "a=n,",
            ",a",
            "a=n b",
            "a=(b c);d, e",
            "a = n",
            "a=n\t,\tb",
            " a=n ",
            "a=n\t",
            "*a=1",
            "1a=1",
            "a=",
            "a;b=?0;c, d=1.5",
            "",
        ] {
            agree_on_dictionary(text);
        }
    }
}
