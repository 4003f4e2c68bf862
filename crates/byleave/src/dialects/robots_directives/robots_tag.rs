//! Parses `Robots-Tag`: a list of crawlers' names, each with its directives as parameters (S-23).
//!
//! All lines of the field form one list. An ambiguous member gets its more restrictive meaning (S-02): a directive in
//! place of a name applies to everyone, and `robots` means everyone. An inner list is not a name and is ignored like a
//! malformed member. Neither the text beyond the limit nor the member that crosses the limit is parsed (S-22).

use super::{DirectiveAddressee, HeaderDirective, HeaderFault, HeaderFinding};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::base::timestamp::Timestamp;
use crate::dialects::robots_directives::HeaderField;
use crate::dialects::robots_directives::{Directive, DirectiveError, Effect, content, directive, directive_named};
use crate::formats::http::FieldLine;
use crate::formats::http::structured::{BareItem, Item, Member, Parameter, ValidMember, members};
use crate::model::crawler::is_any;
use crate::model::diagnostic::Code;
use std::borrow::Cow;

/// Calls `found` with every directive and fault in the field. `lines` contains the field's lines.
///
/// Cost: O(bytes within the limit).
pub(super) fn parse(lines: &[FieldLine<'_>], limits: &Limits, found: &mut dyn FnMut(HeaderFinding<'_>)) {
    let combined = Combined::of(lines, limits.of_robots_tag());
    // Consecutive commas are reported once.
    let mut is_reported = false;
    members(&combined.text, combined.cut.is_some(), &mut |member| match member {
        Member::Valid(member) if member.is_inner_list => found(combined.fault(Code::MalformedMember, member.span)),
        Member::Valid(member) => {
            is_reported = false;
            MemberOf { combined: &combined, member }.parse(found);
        }
        Member::Malformed((start, end)) => {
            if start < end || !is_reported {
                found(combined.fault(Code::MalformedMember, (start, end)));
            }
            is_reported = start == end;
        }
    });
    if let Some((line, span)) = combined.cut {
        found(HeaderFinding::Fault(HeaderFault { code: Code::HeaderTooLong, line, span }));
    }
}

/// The field's lines joined into one value (RFC 9651, 4.2), up to the limit.
struct Combined<'h> {
    text: Cow<'h, [u8]>,
    /// Each line, and the offset at which it begins in the combined value.
    lines: Vec<(usize, FieldLine<'h>)>,
    /// The line in which the unparsed text begins, and the span of the unparsed text in that line, if there is any.
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
        // The separator between two lines can cross the limit, too.
        if combined.text.len() > limit {
            combined.text.to_mut().truncate(limit);
        }
        combined
    }

    /// Returns the line that contains a span of the combined value, and the span in the text of the header fields. The
    /// returned span ends at the end of that line at the latest.
    fn place(&self, (start, end): (usize, usize)) -> (usize, Span) {
        let number = self.lines.partition_point(|(begin, _)| *begin <= start).saturating_sub(1);
        let Some((begin, line)) = self.lines.get(number) else { return (0, Span::default()) };
        let within = |at: usize| (line.span.start as usize + at.saturating_sub(*begin)).min(line.span.end as usize);
        (line.line, Span::new(within(start), within(end)))
    }

    fn fault(&self, code: Code, place: (usize, usize)) -> HeaderFinding<'static> {
        let (line, span) = self.place(place);
        HeaderFinding::Fault(HeaderFault { code, line, span })
    }
}

/// A valid member and the value that contains it.
struct MemberOf<'m> {
    combined: &'m Combined<'m>,
    member: &'m ValidMember<'m>,
}

impl<'m> MemberOf<'m> {
    fn parse(&self, found: &mut dyn FnMut(HeaderFinding<'_>)) {
        let member = self.member;
        for item in &member.items {
            let mut says = !member.parameters.is_empty();
            let addressee = self.addressee(item, &mut |finding: HeaderFinding<'_>| {
                says = true;
                found(finding);
            });
            self.report_all(&member.parameters, &addressee, found);
            if !says {
                found(self.combined.fault(Code::NameWithoutRules, item.span));
            }
        }
        for parameter in member.parameters.iter().filter(|parameter| parameter.value == BareItem::Boolean(false)) {
            found(self.combined.fault(Code::FalseRule, parameter.span));
        }
    }

