//! The META tags of a page: which of them count (S-24, S-25), and what those of ACAP say (S-09, S-11, S-27, S-28).

use super::conventional::s35_names_crawler;
use super::document::{AcapField, Definition, Document, Version, s11_is_gated};
use super::location::s27_alternatives;
use super::oracle::elements::Element;
use super::pattern::Pattern;
use super::qualifiers::{self, Qualifier};
use super::robots::RobotsEvidence;
use super::statements::{self, Statement, local_name};
use super::{Question, fails, html};
use wayleave::Usage;

/// A page, known by its META tags and by the parts that conditions may name.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub html: String,
    pub metas: Vec<Meta>,
    /// `id:` or `class:` and a name.
    pub parts: Vec<String>,
    /// In document order; none where only the METAs were read.
    pub elements: Vec<Element>,
}

/// A META tag, character references resolved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meta {
    pub name: String,
    pub content: String,
    /// Whether the content stands in the attribute `value`, as the strawman had it.
    pub is_in_value: bool,
    pub place: Where,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Where {
    Head,
    NoscriptInHead,
    Body,
    Template,
}

/// How much of a META counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    Whole,
    Restrictions,
}

impl Meta {
    /// Whether its first word is `ACAP`.
    pub fn is_acap(&self) -> bool {
        self.content.split_ascii_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case("ACAP"))
    }

    /// Whether it declares a version or defines a usage.
    pub fn is_no_statement(&self) -> bool {
        let words: Vec<String> = self.content.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
        let is_version = words.len() == 3 && words[..2] == ["acap", "version"] && !words[2].contains("allow-");
        is_version || self.name.to_ascii_lowercase().starts_with("acap-")
    }

    /// The content of ACAP, its first word left out and all whitespace made plain.
    fn acap_words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.content.split_ascii_whitespace().collect();
        if self.is_acap() {
            words.remove(0);
        }
        words
    }

    /// Whether it names the crawler (true), is for any (false), or is for another.
    fn level(&self, question: &Question) -> Option<bool> {
        // S-35: whole, or cut at the first character that no name has.
        let is_of_a_name = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
        let token = self.name.split(|letter: char| !is_of_a_name(letter)).next().unwrap_or_default();
        if self.name == "*" || token.eq_ignore_ascii_case("robots") {
            return Some(false);
        }
        s35_names_crawler(self.name.as_bytes(), question).then_some(true)
    }
}

impl Page {
    /// The page that some HTML makes, if it is simple enough.
    pub fn read(text: &str) -> Option<Self> {
        html::read(text)
    }

    /// Whether the page has the part that a condition names.
    pub fn has_part(&self, part: &str) -> bool {
        if !self.elements.is_empty() {
            return self.s37_target(part).is_some();
        }
        let is_meta = |name: &str| self.metas.iter().any(|meta| meta.name.eq_ignore_ascii_case(name));
        self.parts.iter().any(|own| own == part) || part.strip_prefix("meta:").is_some_and(is_meta)
    }

    /// The METAs for the crawler or for any that count, with their numbers from 1.
    pub fn s24_metas<'p>(&'p self, question: &'p Question) -> impl Iterator<Item = (u32, &'p Meta, Counts)> {
        let counts = |meta: &Meta| match meta.place {
            Where::Head | Where::NoscriptInHead => Some(Counts::Whole),
            Where::Body => question.capabilities.reads_body_meta.then_some(Counts::Restrictions),
            Where::Template => None,
        };
        (1..).zip(&self.metas).filter_map(move |(number, meta)| {
            let is_for_it = meta.level(question).is_some() && !meta.is_in_value;
            is_for_it.then(|| counts(meta)).flatten().map(|counts| (number, meta, counts))
        })
    }
}

/// The ACAP statements of the page's METAs, and those of the DOM where there is one.
#[derive(Default)]
pub struct MetaStatements {
    pub source: InMetas,
    pub dom: Option<InMetas>,
}

/// What the METAs of one document say to the crawler.
#[derive(Default)]
pub struct InMetas {
    /// Its version, and the usages it defines.
    pub document: Document,
    whole: Vec<Statement>,
    /// Permissions for parts of the page, with the ids of those parts (S-28).
    pub fragments: Vec<(Vec<String>, Statement)>,
}

impl MetaStatements {
    pub fn of(question: &Question, robots: &RobotsEvidence) -> Self {
        let of = |name: &str, page: &Page| of_page(name, page, question, robots.document.as_ref());
        Self {
            source: question.page.as_ref().map(|page| of("page", page)).unwrap_or_default(),
            dom: question.dom.as_ref().map(|page| of("dom", page)),
        }
    }

