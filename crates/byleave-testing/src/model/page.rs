//! The statements that a page makes about a question: which META tags apply (S-24), their ACAP content (S-11, S-28),
//! and statements on elements (S-16, S-26, S-37).

use super::document::{Document, Field, s11_is_gated, s11_version};
use super::html::{Meta, OnElement, Page, s09_fields};
use super::statements::{Carrier, Statement, s09_statements};
use super::text::re;
use super::{Question, said_in};
use byleave::{Reading, Usage};

impl Page {
    /// Returns the element that a question names, and its ancestors. Returns `None` if the question is about the page,
    /// or names an element that does not exist.
    fn s16_asked(&self, question: &Question) -> Option<Vec<usize>> {
        let parts = re("^([#.])(.*)$").captures(question.element.as_ref()?)?;
        let element = self.first(if &parts[1] == "#" { "id" } else { "class" }, &parts[2])?;
        Some(self.chain(element).collect())
    }

    /// Returns whether the part that a condition requires is missing: it does not exist, or it does not contain the
    /// element in the question.
    pub fn s37_lacks(&self, kind: &str, name: &str, question: &Question) -> bool {
        let Some(target) = self.first(kind, name) else { return true };
        self.s16_asked(question).is_some_and(|chain| !chain.contains(&target))
    }

