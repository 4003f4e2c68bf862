//! `Robots-Tag`: a list of crawlers' names, each with its rules as parameters (S-23).
//!
//! All lines of the field are one list. Wherever a member can be read in two ways, it is read as the more
//! restrictive (S-02): a rule in the place of a name is that rule for everyone, `robots` is everyone. An inner list
//! is no name and is dropped as a malformed member is. What may come after the limit is unread, the member at the
//! cut included (S-22).

use super::{Found, Note, Said, Whom};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::base::timestamp::Timestamp;
use crate::dialects::robots_directives::HeaderField;
use crate::dialects::robots_directives::{Directive, Effect, Unread, content, directive, word};
use crate::formats::http::FieldLine;
use crate::formats::http::structured::{BareItem, Item, Member, Parameter, ValidMember, members};
use crate::model::crawler::is_any;
use crate::model::diagnostic::Code;
use std::borrow::Cow;

/// Calls `found` with every rule of the field whose lines these are.
///
/// Cost: O(bytes within the limit).
pub(super) fn read(lines: &[FieldLine<'_>], limits: &Limits, found: &mut dyn FnMut(Found<'_>)) {
    let combined = Combined::of(lines, limits.of_robots_tag());
    // One note for a run of commas.
    let mut is_noted = false;
    members(&combined.text, combined.cut.is_some(), &mut |member| match member {
        Member::Valid(member) if member.is_inner_list => found(combined.note(Code::MalformedMember, member.span)),
        Member::Valid(member) => {
            is_noted = false;
            MemberOf { combined: &combined, member }.tell(found);
        }
        Member::Malformed((start, end)) => {
            if start < end || !is_noted {
                found(combined.note(Code::MalformedMember, (start, end)));
            }
            is_noted = start == end;
        }
    });
    if let Some((line, span)) = combined.cut {
        found(Found::Note(Note { code: Code::HeaderTooLong, line, span }));
    }
}

/// The lines of the field as one value (RFC 9651, 4.2), as far as it is read.
struct Combined<'h> {
    text: Cow<'h, [u8]>,
    /// Each line, and where in the combined value it begins.
    lines: Vec<(usize, FieldLine<'h>)>,
    /// What is not read first, if not all is read.
    cut: Option<(usize, Span)>,
}

impl<'h> Combined<'h> {
    fn of(lines: &[FieldLine<'h>], limit: usize) -> Self {
        const JOINT: &[u8] = b", ";
        let mut combined = Self { text: Cow::Borrowed(b""), lines: Vec::new(), cut: None };
        for line in lines.iter().filter(|line| !line.value.is_empty()) {
            if !combined.lines.is_empty() {
                combined.text.to_mut().extend_from_slice(JOINT);
            }
            let start = combined.text.len();
            let room = limit.saturating_sub(start);
            combined.lines.push((start, *line));
            let value = line.value.get(..room).unwrap_or(line.value);
            if start == 0 {
                combined.text = Cow::Borrowed(value);
            } else {
                combined.text.to_mut().extend_from_slice(value);
            }
            if start > limit || value.len() < line.value.len() {
                let at = line.span.start as usize + value.len();
                combined.cut = Some((line.line, Span::new(at, line.span.end as usize)));
                break;
            }
        }
        // A joint may have crossed the limit.
        if combined.text.len() > limit {
            combined.text.to_mut().truncate(limit);
        }
        combined
    }

    /// The line of a place in the combined value, and where the place is in the text of the header fields. It
    /// ends with its line at the latest.
    fn place(&self, (start, end): (usize, usize)) -> (usize, Span) {
        let number = self.lines.partition_point(|(begin, _)| *begin <= start).saturating_sub(1);
        let Some((begin, line)) = self.lines.get(number) else { return (0, Span::default()) };
        let within = |at: usize| (line.span.start as usize + at.saturating_sub(*begin)).min(line.span.end as usize);
        (line.line, Span::new(within(start), within(end)))
    }

    fn note(&self, code: Code, place: (usize, usize)) -> Found<'static> {
        let (line, span) = self.place(place);
        Found::Note(Note { code, line, span })
    }
}

/// A valid member and where it stands.
struct MemberOf<'m> {
    combined: &'m Combined<'m>,
    member: &'m ValidMember<'m>,
}

impl<'m> MemberOf<'m> {
    fn tell(&self, found: &mut dyn FnMut(Found<'_>)) {
        let member = self.member;
        for item in &member.items {
            let mut says = !member.parameters.is_empty();
            let whom = self.whom(item, &mut |said: Found<'_>| {
                says = true;
                found(said);
            });
            self.tell_all(&member.parameters, &whom, found);
            if !says {
                found(self.combined.note(Code::NameWithoutRules, item.span));
            }
        }
        for parameter in member.parameters.iter().filter(|parameter| parameter.value == BareItem::Boolean(false)) {
            found(self.combined.note(Code::FalseRule, parameter.span));
        }
    }

