//! The decision: may this crawler make this use of this resource, and on what ground.
//!
//! One body serves everybody: [`decide`] passes it a recorder that vanishes, `explain` one that keeps
//! every step. Order as in semantics section 3: robots.txt gives its result for `crawl` (S-13, S-36);
//! a usage that nothing speaks of is unstated (S-01); prerequisites come last (S-14).

use crate::crawler::Crawler;
use crate::evidence::{Evidence, Obtained, RobotsTxt};
use crate::instant::Instant;
use crate::model::StatementId;
use crate::policy::{Bound, Ground, Winner};
use crate::reading::Switches;
use crate::resource;
use crate::vocabulary::Usage;

/// The question: who wants to do what with which resource, when and how.
///
/// ```
/// use wayleave::{Crawler, Evidence, Outcome, ProposedUse, Reading, Usage};
/// let evidence = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
/// let crawler = Crawler::named("AnyBot");
/// let proposed = ProposedUse::new("https://site.example/drafts/1", &crawler, &Usage::Index);
/// let decision = wayleave::decide(&evidence, &proposed);
/// assert_eq!(decision.outcome, Outcome::Unstated);
/// assert_eq!(decision.effective, Outcome::Prohibited, "what may not be crawled cannot be indexed");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProposedUse<'q> {
    /// The resource: an absolute http(s) URL, or a path that begins with `/`.
    pub url: &'q str,
    /// The crawler.
    pub crawler: &'q Crawler,
    /// What it would do.
    pub usage: &'q Usage,
    /// The purposes it recognises as its own.
    pub purposes: &'q [String],
    /// When.
    pub at: Option<Instant>,
    /// What went before.
    pub history: History,
    /// What the crawler can and cannot do.
    pub capabilities: &'q Capabilities,
    /// What the caller does where nothing is stated.
    pub unstated: UnstatedDefault,
}

impl<'q> ProposedUse<'q> {
    /// The question in its plainest form.
    #[must_use]
    pub fn new(url: &'q str, crawler: &'q Crawler, usage: &'q Usage) -> Self {
        const PLAIN: &Capabilities = &Capabilities::PLAIN;
        Self {
            url,
            crawler,
            usage,
            purposes: &[],
            at: None,
            history: History::default(),
            capabilities: PLAIN,
            unstated: UnstatedDefault::Permit,
        }
    }
}

/// What went before this use (S-20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// When this usage was first made of this resource.
    pub first_used: Option<Instant>,
    /// Whether the resource was crawled again since.
    pub is_recrawled: bool,
}

/// What a crawler can do, and has agreed with the site (S-16, S-24, S-28, S-37, S-38).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can tell the elements of a page apart.
    pub element_level: bool,
    /// Site and crawler have arranged the features that need it.
    pub prior_arrangement: bool,
    /// It interprets features that ACAP calls not ready.
    pub not_ready: bool,
    /// It interprets the strawman of 2007.
    pub strawman: bool,
    /// It takes restrictions from META tags outside `head`.
    pub body_meta: bool,
    /// Usages and qualifiers it cannot interpret.
    pub unable: Vec<String>,
}

impl Capabilities {
    const PLAIN: Self = Self {
        element_level: true,
        prior_arrangement: false,
        not_ready: false,
        strawman: false,
        body_meta: false,
        unable: Vec::new(),
    };
}

impl Default for Capabilities {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// What the caller does where nothing is stated. Silence is no consent; whose default it is must be said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnstatedDefault {
    /// Go ahead, by absence of a prohibition.
    #[default]
    Permit,
    /// Do not.
    Prohibit,
}

/// What a decision comes to (S-01). Not `non_exhaustive`: a caller should notice when it grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Expressly, or by RFC 9309's own default for `crawl`.
    Permitted,
    /// If the listed conditions are kept.
    Conditional,
    /// Not.
    Prohibited,
    /// Nothing speaks. Not consent.
    Unstated,
}

impl Outcome {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Permitted => "permitted",
            Self::Conditional => "conditional",
            Self::Prohibited => "prohibited",
            Self::Unstated => "unstated",
        }
    }
}

/// On what ground a decision stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The rule that RFC 9309 selects: the longest pattern, the permission among equals (S-13).
    LongestPattern(StatementId),
    /// No rule of the records that bind the crawler matches: permitted by RFC 9309's default (S-01).
    NoRuleMatches(Ground),
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
    /// There is no robots.txt: permitted by default (S-36).
    NoRobotsTxt(Obtained),
    /// robots.txt could not be fetched: prohibited (S-36).
    RobotsTxtUnreachable(Obtained),
    /// Nothing is known of robots.txt (S-36).
    RobotsTxtUnknown,
    /// No statement speaks of this usage (S-01).
    NothingSpeaks,
}

impl Reason {
    /// The rule of the semantics it stands on.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::LongestPattern(_) | Self::RobotsTxtItself => "S-13",
            Self::NoRuleMatches(_) | Self::NothingSpeaks => "S-01",
            Self::NoRobotsTxt(_) | Self::RobotsTxtUnreachable(_) | Self::RobotsTxtUnknown => "S-36",
        }
    }

    /// The statement that decides; nothing where a default, a status or a limit does.
    #[must_use]
    pub fn statement(self) -> Option<StatementId> {
        match self {
            Self::LongestPattern(id) => Some(id),
            Self::NoRuleMatches(_)
            | Self::RobotsTxtItself
            | Self::NoRobotsTxt(_)
            | Self::RobotsTxtUnreachable(_)
            | Self::RobotsTxtUnknown
            | Self::NothingSpeaks => None,
        }
    }

    /// Its stable name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LongestPattern(_) => "longest-pattern",
            Self::NoRuleMatches(_) => "no-rule-matches",
            Self::RobotsTxtItself => "robots-txt-itself",
            Self::NoRobotsTxt(_) => "no-robots-txt",
            Self::RobotsTxtUnreachable(_) => "robots-txt-unreachable",
            Self::RobotsTxtUnknown => "robots-txt-unknown",
            Self::NothingSpeaks => "nothing-speaks",
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// What the site expressed.
    pub outcome: Outcome,
    /// The ground of that.
    pub reason: Reason,
    /// What it comes to after prerequisites (S-14) and the caller's default for silence.
    pub effective: Outcome,
    /// Whether a prohibited prerequisite made the difference: `crawl`, and the ground of its prohibition.
    pub prerequisite: Option<Reason>,
    /// The first instant at which it no longer holds.
    pub valid_until: Option<Instant>,
    /// Whether evidence was cut at a limit (S-22).
    pub is_truncated: bool,
}

