//! What would have to be read for an answer to rest on all that a site may say of a resource (S-50).

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
use crate::site::{Evidence, ROBOTS_TXT, RobotsTxt};

/// A document that may speak of a resource, or that one that does names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Need {
    /// Its URL, or its path where the resource is given as one. A file that robots.txt refers to is called as it is there,
    /// for by that name it is found among the documents.
    pub location: String,
    /// What it is wanted for.
    pub wanted: Wanted,
    /// Whether it is given already.
    pub is_given: bool,
}

/// What a document is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Wanted {
    /// It is the site's robots.txt.
    RobotsTxt,
    /// robots.txt refers to it for this crawler (S-21).
    Reference,
    /// The header fields of the response.
    Headers,
    /// The resource itself: its META tags and elements, or its metadata.
    Page,
    /// It may reserve text and data mining (S-44).
    TdmRep,
    /// It may speak of training (S-46).
    AiTxt,
    /// It may speak of training (S-46).
    TrustTxt,
    /// It is a licence that is named to this crawler (S-45).
    Licence,
    /// It has the terms on which a reservation is lifted (S-44).
    TdmPolicy,
}

impl Wanted {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robots.txt",
            Self::Reference => "reference",
            Self::Headers => "headers",
            Self::Page => "page",
            Self::TdmRep => "tdmrep.json",
            Self::AiTxt => "ai.txt",
            Self::TrustTxt => "trust.txt",
            Self::Licence => "licence",
            Self::TdmPolicy => "tdm-policy",
        }
    }

    /// Why it is wanted, as part of a sentence.
    #[must_use]
    pub fn because(self) -> &'static str {
        match self {
            Self::RobotsTxt => "it says what crawlers may do on this site",
            Self::Reference => "robots.txt refers to it for this crawler, and without it nothing is permitted",
            Self::Headers => "header fields of the response may restrict its use",
            Self::Page => "the resource itself may say what may be done with it",
            Self::TdmRep => "it may reserve text and data mining",
            Self::AiTxt | Self::TrustTxt => "it may speak of training AI models",
            Self::Licence => "it is named as a licence, and without it nothing is licensed",
            Self::TdmPolicy => "it has the terms on which text and data mining may be licensed",
        }
    }

    /// The rule of the semantics by which it is read.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::RobotsTxt => "S-36",
            Self::Reference => "S-21",
            Self::Headers => "S-17",
            Self::Page => "S-24",
            Self::TdmRep | Self::TdmPolicy => "S-44",
            Self::AiTxt | Self::TrustTxt => "S-46",
            Self::Licence => "S-45",
        }
    }
}

/// Every document that may speak of a resource to a crawler, as far as the evidence tells, none twice: those that have
/// their place at every site first, then those that are named.
///
/// What a document names is known once it is given; so ask again when more was read.
///
/// ```
/// use byleave::{Crawler, Evidence, Reading, Wanted};
/// let robots_txt = b"User-agent: *\nLicense: https://site.example/license.xml\n";
/// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
/// let needs = byleave::needs(&evidence, "https://site.example/a", &Crawler::named("AnyBot"));
/// let licence = needs.iter().find(|need| need.wanted == Wanted::Licence).unwrap();
/// assert_eq!((licence.location.as_str(), licence.is_given), ("https://site.example/license.xml", false));
/// assert!(needs.iter().any(|need| need.location == "https://site.example/robots.txt" && need.is_given));
/// ```
#[must_use]
pub fn needs(evidence: &Evidence<'_>, url: &str, crawler: &Crawler) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    let mut known = std::collections::HashSet::new();
    let mut want = |location: String, wanted: Wanted, is_given: bool| {
        if known.insert((location.clone(), wanted)) {
            needs.push(Need { location, wanted, is_given });
        }
    };
    let switches = evidence.reading().switches();
    let is_known = !matches!(evidence.robots_txt(), RobotsTxt::Unknown);
    want(resolved(url, &format!("/{ROBOTS_TXT}")), Wanted::RobotsTxt, is_known);
    if switches.reads_responses {
        want(url.to_owned(), Wanted::Headers, evidence.headers().is_some());
        want(url.to_owned(), Wanted::Page, evidence.has_page() || evidence.has_document(url, url));
    }
    if switches.reads_preferences {
        for (location, dialect) in well_known_documents() {
            let wanted = match dialect {
                Dialect::TdmRep => Wanted::TdmRep,
                Dialect::AiTxt => Wanted::AiTxt,
                _ => Wanted::TrustTxt,
            };
            let location = resolved(url, location);
            let is_given = evidence.has_document(url, &location);
            want(location, wanted, is_given);
        }
    }
    let capabilities = Capabilities::default();
    let sources = evidence.sources(&capabilities, None);
    let unread: std::collections::HashSet<u32> = sources.unread(crawler).map(|id| id.number).collect();
    if let Some(acap) = evidence.acap() {
        let is_for = |group: u32| acap.addressee(group, crawler).is_some();
        for (number, reference) in (0..).zip(&acap.references).filter(|(_, reference)| is_for(reference.group)) {
            let location = String::from_utf8_lossy(reference.locator.of(&acap.arena)).into_owned();
            want(location, Wanted::Reference, !unread.contains(&number));
        }
    }
    if switches.reads_preferences {
        for licence in Licences::of(evidence, url, crawler, &[]).unwrap_or_default().named {
            let is_given = licence.is_read || evidence.has_document(url, &licence.location);
            want(licence.location, Wanted::Licence, is_given);
        }
        for location in policies(evidence, url) {
            let location = resolved(url, &String::from_utf8_lossy(&location));
            let is_given = evidence.has_document(url, &location);
            want(location, Wanted::TdmPolicy, is_given);
        }
    }
    needs
}

/// Where the terms are that a reservation names: the rule of tdmrep.json that matches first, the header, META tags. What
/// is not reserved needs none.
fn policies(evidence: &Evidence<'_>, url: &str) -> Vec<Vec<u8>> {
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
    if let Some(headers) = evidence.headers() {
        layer(&headers.lines().map(|line| (line.name, line.value)).collect::<Vec<_>>());
    }
    for (text, metas) in evidence.metas_of_pages() {
        layer(&metas.iter().map(|meta: &Meta| (meta.name.of(text), meta.content.of(text))).collect::<Vec<_>>());
    }
    resource::with_path(url.as_bytes(), evidence.reading().switches(), |path| {
        for table in evidence.preferences().iter().filter(|table| table.carrier == Some(Carrier::Document)) {
            let mut first = None;
            let is_rule = |one: &Preference| one.dialect == Dialect::TdmRep;
            table.each_about(path, url, is_rule, |number, rule| first = first.or(Some((number, rule))));
            let reserving = first.filter(|(_, rule)| rule.said.prohibits != 0);
            found.extend(reserving.and_then(|(number, _)| table.locator(number)).map(<[u8]>::to_vec));
        }
    });
    found.retain(|location| !location.is_empty());
    found
}
