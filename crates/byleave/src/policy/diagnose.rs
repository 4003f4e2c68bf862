//! Diagnostics for robots.txt: misspelt fields, rules outside groups, malformed values.
//!
//! This file walks the lossless tree, with the same lexer and field recognition as `compile.rs`. It does not affect
//! decisions. Diagnostics for ACAP fields come from `dialects::acap`.

use super::preferences;
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::dialects::acap;
use crate::dialects::rsl::is_locator;
use crate::model::crawler::{is_any, token_of};
use crate::model::diagnostic::{Code, Diagnostic, Severity, shown};
use crate::model::reading::{NameGrammar, Reading, Switches};
use crate::policy::body_start;
use crate::robots_txt::classify;
use crate::robots_txt::{Field, Role};
use crate::robots_txt::{Line, Separator, Tree};

/// Returns the lossless tree of a robots.txt file, within the default limits.
///
/// ```
/// use byleave::{Reading, analysis};
/// let tree = analysis::tree(b"User-agent: *\n# staff only\nDisallow: /intranet/\n", Reading::Default);
/// assert_eq!(tree.lines().len(), 3);
/// ```
#[must_use]
pub fn tree(text: &[u8], reading: Reading) -> Tree<'_> {
    let read = Limits::default().cut(text);
    Tree::new(text, body_start(text.get(..read).unwrap_or(text), reading.switches()), read)
}

/// Returns the field on a line, with the leniencies of a reading, or `None` if the line is not a field.
///
/// ```
/// use byleave::Reading;
/// use byleave::analysis::vocabulary::Field;
/// let tree = byleave::analysis::tree(b"Dissalow: /a", Reading::Default);
/// assert_eq!(byleave::analysis::field(&tree, &tree.lines()[0], Reading::Default), Some(Field::Disallow));
/// assert_eq!(byleave::analysis::field(&tree, &tree.lines()[0], Reading::Rfc9309), None);
/// ```
#[must_use]
pub fn field(tree: &Tree<'_>, line: &Line, reading: Reading) -> Option<Field> {
    classify(tree.text(), line, reading.switches()).map(|(field, _)| field)
}

/// Returns the diagnostics for a robots.txt file, in file order.
///
/// ```
/// use byleave::{Reading, diagnostic::diagnose};
/// let found = diagnose(b"User-agent: *\nDisallow: private/\n", Reading::Default);
/// assert_eq!(found[0].code.name(), "slashless-pattern");
/// assert_eq!(found[0].message, "pattern `private/` does not start with `/`, so it matches nothing");
/// ```
///
/// Cost: linear in the text, plus sorting the diagnostics.
#[must_use]
pub fn diagnose(text: &[u8], reading: Reading) -> Vec<Diagnostic> {
    let tree = tree(text, reading);
    let mut diagnoser =
        Diagnoser { text, switches: reading.switches(), found: Vec::new(), open: Open::Nothing, has_acap: false };
    diagnoser.whole_file(&tree);
    for line in tree.lines() {
        diagnoser.line(line);
    }
    diagnoser.close();
    if diagnoser.has_acap {
        let read = text.get(..Limits::default().cut(text)).unwrap_or(text);
        let body = body_start(read, diagnoser.switches);
        acap::parse(read, body, diagnoser.switches, None, Some(&mut diagnoser.found));
    }
    diagnoser.found.sort_by_key(|diagnostic| diagnostic.span);
    diagnoser.found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Acap,
    Names { line: (usize, usize) },
    Rules,
}

struct Diagnoser<'t> {
    text: &'t [u8],
    switches: &'static Switches,
    found: Vec<Diagnostic>,
    open: Open,
    has_acap: bool,
}

