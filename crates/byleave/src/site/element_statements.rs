//! Statements on the elements of a page: ACAP classes, the Robot Exclusion Profile, links with `nofollow`,
//! search-engine marks, and fragments as in ACAP's strawman (S-16, S-17, S-26, S-28, S-49).
//!
//! A statement covers its element's subtree in the tree that a browser without scripting builds. `decide` chooses the
//! statement that decides for an element.

use crate::base::limits::STATEMENT_COST;
use crate::base::source::Span;
use crate::base::source::{Location, TableRange};
use crate::base::text::starts_with;
use crate::dialects::CLASS_BEGINNINGS;
use crate::dialects::acap::Acap;
use crate::dialects::acap::{AcapVersion, CLASS_PREFIXES};
use crate::dialects::acap::{Strawman, parse_classes, parse_fragments};
use crate::dialects::exclusion_profile::PROFILE;
use crate::dialects::exclusion_profile::PROFILE_CLASSES;
use crate::dialects::search_marks::Mark;
use crate::dialects::search_marks::Ranges;
use crate::dialects::search_marks::{
    NOCONTENT_CLASS, NOCONTENT_USAGES, NOINDEX, NOSNIPPET_AND_ANSWERS, NOSNIPPET_ATTRIBUTE, NOSNIPPET_USAGES,
    REL_WORDS, RangeKind,
};
use crate::formats::html::has_word;
use crate::formats::html::{Decoded, Elements, Name};
use crate::model::Carrier;
use crate::model::ElementId;
use crate::model::Usage;
use crate::model::diagnostic::{Code, Diagnostic, MAX_NOTES, shown};
use crate::model::reading::Switches;
use crate::site::response::{Declared, DocumentKind, ParsedDocument, noticed};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::HashSet;

/// The maximum number of elements with statements that are examined one by one (S-22).
const MAX_ELEMENTS: usize = 20_000;

/// The maximum work for all examined elements together, in octets compared (S-22).
const MAX_WORK: u64 = 1 << 30;

/// The statements on the elements of one page.
#[derive(Clone, Debug)]
pub(crate) struct ElementStatements {
    /// The page's index among the site's documents.
    pub(crate) document: usize,
    pub(crate) kind: DocumentKind,
    pub(crate) elements: Elements,
    /// The class tokens, after character references are resolved.
    pub(crate) text: Vec<u8>,
    /// The restrictions, in document order of their elements.
    restrictions: Vec<Restriction>,
    /// The marked ranges in the page (S-49). For an element in a range, `restrictions` has an entry too.
    ranges: Ranges,
    of_ranges: Vec<Restriction>,
    pub(crate) acaps: Vec<ElementAcap>,
    /// The ACAP classes and their locations.
    tokens: Vec<(TableRange, Location)>,
    /// Classes of the Robot Exclusion Profile on a page that does not name the profile.
    unread: Vec<(TableRange, Location)>,
    /// The elements `html` and `body`. Their prohibitions count for the page (S-16).
    whole: SmallVec<[ElementId; 2]>,
    /// For each element, the statements on it and on its ancestors.
    around: Vec<Around>,
}

/// Which elements have statements among an element and its ancestors. Statements on ancestors apply to the element too.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// The nearest of these elements.
    nearest: Option<ElementId>,
    /// The number of these elements.
    count: u32,
}

/// The elements with statements that are examined one by one.
#[derive(Default)]
pub(crate) struct ExaminedElements {
    /// The elements, in document order.
    pub(crate) elements: Vec<ElementId>,
    /// How many of the elements are examined, from the first.
    pub(crate) count: usize,
}

impl ExaminedElements {
    /// Whether all elements are within the limit (S-22).
    pub(crate) fn is_all(&self) -> bool {
        self.elements.len() <= self.count
    }
}

/// A class of the Robot Exclusion Profile, a link with `nofollow`, or a search-engine mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restriction {
    pub(crate) element: ElementId,
    pub(crate) axis: Axis,
    /// Whether the statement restricts. A positive class does not: it only lifts an outer element's restriction.
    pub(crate) restricts: bool,
    pub(crate) written: TableRange,
    pub(crate) at: Location,
}

/// The kind of a restriction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// One of the four axes of the Robot Exclusion Profile.
    Profile(usize),
    /// `rel=nofollow` or a similar value.
    Link,
    /// A mark that restricts these usages (S-49). No statement lifts it.
    Marked(&'static [Usage]),
}

