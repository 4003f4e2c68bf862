//! Finds the paths that a Rust source file uses, in `use` declarations and in code. Resolves them from the crate root.
//!
//! This code reads tokens and does not implement the full grammar. Tokens are enough for `use`, `mod`, attributes and
//! paths. Comments, strings and items under `#[cfg(test)]` are left out.

/// A source file with its module path, its location and its text.
pub struct Source {
    /// The module path, which is empty for `lib.rs`.
    pub module: Vec<String>,
    pub file: String,
    pub text: String,
}

/// A path that a source file uses.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    pub line: usize,
    /// The path from the crate root. The last part is `*` if everything is imported.
    pub path: Vec<String>,
    /// The name that a `use` declares, or `None` for a path in code.
    pub name: Option<String>,
}

/// The parts of a source file that matter for the order of layers.
#[derive(Debug, Default)]
pub struct Paths {
    pub named: Vec<Named>,
    /// The names of the `macro_rules!` in the file.
    pub macros: Vec<String>,
    /// Modules in other files that are declared under `#[cfg(test)]`.
    pub test_modules: Vec<Vec<String>>,
}

impl Paths {
    /// Reads a source file. Panics if a `super` leads out of the crate.
    pub fn of(source: &Source) -> Self {
        let tokens = tokens(&source.text);
        let mut reader = Reader { source, tokens, at: 0, depth: 0, inline: Vec::new(), paths: Self::default() };
        while reader.at < reader.tokens.len() {
            if !reader.step() {
                break;
            }
        }
        reader.paths
    }
}

struct Token<'t> {
    text: &'t str,
    line: usize,
}

struct Reader<'t> {
    source: &'t Source,
    tokens: Vec<Token<'t>>,
    at: usize,
    /// The number of open braces.
    depth: usize,
    /// The open inline modules. Each has the number of braces that were open before it.
    inline: Vec<(&'t str, usize)>,
    paths: Paths,
}

