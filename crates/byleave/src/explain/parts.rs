//! Parts of a page, and what must be had with it: what an explanation tells beside the answer (S-16, S-37).

use super::EvidenceStatements;
use crate::base::source::Span;
use crate::decide;
use crate::decide::{Silent, expressed, work_of};
use crate::dialects::acap::Locator;
use crate::model::Outcome;
use crate::model::Source;
use crate::model::Usage;
use crate::model::diagnostic::{Code, Diagnostic};
use crate::model::proposed_use::{PagePart, ProposedUse};
use crate::model::{Condition, StatementId};
use crate::site::element_statements::LookedAt;
use crate::site::{AskedFor, Evidence, PAGE};

/// What must be used or included for a use to be permitted (S-37).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MustHave {
    /// `must-use-resource` or `must-include-resource`.
    pub condition: String,
    /// The resource or the part of the page, as written.
    pub locator: String,
    /// Whether the crawler may crawl it; nothing for a part of the page, or a resource of another site.
    pub crawl: Option<Outcome>,
}

/// A part of a page whose answer differs from the page's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The document it is in: the page, or the page after scripts.
    pub document: String,
    /// Its start tag there, or the comment it begins with.
    pub span: Span,
    /// What it comes to.
    pub outcome: Outcome,
    /// What says so, as written.
    pub text: Option<String>,
}

/// What the conditions say must be used or included.
pub(super) fn must_have(
    evidence: &Evidence<'_>,
    proposed: &ProposedUse<'_>,
    conditions: &[Condition],
) -> Vec<MustHave> {
    let mut resources = Vec::new();
    for condition in conditions {
        let Condition::Term(name, locator) = condition else { continue };
        if !name.starts_with("must-") {
            continue;
        }
        // A part of the page has no URL of its own.
        let url = match Locator::of(locator.as_bytes()) {
            Locator::Resource(uri) => crate::dialects::rfc9309::resource::relative_to(proposed.url, uri),
            Locator::Part(..) | Locator::Unknown => None,
        };
        let crawl = url.map(|url| {
            let asked = ProposedUse { url: &url, usage: &Usage::Crawl, ..decide::prerequisite(proposed) };
            decide::decide(&evidence.without_response(), &asked).effective
        });
        resources.push(MustHave { condition: name.clone(), locator: locator.clone(), crawl });
    }
    resources
}

/// An element is asked about that no page has.
pub(super) fn no_such_element(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>) -> Option<Diagnostic> {
    let named = proposed.element?;
    let has_page = evidence.elements(AskedFor::Element).is_some_and(|pages| !pages.is_empty());
    if evidence.find(proposed).iter().any(Option::is_some) {
        return None;
    }
    let (message, help) = match has_page {
        true => ("the page has no element", "ids and classes are compared with case"),
        false => ("there is no page to look in for", "give one, as with `--page FILE`"),
    };
    Some(Diagnostic {
        code: Code::NoSuchElement,
        severity: Code::NoSuchElement.severity(),
        document: PAGE.to_owned(),
        span: Span::default(),
        message: format!("{message} `{named}`; the answer is that of the page"),
        help: Some(help.to_owned()),
    })
}

/// The parts of the page on which something is said and whose answer differs (S-16); and a note where there are more than
/// are looked at.
pub(super) fn parts(
    evidence: &Evidence<'_>,
    written: &EvidenceStatements<'_>,
    proposed: &ProposedUse<'_>,
    outcome: Outcome,
) -> (Vec<Part>, Option<Diagnostic>) {
    let (mut parts, mut note) = (Vec::new(), None);
    if proposed.is_of_part() || !proposed.capabilities.element_level {
        return (parts, note);
    }
    let pages = evidence.elements(AskedFor::Parts(proposed.usage)).unwrap_or_default();
    for (number, page) in pages.iter().enumerate() {
        let Some(document) = evidence.documents().get(page.document) else { continue };
        let looked_at = page.looked_at(proposed.usage, &[], work_of(&evidence.sources(proposed.capabilities, None)));
        if !looked_at.is_all() {
            note = Some(more_than_are_looked_at(&document.name, &looked_at));
        }
        for element in looked_at.elements.into_iter().take(looked_at.count) {
            let asked = ProposedUse { part: Some(PagePart { page: number, element }), ..*proposed };
            let answer = expressed(evidence, &asked, proposed.usage, &mut Silent);
            if answer.outcome == outcome {
                continue;
            }
            let Some(span) = evidence.tag(page, element) else { continue };
            let statement = answer.reason.statement().and_then(|id| written.get(id, proposed.usage));
            let text = statement.map(|statement| String::from_utf8_lossy(&statement.text).into_owned());
            parts.push(Part { document: document.name.clone(), span, outcome: answer.outcome, text });
        }
        // Texts that stand in a range alone, without an element of their own (S-49).
        let ranges = page.ranges_of_text(proposed.usage).take(MAX_RANGES);
        for range in ranges.filter(|_| outcome != Outcome::Prohibited) {
            let id = StatementId::new(Source::ElementRestrictions(number as u16), range);
            let Some(statement) = written.get(id, proposed.usage) else { continue };
            let text = Some(String::from_utf8_lossy(&statement.text).into_owned());
            let document = document.name.clone();
            parts.push(Part { document, span: statement.span, outcome: Outcome::Prohibited, text });
        }
    }
    (parts, note)
}

/// How many ranges of texts are told of (S-22).
const MAX_RANGES: usize = 20_000;

fn more_than_are_looked_at(document: &str, looked_at: &LookedAt) -> Diagnostic {
    let (spoken, count) = (looked_at.elements.len(), looked_at.count);
    Diagnostic {
        code: Code::Truncated,
        severity: Code::Truncated.severity(),
        document: document.to_owned(),
        span: Span::default(),
        message: format!("something is said on {spoken} elements; {count} are looked at for parts that differ"),
        help: Some("see `byleave rule S-22`".to_owned()),
    }
}
