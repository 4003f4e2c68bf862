//! Parses RSL 1.0 documents. Each `content` element states on what terms usages of its paths are licensed (S-45).
//!
//! Each usage that a licence permits or prohibits becomes one statement. The other terms of the licence become the
//! conditions of its permissions. `decide` determines which of several statements counts. `decide/licences.rs`
//! determines which licences a site names, and for which crawlers.

mod conflict;
pub(crate) mod vocabulary;

pub(crate) use conflict::narrowest_licence;

use crate::base::source::Span;
use crate::base::source::{Location, TableRange};
use crate::dialects::preference::{
    Claims, Limit, Notes, PREFERENCE_USAGES, Path, Place, Preference, Preferences, Usages, bit, with_contained,
};
use crate::dialects::preference::{FieldClaims, line_of_headers};
use crate::dialects::rfc9309::resource::{is_resource, resolved};
use crate::dialects::rsl::vocabulary::{LICENCE_WORDS, LicenceWord, PAYMENTS};
use crate::formats::html;
use crate::formats::html::{DataScript, Decoded, data_scripts};
use crate::formats::http::Headers;
use crate::formats::http::link::{Link, links};
use crate::formats::xml;
use crate::formats::xml::{Element, Namespace, Xml};
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Switches;
use crate::model::{Carrier, Condition, Dialect};
use crate::robots_txt::Field;
use memchr::memmem;
use std::borrow::Cow;

/// How much of a licence could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Licence {
    Whole,
    /// The document is not well-formed, or not in RSL's namespace. Its prohibitions count, but its permissions do not.
    Faulty,
}

/// The media type of an RSL document.
pub(crate) const MEDIA_TYPE: &str = "application/rsl+xml";

const NAMESPACE: &str = "https://rslstandard.org/rsl";
const RSL: Namespace = Namespace::Asked(0);

/// Returns every usage that a preference can address.
pub(crate) fn every_usage() -> Usages {
    PREFERENCE_USAGES.iter().map(bit).fold(0, |all, one| all | one)
}

/// Returns the effect of a line that names a licence that was not read: every usage is prohibited.
pub(crate) fn unlicensed() -> Claims {
    Claims { prohibits: every_usage(), ..Claims::default() }
}

/// Parses an RSL document, or returns `None` if it is not an RSL document.
///
/// Cost: O(bytes).
pub(crate) fn of_xml(
    document: usize,
    bytes: &[u8],
    switches: &'static Switches,
    notes: Notes<'_>,
) -> Option<Preferences> {
    let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    if start.first() != Some(&b'<') {
        return None;
    }
    let read = xml::read(bytes, &[NAMESPACE], |root| root.name == "rsl");
    if let (None, Some(fault), true) = (&read.root, read.fault, memmem::find(bytes, NAMESPACE.as_bytes()).is_some()) {
        let message = "this is not well-formed from its first tag on, so it cannot be read as a licence".to_owned();
        notes(Code::BadDocument, (fault, bytes.len()), message, "write `<rsl xmlns=\"https://rslstandard.org/rsl\">`");
        let mut preferences = Preferences::new(Carrier::Document, Some(document));
        preferences.licence = Some(Licence::Faulty);
        return Some(preferences);
    }
    licence_of(document, bytes, read, Licence::Whole, switches, notes)
}

/// Parses the licences in a page's scripts. A licence permits nothing if it might not come from the page's author. This
/// is the case if it is outside the head, or if both source and DOM are given (`is_one_of_two`, S-25).
///
/// Cost: linear in the page, if it has scripts with licences.
pub(crate) fn of_scripts(
    document: usize,
    page: &Decoded<'_>,
    is_one_of_two: bool,
    switches: &'static Switches,
    notes: Notes<'_>,
) -> Vec<Preferences> {
    let licence = |script: DataScript| {
        let licence = if script.is_in_head && !is_one_of_two { Licence::Whole } else { Licence::Faulty };
        let part = without_marks(page.text(), script.text);
        let read = xml::read_part(page.text(), part, &[NAMESPACE], |root| root.name == "rsl");
        let is_read = read.root.is_some();
        if !is_read {
            let message = "this script cannot be read as a licence, so it has no effect".to_owned();
            notes(Code::BadDocument, script.text, message, "write `<rsl xmlns=\"https://rslstandard.org/rsl\">`");
        }
        licence_of(document, page.text(), read, licence, switches, notes)
    };
    data_scripts(page, MEDIA_TYPE).into_iter().filter_map(licence).collect()
}

