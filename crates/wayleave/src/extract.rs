//! What of a page's text a crawler may use, part by part (S-16, S-37).
//!
//! Every run of text is kept or left out by the answer for the nearest element around it on which something is said,
//! or by the page's answer. Where a permission says that only a part may be used, that part alone is kept.

use crate::decide::{Decision, Outcome, decide};
use crate::element::OnElements;
use crate::evidence::{AskedFor, Evidence};
use crate::explain::{EvidenceStatements, Explanation, explain, ground_of};
use crate::model::Condition;
use crate::page::{ElementId, Elements, Name, TargetKind, head_metas};
use crate::proposed::ProposedUse;
use crate::source::Span;

/// What may be used of a page, and what may not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extract {
    /// The page's answer.
    pub decision: Decision,
    /// Its text in document order, in pieces that are kept or left out for one reason.
    pub pieces: Vec<Piece>,
    /// Whether all of the page was read (S-22).
    pub is_whole: bool,
}

/// A piece of a page's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// Where it stands in the page.
    pub span: Span,
    /// Its characters.
    pub text: String,
    /// Whether it may be used.
    pub is_kept: bool,
    /// Why, in a sentence.
    pub because: String,
}

impl Extract {
    /// The text that may be used, whitespace collapsed.
    #[must_use]
    pub fn text(&self) -> String {
        let kept = self.pieces.iter().filter(|piece| piece.is_kept);
        let words: Vec<&str> = kept.flat_map(|piece| piece.text.split_whitespace()).collect();
        words.join(" ")
    }
}

/// Finds what of the page's text may be used; nothing where there is no page, or it is no HTML.
///
/// ```
/// use wayleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
/// let page = b"<p>News</p><p class='the-acap:disallow-index'>Comments</p><p>More";
/// let evidence = Evidence::new(Reading::Default).with_page(page);
/// let crawler = Crawler::named("AnyBot");
/// let proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
/// assert_eq!(wayleave::extract(&evidence, &proposed).map(|extract| extract.text()), Some("News More".to_owned()));
/// ```
#[must_use]
pub fn extract(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>) -> Option<Extract> {
    let page = evidence.page()?;
    let elements = Elements::of(&page);
    let explanation = explain(evidence, proposed);
    let of_page = Answer { is_kept: explanation.decision.is_allowed(), because: explanation.sentence(proposed) };
    let mut answers = vec![of_page];
    // The answer for each element: that of the nearest around it on which something is said.
    let mut of_element: Vec<u32> = Vec::new();
    let on_elements = evidence.elements(AskedFor::Element).unwrap_or_default().first();
    let written = EvidenceStatements::of(evidence, proposed.capabilities);
    let spoken = on_elements.map(OnElements::spoken_of).unwrap_or_default();
    for id in elements.ids() {
        let inherited = elements.parent(id).and_then(|parent| of_element.get(parent.0 as usize)).copied().unwrap_or(0);
        let Some(on_elements) = on_elements.filter(|_| spoken.binary_search(&id).is_ok()) else {
            of_element.push(inherited);
            continue;
        };
        let named = on_elements.name_of(id);
        let asked = ProposedUse { element: Some(&named), ..*proposed };
        of_element.push(answers.len() as u32);
        // What is not looked at is not known to be permitted (S-34).
        if answers.len() > MOST_ELEMENTS {
            answers
                .push(Answer { is_kept: false, because: "the page has more such elements than are looked at".into() });
            continue;
        }
        let decision = decide(evidence, &asked);
        let statement = decision.reason.statement().and_then(|id| written.get(id, proposed.usage));
        let because = statement.map_or_else(|| decision.reason.name().to_owned(), |one| ground_of(&one));
        answers.push(Answer { is_kept: decision.is_allowed(), because });
    }
    let target = Target::of(evidence, &explanation);
    let mut pieces = Vec::new();
    if let Some(Target::Meta(name)) = &target {
        head_metas(&page, |tag| {
            if tag.name().is_some_and(|own| own.trim().eq_ignore_ascii_case(name)) {
                let text = tag.content().unwrap_or_default().into_owned();
                let (is_kept, because) =
                    answers.first().map(|one| (one.is_kept, one.because.clone())).unwrap_or_default();
                pieces.push(Piece { span: tag.span(), text, is_kept, because });
            }
        });
    }
    for run in elements.texts() {
        if matches!(elements.name(run.element), Name::Script | Name::Style) {
            continue;
        }
        let text = run.text(&page);
        if text.trim().is_empty() {
            continue;
        }
        let answer = of_element.get(run.element.0 as usize).and_then(|answer| answers.get(*answer as usize));
        let Some(answer) = answer else { continue };
        let is_target = match &target {
            None => true,
            Some(Target::Element(target)) => elements.is_within(run.element, *target),
            Some(Target::Meta(_)) => false,
        };
        let because =
            if is_target { answer.because.clone() } else { "it is outside of the part that must be used".to_owned() };
        pieces.push(Piece { span: run.span, text: text.into_owned(), is_kept: answer.is_kept && is_target, because });
    }
    Some(Extract { decision: explanation.decision, pieces, is_whole: elements.is_whole() })
}

/// How many elements on which something is said are looked at.
const MOST_ELEMENTS: usize = 4_000;

struct Answer {
    is_kept: bool,
    because: String,
}

/// The part that alone may be used (S-37).
enum Target {
    Element(ElementId),
    Meta(String),
}

impl Target {
    fn of(evidence: &Evidence<'_>, explanation: &Explanation<'_>) -> Option<Self> {
        if explanation.decision.effective != Outcome::Conditional {
            return None;
        }
        explanation.conditions.iter().find_map(|condition| {
            let Condition::Term(name, locator) = condition else { return None };
            let rest = locator.split_once(':').map(|(_, rest)| rest).filter(|_| name == "must-use-resource")?;
            let (kind, name) = rest.strip_prefix("extract:")?.split_once(':')?;
            match kind {
                "id" => evidence.part(TargetKind::Id, name).map(Self::Element),
                "class" => evidence.part(TargetKind::Class, name).map(Self::Element),
                "meta" => Some(Self::Meta(name.to_owned())),
                _ => None,
            }
        })
    }
}
