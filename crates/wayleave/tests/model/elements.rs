//! What is said on elements: classes of ACAP and the strawman's fragments (S-16, S-28), and the restrictions of the
//! Robot Exclusion Profile and of `rel=nofollow` (S-17, S-26), before and after scripts (S-25).

use super::conflict::{Verdict, s04_set_aside, s07_many_statements};
use super::document::{AcapField, Document};
use super::location::s27_alternatives;
use super::page::{InMetas, MetaStatements, Page, s25_counts, s25_said_once};
use super::pattern::Pattern;
use super::robots::RobotsEvidence;
use super::statements::{self, Statement, local_name};
use super::tree::{Axis, Kind};
use super::words::{Effect, Word};
use super::{Place, Question};
use wayleave::{Reading, Usage};

/// The names of the places of what is said on elements.
pub const PAGE: &str = "page elements";
pub const DOM: &str = "dom elements";

/// What a question is about, in one document.
enum Asked {
    /// An element and all that it is in, from the inside out.
    Element(Vec<usize>),
    /// The page: `html` and `body`.
    Page(Vec<usize>),
}

impl Asked {
    /// An element that matches nothing gets the page's answer.
    fn of(question: &Question, page: &Page) -> Self {
        match page.s16_element(question) {
            Some(element) => Self::Element(page.chain(element).collect()),
            None => Self::page(page),
        }
    }

    fn page(page: &Page) -> Self {
        let is_whole = |element: &usize| page.is_html(*element, "html") || page.is_html(*element, "body");
        Self::Page((0..page.elements.len()).filter(is_whole).collect())
    }
}

/// The statements in ACAP that bear on what is asked, of the page and of the DOM where there is one.
#[derive(Default)]
pub struct ElementStatements {
    source: Vec<OnElement>,
    dom: Option<Vec<OnElement>>,
}

/// A statement, and how far out it stands: 0 is the element that is asked about.
#[derive(Clone)]
struct OnElement {
    distance: usize,
    statement: Statement,
    is_class: bool,
}

impl ElementStatements {
    pub fn of(question: &Question, robots: &RobotsEvidence, meta: &MetaStatements) -> Self {
        let robots = robots.document.as_ref();
        let source = question.page.as_ref().map(|page| of_page(PAGE, page, question, robots, &meta.source));
        let dom = question.dom.as_ref().zip(meta.dom.as_ref());
        Self {
            source: source.unwrap_or_default(),
            dom: dom.map(|(page, meta)| of_page(DOM, page, question, robots, meta)),
        }
    }

    /// The result of one tier and for one purpose; nothing where no statement bears on it. Of crawling none speaks.
    pub fn s16_verdict(&self, question: &Question, tier: &Usage, purpose: Option<&str>) -> Option<Verdict> {
        if question.usage == Usage::Crawl {
            return None;
        }
        let of_tier = |all: &[OnElement]| -> Vec<OnElement> {
            all.iter().filter(|own| own.statement.usage == *tier && own.statement.is_for(purpose)).cloned().collect()
        };
        let (source, dom) = (of_tier(&self.source), self.dom.as_ref().map(|dom| of_tier(dom)));
        let count = |own: &[OnElement], others: &Option<Vec<OnElement>>| -> Vec<OnElement> {
            let Some(others) = others else { return own.to_vec() };
            let counts = |one: &&OnElement| s25_counts(&one.statement, &of_kind(others, one.is_class), question);
            own.iter().filter(counts).cloned().collect()
        };
        let deciding = |all: Vec<OnElement>| match question.capabilities.reads_strawman {
            true => s28_outermost(all),
            false => s16_prohibitions_or_nearest(all),
        };
        let before = deciding(count(&source, &dom));
        let after = dom.map(|dom| deciding(count(&dom, &Some(source)))).unwrap_or_default();
        s16_together(question, &before, &after)
    }
}

fn of_kind(all: &[OnElement], is_class: bool) -> Vec<Statement> {
    all.iter().filter(|own| own.is_class == is_class).map(|own| own.statement.clone()).collect()
}

