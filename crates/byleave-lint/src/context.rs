//! The input of the rules: a robots.txt with its tree, groups and winning rules, or a response with its site's
//! robots.txt.
//!
//! To find out which statement wins for a pattern, the rules ask the engine about a witness path (`witness`). Expensive
//! answers are computed on first use and kept.

use crate::finding::Edit;
use crate::rules::diagnostic_fixes::without_line;
use crate::witness::{unused_byte, witnesses};
use byleave::analysis::robots_txt::{Line, Tree};
use byleave::analysis::source::{LineStarts, Span};
use byleave::analysis::vocabulary::Field;
use byleave::analysis::{AcapStatement, CrawlerGroup, RobotsTxt, SiteStatements};
use byleave::model::Capabilities;
use byleave::model::{Modality, Scope, Statement, StatementId};
use byleave::{Crawler, Decision, Headers, Policy, ProposedUse, Reading, Site, Usage};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

/// A robots.txt, parsed and indexed for the lint rules.
pub(crate) struct RobotsTxtContext<'e> {
    pub(crate) name: &'e str,
    pub(crate) text: &'e [u8],
    pub(crate) site: &'e Site<'e>,
    tree: Tree<'e>,
    policy: Option<&'e Policy<'e>>,
    /// The `Allow` and `Disallow` rules, in policy order.
    pub(crate) rules: Vec<Statement<'e>>,
    numbers: HashMap<StatementId, usize>,
    /// Maps the offset of a rule's first byte to the rule.
    by_start: HashMap<u32, usize>,
    groups: Vec<CrawlerGroup<'e>>,
    /// Maps each name, in lower case, to the groups that contain it.
    groups_naming: HashMap<Vec<u8>, Vec<usize>>,
    /// Maps each rule to its group.
    group_of: HashMap<StatementId, usize>,
    lines: LineStarts,
    unused_byte: Option<u8>,
    effects: OnceCell<Vec<Option<RuleEffect>>>,
    lengths: OnceCell<Vec<Option<PatternLengths>>>,
    acap: OnceCell<Vec<AcapPatternStatement<'e>>>,
    google: OnceCell<Site<'e>>,
    plain: OnceCell<Site<'e>>,
}

/// An ACAP permission or prohibition that has one pattern and applies to every purpose.
pub(crate) struct AcapPatternStatement<'e> {
    pub(crate) statement: Statement<'e>,
    pub(crate) pattern: &'e [u8],
    pub(crate) crawlers: Vec<Crawler>,
    pub(crate) usages: Vec<&'static Usage>,
}

/// The lengths of the patterns that compete for the crawlers of a group.
#[derive(Default)]
struct PatternLengths {
    of_permissions: BTreeSet<usize>,
    of_prohibitions: BTreeSet<usize>,
}

/// Whether a rule ever decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleEffect {
    /// The rule decides for some path.
    Decides,
    /// The rule never decides: the given rule matches all its paths and wins.
    ShadowedBy(usize),
}

impl<'e> RobotsTxtContext<'e> {
    pub(crate) fn new(name: &'e str, text: &'e [u8], site: &'e Site<'e>) -> Self {
        let tree = byleave::analysis::tree(text, Reading::Default);
        let policy = robots_txt_policy(site);
        let rules: Vec<_> = policy.map(|policy| policy.statements().iter().collect()).unwrap_or_default();
        let numbers = rules.iter().enumerate().map(|(number, rule)| (rule.id, number)).collect();
        let by_start = rules.iter().enumerate().map(|(number, rule)| (rule.span.start, number)).collect();
        let groups = policy.map(Policy::groups).unwrap_or_default();
        // After a group with only preferences comes a group with the same names and the rules (S-40). Keep only the
        // group with the rules.
        let groups: Vec<_> = groups.into_iter().filter(|group| !group.is_for_preferences).collect();
        let mut groups_naming: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        let mut group_of = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            group_of.extend(group.rules.iter().map(|id| (*id, number)));
            for name in &group.names {
                let known = groups_naming.entry(name.to_ascii_lowercase()).or_default();
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
        }
        Self {
            name,
            text,
            site,
            unused_byte: unused_byte(std::slice::from_ref(&tree)),
            tree,
            policy,
            rules,
            numbers,
            by_start,
            groups,
            groups_naming,
            group_of,
            lines: LineStarts::of(text),
            effects: OnceCell::new(),
            lengths: OnceCell::new(),
            acap: OnceCell::new(),
            google: OnceCell::new(),
            plain: OnceCell::new(),
        }
    }

