//! Decides whether a crawler may make a use of a resource, and gives the reason.
//!
//! One function serves both callers: [`decide`] passes a recorder that compiles to nothing, and `explain` passes one
//! that keeps every step. The order of steps is that of semantics section 3:
//!
//! 1. For each purpose, ACAP's tiers decide (`acap`). The conventional winner joins the tier for `crawl` (S-13).
//! 2. Conditions are checked against time, history and details (`conditions`).
//! 3. Directives in META tags and headers, and AI preferences, are applied (`directives`, `preferences`).
//! 4. Prerequisites are checked (S-14).
//!
//! A usage that no statement addresses is unstated (S-01).

pub(crate) mod acap;
pub(crate) mod conditions;
mod directives;
mod licences;
mod preferences;
mod robots_txt;

pub(crate) use acap::{bit_of, work_of};
pub(crate) use licences::Licences;
pub(crate) use preferences::may_address;

use crate::base::timestamp::Timestamp;
use crate::dialects::rfc9309::resource;
use crate::model::LostTo;
use crate::model::StatementId;
use crate::model::Usage;
use crate::model::proposed_use::{Details, History, InvalidUrlError, ProposedUse, UnstatedDefault};
use crate::model::reading::Switches;
use crate::model::{Barrier, Decision, Outcome, Reason};
use crate::policy::{Bound, Winner};
use crate::site::{AskedFor, RobotsTxt, Site, Sources};
use acap::TierWalk;
use directives::DirectiveVerdict;
use robots_txt::{Question, by_page, by_policy};

/// Decides on a proposed use. The decision contains the outcome and the statement or default that is the reason for it.
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
/// let crawler = Crawler::named("AnyBot");
/// let decision = decide(&site, &ProposedUse::new("https://site.example/drafts/1", &crawler, &Usage::Crawl))?;
/// assert_eq!(decision.outcome, Outcome::Prohibited);
/// assert_eq!(decision.reason.rule(), "S-13");
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
///
/// This function keeps no history and reads no clock. It allocates only in these cases:
///
/// - A path of more than two kilobytes has to be rewritten.
/// - More than eight ACAP statements, or more than four conventional rules of the same rank, compete.
/// - A permission names a substitute by a relative reference, or states the page's location.
/// - Both the page and the DOM are given.
/// - The decision needs the page beyond its `head`.
/// - Licences or metadata are given.
///
/// Cost: linear in the URL and the candidate statements (S-34).
///
/// # Errors
/// Returns an error if the URL is neither an http(s) URL nor a path that begins with `/`.
pub fn decide(site: &Site<'_>, proposed: &ProposedUse<'_>) -> Result<Decision, InvalidUrlError> {
    match resource::is_resource(proposed.url) {
        true => Ok(decide_unchecked(site, proposed)),
        false => Err(InvalidUrlError { url: proposed.url.to_owned() }),
    }
}

/// Returns the decision without checking the URL, for callers that built the URL themselves.
#[must_use]
pub fn decide_unchecked(site: &Site<'_>, proposed: &ProposedUse<'_>) -> Decision {
    decide_with(site, proposed, &mut Silent)
}

/// Receives each step of a decision.
pub(crate) trait Recorder {
    /// Whether the recorder needs every matching statement, not only the winner.
    const KEEPS: bool;

    /// Receives the conventional groups that bind the crawler.
    fn bound(&mut self, bound: &Bound<'_>, path: &[u8]);

    /// Receives a rule in the groups that bind the crawler, if it matches the resource.
    fn matches(&mut self, rule: Winner);

    /// Receives the result for each statement in one tier.
    fn tier(&mut self, tier: TierWalk);

    /// Receives a statement that is sufficient for an outcome for a usage.
    fn decides(&mut self, outcome: Outcome, id: StatementId, usage: &Usage);

    /// Moves the statements recorded for the outcome `from` to the outcome `to`. Together with later statements, they
    /// justify `to`.
    fn becomes(&mut self, from: Outcome, to: Outcome);

    /// Receives a directive or preference that addresses the usage, and what it lost to, if it lost.
    fn directive(&mut self, id: StatementId, usage: &Usage, lost: Option<LostTo>);
}

/// A recorder that keeps nothing and costs nothing.
pub(crate) struct Silent;

impl Recorder for Silent {
    const KEEPS: bool = false;

