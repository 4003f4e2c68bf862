//! Finds the parts of a page whose outcome differs (S-16), and the resources that conditions require (S-37).
//!
//! Both belong to the explanation of a page. The number of elements examined is limited (S-22).

use super::SiteStatements;
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
use crate::site::element_statements::ExaminedElements;
use crate::site::{AskedFor, PAGE, Site};

/// A resource that must be used or included for a use to be permitted (S-37).
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, explain, model::Capabilities};
/// let robots_txt = b"ACAP-crawler: *\nACAP-allow-index: /articles/ must-use-resource=/summary.txt\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let capabilities = Capabilities::default().with_prior_arrangement();
/// let question = ProposedUse::new("https://site.example/articles/1", &crawler, &Usage::Index);
/// let explanation = explain(&site, &question.with_capabilities(&capabilities))?;
/// let required = &explanation.required_resources[0];
/// assert_eq!((required.locator.as_str(), required.crawl), ("/summary.txt", Some(Outcome::Permitted)));
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequiredResource {
    /// `must-use-resource` or `must-include-resource`.
    pub condition: String,
    /// The locator of the resource or the part of the page, as written.
    pub locator: String,
    /// The outcome of crawling the resource, or `None` for a part of the page or a resource on another site.
    pub crawl: Option<Outcome>,
}

/// A part of a page whose outcome differs from the page's.
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, explain};
/// let page = b"<!doctype html><p>Free</p><div data-nosnippet>Paid</div>";
/// let site = Site::builder(Reading::Default).with_page(page).build();
/// let crawler = Crawler::named("ExampleBot");
/// let explanation = explain(&site, &ProposedUse::new("/", &crawler, &Usage::PresentSnippet))?;
/// assert_eq!(explanation.parts[0].outcome, Outcome::Prohibited);
/// assert_eq!(explanation.parts[0].span.of(page), b"<div data-nosnippet>");
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferingPart {
    /// The document that contains the part: the page, or the page after its scripts.
    pub document: String,
    /// The part's start tag, or the comment that begins the part.
    pub span: Span,
    /// The outcome for the part.
    pub outcome: Outcome,
    /// The statement that decides, as written.
    pub text: Option<String>,
}

/// Returns the resources that the conditions require.
pub(super) fn required_resources(
    site: &Site<'_>,
    proposed: &ProposedUse<'_>,
    conditions: &[Condition],
) -> Vec<RequiredResource> {
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
            decide::decide_unchecked(&site.without_response(), &asked).effective
        });
        resources.push(RequiredResource { condition: name.clone(), locator: locator.clone(), crawl });
    }
    resources
}

/// Returns a diagnostic if the question names an element that neither the page as sent nor the page after its scripts
/// has.
pub(super) fn no_such_element(site: &Site<'_>, proposed: &ProposedUse<'_>) -> Option<Diagnostic> {
    let named = proposed.element?;
    let has_page = site.elements(AskedFor::Element).is_some_and(|pages| !pages.is_empty());
    if site.find(proposed).iter().any(Option::is_some) {
        return None;
    }
    let (message, help) = match has_page {
        true => (
            format!("the page has no element `{named}`; the answer is for the whole page"),
            "ids and classes are case-sensitive",
        ),
        false => (
            format!("there is no page, so element `{named}` cannot be found; the answer is for the whole resource"),
            "give the page, for example with `--page FILE`",
        ),
    };
    Some(Diagnostic {
        code: Code::NoSuchElement,
        severity: Code::NoSuchElement.severity(),
        document: PAGE.to_owned(),
        span: Span::default(),
        message,
        help: Some(help.to_owned()),
    })
}

/// Returns the parts of the page that have statements and whose outcome differs (S-16). Also returns a diagnostic if
/// the page has too many elements with statements to examine them all.
///
/// Cost: one decision for each examined element.
pub(super) fn parts(
    site: &Site<'_>,
    written: &SiteStatements<'_>,
    proposed: &ProposedUse<'_>,
    outcome: Outcome,
) -> (Vec<DifferingPart>, Option<Diagnostic>) {
    let (mut parts, mut note) = (Vec::new(), None);
    if proposed.is_of_part() || !proposed.capabilities.element_level {
        return (parts, note);
    }
    let pages = site.elements(AskedFor::Parts(proposed.usage)).unwrap_or_default();
    for (number, page) in pages.iter().enumerate() {
        let Some(document) = site.documents().get(page.document) else { continue };
        let examined = page.examined_elements(proposed.usage, &[], work_of(&site.sources(proposed.capabilities, None)));
        if !examined.is_all() {
            note = Some(more_than_are_examined(&document.name, &examined));
        }
        for element in examined.elements.into_iter().take(examined.count) {
            let asked = ProposedUse { part: Some(PagePart { page: number, element }), ..*proposed };
            let answer = expressed(site, &asked, proposed.usage, &mut Silent);
            if answer.outcome == outcome {
                continue;
            }
            let Some(span) = site.tag(page, element) else { continue };
            let statement = answer.reason.statement().and_then(|id| written.get(id, proposed.usage));
            let text = statement.map(|statement| String::from_utf8_lossy(&statement.text).into_owned());
            parts.push(DifferingPart { document: document.name.clone(), span, outcome: answer.outcome, text });
        }
        // A marked range may contain only text, without a whole element (S-49).
        let ranges = page.ranges_of_text(proposed.usage).take(MAX_RANGES);
        for range in ranges.filter(|_| outcome != Outcome::Prohibited) {
            let id = StatementId::new(Source::ElementRestrictions(number as u16), range);
            let Some(statement) = written.get(id, proposed.usage) else { continue };
            let text = Some(String::from_utf8_lossy(&statement.text).into_owned());
            let document = document.name.clone();
            parts.push(DifferingPart { document, span: statement.span, outcome: Outcome::Prohibited, text });
        }
    }
    (parts, note)
}

/// The maximum number of text ranges that are listed (S-22).
const MAX_RANGES: usize = 20_000;

fn more_than_are_examined(document: &str, examined: &ExaminedElements) -> Diagnostic {
    let (total, count) = (examined.elements.len(), examined.count);
    Diagnostic {
        code: Code::Truncated,
        severity: Code::Truncated.severity(),
        document: document.to_owned(),
        span: Span::default(),
        message: format!("{total} elements have statements; only the first {count} are checked for other outcomes"),
        help: Some("see `byleave rule S-22`".to_owned()),
    }
}