    pub(crate) fn tree(&self) -> &Tree<'e> {
        &self.tree
    }

    pub(crate) fn groups(&self) -> &[CrawlerGroup<'e>] {
        &self.groups
    }

    /// Returns the file as Google's parser reads it.
    pub(crate) fn google(&self) -> &Site<'e> {
        self.google.get_or_init(|| Site::of_robots_txt(self.text, Reading::Google))
    }

    /// Returns the file as read by a crawler that knows only RFC 9309.
    pub(crate) fn plain(&self) -> &Site<'e> {
        self.plain.get_or_init(|| Site::of_robots_txt(self.text, Reading::Rfc9309))
    }

    /// Returns the lines that contain fields, each with the field that the default reading recognises.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&Line, Field)> {
        let field = |line| byleave::analysis::field(&self.tree, line, Reading::Default).map(|field| (line, field));
        self.tree.lines().iter().filter_map(field)
    }

    /// Returns the value of a line.
    pub(crate) fn value(&self, line: &Line) -> &'e [u8] {
        self.text.get(line.value.0..line.value.1).unwrap_or_default()
    }

    /// Returns the line number of a span, from 1.
    pub(crate) fn line(&self, span: Span) -> u32 {
        self.lines.position(span.start).line
    }

    /// Returns the rules in a group.
    pub(crate) fn rules_of<'l>(&'l self, group: &'l CrawlerGroup<'e>) -> impl Iterator<Item = usize> + 'l {
        group.rules.iter().filter_map(|id| self.numbers.get(id).copied())
    }

    /// Returns the pattern of a rule, as written.
    pub(crate) fn pattern(&self, rule: usize) -> &'e [u8] {
        match self.rules.get(rule).map(|rule| rule.scope) {
            Some(Scope::Pattern(pattern)) => pattern,
            _ => &[],
        }
    }

    /// Returns the witness paths of a pattern. There are none if the file contains every candidate character.
    pub(crate) fn witnesses(&self, pattern: &[u8]) -> Vec<String> {
        self.unused_byte.map(|unused_byte| witnesses(pattern, unused_byte)).unwrap_or_default()
    }

    /// Returns crawlers that this group names. If exactly the same groups name several of them, only the first is
    /// returned, because the decisions for the others are equal.
    pub(crate) fn crawlers(&self, group: usize) -> Vec<Crawler> {
        let names = self.groups.get(group).map(|group| group.names.as_slice()).unwrap_or_default();
        let mut known: Vec<&[usize]> = Vec::new();
        let mut crawlers = Vec::new();
        for name in names {
            let binding = self.groups_naming(name);
            let crawler = crawler(name);
            // No crawler can have a name that is not UTF-8.
            let is_named = *name == b"*" || self.policy.is_some_and(|policy| policy.names(&crawler));
            if is_named && !known.contains(&binding) {
                known.push(binding);
                crawlers.push(crawler);
            }
            if known.len() >= MAX_CRAWLERS {
                break;
            }
        }
        crawlers
    }

    /// Returns the groups that contain this name.
    pub(crate) fn groups_naming(&self, name: &[u8]) -> &[usize] {
        self.groups_naming.get(&name.to_ascii_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Decides whether a crawler may crawl this path.
    pub(crate) fn crawl(&self, crawler: &Crawler, path: &str) -> Decision {
        byleave::analysis::decide_unchecked(self.site, &ProposedUse::new(path, crawler, &Usage::Crawl))
    }

    /// Returns whether a rule ever decides. Returns `None` if that is unknown, for example because ACAP decides
    /// instead.
    pub(crate) fn effect(&self, rule: usize) -> Option<RuleEffect> {
        self.effects.get_or_init(|| self.compute_effects()).get(rule).copied().flatten()
    }

    /// Computes the effect of every rule. Cost: one decision per rule, witness path and crawler of its group, up to a
    /// limit.
    fn compute_effects(&self) -> Vec<Option<RuleEffect>> {
        let mut effects = vec![None; self.rules.len()];
        let mut questions = 0;
        for (number, group) in self.groups.iter().enumerate() {
            let crawlers = self.crawlers(number);
            for rule in self.rules_of(group) {
                let paths = self.witnesses(self.pattern(rule));
                questions += paths.len() * crawlers.len();
                if questions > MAX_QUESTIONS {
                    return effects;
                }
                let asked = crawlers.iter().flat_map(|crawler| paths.iter().map(move |path| (crawler, path)));
                let winners = asked.map(|(crawler, path)| self.crawl(crawler, path).reason.statement());
                let mut winners = winners.map(|id| id.and_then(|id| self.numbers.get(&id).copied()));
                let first = winners.next().flatten();
                let fate = match first {
                    Some(winner) if winner == rule => Some(RuleEffect::Decides),
                    Some(winner) if winners.all(|other| other == Some(winner)) => Some(RuleEffect::ShadowedBy(winner)),
                    Some(_) => Some(RuleEffect::Decides),
                    None => None,
                };
                if let Some(place) = effects.get_mut(rule) {
                    *place = fate;
                }
            }
        }
        effects
    }

    /// Returns the ACAP statements that have one pattern, which begins with `/`, and no purpose, up to a limit.
    pub(crate) fn acap(&self) -> &[AcapPatternStatement<'e>] {
        self.acap.get_or_init(|| {
            let statements = SiteStatements::of(self.site, &Capabilities::default());
            let read = |one: AcapStatement<'e>| {
                let statement = statements.get(one.id, one.usages.first().copied()?)?;
                let Scope::Pattern(pattern) = statement.scope else { return None };
                let crawlers = one.crawlers.iter().take(MAX_CRAWLERS).map(|name| crawler(name)).collect();
                let is_general = statement.purposes.is_empty() && pattern.starts_with(b"/");
                is_general.then_some(AcapPatternStatement { statement, pattern, crawlers, usages: one.usages })
            };
            let mut questions = 0;
            let fields = statements.acap().into_iter().filter_map(read);
            let is_asked = |field: &AcapPatternStatement<'_>| {
                questions += field.crawlers.len() * field.usages.len();
                questions <= MAX_ACAP_QUESTIONS
            };
            fields.take_while(is_asked).collect()
        })
    }

    /// Returns whether a rule is a permission.
    pub(crate) fn permits(&self, rule: usize) -> bool {
        self.rules.get(rule).is_some_and(|rule| rule.modality == Modality::Permission)
    }

    /// Returns the group of a rule.
    pub(crate) fn group_of(&self, rule: usize) -> Option<usize> {
        self.group_of.get(&self.rules.get(rule)?.id).copied()
    }

    /// Returns the span of a rule.
    pub(crate) fn span(&self, rule: usize) -> Span {
        self.rules.get(rule).map_or_else(Span::default, |rule| rule.span)
    }

    /// Returns the edit that removes the line of a rule. Returns `None` if a comment would be lost. Also returns `None`
    /// if the group would have no rules left, because it would then merge with the next group.
    pub(crate) fn without(&self, rule: usize) -> Option<Edit> {
        let group = self.groups.get(*self.group_of.get(&self.rules.get(rule)?.id)?)?;
        let line = self.line_at(self.span(rule)).filter(|_| group.rules.len() > 1)?;
        without_line(line)
    }

    /// Returns the line that contains the start of a span.
    pub(crate) fn line_at(&self, span: Span) -> Option<&Line> {
        let at = span.range().start;
        let after = self.tree.lines().partition_point(|line| line.start <= at);
        self.tree.lines().get(after.checked_sub(1)?)
    }

    /// Returns the line at this position with its field, or `None` if the line has no field.
    pub(crate) fn field_at(&self, span: Span) -> Option<(&Line, Field)> {
        let line = self.line_at(span)?;
        Some((line, byleave::analysis::field(&self.tree, line, Reading::Default)?))
    }

    /// Returns the rule on a line.
    pub(crate) fn rule_at(&self, line: &Line) -> Option<usize> {
        let start = Span::new(line.name.0, line.value.1).start;
        self.by_start.get(&start).copied()
    }

    /// Returns the line ending that the file uses.
    pub(crate) fn line_end(&self) -> &'e [u8] {
        let first = self.tree.lines().first();
        first.and_then(|line| self.text.get(line.end..line.next)).filter(|end| !end.is_empty()).unwrap_or(b"\n")
    }

    /// Returns the edit that inserts a line after the given line.
    pub(crate) fn line_after(&self, line: &Line, text: &str) -> Edit {
        let (text, end) = (text.as_bytes(), self.line_end());
        let is_ended = line.end < line.next;
        let added = if is_ended { [text, end].concat() } else { [end, text].concat() };
        Edit::new(line.next, line.next, added)
    }

    /// Returns whether a rule's pattern may have any length in this range without changing which rule wins. That is the
    /// case if no opposing rule for the same crawlers has a pattern of about that length.
    pub(crate) fn is_length_irrelevant(&self, rule: usize, ranks: RangeInclusive<usize>) -> bool {
        let Some(number) = self.rules.get(rule).and_then(|rule| self.group_of.get(&rule.id)) else { return false };
        let lengths = self.lengths.get_or_init(|| self.compute_lengths());
        let Some(Some(lengths)) = lengths.get(*number) else { return false };
        // Readers disagree on whether a final `$` counts, so a difference of one is too close.
        let near = ranks.start().saturating_sub(1)..=ranks.end().saturating_add(1);
        let opposing = if self.permits(rule) { &lengths.of_prohibitions } else { &lengths.of_permissions };
        opposing.range(near).next().is_none()
    }

    /// Returns, for each group, the lengths of the patterns that apply to its crawlers. The entry is `None` if the
    /// group's names occur in too many groups.
    fn compute_lengths(&self) -> Vec<Option<PatternLengths>> {
        let lengths = |group: &CrawlerGroup<'e>| {
            let mut groups: Vec<usize> =
                group.names.iter().flat_map(|name| self.groups_naming(name)).copied().collect();
            groups.sort_unstable();
            groups.dedup();
            (groups.len() <= MAX_CRAWLERS).then(|| {
                let mut lengths = PatternLengths::default();
                for rule in groups.iter().filter_map(|number| self.groups.get(*number)).flat_map(|r| self.rules_of(r)) {
                    let kind =
                        if self.permits(rule) { &mut lengths.of_permissions } else { &mut lengths.of_prohibitions };
                    kind.insert(self.pattern(rule).len());
                }
                lengths
            })
        };
        self.groups.iter().map(lengths).collect()
    }

    /// Returns the line number of a rule, from 1.
    pub(crate) fn line_of(&self, rule: usize) -> u32 {
        self.rules.get(rule).map_or(0, |rule| rule.line)
    }
}

