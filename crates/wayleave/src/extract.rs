//! What of a page's text a crawler may use, part by part (S-16, S-37).
//!
//! Every run of text is kept or left out by the answer for the nearest element around it on which something is said,
//! or by the page's answer. Where a permission says that only a part may be used, that part alone is kept.

use crate::decide::{Decision, Outcome, decide, work_of};
use crate::diagnostic::Diagnostic;
use crate::element::{LookedAt, OnElements};
use crate::evidence::{AskedFor, Evidence};
use crate::explain::{EvidenceStatements, Explanation, explain, ground_of};
use crate::model::Condition;
use crate::page::{Decoded, ElementId, Elements, Name, TargetKind, TextRun, emptied, head_metas};
use crate::policy::acap::Locator;
use crate::proposed::{PagePart, ProposedUse};
use crate::source::Span;
use std::collections::HashSet;
use std::sync::Arc;

/// What may be used of a page, and what may not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extract<'e> {
    /// The page's answer, or that of the element asked about.
    pub decision: Decision,
    /// What must be kept where it is used; that it is, is the caller's part, as that a snippet is [cut](crate::cut).
    pub conditions: Vec<Condition>,
    /// Its text in document order, in pieces that are kept or left out for one reason. What scripts and style sheets
    /// hold is no text.
    pub pieces: Vec<Piece>,
    /// Whether all of the page was read and looked at (S-22). What was not is in no piece, or left out.
    pub is_whole: bool,
    /// What is to be noticed in the question, such as an element that is not there.
    pub notes: Vec<Diagnostic>,
    page: Decoded<'e>,
    elements: Elements,
    /// For each element whether what is right inside of it is kept.
    kept: Vec<bool>,
}

/// A piece of a page's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// Where it stands in the page; where that [had to be decoded first](Extract::is_transcoded), in the page as UTF-8.
    pub span: Span,
    /// Its characters.
    pub text: String,
    /// Whether it may be used.
    pub is_kept: bool,
    /// Why, in a sentence.
    pub because: Arc<str>,
}

impl Extract<'_> {
    /// The text that may be used, whitespace collapsed.
    #[must_use]
    pub fn text(&self) -> String {
        let kept = self.pieces.iter().filter(|piece| piece.is_kept);
        let words: Vec<&str> = kept.flat_map(|piece| piece.text.split_whitespace()).collect();
        words.join(" ")
    }

    /// The page with what may not be used taken out: prohibited elements are emptied, scripts and comments in them
    /// included, and of themselves the tags stay with nothing but `class` and `id`. Elsewhere it is the same byte for
    /// byte. What was not read is left out.
    ///
    /// ```
    /// use wayleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
    /// let page = b"<p>News<div class='the-acap:disallow-index' title='Mine'>Comments <!-- and --> <b>more</b></div><P>End";
    /// let evidence = Evidence::new(Reading::Default).with_page(page);
    /// let crawler = Crawler::named("AnyBot");
    /// let extract = wayleave::extract(&evidence, &ProposedUse::new("/", &crawler, &Usage::Index)).ok_or("no page")?;
    /// assert_eq!(extract.html(), b"<p>News<div class=\"the-acap:disallow-index\"></div><P>End");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn html(&self) -> Vec<u8> {
        let is_kept = |element: ElementId| self.kept.get(element.0 as usize).copied().unwrap_or_default();
        emptied(&self.page, &self.elements, &is_kept)
    }

    /// Whether the page had to be turned into UTF-8 to be read, as UTF-16 has: then [`html`](Self::html) is UTF-8, with its
    /// mark.
    #[must_use]
    pub fn is_transcoded(&self) -> bool {
        self.page.is_transcoded()
    }
}

