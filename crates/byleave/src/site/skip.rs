//! Checks, without building a tree, whether a page can have statements on its elements. If it cannot, no tree is built.
//!
//! An attribute with a value is always written as its name, `=` and the value, and the value can be decoded without a
//! tree. So [`Values`] examines what surrounds each `=` in the page, whether in a tag or not, and misses no value. It
//! does so only if a sought word can occur in the page at all: the letters, digits and `-` of a value are the same
//! adjacent bytes in the page, unless they are written as numeric character references. No other reference produces any
//! of these characters, except `&fjlig;`. Pages in encodings without this property (UTF-16, ISO-2022-JP) were already
//! converted to UTF-8 (`encoding.rs`). In an attribute, a NUL becomes U+FFFD and is never dropped.
//!
//! Tag names, attribute names and comments contain no character references. So if one of them contains a mark
//! ([`MARKS`]), the mark is written literally.

use crate::dialects::CLASS_BEGINNINGS;
use crate::dialects::acap::CLASS_PREFIXES;
use crate::dialects::exclusion_profile::PROFILE_CLASSES;
use crate::dialects::search_marks::{GOOGLEOFF, NOCONTENT_CLASS, NOINDEX, NOSNIPPET_ATTRIBUTE, REL_WORDS};
use crate::formats::html::characters::{ReferenceContext, attribute_value, reference};
use crate::formats::html::tokens::is_space;
use crate::formats::html::{Decoded, Needle};
use memchr::{memchr, memchr_iter, memmem, memrchr};
use std::borrow::Cow;
use std::collections::HashSet;

/// What to look for on elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sought {
    /// Classes.
    Classes,
    /// Classes and `rel`.
    ClassesAndLinks,
    /// Classes, and search-engine marks on parts of a page (S-49).
    ClassesAndMarks,
}

/// Whether some element in the page may have a class or `rel` value with a statement, a mark, or one of the ids,
/// classes or names in `more`. `false` is certain. `true` is not certain, because a word that was found might not be in
/// an element.
///
/// Cost: one fast pass over the page for each word, if there are few words. If a word is found or there are many words,
/// another pass examines each `=`.
pub(crate) fn may_matter(page: &Decoded<'_>, sought: Sought, more: &[&str]) -> bool {
    // Every tag ends with `>`, so the text after the last one contains no tags.
    let end = memrchr(b'>', page.text()).unwrap_or(0);
    let text = page.text().get(page.start()..=end).unwrap_or_default();
    if sought == Sought::ClassesAndMarks && is_marked(text) {
        return true;
    }
    let rel: &[&str] = if sought == Sought::ClassesAndLinks { &REL_WORDS } else { &[] };
    let words = CLASS_BEGINNINGS.iter().chain(rel).chain(more);
    // An empty word occurs in every page, so this test cannot exclude it.
    if needles(words.copied()).is_some_and(|needles| !may_have(text, &needles)) {
        return false;
    }
    let more: HashSet<String> = more.iter().flat_map(|word| [word, word.trim()].map(str::to_ascii_lowercase)).collect();
    // An attribute without a value has no `=`, so the scan below would miss it.
    if more.contains("") {
        return true;
    }
    Values { text }.any(|attribute, raw| {
        let value = || attribute_value(raw, page.text_encoding());
        match attribute {
            Named::Class => says(&value(), &more),
            Named::Rel => rel.iter().any(|word| contains(&value(), word)),
            Named::Id | Named::Name if more.is_empty() => false,
            Named::Id => more.contains(&value().to_ascii_lowercase()),
            Named::Name => more.contains(&value().trim().to_ascii_lowercase()),
        }
    })
}

/// Whether a `class` attribute contains a statement or one of the names in `more`.
fn says(value: &str, more: &HashSet<String>) -> bool {
    let begins = |class: &str, beginning: &str| {
        class.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
    };
    let classes = || PROFILE_CLASSES.iter().map(|known| known.name).chain([NOCONTENT_CLASS]);
    let is_profile = |class: &str| classes().any(|known| known.eq_ignore_ascii_case(class));
    value.split_ascii_whitespace().any(|class| {
        CLASS_PREFIXES.iter().any(|prefix| begins(class, prefix))
            || is_profile(class)
            || (!more.is_empty() && more.contains(&class.to_ascii_lowercase()))
    })
}

/// A page that marks a part by something other than a class contains one of these words (S-49).
const MARKS: [&str; 3] = [NOSNIPPET_ATTRIBUTE, NOINDEX, GOOGLEOFF];

/// Whether a part of the page may be marked: by an attribute, or by one of the [`MARKS`] at the start of a tag or
/// comment. `noindex` is also a META directive, which does not mark a part.
fn is_marked(text: &[u8]) -> bool {
    MARKS.iter().filter_map(|mark| Needle::new(mark)).any(|needle| {
        needle.any_in(text, |at| {
            let before = text.get(..at).unwrap_or_default();
            needle.word == NOSNIPPET_ATTRIBUTE.as_bytes()
                || before.last() == Some(&b'<')
                || before.trim_ascii_end().ends_with(b"<!--")
        })
    })
}