/// Every prohibition on the element or on what it is in; else the permissions nearest to it.
fn s16_prohibitions_or_nearest(all: Vec<OnElement>) -> Vec<OnElement> {
    let (permissions, prohibitions): (Vec<OnElement>, Vec<OnElement>) =
        all.into_iter().partition(|own| own.statement.permits);
    if !prohibitions.is_empty() {
        return prohibitions;
    }
    let nearest = permissions.iter().map(|own| own.distance).min();
    permissions.into_iter().filter(|own| Some(own.distance) == nearest).collect()
}

/// What is said on the outermost element of which anything is said; it voids all that is said within.
fn s28_outermost(all: Vec<OnElement>) -> Vec<OnElement> {
    let outermost = all.iter().map(|own| own.distance).max();
    all.into_iter().filter(|own| Some(own.distance) == outermost).collect()
}

/// The deciding statements of both documents together: classes have their result and fragments theirs, and a
/// prohibition of either prohibits.
fn s16_together(question: &Question, before: &[OnElement], after: &[OnElement]) -> Option<Verdict> {
    let result = |is_class: bool| {
        let own = |all: &[OnElement]| s27_alternatives(of_kind(all, is_class), question);
        let statements = s04_set_aside(s25_said_once(own(before), own(after)));
        (!statements.is_empty()).then(|| s07_many_statements(&statements))
    };
    let (classes, fragments) = match (result(true), result(false)) {
        (Some(classes), Some(fragments)) => (classes, fragments),
        (classes, fragments) => return classes.or(fragments),
    };
    Some(match (classes, fragments) {
        (Verdict::Permitted(one), Verdict::Permitted(two)) => Verdict::Permitted([one, two].concat()),
        (Verdict::Prohibited(one), Verdict::Prohibited(two)) => Verdict::Prohibited([one, two].concat()),
        (prohibited @ Verdict::Prohibited(_), Verdict::Permitted(_))
        | (Verdict::Permitted(_), prohibited @ Verdict::Prohibited(_)) => prohibited,
    })
}

/// The statements of one document that bear on what is asked.
fn of_page(name: &str, page: &Page, question: &Question, robots: Option<&Document>, meta: &InMetas) -> Vec<OnElement> {
    let classes = of_classes(name, page, question, robots, meta);
    let lacks_element_level = question.capabilities.lacks_element_level;
    if lacks_element_level && !question.capabilities.reads_strawman {
        return s16_without_element_level(classes);
    }
    // S-28: an id is that of the first element that has it.
    let fragments = meta.fragments.iter().filter(|_| !lacks_element_level).flat_map(|(ids, statement)| {
        let elements = ids.iter().filter_map(|id| page.first_with_id(id));
        elements.map(|element| (element, statement.clone(), false))
    });
    let all = classes.into_iter().map(|(element, statement)| (element, statement, true)).chain(fragments);
    // The strawman's crawlers without element level know no fragments, and are left with the page.
    let asked = if lacks_element_level { Asked::page(page) } else { Asked::of(question, page) };
    match asked {
        Asked::Element(chain) => {
            let on_chain = all.filter_map(|(element, statement, is_class)| {
                let distance = chain.iter().position(|outer| *outer == element)?;
                Some(OnElement { distance, statement, is_class })
            });
            on_chain.collect()
        }
        // All of them enter as they are: neither hides the other.
        Asked::Page(whole) => all
            .filter(|(element, statement, _)| !statement.permits && whole.contains(element))
            .map(|(_, statement, is_class)| OnElement { distance: 0, statement, is_class })
            .collect(),
    }
}

/// Whatever a class says of a usage prohibits it for the page.
fn s16_without_element_level(classes: Vec<(usize, Statement)>) -> Vec<OnElement> {
    let prohibits = |statement| Statement { permits: false, conditions: Vec::new(), ..statement };
    let all = classes.into_iter().map(|(_, statement)| prohibits(statement));
    all.map(|statement| OnElement { distance: 0, statement, is_class: true }).collect()
}