/// Returns the span of a script's content, without the CDATA marks that XHTML pages put around it.
fn without_marks(text: &[u8], (start, end): (usize, usize)) -> (usize, usize) {
    let part = text.get(start..end).unwrap_or_default();
    let inner = part.trim_ascii().strip_prefix(b"<![CDATA[").and_then(|rest| rest.strip_suffix(b"]]>"));
    match (inner, memmem::find(part, b"<![CDATA[")) {
        (Some(inner), Some(mark)) => (start + mark + 9, start + mark + 9 + inner.len()),
        _ => (start, end),
    }
}

fn licence_of(
    document: usize,
    bytes: &[u8],
    read: Xml,
    mut licence: Licence,
    switches: &'static Switches,
    notes: Notes<'_>,
) -> Option<Preferences> {
    let root = read.root?;
    if root.namespace != RSL {
        licence = Licence::Faulty;
        let message = "this element is not in RSL's namespace, so its permissions do not count".to_owned();
        notes(Code::BadDocument, root.tag, message, "write `<rsl xmlns=\"https://rslstandard.org/rsl\">`");
    }
    if let Some(fault) = read.fault {
        licence = Licence::Faulty;
        let message = "this is not well-formed from here on, so its permissions do not count".to_owned();
        notes(Code::BadDocument, (fault, read.end.max(fault)), message, "close every tag, and write `&amp;` for `&`");
    }
    let preferences = Preferences::new(Carrier::Document, Some(document));
    let mut reader = Reader { bytes, namespace: root.namespace, licence, switches, preferences, notes };
    let is_strange =
        reader.has_strange_attributes(&root, &["max-age"]) | reader.has_strange_children(&root, &["content"]);
    let is_content = |child: &&Element| child.namespace == root.namespace && child.name == "content";
    if is_strange {
        reader.licence = Licence::Faulty;
    }
    for content in root.children.iter().filter(is_content) {
        reader.content(content);
    }
    reader.preferences.licence = Some(reader.licence);
    Some(reader.preferences)
}

struct Reader<'r> {
    bytes: &'r [u8],
    /// The namespace of the root element.
    namespace: Namespace,
    licence: Licence,
    switches: &'static Switches,
    preferences: Preferences,
    notes: Notes<'r>,
}

/// The resources that a `content` applies to.
#[derive(Clone, Copy)]
struct About {
    /// The paths, or `None` for all paths.
    path: Option<Path>,
    /// Whether the `content` is malformed. Its permissions then count as prohibitions.
    is_uninterpretable: bool,
}