    #[inline(always)]
    fn bound(&mut self, _: &Bound<'_>, _: &[u8]) {}

    #[inline(always)]
    fn matches(&mut self, _: Winner) {}

    #[inline(always)]
    fn tier(&mut self, _: TierWalk) {}

    #[inline(always)]
    fn decides(&mut self, _: Outcome, _: StatementId, _: &Usage) {}

    #[inline(always)]
    fn becomes(&mut self, _: Outcome, _: Outcome) {}

    #[inline(always)]
    fn directive(&mut self, _: StatementId, _: &Usage, _: Option<LostTo>) {}
}

/// The site's answer about one usage, before prerequisites are checked (S-14).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) reason: Reason,
    pub(crate) valid_until: Option<Timestamp>,
    /// Whether a condition ends the permission as soon as the resource is crawled again.
    pub(crate) ends_at_recrawl: bool,
}

impl Answer {
    fn plain(outcome: Outcome, reason: Reason) -> Self {
        Self { outcome, reason, valid_until: None, ends_at_recrawl: false }
    }
}

pub(crate) fn decide_with<R: Recorder>(site: &Site<'_>, proposed: &ProposedUse<'_>, recorder: &mut R) -> Decision {
    let answer = expressed(site, proposed, proposed.usage, recorder);
    let mut decision = Decision {
        outcome: answer.outcome,
        reason: answer.reason,
        effective: answer.outcome,
        prerequisite: None,
        valid_until: answer.valid_until,
        is_truncated: site.is_truncated(proposed),
    };
    if decision.outcome == Outcome::Unstated && proposed.unstated == UnstatedDefault::Prohibit {
        decision.effective = Outcome::Prohibited;
    }
    let mut needed_until = None;
    for usage in proposed.usage.prerequisites() {
        let needed = expressed(site, &prerequisite(proposed), usage, &mut Silent);
        let is_barred = bars(proposed.usage, usage, &needed);
        if is_barred && decision.prerequisite.is_none() {
            let ends_at_recrawl = needed.outcome != Outcome::Prohibited;
            decision.prerequisite = Some(Barrier { usage, reason: needed.reason, ends_at_recrawl });
        }
        if needed.outcome == Outcome::Conditional {
            if decision.effective == Outcome::Permitted {
                decision.effective = Outcome::Conditional;
            }
            needed_until = earlier(needed_until, needed.valid_until);
        }
    }
    if decision.prerequisite.is_some() {
        decision.effective = Outcome::Prohibited;
    }
    if decision.effective != Outcome::Prohibited {
        decision.valid_until = earlier(decision.valid_until, needed_until);
    }
    decision
}

/// Returns the question about a prerequisite. It leaves out the element, the details and the first use of the original
/// question (S-14).
pub(crate) fn prerequisite<'q>(proposed: &ProposedUse<'q>) -> ProposedUse<'q> {
    ProposedUse {
        element: None,
        part: None,
        details: Details::default(),
        history: History { first_used: None, ..proposed.history },
        ..*proposed
    }
}

/// Whether the answer about a prerequisite bars a usage (S-14).
pub(crate) fn bars(usage: &Usage, needed: &Usage, answer: &Answer) -> bool {
    let is_old = matches!(usage, Usage::PresentOldcopy | Usage::PresentOldsnippet | Usage::PresentOldthumbnail);
    let past_recrawl = is_old && *needed == Usage::Preserve && answer.ends_at_recrawl;
    answer.outcome == Outcome::Prohibited || past_recrawl
}