impl Decision {
    /// Whether the use may be made, conditions kept: everything but a prohibition.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effective != Outcome::Prohibited
    }
}

/// Decides. Allocates nothing, keeps no history, reads no clock.
///
/// Cost: linear in the URL and the candidate rules.
#[must_use]
pub fn decide(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>) -> Decision {
    decide_with(evidence, proposed, &mut Silent)
}

/// Hears of each step of a decision.
pub(crate) trait Recorder {
    /// Whether it wants every statement that matches, and not only the one that wins.
    const KEEPS: bool;

    /// These records bind the crawler.
    fn bound(&mut self, bound: &Bound<'_>, path: &[u8]);

    /// This rule of them matches the resource.
    fn matches(&mut self, rule: Winner);
}

/// Keeps nothing and costs nothing.
struct Silent;

impl Recorder for Silent {
    const KEEPS: bool = false;

    #[inline(always)]
    fn bound(&mut self, _: &Bound<'_>, _: &[u8]) {}

    #[inline(always)]
    fn matches(&mut self, _: Winner) {}
}

pub(crate) fn decide_with<R: Recorder>(
    evidence: &Evidence<'_>,
    proposed: &ProposedUse<'_>,
    recorder: &mut R,
) -> Decision {
    let (crawl, crawl_reason) = crawl(evidence, proposed.crawler, proposed.url, recorder);
    let (outcome, reason) = match proposed.usage {
        Usage::Crawl => (crawl, crawl_reason),
        // S-13: conventional rules speak of crawl only.
        _ => (Outcome::Unstated, Reason::NothingSpeaks),
    };
    let is_barred = proposed.usage.prerequisites().contains(&Usage::Crawl) && crawl == Outcome::Prohibited;
    let effective = match outcome {
        _ if is_barred => Outcome::Prohibited,
        Outcome::Unstated if proposed.unstated == UnstatedDefault::Prohibit => Outcome::Prohibited,
        Outcome::Permitted | Outcome::Conditional | Outcome::Prohibited | Outcome::Unstated => outcome,
    };
    let is_truncated = matches!(evidence.robots_txt(), RobotsTxt::Read(policy) if policy.is_truncated());
    Decision {
        outcome,
        reason,
        effective,
        prerequisite: is_barred.then_some(crawl_reason),
        valid_until: None,
        is_truncated,
    }
}

/// What robots.txt says of crawling (S-13, S-36).
fn crawl<R: Recorder>(evidence: &Evidence<'_>, crawler: &Crawler, url: &str, recorder: &mut R) -> (Outcome, Reason) {
    let switches = evidence.reading().switches();
    resource::with_path(url.as_bytes(), switches, |path| {
        let (outcome, reason) = match evidence.robots_txt() {
            RobotsTxt::Read(policy) => conventional(&policy.bind(crawler), path, recorder),
            RobotsTxt::NotThere(obtained) => (Outcome::Permitted, Reason::NoRobotsTxt(*obtained)),
            RobotsTxt::Unreachable(obtained) => (Outcome::Prohibited, Reason::RobotsTxtUnreachable(*obtained)),
            RobotsTxt::Unknown => (Outcome::Unstated, Reason::RobotsTxtUnknown),
        };
        if outcome != Outcome::Permitted && is_robots_txt(path, switches) {
            (Outcome::Permitted, Reason::RobotsTxtItself)
        } else {
            (outcome, reason)
        }
    })
}

/// RFC 9309 2.2: the rule selected among the records that bind the crawler.
#[inline(always)]
fn conventional<R: Recorder>(bound: &Bound<'_>, path: &[u8], recorder: &mut R) -> (Outcome, Reason) {
    let winner = if R::KEEPS {
        recorder.bound(bound, path);
        let mut best = Winner::default();
        bound.each_match(path, |rule| {
            recorder.matches(rule);
            if rule.priority > best.priority {
                best = rule;
            }
        });
        best
    } else {
        bound.winner(path)
    };
    match winner {
        Winner { priority: 0, .. } => (Outcome::Permitted, Reason::NoRuleMatches(bound.ground())),
        _ => {
            let outcome = if winner.is_prohibition() { Outcome::Prohibited } else { Outcome::Permitted };
            (outcome, Reason::LongestPattern(StatementId(winner.rule)))
        }
    }
}

fn is_robots_txt(path: &[u8], switches: &Switches) -> bool {
    switches.permits_robots_txt && path == b"/robots.txt"
}

impl Bound<'_> {
    /// Whether the crawler may fetch `url`, an absolute URL or a path. Allocates nothing.
    #[must_use]
    #[inline]
    pub fn may_crawl(&self, url: &str) -> bool {
        let switches = self.switches();
        resource::with_path(url.as_bytes(), switches, |path| {
            conventional(self, path, &mut Silent).0 != Outcome::Prohibited || is_robots_txt(path, switches)
        })
    }
}
