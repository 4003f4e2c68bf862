//! Lists the documents that may contain statements about a resource (S-50).
//!
//! A caller fetches these documents so that a decision considers every statement on the site. This module does not
//! fetch anything.

use crate::decide::Licences;
use crate::dialects::acap::Meta;
use crate::dialects::preference::Preference;
use crate::dialects::rfc9309::resource;
use crate::dialects::rfc9309::resource::resolved;
use crate::dialects::tdmrep;
use crate::dialects::well_known_documents;
use crate::model::crawler::Crawler;
use crate::model::proposed_use::Capabilities;
use crate::model::{Carrier, Dialect};
use crate::site::{ROBOTS_TXT, RobotsTxt, Site};

/// A document that may contain statements about a resource, or that another document names. See [`needs()`].
///
/// ```
/// use byleave::{Crawler, Obtained, Reading, Site, needs::needs};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /cart\n", Reading::Default);
/// let needs = needs(&site, "https://site.example/news", &Crawler::named("ExampleBot"));
/// let missing: Vec<_> = needs.iter().filter(|need| !need.is_given).map(|need| need.location.as_str()).collect();
/// assert!(missing.contains(&"https://site.example/.well-known/tdmrep.json"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Need {
    /// The document's URL, or its path if the resource was given as a path. A file that robots.txt refers to keeps the
    /// name written in robots.txt, because documents are looked up by that name.
    pub location: String,
    /// Why the document is needed.
    pub wanted: Wanted,
    /// Whether the document was already supplied.
    pub is_given: bool,
}

/// Why a document is needed.
///
/// ```
/// use byleave::needs::Wanted;
/// assert_eq!(Wanted::Licence.because(), "it is named as a licence; without it nothing is licensed");
/// assert_eq!(Wanted::Licence.rule(), "S-45");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Wanted {
    /// The document is the site's robots.txt.
    RobotsTxt,
    /// robots.txt refers to the document for this crawler (S-21).
    Reference,
    /// The document is the response headers.
    Headers,
    /// The document is the resource itself, with its META tags and elements, or its metadata.
    Page,
    /// The document has a well-known location and may state preferences in this dialect.
    Preferences(Dialect),
    /// The document is a licence that the site names for this crawler (S-45).
    Licence,
    /// The document contains the terms on which text and data mining is licensed (S-44).
    TdmPolicy,
}

impl Wanted {
    /// Returns the name of this variant, as used in all output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robots.txt",
            Self::Reference => "reference",
            Self::Headers => "headers",
            Self::Page => "page",
            Self::Preferences(dialect) => dialect.name(),
            Self::Licence => "licence",
            Self::TdmPolicy => "tdm-policy",
        }
    }

    /// Returns why the document is needed, as a clause for a sentence.
    #[must_use]
    pub fn because(self) -> &'static str {
        match self {
            Self::RobotsTxt => "it states what crawlers may do on this site",
            Self::Reference => "robots.txt refers to it for this crawler; without it nothing is permitted",
            Self::Headers => "the response headers may restrict the use",
            Self::Page => "the resource itself may restrict its use",
            Self::Preferences(_) => "it may state preferences about the use of the whole site by AI systems",
            Self::Licence => "it is named as a licence; without it nothing is licensed",
            Self::TdmPolicy => "it contains the terms on which text and data mining is licensed",
        }
    }

    /// Returns the number of the rule in the semantics by which the document is read.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::RobotsTxt => "S-36",
            Self::Reference => "S-21",
            Self::Headers => "S-17",
            Self::Page => "S-24",
            Self::Preferences(dialect) => dialect.rule(),
            Self::TdmPolicy => "S-44",
            Self::Licence => "S-45",
        }
    }
}