    /// Of one tier and for one purpose: the prohibitions of both documents, and the permissions that both have.
    ///
    /// Both have a permission where each has one of that usage, addressee level and purpose class; then the
    /// conditions of both count. A permission that fails, because it is for another place or has lapsed, restricts:
    /// it counts where one has it. What both say in the same way is said once.
    pub fn s25_that_count(&self, question: &Question, tier: &Usage, purpose: Option<&str>) -> Vec<Statement> {
        let of_tier = |statements: &[Statement]| -> Vec<Statement> {
            let applies = |statement: &&Statement| statement.usage == *tier && statement.is_for(purpose);
            s27_alternatives(statements.iter().filter(applies).cloned().collect(), question)
        };
        let source = of_tier(&self.source.whole);
        let Some(dom) = &self.dom else { return source };
        let dom = of_tier(&dom.whole);
        let all = source.iter().filter(|own| s25_counts(own, &dom, question)).cloned().collect();
        let waiting = dom.iter().filter(|own| s25_counts(own, &source, question)).cloned().collect();
        s25_said_once(all, waiting)
    }
}

/// Whether a statement of one document counts beside those of the other.
pub fn s25_counts(statement: &Statement, others: &[Statement], question: &Question) -> bool {
    let is_like = |other: &Statement| {
        other.permits
            && other.is_named == statement.is_named
            && other.is_purpose_specific() == statement.is_purpose_specific()
    };
    !statement.permits || fails(question, statement) || others.iter().any(is_like)
}

/// The statements of both documents; what both say alike is one statement.
pub fn s25_said_once(mut all: Vec<Statement>, mut waiting: Vec<Statement>) -> Vec<Statement> {
    for statement in &mut all {
        if let Some(at) = waiting.iter().position(|other| says_the_same(other, statement)) {
            statement.places.extend(waiting.remove(at).places);
        }
    }
    all.extend(waiting);
    all
}

fn says_the_same(one: &Statement, two: &Statement) -> bool {
    let plain = |purposes: &[String]| purposes.join(" ").to_ascii_lowercase();
    (one.permits, one.is_named, &one.conditions, &one.locations)
        == (two.permits, two.is_named, &two.conditions, &two.locations)
        && plain(&one.purposes) == plain(&two.purposes)
}

/// The ACAP statements of one document that address the crawler.
fn of_page(name: &str, page: &Page, question: &Question, robots: Option<&Document>) -> InMetas {
    let metas: Vec<(u32, &Meta, Counts)> = page.s24_metas(question).filter(|(_, meta, _)| meta.is_acap()).collect();
    let whole = metas.iter().filter(|(.., counts)| *counts == Counts::Whole);
    let mut document = Document {
        version: whole.filter_map(|(_, meta, _)| s11_declared(&meta.acap_words())).min(),
        ..Document::default()
    };
    if question.capabilities.reads_strawman {
        s28_define(&mut document, page);
    }
    let (mut statements, mut fragments) = (Vec::new(), Vec::new());
    for (number, meta, counts) in metas {
        let Some(written) = Written::read(&meta.acap_words(), question.capabilities.reads_strawman) else { continue };
        if counts == Counts::Restrictions && written.permits {
            continue;
        }
        if written.permits && s11_is_gated(document.version, &written.qualifiers) {
            continue;
        }
        let is_named = meta.level(question) == Some(true);
        let said = written.said(&document, robots, question);
        let said = said.into_iter().map(|said| Statement {
            places: vec![(name.to_owned(), number)],
            permits: written.permits && said.conditions.is_some(),
            usage: said.usage,
            // S-15: as fields with equal patterns.
            patterns: vec![Pattern::read(b"/")],
            is_named,
            purposes: written.purpose.clone().into_iter().collect(),
            conditions: said.conditions.unwrap_or_default(),
            is_conventional: false,
            locations: written.locations(),
        });
        match &written.fragments {
            Some(ids) => fragments.extend(said.map(|statement| (ids.clone(), statement))),
            None => statements.extend(said),
        }
    }
    InMetas { document, whole: statements, fragments }
}

/// A permission or prohibition as written: `[purpose] allow-usage [qualifiers]`.
struct Written {
    purpose: Option<String>,
    permits: bool,
    usage: String,
    qualifiers: Vec<Qualifier>,
    /// The ids of the parts that it is about, where it is not about the page.
    fragments: Option<Vec<String>>,
}

impl Written {
    fn read(words: &[&str], reads_strawman: bool) -> Option<Self> {
        let verb = |word: &str| {
            let word = word.to_ascii_lowercase();
            let allow = word.strip_prefix("allow-").map(|usage| (true, usage.to_owned()));
            allow.or_else(|| word.strip_prefix("disallow-").map(|usage| (false, usage.to_owned())))
        };
        let (purpose, (permits, usage), rest) = match words {
            [first, rest @ ..] if verb(first).is_some() => (None, verb(first)?, rest),
            [first, second, rest @ ..] => (Some((*first).to_owned()), verb(second)?, rest),
            _ => return None,
        };
        // With the strawman, a permission with an id-list is about parts of the page and not about the page. A
        // prohibition takes none (S-10).
        let (fragments, rest) = match reads_strawman && permits {
            true => s28_id_list(rest),
            false => (None, rest.to_vec()),
        };
        Some(Self { purpose, permits, usage, qualifiers: qualifiers::read(&rest.join(" ")), fragments })
    }