impl Axis {
    /// Returns the usages that are restricted.
    pub(crate) fn usages(self) -> &'static [Usage] {
        match self {
            Self::Profile(axis) => {
                PROFILE_CLASSES.iter().find(|class| class.axis == axis).map_or(&[], |class| class.usages)
            }
            Self::Link => &[Usage::Follow],
            Self::Marked(usages) => usages,
        }
    }
}

/// ACAP statements on elements, as parsed by crawlers to which this version is declared.
#[derive(Clone, Debug)]
pub(crate) struct ElementAcap {
    pub(crate) version: Declared,
    /// Whether the strawman is read. `None` if it makes no difference.
    pub(crate) strawman: Option<Strawman>,
    pub(crate) acap: Acap,
    /// Pairs of an element and the number of a statement on it, in document order.
    on: Vec<(ElementId, u32)>,
    /// The text that contains the statements.
    pub(crate) text: Vec<u8>,
    /// The statements' carrier: classes, or META tags with lists of ids.
    pub(crate) carrier: Carrier,
}

impl ElementStatements {
    /// Parses the statements on a page's elements. `head` contains the page's META tags.
    pub(crate) fn of(
        page: &Decoded<'_>,
        head: &ParsedDocument,
        switches: &'static Switches,
        robots_txt: Option<&Acap>,
    ) -> Self {
        // The marks of ranges, in page order (S-49).
        let mut marks = Vec::new();
        let mut read = Self {
            document: head.document,
            kind: head.kind,
            elements: Elements::observed(page, |token| marks.extend(Mark::of(token, page.text()))),
            text: Vec::new(),
            restrictions: Vec::new(),
            ranges: Ranges::default(),
            of_ranges: Vec::new(),
            acaps: Vec::new(),
            tokens: Vec::new(),
            unread: Vec::new(),
            whole: SmallVec::new(),
            around: Vec::new(),
        };
        // The element that each ACAP class is on.
        let mut owners: Vec<ElementId> = Vec::new();
        let has_profile = read.elements.has_profile(page, PROFILE);
        let is_marked = has_word(page, NOSNIPPET_ATTRIBUTE) || !marks.is_empty();
        for element in read.elements.ids() {
            if matches!(read.elements.name(element), Name::Html | Name::Body) {
                read.whole.push(element);
            }
            let Some(tag) = read.elements.tag(page, element) else { continue };
            let at = Location { start: tag.start, end: tag.end, line: 0, column: 0 };
            read.read_classes(page, element, at, has_profile, &mut owners);
            read.read_link(page, element, at);
            if is_marked {
                read.read_marks(page, element, at, switches);
            }
        }
        read.read_ranges(page, &marks);
        read.read_acap(&owners, head, switches, robots_txt);
        read.read_fragments(page, head, switches, robots_txt);
        read.around = read.what_is_around();
        read
    }

    /// Adds the ACAP classes and the profile classes on one element.
    fn read_classes(
        &mut self,
        page: &Decoded<'_>,
        element: ElementId,
        at: Location,
        has_profile: bool,
        owners: &mut Vec<ElementId>,
    ) {
        let mut known: HashSet<String> = HashSet::new();
        let classes: Vec<String> = self.elements.classes(page, element).map(Cow::into_owned).collect();
        for class in classes {
            // A class that is repeated on an element counts once.
            let is_ours = CLASS_BEGINNINGS.iter().any(|start| starts_with(class.as_bytes(), start.as_bytes()));
            if !is_ours || !known.insert(class.to_ascii_lowercase()) {
                continue;
            }
            if CLASS_PREFIXES.iter().any(|prefix| starts_with(class.as_bytes(), prefix.as_bytes())) {
                let token = self.keep(class.as_bytes());
                self.tokens.push((token, at));
                owners.push(element);
            }
            if NOCONTENT_CLASS.eq_ignore_ascii_case(&class) {
                let (axis, written) = (Axis::Marked(NOCONTENT_USAGES), self.keep(class.as_bytes()));
                self.restrictions.push(Restriction { element, axis, restricts: true, written, at });
            }
            let Some(known) = PROFILE_CLASSES.iter().find(|known| known.name.eq_ignore_ascii_case(&class)) else {
                continue;
            };
            let written = self.keep(class.as_bytes());
            if has_profile {
                let (axis, restricts) = (Axis::Profile(known.axis), known.restricts);
                self.restrictions.push(Restriction { element, axis, restricts, written, at });
            } else {
                self.unread.push((written, at));
            }
        }
    }

