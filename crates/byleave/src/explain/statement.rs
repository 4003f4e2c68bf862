//! Looks up any statement on a site, and returns it as the model's `Statement`.
//!
//! A decision refers to statements by id. This module finds each statement's text, position and effect.

use super::{Policy, RobotsTxt, StatementKind};
use crate::base::source::Location;
use crate::base::source::{LineStarts, Position, Span};
use crate::decide::conditions::{condition, join};
use crate::dialects::acap::Acap;
use crate::dialects::acap::{Entry, GENERAL, StatementEffect, UsageRef};
use crate::dialects::preference;
use crate::dialects::preference::{Limit, Place as PreferencePlace};
use crate::dialects::robots_directives::Effect;
use crate::model::Source;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::proposed_use::Capabilities;
use crate::model::{Addressee, Carrier, Condition, Dialect, Modality, Scope, Statement, StatementId, Term};
use crate::policy::Statements;
use crate::site::element_statements::Axis;
use crate::site::response::DocumentKind;
use crate::site::{Document, ROBOTS_TXT, Site};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

/// A local usage by file and number, whether it is in a permission, and the usage in question.
type LocalUsage = (Source, u32, bool, Usage);

/// A statement's effect and its terms.
type Spoken = (Option<StatementEffect>, Vec<Condition>);

/// The statements in robots.txt, in the files it refers to, and in the response.
///
/// Build this value once and reuse it, because it caches line starts and the terms of local usages.
pub struct SiteStatements<'e> {
    site: &'e Site<'e>,
    rules: Option<Statements<'e>>,
    policy: Option<&'e Policy<'e>>,
    capabilities: Capabilities,
    /// The start of each statement's text in an owned ACAP table.
    texts: Vec<u32>,
    /// The effects and terms of local usages. They are cached, because a local usage may have very many members.
    locals: RefCell<HashMap<LocalUsage, Spoken>>,
    /// The line starts of each page.
    lines: RefCell<HashMap<&'e str, LineStarts>>,
}

/// An ACAP permission or prohibition in robots.txt, with the crawlers and usages that it addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AcapStatement<'e> {
    /// The statement's id.
    pub id: StatementId,
    /// The crawlers in the statement's group as written, with `*` last.
    pub crawlers: Vec<&'e [u8]>,
    /// The usages that the statement itself addresses. A wider usage is not split into the usages that it includes.
    pub usages: Vec<&'static Usage>,
}

/// A preference in an AI-preference dialect (S-40), with the crawlers and usages that it addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreferenceStatement<'e> {
    /// The preference's id.
    pub id: StatementId,
    /// The dialect that the preference is written in.
    pub dialect: Dialect,
    /// The crawlers in the preference's group as written, including `*`. Empty if the preference is outside every group
    /// and so is for everyone.
    pub crawlers: Vec<&'e [u8]>,
    /// The usages that the preference addresses, and the usages that these include.
    pub usages: Vec<&'static Usage>,
    /// The pattern for paths, as written, or `None` for all paths.
    pub pattern: Option<&'e [u8]>,
}

