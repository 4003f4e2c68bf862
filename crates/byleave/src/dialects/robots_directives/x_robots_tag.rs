//! Parses `X-Robots-Tag`, the legacy field, line by line (S-23).
//!
//! Directives are written as in META tags. A name before a colon is the addressee of everything after it on its line,
//! up to the next name. Lines are never joined, because a name would then also address the directives on the next line.

use super::{DirectiveAddressee, HeaderDirective, HeaderFault, HeaderFinding};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::dialects::robots_directives::HeaderField;
use crate::dialects::robots_directives::{Item, items};
use crate::formats::http::FieldLine;
use crate::model::diagnostic::Code;

/// Calls `found` with every directive on one line.
///
/// Cost: O(line within the limit).
pub(super) fn parse(line: &FieldLine<'_>, limits: &Limits, found: &mut dyn FnMut(HeaderFinding<'_>)) {
    let end = cut(line.value, limits.of_robots_tag());
    let text = line.value.get(..end).unwrap_or_default();
    let start = line.span.start as usize;
    let mut addressee = DirectiveAddressee::Everyone;
    items(text, &mut |(from, to), item| match item {
        Item::Name => {
            let name = text.get(from..to).unwrap_or_default();
            addressee = DirectiveAddressee::before_colon(name);
        }
        Item::Directive(parsed) => found(HeaderFinding::Directive(HeaderDirective {
            field: HeaderField::XRobotsTag,
            addressee: addressee.clone(),
            parsed,
            line: line.line,
            statement: line.span,
            span: Span::new(start + from, start + to),
        })),
    });
    if end < line.value.len() {
        let span = Span::new(start + end, line.span.end as usize);
        found(HeaderFinding::Fault(HeaderFault { code: Code::HeaderTooLong, line: line.line, span }));
    }
}

/// Returns the offset at which parsing stops. A value within the limit is parsed to its end. A longer value is parsed
/// up to the last comma before the limit, or up to the last blank if there is no comma.
fn cut(value: &[u8], limit: usize) -> usize {
    match value.get(..limit) {
        Some(read) if value.len() > limit => {
            memchr::memrchr(b',', read).or_else(|| memchr::memrchr2(b' ', b'\t', read)).unwrap_or(0)
        }
        _ => value.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::http::Headers;

    fn directives(lines: &[&str]) -> Vec<String> {
        let headers: Headers = lines.iter().map(|line| ("X-ROBOTS-TAG", line)).collect();
        let (directives, _) = headers.directive_views(&Limits::default());
        let shown = |span: Span| String::from_utf8_lossy(span.of(headers.text())).into_owned();
        let directives = directives.into_iter().map(|view| {
            assert_eq!(shown(view.statement), *lines.get(view.line).unwrap_or(&""));
            let name = view.crawler.map_or("*".to_owned(), |name| String::from_utf8_lossy(&name).into_owned());
            format!("{name}: {} {}", view.directive.map_or_else(|| shown(view.span), str::to_owned), view.effect)
        });
        directives.collect()
    }

    #[test]
    fn s23_a_name_addresses_what_follows_on_its_line() {
        let (noindex, nofollow) = ("noindex Prohibits", "nofollow Prohibits");
        let all = |prefixed: &[(&str, &str)]| -> Vec<String> {
            prefixed.iter().map(|(name, directive)| format!("{name}: {directive}")).collect()
        };
        for (lines, expected) in [
            (&["noindex, nofollow"][..], &[("*", noindex), ("*", nofollow)][..]),
            (&["noindex nofollow"], &[("*", noindex), ("*", nofollow)]),
            (&["googlebot: noindex"], &[("googlebot", noindex)]),
            (&["GoogleBot :NOINDEX"], &[("GoogleBot", noindex)]),
            (&["googlebot: nofollow", "noindex"], &[("googlebot", nofollow), ("*", noindex)]),
            (
                &["BadBot: noindex, nofollow, googlebot: nofollow"],
                &[("BadBot", noindex), ("BadBot", nofollow), ("googlebot", nofollow)],
            ),
            (&["nofollow, otherbot: noindex"], &[("*", nofollow), ("otherbot", noindex)]),
            (&["bot: nofollow, *: noindex"], &[("bot", nofollow), ("*", noindex)]),
            (&["bot: nofollow, Robots: noindex"], &[("bot", nofollow), ("*", noindex)]),
            (&["Foo Bar/1.0: noindex"], &[("Foo Bar/1.0", noindex)]),
            (&["\"Foo Bar\": noindex"], &[("Foo Bar", noindex)]),
            (&["\u{C9}coBot: noindex"], &[("\u{C9}coBot", noindex)]),
            (&["a: , b: noindex"], &[("b", noindex)]),
            (&[": noindex"], &[("*", noindex)]),
            (&["\"\": noindex"], &[("*", noindex)]),
            (&["noindex: googlebot"], &[("*", noindex), ("*", "googlebot unknown-directive")]),
            (&["all: noindex"], &[("*", "all Permits"), ("*", noindex)]),
            (&["googlebot=noindex"], &[("*", "googlebot unknown-directive"), ("*", noindex)]),
            (&["x: noopd, noindex"], &[("x", "noopd unknown-directive"), ("x", noindex)]),
            (&["x:5, noindex"], &[("*", "x:5 unknown-directive"), ("*", noindex)]),
            (&["x:5 b: noindex"], &[("*", "x:5 unknown-directive"), ("b", noindex)]),
            (&["y=large, noindex"], &[("*", "y=large unknown-directive"), ("*", noindex)]),
            (&["360: noindex"], &[("360", noindex)]),
            (&["a: 360spider: noindex"], &[("360spider", noindex)]),
            (&["googlebot: max-snippet: 20"], &[("googlebot", "max-snippet MaxChars(20)")]),
            (&["googlebot: max-image-preview:none"], &[("googlebot", "max-image-preview Prohibits")]),
            (&["max-snippet:0, bot: noindex"], &[("*", "max-snippet Prohibits"), ("bot", noindex)]),
        ] {
            assert_eq!(directives(lines), all(expected), "{lines:?}");
        }
    }

    #[test]
    fn s23_dates_may_contain_commas() {
        let until = format!("unavailable_after Until({:?})", crate::Timestamp::from_unix(1_764_767_393));
        let date = "unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT";
        assert_eq!(
            directives(&[&format!("{date}, nofollow")]),
            [format!("*: {until}"), "*: nofollow Prohibits".to_owned()]
        );
        assert_eq!(
            directives(&[&format!("bot: {date}, other bot: noindex")]),
            [format!("bot: {until}"), "other bot: noindex Prohibits".to_owned()]
        );
    }

    #[test]
    fn s22_a_line_is_cut_at_a_comma() {
        let limit = Limits::MIN_ROBOTS_TAG;
        let count = |line: String| {
            let (directives, faults) = Headers::new().with("x-robots-tag", line).directive_views(&Limits::default());
            (directives.len(), faults.len())
        };
        assert_eq!(count("noindex,".repeat(limit / 8)), (limit / 8, 0));
        assert_eq!(count("noindex,".repeat(limit / 8) + "a"), (limit / 8, 1));
        assert_eq!(count("noindex ".repeat(limit / 8) + "a"), (limit / 8, 1));
        assert_eq!(count("a".repeat(limit + 1)), (0, 1));
    }
}
