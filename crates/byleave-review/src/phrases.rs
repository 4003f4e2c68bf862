//! Phrases for crawlers, usages, places and deciding lines, used in the sentences of `diff` and `compare`.

use crate::verdict::DecidingStatement;
use byleave::Usage;

/// Returns a text as a code span for a sentence or for Markdown. If the text contains backticks, more of them enclose
/// it.
///
/// ```
/// assert_eq!(byleave_review::quoted("/a"), "`/a`");
/// assert_eq!(byleave_review::quoted("/`a"), "`` /`a ``");
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    if longest == 0 {
        return format!("`{text}`");
    }
    let fence = "`".repeat(longest + 1);
    format!("{fence} {text} {fence}")
}

/// Returns a phrase for the deciding lines or the default: `by default`, `by line 3 (…)`, `by line 3 (…) or line 7`.
pub(crate) fn deciding_in_words(by: &[DecidingStatement], is_default: bool) -> String {
    let lines = match by {
        [] => return "by default".to_owned(),
        [one] => line_in_words(one),
        [first, second] => format!("{} or {}", line_in_words(first), place(second)),
        [first, rest @ ..] => format!("{} and {} other lines", line_in_words(first), rest.len()),
    };
    if is_default { format!("{lines} or by default") } else { lines }
}

/// Returns a phrase for a deciding line, with its text.
pub(crate) fn line_in_words(by: &DecidingStatement) -> String {
    format!("by {} ({})", place(by), quoted(&by.text))
}

fn place(by: &DecidingStatement) -> String {
    match by.document.as_str() {
        byleave::analysis::ROBOTS_TXT => format!("line {}", by.line),
        document => format!("line {} of {document}", by.line),
    }
}

/// Returns whether a pattern matches every path. `None` means the whole site.
pub(crate) fn is_whole_site(pattern: Option<&str>) -> bool {
    pattern.is_none_or(|pattern| matches!(pattern, "/" | "/*" | "*"))
}

/// Returns a phrase for the place that a pattern covers. `example` is a path in that place.
pub(crate) fn place_in_words(pattern: Option<&str>, example: &str) -> String {
    match pattern {
        Some(pattern) if is_recased(pattern, example) => format!("{} in a different letter case", quoted(pattern)),
        Some(pattern) if !is_whole_site(Some(pattern)) => quoted(pattern),
        _ => "the whole site".to_owned(),
    }
}

/// Returns whether a path contains some piece of a pattern (the text between wildcards) only in a different letter
/// case.
fn is_recased(pattern: &str, path: &str) -> bool {
    let small = path.to_ascii_lowercase();
    let mut pieces = pattern.split(['*', '$']);
    pieces.any(|piece| !path.contains(piece) && small.contains(&piece.to_ascii_lowercase()))
}

/// Returns a phrase for several places, with a preposition. `pattern` is the pattern of the largest place.
pub(crate) fn places_in_words(pattern: Option<&str>, places: &[String]) -> String {
    match places {
        [one] => format!("on {one}"),
        _ if is_whole_site(pattern) => "on the whole site (by several rules)".to_owned(),
        several => format!("in {} places", several.len()),
    }
}

/// Returns a sort key that puts the largest places first.
pub(crate) fn size(pattern: Option<&str>) -> (bool, usize, &str) {
    let text = pattern.unwrap_or_default();
    (!is_whole_site(pattern), text.len(), text)
}

/// Returns a phrase for the crawlers, and whether the phrase takes a singular verb.
pub(crate) fn crawlers_in_words(named: &[String], has_unnamed: bool, others: usize) -> (String, bool) {
    let quoted = |name: &String| quoted(name);
    match (named, has_unnamed, others) {
        (_, true, 0) => ("every crawler".to_owned(), true),
        ([], true, _) => ("every unnamed crawler".to_owned(), true),
        ([], false, _) => ("no crawler".to_owned(), true),
        ([one], false, _) => (quoted(one), true),
        ([one, two], false, _) => (format!("{} and {}", quoted(one), quoted(two)), false),
        ([one, two, three], false, _) => (format!("{}, {} and {}", quoted(one), quoted(two), quoted(three)), false),
        ([one, rest @ ..], false, _) => (format!("{} and {} others", quoted(one), rest.len()), false),
        (named, true, others) if named.len() > 3 => {
            let but = if others == 1 { "one named crawler".to_owned() } else { format!("{others} named crawlers") };
            (format!("every crawler except {but}"), true)
        }
        (named, true, _) => {
            let named = named.iter().map(quoted).collect::<Vec<_>>().join(", ");
            (format!("{named} and every unnamed crawler"), false)
        }
    }
}

/// Returns a phrase for the usages. `asked` is the number of usages that were compared.
pub(crate) fn usages_in_words(usages: &[Usage], asked: usize) -> String {
    let is_in = |usage: &Usage| usages.contains(usage);
    // If every usage within `present` is included, only `present` is listed.
    let presented = |usage: &&Usage| usage.within().first() == Some(&Usage::Present);
    let ways = Usage::NAMED
        .iter()
        .filter(presented)
        .filter(|usage| usage.kind() == byleave::analysis::vocabulary::UsageKind::Standard);
    let has_all_ways = is_in(&Usage::Present) && ways.into_iter().all(is_in);
    let shown = usages.iter().filter(|usage| !(has_all_ways && presented(usage)));
    let names: Vec<String> = shown
        .map(|usage| match usage {
            Usage::Present if has_all_ways => "`present` (in every way)".to_owned(),
            usage => format!("`{}`", usage.name()),
        })
        .collect();
    match names.as_slice() {
        _ if usages.len() == asked && asked > 3 => "every usage".to_owned(),
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] if first.len() < 5 => format!("{} and {last}", first.join(", ")),
        [one, two, three, rest @ ..] => format!("{one}, {two}, {three} and {} more usages", rest.len()),
        _ => names.join(", "),
    }
}