fn contains(value: &str, word: &str) -> bool {
    value.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns the part of each word that must occur in the page's bytes, or `None` if a part is too short or there are too
/// many.
fn needles<'w>(words: impl Iterator<Item = &'w str>) -> Option<Vec<Needle>> {
    const MAX: usize = 8;
    const LEAST: usize = 3;
    let mut parts: Vec<Cow<'w, str>> = Vec::new();
    for word in words {
        let parts_of = word.split(|character: char| !is_plain(character));
        let longest = parts_of.max_by_key(|part| part.len()).filter(|part| part.len() >= LEAST)?;
        let part = longest.to_ascii_lowercase();
        // A word that contains another word's needle does not need a needle of its own.
        if parts.iter().any(|known| part.contains(&**known)) {
            continue;
        }
        parts.retain(|known| !known.contains(&*part));
        parts.push(Cow::Owned(part));
        if parts.len() > MAX {
            return None;
        }
    }
    parts.iter().map(|part| Needle::new(part)).collect()
}

/// Whether a character is the same byte in the encoding of every page, unless it is written as a numeric reference.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}

/// Whether the text contains a needle, or a numeric reference to a character in a needle.
fn may_have(text: &[u8], needles: &[Needle]) -> bool {
    // A block this large stays in the cache while each needle is searched for.
    const BLOCK: usize = 1 << 14;
    let found = (0..text.len()).step_by(BLOCK).any(|start| {
        needles.iter().any(|needle| {
            let end = (start + BLOCK + needle.word.len() - 1).min(text.len());
            needle.is_in(text.get(start..end).unwrap_or_default())
        })
    });
    found || has_plain_reference(text)
}

fn has_plain_reference(text: &[u8]) -> bool {
    let is_plain_one = |at: usize| {
        let reference = text.get(at..).and_then(|from| reference(from, ReferenceContext::Text));
        reference.is_some_and(|reference| reference.characters().any(is_plain))
    };
    memmem::find_iter(text, b"&#").any(is_plain_one) || memmem::find(text, b"&fjlig;").is_some()
}

/// The attributes to examine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Class,
    Id,
    Rel,
    Name,
}

impl Named {
    /// Returns the attribute whose name is at the end of a text, ignoring whitespace.
    fn at_end_of(text: &[u8]) -> Option<Self> {
        const NAMES: [(Named, &[u8]); 4] =
            [(Named::Class, b"class"), (Named::Id, b"id"), (Named::Rel, b"rel"), (Named::Name, b"name")];
        let end = text.iter().rposition(|byte| !is_space(*byte))? + 1;
        let is_there = |name: &[u8]| {
            let written = end.checked_sub(name.len()).and_then(|start| text.get(start..end));
            written.is_some_and(|written| written.eq_ignore_ascii_case(name))
        };
        NAMES.iter().find(|(_, name)| is_there(name)).map(|(named, _)| *named)
    }
}

/// Everything in a text that looks like the value of an attribute to examine, whether in a tag or not.
struct Values<'p> {
    text: &'p [u8],
}

