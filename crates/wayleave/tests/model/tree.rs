//! A page by html5ever's tree, scripting off: its METAs with their places, its elements and what is said on them.

use super::Question;
use super::oracle::elements::{self, Element};
use super::page::{Meta, Page, Where};

/// Any HTML as a page.
pub fn read(html: &str) -> Page {
    with_elements(html, elements::elements(html.trim_start_matches('\u{feff}')))
}

/// The page that these elements make.
pub fn with_elements(html: &str, elements: Vec<Element>) -> Page {
    let mut page = Page { html: html.to_owned(), elements, ..Page::default() };
    page.metas = (0..page.elements.len()).filter_map(|element| meta(&page, element)).collect();
    page
}

fn meta(page: &Page, number: usize) -> Option<Meta> {
    let element = page.elements.get(number).filter(|element| element.is_html && element.name == "meta")?;
    let is_in_head = page.chain(number).any(|outer| page.is_html(outer, "head"));
    let content = element.attribute("content");
    Some(Meta {
        name: element.attribute("name")?.trim().to_owned(),
        content: content.or(element.attribute("value"))?.to_owned(),
        is_in_value: content.is_none(),
        place: if is_in_head { Where::Head } else { Where::Body },
    })
}

/// What is said on an element, as it is written there.
#[derive(Clone, Debug)]
pub struct Said {
    pub element: usize,
    /// A class, or a word of `rel`.
    pub text: String,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A permission or prohibition, with the usage in lower case.
    Acap {
        permits: bool,
        usage: String,
        /// Whether something else stands with it, for which a permission falls.
        is_astray: bool,
    },
    /// A class of the Robot Exclusion Profile: what it is about, and whether it says no.
    Profile {
        axis: Axis,
        restricts: bool,
    },
    Nofollow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Follow,
    Index,
    AnchorText,
    Archive,
}

impl Page {
    /// The element and all that it is in, from the inside out.
    pub fn chain(&self, element: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(element), |inner| self.elements[*inner].parent)
    }

    pub fn is_html(&self, element: usize, name: &str) -> bool {
        self.elements[element].is_html && self.elements[element].name == name
    }

    /// The element that a question names: the first in document order.
    pub fn s16_element(&self, question: &Question) -> Option<usize> {
        let wanted = question.element.as_deref()?;
        match (wanted.strip_prefix('#'), wanted.strip_prefix('.')) {
            (Some(id), _) => self.first_with_id(id),
            (_, Some(class)) => self.first(|element| has_class(element, class)),
            (None, None) => None,
        }
    }

    pub fn first_with_id(&self, id: &str) -> Option<usize> {
        self.first(|element| element.attribute("id") == Some(id))
    }

    fn first(&self, is_it: impl Fn(&Element) -> bool) -> Option<usize> {
        self.elements.iter().position(is_it)
    }

    /// The part that a condition names, the first of them.
    pub fn s37_target(&self, part: &str) -> Option<usize> {
        let (kind, name) = part.split_once(':')?;
        let is_meta = |element: &Element| {
            let named = element.attribute("name").is_some_and(|own| own.trim().eq_ignore_ascii_case(name));
            element.is_html && element.name == "meta" && named
        };
        match kind {
            "id" => self.first_with_id(name),
            "class" => self.first(|element| has_class(element, name)),
            _ => self.first(is_meta),
        }
    }

    /// Whether the question is about an element of this page that is not inside the named part.
    pub fn s37_is_outside(&self, part: &str, question: &Question) -> bool {
        let Some(element) = self.s16_element(question) else { return false };
        !self.chain(element).any(|outer| Some(outer) == self.s37_target(part))
    }

    /// Whether the page says that it uses the profile, without which its classes mean nothing.
    pub fn s26_has_profile(&self) -> bool {
        let is_profile = |uri: &str| {
            ["http://example.org/xmdp/robots-profile#", "http://example.org/xmdp/robots-profile"].contains(&uri)
        };
        (0..self.elements.len()).any(|number| {
            let words = |name: &str| self.elements[number].attribute(name).unwrap_or_default().split_ascii_whitespace();
            let is_link = self.is_html(number, "link") && words("rel").any(|word| word.eq_ignore_ascii_case("profile"));
            (self.is_html(number, "head") && words("profile").any(is_profile))
                || (is_link && self.elements[number].attribute("href").is_some_and(|uri| is_profile(uri.trim())))
        })
    }

    /// All that is said on elements, in document order.
    pub fn said(&self) -> Vec<Said> {
        let mut said = Vec::new();
        for (element, own) in self.elements.iter().enumerate() {
            let classes = own.attribute("class").unwrap_or_default().split_ascii_whitespace();
            let has_target = own.attribute("href").or(own.attribute("xlink:href")).is_some();
            let is_link = ["a", "area"].contains(&own.name.as_str()) && has_target;
            let links = own.attribute("rel").filter(|_| is_link).unwrap_or_default();
            let links = links.split(|letter: char| letter.is_ascii_whitespace() || letter == ',' || letter == ';');
            let nofollow = links.filter(|word| word.eq_ignore_ascii_case("nofollow"));
            let classes = classes.flat_map(|class| of_class(class).into_iter().map(move |kind| (class, kind)));
            let all = classes.chain(nofollow.map(|word| (word, Kind::Nofollow)));
            said.extend(all.map(|(text, kind)| Said { element, text: text.to_owned(), kind }));
        }
        said
    }
}

/// Classes are compared with case.
fn has_class(element: &Element, class: &str) -> bool {
    element.attribute("class").unwrap_or_default().split_ascii_whitespace().any(|own| own == class)
}

/// What a class says: one thing, or several that are parted by commas, of which the permissions fall.
pub fn of_class(class: &str) -> Vec<Kind> {
    let class = class.to_ascii_lowercase();
    let without_prefix =
        |class: &str| Some(class.strip_prefix("the-acap:").or(class.strip_prefix("acap:"))?.to_owned());
    if without_prefix(&class).is_none() {
        return of_profile(&class).into_iter().collect();
    }
    let parts = class.split([',', ';']).map(|part| without_prefix(part).unwrap_or(part.to_owned()));
    let mut said: Vec<Kind> = parts.filter_map(|part| of_statement(&part)).collect();
    if said.len() > 1 {
        for kind in &mut said {
            if let Kind::Acap { is_astray, .. } = kind {
                *is_astray = true;
            }
        }
    }
    said
}

/// A verb and a usage. What follows the usage makes a permission fall.
fn of_statement(statement: &str) -> Option<Kind> {
    let (permits, usage) = match (statement.strip_prefix("allow-"), statement.strip_prefix("disallow-")) {
        (Some(usage), _) => (true, usage),
        (_, Some(usage)) => (false, usage),
        (None, None) => return None,
    };
    let end = match usage.strip_prefix('(') {
        Some(local) => local.find(')').map_or(usage.len(), |end| end + 2),
        None => usage
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-' && letter != '_')
            .unwrap_or(usage.len()),
    };
    Some(Kind::Acap { permits, usage: usage[..end].to_owned(), is_astray: end < usage.len() })
}

fn of_profile(class: &str) -> Option<Kind> {
    let word = class.strip_prefix("robots-")?;
    let (word, restricts) = word.strip_prefix("no").map_or((word, false), |word| (word, true));
    let axis = match word {
        "follow" => Axis::Follow,
        "index" => Axis::Index,
        "anchortext" => Axis::AnchorText,
        "archive" => Axis::Archive,
        _ => return None,
    };
    Some(Kind::Profile { axis, restricts })
}