/// The terms in one licence.
#[derive(Default)]
struct Terms {
    /// The conditions, each with the element that states it.
    conditions: Vec<(Condition, (usize, usize))>,
    /// The first `permits` element with type `usage`, if there is one. It makes the list of permitted usages
    /// exhaustive.
    exhaustive: Option<(usize, usize)>,
    /// The permitted words, each with its element.
    permitted: Vec<(&'static LicenceWord, (usize, usize))>,
    /// The prohibited words, each with its element.
    prohibited: Vec<(&'static LicenceWord, (usize, usize))>,
    has_usages: bool,
    /// The usages that at least one `permits` does not list. They are not permitted, because each list is exhaustive.
    unlisted: Usages,
    is_uninterpretable: bool,
}

impl Reader<'_> {
    fn content(&mut self, content: &Element) {
        let mut about = self.about(content);
        about.is_uninterpretable |= self.has_strange_attributes(content, &["url", "server", "encrypted", "lastmod"]);
        about.is_uninterpretable |=
            self.has_strange_children(content, &["license", "alternate", "schema", "copyright", "terms"]);
        let server = content.attribute(Namespace::None, "server").map(str::trim).filter(|server| !server.is_empty());
        if let Some(server) = server {
            // The server is a separate statement, because it applies to every licence.
            let claims = match about.is_uninterpretable {
                false => {
                    let limit = Limit { usages: every_usage(), condition: term("license-server", server), at: None };
                    Claims { limits: vec![limit], ..Claims::default() }
                }
                // The `content` is malformed, so nobody knows what the server licenses.
                true => Claims { prohibits: every_usage(), width: UNLISTED, ..Claims::default() },
            };
            self.push(claims, content.tag, about);
        }
        let namespace = self.namespace;
        let is_licence = |child: &&Element| child.namespace == namespace && child.name == "license";
        let mut licences = content.children.iter().filter(is_licence).peekable();
        if licences.peek().is_none() {
            let message = "this `content` has no `license`, so it licenses nothing".to_owned();
            (self.notes)(Code::BadPreference, content.tag, message, "add a `license`");
        }
        for licence in licences {
            self.licence(licence, about);
        }
    }

    fn about(&mut self, content: &Element) -> About {
        let Some(url) = content.attribute(Namespace::None, "url").map(str::trim) else {
            let message = "this `content` has no `url`, so it applies to everything and permits nothing".to_owned();
            (self.notes)(Code::BadPreference, content.tag, message, "add `url`, as in `url=\"/\"`");
            return About { path: None, is_uninterpretable: true };
        };
        if url.is_empty() {
            return About { path: None, is_uninterpretable: false };
        }
        let is_path = url.starts_with(['/', '*']);
        let origin = crate::dialects::rfc9309::resource::origin(url).filter(|_| !is_path);
        let path = origin.and_then(|origin| url.get(origin.len()..)).unwrap_or(url);
        let is_added = !path.starts_with(['/', '*']);
        let path = if is_added { Cow::Owned(format!("/{path}")) } else { Cow::Borrowed(path) };
        let path = self.preferences.kept_path(path.as_bytes(), origin, self.switches.escapes);
        let is_uninterpretable = is_added && origin.is_none();
        if is_uninterpretable {
            let message =
                format!("`{}` does not begin with `/`, so a `/` is added", shown(url.as_bytes(), (0, url.len())));
            (self.notes)(Code::MissingSlash, content.tag, message, "begin it with `/`, or write a URL");
        }
        About { path: Some(path), is_uninterpretable: is_uninterpretable && self.switches.leniency_prohibits }
    }

    fn licence(&mut self, licence: &Element, about: About) {
        let mut terms = Terms { is_uninterpretable: about.is_uninterpretable, ..Terms::default() };
        terms.is_uninterpretable |= self.has_strange_attributes(licence, &[]);
        terms.is_uninterpretable |= self.has_strange_children(licence, &TERMS);
        let namespace = self.namespace;
        for child in licence.children.iter().filter(|child| child.namespace == namespace) {
            match child.name.as_str() {
                "permits" | "prohibits" => self.usage_term(child, &mut terms),
                "payment" => self.payment(child, &mut terms),
                "reporting" => {
                    let kind = child.attribute(Namespace::None, "type").map(str::trim).filter(|kind| !kind.is_empty());
                    terms.conditions.push((term("reporting", kind.unwrap_or(UNSPECIFIED)), child.tag));
                    terms.is_uninterpretable |= self.has_strange_attributes(child, &["type", "profile", "endpoint"]);
                    terms.is_uninterpretable |= self.has_strange_children(child, &[]);
                }
                "legal" => {
                    terms.is_uninterpretable |= self.has_strange_attributes(child, &["type"]);
                    terms.is_uninterpretable |= self.has_strange_children(child, &[]);
                }
                _ => {}
            }
        }
        self.say(licence, terms, about);
    }

    /// Converts a licence's terms into statements.
    fn say(&mut self, licence: &Element, terms: Terms, about: About) {
        // Each word is added once, because the conditions are repeated with every word.
        for word in LICENCE_WORDS {
            let Some((_, place)) = terms.permitted.iter().find(|(own, _)| own.name == word.name) else { continue };
            self.push(permission(word.usages, word.width, &terms), *place, about);
        }
        for (word, place) in &terms.prohibited {
            self.push(Claims { prohibits: usages(word), width: word.width, ..Claims::default() }, *place, about);
        }
        match terms.exhaustive {
            Some(place) => {
                let listed = terms.permitted.iter().fold(0, |all, (word, _)| all | usages(word));
                let prohibits = every_usage() & !listed | terms.unlisted;
                self.push(Claims { prohibits, width: UNLISTED, ..Claims::default() }, place, about);
            }
            None if !terms.has_usages => self.push(permission(PREFERENCE_USAGES, UNLISTED, &terms), licence.tag, about),
            None => {}
        }
    }

    /// Parses a `permits` or `prohibits` element about usages, users or countries, and adds it to the licence's terms.
    fn usage_term(&mut self, element: &Element, terms: &mut Terms) {
        let permits = element.name == "permits";
        let place = (element.tag.0, element.end);
        terms.is_uninterpretable |= self.has_strange_attributes(element, &["type"]);
        // A word inside a nested element can prohibit a usage, but it cannot permit one.
        let text = if permits { element.text.clone() } else { element.texts().join(" ") };
        terms.is_uninterpretable |= self.has_strange_children(element, &[]);
        let is_list = text.contains([',', ';']);
        if is_list {
            terms.is_uninterpretable |= self.switches.leniency_prohibits;
            let message = format!("the words in `{}` are separated by commas, as in RSL 0.9", self.shown(place));
            (self.notes)(Code::LegacyLabel, place, message, "separate the words by blanks");
        }
        let words = text
            .split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';'))
            .filter(|word| !word.is_empty());
        let kind = element.attribute(Namespace::None, "type").map(str::trim).unwrap_or_default();
        match kind {
            "user" | "geo" => {
                let words: Vec<&str> = words.collect();
                if permits && words.is_empty() {
                    // The term permits no users or no countries at all.
                    terms.is_uninterpretable = true;
                } else if permits {
                    terms.conditions.push((term(kind, &words.join(",")), place));
                } else {
                    terms.conditions.extend(words.iter().map(|word| (term(kind, &format!("!{word}")), place)));
                }
                return;
            }
            "usage" => {}
            _ => {
                terms.is_uninterpretable = true;
                let message =
                    format!("`{}` has no type that RSL defines, so its licence permits nothing", self.shown(place));
                (self.notes)(Code::BadPreference, place, message, "write `usage`, `user` or `geo`");
            }
        }
        let is_usage = kind == "usage";
        if permits && is_usage && terms.exhaustive.is_some() {
            let message = format!(
                "`{}` is not the first `permits` in its licence; only usages that every `permits` lists are permitted",
                self.shown(place)
            );
            (self.notes)(Code::BadPreference, place, message, "write one `permits` of type `usage`");
        }
        terms.has_usages |= is_usage;
        if permits && is_usage {
            terms.exhaustive.get_or_insert(place);
        }
        let mut known: Vec<&LicenceWord> = Vec::new();
        for written in words {
            let Some(word) = LICENCE_WORDS.iter().find(|word| word.name.eq_ignore_ascii_case(written)) else {
                // Words from other vocabularies have a prefix.
                if is_usage && !written.contains(':') {
                    let written = shown(written.as_bytes(), (0, written.len()));
                    let message = format!("`{written}` is not a usage that RSL defines, so it has no effect");
                    (self.notes)(Code::UnknownPreference, place, message, USAGES);
                }
                continue;
            };
            if known.iter().any(|own| own.name == word.name) {
                continue;
            }
            known.push(word);
            match permits {
                true if is_usage => terms.permitted.push((word, place)),
                true => {}
                // A prohibition counts even if the type is missing or unknown.
                false => terms.prohibited.push((word, place)),
            }
        }
        if permits && is_usage {
            terms.unlisted |= every_usage() & !known.iter().fold(0, |all, word| all | usages(word));
        }
    }

    fn payment(&mut self, payment: &Element, terms: &mut Terms) {
        terms.is_uninterpretable |= self.has_strange_attributes(payment, &["type"]);
        terms.is_uninterpretable |= self.has_strange_children(payment, &["standard", "custom", "amount", "accepts"]);
        let kind = payment.attribute(Namespace::None, "type").map(str::trim).filter(|kind| !kind.is_empty());
        let has_terms = payment.children.iter().any(|child| child.namespace == self.namespace);
        match kind {
            Some(kind) if kind.eq_ignore_ascii_case("free") => {}
            Some(kind) => {
                if !PAYMENTS.contains(&kind) {
                    let message =
                        format!("`{}` is not a payment that RSL defines", shown(kind.as_bytes(), (0, kind.len())));
                    (self.notes)(Code::UnknownPreference, payment.tag, message, "it still counts as a condition");
                }
                terms.conditions.push((term("payment", kind), payment.tag));
            }
            // A payment without a type is free, unless it has child elements, such as an amount.
            None if has_terms => terms.conditions.push((term("payment", UNSPECIFIED), payment.tag)),
            None => {}
        }
    }

    fn unknown(&mut self, element: &Element) {
        let message = format!(
            "RSL does not define an element `{}` here",
            shown(element.name.as_bytes(), (0, element.name.len()))
        );
        (self.notes)(Code::UnknownPreference, element.tag, message, "remove it: its meaning is not known");
    }

    /// Whether an element has children, in RSL's namespace or without a namespace, that RSL does not define there.
    /// Reports them.
    fn has_strange_children(&mut self, element: &Element, known: &[&str]) -> bool {
        let namespace = self.namespace;
        let is_strange = |child: &&Element| match child.namespace {
            own if own == namespace => !known.contains(&child.name.as_str()),
            Namespace::None => true,
            // RSL does not define what its elements mean inside an element of another namespace.
            _ => has_namespace(child, namespace),
        };
        let strange: Vec<&Element> = element.children.iter().filter(is_strange).collect();
        strange.iter().for_each(|child| self.unknown(child));
        !strange.is_empty()
    }

    /// Whether an element has an attribute, in RSL's namespace or without a namespace, that RSL does not define for it.
    /// Reports the first such attribute.
    fn has_strange_attributes(&mut self, element: &Element, known: &[&str]) -> bool {
        let strange = |(namespace, name, _): &(Namespace, &str, &str)| {
            matches!(*namespace, Namespace::None | RSL) && !known.contains(name) && *name != "xmlns"
        };
        let Some((_, name, _)) = element.attributes().find(strange) else { return false };
        let name = shown(name.as_bytes(), (0, name.len()));
        let message = format!("RSL does not define an attribute `{name}` here, so the licence permits nothing");
        (self.notes)(Code::UnknownPreference, element.tag, message, "remove it");
        true
    }

    fn push(&mut self, mut claims: Claims, place: (usize, usize), about: About) {
        if self.licence == Licence::Faulty {
            (claims.permits, claims.limits) = (0, Vec::new());
        }
        if claims.usages() == 0 {
            return;
        }
        let at = Location { start: place.0 as u32, end: place.1 as u32, line: 0, column: 0 };
        let written: TableRange = self.preferences.keep(self.bytes.get(place.0..place.1).unwrap_or_default());
        let place = Place::At(at, written);
        self.preferences.push(Preference { dialect: Dialect::Rsl, group: None, path: about.path, claims, place });
    }

    fn shown(&self, place: (usize, usize)) -> String {
        shown(self.bytes, place)
    }
}

