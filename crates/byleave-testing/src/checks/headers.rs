//! The directives of header fields are where their spans say.

use byleave::{Headers, Limits};

/// Asserts that every directive is where its span says, on its line, in the order of the fields. Returns how many there
/// are.
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
