//! A page by html5ever's tree, scripting off: its METAs (S-24) and what ACAP says in them (S-09, S-11, S-28), and what
//! is said on its elements (S-16, S-17, S-26).

use super::oracle::elements::{Element, elements};
use super::robots::{Document, s11_version};
use super::statements::{Carrier, Field, Statement, s09_statements, s11_is_gated};
use super::text::re;
use super::{Question, said_in};
use regex::Captures;
use wayleave::Usage;

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub html: String,
    pub metas: Vec<Meta>,
    /// In document order.
    pub elements: Vec<Element>,
}

/// A META tag with a name and content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meta {
    pub name: String,
    pub content: String,
    /// Whether the content stands in the attribute `value`, as the strawman had it.
    pub is_in_value: bool,
    pub is_in_head: bool,
}

impl Meta {
    /// What ACAP says in it: the content after its first word, if that is `ACAP`.
    pub fn acap(&self) -> Option<String> {
        re(r"^\s*acap(?:\s+(.*))?$")
            .captures(&self.content)
            .map(|parts| parts.get(1).map_or("", |said| said.as_str()).to_owned())
    }
}

impl Page {
    /// Any HTML as a page.
    pub fn read(html: &str) -> Self {
        let mut page =
            Self { html: html.to_owned(), elements: elements(html.trim_start_matches('\u{feff}')), metas: Vec::new() };
        let is_meta = |number: &usize| page.is_html(*number, "meta");
        page.metas = (0..page.elements.len()).filter(is_meta).filter_map(|number| page.meta(number)).collect();
        page
    }

    fn meta(&self, number: usize) -> Option<Meta> {
        let element = &self.elements[number];
        let content = element.attribute("content");
        Some(Meta {
            name: element.attribute("name")?.trim().to_owned(),
            content: content.or(element.attribute("value"))?.to_owned(),
            is_in_value: content.is_none(),
            is_in_head: self.chain(number).any(|outer| self.is_html(outer, "head")),
        })
    }