fn earlier(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Returns the site's answer about one usage, before prerequisites are checked (S-14).
pub(crate) fn expressed<R: Recorder>(
    site: &Site<'_>,
    proposed: &ProposedUse<'_>,
    usage: &Usage,
    recorder: &mut R,
) -> Answer {
    let switches = site.reading().switches();
    resource::with_path(proposed.url.as_bytes(), switches, |path| {
        let elements = site.elements(if proposed.is_of_part() { AskedFor::Element } else { AskedFor::Page(usage) });
        let found = site.find(proposed);
        let sources = site.sources(proposed.capabilities, elements).asking(&found);
        let is_crawl = *usage == Usage::Crawl;
        let mut directives =
            sources.response().map(|_| DirectiveVerdict::of(&sources, proposed, usage, switches.lifting, recorder));
        let has_response = directives.is_some();
        if preferences::may_address(usage) {
            preferences::add(site, path, proposed, usage, &mut directives, recorder);
        }
        let has_directive = directives.as_ref().is_some_and(DirectiveVerdict::is_any);
        let silence = match site.robots_txt() {
            RobotsTxt::Read(_) | RobotsTxt::NotThere(_) if is_crawl => Outcome::Permitted,
            _ => Outcome::Unstated,
        };
        let question = Question { sources, path, proposed, usage, has_directive, silence };
        let mut answer = match site.robots_txt() {
            RobotsTxt::Read(policy) => by_policy(policy, None, &question, recorder),
            RobotsTxt::Unreachable(obtained) if is_crawl => {
                // No line in robots.txt states this prohibition of crawling, so the page's own prohibitions are reasons
                // too.
                if has_response {
                    by_page(&Question { has_directive: true, ..question }, recorder);
                }
                Answer::plain(Outcome::Prohibited, Reason::RobotsTxtUnreachable(*obtained))
            }
            unread => {
                let by_page = has_response.then(|| by_page(&question, recorder)).flatten();
                by_page.unwrap_or_else(|| match unread {
                    // S-36: the status of robots.txt decides crawling only.
                    _ if !is_crawl => Answer::plain(Outcome::Unstated, Reason::NoStatementApplies),
                    RobotsTxt::NotThere(obtained) => Answer::plain(Outcome::Permitted, Reason::NoRobotsTxt(*obtained)),
                    _ => Answer::plain(Outcome::Unstated, Reason::RobotsTxtUnknown),
                })
            }
        };
        if let Some(directives) = directives {
            answer = directives.combine(answer, usage, recorder);
        }
        if is_crawl && answer.outcome != Outcome::Permitted && is_robots_txt(path, switches) {
            Answer::plain(Outcome::Permitted, Reason::RobotsTxtItself)
        } else {
            answer
        }
    })
}

/// Returns the outcome that RFC 9309 2.2 selects in the groups that bind the crawler, and the reason.
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
        Winner { priority: 0, .. } => (Outcome::Permitted, Reason::NoRuleMatches(bound.bound_by())),
        _ => {
            let outcome = if winner.is_prohibition() { Outcome::Prohibited } else { Outcome::Permitted };
            (outcome, Reason::LongestPattern(StatementId::rule(winner.rule)))
        }
    }
}

fn is_robots_txt(path: &[u8], switches: &Switches) -> bool {
    switches.permits_robots_txt && path == b"/robots.txt"
}

