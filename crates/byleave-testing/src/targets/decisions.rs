//! Laws that every decision must satisfy, whatever the site (S-32, S-33).

use byleave::analysis::{decide_unchecked, explain_unchecked};
use byleave::explain::report::Report;
use byleave::{Decision, Explanation, Outcome, ProposedUse, Site};

/// Law: asking again gives the same answer. The explanation and the decision agree. The span of every statement lies
/// within its document. A report is equal after it is written and read back.
pub fn hold<'e>(site: &'e Site<'_>, proposed: &ProposedUse<'_>) -> Explanation<'e> {
    let decision = decide_unchecked(site, proposed);
    let explanation = explain_unchecked(site, proposed);
    assert_eq!(decide_unchecked(site, proposed), decision, "asked again");
    assert_eq!(essence(&explanation.decision), essence(&decision));
    // Several statements may decide together, so only check whether any statement decides.
    let is_by_statement = decision.reason.statement().is_some();
    assert_eq!(!explanation.determined_by.is_empty(), is_by_statement, "{decision:?}");
    if decision.outcome == Outcome::Conditional {
        assert!(!explanation.conditions.is_empty(), "{decision:?}");
    }
    if matches!(decision.effective, Outcome::Permitted | Outcome::Unstated) {
        assert!(explanation.conditions.is_empty(), "{decision:?} {:?}", explanation.conditions);
    }
    lie_where_they_say(site, &explanation);
    assert!(!explanation.sentence(proposed).is_empty() && !explanation.rules().is_empty());
    let report = Report::new(site, proposed, &explanation).with_trace(&explanation);
    let written = serde_json::to_string(&report).expect("a report can be written");
    assert_eq!(serde_json::from_str::<Report>(&written).expect("and read"), report);
    explanation
}

/// Returns the parts of a decision that must be equal for `decide` and `explain`, and for any order of the documents.
pub fn essence(decision: &Decision) -> impl PartialEq + std::fmt::Debug + use<> {
    let barrier = decision.prerequisite.map(|barrier| (barrier.usage, barrier.reason.name(), barrier.ends_at_recrawl));
    let Decision { outcome, effective, valid_until, is_truncated, .. } = *decision;
    (outcome, decision.reason.name(), effective, barrier, valid_until, is_truncated)
}

/// Asserts that the span of every statement and diagnostic lies within its document.
fn lie_where_they_say(site: &Site<'_>, explanation: &Explanation<'_>) {
    let length = |name: &str| {
        let of_name = site.documents().iter().filter(|document| document.name == name);
        of_name.map(|document| document.text().len()).max()
    };
    let lost = explanation.considered.iter().map(|set_aside| &set_aside.statement);
    for statement in explanation.determined_by.iter().chain(lost) {
        let length = length(statement.document).expect("the document is there");
        assert!(statement.span.start <= statement.span.end, "{statement:?}");
        assert!(statement.span.end as usize <= length, "{statement:?} of {length} bytes");
        assert!(statement.line > 0 && statement.column > 0, "{statement:?}");
    }
    for diagnostic in explanation.diagnostics {
        let length = length(&diagnostic.document).unwrap_or_else(|| panic!("no document: {diagnostic:?}"));
        assert!(diagnostic.span.start <= diagnostic.span.end, "{diagnostic:?}");
        assert!(diagnostic.span.end as usize <= length, "{diagnostic:?} of {length} bytes");
    }
}
