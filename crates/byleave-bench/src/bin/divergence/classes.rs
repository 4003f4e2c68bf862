//! The classes of differences: why a peer answers differently from Byleave, and which of the two follows RFC 9309.
//!
//! Each class has a cause and a cure. The cure (`cures.rs`) removes the cause from the question. A difference belongs
//! to a class if, after its cure, Byleave's verdict is unchanged and the peer gives the same verdict. If no single cure
//! is enough, all cures are applied, and then each cure that is not needed is removed. If all cures together are not
//! enough, the difference is unexplained.

use crate::cures;
use crate::engines::{Engine, Verdict};
use crate::question::{Manner, Question};
use byleave::Reading;

/// One of Byleave's readings, and the parser that it is compared with.
pub struct Comparison {
    pub reading: Reading,
    pub peer: Engine,
    /// The classes, in the order in which their cures are applied.
    pub classes: &'static [Class],
}

/// A reason why a peer answers differently.
pub struct Class {
    pub name: &'static str,
    /// What the peer does.
    pub cause: &'static str,
    /// Which of the two follows RFC 9309, and the relevant section.
    pub side: &'static str,
    pub cure: fn(&Question) -> Option<Question>,
    /// The smallest file that shows the difference, with the crawler and the path.
    pub example: (&'static [u8], &'static str, &'static str),
}

impl Class {
    pub fn example(&self) -> Question {
        let (robots_txt, crawler, path) = self.example;
        Question {
            robots_txt: robots_txt.to_vec(),
            crawler: crawler.to_owned(),
            path: path.to_owned(),
            manner: Manner::Usual,
        }
    }
}

impl Comparison {
    /// Returns a minimal set of classes whose cures make the peer agree, by number. Returns `None` if no set of cures
    /// makes the peer agree.
    pub fn explain(&self, ours: Engine, question: &Question, verdict: Verdict) -> Option<Vec<usize>> {
        let agrees = |cured: &Question| self.peer.answer(cured) == verdict && ours.answer(cured) == verdict;
        let is_alone = |class: &Class| (class.cure)(question).is_some_and(|cured| agrees(&cured));
        if let Some(alone) = self.classes.iter().position(is_alone) {
            return Some(vec![alone]);
        }
        let cured = |classes: &[usize]| {
            let apply = |question: Question, class: &usize| (self.classes[*class].cure)(&question).unwrap_or(question);
            classes.iter().fold(question.clone(), apply)
        };
        let mut needed: Vec<usize> = (0..self.classes.len()).collect();
        if !agrees(&cured(&needed)) {
            return None;
        }
        for class in 0..self.classes.len() {
            let fewer: Vec<usize> = needed.iter().copied().filter(|other| *other != class).collect();
            if agrees(&cured(&fewer)) {
                needed = fewer;
            }
        }
        Some(needed)
    }
}

pub const COMPARISONS: [Comparison; 3] = [
    Comparison { reading: Reading::Google, peer: Engine::Robotstxt, classes: ROBOTSTXT },
    Comparison { reading: Reading::Rfc9309, peer: Engine::Robotxt, classes: ROBOTXT },
    Comparison { reading: Reading::Rfc9309, peer: Engine::TextingRobots, classes: TEXTING_ROBOTS },
];

const ROBOTSTXT: &[Class] = &[
    Class {
        name: "places-met-again",
        cause: "a pattern with `*` is matched wrongly: new match positions are inserted before the earlier ones instead of replacing them",
        side: "ours (2.2.3: `*` is any number of any character); Google's C++ replaces them",
        cure: cures::places_met_again,
        example: (b"User-agent: *\nDisallow: */b\n", "AnyBot", "/a/b"),
    },
    Class {
        name: "byte-order-mark",
        cause: "a byte order mark is not skipped: the crate looks for U+00EF, U+00BB, U+00BF where its text has U+FEFF",
        side: "ours (2.3: the file is UTF-8, and in RFC 3629 6 the mark is a signature); Google's C++ skips it",
        cure: cures::byte_order_mark,
        example: ("\u{FEFF}User-agent: *\nDisallow: /a\n".as_bytes(), "AnyBot", "/a"),
    },
    Class {
        name: "line-behind-nul",
        cause: "a line continues after a NUL",
        side: "silent (a NUL is outside the grammar, 2.2); in Google's C++ a line is a C string, which a NUL ends",
        cure: cures::line_behind_nul,
        example: (b"User-agent: *\nDisallow: /a\0b\n", "AnyBot", "/a"),
    },
    Class {
        name: "other-line-ends-names",
        cause: "`Sitemap`, `Crawl-delay` and unknown lines end a list of names",
        side: "ours (2.2.4: other records must not interfere with the records of the RFC); Google's C++ did the same and no longer does",
        cure: cures::other_line,
        example: (b"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /\n", "a", "/"),
    },
    Class {
        name: "blanks-before",
        cause: "a line without a colon is not read if it begins with blanks",
        side: "silent (a line without a colon is outside the grammar, 2.2); Google's C++ strips blanks first",
        cure: cures::blanks_before,
        example: (b"User-agent: *\n Disallow /a\n", "AnyBot", "/a"),
    },
    Class {
        name: "broken-escape",
        cause: "a `%` without two digits is dropped together with the two octets after it, if the pattern has to be rewritten",
        side: "ours (2.2.2: a comparison of octets, none of which is dropped); Google's C++ keeps them",
        cure: cures::broken_escape,
        example: (b"User-agent: *\nDisallow: /%zz%c3\n", "AnyBot", "/%zz%C3"),
    },
    Class {
        side: "ours (2.2: WS is a blank or a tab); Google's C++ strips only ASCII white space",
        cure: cures::wide_white_space,
        ..WHITE_SPACE
    },
    Class {
        name: "octet-past-ascii",
        cause: "octets outside ASCII in the URL are counted as characters in one place and as octets in another",
        side: "neither (2.2.2: such octets are escaped before comparison, which Google's parser leaves to the caller); Google's C++ counts octets",
        cure: cures::octet_past_ascii,
        example: (b"User-agent: *\nDisallow: /*a$\n", "AnyBot", "/\u{E9}a"),
    },
];

const NAME: Class = Class {
    name: "name-beyond-token",
    cause: "a name in the file is compared as a whole, including a version or a comment after it",
    side: "ours (2.2.1: the crawler's product token is compared, and a token is made of letters, `_` and `-`)",
    cure: cures::name_beyond_token,
    example: (b"User-agent: ExampleBot/1.0\nDisallow: /\n", "ExampleBot", "/"),
};

const MISSPELT: Class = Class {
    name: "misspelt-field",
    cause: "`useragent`, `disalow` and similar misspellings are accepted",
    side: "ours (2.2: the grammar has one spelling for each); a leniency",
    cure: cures::misspelt_field,
    example: (b"User-agent: *\nDisalow: /a\n", "AnyBot", "/a"),
};

const COLON: Class = Class {
    name: "missing-colon",
    cause: "blanks are read as a colon",
    side: "ours (2.2: a colon separates name and value); a leniency",
    cure: cures::missing_colon,
    example: (b"User-agent: *\nDisallow /a\n", "AnyBot", "/a"),
};

const DELAY: Class = Class {
    name: "crawl-delay-ends-names",
    cause: "`Crawl-delay` ends a list of names",
    side: "ours (2.2.4: other records must not interfere with the records of the RFC)",
    cure: cures::crawl_delay,
    example: (b"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /\n", "a", "/"),
};

const WHITE_SPACE: Class = Class {
    name: "other-white-space",
    cause: "white space other than blanks and tabs is removed from names and patterns",
    side: "ours (2.2: WS is a blank or a tab; U+00A0 is part of the pattern)",
    cure: cures::other_white_space,
    example: ("User-agent: *\nDisallow: /a\u{A0}\n".as_bytes(), "AnyBot", "/a"),
};

const NUL: Class = Class {
    name: "nul-ends-line",
    cause: "a NUL ends a line",
    side: "silent (a NUL is outside the grammar, 2.2)",
    cure: cures::nul,
    example: (b"User-agent: *\nDisallow: /a\0b\n", "AnyBot", "/a"),
};

const RESERVED: Class = Class {
    name: "reserved-escape",
    cause: "a reserved octet and its escape differ, including `%2A` and `*`, `%24` and `$`, and an escape counts as three octets of a rule",
    side: "ours to the letter (2.2.2: reserved octets are escaped on both sides before comparison; 2.2.3 for `%2A` and `%24`)",
    cure: cures::reserved_escape,
    example: (b"User-agent: *\nDisallow: /a%3Db\n", "AnyBot", "/a=b"),
};

const ROBOTXT: &[Class] = &[
    MISSPELT,
    COLON,
    DELAY,
    NUL,
    WHITE_SPACE,
    NAME,
    Class {
        name: "pattern-without-slash",
        cause: "a `/` is added to a pattern that does not begin with one",
        side: "ours (2.2: a path pattern begins with `/`, so the line is not a rule)",
        cure: cures::pattern_without_slash,
        example: (b"User-agent: *\nDisallow: a\n", "AnyBot", "/a"),
    },
    Class {
        name: "unescaped-octet",
        cause: "`|`, `\\`, `^` and a `%` without digits differ from their escapes",
        side: "silent (2.2.2 covers reserved octets and those outside ASCII); no URI contains these unescaped (RFC 3986 2), so a rule that does could never match",
        cure: cures::unescaped_octet,
        example: (b"User-agent: *\nDisallow: /a|\n", "AnyBot", "/a%7C"),
    },
    RESERVED,
    Class {
        name: "pattern-from-star",
        cause: "a `/` is added before a pattern that begins with `*`: `*/a` no longer matches `/a`, and is one octet longer",
        side: "ours (2.2.3 shows a pattern that begins with `*`; 2.2.2: it is compared from the first octet)",
        cure: cures::pattern_from_star,
        example: (b"User-agent: *\nDisallow: */a\n", "AnyBot", "/a"),
    },
];

const TEXTING_ROBOTS: &[Class] = &[
    MISSPELT,
    COLON,
    DELAY,
    NUL,
    WHITE_SPACE,
    NAME,
    Class {
        name: "no-names",
        cause: "rules of a file without any `User-agent` bind every crawler",
        side: "ours (2.2: a rule belongs to a group, and a group begins with a user-agent line)",
        cure: cures::no_names,
        example: (b"Disallow: /a\n", "AnyBot", "/a"),
    },
    Class {
        name: "empty-disallow",
        cause: "`Disallow` without a pattern is read as `Allow: /`, which wins against `Disallow: /`",
        side: "ours (2.2.2: the match with the most octets wins, and an empty pattern has none)",
        cure: cures::empty_disallow,
        example: (b"User-agent: *\nDisallow:\nDisallow: /\n", "AnyBot", "/a"),
    },
    Class {
        name: "pattern-not-utf-8",
        cause: "a rule whose pattern is not UTF-8 is skipped",
        side: "ours (2.2.2: octets outside ASCII are escaped and compared); 2.3 requires the file to be UTF-8",
        cure: cures::pattern_not_utf_8,
        example: (b"User-agent: *\nDisallow: /a\xE9\n", "AnyBot", "/a%E9"),
    },
    Class {
        name: "fragment",
        cause: "the fragment of the URL is matched too",
        side: "ours (2.2.2 compares the path, which ends before `#` in RFC 3986)",
        cure: cures::fragment,
        example: (b"User-agent: *\nDisallow: /a$\n", "AnyBot", "/a#top"),
    },
    Class {
        name: "url-parsed",
        cause: "the URL is parsed and serialized: dot segments are resolved, and some octets are escaped",
        side: "silent on dot segments; we compare the octets given (2.2.2)",
        cure: cures::url_parsed,
        example: (b"User-agent: *\nDisallow: /a/..\n", "AnyBot", "/a/../b"),
    },
    Class {
        name: "unescaped-octet",
        cause: "`{`, `}`, `|`, `\\`, `^` and a `%` without digits differ from their escapes",
        side: "silent (2.2.2 covers reserved octets and those outside ASCII); no URI contains these unescaped (RFC 3986 2), so a rule that does could never match",
        cure: cures::unescaped_octet,
        example: (b"User-agent: *\nDisallow: /a|\n", "AnyBot", "/a%7C"),
    },
    Class {
        name: "unreserved-escape",
        cause: "escapes are compared as written: `%7E` differs from `~`, `%c3` from `%C3`",
        side: "ours (2.2.2: escapes of unreserved octets are decoded; RFC 3986 2.1: the case of digits makes no difference)",
        cure: cures::unreserved_escape,
        example: (b"User-agent: *\nDisallow: /%7Ea\n", "AnyBot", "/~a"),
    },
    RESERVED,
    Class {
        name: "inner-dollar",
        cause: "a `$` inside a pattern is read as the end of the path, so the rule never matches",
        side: "ours (2.2.3: `$` is special at the end of a pattern)",
        cure: cures::inner_dollar,
        example: (b"User-agent: *\nDisallow: /a$b\n", "AnyBot", "/a$b"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Fault;

    /// For each class, a file that is similar to the example but lacks the cause.
    const UNLIKE: &[(&str, &[u8], &str)] = &[
        ("places-met-again", b"User-agent: AnyBot\nDisallow: /a/b\n", "/a/b"),
        ("byte-order-mark", b"\xEF\xBBUser-agent: *\nDisallow: /a\n", "/a"),
        ("line-behind-nul", b"User-agent: *\nDisallow: /a%00b\n", "/a"),
        ("other-line-ends-names", b"User-agent: a\nDisallowed: /\nUser-agent: b\nDisallow: /\n", "/"),
        ("blanks-before", b"User-agent: *\n Disallow: /a\n", "/a"),
        ("broken-escape", b"User-agent: *\nDisallow: /%25zz%c3\n", "/%25zz%C3"),
        ("octet-past-ascii", b"User-agent: *\nDisallow: /*a$\n", "/%C3%A9a"),
        ("name-beyond-token", b"User-agent: Example_Bot-\nDisallow: /\n", "/"),
        ("misspelt-field", b"User-agent: *\nNodisalow: /a\n", "/a"),
        ("missing-colon", b"User-agent: *\nDisallow : /a\nDisallowed /b\n", "/a"),
        ("crawl-delay-ends-names", b"User-agent: a\nDelay: 1\nUser-agent: b\nDisallow: /\n", "/"),
        ("other-white-space", b"User-agent: *\nDisallow: \t/a\xC2\xA1\t\n", "/a"),
        ("nul-ends-line", b"User-agent: *\nDisallow: /a\x01b\n", "/a"),
        ("reserved-escape", b"User-agent: *\nDisallow: /a%20b\n", "/a=b"),
        ("pattern-without-slash", b"User-agent: *\nDisallow: *a\nDisallow:\n", "/a"),
        ("unescaped-octet", b"User-agent: *\nDisallow: /a%7C\n", "/a%7C"),
        ("pattern-from-star", b"User-agent: *\nDisallow: /*/a\n", "/a"),
        ("no-names", b"Disallow: /b\nUser agent: *\nDisallow: /a\n", "/a"),
        ("empty-disallow", b"User-agent: *\nAllow:\nDisallow: /\n", "/a"),
        ("pattern-not-utf-8", b"User-agent: *\nDisallow: /a\xC3\xA9\n", "/a%C3%A9"),
        ("fragment", b"User-agent: *\nDisallow: /a$\n", "/a%23top"),
        ("url-parsed", b"User-agent: *\nDisallow: /a/..\n", "/a/..b"),
        ("unreserved-escape", b"User-agent: *\nDisallow: /a=~\n", "/a=~"),
        ("inner-dollar", b"User-agent: *\nDisallow: /a$\nDisallow: /%24b\n", "/a$b"),
    ];

    fn each() -> impl Iterator<Item = (&'static Comparison, usize, &'static Class)> {
        let of = |comparison: &'static Comparison| {
            comparison.classes.iter().enumerate().map(move |(number, class)| (comparison, number, class))
        };
        COMPARISONS.iter().flat_map(of)
    }

    /// Byleave and the peer differ on the example of each class, and the class explains the difference.
    #[test]
    fn every_class_explains_its_example() {
        for (comparison, number, class) in each() {
            let question = class.example();
            let ours = Engine::Byleave(comparison.reading);
            let verdict = ours.answer(&question);
            assert_ne!(verdict, comparison.peer.answer(&question), "{}", class.name);
            assert_eq!(comparison.explain(ours, &question, verdict), Some(vec![number]), "{}", class.name);
        }
    }

    #[test]
    fn no_class_takes_a_question_without_its_cause() {
        for (_, _, class) in each() {
            let unlike = UNLIKE.iter().find(|(name, ..)| *name == class.name);
            let (_, robots_txt, path) = unlike.unwrap_or_else(|| panic!("{} has no counterexample", class.name));
            let (robots_txt, path) = (robots_txt.to_vec(), (*path).to_owned());
            let question = Question { robots_txt, path, ..class.example() };
            assert_eq!((class.cure)(&question), None, "{}", class.name);
        }
    }

    /// A wrong verdict by Byleave stays unexplained if the file contains the cause of a class but the cause does not
    /// affect the question.
    #[test]
    fn no_class_hides_a_wrong_verdict() {
        for (comparison, _, class) in each() {
            let question = Question { path: "/unrelated".to_owned(), ..class.example() };
            let peer = comparison.peer.answer(&question);
            if peer != Engine::Byleave(comparison.reading).answer(&question) {
                // This cause is about names, so it affects every URL.
                continue;
            }
            let faulty = Engine::Faulty(comparison.reading, Fault::Negates(1));
            let verdict = faulty.answer(&question);
            assert_ne!(verdict, peer, "{}", class.name);
            assert_eq!(comparison.explain(faulty, &question, verdict), None, "{}", class.name);
        }
    }
}