    /// Whom a name means. A rule in its place is told of as a rule for everyone.
    fn whom(&self, item: &'m Item<'m>, found: &mut dyn FnMut(Found<'_>)) -> Whom<'m> {
        let name = match &item.bare {
            BareItem::String(name) => name.as_ref(),
            BareItem::Display(name) => name.as_slice(),
            BareItem::Token(name) => name,
            BareItem::Integer(_)
            | BareItem::Decimal(_)
            | BareItem::Bytes(_)
            | BareItem::Boolean(_)
            | BareItem::Date(_) => {
                found(self.combined.note(Code::OddName, item.span));
                self.combined.text.get(item.span.0..item.span.1).unwrap_or_default()
            }
        };
        if is_any(name) {
            return Whom::Everyone;
        }
        if name.eq_ignore_ascii_case(b"robots") {
            found(self.combined.note(Code::RobotsAsName, item.span));
            return Whom::Everyone;
        }
        if is_rule(name) {
            found(self.combined.note(Code::RuleAsName, item.span));
            content(name, &mut |_, read| self.tell_one(&Whom::Everyone, read, item.span, found));
            return Whom::Everyone;
        }
        if name.is_empty() {
            found(self.combined.note(Code::EmptyName, item.span));
        }
        // Words as other fields have them: `*:noindex`, `noindex|nofollow`.
        let colon = name.iter().position(|byte| *byte == b':').unwrap_or(0);
        let (prefix, rules) = (name.get(..colon).unwrap_or_default(), name.get(colon + 1..).unwrap_or_default());
        if colon > 0 && is_rule(rules) {
            found(self.combined.note(Code::RuleAsName, item.span));
            let whom = Whom::before_colon(prefix);
            content(rules, &mut |_, read| self.tell_one(&whom, read, item.span, found));
            return whom;
        }
        let parted: Vec<u8> = name.iter().map(|byte| if b"|+/!&".contains(byte) { b' ' } else { *byte }).collect();
        if is_rule(&parted) {
            found(self.combined.note(Code::RuleAsName, item.span));
            content(&parted, &mut |_, read| self.tell_one(&Whom::Everyone, read, item.span, found));
            return Whom::Everyone;
        }
        Whom::Named(Cow::Borrowed(name))
    }

    fn tell_all(&self, parameters: &[Parameter<'_>], whom: &Whom<'_>, found: &mut dyn FnMut(Found<'_>)) {
        for parameter in parameters {
            if let Some(read) = said(parameter) {
                self.tell_one(whom, read, parameter.span, found);
            }
        }
    }

    fn tell_one(
        &self,
        whom: &Whom<'_>,
        read: Result<Directive, Unread>,
        word: (usize, usize),
        found: &mut dyn FnMut(Found<'_>),
    ) {
        let ((line, span), (_, word)) = (self.combined.place(self.member.span), self.combined.place(word));
        found(Found::Said(Said { field: HeaderField::RobotsTag, whom: whom.clone(), read, line, span, word }));
    }
}

/// What a parameter says; nothing where it is false.
fn said(parameter: &Parameter<'_>) -> Option<Result<Directive, Unread>> {
    let value = match &parameter.value {
        BareItem::Boolean(false) => return None,
        BareItem::Boolean(true) => None,
        BareItem::Date(seconds) => return Some(dated(parameter.key, *seconds)),
        BareItem::String(text) => Some(text.as_ref()),
        BareItem::Display(text) => Some(text.as_slice()),
        BareItem::Token(text) | BareItem::Integer(text) | BareItem::Decimal(text) | BareItem::Bytes(text) => {
            Some(*text)
        }
    };
    Some(directive(parameter.key, value))
}

/// A rule whose value is a Date.
fn dated(key: &[u8], seconds: i64) -> Result<Directive, Unread> {
    let instant = Timestamp::clamped(seconds);
    let read = directive(key, Some(instant.to_string().as_bytes()));
    read.map(|read| match read.effect {
        Effect::Until(_) => Directive { effect: Effect::Until(instant), ..read },
        _ => read,
    })
}

/// Whether a name spells a rule, its value behind a colon perhaps, or nothing but rules.
fn is_rule(name: &[u8]) -> bool {
    let mark = name.iter().position(|byte| matches!(byte, b':' | b'=')).unwrap_or(name.len());
    if word(name.get(..mark).unwrap_or(name)).is_some() {
        return true;
    }
    let (mut some, mut all) = (false, true);
    content(name, &mut |_, read| {
        some = true;
        all &= read != Err(Unread::UnknownWord);
    });
    some && all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::http::Headers;

    /// What is heard or noted, with the statement or place where it stands.
    type Placed<T> = Vec<(T, String)>;

    /// Words as `name: word effect`; then the notes.
    fn heard(lines: &[&str], limits: &Limits) -> (Placed<String>, Placed<Code>) {
        let headers: Headers = lines.iter().map(|line| ("robots-tag", line)).collect();
        let shown = |span: Span| String::from_utf8_lossy(span.of(headers.text())).into_owned();
        let (words, notes) = headers.words(limits);
        let words = words.into_iter().map(|heard| {
            let name = heard.name.map_or("*".to_owned(), |name| String::from_utf8_lossy(&name).into_owned());
            let word = heard.word.map_or_else(|| shown(heard.span), str::to_owned);
            (format!("{name}: {word} {}", heard.effect), shown(heard.statement))
        });
        let words = words.collect();
        (words, notes.into_iter().map(|(code, span)| (code, shown(span))).collect())
    }

    fn words(line: &str) -> Vec<String> {
        heard(&[line], &Limits::default()).0.into_iter().map(|(word, _)| word).collect()
    }

    fn codes(line: &str) -> Vec<Code> {
        heard(&[line], &Limits::default()).1.into_iter().map(|(code, _)| code).collect()
    }

    #[test]
    fn s23_rules_are_parameters_of_names() {
        let (words, notes) = heard(&["*;nosnippet, ExampleBot;noindex"], &Limits::default());
        assert_eq!(
            words,
            [
                ("*: nosnippet Prohibits".to_owned(), "*;nosnippet".to_owned()),
                ("ExampleBot: noindex Prohibits".to_owned(), "ExampleBot;noindex".to_owned()),
            ]
        );
        assert!(notes.is_empty());
        assert_eq!(words_of(&["\"360 \\\"Spider\\\"\";NoIndex"]), ["360 \"Spider\": noindex Prohibits"]);
        assert_eq!(words_of(&["360;noindex"]), ["360: noindex Prohibits"]);
        assert_eq!(words_of(&["\"*\";noindex"]), ["*: noindex Prohibits"]);
        assert_eq!(words_of(&["ExampleBot", "", "*"]), Vec::<String>::new());
    }

    fn words_of(lines: &[&str]) -> Vec<String> {
        heard(lines, &Limits::default()).0.into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn s23_values_may_be_of_any_type() {
        assert_eq!(words("*;max-snippet=20"), ["*: max-snippet MaxChars(20)"]);
        assert_eq!(words("*;max-snippet=\"20\""), ["*: max-snippet MaxChars(20)"]);
        assert_eq!(words("*;max-snippet=0"), ["*: max-snippet Prohibits"]);
        assert_eq!(words("*;max-snippet=-1"), ["*: max-snippet Nothing"]);
        assert_eq!(words("*;max-snippet"), ["*: max-snippet unreadable-value"]);
        assert_eq!(words("*;max-snippet=@20"), ["*: max-snippet unreadable-value"]);
        assert_eq!(words("*;max-image-preview=none"), ["*: max-image-preview Prohibits"]);
        assert_eq!(words("*;max-image-preview=\"standard\""), ["*: max-image-preview ImagePreviewStandard"]);
        let until = format!("*: unavailable_after Until({:?})", Timestamp::from_unix(1_767_225_600));
        assert_eq!(words("*;unavailable_after=@1767225600"), std::slice::from_ref(&until));
        assert_eq!(words("*;unavailable_after=\"Thu, 01 Jan 2026 00:00:00 GMT\""), [until]);
        assert_eq!(words("*;unavailable_after=1767225600"), ["*: unavailable_after unreadable-value"]);
        let last = format!("*: unavailable_after Until({:?})", Timestamp::from_unix(253_402_300_799));
        assert_eq!(words("*;unavailable_after=@999999999999999"), [last]);
        assert_eq!(words("*;noaii"), ["*: noaii unknown-directive"]);
    }

    #[test]
    fn s23_false_says_nothing_and_any_true_one_counts() {
        assert!(words("*;noindex=?0").is_empty());
        assert_eq!(codes("*;noindex=?0"), [Code::FalseRule]);
        assert_eq!(words("*;noindex;noindex=?0"), ["*: noindex Prohibits"]);
        assert_eq!(words("*;noindex=?0;noindex"), ["*: noindex Prohibits"]);
        for value in ["?1", "0", "\"false\"", "no", "@0"] {
            assert_eq!(words(&format!("*;noindex={value}")), ["*: noindex Prohibits"], "{value}");
        }
        assert_eq!(
            words("*;max-snippet=9;max-snippet=3"),
            ["*: max-snippet MaxChars(9)", "*: max-snippet MaxChars(3)"]
        );
    }

    #[test]
    fn s23_a_rule_in_the_place_of_a_name_is_for_everyone() {
        assert_eq!(words("noindex"), ["*: noindex Prohibits"]);
        assert_eq!(words("noindex, NoFollow"), ["*: noindex Prohibits", "*: nofollow Prohibits"]);
        assert_eq!(words("noindex;nosnippet"), ["*: noindex Prohibits", "*: nosnippet Prohibits"]);
        assert_eq!(words("\"noindex, nofollow\""), ["*: noindex Prohibits", "*: nofollow Prohibits"]);
        assert_eq!(words("max-snippet:0"), ["*: max-snippet Prohibits"]);
        assert_eq!(words("\"Archive Bot\";noindex"), ["Archive Bot: noindex Prohibits"]);
        assert_eq!(codes("noindex"), [Code::RuleAsName]);
        assert_eq!(words("robots;noindex"), ["*: noindex Prohibits"]);
        assert_eq!(codes("robots;noindex"), [Code::RobotsAsName]);
        assert_eq!(codes("\"\";noindex"), [Code::EmptyName]);
        assert_eq!(codes("?1;noindex"), [Code::OddName]);
    }

    #[test]
    fn s23_an_inner_list_is_dropped_and_the_rest_counts() {
        assert_eq!(codes("(a b);noindex"), [Code::MalformedMember]);
        assert_eq!(codes("(a b);noindex, *;nosnippet"), [Code::MalformedMember]);
    }

    #[test]
    fn s23_malformed_members_are_dropped_alone() {
        for line in [
            "*;noindex, ;;;, b;nosnippet",
            "*;noindex, a;x=\"unclosed, b;nosnippet",
            "*;noindex, googlebot: nofollow, b;nosnippet",
            "*;noindex, 360Spider;nofollow, b;nosnippet",
            "*;noindex,\u{E9}, b;nosnippet",
            "*;noindex,,,,, b;nosnippet",
            "*;noindex, b;nosnippet,",
        ] {
            assert_eq!(words(line), ["*: noindex Prohibits", "b: nosnippet Prohibits"], "{line}");
            assert_eq!(codes(line), [Code::MalformedMember], "{line}");
        }
    }

    #[test]
    fn s23_all_lines_are_one_list() {
        let (words, notes) = heard(&["a;noindex, b", "c;x=\"1", "2\";noindex, d;nofollow"], &Limits::default());
        assert_eq!(
            words,
            [
                ("a: noindex Prohibits".to_owned(), "a;noindex".to_owned()),
                ("c: x=\"1 unknown-directive".to_owned(), "c;x=\"1".to_owned()),
                ("c: noindex Prohibits".to_owned(), "c;x=\"1".to_owned()),
                ("d: nofollow Prohibits".to_owned(), "d;nofollow".to_owned()),
            ]
        );
        assert_eq!(notes, [(Code::NameWithoutRules, "b".to_owned())]);
        assert_eq!(words_of(&["a;x=\"1", "b;noindex"]), ["b: noindex Prohibits"]);
    }

    #[test]
    fn s22_what_is_cut_is_unread() {
        let limit = Limits::MIN_ROBOTS_TAG;
        let is_cut = |lines: &[&str], limits: &Limits| {
            let (words, notes) = heard(lines, limits);
            (words.len(), notes.iter().any(|(code, _)| *code == Code::HeaderTooLong))
        };
        let plain = Limits::default();
        // `a;noindex` at the start, then a member that fills up to the limit.
        let filled = |length: usize| format!("a;noindex, b;noindex;x=\"{}\"", "y".repeat(length - 25));
        let whole = filled(limit);
        assert_eq!(whole.len(), limit);
        assert_eq!(is_cut(&[&whole], &plain), (3, false));
        assert_eq!(is_cut(&[&filled(limit + 1)], &plain), (1, true));
        assert_eq!(is_cut(&[&format!("{whole}, c;noindex")], &plain), (1, true));
        assert_eq!(is_cut(&[&whole, "c;noindex"], &plain), (1, true));
        assert_eq!(is_cut(&[&whole, ""], &plain), (3, false));
        let shorter = filled(limit - 1);
        assert_eq!(is_cut(&[&format!("{shorter},c;noindex")], &plain), (3, true));
        assert_eq!(is_cut(&[&shorter, "c;noindex"], &plain), (3, true));
        // The limit may be raised, and not lowered.
        assert_eq!(is_cut(&[&format!("{whole}, c;noindex")], &Limits { robots_tag: 9000, ..plain }), (4, false));
        assert_eq!(is_cut(&[&whole], &Limits { robots_tag: 0, ..plain }), (3, false));
    }
}