/// Finds what of the page's text may be used; nothing where there is no page, it is no HTML, or the reading reads none.
///
/// ```
/// use wayleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
/// let page = b"<p>News</p><p class='the-acap:disallow-index'>Comments</p><p>More";
/// let evidence = Evidence::new(Reading::Default).with_page(page);
/// let crawler = Crawler::named("AnyBot");
/// let proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
/// assert_eq!(wayleave::extract(&evidence, &proposed).map(|extract| extract.text()), Some("News More".to_owned()));
/// ```
///
/// Cost: the page's tree, and a decision for each element on which something is said.
#[must_use]
pub fn extract<'e>(evidence: &'e Evidence<'_>, proposed: &ProposedUse<'_>) -> Option<Extract<'e>> {
    let page = evidence.page()?;
    let elements = Elements::of(&page);
    let explanation = explain(evidence, proposed);
    let answers = Answers::of(evidence, proposed, &page, &elements, &explanation);
    let targets: Vec<Target> = targets(evidence, &explanation);
    let asked_about = proposed.element.and_then(|_| evidence.find(proposed).first().copied().flatten());
    let is_asked = |element: ElementId| asked_about.is_none_or(|asked| elements.is_within(element, asked));
    let mut pieces: Vec<Piece> = Vec::new();
    for target in &targets {
        let Target::Meta(name) = target else { continue };
        let mut found: Option<Piece> = None;
        head_metas(&page, |tag| {
            // Of several the first counts.
            if found.is_none() && tag.name().is_some_and(|own| own.trim().eq_ignore_ascii_case(name)) {
                let text = tag.content().unwrap_or_default().into_owned();
                let Answer { is_kept, because } = answers.of_page();
                found = Some(Piece { span: tag.span(), text, is_kept, because });
            }
        });
        pieces.extend(found);
    }
    let metas: Vec<u32> = pieces.iter().map(|piece| piece.span.start).collect();
    let is_in_target = |element: ElementId| {
        targets.iter().all(|target| match target {
            Target::Element(target) => elements.is_within(element, *target),
            Target::Meta(_) => elements.tag_start(element).is_some_and(|tag| metas.contains(&tag)),
            Target::Elsewhere => false,
        })
    };
    let outside: Arc<str> = "it is outside of the part that must be used".into();
    for run in elements.texts().iter().filter(|run| is_asked(run.element)) {
        if is_unseen(&elements, &page, run) {
            continue;
        }
        let text = run.text(&page);
        if text.trim().is_empty() {
            continue;
        }
        let Answer { is_kept, because } = answers.get(run.element);
        let is_in_target = is_in_target(run.element);
        let because = if is_in_target { because } else { Arc::clone(&outside) };
        pieces.push(Piece { span: run.span, text: text.into_owned(), is_kept: is_kept && is_in_target, because });
    }
    let is_kept = |element| answers.get(element).is_kept && is_asked(element) && is_in_target(element);
    let kept = elements.ids().map(is_kept).collect();
    let (decision, notes, is_whole) = (explanation.decision, explanation.notes, elements.is_whole() && answers.is_all);
    let conditions = explanation.conditions;
    Some(Extract { decision, conditions, pieces, is_whole, notes, page, elements, kept })
}

/// Whether a text is none for readers: scripts, style sheets, and markup that is kept for other readers.
fn is_unseen(elements: &Elements, page: &Decoded<'_>, run: &TextRun) -> bool {
    match elements.name(run.element) {
        Name::Script | Name::Style => true,
        Name::Foreign => matches!(&*elements.written_name(page, run.element), "script" | "style"),
        _ if run.kind.is_raw() => {
            matches!(&*elements.written_name(page, run.element), "iframe" | "noembed" | "noframes")
        }
        _ => false,
    }
}

/// What a part of a page comes to.
#[derive(Clone, Debug)]
struct Answer {
    is_kept: bool,
    because: Arc<str>,
}

/// The answers for the elements of a page.
struct Answers {
    /// The page's, and that of each element on which something is said.
    answers: Vec<Answer>,
    /// Which of them is an element's: that of the nearest around it on which something is said.
    of_element: Vec<u32>,
    /// Whether all of these elements were looked at.
    is_all: bool,
}

impl Answers {
    fn of(
        evidence: &Evidence<'_>,
        proposed: &ProposedUse<'_>,
        page: &Decoded<'_>,
        elements: &Elements,
        explanation: &Explanation<'_>,
    ) -> Self {
        let because = explanation.sentence(proposed).into();
        let mut answers = vec![Answer { is_kept: explanation.decision.is_allowed(), because }];
        let mut of_element: Vec<u32> = Vec::with_capacity(elements.count() as usize);
        let pages = evidence.elements(AskedFor::Parts(proposed.usage)).unwrap_or_default();
        let pages = if proposed.capabilities.element_level { pages } else { &[] };
        let work = work_of(&evidence.sources(proposed.capabilities));
        let counterparts = if pages.is_empty() { Vec::new() } else { evidence.counterparts() };
        let others: Vec<ElementId> = counterparts.iter().filter_map(|(_, source)| *source).collect();
        let looked_at = pages.first().map(|page| page.looked_at(proposed.usage, &others, work));
        let LookedAt { elements: spoken, count } = looked_at.unwrap_or_default();
        let written = EvidenceStatements::of(evidence, proposed.capabilities);
        let too_many: Arc<str> = "the page has more such elements than are looked at".into();
        for id in elements.ids() {
            let inherited = elements.parent(id).and_then(|parent| of_element.get(parent.0 as usize)).copied();
            if spoken.binary_search(&id).is_err() {
                of_element.push(inherited.unwrap_or(0));
                continue;
            }
            of_element.push(answers.len() as u32);
            // What is not looked at is not known to be permitted (S-34).
            if answers.len() > count {
                answers.push(Answer { is_kept: false, because: Arc::clone(&too_many) });
                continue;
            }
            let asked = ProposedUse { element: None, part: Some(PagePart { page: 0, element: id }), ..*proposed };
            let decision = decide(evidence, &asked);
            let statement = decision.reason.statement().and_then(|id| written.get(id, proposed.usage));
            let because = statement.map_or_else(|| decision.reason.name().to_owned(), |one| ground_of(&one));
            answers.push(Answer { is_kept: decision.is_allowed(), because: because.into() });
        }
        let after_scripts = AfterScripts::of(evidence, proposed, pages, &counterparts, work);
        let prohibited: Arc<str> = "the page after its scripts has this text in an element that is prohibited".into();
        for run in elements.texts().iter().filter(|run| after_scripts.prohibits(&run.text(page))) {
            if let Some(own) = of_element.get_mut(run.element.0 as usize) {
                *own = answers.len() as u32;
                answers.push(Answer { is_kept: false, because: Arc::clone(&prohibited) });
            }
        }
        Self { answers, of_element, is_all: spoken.len() <= count && after_scripts.is_all }
    }