impl<'p> Values<'p> {
    /// Whether `check` accepts any value, or there is too much to examine.
    ///
    /// Cost: linear in the text. A quoted value ends at the next quote. An unquoted value may overlap many others, so
    /// its length counts towards a limit.
    fn any(&self, check: impl Fn(Named, &'p [u8]) -> bool) -> bool {
        let mut left = self.text.len().saturating_mul(4);
        memchr_iter(b'=', self.text).any(|equals| {
            let Some((named, value)) = self.value(equals) else { return false };
            match left.checked_sub(value.len()) {
                Some(rest) => left = rest,
                None => return true,
            }
            check(named, value)
        })
    }

    /// Returns the value that follows this `=`.
    fn value(&self, equals: usize) -> Option<(Named, &'p [u8])> {
        let (before, after) = self.text.split_at_checked(equals)?;
        let named = Named::at_end_of(before)?;
        let after = after.get(1..)?;
        let after = after.get(after.iter().position(|byte| !is_space(*byte))?..)?;
        let value = match after {
            // If the quote is never closed, there is no tag.
            [quote @ (b'"' | b'\''), quoted @ ..] => quoted.get(..memchr(*quote, quoted)?)?,
            _ => after.get(..after.iter().position(|byte| is_space(*byte) || *byte == b'>')?)?,
        };
        Some((named, value))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;
    use crate::base::limits::Limits;
    use crate::formats::html::decoded;
    use html5ever::data::NAMED_ENTITIES;

    fn matters(text: &str, sought: Sought, more: &[&str]) -> bool {
        may_matter(&decoded(text.as_bytes(), Some("utf-8"), &Limits::default()), sought, more)
    }

    #[test]
    fn only_one_named_reference_has_plain_characters() {
        let is_plain = |code: &u32| char::from_u32(*code).is_some_and(is_plain);
        let found: Vec<&str> = NAMED_ENTITIES
            .entries()
            .filter(|(_, (first, second))| is_plain(first) || is_plain(second))
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(found, ["fjlig;"]);
    }

    #[test]
    fn needles_come_from_the_vocabulary() {
        let words = CLASS_BEGINNINGS.iter().chain(&REL_WORDS).copied();
        let found = needles(words.clone()).unwrap();
        let found: Vec<&str> = found.iter().map(|needle| std::str::from_utf8(&needle.word).unwrap()).collect();
        assert_eq!(found, ["acap", "robots-", "nofollow", "ugc", "sponsored"]);
        // No needle is so short that every page contains it, and each word contains a needle.
        assert!(words.clone().all(|word| found.iter().any(|needle| word.contains(needle))));
        assert!(needles(words.clone().chain(["\u{e9}"])).is_none());
        let many: Vec<String> = (0..20).map(|number| format!("word-{number}")).collect();
        assert!(needles(words.chain(many.iter().map(String::as_str))).is_none());
    }

    #[test]
    fn a_needle_is_found_wherever_it_is() {
        for word in ["acap", "robots-", "nofollow", "xy0", "a-very-long-word-of-more-than-sixteen"] {
            let needle = Needle::new(word).unwrap();
            for length in 0..80 {
                let filling: Vec<u8> = b"acapRobots-nofolloWxy".iter().copied().cycle().take(length).collect();
                let is_there =
                    |text: &[u8]| text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()));
                assert_eq!(needle.is_in(&filling), is_there(&filling), "{word} {length}");
                for at in 0..=length {
                    let mut text = vec![b'.'; length];
                    text.splice(at..at, word.to_ascii_uppercase().bytes());
                    assert!(needle.is_in(&text), "{word} at {at} of {length}");
                    text[at] = b'_';
                    assert!(!needle.is_in(&text), "{word} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn s16_what_may_matter() {
        use Sought::{Classes, ClassesAndLinks};
        let block = "x".repeat((1 << 14) - 12);
        let long = format!("{block}<p class=acap:x>");
        for text in [
            "<p class=the-acap:x>",
            "<p CLASS = 'a\n THE-Acap:x'>",
            "<p class=&#x61;cap:>",
            "<p class='rob&#111;ts-noindex'>",
            "<p class='rob&#111ts-noindex'>",
            "<p class='rob&#00000000111ts-noindex'>",
            "<html class=robots-index>",
            "<p title=\"class=x\"class=acap:>",
            "<!-- <p class=acap:> -->",
            "<p class=acap&colon;x>",
            &long,
        ] {
            assert!(matters(text, Classes, &[]), "{text}");
        }
        for text in [
            "",
            "<p class=acap:",
            "<p class='acap:",
            "<p>acap: robots- nofollow",
            "<p class=acap>",
            "<p class=macap:x>",
            "<p class=robots-none>",
            "<p class=ac\0ap:>",
            "<p id=acap:>",
            "<meta name=robots-x content=nofollow>",
            "<a rel=nofollow>",
            "<p title='&#97;cap:'>",
        ] {
            assert!(!matters(text, Classes, &[]), "{text}");
        }
        assert!(matters("<a rel='ugc,NoFollow'>", ClassesAndLinks, &[]));
        assert!(matters("<a rel=no&#102;ollow>", ClassesAndLinks, &[]));
        assert!(!matters("<meta name=robots content=nofollow>", ClassesAndLinks, &[]));
        assert!(matters("<p id=main>", Classes, &["main"]) && !matters("<p id=mains>", Classes, &["main"]));
        assert!(matters("<p class='a main'>", Classes, &["x", "y", "main"]));
        assert!(matters("<p id='\u{e9}'>", Classes, &["\u{e9}"]) && !matters("<p id=e>", Classes, &["\u{e9}"]));
        assert!(matters("<p id=ma&#105;n>", Classes, &["main"]));
        assert!(matters("<a rel='UGC'>", ClassesAndLinks, &[]) && matters("<a rel=sponsored>", ClassesAndLinks, &[]));
        assert!(matters("<p class=robots-nocontent>", Classes, &[]));
    }

    #[test]
    fn s49_what_may_be_marked() {
        use Sought::{Classes, ClassesAndMarks};
        let filling = "<p class=news>News of today</p>".repeat(20);
        for (mark, may_be) in [
            ("<div data-nosnippet>", true),
            ("<div DATA-NoSnippet='false'>", true),
            ("<noindex>", true),
            ("<NOINDEX >", true),
            ("<!--noindex-->", true),
            ("<!--  \n NoIndex -->", true),
            ("<!-- googleoff: all -->", true),
            ("<meta name=robots content='noindex,nosnippet'>", false),
            ("<p>noindex and googleoff</p>", false),
            ("<!--/noindex--><!--googleon: all-->", false),
        ] {
            for page in [mark.to_owned(), format!("{filling}{mark}{filling}")] {
                assert_eq!(matters(&page, ClassesAndMarks, &[]), may_be, "{page}");
                assert!(!matters(&page, Classes, &[]), "{page}");
            }
        }
    }
}