/// Returns the crawler with this name. For `*`, returns a crawler that no group names.
pub(crate) fn crawler(name: &[u8]) -> Crawler {
    if name == b"*" { unnamed_crawler() } else { Crawler::named(&String::from_utf8_lossy(name)) }
}

/// Returns a crawler that no group names.
pub(crate) fn unnamed_crawler() -> Crawler {
    Crawler::named("\u{FFFD}")
}

/// Returns the policy of robots.txt, if it was read.
pub(crate) fn robots_txt_policy<'e>(site: &'e Site<'_>) -> Option<&'e Policy<'e>> {
    match site.robots_txt() {
        RobotsTxt::Read(policy) => Some(policy),
        _ => None,
    }
}

/// Returns part of a document for use in a message. Control characters are replaced, and long text is shortened.
pub(crate) fn excerpt(piece: &[u8]) -> String {
    const MAX_CHARS: usize = 60;
    let text = String::from_utf8_lossy(piece);
    let letters = text.chars().map(|letter| if letter.is_control() { '\u{FFFD}' } else { letter });
    let cut: String = letters.take(MAX_CHARS).collect();
    if text.chars().count() > MAX_CHARS { format!("{cut}…") } else { cut }
}

/// At most this many crawlers are considered for one group, one ACAP statement or one response.
const MAX_CRAWLERS: usize = 16;
/// A lint rule asks the engine at most this many questions about one file. The rest of the file is not checked.
pub(crate) const MAX_QUESTIONS: usize = 200_000;