    fn of_page(&self) -> Answer {
        self.answers.first().cloned().unwrap_or(Answer { is_kept: false, because: "".into() })
    }

    fn get(&self, element: ElementId) -> Answer {
        let answer = self.of_element.get(element.0 as usize).and_then(|answer| self.answers.get(*answer as usize));
        answer.cloned().unwrap_or_else(|| self.of_page())
    }
}

/// What the page after its scripts prohibits in elements that the page as sent does not have by their ids (S-25): there
/// the text has to tell that it is the same.
struct AfterScripts {
    texts: HashSet<String>,
    /// Whether all such elements were looked at.
    is_all: bool,
}

impl AfterScripts {
    fn of(
        evidence: &Evidence<'_>,
        proposed: &ProposedUse<'_>,
        pages: &[OnElements],
        counterparts: &[(ElementId, Option<ElementId>)],
        work: u64,
    ) -> Self {
        let mut found = Self { texts: HashSet::new(), is_all: true };
        let (Some(dom), Some(page)) = (pages.get(1), evidence.dom()) else { return found };
        let LookedAt { elements: spoken, count } = dom.looked_at(proposed.usage, &[], work);
        found.is_all = spoken.len() <= count;
        let has_none = |element: &&ElementId| {
            let place = counterparts.binary_search_by_key(element, |(after, _)| after);
            place.ok().and_then(|at| counterparts.get(at)).is_none_or(|(_, source)| source.is_none())
        };
        let is_prohibited = |element: &&ElementId| {
            let part = Some(PagePart { page: 1, element: **element });
            !decide(evidence, &ProposedUse { element: None, part, ..*proposed }).is_allowed()
        };
        let prohibited: Vec<ElementId> =
            spoken.iter().take(count).filter(has_none).filter(is_prohibited).copied().collect();
        if prohibited.is_empty() {
            return found;
        }
        let elements = Elements::of(&page);
        let mut outer: Option<ElementId> = None;
        for element in prohibited {
            if outer.is_some_and(|outer| elements.is_within(element, outer)) {
                continue;
            }
            outer = Some(element);
            let mut whole = String::new();
            for run in elements.texts_of(element) {
                let text = collapsed(&run.text(&page));
                whole.push_str(&text);
                whole.push(' ');
                found.texts.insert(text);
            }
            found.texts.insert(collapsed(&whole));
        }
        found.texts.remove("");
        found
    }

    fn prohibits(&self, text: &str) -> bool {
        !self.texts.is_empty() && self.texts.contains(&collapsed(text))
    }
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What alone may be used (S-37).
enum Target {
    Element(ElementId),
    Meta(String),
    /// Another resource, or a part that is not there.
    Elsewhere,
}

fn targets(evidence: &Evidence<'_>, explanation: &Explanation<'_>) -> Vec<Target> {
    if explanation.decision.effective != Outcome::Conditional {
        return Vec::new();
    }
    let target = |condition: &Condition| {
        let Condition::Term(name, locator) = condition else { return None };
        if name != "must-use-resource" {
            return None;
        }
        Some(match Locator::of(locator.as_bytes()) {
            Locator::Part(TargetKind::Meta, name) => Target::Meta(String::from_utf8_lossy(name).into_owned()),
            Locator::Part(kind, name) => evidence.part(kind, name).map_or(Target::Elsewhere, Target::Element),
            Locator::Resource(_) | Locator::Unknown => Target::Elsewhere,
        })
    };
    explanation.conditions.iter().filter_map(target).collect()
}