impl<'e> SiteStatements<'e> {
    /// Returns every statement in the AI-preference dialects: first those in robots.txt, in file order, then those in
    /// other documents.
    ///
    /// ```
    /// use byleave::model::Dialect;
    /// use byleave::{Document, Reading, Site, Usage};
    /// use byleave::analysis::SiteStatements;
    /// use byleave::model::Capabilities;
    /// let robots_txt = b"User-agent: *\nContent-Signal: /news/ search=yes\nDisallow:\n";
    /// let rules = br#"[{"location": "/", "tdm-reservation": 1}]"#;
    /// let site = Site::builder(Reading::Default).with_robots_txt(byleave::Obtained::Status(200), robots_txt)
    ///     .with_document(Document::new("/.well-known/tdmrep.json", &rules[..])).build();
    /// let statements = SiteStatements::of(&site, &Capabilities::default());
    /// let found = statements.preferences();
    /// assert_eq!((found[0].dialect, found[0].pattern), (Dialect::ContentSignal, Some(&b"/news/"[..])));
    /// assert_eq!((&found[0].crawlers[..], &found[0].usages[..]), (&[&b"*"[..]][..], &[&Usage::Search][..]));
    /// assert_eq!((found[1].dialect, found[1].crawlers.len()), (Dialect::TdmRep, 0));
    /// assert_eq!(found[1].usages, [&Usage::Tdm, &Usage::TrainAi, &Usage::TrainGenai]);
    /// assert_eq!(statements.get(found[0].id, &Usage::Search).map(|statement| statement.line), Some(2));
    /// ```
    ///
    /// Cost: linear in the preferences and the names of groups.
    #[must_use]
    pub fn preferences(&self) -> Vec<PreferenceStatement<'e>> {
        let site: &'e Site<'e> = self.site;
        let fields = self.policy.and_then(Policy::preferences).map(|table| (0, table));
        let mut found = Vec::new();
        for (document, table) in fields.into_iter().chain((1..).zip(site.preferences())) {
            let policy = if document == 0 { self.policy } else { self.site.groups_of(table) };
            let groups = policy.filter(|_| table.entries.iter().any(|one| one.group.is_some())).map(Policy::groups);
            let names = |group: u32| Some(groups.as_ref()?.get(group as usize)?.names.clone());
            for (number, preference) in (0..).zip(&table.entries) {
                let pattern = match preference.place {
                    PreferencePlace::Fact(fact) => {
                        let value = self.rules.as_ref().and_then(|rules| rules.fact(fact)).map(|(_, value, ..)| value);
                        value.and_then(|value| preference.pattern(value))
                    }
                    PreferencePlace::At(..) => preference.pattern(&table.text),
                };
                let addressed = preference.claims.usages();
                found.push(PreferenceStatement {
                    id: StatementId::new(Source::preferences(document), number),
                    dialect: preference.dialect,
                    crawlers: preference.group.and_then(names).unwrap_or_default(),
                    usages: Usage::NAMED.iter().filter(|usage| addressed & preference::bit(usage) != 0).collect(),
                    pattern,
                });
            }
        }
        found
    }

    /// Returns the ACAP permissions and prohibitions in robots.txt, in file order.
    ///
    /// ```
    /// use byleave::{Reading, Site, Usage};
    /// use byleave::analysis::SiteStatements;
    /// use byleave::model::Capabilities;
    /// let robots_txt = b"ACAP-crawler: *\nACAP-disallow-index: /private/\n";
    /// let site = Site::of_robots_txt(robots_txt, Reading::Default);
    /// let statements = SiteStatements::of(&site, &Capabilities::default());
    /// let found = statements.acap();
    /// assert_eq!((&found[0].crawlers[..], &found[0].usages[..]), (&[&b"*"[..]][..], &[&Usage::Index][..]));
    /// assert_eq!(statements.get(found[0].id, &Usage::Index).map(|statement| statement.line), Some(2));
    /// ```
    #[must_use]
    pub fn acap(&self) -> Vec<AcapStatement<'e>> {
        let Some(acap) = self.policy.and_then(Policy::acap) else { return Vec::new() };
        let crawlers = |group: u32| {
            let Some(group) = acap.groups.get(group as usize) else { return Vec::new() };
            let named = group.names.of(&acap.names).iter().map(|name| name.written.of(&acap.arena));
            named.chain(group.is_any.then_some(&b"*"[..])).collect()
        };
        let statement = |(number, entry): (u32, &Entry)| AcapStatement {
            id: StatementId::new(Source::Acap, number),
            crawlers: crawlers(entry.group),
            usages: Usage::NAMED
                .iter()
                .filter(|usage| acap.effect(entry, usage, &self.capabilities).is_some())
                .collect(),
        };
        (0..).zip(&acap.statements).map(statement).collect()
    }

    /// Returns the statements as a crawler with these capabilities reads them.
    #[must_use]
    pub fn of(site: &'e Site<'_>, capabilities: &Capabilities) -> Self {
        let policy = match site.robots_txt() {
            RobotsTxt::Read(policy) => Some(&**policy),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        };
        let mut texts = Vec::new();
        if let Some(acap) = policy.and_then(Policy::acap).filter(|acap| !acap.written.is_empty()) {
            texts.extend(acap.places().scan(0, |sum, at| {
                let start = *sum;
                *sum = u32::saturating_add(*sum, at.end.saturating_sub(at.start));
                Some(start)
            }));
        }
        Self {
            site,
            rules: policy.map(Policy::statements),
            policy,
            capabilities: capabilities.clone(),
            texts,
            locals: RefCell::default(),
            lines: RefCell::default(),
        }
    }

    /// Returns the statement with this id, as it applies to a usage.
    #[must_use]
    pub fn get(&self, id: StatementId, usage: &Usage) -> Option<Statement<'e>> {
        if id.kind() == StatementKind::Rule {
            return self.rules.as_ref()?.get(id);
        }
        if id.kind() == StatementKind::Directive {
            return self.directive(id, usage);
        }
        if id.kind() == StatementKind::Restriction {
            return self.restriction(id, usage);
        }
        if id.kind() == StatementKind::Preference {
            return self.preference(id, usage);
        }
        let acap = self.site.acap_table(id.source)?;
        let number = id.number as usize;
        match id.kind() {
            StatementKind::Acap => self.permission_or_prohibition(id, acap, number, usage),
            StatementKind::Reference => {
                let reference = acap.references.get(number)?;
                let text = self.text(id, acap, acap.statements.len() + number, reference.at);
                let scope = Scope::Pattern(b"/");
                let addressee = acap.groups.get(reference.group as usize)?.is_any;
                let mut statement = self.bare(id, usage, reference.at, text, scope);
                statement.modality = Modality::Prohibition;
                statement.addressee = if addressee { Addressee::Any } else { Addressee::Named };
                Some(statement)
            }
            StatementKind::Rule | StatementKind::Directive | StatementKind::Restriction | StatementKind::Preference => {
                None
            }
        }
    }

    /// Returns the line of the name by which a statement's group binds the crawler. If no name in the group does,
    /// returns the group's first line. Returns `None` if the statement is not in robots.txt or the line is not known.
    #[must_use]
    pub fn group_line(&self, id: StatementId, crawler: &Crawler) -> Option<u32> {
        if id.kind() == StatementKind::Rule {
            return self.rules.as_ref()?.group_line(id, crawler);
        }
        if id.kind() == StatementKind::Preference {
            return self.group_line_of_preference(id, crawler);
        }
        let acap = self.site.acap().filter(|_| matches!(id.source, Source::Acap | Source::References))?;
        let group = match id.kind() {
            StatementKind::Reference => acap.references.get(id.number as usize)?.group,
            _ => acap.statements.get(id.number as usize)?.group,
        };
        acap.groups.get(group as usize).map(|group| group.line)
    }

    fn group_line_of_preference(&self, id: StatementId, crawler: &Crawler) -> Option<u32> {
        let (_, preference) = self.site.preference(id).filter(|_| id.source == Source::Preferences)?;
        let groups = self.policy?.groups();
        let group = groups.get(preference.group? as usize)?;
        let names = || group.names.iter().zip(&group.spans);
        let named = names().find(|(name, _)| name.eq_ignore_ascii_case(crawler.name().as_bytes()));
        let (_, span) = named.or_else(|| names().next())?;
        Some(Position::of(self.policy?.text()?, span.start).line)
    }

    fn permission_or_prohibition(
        &self,
        id: StatementId,
        acap: &'e Acap,
        number: usize,
        usage: &Usage,
    ) -> Option<Statement<'e>> {
        let entry = acap.statements.get(number)?;
        let held = self.site.metas(id).map(|metas| &metas.text);
        let held = held.or_else(|| self.site.element_acap(id).map(|read| &read.text));
        let text = match held {
            Some(text) => {
                let (start, end) = entry.resource;
                Cow::Borrowed(text.get(start as usize..end as usize).unwrap_or_default())
            }
            None => self.text(id, acap, number, entry.at),
        };
        let resource = entry.resource.0.saturating_sub(entry.at.start) as usize
            ..entry.resource.1.saturating_sub(entry.at.start) as usize;
        let scope = match &text {
            Cow::Borrowed(text) => text.get(resource).unwrap_or_default(),
            Cow::Owned(_) => &[],
        };
        let is_set = acap.sets.get(entry.set as usize).is_some();
        let scope = match is_set {
            _ if matches!(id.source, Source::ElementAcap(_)) => {
                Scope::Element(Span::new(entry.at.start as usize, entry.at.end as usize))
            }
            _ if matches!(id.source, Source::HeadAcap(_) | Source::BodyAcap(_)) => Scope::Resource,
            true => Scope::ResourceSet(scope),
            false => Scope::Pattern(scope),
        };
        let mut statement = self.bare(id, usage, entry.at, text, scope);
        let (effect, terms) = self.effect(id, acap, entry, usage);
        statement.uninterpretable = entry.uninterpretable.or(effect.and_then(|effect| effect.uninterpretable));
        statement.is_forgiven = entry.is_forgiven;
        statement.modality = if effect.is_some_and(|effect| effect.is_permission) {
            Modality::Permission
        } else {
            Modality::Prohibition
        };
        let is_any = acap.groups.get(entry.group as usize).is_some_and(|group| group.is_any);
        statement.addressee = if is_any { Addressee::Any } else { Addressee::Named };
        if entry.purposes != GENERAL {
            let purposes = acap.purposes.get(entry.purposes as usize)?.of(&acap.purpose_patterns);
            let shown = |byte: &u8| if *byte == crate::dialects::rfc9309::pattern::WILDCARD { b'*' } else { *byte };
            let name =
                |bytes: &[u8]| String::from_utf8_lossy(&bytes.iter().map(shown).collect::<Vec<_>>()).into_owned();
            statement.purposes = purposes.iter().map(|purpose| name(purpose.pattern.of(&acap.arena))).collect();
        }
        if statement.modality == Modality::Permission {
            statement.qualifiers = terms;
        }
        Some(statement)
    }

    /// Returns a statement's effect on a usage, and its terms.
    fn effect(&self, id: StatementId, acap: &Acap, entry: &Entry, usage: &Usage) -> Spoken {
        let ask = |entry: &Entry| {
            let mut terms = Vec::new();
            acap.each_term(entry, usage, |term| terms.push(condition(term, acap)));
            (acap.effect(entry, usage, &self.capabilities), join(terms))
        };
        let UsageRef::Local(local) = entry.usage else { return ask(entry) };
        let key = (id.source, local, entry.is_permission, usage.clone());
        let mut locals = self.locals.borrow_mut();
        let (effect, terms) =
            locals.entry(key).or_insert_with(|| ask(&Entry { uninterpretable: None, ..*entry })).clone();
        let effect = effect.map(|effect| StatementEffect {
            is_permission: effect.is_permission && entry.uninterpretable.is_none(),
            ..effect
        });
        (effect, terms)
    }

    /// Returns a directive in a META tag or header.
    fn directive(&self, id: StatementId, usage: &Usage) -> Option<Statement<'e>> {
        let (parsed, entry) = self.site.directive(id)?;
        let text = Cow::Borrowed(entry.written.of(&parsed.text));
        let mut statement = self.bare(id, usage, entry.at, text, Scope::Resource);
        statement.dialect = Dialect::RobotsDirectives;
        statement.addressee = if parsed.is_named(entry) { Addressee::Named } else { Addressee::Any };
        if parsed.kind == DocumentKind::Headers {
            statement.carrier = Carrier::Header;
        }
        statement.qualifiers.extend(entry.directive.condition());
        let prohibits = entry.directive.effect == Effect::Prohibits;
        statement.modality = if prohibits { Modality::Prohibition } else { Modality::Permission };
        Some(statement)
    }

    /// Returns a preference in an AI-preference dialect.
    fn preference(&self, id: StatementId, usage: &Usage) -> Option<Statement<'e>> {
        let (table, preference) = self.site.preference(id)?;
        let mut statement = match preference.place {
            PreferencePlace::Fact(number) => {
                let (field, value, span, place) = self.rules.as_ref()?.fact(number)?;
                let text = match self.policy.and_then(Policy::text) {
                    Some(text) => Cow::Borrowed(span.of(text)),
                    None => Cow::Owned([field.name().as_bytes(), b": ", value].concat()),
                };
                let at = Location { start: span.start, end: span.end, line: place.line, column: place.column };
                let scope = preference.pattern(value).map_or(Scope::Resource, Scope::Pattern);
                self.bare(id, usage, at, text, scope)
            }
            PreferencePlace::At(at, written) => {
                let scope = preference.pattern(&table.text).map_or(Scope::Resource, Scope::Pattern);
                self.bare(id, usage, at, Cow::Borrowed(written.of(&table.text)), scope)
            }
        };
        statement.dialect = preference.dialect;
        statement.carrier = table.carrier?;
        let is_general = |group: u32| {
            let of_file = || self.rules.as_ref().is_none_or(|rules| rules.is_general(group));
            table.is_general(group).unwrap_or_else(of_file)
        };
        let is_for_any = preference.group.is_none_or(is_general);
        statement.addressee = if is_for_any { Addressee::Any } else { Addressee::Named };
        let bit = preference::bit(usage);
        let prohibits = preference.claims.prohibits & bit != 0;
        statement.modality = if prohibits { Modality::Prohibition } else { Modality::Permission };
        if !prohibits {
            statement.qualifiers.extend(preference.limits(bit).map(|limit| limit.condition.clone()));
            let document = self.site.source(id);
            let term = |limit: &Limit| {
                let (start, end) = limit.at?;
                let Position { line, column } = self.place(document?, start);
                let span = Span::new(start as usize, end as usize);
                Some(Term { condition: limit.condition.clone(), span, line, column })
            };
            statement.terms.extend(preference.limits(bit).filter_map(term));
        }
        Some(statement)
    }

    /// Returns a class of the Robot Exclusion Profile, a link with `nofollow`, or a search-engine mark.
    fn restriction(&self, id: StatementId, usage: &Usage) -> Option<Statement<'e>> {
        let page = self.site.on_element(id)?;
        let one = page.restriction(id.number)?;
        let text = Cow::Borrowed(one.written.of(&page.text));
        let scope = Scope::Element(Span::new(one.at.start as usize, one.at.end as usize));
        let mut statement = self.bare(id, usage, one.at, text, scope);
        statement.dialect = match one.axis {
            Axis::Profile(_) => Dialect::ExclusionProfile,
            Axis::Link | Axis::Marked(_) => Dialect::SearchMarks,
        };
        statement.modality = Modality::Prohibition;
        Some(statement)
    }

    /// Returns a statement with its position and text. The caller adds its effect.
    fn bare(
        &self,
        id: StatementId,
        usage: &Usage,
        at: Location,
        text: Cow<'e, [u8]>,
        scope: Scope<'e>,
    ) -> Statement<'e> {
        let carrier = match id.source {
            Source::Rules | Source::Acap | Source::References | Source::Preferences => Carrier::RobotsTxt,
            Source::ElementAcap(_) | Source::ElementRestrictions(_) => {
                self.site.element_acap(id).map_or(Carrier::Element, |read| read.carrier)
            }
            Source::HeadAcap(_) | Source::HeadDirectives(_) | Source::BodyAcap(_) | Source::BodyDirectives(_) => {
                Carrier::Meta
            }
            Source::ReferenceAcap(_) | Source::DocumentPreferences(_) => Carrier::Reference,
        };
        let document = self.site.source(id);
        // Lines and columns of a page are computed on demand.
        let place = match document {
            Some(document) if at.line == 0 => self.place(document, at.start),
            _ => Position { line: at.line, column: at.column },
        };
        Statement {
            id,
            modality: Modality::Permission,
            usage: usage.clone(),
            dialect: Dialect::Acap,
            carrier,
            document: document.map_or(ROBOTS_TXT, |document| &document.name),
            addressee: Addressee::Any,
            purposes: Vec::new(),
            scope,
            qualifiers: Vec::new(),
            terms: Vec::new(),
            span: Span::new(at.start as usize, at.end as usize),
            line: place.line,
            column: place.column,
            text,
            uninterpretable: None,
            is_forgiven: false,
        }
    }

    fn place(&self, document: &'e Document<'_>, offset: u32) -> Position {
        let mut lines = self.lines.borrow_mut();
        lines.entry(&document.name).or_insert_with(|| LineStarts::of(document.text())).position(offset)
    }

    /// Returns the text at a position, from the document or from the copy in an owned policy.
    fn text(&self, id: StatementId, acap: &'e Acap, number: usize, at: Location) -> Cow<'e, [u8]> {
        let text = match id.source {
            Source::Acap | Source::References => self.policy.and_then(|policy| policy.text()),
            _ => self.site.source(id).map(|document| &*document.bytes),
        };
        Cow::Borrowed(match text {
            Some(text) => at.of(text),
            None => {
                let start = self.texts.get(number).copied().unwrap_or_default() as usize;
                acap.written.get(start..start + at.end.saturating_sub(at.start) as usize).unwrap_or_default()
            }
        })
    }
}