/// The classes of ACAP: for any crawler, without purpose and qualifier.
fn of_classes(
    name: &str,
    page: &Page,
    question: &Question,
    robots: Option<&Document>,
    meta: &InMetas,
) -> Vec<(usize, Statement)> {
    let mut found = Vec::new();
    for (number, own) in (1..).zip(page.said()) {
        let Kind::Acap { permits, usage, is_astray } = own.kind else { continue };
        // A local usage is the page's own (S-28), or one of robots.txt.
        let is_own = local_name(&usage).is_some_and(|local| meta.document.usages.contains_key(local));
        let mut documents = vec![&meta.document];
        documents.extend(robots.filter(|_| local_name(&usage).is_some() && !is_own));
        let field = AcapField {
            line: 0,
            permits,
            usage,
            resource: b"/".to_vec(),
            qualifiers: Vec::new(),
            purposes: Vec::new(),
        };
        let said = match permits {
            true => statements::s09_permission(&field, &documents, &question.capabilities),
            false => statements::s10_prohibition(&field, &documents),
        };
        found.extend(said.into_iter().map(|said| {
            let statement = Statement {
                places: vec![(name.to_owned(), number)],
                permits: permits && said.conditions.is_some() && !is_astray,
                usage: said.usage,
                patterns: vec![Pattern::read(b"/")],
                is_named: false,
                purposes: Vec::new(),
                conditions: said.conditions.unwrap_or_default(),
                is_conventional: false,
                locations: Vec::new(),
            };
            (own.element, statement)
        }));
    }
    found
}

/// The restrictions of the profile and of links, in both documents.
pub fn s17_said_on_elements(question: &Question) -> Vec<Word> {
    let mut places: Vec<Place> = Vec::new();
    for (name, page) in [(PAGE, &question.page), (DOM, &question.dom)] {
        let Some(page) = page.as_ref().filter(|_| question.reading != Reading::Rfc9309) else { continue };
        let numbers = s26_profile(question, page).into_iter().chain(s17_links(question, page));
        places.extend(numbers.map(|number| (name.to_owned(), number)));
    }
    places.into_iter().map(|place| Word { place, effect: Effect::Prohibits }).collect()
}

/// The classes of the profile that prohibit the usage: those of the nearest element that has any of its axis, where one
/// of them says no.
fn s26_profile(question: &Question, page: &Page) -> Vec<u32> {
    let axis = match &question.usage {
        Usage::Follow => Axis::Follow,
        Usage::Index => Axis::Index,
        Usage::AnchorText => Axis::AnchorText,
        Usage::PresentCurrentcopy | Usage::PresentOldcopy => Axis::Archive,
        _ => return Vec::new(),
    };
    if !page.s26_has_profile() || question.capabilities.lacks_element_level {
        return Vec::new();
    }
    let said = page.said();
    let on = |element: usize| -> Vec<(u32, bool)> {
        let own = (1..).zip(&said).filter(|(_, said)| said.element == element);
        let of_axis = own.filter_map(|(number, said)| match said.kind {
            Kind::Profile { axis: own, restricts } => (own == axis).then_some((number, restricts)),
            Kind::Acap { .. } | Kind::Nofollow => None,
        });
        of_axis.collect()
    };
    let classes: Vec<(u32, bool)> = match Asked::of(question, page) {
        Asked::Element(chain) => chain.into_iter().map(on).find(|classes| !classes.is_empty()).unwrap_or_default(),
        // A prohibition on `html` is one, whatever `body` says.
        Asked::Page(whole) => whole.into_iter().flat_map(on).collect(),
    };
    classes.into_iter().filter(|(_, restricts)| *restricts).map(|(number, _)| number).collect()
}

/// `nofollow` on the link that is asked about, or that the element is in.
fn s17_links(question: &Question, page: &Page) -> Vec<u32> {
    let (Asked::Element(chain), Usage::Follow) = (Asked::of(question, page), &question.usage) else {
        return Vec::new();
    };
    let said = page.said();
    let of_links = (1..).zip(&said).filter(|(_, said)| said.kind == Kind::Nofollow && chain.contains(&said.element));
    of_links.map(|(number, _)| number).collect()
}
