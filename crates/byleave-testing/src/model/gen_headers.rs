//! Generates `Robots-Tag` and `X-Robots-Tag` lines, some with malformed members.

use super::gen_pages::{GenHeader, Generator};

impl Generator<'_> {
    /// Generates a few header lines.
    pub fn headers(&mut self) -> Vec<GenHeader> {
        let mut headers = Vec::new();
        for _ in 0..1 + self.numbers.below(3) {
            headers.push(match self.numbers.below(5) {
                0..2 => {
                    let name = self.numbers.pick(&["Robots-Tag", "Robots-Tag", "robots-tag", "ROBOTS-TAG"]);
                    let count = 1 + self.numbers.below(3);
                    GenHeader { name, members: (0..count).map(|_| self.member()).collect() }
                }
                2..4 => {
                    let name = self.numbers.pick(&["X-Robots-Tag", "X-Robots-Tag", "x-robots-tag"]);
                    GenHeader { name, members: vec![self.legacy_line()] }
                }
                _ => {
                    let name = self.numbers.pick(&["Robots", "X-Robots", "Content-Type", "Robots-Tag-Policy"]);
                    GenHeader { name, members: vec!["*;none;nosnippet;noarchive, noindex".to_owned()] }
                }
            });
        }
        headers
    }

    /// Generates a `Robots-Tag` member.
    fn member(&mut self) -> String {
        if !self.is_clean && self.numbers.one_in(6) {
            // Each of these members is malformed in a different way. A parser must drop the whole member.
            let word = self.numbers.pick(&["noindex", "nosnippet", "none", "noarchive"]);
            return match self.numbers.below(10) {
                0 => ";;;".to_owned(),
                1 => format!(";{word}"),
                2 => format!("* ;{word}"),
                3 => format!("*;{word} and more"),
                4 => format!("*;={word}"),
                5 => format!("360bot;{word}"),
                6 => format!("(* foo);{word}"),
                7 => format!("\"foo;{word}"),
                8 => format!("*;{word}=?2"),
                _ => String::new(),
            };
        }
        if !self.is_clean && self.numbers.one_in(6) {
            // A bare crawler name, or a directive in place of a name. Such a directive applies to every crawler.
            let bare = ["noindex", "NoIndex", "nosnippet", "none", "index", "all", "archive", "foo", "*"];
            let more =
                ["noindex;nosnippet", "noarchive;none", "index;nofollow", "\"noindex, noarchive\"", "robots;none"];
            let odd = ["*:noindex", "nosnippet|noarchive", "foo;noindex=0"];
            let members = self.numbers.pick(&[bare.as_slice(), &bare, &more, &odd]);
            return self.numbers.pick(members).to_owned();
        }
        let name = match self.is_clean {
            true => self.numbers.pick(&["*", "*", "foo"]),
            false => self.numbers.pick(&["*", "*", "*", "foo", "FOO", "Foo/1.0", "\"foo bot\"", "\"foo\"", "bar"]),
        };
        let mut member = name.to_owned();
        for _ in 0..self.numbers.pick(&[1, 1, 2, 3]) {
            let mut word = self.word("=");
            if word == "unavailable_after=\"2026-01-01\"" {
                word = "unavailable_after=@1767225600".to_owned();
            }
            if !self.is_clean {
                word = match self.numbers.below(8) {
                    0 if !word.contains('=') => format!("{word}=?0"),
                    1 if !word.contains('=') => format!("{word}=?1"),
                    2 if !word.contains('=') => format!("{word}=1"),
                    3 if !word.contains('=') => format!("{word};{word}=?0"),
                    4 if !word.contains('"') => word.to_ascii_uppercase(),
                    _ => word,
                };
            }
            member.push_str(if !self.is_clean && self.numbers.one_in(5) { "; " } else { ";" });
            member.push_str(&word);
        }
        member
    }

    /// Generates an `X-Robots-Tag` line.
    fn legacy_line(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.numbers.pick(&[1, 1, 2, 3]) {
            let prefix = match self.numbers.below(6) {
                0..3 => "",
                _ if self.is_clean => "foo: ",
                _ => self.numbers.pick(&["foo: ", "FOO:", "*: ", "robots: ", "bar: ", "bar:", "Foo/1.0: "]),
            };
            let word = self.word(": ");
            let upper = !self.is_clean && self.numbers.one_in(8);
            parts.push(format!("{prefix}{}", if upper { word.to_ascii_uppercase() } else { word }));
        }
        let gap = if self.is_clean { ", " } else { self.numbers.pick(&[", ", ", ", ",", " , "]) };
        parts.join(gap)
    }
}
