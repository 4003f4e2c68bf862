//! Checks the spans of directives in header fields.

use byleave::{Headers, Limits};

/// Asserts that the span of every directive lies on the directive's line, and that directives are in field order.
/// Returns the number of directives.
pub fn holds_together(headers: &Headers, limits: &Limits) -> usize {
    let (words, notes) = headers.directive_views(limits);
    let lines: Vec<_> = headers.lines().collect();
    for heard in &words {
        let line = lines.iter().find(|line| line.line == heard.line).expect("the line exists");
        assert!(line.name.eq_ignore_ascii_case(heard.field.as_bytes()));
        assert!(line.span.start <= heard.statement.start && heard.statement.end <= line.span.end);
        assert!(heard.span.end as usize <= headers.text().len() && heard.span.start <= heard.span.end);
    }
    for (_, span) in &notes {
        assert!(span.start <= span.end && span.end as usize <= headers.text().len());
    }
    words.len()
}