/// Whether an element has a descendant in this namespace or without a namespace. The recursion is bounded, because the
/// XML parser limits the depth.
fn has_namespace(element: &Element, namespace: Namespace) -> bool {
    let is_it = |own: Namespace| own == namespace || own == Namespace::None;
    element.children.iter().any(|child| is_it(child.namespace) || has_namespace(child, namespace))
}

/// Returns the effect of permitting these usages: a permission on the licence's terms, or a prohibition if one of the
/// terms cannot be interpreted (S-09).
fn permission(spoken_of: &[Usage], width: u8, terms: &Terms) -> Claims {
    let usages = with_contained(spoken_of) & !terms.unlisted;
    if terms.is_uninterpretable {
        return Claims { prohibits: usages, width, ..Claims::default() };
    }
    let limit = |(condition, (start, end)): &(Condition, (usize, usize))| Limit {
        usages,
        condition: condition.clone(),
        at: Some((*start as u32, *end as u32)),
    };
    let limits = terms.conditions.iter().map(limit).collect();
    Claims { permits: usages, width, limits, ..Claims::default() }
}

fn usages(word: &LicenceWord) -> Usages {
    with_contained(word.usages)
}

fn term(name: &str, value: &str) -> Condition {
    Condition::Term(name.to_owned(), value.to_owned())
}