/// Returns the documents that may contain statements about a resource for a crawler, without duplicates. Documents with
/// a well-known location come first, then documents that other documents name.
///
/// A document that was not supplied yet may name further documents. Call this function again when more documents are
/// available.
///
/// ```
/// use byleave::{Crawler, Reading, Site};
/// use byleave::needs::Wanted;
/// let robots_txt = b"User-agent: *\nLicense: https://site.example/license.xml\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let needs = byleave::needs::needs(&site, "https://site.example/a", &Crawler::named("AnyBot"));
/// let licence = needs.iter().find(|need| need.wanted == Wanted::Licence).unwrap();
/// assert_eq!((licence.location.as_str(), licence.is_given), ("https://site.example/license.xml", false));
/// assert!(needs.iter().any(|need| need.location == "https://site.example/robots.txt" && need.is_given));
/// ```
#[must_use]
pub fn needs(site: &Site<'_>, url: &str, crawler: &Crawler) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    let mut known = std::collections::HashSet::new();
    let mut want = |location: String, wanted: Wanted, is_given: bool| {
        if known.insert((location.clone(), wanted)) {
            needs.push(Need { location, wanted, is_given });
        }
    };
    let switches = site.reading().switches();
    let is_known = !matches!(site.robots_txt(), RobotsTxt::Unknown);
    want(resolved(url, &format!("/{ROBOTS_TXT}")), Wanted::RobotsTxt, is_known);
    if switches.reads_responses {
        want(url.to_owned(), Wanted::Headers, site.headers().is_some());
        want(url.to_owned(), Wanted::Page, site.has_page() || site.has_document(url, url));
    }
    if switches.reads_preferences {
        for (location, dialect) in well_known_documents() {
            let location = resolved(url, location);
            let is_given = site.has_document(url, &location);
            want(location, Wanted::Preferences(dialect), is_given);
        }
    }
    let capabilities = Capabilities::default();
    let sources = site.sources(&capabilities, None);
    let unread: std::collections::HashSet<u32> = sources.unread(crawler).map(|id| id.number).collect();
    if let Some(acap) = site.acap() {
        let is_for = |group: u32| acap.addressee(group, crawler).is_some();
        for (number, reference) in (0..).zip(&acap.references).filter(|(_, reference)| is_for(reference.group)) {
            let location = String::from_utf8_lossy(reference.locator.of(&acap.arena)).into_owned();
            want(location, Wanted::Reference, !unread.contains(&number));
        }
    }
    if switches.reads_preferences {
        for licence in Licences::of(site, url, crawler, &[]).unwrap_or_default().named {
            let is_given = licence.is_read || site.has_document(url, &licence.location);
            want(licence.location, Wanted::Licence, is_given);
        }
        for location in policies(site, url) {
            let location = resolved(url, &String::from_utf8_lossy(&location));
            let is_given = site.has_document(url, &location);
            want(location, Wanted::TdmPolicy, is_given);
        }
    }
    needs
}

/// Returns the locations of licence terms for text and data mining. They are named in headers, in META tags, and in the
/// first matching rule in tdmrep.json. Without a reservation, no terms are needed.
fn policies(site: &Site<'_>, url: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut layer = |values: &[(&[u8], &[u8])]| {
        let named =
            |name: &'static str| values.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name.as_bytes()));
        let mut reservations = named(tdmrep::RESERVATION).peekable();
        let is_open = reservations.peek().is_some() && reservations.all(|(_, value)| value.trim_ascii() == b"0");
        if !is_open {
            found.extend(named(tdmrep::POLICY).map(|(_, value)| value.trim_ascii().to_vec()));
        }
    };
    if let Some(headers) = site.headers() {
        layer(&headers.lines().map(|line| (line.name, line.value)).collect::<Vec<_>>());
    }
    for (text, metas) in site.metas_of_pages() {
        layer(&metas.iter().map(|meta: &Meta| (meta.name.of(text), meta.content.of(text))).collect::<Vec<_>>());
    }
    resource::with_path(url.as_bytes(), site.reading().switches(), |path| {
        for table in site.preferences().iter().filter(|table| table.carrier == Some(Carrier::Document)) {
            let mut first = None;
            let is_rule = |one: &Preference| one.dialect == Dialect::TdmRep;
            table.each_about(path, url, is_rule, |number, rule| first = first.or(Some((number, rule))));
            let reserving = first.filter(|(_, rule)| rule.claims.prohibits != 0);
            found.extend(reserving.and_then(|(number, _)| table.locator(number)).map(<[u8]>::to_vec));
        }
    });
    found.retain(|location| !location.is_empty());
    found
}
