//! What is heard of header fields lies where it says it does.

use byleave::{Headers, Limits};

/// Everything heard lies where it says it does, on its line, in order of fields.
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