    /// Returns the META tags that apply to the crawler or to any crawler, and whether they name it.
    pub fn s24_metas<'p>(&'p self, question: &'p Question) -> impl Iterator<Item = (&'p Meta, bool)> {
        let reads_body = question.capabilities.reads_body_meta || question.reading == Reading::GoogleSearch;
        let counts = move |meta: &&Meta| !meta.is_in_value && (meta.is_in_head || reads_body);
        self.metas.iter().filter(counts).filter_map(|meta| Some((meta, question.s35_level(&meta.name, "robots")?)))
    }

    /// Returns the declarations and definitions in the page's META tags.
    fn document(&self, question: &Question) -> Document {
        let metas = self.s24_metas(question).filter(|(meta, _)| meta.is_in_head);
        let declared = metas
            .filter_map(|(meta, _)| meta.acap())
            .filter_map(|said| s11_version(&re(r"^version\s+(\S+)\s*$").captures(&said)?[1]));
        let mut document = Document { version: declared.min(), ..Document::default() };
        // S-28: a definition is in `content` or `value`, with or without the word ACAP before it.
        for meta in self.metas.iter().filter(|meta| meta.is_in_head && question.capabilities.reads_strawman) {
            document.define(&meta.name.to_ascii_lowercase(), &meta.acap().unwrap_or(meta.content.clone()));
        }
        document
    }

    /// Returns the ACAP statements in META tags and classes that apply to the question.
    pub fn statements(&self, robots: Option<&Document>, question: &Question) -> Vec<Statement> {
        let document = self.document(question);
        let mut found = Vec::new();
        for (meta, is_named) in self.s24_metas(question) {
            for (ids, mut field) in s09_fields(meta, question.capabilities.reads_strawman) {
                if field.said.permits && (!meta.is_in_head || s11_is_gated(document.version, &field.qualifiers)) {
                    continue;
                }
                field.said.is_named = is_named;
                let statements = s28_statements(field, &document, robots, question);
                match ids {
                    None => found.extend(statements),
                    // An id refers to the first element that has it.
                    Some(ids) => found.extend(ids.iter().filter_map(|id| self.first("id", id)).flat_map(|element| {
                        statements.iter().filter_map(move |statement| self.s16_bearing(statement, element, question))
                    })),
                }
            }
        }
        for (element, text, own) in self.said() {
            let OnElement::Acap(mut field) = own else { continue };
            field.said.places = [said_in("element", &text)].into();
            let statements = s28_statements(field, &document, robots, question);
            found.extend(statements.iter().filter_map(|statement| self.s16_bearing(statement, element, question)));
        }
        found
    }

    /// Returns the statement on an element as it applies to the question, or `None` if it does not apply. For a
    /// question about an element, the result contains the distance. For a question about the page, only prohibitions on
    /// `html` and `body` apply. For a crawler without element-level support, every statement on an element prohibits
    /// for the whole page, but with the strawman, fragments are ignored.
    fn s16_bearing(&self, statement: &Statement, element: usize, question: &Question) -> Option<Statement> {
        let lacks_element_level = question.capabilities.lacks_element_level;
        if lacks_element_level && !question.capabilities.reads_strawman {
            return Some(Statement { permits: false, conditions: Vec::new(), ..statement.clone() });
        }
        if lacks_element_level && statement.carrier == Carrier::Fragment {
            return None;
        }
        let distance = match self.s16_asked(question).filter(|_| !lacks_element_level) {
            Some(chain) => chain.iter().position(|outer| *outer == element)?,
            None => (!statement.permits && self.is_whole(element)).then_some(0)?,
        };
        Some(Statement { distance, ..statement.clone() })
    }

    /// Returns whether the element is `html` or `body`, where a prohibition applies to the page.
    fn is_whole(&self, element: usize) -> bool {
        self.is_html(element, "html") || self.is_html(element, "body")
    }

    /// Returns the restrictions from profile classes, links and marks. A profile class counts if it is on the nearest
    /// element that has a class on the usage's axis. `nofollow` counts if it is on the element in the question or on an
    /// ancestor.
    pub fn s26_restrictions(&self, question: &Question) -> Vec<String> {
        let axis = match &question.usage {
            Usage::Follow => "follow",
            Usage::Index => "index",
            Usage::AnchorText => "anchortext",
            Usage::PresentCurrentcopy | Usage::PresentOldcopy => "archive",
            Usage::PresentSnippet | Usage::PresentOldsnippet => "snippet",
            // S-48: for Bing, text that must not appear in a snippet must not be used in an answer either.
            Usage::AiInput if question.reading == Reading::Bing => "answer",
            _ => return Vec::new(),
        };
        let (said, chain) = (self.said(), self.s16_asked(question));
        let counts = self.s26_has_profile() && !question.capabilities.lacks_element_level;
        let is_of_axis = |own: &OnElement| matches!(own, OnElement::Profile { axis: known, .. } if known == axis);
        let on =
            |place: usize| said.iter().filter(move |(element, _, own)| counts && *element == place && is_of_axis(own));
        let bearing: Vec<usize> = match &chain {
            Some(chain) => chain.iter().copied().find(|place| on(*place).next().is_some()).into_iter().collect(),
            // A prohibition on `html` applies, whatever `body` states.
            None => (0..self.elements.len()).filter(|element| self.is_whole(*element)).collect(),
        };
        let classes = bearing
            .into_iter()
            .flat_map(on)
            .filter(|(.., own)| matches!(own, OnElement::Profile { restricts: true, .. }));
        let is_in = |element: &usize| axis == "follow" && chain.as_ref().is_some_and(|chain| chain.contains(element));
        let links = said.iter().filter(|(element, _, own)| matches!(own, OnElement::Nofollow) && is_in(element));
        // S-49: marks on the element and its ancestors apply. For a question about the page, marks on `html` and `body`
        // apply. Nothing lifts a mark.
        let covers = |element: &usize| match &chain {
            Some(chain) => chain.contains(element),
            None => self.is_whole(*element),
        };
        let speaks = |own: &OnElement| matches!(own, OnElement::Marked(of) if of.split(' ').any(|of| of == axis));
        let reads = !question.capabilities.lacks_element_level;
        // S-48: Google Search reads `data-nosnippet` on three elements only.
        let is_read = |element: usize, text: &str| {
            let name = self.elements[element].name.as_str();
            let is_google = question.reading == Reading::GoogleSearch && text == "data-nosnippet";
            reads && (!is_google || ["span", "div", "section"].contains(&name))
        };
        let marks =
            said.iter().filter(|(element, text, own)| is_read(*element, text) && speaks(own) && covers(element));
        classes.chain(links).chain(marks).map(|(_, text, _)| text.clone()).collect()
    }

    /// Returns whether the page declares the profile. Without the declaration, profile classes have no meaning.
    fn s26_has_profile(&self) -> bool {
        let is_profile =
            |uris: &str| re(r"(?:^|\s)(?-i:http://example\.org/xmdp/robots-profile#?)(?:\s|$)").is_match(uris);
        (0..self.elements.len()).any(|number| {
            let attribute = |name: &str| self.elements[number].attribute(name).unwrap_or_default();
            let is_link = self.is_html(number, "link") && re(r"(?:^|\s)profile(?:\s|$)").is_match(attribute("rel"));
            (self.is_html(number, "head") && is_profile(attribute("profile")))
                || (is_link && is_profile(attribute("href")))
        })
    }
}

/// Returns the statements in a field of the page. A local usage is defined in the page or in robots.txt. META tags must
/// not use a definition in robots.txt. If a META tag does, its permission is uninterpretable.
fn s28_statements(mut field: Field, own: &Document, robots: Option<&Document>, question: &Question) -> Vec<Statement> {
    let is_foreign = field.usage.starts_with('(') && !own.usages.contains_key(&field.usage);
    field.falls |= is_foreign && field.said.carrier != Carrier::Class;
    let documents: Vec<&Document> = [own].into_iter().chain(robots.filter(|_| is_foreign)).collect();
    s09_statements(&field, &documents, question)
}