/// A lower limit for questions about ACAP, because the answer may require comparing a great many statements.
const MAX_ACAP_QUESTIONS: usize = 5_000;

/// A response with its site's robots.txt.
pub(crate) struct ResponseContext<'e> {
    pub(crate) site: &'e Site<'e>,
    pub(crate) url: Option<&'e str>,
    pub(crate) headers: Option<&'e Headers>,
    /// Maps the engine's name for each document of the response to the document's name in the linter's input.
    names: [(&'static str, Option<&'e str>); 3],
}

impl<'e> ResponseContext<'e> {
    pub(crate) fn new(
        site: &'e Site<'e>,
        url: Option<&'e str>,
        headers: Option<&'e Headers>,
        names: [(&'static str, Option<&'e str>); 3],
    ) -> Self {
        Self { site, url, headers, names }
    }

    /// Returns a crawler that the response does not name, followed by each crawler that its directives name.
    pub(crate) fn crawlers(&self) -> Vec<(Option<String>, Crawler)> {
        let names = self.site.crawlers_addressed().into_iter().take(MAX_CRAWLERS);
        let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
        let named = names.map(|name| (Some(name.clone()), Crawler::named(&name)));
        std::iter::once((None, unnamed_crawler())).chain(named).collect()
    }

    /// Returns the name that reports use for a document.
    pub(crate) fn name<'n>(&'n self, document: &'n str) -> &'n str {
        self.names.iter().find(|(known, _)| *known == document).and_then(|(_, name)| *name).unwrap_or(document)
    }
}