/// The width of two statements without a usage word: the prohibition of the usages that `permits` does not list, and
/// the permission in a licence without usage terms. It is greater than the width of every word.
const UNLISTED: u8 = u8::MAX;
/// The elements that a licence may contain.
const TERMS: [&str; 7] = ["permits", "prohibits", "payment", "reporting", "legal", "copyright", "terms"];
const UNSPECIFIED: &str = "unspecified";
const USAGES: &str = "write `all`, `ai-all`, `ai-train`, `ai-input`, `ai-index` or `search`";

/// Whether a link relation and a media type identify an RSL licence.
pub(crate) fn names_licence(rel: &[u8], media_type: &[u8]) -> bool {
    let essence = media_type.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let mut rels = rel.split(u8::is_ascii_whitespace);
    essence.eq_ignore_ascii_case(MEDIA_TYPE.as_bytes()) && rels.any(|rel| rel.eq_ignore_ascii_case(b"license"))
}

/// Parses the value of `License` in robots.txt. Until the licence is read, the line prohibits every usage. After that,
/// the licence's own terms count.
pub(crate) fn parse_field(_: Field, value: &[u8], _: &Switches, _: Notes<'_>) -> Option<FieldClaims> {
    is_locator(value).then(|| FieldClaims { path: None, claims: unlicensed() })
}