impl<'t> Reader<'t> {
    /// Returns the text of the token `by` positions ahead, or an empty text after the end.
    fn ahead(&self, by: usize) -> &'t str {
        self.tokens.get(self.at + by).map_or("", |token| token.text)
    }

    fn behind(&self) -> &'t str {
        self.at.checked_sub(1).map_or("", |at| self.tokens[at].text)
    }

    /// Reads one item or token. Returns `false` if the rest of the file consists of tests.
    fn step(&mut self) -> bool {
        match (self.ahead(0), self.ahead(1), self.ahead(2)) {
            ("#", "!", "[") => {
                self.at += 1;
                return !self.attribute();
            }
            ("#", "[", _) => {
                if self.attribute() {
                    self.skip_item();
                }
            }
            ("use", next, _) if next != "<" => self.use_declaration(),
            ("mod", name, "{") => {
                self.inline.push((name, self.depth));
                self.depth += 1;
                self.at += 3;
            }
            ("macro_rules", "!", name) => {
                self.paths.macros.push(name.to_owned());
                self.at += 3;
            }
            ("crate" | "super" | "self", "::", _) if !["::", "in"].contains(&self.behind()) => self.inline_path(),
            ("{", ..) => {
                self.depth += 1;
                self.at += 1;
            }
            ("}", ..) => {
                self.depth = self.depth.saturating_sub(1);
                self.inline.pop_if(|(_, outside)| *outside == self.depth);
                self.at += 1;
            }
            _ => self.at += 1,
        }
        true
    }

    /// Reads an attribute, starting at its `#` or `!`. Returns `true` if the item with this attribute exists only in
    /// tests.
    fn attribute(&mut self) -> bool {
        let first = self.at + 1;
        self.at = first;
        self.skip_brackets();
        let words: Vec<&str> = self.tokens[first..self.at].iter().map(|token| token.text).collect();
        let is_negated = words.windows(3).any(|three| three == ["not", "(", "test"]);
        words.get(1) == Some(&"cfg") && words.contains(&"test") && !is_negated
    }

    /// Skips from an opening bracket to the position after its closing bracket.
    fn skip_brackets(&mut self) {
        let mut open = 0_usize;
        while self.at < self.tokens.len() {
            match self.ahead(0) {
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return;
            }
        }
    }

    /// Skips an item, a field, a variant or a statement, and its other attributes. If it is a module in another file,
    /// records the module.
    fn skip_item(&mut self) {
        while self.ahead(0) == "#" {
            self.attribute();
        }
        let is_item = ITEMS.contains(&self.ahead(0));
        while self.at < self.tokens.len() {
            match (self.ahead(0), self.ahead(1), self.ahead(2)) {
                ("mod", name, ";") => {
                    let module = [self.module(), vec![name.to_owned()]].concat();
                    self.paths.test_modules.push(module);
                    self.at += 3;
                    return;
                }
                (";", ..) => {
                    self.at += 1;
                    return;
                }
                (",", ..) if !is_item => {
                    self.at += 1;
                    return;
                }
                ("}" | ")" | "]", ..) => return,
                ("{", ..) => {
                    self.skip_brackets();
                    return;
                }
                ("(" | "[", ..) => self.skip_brackets(),
                _ => self.at += 1,
            }
        }
    }

    /// Returns the module that contains the current token.
    fn module(&self) -> Vec<String> {
        let inline = self.inline.iter().map(|(name, _)| (*name).to_owned());
        self.source.module.iter().cloned().chain(inline).collect()
    }

    fn use_declaration(&mut self) {
        self.at += 1;
        self.use_tree(&[]);
    }

    /// Reads a `use` tree below these path segments.
    fn use_tree(&mut self, above: &[&'t str]) {
        let mut parts = above.to_vec();
        loop {
            let text = self.ahead(0);
            let line = self.tokens.get(self.at).map_or(0, |token| token.line);
            self.at += 1;
            match text {
                "::" => {
                    // A path that begins with `::` leads out of the crate.
                    if parts.is_empty() {
                        parts.push("::");
                    }
                }
                "{" => {
                    while !["}", ";", ""].contains(&self.ahead(0)) {
                        match self.ahead(0) {
                            "," => self.at += 1,
                            _ => self.use_tree(&parts),
                        }
                    }
                    self.at += 1;
                    return;
                }
                "*" => {
                    parts.push("*");
                    self.name(line, &parts, None);
                    return;
                }
                "" | ";" | "," | "}" => return,
                part => {
                    if part != "self" || parts.is_empty() {
                        parts.push(part);
                    }
                    if self.ahead(0) == "::" {
                        continue;
                    }
                    let mut name = parts.last().copied();
                    if self.ahead(0) == "as" {
                        name = Some(self.ahead(1));
                        self.at += 2;
                    }
                    self.name(line, &parts, name);
                    return;
                }
            }
        }
    }

    fn inline_path(&mut self) {
        let line = self.tokens[self.at].line;
        let mut parts = vec![self.ahead(0)];
        self.at += 1;
        while self.ahead(0) == "::" && self.ahead(1).starts_with(is_name) {
            parts.push(self.ahead(1));
            self.at += 2;
        }
        self.name(line, &parts, None);
    }

    /// Stores a path if it leads to this crate.
    fn name(&mut self, line: usize, parts: &[&str], name: Option<&str>) {
        let mut module = self.module();
        let mut rest = parts;
        match parts {
            ["crate", after @ ..] => (module, rest) = (Vec::new(), after),
            ["self" | "super", ..] => {}
            // A path that begins with a plain name. In `lib.rs`, the name is a module of the crate. In other files, it
            // is another crate or a submodule.
            _ if module.is_empty() => {}
            _ => return,
        }
        while let ["self" | "super", after @ ..] = rest {
            if rest[0] == "super" {
                let is_left = module.pop().is_none();
                assert!(!is_left, "{}:{line}: `super` leads out of the crate", self.source.file);
            }
            rest = after;
        }
        module.extend(rest.iter().map(|part| (*part).to_owned()));
        self.paths.named.push(Named { line, path: module, name: name.map(str::to_owned) });
    }
}

/// The keywords that items begin with. If an attribute precedes any other word, it applies to a field or variant, which
/// ends at a comma.
const ITEMS: [&str; 15] = [
    "pub", "mod", "use", "fn", "impl", "struct", "enum", "union", "const", "static", "type", "trait", "extern",
    "unsafe", "async",
];

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the names, numbers and punctuation in a source file. Omits comments, strings, character literals and
/// lifetimes.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let name: usize = rest.chars().take_while(|letter| is_name(*letter)).map(char::len_utf8).sum();
        let after = &rest[name..];
        let (length, is_token) = match first {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
            '/' if rest.starts_with("/*") => (block_comment(rest), false),
            '"' => (string(rest), false),
            '\'' => (quote(rest), false),
            ':' if rest.starts_with("::") => (2, true),
            'b' | 'c' if name == 1 && after.starts_with('"') => (1 + string(after), false),
            'b' if name == 1 && after.starts_with('\'') => (1 + quote(after), false),
            'r' | 'b' | 'c' if ["r", "br", "cr"].contains(&&rest[..name]) && is_raw(after) => {
                (name + raw_string(after), false)
            }
            _ if name > 0 => (name, true),
            _ => (first.len_utf8(), !first.is_whitespace()),
        };
        let (token, next) = rest.split_at(length);
        if is_token {
            tokens.push(Token { text: token, line });
        }
        line += token.matches('\n').count();
        rest = next;
    }
    tokens
}

/// Returns the length of a block comment, including nested comments.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        match &text.as_bytes()[at..text.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Returns the length of a string, including its quotes.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns whether the text after `r` or `br` begins a raw string. A raw identifier such as `r#type` has no quote after
/// `#`.
fn is_raw(text: &str) -> bool {
    text.trim_start_matches('#').starts_with('"')
}