impl Bound<'_> {
    /// Whether the crawler may fetch `url`, which is an http(s) URL or a path that begins with `/`. Returns `false` for
    /// anything else. It allocates in the same cases as [`decide`].
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: *\nDisallow: /private/\n");
    /// let crawler = Crawler::named("ExampleBot");
    /// let bound = policy.bind(&crawler);
    /// assert!(bound.may_crawl("https://site.example/news/"));
    /// assert!(!bound.may_crawl("/private/notes") && !bound.may_crawl("ftp://site.example/"));
    /// ```
    #[must_use]
    #[inline]
    pub fn may_crawl(&self, url: &str) -> bool {
        if !resource::is_resource(url) {
            return false;
        }
        let switches = self.switches();
        resource::with_path(url.as_bytes(), switches, |path| {
            let is_prohibited = match self.policy().acap() {
                None => conventional(self, path, &mut Silent).0 == Outcome::Prohibited,
                Some(_) => self.is_prohibited(url, path),
            };
            !is_prohibited || is_robots_txt(path, switches)
        })
    }

    /// Returns the decision based on robots.txt alone. For a whole site with headers and a page, use [`decide`].
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, Policy, Usage};
    /// let policy = Policy::parse(b"User-agent: *\nContent-Signal: ai-train=no\nDisallow: /private/\n");
    /// let crawler = Crawler::named("AnyBot");
    /// let bound = policy.bind(&crawler);
    /// assert_eq!(bound.decide(&Usage::TrainAi, "https://site.example/news/")?.outcome, Outcome::Prohibited);
    /// assert_eq!(bound.decide(&Usage::Crawl, "/private/notes")?.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if `url` is neither an http(s) URL nor a path that begins with `/`.
    pub fn decide(&self, usage: &Usage, url: &str) -> Result<Decision, InvalidUrlError> {
        let site = Site::of_policy(self.policy());
        decide(&site, &ProposedUse::new(url, self.crawler(), usage).with_purposes(self.purposes()))
    }

    /// Whether a robots.txt with ACAP fields prohibits crawling. Files that it refers to are not read here.
    #[cold]
    #[inline(never)]
    fn is_prohibited(&self, url: &str, path: &[u8]) -> bool {
        let proposed = ProposedUse::new(url, self.crawler(), &Usage::Crawl);
        let sources = Sources::of_policy(self.policy());
        let (usage, silence) = (&Usage::Crawl, Outcome::Permitted);
        let question = Question { sources, path, proposed: &proposed, usage, has_directive: false, silence };
        by_policy(self.policy(), Some(self), &question, &mut Silent).outcome == Outcome::Prohibited
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::crawler::Crawler;
    use crate::model::reading::Reading;

    fn decided(robots_txt: &str, usage: &Usage, unstated: UnstatedDefault) -> Decision {
        let site = Site::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
        let crawler = Crawler::named("AnyBot");
        decide_unchecked(&site, &ProposedUse { unstated, ..ProposedUse::new("/a", &crawler, usage) })
    }

    #[test]
    fn s01_only_silence_is_left_to_the_caller() {
        let [permit, prohibit] = [UnstatedDefault::Permit, UnstatedDefault::Prohibit];
        let allowed = |robots_txt: &str, unstated| decided(robots_txt, &Usage::Index, unstated).is_allowed();
        assert!(allowed("", permit) && !allowed("", prohibit));
        for unstated in [permit, prohibit] {
            assert!(allowed("ACAP-crawler: *\nACAP-allow-index: /\n", unstated));
            assert!(!allowed("ACAP-crawler: *\nACAP-disallow-index: /\n", unstated));
            assert!(decided("", &Usage::Crawl, unstated).is_allowed());
        }
    }

    #[test]
    fn s14_a_barrier_is_a_prohibition_or_an_end_at_the_next_crawl() {
        let ends_at_recrawl = |robots_txt: &str| {
            let decision = decided(robots_txt, &Usage::PresentOldcopy, UnstatedDefault::Permit);
            decision.prerequisite.map(|barrier| barrier.ends_at_recrawl)
        };
        let preserve = |field: &str| format!("ACAP-crawler: *\nACAP-allow-present-oldcopy: /\nACAP-{field}\n");
        assert_eq!(ends_at_recrawl(&preserve("disallow-preserve: /")), Some(false));
        assert_eq!(ends_at_recrawl(&preserve("allow-preserve: / time-limit=until-recrawled")), Some(true));
        assert_eq!(ends_at_recrawl(&preserve("allow-preserve: /")), None);
    }

    #[test]
    fn s13_asking_often_is_asking_once() {
        let files = [
            "Disallow: /a",
            "Allow: /",
            "Disallow: /robots.txt",
            "Disallow: /a\nACAP-crawler: *\nACAP-allow-crawl: /a$",
        ];
        for rules in files {
            let text = format!("User-agent: *\n{rules}\n");
            let site = Site::of_robots_txt(text.as_bytes(), Reading::Default);
            let RobotsTxt::Read(policy) = site.robots_txt() else { continue };
            let crawler = Crawler::named("AnyBot");
            for url in ["/a", "/ab", "/", "/robots.txt"] {
                let once = decide_unchecked(&site, &ProposedUse::new(url, &crawler, &Usage::Crawl)).is_allowed();
                assert_eq!(policy.bind(&crawler).may_crawl(url), once, "{url}: {rules}");
            }
        }
    }
}