    /// Adds an element that is a link with `nofollow`.
    fn read_link(&mut self, page: &Decoded<'_>, element: ElementId, at: Location) {
        let is_link = match self.elements.name(element) {
            Name::A | Name::Area => true,
            // SVG has its own links. In other namespaces, some crawlers may treat elements with these names as links.
            Name::Foreign => matches!(&*self.elements.written_name(page, element), "a" | "area"),
            _ => false,
        };
        let has = |name: &str| self.elements.attribute(page, element, name).is_some();
        if !is_link || !(has("href") || has("xlink:href")) {
            return;
        }
        let Some(rel) = self.elements.attribute(page, element, "rel").map(Cow::into_owned) else { return };
        let mut words = rel.split(|letter: char| letter.is_ascii_whitespace() || matches!(letter, ',' | ';'));
        if words.any(|word| REL_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))) {
            let written = self.keep(rel.as_bytes());
            self.restrictions.push(Restriction { element, axis: Axis::Link, restricts: true, written, at });
        }
    }

    /// Adds the marks on an element. A mark is an attribute or the element's name (S-49).
    fn read_marks(&mut self, page: &Decoded<'_>, element: ElementId, at: Location, switches: &Switches) {
        let is_named = |names: &[&str]| names.contains(&&*self.elements.written_name(page, element));
        let counts = switches.nosnippet_elements.is_none_or(is_named);
        if counts && self.elements.attribute(page, element, NOSNIPPET_ATTRIBUTE).is_some() {
            let usages = if switches.nosnippet_bars_answers { NOSNIPPET_AND_ANSWERS } else { NOSNIPPET_USAGES };
            let (axis, written) = (Axis::Marked(usages), self.keep(NOSNIPPET_ATTRIBUTE.as_bytes()));
            self.restrictions.push(Restriction { element, axis, restricts: true, written, at });
        }
        if self.elements.start_tag(page, element).is_some_and(|tag| tag.is(NOINDEX)) {
            let (axis, written) = (Axis::Marked(RangeKind::Tag.usages()), self.keep(at.of(page.text())));
            self.restrictions.push(Restriction { element, axis, restricts: true, written, at });
        }
    }

    /// Adds the ranges that are marked in the source, and the elements in them (S-49).
    ///
    /// Cost: builds the page's tree once more, because the first tree did not keep the texts.
    fn read_ranges(&mut self, page: &Decoded<'_>, marks: &[Mark]) {
        if marks.is_empty() {
            return;
        }
        self.ranges = Ranges::of(marks);
        // The element is not known yet.
        let element = ElementId(u32::MAX);
        for number in 0..self.ranges.all().len() {
            let Some(range) = self.ranges.all().get(number).copied() else { break };
            let at = Location { start: range.mark.start, end: range.mark.end, line: 0, column: 0 };
            let (axis, written) = (Axis::Marked(range.kind.usages()), self.keep(at.of(page.text())));
            self.of_ranges.push(Restriction { element, axis, restricts: true, written, at });
        }
        for (element, number) in self.ranges.covered(page, &Elements::of(page)) {
            let on_element = self.of_ranges.get(number).map(|range| Restriction { element, ..*range });
            self.restrictions.extend(on_element);
            if let Some(range) = self.of_ranges.get_mut(number) {
                range.element = range.element.min(element);
            }
        }
        self.restrictions.sort_by_key(|one| one.element);
    }

    /// Returns the restriction with this number. The numbers count the restrictions on elements first, then the
    /// restrictions of ranges.
    pub(crate) fn restriction(&self, number: u32) -> Option<&Restriction> {
        self.restrictions.iter().chain(&self.of_ranges).nth(number as usize)
    }

    /// Returns the number of a range's restriction. The range contains the text and restricts the usage.
    ///
    /// Cost: O(log ranges).
    pub(crate) fn restriction_of_text(&self, text: Span, usage: &Usage) -> Option<u32> {
        let of_usage =
            |number: &usize| self.of_ranges.get(*number).is_some_and(|range| range.axis.usages().contains(usage));
        let number = self.ranges.around((text.start, text.end.saturating_sub(1))).find(of_usage)?;
        Some((self.restrictions.len() + number) as u32)
    }

    /// Whether some range restricts a usage.
    pub(crate) fn has_ranges_of(&self, usage: &Usage) -> bool {
        self.of_ranges.iter().any(|range| range.axis.usages().contains(usage))
    }

    /// Returns the numbers of the ranges that restrict a usage and do not contain a whole element.
    pub(crate) fn ranges_of_text(&self, usage: &Usage) -> impl Iterator<Item = u32> {
        let is_asked =
            |range: &Restriction| range.element == ElementId(u32::MAX) && range.axis.usages().contains(usage);
        let numbered = (self.restrictions.len() as u32..).zip(&self.of_ranges);
        numbered.filter(move |(_, range)| is_asked(range)).map(|(number, _)| number)
    }

    fn what_is_around(&self) -> Vec<Around> {
        let mut around = vec![Around::default(); self.elements.count() as usize];
        let on = self.acaps.iter().flat_map(|read| read.on.iter().map(|(element, _)| *element));
        for element in on.chain(self.restrictions.iter().map(|one| one.element)) {
            if let Some(own) = around.get_mut(element.0 as usize) {
                *own = Around { nearest: Some(element), count: 1 };
            }
        }
        // Elements are in document order, so an element's ancestors have already been visited.
        for id in self.elements.ids() {
            let outer = self.elements.parent(id).and_then(|parent| around.get(parent.0 as usize));
            let Around { nearest, count } = outer.copied().unwrap_or_default();
            if let Some(own) = around.get_mut(id.0 as usize) {
                *own = Around { nearest: own.nearest.or(nearest), count: own.count + count };
            }
        }
        around
    }

    fn read_acap(
        &mut self,
        owners: &[ElementId],
        head: &ParsedDocument,
        switches: &'static Switches,
        robots_txt: Option<&Acap>,
    ) {
        if self.tokens.is_empty() {
            return;
        }
        // The text of definitions is stored with the page's META tags, so it is appended to the text of the classes.
        let mut text = self.text.clone();
        let definitions = head.definitions(&mut text);
        for (version, strawman) in head.variants() {
            let read = strawman.unwrap_or(Strawman::Unread);
            let (acap, of) =
                parse_classes(&text, &self.tokens, &definitions, version.version(), read, switches, robots_txt, None);
            let owners = of.iter().map(|token| owners.get(*token as usize));
            // The owners are in document order.
            let on = owners.zip(0u32..).filter_map(|(owner, number)| Some((*owner?, number))).collect();
            self.acaps.push(ElementAcap { version, strawman, acap, on, text: text.clone(), carrier: Carrier::Element });
        }
    }

    /// Adds the permissions for fragments, as in ACAP's strawman.
    fn read_fragments(
        &mut self,
        page: &Decoded<'_>,
        head: &ParsedDocument,
        switches: &'static Switches,
        robots_txt: Option<&Acap>,
    ) {
        for (version, strawman) in head.variants() {
            if strawman != Some(Strawman::Read) {
                continue;
            }
            let (text, metas) = head.tags();
            let (acap, lists) = parse_fragments(text, metas, version.version(), switches, robots_txt);
            if lists.is_empty() {
                continue;
            }
            let element = |id: &String| self.elements.with_id(page, id);
            let lists = lists.iter().zip(0u32..);
            let mut on: Vec<_> =
                lists.flat_map(|(list, number)| list.iter().filter_map(element).map(move |id| (id, number))).collect();
            on.sort_unstable();
            on.dedup();
            self.acaps.push(ElementAcap { version, strawman, acap, on, text: text.to_vec(), carrier: Carrier::Meta });
        }
    }

    fn keep(&mut self, bytes: &[u8]) -> TableRange {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        TableRange { start, length: bytes.len() as u32 }
    }

    /// Reports problems in statements on elements.
    pub(crate) fn diagnose(
        &self,
        head: &ParsedDocument,
        switches: &'static Switches,
        robots_txt: Option<&Acap>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let mut text = self.text.clone();
        let definitions = head.definitions(&mut text);
        let found = noticed(!definitions.is_empty(), |strawman, found| {
            let version = AcapVersion::UNDECLARED;
            parse_classes(&text, &self.tokens, &definitions, version, strawman, switches, robots_txt, Some(found));
            // Problems in definitions are already reported for the head.
            found.retain(|note| (note.span.start as usize) < self.text.len());
        });
        for note in found.into_iter().take(MAX_NOTES) {
            // The note's span is in a class token, but the diagnostic covers the whole tag.
            let behind = self.tokens.partition_point(|(token, _)| token.start <= note.span.start);
            let at = behind.checked_sub(1).and_then(|number| self.tokens.get(number)).map(|(_, at)| *at);
            notes.push(Diagnostic { span: at.map_or(note.span, span_of), ..note });
        }
        for (token, at) in self.tokens.iter().take(MAX_NOTES) {
            let verb = token.of(&self.text).rsplit(|byte| *byte == b':').next().unwrap_or_default();
            let is_crawl =
                [&b"allow-crawl"[..], b"disallow-crawl"].iter().any(|crawl| verb.eq_ignore_ascii_case(crawl));
            if is_crawl {
                let message = "a class cannot control crawling: the page is crawled before it is read";
                notes.push(self.note(Code::CrawlOnElement, *token, *at, message, "write it in robots.txt"));
            }
        }
        for (class, at) in self.unread.iter().take(MAX_NOTES) {
            let message = "this class has an effect only on a page that names the Robot Exclusion Profile";
            let help = "name the profile: `<head profile=\"http://example.org/xmdp/robots-profile#\">`";
            notes.push(self.note(Code::ProfileMissing, *class, *at, message, help));
        }
    }

    fn note(&self, code: Code, token: TableRange, at: Location, message: &str, help: &str) -> Diagnostic {
        let written = shown(&self.text, (token.start as usize, (token.start + token.length) as usize));
        Diagnostic {
            code,
            severity: code.severity(),
            document: String::new(),
            span: span_of(at),
            message: format!("`{written}`: {message}"),
            help: Some(help.to_owned()),
        }
    }

    /// Returns the first element in document order that a question names as `#id` or `.class`.
    pub(crate) fn find(&self, page: &Decoded<'_>, named: &str) -> Option<ElementId> {
        match (named.strip_prefix('#'), named.strip_prefix('.')) {
            (Some(id), _) => self.elements.with_id(page, id),
            (_, Some(class)) => self.elements.with_class(page, class),
            _ => None,
        }
    }

    /// Returns the elements with statements that may apply to a usage, together with `others`. Also returns how many of
    /// them are examined if one decision costs `work` plus the cost of the statements on enclosing elements (S-22).
    pub(crate) fn examined_elements(&self, usage: &Usage, others: &[ElementId], work: u64) -> ExaminedElements {
        let mut elements = self.addressed(usage);
        if !others.is_empty() {
            elements.extend_from_slice(others);
            elements.sort_unstable();
            elements.dedup();
        }
        let mut left = MAX_WORK;
        let is_afforded = |element: &&ElementId| {
            let around = self.around.get(element.0 as usize).map_or(0, |around| u64::from(around.count));
            left = left.saturating_sub(work + STATEMENT_COST * around);
            left > 0
        };
        let count = elements.iter().take(MAX_ELEMENTS).take_while(is_afforded).count();
        ExaminedElements { elements, count }
    }

    /// Returns the elements with statements that may apply to a usage, in document order.
    fn addressed(&self, usage: &Usage) -> Vec<ElementId> {
        let classes = self.acaps.iter().flat_map(|read| read.on.iter().map(|(element, _)| *element));
        let is_asked = |one: &&Restriction| one.axis.usages().contains(usage);
        let restrictions = self.restrictions.iter().filter(is_asked).map(|one| one.element);
        let mut elements: Vec<_> = classes.chain(restrictions).collect();
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    /// Whether an element or one of its ancestors has statements.
    pub(crate) fn has_statement(&self, element: ElementId) -> bool {
        self.around.get(element.0 as usize).is_some_and(|around| around.count > 0)
    }

    /// Whether a statement on `outer` covers `inner`. It does if `inner` is the same element or is inside it.
    pub(crate) fn covers(&self, outer: ElementId, inner: ElementId) -> bool {
        self.elements.is_within(inner, outer)
    }

    /// Returns the elements whose statements apply to the element in question, from the inside out. These are the
    /// element and its ancestors, if they have statements. For a question about the page, returns `html` and `body`.
    pub(crate) fn bearing_on(&self, element: Option<ElementId>) -> impl Iterator<Item = ElementId> {
        let nearest = |element: ElementId| self.around.get(element.0 as usize).and_then(|around| around.nearest);
        let around = move |element: &ElementId| self.elements.parent(*element).and_then(nearest);
        let lineage = std::iter::successors(element.and_then(nearest), around);
        let whole = if element.is_none() { self.whole.as_slice() } else { &[] };
        lineage.chain(whole.iter().copied())
    }

    /// Calls `visit` with the number of each restriction of a usage that applies to an element. For each axis of the
    /// profile, the nearest class counts. If one element has several classes of the same axis, the restrictive class
    /// counts. Every enclosing link and mark counts. For a question about the page, restrictions on `html` and `body`
    /// count.
    ///
    /// Cost: one search for each enclosing element that has statements.
    pub(crate) fn each_restriction(
        &self,
        element: Option<ElementId>,
        usage: &Usage,
        element_level: bool,
        mut visit: impl FnMut(u32),
    ) {
        if self.restrictions.is_empty() {
            return;
        }
        let mut nearer: SmallVec<[Axis; 4]> = SmallVec::new();
        for bearing in self.bearing_on(element) {
            let first = self.restrictions.partition_point(|one| one.element < bearing);
            let from = self.restrictions.get(first..).unwrap_or_default();
            let on_it = from.iter().take_while(|one| one.element == bearing);
            let mut here: SmallVec<[Axis; 4]> = SmallVec::new();
            for (one, number) in on_it.zip(first as u32..).filter(|(one, _)| one.axis.usages().contains(usage)) {
                // A crawler that cannot distinguish elements does not read profile classes or marks (S-16).
                let counts = match one.axis {
                    Axis::Link => true,
                    Axis::Marked(_) => element_level,
                    Axis::Profile(_) => element_level && !nearer.contains(&one.axis),
                };
                if counts && one.restricts {
                    visit(number);
                }
                if element.is_some() && matches!(one.axis, Axis::Profile(_)) {
                    here.push(one.axis);
                }
            }
            nearer.extend(here);
        }
    }
}