    /// The element and all that it is in, from the inside out.
    fn chain(&self, element: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(element), |inner| self.elements[*inner].parent)
    }

    fn is_html(&self, element: usize, name: &str) -> bool {
        self.elements[element].is_html && self.elements[element].name == name
    }

    /// The first element with an id or a class, with case, or the first META of a name, without.
    fn first(&self, kind: &str, name: &str) -> Option<usize> {
        let is_it = |own: &Element| match kind {
            "id" => own.attribute("id") == Some(name),
            "class" => own.attribute("class").unwrap_or_default().split_ascii_whitespace().any(|class| class == name),
            _ => {
                let is_meta = own.is_html && own.name == "meta";
                is_meta && own.attribute("name").is_some_and(|own| own.trim().eq_ignore_ascii_case(name))
            }
        };
        self.elements.iter().position(is_it)
    }

    /// The element that a question names, and all that it is in; nothing where the question is about the page, or names
    /// nothing that is there.
    fn s16_asked(&self, question: &Question) -> Option<Vec<usize>> {
        let parts = re("^([#.])(.*)$").captures(question.element.as_ref()?)?;
        let element = self.first(if &parts[1] == "#" { "id" } else { "class" }, &parts[2])?;
        Some(self.chain(element).collect())
    }

    /// Whether a condition asks for a part that is not there, or that the element asked about is not in.
    pub fn s37_lacks(&self, kind: &str, name: &str, question: &Question) -> bool {
        let Some(target) = self.first(kind, name) else { return true };
        self.s16_asked(question).is_some_and(|chain| !chain.contains(&target))
    }

    /// The METAs for the crawler or for any that count, and whether they name it.
    pub fn s24_metas<'p>(&'p self, question: &'p Question) -> impl Iterator<Item = (&'p Meta, bool)> {
        let counts = |meta: &&Meta| !meta.is_in_value && (meta.is_in_head || question.capabilities.reads_body_meta);
        self.metas.iter().filter(counts).filter_map(|meta| Some((meta, question.s35_level(&meta.name, "robots")?)))
    }

    /// What its METAs declare and define.
    fn document(&self, question: &Question) -> Document {
        let metas = self.s24_metas(question).filter(|(meta, _)| meta.is_in_head);
        let declared = metas
            .filter_map(|(meta, _)| meta.acap())
            .filter_map(|said| s11_version(&re(r"^version\s+(\S+)\s*$").captures(&said)?[1]));
        let mut document = Document::default();
        document.version = declared.min();
        // S-28: in `content` or `value`, with the word ACAP or without.
        for meta in self.metas.iter().filter(|meta| meta.is_in_head && question.capabilities.reads_strawman) {
            document.define(&meta.name.to_ascii_lowercase(), &meta.acap().unwrap_or(meta.content.clone()));
        }
        document
    }

    /// What ACAP says in METAs and classes, as far as it bears on what is asked.
    pub fn statements(&self, robots: Option<&Document>, question: &Question) -> Vec<Statement> {
        let document = self.document(question);
        let mut found = Vec::new();
        for (meta, is_named) in self.s24_metas(question) {
            for (ids, field) in s09_fields(meta, question.capabilities.reads_strawman) {
                if field.permits && (!meta.is_in_head || s11_is_gated(document.version, &field.qualifiers)) {
                    continue;
                }
                let statements = s28_statements(Field { is_named, ..field }, &document, robots, question);
                match ids {
                    None => found.extend(statements),
                    // An id is that of the first element that has it.
                    Some(ids) => found.extend(ids.iter().filter_map(|id| self.first("id", id)).flat_map(|element| {
                        statements.iter().filter_map(move |statement| self.s16_bearing(statement, element, question))
                    })),
                }
            }
        }
        for (element, text, own) in self.said() {
            let OnElement::Acap(field) = own else { continue };
            let statements =
                s28_statements(Field { place: said_in("element", &text), ..field }, &document, robots, question);
            found.extend(statements.iter().filter_map(|statement| self.s16_bearing(statement, element, question)));
        }
        found
    }

    /// The statement as far as it bears on what is asked: on an element it counts with its distance, on the page if it
    /// prohibits and stands on `html` or `body`. Without element level any class prohibits for the page, and the
    /// strawman's crawlers are left with the page and know no fragments.
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

    /// Whether it is `html` or `body`, of which what is prohibited speaks of the page.
    fn is_whole(&self, element: usize) -> bool {
        self.is_html(element, "html") || self.is_html(element, "body")
    }

    /// All that is said on elements, in document order.
    fn said(&self) -> Vec<(usize, String, OnElement)> {
        let mut said = Vec::new();
        for (element, own) in self.elements.iter().enumerate() {
            let classes = own.attribute("class").unwrap_or_default().split_ascii_whitespace();
            for class in classes {
                said.extend(s16_class(class).into_iter().map(|own| (element, class.to_owned(), own)));
            }
            let has_target = own.attribute("href").or(own.attribute("xlink:href")).is_some();
            let is_link = ["a", "area"].contains(&own.name.as_str()) && has_target;
            if is_link && re(r"(?:^|[\s,;])nofollow(?:$|[\s,;])").is_match(own.attribute("rel").unwrap_or_default()) {
                said.push((element, "nofollow".to_owned(), OnElement::Nofollow));
            }
        }
        said
    }

    /// The restrictions of the profile and of links: the nearest classes of the axis, where one of them says no, and
    /// `nofollow` on the link that is asked about or that the element is in.
    pub fn s26_restrictions(&self, question: &Question) -> Vec<String> {
        let axis = match &question.usage {
            Usage::Follow => "follow",
            Usage::Index => "index",
            Usage::AnchorText => "anchortext",
            Usage::PresentCurrentcopy | Usage::PresentOldcopy => "archive",
            _ => return Vec::new(),
        };
        let (said, chain) = (self.said(), self.s16_asked(question));
        let counts = self.s26_has_profile() && !question.capabilities.lacks_element_level;
        let is_of_axis = |own: &OnElement| matches!(own, OnElement::Profile { axis: known, .. } if known == axis);
        let on =
            |place: usize| said.iter().filter(move |(element, _, own)| counts && *element == place && is_of_axis(own));
        let bearing: Vec<usize> = match &chain {
            Some(chain) => chain.iter().copied().find(|place| on(*place).next().is_some()).into_iter().collect(),
            // A prohibition on `html` is one, whatever `body` says.
            None => (0..self.elements.len()).filter(|element| self.is_whole(*element)).collect(),
        };
        let classes = bearing
            .into_iter()
            .flat_map(on)
            .filter(|(.., own)| matches!(own, OnElement::Profile { restricts: true, .. }));
        let is_in = |element: &usize| axis == "follow" && chain.as_ref().is_some_and(|chain| chain.contains(element));
        let links = said.iter().filter(|(element, _, own)| matches!(own, OnElement::Nofollow) && is_in(element));
        classes.chain(links).map(|(_, text, _)| text.clone()).collect()
    }

    /// Whether the page says that it uses the profile, without which its classes mean nothing.
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