impl Diagnoser<'_> {
    fn whole_file(&mut self, tree: &Tree<'_>) {
        let text = self.text;
        if text.starts_with(b"\xEF\xBB\xBF") {
            self.deviation(
                Code::ByteOrderMark,
                (0, 3),
                "the file begins with a byte order mark; some crawlers then miss the first line".into(),
                "save it as UTF-8 without a byte order mark",
            );
        }
        if text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF") {
            self.deviation(
                Code::Utf16,
                (0, 2),
                "the file is UTF-16, which crawlers do not have to support".into(),
                "save it as UTF-8",
            );
        }
        let read = tree.lines().last().map_or(0, |line| line.next);
        if text.len() > read && Limits::default().cut(text) < text.len() {
            let message = format!("the file has {} bytes; everything from here on is ignored", text.len());
            self.push(
                Code::Truncated,
                (read, text.len()),
                message,
                Some("shorten it to 512,000 bytes; crawlers need not read more".into()),
            );
        }
    }

    fn line(&mut self, line: &Line) {
        if let Some(nul) = memchr::memchr(0, self.text.get(line.start..line.end).unwrap_or_default()) {
            let at = line.start + nul;
            self.push(
                Code::NulByte,
                (at, at + 1),
                "this line contains a NUL byte".into(),
                Some("remove it; it counts as part of the name or value".into()),
            );
        }
        if line.end - line.start > 16_663 {
            self.push(
                Code::LongLine,
                (line.start, line.end),
                format!("this line has {} bytes; Google's parser reads 16,663", line.end - line.start),
                None,
            );
        }
        let content = line.content();
        match classify(self.text, line, self.switches) {
            Some((field, _)) => self.field(line, field, content),
            None if content.0 == content.1 => {}
            None if self.switches.reads_acap && acap::is_colonless(self.name(line)) => self.has_acap = true,
            None if line.separator == Separator::Colon => self.unknown(line),
            None => {
                let message = format!("`{}` is neither a field nor a comment", self.shown(content));
                self.push(
                    Code::NotAField,
                    content,
                    message,
                    Some("write `Name: value`, or put `#` before a comment".into()),
                );
            }
        }
    }

    fn unknown(&mut self, line: &Line) {
        let is_url = self.text.get(line.value.0..line.value.1).is_some_and(|value| value.starts_with(b"//"));
        let (message, help) = if is_url {
            let message =
                format!("there is no field name before `{}`, so crawlers ignore it", self.shown(line.content()));
            (message, Some("if it is a sitemap, write `Sitemap:` before it".to_owned()))
        } else if self.name(line).starts_with(b"<") {
            let message = format!("`{}` is markup, not a field of robots.txt", self.shown(line.content()));
            (message, Some("remove it, and check whether the server sends a page instead of the file".to_owned()))
        } else {
            let field = Field::misspelt(self.name(line)).or_else(|| Field::nearest(self.name(line)));
            let message = format!("unknown field `{}`: crawlers ignore this line", self.shown(line.name));
            (message, field.map(|field| format!("did you mean `{}`?", field.name())))
        };
        self.push(Code::UnknownField, line.name, message, help);
    }

    fn field(&mut self, line: &Line, field: Field, content: (usize, usize)) {
        if line.separator == Separator::Blanks {
            let message =
                format!("the colon is missing after `{}`; some crawlers ignore this line", self.shown(line.name));
            self.deviation(Code::MissingColon, content, message, "put a colon after the field's name");
        }
        let is_exact = Field::named(self.name(line)) == Some(field);
        if !is_exact {
            let message =
                format!("`{}` is read as `{}` here, but not by every crawler", self.shown(line.name), field.name());
            self.deviation(Code::MisspeltField, line.name, message, &format!("write `{}`", field.name()));
        }
        match field.role() {
            Role::Names => self.names(line, content),
            Role::Rule => self.rule(line, content),
            Role::SiteFact | Role::GroupFact => {
                if field == Field::UserAgentPurpose && self.switches.reads_preferences {
                    self.open = match self.open {
                        Open::Names { line } => Open::Names { line },
                        _ => Open::Names { line: content },
                    };
                }
                self.fact(line, field, content);
            }
            Role::AcapNames | Role::Acap if !self.switches.reads_acap => {}
            Role::AcapNames => {
                self.close();
                self.has_acap = true;
                self.open = Open::Acap;
            }
            Role::Acap => self.has_acap = true,
        }
    }

    fn names(&mut self, line: &Line, content: (usize, usize)) {
        if !matches!(self.open, Open::Names { .. }) {
            self.open = Open::Names { line: content };
        }
        let written = self.text.get(line.value.0..line.value.1).unwrap_or_default();
        if written.is_empty() {
            self.push(
                Code::EmptyName,
                content,
                "this line names no crawler".into(),
                Some("write a crawler's name, or `*` for any crawler".into()),
            );
        } else if written != b"*" && token_of(written, NameGrammar::ProductToken).len() != written.len() {
            if is_any(written) {
                let message = format!("`{}` is read as `*`", self.shown(line.value));
                return self.push(Code::OddName, line.value, message, Some("write only `*`".into()));
            }
            let read = match token_of(written, NameGrammar::ProductToken) {
                b"" => "no name".to_owned(),
                token => format!("only `{}`", String::from_utf8_lossy(token)),
            };
            let written = self.shown(line.value);
            let message =
                format!("`{written}` has characters that RFC 9309 does not allow in a name; some crawlers read {read}");
            self.deviation(Code::OddName, line.value, message, "write only the product token, one name per line");
        }
    }

    fn rule(&mut self, line: &Line, content: (usize, usize)) {
        match self.open {
            Open::Nothing => self.push(
                Code::OrphanRule,
                content,
                "this rule comes before any `User-agent` line, so it addresses no crawler".into(),
                Some("put `User-agent: *` above it".into()),
            ),
            Open::Acap => self.push(
                Code::ForeignField,
                content,
                "this rule is in an ACAP group, so it is ignored".into(),
                Some("put it under a `User-agent` line".into()),
            ),
            Open::Names { .. } | Open::Rules => self.open = Open::Rules,
        }
        let pattern = self.text.get(line.value.0..line.value.1).unwrap_or_default();
        match pattern.first() {
            None | Some(b'/') => {}
            Some(b'*') => self.deviation(
                Code::LeadingStar,
                line.value,
                format!("`{}` begins with `*`, which the grammar of RFC 9309 does not allow", self.shown(line.value)),
                "write `/*`, unless the rest of the pattern must also match at the start of the path",
            ),
            Some(_) if pattern.windows(3).any(|three| three == b"://") => self.push(
                Code::SlashlessPattern,
                line.value,
                format!(
                    "`{}` is a URL; a pattern is a path on this site, so it matches nothing",
                    self.shown(line.value)
                ),
                Some("write only the path, as in `/private/`".into()),
            ),
            Some(_) => {
                let message =
                    format!("pattern `{}` does not start with `/`, so it matches nothing", self.shown(line.value));
                self.push(
                    Code::SlashlessPattern,
                    line.value,
                    message,
                    Some(format!("did you mean `/{}`?", self.shown(line.value))),
                );
            }
        }
    }

    fn fact(&mut self, line: &Line, field: Field, content: (usize, usize)) {
        if field.is_misused_directive() {
            let message = format!(
                "`{}` is a directive for META tags and headers; as a field of robots.txt it has no effect",
                field.name()
            );
            self.push(
                Code::MisusedDirective,
                content,
                message,
                Some("put it in a robots META tag or an `X-Robots-Tag` header".into()),
            );
        }
        let value = self.text.get(line.value.0..line.value.1).unwrap_or_default();
        if field.is_preference() && self.switches.reads_preferences {
            self.preference(line, field, content, value);
        }
        let value = String::from_utf8_lossy(value);
        if field == Field::License && is_locator(value.as_bytes()) && !value.contains("://") {
            let message =
                format!("`{value}` is not an absolute URL, which RSL 1.0 requires; it is resolved against robots.txt");
            self.deviation(
                Code::LegacyLabel,
                line.value,
                message,
                "write the full URL, as in `https://site.example/license.xml`",
            );
        }
        let is_bad = match field {
            Field::CrawlDelay | Field::CacheDelay => {
                value.parse::<f64>().map_or(true, |seconds| !seconds.is_finite() || seconds < 0.0)
            }
            Field::License => !is_locator(value.as_bytes()),
            Field::Sitemap => !(value.contains("://") && crate::dialects::rfc9309::resource::is_resource(&value)),
            _ => value.is_empty(),
        };
        if is_bad {
            let help = match field {
                Field::CrawlDelay | Field::CacheDelay => "write a number of seconds, as in `10` or `0.5`",
                Field::License => "write the URL of an RSL licence, as in `https://site.example/license.xml`",
                Field::Sitemap => "write an absolute URL, as in `https://site.example/sitemap.xml`",
                _ => "write a value, or remove the line",
            };
            let message = match field {
                Field::CrawlDelay | Field::CacheDelay => {
                    format!("`{value}` is not a number of seconds, so this `{}` has no effect", field.name())
                }
                Field::License => {
                    format!("`{value}` is not the location of a document, so this `License` has no effect")
                }
                Field::Sitemap => format!("`{value}` is not an absolute URL, so crawlers might not find this sitemap"),
                _ => format!("this `{}` has no value, so it has no effect", field.name()),
            };
            self.push(Code::BadValue, content, message, Some(help.into()));
        }
    }

    /// Reports problems in a field of an AI-preference dialect.
    fn preference(&mut self, line: &Line, field: Field, content: (usize, usize), value: &[u8]) {
        let mut noted = Vec::new();
        preferences::parse(field, value, self.switches, &mut |code, (start, end), message, help| {
            noted.push((code, (line.value.0 + start, line.value.0 + end), message, help));
        });
        for (code, at, message, help) in noted {
            match code {
                Code::LegacyLabel => self.deviation(code, at, message, help),
                _ => self.push(code, at, message, Some(help.to_owned())),
            }
        }
        // In RSL, a `License` outside every group applies to the whole site.
        if !matches!(self.open, Open::Names { .. } | Open::Rules) && field != Field::License {
            let message = format!(
                "this `{}` is outside every group; it counts only for crawlers whose own groups have none",
                field.name()
            );
            self.deviation(Code::OrphanPreference, content, message, "put it under a `User-agent` line");
        }
    }

    /// Closes the open group, and reports it if it has no rules.
    fn close(&mut self) {
        if let Open::Names { line } = self.open {
            self.push(
                Code::EmptyGroup,
                line,
                "this group has names but no rules, so these crawlers may crawl everything".into(),
                Some("if you mean that, write an empty `Disallow:`".into()),
            );
        }
        self.open = Open::Nothing;
    }

    fn name(&self, line: &Line) -> &[u8] {
        self.text.get(line.name.0..line.name.1).unwrap_or_default()
    }

    fn shown(&self, at: (usize, usize)) -> String {
        shown(self.text, at)
    }

    /// Reports a deviation that the default reading accepts. In the strict reading it is an error.
    fn deviation(&mut self, code: Code, at: (usize, usize), message: String, help: &str) {
        self.push(code, at, message, Some(help.to_owned()));
        if self.switches.deviations_are_errors
            && let Some(diagnostic) = self.found.last_mut()
        {
            diagnostic.severity = Severity::Error;
        }
    }

    fn push(&mut self, code: Code, (start, end): (usize, usize), message: String, help: Option<String>) {
        let (severity, span) = (code.severity(), Span::new(start, end));
        self.found.push(Diagnostic { code, severity, document: "robots.txt".to_owned(), span, message, help });
    }
}
