//! Reads a page with html5ever, with scripting off: its elements, its META tags, and the statements on both as written
//! (S-09, S-16, S-26, S-28).

use super::document::Field;
use super::said_in;
use super::statements::{Carrier, Statement};
use super::text::re;
use crate::oracle::elements::{Element, elements};
use regex::Captures;

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub html: String,
    pub metas: Vec<Meta>,
    /// The elements, in document order.
    pub elements: Vec<Element>,
}

/// A META tag with a name and content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meta {
    pub name: String,
    pub content: String,
    /// Whether the content is in the `value` attribute, as in the ACAP strawman (S-28).
    pub is_in_value: bool,
    pub is_in_head: bool,
}

impl Meta {
    /// Returns the text after the word `ACAP`, or `None` if the content does not begin with that word.
    pub fn acap(&self) -> Option<String> {
        re(r"^\s*acap(?:\s+(.*))?$")
            .captures(&self.content)
            .map(|parts| parts.get(1).map_or("", |said| said.as_str()).to_owned())
    }
}

impl Page {
    /// Reads a page. Accepts any text, because every text is HTML.
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
            is_in_head: self.is_in_head(number),
        })
    }

    /// Returns the element and its ancestors, innermost first.
    pub fn chain(&self, element: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(element), |inner| self.elements[*inner].parent)
    }

    pub fn is_html(&self, element: usize, name: &str) -> bool {
        self.elements[element].is_html && self.elements[element].name == name
    }

    fn is_in_head(&self, element: usize) -> bool {
        self.chain(element).any(|outer| self.is_html(outer, "head"))
    }

    /// Returns the first element with this id or class (case-sensitive), or the first META tag in `head` with this name
    /// (case-insensitive).
    pub fn first(&self, kind: &str, name: &str) -> Option<usize> {
        let is_it = |number: &usize| {
            let own = &self.elements[*number];
            let classes = own.attribute("class").unwrap_or_default();
            match kind {
                "id" => own.attribute("id") == Some(name),
                "class" => classes.split_ascii_whitespace().any(|class| class == name),
                _ => {
                    let is_named = own.attribute("name").is_some_and(|own| own.trim().eq_ignore_ascii_case(name));
                    is_named && self.is_html(*number, "meta") && self.is_in_head(*number)
                }
            }
        };
        (0..self.elements.len()).find(is_it)
    }

    /// Returns all statements on elements, in document order.
    pub fn said(&self) -> Vec<(usize, String, OnElement)> {
        let mut said = Vec::new();
        for (element, own) in self.elements.iter().enumerate() {
            let classes = own.attribute("class").unwrap_or_default().split_ascii_whitespace();
            for class in classes {
                said.extend(s16_class(class).into_iter().map(|own| (element, class.to_owned(), own)));
            }
            if own.attribute("data-nosnippet").is_some() {
                said.push((element, "data-nosnippet".to_owned(), OnElement::Marked("snippet answer")));
            }
            let has_target = own.attribute("href").or(own.attribute("xlink:href")).is_some();
            let is_link = ["a", "area"].contains(&own.name.as_str()) && has_target;
            let rel = own.attribute("rel").unwrap_or_default();
            if is_link && re(r"(?:^|[\s,;])(?:nofollow|ugc|sponsored)(?:$|[\s,;])").is_match(rel) {
                said.push((element, link_text(rel), OnElement::Nofollow));
            }
        }
        said
    }
}

/// Returns the text by which answers refer to the statement of a link: `nofollow`, or the whole `rel` value if it has
/// other words only.
pub fn link_text(rel: &str) -> String {
    if re("nofollow").is_match(rel) { "nofollow".to_owned() } else { rel.to_owned() }
}

/// A statement in a class or on a link.
#[derive(Clone, Debug)]
pub enum OnElement {
    Acap(Field),
    /// A class of the Robot Exclusion Profile: its axis, such as `index`, and whether it restricts.
    Profile {
        axis: String,
        restricts: bool,
    },
    Nofollow,
    /// A search engine's mark (S-49), with the usages that it addresses.
    Marked(&'static str),
}

/// Returns whether a class makes a statement. A positive profile class such as `robots-index` does not.
pub fn states(class: &str) -> bool {
    s16_class(class).iter().any(|own| !matches!(own, OnElement::Profile { restricts: false, .. }))
}

/// Returns the statements in a class, which are separated by commas. A permission is uninterpretable if the class has
/// several statements, or if invalid text follows the permission.
fn s16_class(class: &str) -> Vec<OnElement> {
    if let Some(parts) = re("^robots-(no)?(follow|index|anchortext|archive)$").captures(class) {
        return vec![OnElement::Profile { axis: parts[2].to_ascii_lowercase(), restricts: parts.get(1).is_some() }];
    }
    if class.eq_ignore_ascii_case("robots-nocontent") {
        return vec![OnElement::Marked("index snippet")];
    }
    if !re("^(?:the-)?acap:").is_match(class) {
        return Vec::new();
    }
    let form = re(r"^(?:(?:the-)?acap:)?(dis)?allow-(\([^)]*\)?|[a-z0-9_-]*)(.*)$");
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

/// Returns the permissions and prohibitions in a META tag, `[purpose] allow-usage [qualifiers]`. If a statement is
/// about parts of the page, the result contains the ids of the parts. If the tag has several statements or purposes,
/// permissions are uninterpretable.
pub fn s09_fields(meta: &Meta, reads_strawman: bool) -> Vec<(Option<Vec<String>>, Field)> {
    let said = meta.acap().unwrap_or_default();
    let verbs: Vec<Captures> = re(r"(?:^|[\s,;])(dis)?allow-([^\s,;:]*)").captures_iter(&said).collect();
    let whole = |verb: &Captures| verb.get(0).map(|whole| whole.range()).unwrap_or_default();
    let purposes = verbs.first().map_or("", |verb| &said[..whole(verb).start]).split_whitespace().map(str::to_owned);
    let purposes: Vec<String> = purposes.collect();
    let field = |(number, verb): (usize, &Captures)| {
        let permits = verb.get(1).is_none();
        let rest = &said[whole(verb).end..verbs.get(number + 1).map_or(said.len(), |next| whole(next).start)];
        let (ids, rest) = s28_id_list(rest, permits && reads_strawman);
        let field = Field::new(if ids.is_some() { Carrier::Fragment } else { Carrier::Meta }, permits, &verb[2], &rest);
        let places = [said_in("meta", &meta.content)].into();
        // The purpose applies only to the first statement.
        let own = if number == 0 { purposes.clone() } else { Vec::new() };
        let said = Statement { places, purposes: own, ..field.said };
        (ids, Field { said, falls: verbs.len() > 1 || purposes.len() > 1, ..field })
    };
    verbs.iter().enumerate().map(field).collect()
}

/// Returns the ids in `id-list=`, and the text without the list. The list ends before the next word with an equals
/// sign.
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