/// What a class or a link says.
#[derive(Clone, Debug)]
enum OnElement {
    Acap(Field),
    /// Of the Robot Exclusion Profile: what it is about, and whether it says no.
    Profile {
        axis: String,
        restricts: bool,
    },
    Nofollow,
}

/// Whether a class states something: a positive class of the profile does not.
pub fn states(class: &str) -> bool {
    s16_class(class).iter().any(|own| !matches!(own, OnElement::Profile { restricts: false, .. }))
}

/// What a class says: one thing, or several that commas part, of which the permissions fall. So does one before junk.
fn s16_class(class: &str) -> Vec<OnElement> {
    if let Some(parts) = re("^robots-(no)?(follow|index|anchortext|archive)$").captures(class) {
        return vec![OnElement::Profile { axis: parts[2].to_ascii_lowercase(), restricts: parts.get(1).is_some() }];
    }
    if !re("^(?:the-)?acap:").is_match(class) {
        return Vec::new();
    }
    let form = re(r"^(?:(?:the-)?acap:)?(dis)?allow-(\([^)]*\)?|[a-z0-9_-]*)(.*?)[:.]*$");
    let parts = class.split([',', ';']).filter_map(|part| form.captures(part));
    let mut fields: Vec<Field> = parts
        .map(|parts| Field {
            falls: !parts[3].is_empty(),
            ..Field::new(Carrier::Class, parts.get(1).is_none(), &parts[2], "")
        })
        .collect();
    let are_several = fields.len() > 1;
    fields.iter_mut().for_each(|field| field.falls |= are_several);
    fields.into_iter().map(OnElement::Acap).collect()
}

/// What a field of the page says. A local usage is the page's own, or one of robots.txt, which is not META's to use:
/// its permission falls.
fn s28_statements(mut field: Field, own: &Document, robots: Option<&Document>, question: &Question) -> Vec<Statement> {
    let is_foreign = field.usage.starts_with('(') && !own.usages.contains_key(&field.usage);
    field.falls |= is_foreign && field.carrier != Carrier::Class;
    let documents: Vec<&Document> = [own].into_iter().chain(robots.filter(|_| is_foreign)).collect();
    s09_statements(&field, &documents, question)
}

/// The permissions and prohibitions of a META, `[purpose] allow-usage [qualifiers]`, with the ids of the parts that
/// each is about, if it is not about the page. Of several, or with several purposes, the permissions fall.
fn s09_fields(meta: &Meta, reads_strawman: bool) -> Vec<(Option<Vec<String>>, Field)> {
    let said = meta.acap().unwrap_or_default();
    let verbs: Vec<Captures> = re(r"(?:^|[\s,;])(dis)?allow-([^\s,;:]*)").captures_iter(&said).collect();
    let whole = |verb: &Captures| verb.get(0).map(|whole| whole.range()).unwrap_or_default();
    let purposes = verbs.first().map_or("", |verb| &said[..whole(verb).start]).split_whitespace().map(str::to_owned);
    let purposes: Vec<String> = purposes.collect();
    let field = |verb: &Captures| {
        let permits = verb.get(1).is_none();
        let rest = if verbs.len() == 1 { &said[whole(verb).end..] } else { "" };
        let (ids, rest) = s28_id_list(rest, permits && reads_strawman);
        let field = Field::new(if ids.is_some() { Carrier::Fragment } else { Carrier::Meta }, permits, &verb[2], &rest);
        let (place, falls) = (said_in("meta", &meta.content), verbs.len() > 1 || purposes.len() > 1);
        (ids, Field { place, falls, purposes: purposes.clone(), ..field })
    };
    verbs.iter().map(field).collect()
}

/// The ids that `id-list=` names, up to the next word with an equals sign, and the text without them.
fn s28_id_list(text: &str, is_read: bool) -> (Option<Vec<String>>, String) {
    let list = re(r"(?:^|\s)id-list\s*=((?:\s*[^\s=]+(?:\s|$))*)");
    match list.captures(text).filter(|_| is_read) {
        None => (None, text.to_owned()),
        Some(parts) => {
            let ids = parts[1].split_whitespace().map(str::to_owned).collect();
            (Some(ids), list.replace(text, " ").into_owned())
        }
    }
}