    fn locations(&self) -> Vec<String> {
        let locations = self.qualifiers.iter().filter(|qualifier| qualifier.name == "location");
        locations.filter_map(|qualifier| qualifier.value.clone()).collect()
    }

    /// What it says, usage by usage. A local usage that only robots.txt defines is not in the grammar of META:
    /// its permission falls, on its base.
    fn said(&self, page: &Document, robots: Option<&Document>, question: &Question) -> Vec<statements::Said> {
        let is_location = |qualifier: &&Qualifier| qualifier.name == "location";
        let is_local = local_name(&self.usage).is_some();
        let is_defined_here = local_name(&self.usage).is_some_and(|name| page.usages.contains_key(name));
        let field = AcapField {
            line: 0,
            permits: self.permits,
            usage: self.usage.clone(),
            resource: b"/".to_vec(),
            qualifiers: match is_local {
                true => self.qualifiers.clone(),
                false => self.qualifiers.iter().filter(|own| !is_location(own)).cloned().collect(),
            },
            purposes: Vec::new(),
        };
        let mut documents = vec![page];
        documents.extend(robots.filter(|_| is_local && !is_defined_here));
        if !self.permits {
            return statements::s10_prohibition(&field, &documents);
        }
        let is_readable = |value: &Option<String>| {
            value.as_ref().is_some_and(|value| !value.is_empty() && !value.contains(['"', '\'']))
        };
        let mut locations = self.qualifiers.iter().filter(is_location);
        let is_unable = question.capabilities.unable.iter().any(|unable| unable.eq_ignore_ascii_case("location"));
        let falls = locations.any(|location| is_unable || !is_readable(&location.value));
        let mut said = statements::s09_permission(&field, &documents, &question.capabilities);
        if falls || (is_local && !is_defined_here) {
            said.iter_mut().for_each(|said| said.conditions = None);
        }
        said
    }
}

/// The ids that `id-list=` names, up to the next word with an equals sign, and the words without them.
fn s28_id_list<'w>(words: &[&'w str]) -> (Option<Vec<String>>, Vec<&'w str>) {
    let is_list = |word: &&str| word.split('=').next().unwrap_or_default().eq_ignore_ascii_case("id-list");
    let Some(at) = words.iter().position(is_list) else { return (None, words.to_vec()) };
    let (before, list) = words.split_at(at);
    // `id-list =a`: the sign may stand by itself or with the first id.
    let has_sign = |word: &&&str| word.contains('=');
    let Some(sign) = list.iter().take(2).position(|word| has_sign(&word)) else { return (None, words.to_vec()) };
    let first = list[sign].split_once('=').map(|(_, first)| first).filter(|first| !first.is_empty());
    let more = list[sign + 1..].iter().take_while(|word| !has_sign(word)).copied();
    let ids: Vec<&str> = first.into_iter().chain(more.clone()).collect();
    let rest = &list[sign + 1 + more.count()..];
    (Some(ids.into_iter().map(str::to_owned).collect()), [before, rest].concat())
}

/// The version that `version n.m` declares. Before a permission or prohibition `version` is a purpose.
fn s11_declared(words: &[&str]) -> Option<Version> {
    let [first, number] = words else { return None };
    if !first.eq_ignore_ascii_case("version") {
        return None;
    }
    let parts: Vec<u32> = number.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    Some((*parts.first()?, parts.get(1).copied().unwrap_or(0)))
}

/// The local usages that METAs of the head define, in `content` or `value`, with the word ACAP or without.
fn s28_define(document: &mut Document, page: &Page) {
    for meta in page.metas.iter().filter(|meta| [Where::Head, Where::NoscriptInHead].contains(&meta.place)) {
        let words = meta.acap_words();
        let Some((name, rest)) = words.split_first() else { continue };
        let definition = match meta.name.to_ascii_lowercase().as_str() {
            "acap-qualified-usage" => {
                let Some((base, rest)) = rest.split_first() else { continue };
                let qualifiers = qualifiers::read(&rest.join(" "));
                if s11_is_gated(document.version, &qualifiers) {
                    continue;
                }
                Definition::Qualified { base: base.to_ascii_lowercase(), qualifiers }
            }
            "acap-composite-usage" => {
                Definition::Composite(rest.iter().map(|word| word.to_ascii_lowercase()).collect())
            }
            _ => continue,
        };
        document.usages.entry(name.to_ascii_lowercase()).or_insert(definition);
    }
}