    /// Returns whom a name addresses. Directives in place of a name are reported as directives for everyone.
    fn addressee(&self, item: &'m Item<'m>, found: &mut dyn FnMut(HeaderFinding<'_>)) -> DirectiveAddressee<'m> {
        let name = match &item.bare {
            BareItem::String(name) => name.as_ref(),
            BareItem::Display(name) => name.as_slice(),
            BareItem::Token(name) => name,
            BareItem::Integer(_)
            | BareItem::Decimal(_)
            | BareItem::Bytes(_)
            | BareItem::Boolean(_)
            | BareItem::Date(_) => {
                found(self.combined.fault(Code::OddName, item.span));
                self.combined.text.get(item.span.0..item.span.1).unwrap_or_default()
            }
        };
        if is_any(name) {
            return DirectiveAddressee::Everyone;
        }
        if name.eq_ignore_ascii_case(b"robots") {
            found(self.combined.fault(Code::RobotsAsName, item.span));
            return DirectiveAddressee::Everyone;
        }
        if is_directive(name) {
            found(self.combined.fault(Code::RuleAsName, item.span));
            content(name, &mut |_, parsed| self.report(&DirectiveAddressee::Everyone, parsed, item.span, found));
            return DirectiveAddressee::Everyone;
        }
        if name.is_empty() {
            found(self.combined.fault(Code::EmptyName, item.span));
        }
        // Directives may be written as in other fields, such as `*:noindex` or `noindex|nofollow`.
        let colon = name.iter().position(|byte| *byte == b':').unwrap_or(0);
        let (prefix, rules) = (name.get(..colon).unwrap_or_default(), name.get(colon + 1..).unwrap_or_default());
        if colon > 0 && is_directive(rules) {
            found(self.combined.fault(Code::RuleAsName, item.span));
            let addressee = DirectiveAddressee::before_colon(prefix);
            content(rules, &mut |_, parsed| self.report(&addressee, parsed, item.span, found));
            return addressee;
        }
        let separated: Vec<u8> = name.iter().map(|byte| if b"|+/!&".contains(byte) { b' ' } else { *byte }).collect();
        if is_directive(&separated) {
            found(self.combined.fault(Code::RuleAsName, item.span));
            content(&separated, &mut |_, parsed| self.report(&DirectiveAddressee::Everyone, parsed, item.span, found));
            return DirectiveAddressee::Everyone;
        }
        DirectiveAddressee::Named(Cow::Borrowed(name))
    }

    fn report_all(
        &self,
        parameters: &[Parameter<'_>],
        addressee: &DirectiveAddressee<'_>,
        found: &mut dyn FnMut(HeaderFinding<'_>),
    ) {
        for parameter in parameters {
            if let Some(parsed) = parse_parameter(parameter) {
                self.report(addressee, parsed, parameter.span, found);
            }
        }
    }

    fn report(
        &self,
        addressee: &DirectiveAddressee<'_>,
        parsed: Result<Directive, DirectiveError>,
        span: (usize, usize),
        found: &mut dyn FnMut(HeaderFinding<'_>),
    ) {
        let ((line, statement), (_, span)) = (self.combined.place(self.member.span), self.combined.place(span));
        found(HeaderFinding::Directive(HeaderDirective {
            field: HeaderField::RobotsTag,
            addressee: addressee.clone(),
            parsed,
            line,
            statement,
            span,
        }));
    }
}

/// Parses a parameter. Returns `None` if its value is false.
fn parse_parameter(parameter: &Parameter<'_>) -> Option<Result<Directive, DirectiveError>> {
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

/// Parses a directive whose value is a Date.
fn dated(key: &[u8], seconds: i64) -> Result<Directive, DirectiveError> {
    let instant = Timestamp::clamped(seconds);
    let read = directive(key, Some(instant.to_string().as_bytes()));
    read.map(|read| match read.effect {
        Effect::Until(_) => Directive { effect: Effect::Until(instant), ..read },
        _ => read,
    })
}

/// Whether a name is a directive, possibly with a value after a colon, or consists only of directives.
fn is_directive(name: &[u8]) -> bool {
    let mark = name.iter().position(|byte| matches!(byte, b':' | b'=')).unwrap_or(name.len());
    if directive_named(name.get(..mark).unwrap_or(name)).is_some() {
        return true;
    }
    let (mut some, mut all) = (false, true);
    content(name, &mut |_, read| {
        some = true;
        all &= read != Err(DirectiveError::Unknown);
    });
    some && all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::http::Headers;

    type WithText<T> = Vec<(T, String)>;

    /// Returns each directive as `name: directive effect` with its statement, and each fault with its text.
    fn parse_lines(lines: &[&str], limits: &Limits) -> (WithText<String>, WithText<Code>) {
        let headers: Headers = lines.iter().map(|line| ("robots-tag", line)).collect();
        let shown = |span: Span| String::from_utf8_lossy(span.of(headers.text())).into_owned();
        let (directives, faults) = headers.directive_views(limits);
        let directives = directives.into_iter().map(|view| {
            let name = view.crawler.map_or("*".to_owned(), |name| String::from_utf8_lossy(&name).into_owned());
            let directive = view.directive.map_or_else(|| shown(view.span), str::to_owned);
            (format!("{name}: {directive} {}", view.effect), shown(view.statement))
        });
        let directives = directives.collect();
        (directives, faults.into_iter().map(|(code, span)| (code, shown(span))).collect())
    }

    fn directives(line: &str) -> Vec<String> {
        parse_lines(&[line], &Limits::default()).0.into_iter().map(|(directive, _)| directive).collect()
    }

    fn codes(line: &str) -> Vec<Code> {
        parse_lines(&[line], &Limits::default()).1.into_iter().map(|(code, _)| code).collect()
    }

    #[test]
    fn s23_directives_are_parameters_of_names() {
        let (directives, faults) = parse_lines(&["*;nosnippet, ExampleBot;noindex"], &Limits::default());
        assert_eq!(
            directives,
            [
                ("*: nosnippet Prohibits".to_owned(), "*;nosnippet".to_owned()),
                ("ExampleBot: noindex Prohibits".to_owned(), "ExampleBot;noindex".to_owned()),
            ]
        );
        assert!(faults.is_empty());
        assert_eq!(directives_of(&["\"360 \\\"Spider\\\"\";NoIndex"]), ["360 \"Spider\": noindex Prohibits"]);
        assert_eq!(directives_of(&["360;noindex"]), ["360: noindex Prohibits"]);
        assert_eq!(directives_of(&["\"*\";noindex"]), ["*: noindex Prohibits"]);
        assert_eq!(directives_of(&["ExampleBot", "", "*"]), Vec::<String>::new());
    }

    fn directives_of(lines: &[&str]) -> Vec<String> {
        parse_lines(lines, &Limits::default()).0.into_iter().map(|(directive, _)| directive).collect()
    }

    #[test]
    fn s23_values_may_be_of_any_type() {
        assert_eq!(directives("*;max-snippet=20"), ["*: max-snippet MaxChars(20)"]);
        assert_eq!(directives("*;max-snippet=\"20\""), ["*: max-snippet MaxChars(20)"]);
        assert_eq!(directives("*;max-snippet=0"), ["*: max-snippet Prohibits"]);
        assert_eq!(directives("*;max-snippet=-1"), ["*: max-snippet Nothing"]);
        assert_eq!(directives("*;max-snippet"), ["*: max-snippet unreadable-value"]);
        assert_eq!(directives("*;max-snippet=@20"), ["*: max-snippet unreadable-value"]);
        assert_eq!(directives("*;max-image-preview=none"), ["*: max-image-preview Prohibits"]);
        assert_eq!(directives("*;max-image-preview=\"standard\""), ["*: max-image-preview ImagePreviewStandard"]);
        let until = format!("*: unavailable_after Until({:?})", Timestamp::from_unix(1_767_225_600));
        assert_eq!(directives("*;unavailable_after=@1767225600"), std::slice::from_ref(&until));
        assert_eq!(directives("*;unavailable_after=\"Thu, 01 Jan 2026 00:00:00 GMT\""), [until]);
        assert_eq!(directives("*;unavailable_after=1767225600"), ["*: unavailable_after unreadable-value"]);
        let last = format!("*: unavailable_after Until({:?})", Timestamp::from_unix(253_402_300_799));
        assert_eq!(directives("*;unavailable_after=@999999999999999"), [last]);
        assert_eq!(directives("*;noaii"), ["*: noaii unknown-directive"]);
    }

    #[test]
    fn s23_a_false_directive_has_no_effect_and_a_true_one_counts() {
        assert!(directives("*;noindex=?0").is_empty());
        assert_eq!(codes("*;noindex=?0"), [Code::FalseRule]);
        assert_eq!(directives("*;noindex;noindex=?0"), ["*: noindex Prohibits"]);
        assert_eq!(directives("*;noindex=?0;noindex"), ["*: noindex Prohibits"]);
        for value in ["?1", "0", "\"false\"", "no", "@0"] {
            assert_eq!(directives(&format!("*;noindex={value}")), ["*: noindex Prohibits"], "{value}");
        }
        assert_eq!(
            directives("*;max-snippet=9;max-snippet=3"),
            ["*: max-snippet MaxChars(9)", "*: max-snippet MaxChars(3)"]
        );
    }

    #[test]
    fn s23_a_directive_in_place_of_a_name_is_for_everyone() {
        assert_eq!(directives("noindex"), ["*: noindex Prohibits"]);
        assert_eq!(directives("noindex, NoFollow"), ["*: noindex Prohibits", "*: nofollow Prohibits"]);
        assert_eq!(directives("noindex;nosnippet"), ["*: noindex Prohibits", "*: nosnippet Prohibits"]);
        assert_eq!(directives("\"noindex, nofollow\""), ["*: noindex Prohibits", "*: nofollow Prohibits"]);
        assert_eq!(directives("max-snippet:0"), ["*: max-snippet Prohibits"]);
        assert_eq!(directives("\"Archive Bot\";noindex"), ["Archive Bot: noindex Prohibits"]);
        assert_eq!(codes("noindex"), [Code::RuleAsName]);
        assert_eq!(directives("robots;noindex"), ["*: noindex Prohibits"]);
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
    fn s23_only_malformed_members_are_dropped() {
        for line in [
            "*;noindex, ;;;, b;nosnippet",
            "*;noindex, a;x=\"unclosed, b;nosnippet",
            "*;noindex, googlebot: nofollow, b;nosnippet",
            "*;noindex, 360Spider;nofollow, b;nosnippet",
            "*;noindex,\u{E9}, b;nosnippet",
            "*;noindex,,,,, b;nosnippet",
            "*;noindex, b;nosnippet,",
        ] {
            assert_eq!(directives(line), ["*: noindex Prohibits", "b: nosnippet Prohibits"], "{line}");
            assert_eq!(codes(line), [Code::MalformedMember], "{line}");
        }
    }

    #[test]
    fn s23_all_lines_are_one_list() {
        let (directives, faults) =
            parse_lines(&["a;noindex, b", "c;x=\"1", "2\";noindex, d;nofollow"], &Limits::default());
        assert_eq!(
            directives,
            [
                ("a: noindex Prohibits".to_owned(), "a;noindex".to_owned()),
                ("c: x=\"1 unknown-directive".to_owned(), "c;x=\"1".to_owned()),
                ("c: noindex Prohibits".to_owned(), "c;x=\"1".to_owned()),
                ("d: nofollow Prohibits".to_owned(), "d;nofollow".to_owned()),
            ]
        );
        assert_eq!(faults, [(Code::NameWithoutRules, "b".to_owned())]);
        assert_eq!(directives_of(&["a;x=\"1", "b;noindex"]), ["b: noindex Prohibits"]);
    }

    #[test]
    fn s22_text_after_the_limit_is_not_parsed() {
        let limit = Limits::MIN_ROBOTS_TAG;
        let is_cut = |lines: &[&str], limits: &Limits| {
            let (directives, faults) = parse_lines(lines, limits);
            (directives.len(), faults.iter().any(|(code, _)| *code == Code::HeaderTooLong))
        };
        let plain = Limits::default();
        // The value begins with `a;noindex`. The second member fills it up to the limit.
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
        // The limit may be raised but not lowered.
        assert_eq!(is_cut(&[&format!("{whole}, c;noindex")], &Limits { robots_tag: 9000, ..plain }), (4, false));
        assert_eq!(is_cut(&[&whole], &Limits { robots_tag: 0, ..plain }), (3, false));
    }
}