fn raw_string(text: &str) -> usize {
    let marks = text.len() - text.trim_start_matches('#').len();
    let end = format!("\"{}", "#".repeat(marks));
    text[marks + 1..].find(&end).map_or(text.len(), |at| marks + 1 + at + end.len())
}

/// Returns the length of a character literal with its quotes, or of a lifetime.
fn quote(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match letters.next() {
        Some((_, '\\')) => {
            let after_escaped = letters.nth(1).map_or(text.len(), |(at, _)| at);
            text[after_escaped..].find('\'').map_or(text.len(), |at| after_escaped + at + 1)
        }
        Some((at, letter)) => {
            let end = at + letter.len_utf8();
            let is_character = text[end..].starts_with('\'');
            if is_character {
                end + 1
            } else {
                1 + text[1..].chars().take_while(|one| is_name(*one)).map(char::len_utf8).sum::<usize>()
            }
        }
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the paths in the source of the module `a::b`, with their lines.
    fn named(text: &str) -> Vec<(usize, String)> {
        let module = vec!["a".to_owned(), "b".to_owned()];
        let paths = Paths::of(&Source { module, file: "a/b.rs".to_owned(), text: text.to_owned() });
        paths.named.into_iter().map(|one| (one.line, one.path.join("::"))).collect()
    }

    fn only(text: &str) -> Vec<String> {
        named(text).into_iter().map(|(_, path)| path).collect()
    }

    #[test]
    fn use_trees_are_expanded_with_the_line_of_each_leaf() {
        let text = "pub(crate) use crate::{\n    c::{D, e::{self, F as G}},\n    h::*,\n};\nuse std::fmt;\n";
        let expected = [(2, "c::D"), (2, "c::e"), (2, "c::e::F"), (3, "h::*")];
        assert_eq!(named(text), expected.map(|(line, path)| (line, path.to_owned())));
    }

    #[test]
    fn self_and_super_are_resolved_from_the_module() {
        assert_eq!(only("use self::c::D; use super::E; use super::super::f::G;"), ["a::b::c::D", "a::E", "f::G"]);
        assert_eq!(only("mod c { use super::D; use super::super::E; } use super::F;"), ["a::b::D", "a::E", "a::F"]);
        assert_eq!(only("use super::*; use super::{c, super::d};"), ["a::*", "a::c", "d"]);
    }

    #[test]
    fn inline_paths_are_found_wherever_they_are() {
        assert_eq!(only("fn f(c: &crate::c::D<super::E>) { super::super::g::h::<u8>() }"), ["c::D", "a::E", "g::h"]);
        assert_eq!(only("macro_rules! m { () => { $crate::c::D } }"), ["c::D"]);
        assert_eq!(only("impl crate::c::D for F { fn g(self) { self.h(); Self::i() } }"), ["c::D"]);
    }

    #[test]
    fn visibility_and_other_crates_are_no_paths() {
        assert!(only("pub(in crate::c) fn f() {} pub(super) fn g() {} pub(crate) fn h() {}").is_empty());
        assert!(
            only("use ::crate_of_others::c; use serde::Serialize; use c::D; fn f() -> impl G + use<'_> {}").is_empty()
        );
    }

    #[test]
    fn comments_strings_and_characters_are_left_out() {
        let text = "// crate::c\n/* crate::d /* crate::e */ crate::f */ \"crate::g \\\" crate::h\" r#\"crate::i\"# b\"crate::j\"\n\
            '\"' '\\'' b'\"' 'a: crate::k::L";
        assert_eq!(named(text), [(3, "k::L".to_owned())]);
        assert_eq!(only("fn f<'a>(r#type: &'a str) { '\\u{1F600}'; crate::c::d(b'\\\\'); }"), ["c::d"]);
    }

    #[test]
    fn what_is_only_there_for_tests_is_left_out() {
        let text = "#[cfg(test)]\nuse crate::c;\n#[cfg(test)]\n#[allow(x)]\nmod tests { use crate::d; fn f() { crate::e::g() } }\n\
            use crate::f;\nstruct S { #[cfg(test)] g: crate::g::H, i: crate::i::J }\n#[cfg(not(test))]\nuse crate::k;";
        assert_eq!(only(text), ["f", "i::J", "k"]);
        assert!(only("#![cfg(test)]\nuse crate::c;").is_empty());
        let module = vec!["a".to_owned()];
        let text = "#[cfg(test)]\n#[path = \"x.rs\"]\nmod given;\n#[cfg(test)]\npub mod more;\nmod real;".to_owned();
        let paths = Paths::of(&Source { module, file: String::new(), text });
        assert_eq!(paths.test_modules, [["a", "given"], ["a", "more"]]);
    }

    #[test]
    #[should_panic(expected = "a/b.rs:2: `super` leads out of the crate")]
    fn super_that_leads_out_of_the_crate_is_reported() {
        named("\nuse super::super::super::c;");
    }
}