impl ElementAcap {
    /// Returns the numbers of the statements on an element.
    pub(crate) fn on(&self, element: ElementId) -> impl Iterator<Item = u32> {
        let first = self.on.partition_point(|(known, _)| *known < element);
        let from = self.on.get(first..).unwrap_or_default();
        from.iter().take_while(move |(known, _)| *known == element).map(|(_, number)| *number)
    }
}

fn span_of(at: Location) -> Span {
    Span { start: at.start, end: at.end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reading::Reading;
    use crate::site::{AskedFor, Site};

    fn looked_at(page: &str, work: u64) -> Option<(usize, usize)> {
        let site = Site::builder(Reading::Default).with_page(page.as_bytes()).build();
        let on = site.elements(AskedFor::Parts(&Usage::Index))?.first()?.examined_elements(&Usage::Index, &[], work);
        Some((on.elements.len(), on.count))
    }

    #[test]
    fn s22_fewer_elements_are_looked_at_where_each_is_much_work() {
        let page = "<p class=the-acap:disallow-index>a</p>".repeat(100);
        assert_eq!(looked_at(&page, 1), Some((100, 100)));
        assert_eq!(looked_at(&page, MAX_WORK / 10), Some((100, 9)));
        assert_eq!(looked_at(&page, MAX_WORK), Some((100, 0)));
        assert_eq!(looked_at(&page, u64::MAX / 2), Some((100, 0)));
        let page = "<p class=the-acap:disallow-index>a</p>".repeat(MAX_ELEMENTS + 1);
        assert_eq!(looked_at(&page, 1), Some((MAX_ELEMENTS + 1, MAX_ELEMENTS)));
    }

    #[test]
    fn s22_what_is_said_around_an_element_is_work_too() {
        let nested = "<div class=the-acap:disallow-index>".repeat(100);
        // The remaining work, after STATEMENT_COST for each enclosing element.
        assert_eq!(looked_at(&nested, MAX_WORK / 100 - 100 * STATEMENT_COST), Some((100, 100)));
        assert_eq!(looked_at(&nested, MAX_WORK / 100), Some((100, 99)));
    }
}