/// Whether a value can be a document's location. The name of a licence, such as `MIT`, is not a location.
pub(crate) fn is_locator(value: &[u8]) -> bool {
    let has_blank = value.iter().any(u8::is_ascii_whitespace);
    !has_blank && value.iter().any(|byte| matches!(byte, b'/' | b'.'))
}

/// Adds the licences that `Link` header fields name. Does nothing if the reading ignores licences.
pub(crate) fn add_headers(preferences: &mut Preferences, headers: &Headers, switches: &Switches) {
    for line in headers.named("link").filter(|_| switches.reads_preferences) {
        let line_start = line_of_headers(headers, &line).start;
        let is_own = |link: &Link<'_>| matches!(link.anchor.first(), None | Some(b'#'));
        let is_licence = |link: &Link<'_>| names_licence(&link.rel, &link.media_type) && is_own(link);
        for link in links(line.value).filter(is_licence) {
            let start = line.span.start + link.at.0 as u32;
            let column = start - line_start + 1;
            let at = Location { start, end: line.span.start + link.at.1 as u32, line: line.line as u32 + 1, column };
            add_named(preferences, at, headers.text(), link.target);
        }
    }
}

/// Adds the licences that `link` elements in a page's head name. A relative location is resolved against the page's
/// `base` element, if there is one. A relative `base` is ignored, because the page's own URL is not known here.
pub(crate) fn add_links(preferences: &mut Preferences, page: &Decoded<'_>) {
    let mut base: Option<String> = None;
    html::head_links(page, |tag| {
        let href = tag.attribute("href");
        if tag.is("base") {
            base = base.take().or(href.map(|href| href.trim().to_owned()).filter(|href| is_resource(href)));
            return;
        }
        let attribute = |name: &str| tag.attribute(name).unwrap_or_default().into_owned().into_bytes();
        let is_licence = || tag.is("link") && names_licence(&attribute("rel"), &attribute("type"));
        let Some(href) = href.filter(|_| is_licence()) else { return };
        let href = base.as_deref().map_or_else(|| href.trim().to_owned(), |base| resolved(base, href.trim()));
        let Span { start, end } = tag.span();
        add_named(preferences, Location { start, end, line: 0, column: 0 }, page.text(), href.as_bytes());
    });
}

/// Adds the statement at `at`, which names the licence at `location`.
fn add_named(preferences: &mut Preferences, at: Location, text: &[u8], location: &[u8]) {
    let place = Place::At(at, preferences.keep(at.of(text)));
    let (dialect, claims) = (Dialect::Rsl, unlicensed());
    preferences.push_naming(Preference { dialect, group: None, path: None, claims, place }, location);
}
