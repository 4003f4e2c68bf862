//! All sentences in explanations.
//!
//! A sentence names the crawler, the act and the line, and has no final full stop. A publisher who has never read a
//! standard can understand it. Other modules pass facts and write no text.

use super::{Explanation, SetAside};
use crate::model::BoundBy;
use crate::model::LostTo;
use crate::model::Obtained;
use crate::model::Usage;
use crate::model::diagnostic::Code;
use crate::model::proposed_use::{ProposedUse, UnstatedDefault};
use crate::model::{Addressee, Carrier, Condition, Dialect, Modality, Scope, Statement, Uninterpretable};
use crate::model::{Outcome, Reason};
use crate::site::{DOM, ROBOTS_TXT};

impl Explanation<'_> {
    /// Returns the decision and its justification in one sentence.
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let proposed = ProposedUse::new("/drafts/1", &crawler, &Usage::Crawl);
    /// let sentence = explain(&site, &proposed)?.sentence(&proposed);
    /// assert_eq!(sentence, "ExampleBot may not crawl `/drafts/1`: line 2 prohibits `/drafts/`");
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn sentence(&self, proposed: &ProposedUse<'_>) -> String {
        let sentence = match self.barred("it") {
            Some(barred) => {
                let (crawler, act) = (proposed.crawler.name(), self.act(proposed));
                let although = match self.decision.outcome {
                    Outcome::Unstated => String::new(),
                    _ => format!(" although {}", self.full_justification()),
                };
                format!("{crawler} may not {act}{although}, because {barred}")
            }
            None => self.expressed(proposed),
        };
        sentence + self.unread()
    }

    /// Returns the justification of the effective outcome without the crawler's name, so that crawlers with the same
    /// answer have the same text.
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let explanation = explain(&site, &ProposedUse::new("/drafts/1", &crawler, &Usage::Crawl))?;
    /// assert_eq!(explanation.because(), "line 2 prohibits `/drafts/`");
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn because(&self) -> String {
        self.barred("the crawler").unwrap_or_else(|| self.full_justification()) + self.unread()
    }

    /// Returns the prerequisite that bars the use, with its justification. Returns `None` if no prerequisite bars the
    /// use, or if the use itself is prohibited (S-14).
    fn barred(&self, crawler: &str) -> Option<String> {
        let barring = self.prerequisites.iter().find(|prerequisite| prerequisite.bars)?;
        let justified =
            barring.determined_by.first().map_or_else(|| default_justification(barring.reason), justification);
        let needed = match barring.outcome {
            Outcome::Prohibited => format!("{crawler} may not {} it", verb(barring.usage)),
            _ => format!("{crawler} may {} it only until it is crawled again", verb(barring.usage)),
        };
        (self.decision.outcome != Outcome::Prohibited).then(|| format!("{needed}: {justified}"))
    }

    fn unread(&self) -> &'static str {
        if self.decision.is_truncated { "; one document exceeds the size limit, and its end was not read" } else { "" }
    }

    /// Returns the act and its object, which is the resource or the element in question.
    fn act(&self, proposed: &ProposedUse<'_>) -> String {
        let is_missing = self.notes.iter().any(|note| note.code == Code::NoSuchElement);
        let (verb, url) = (verb(proposed.usage), proposed.url);
        match proposed.element.filter(|_| !is_missing) {
            Some(element) => format!("{verb} `{element}` of `{url}`"),
            None => format!("{verb} `{url}`"),
        }
    }

    fn expressed(&self, proposed: &ProposedUse<'_>) -> String {
        let (crawler, act) = (proposed.crawler.name(), self.act(proposed));
        let why = self.full_justification();
        let conditions = listed(&self.conditions);
        match self.decision.outcome {
            Outcome::Permitted => format!("{crawler} may {act}: {why}"),
            Outcome::Conditional => format!("{crawler} may {act} if it keeps {conditions}: {why}"),
            Outcome::Prohibited => format!("{crawler} may not {act}: {why}"),
            Outcome::Unstated => {
                let default = match proposed.unstated {
                    UnstatedDefault::Permit => "by default it may, but this is not the site's consent",
                    UnstatedDefault::Prohibit => "by the chosen default it may not",
                };
                format!("nothing says whether {crawler} may {act}: {why}; {default}")
            }
        }
    }

    /// Returns the justification of the outcome, and of a condition that another statement adds.
    fn full_justification(&self) -> String {
        let justified = match self.main_statement() {
            Some(statement) => self.justification(statement),
            None => default_justification(self.decision.reason),
        };
        if self.decision.outcome != Outcome::Conditional {
            return justified;
        }
        let cited = self.main_statement().map(|statement| statement.id);
        let is_other = |statement: &&Statement<'_>| statement.is_limit() && Some(statement.id) != cited;
        match self.determined_by.iter().find(is_other) {
            Some(limit) => format!("{justified}, and {}", justification(limit)),
            None => justified,
        }
    }

    /// Returns the statement that the sentence cites: the one that the reason names, or else the first deciding
    /// statement.
    fn main_statement(&self) -> Option<&Statement<'_>> {
        let decisive = self.decision.reason.statement();
        let found = self.determined_by.iter().find(|statement| Some(statement.id) == decisive);
        found.or_else(|| self.determined_by.first())
    }

    /// Returns what a deciding statement states, and why it prevails.
    #[must_use]
    pub(crate) fn justification(&self, statement: &Statement<'_>) -> String {
        if self.unreadable.iter().any(|(id, _)| *id == statement.id) {
            let (place, text) = (place_of(statement), written(statement));
            return format!("{place} names a licence that cannot be read as RSL, so nothing is licensed (`{text}`)");
        }
        let justified = justification(statement);
        let reason = self.decision.reason;
        if let Reason::RobotsTxtUnreachable(_) = reason {
            return format!("{}; also, {justified}", default_justification(reason));
        }
        if reason.statement() != Some(statement.id) {
            return justified;
        }
        let and = match reason {
            Reason::Lapsed(_) if statement.is_limit() => ", and that time has passed",
            Reason::Lapsed(_) => ", but only until a time that has passed",
            Reason::ConditionBroken(_) if statement.is_limit() => ", and this use does not keep to that limit",
            Reason::ConditionBroken(_) => ", but this use breaks one of its conditions",
            Reason::SubstituteProhibited(_) => ", but it requires a resource that the crawler may not crawl",
            Reason::TargetMissing(_) => ", but it requires a part that the page does not have",
            Reason::OtherLocation(_) => ", but only for a page at another location",
            Reason::NotNarrower(_) => ", and no permission is narrower",
            Reason::Uncompared(_) => ", and there are too many conflicting statements to compare",
            Reason::PageStatement(_) => ", and the page's own statement overrides robots.txt",
            Reason::NotOverridden(_) => ", and the page's own permission does not override it",
            Reason::ElementStatement(_) => ", and a statement on an element overrides one about the page",
            Reason::Unable(_) => ", and the crawler cannot keep this limit",
            Reason::ReferenceUnread(_) => {
                let place = place_of(statement);
                return format!("{place} refers to a file that has not been read, so nothing is permitted until it is");
            }
            _ => "",
        };
        justified + and
    }

    /// Returns a sentence that says which groups bind the crawler, and why, or `None` if no robots.txt was read.
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let proposed = ProposedUse::new("/drafts/1", &crawler, &Usage::Crawl);
    /// let sentence = explain(&site, &proposed)?.binding_sentence(&proposed);
    /// assert_eq!(sentence.as_deref(), Some("no group names ExampleBot, so the groups for any crawler (`*`) apply"));
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn binding_sentence(&self, proposed: &ProposedUse<'_>) -> Option<String> {
        let crawler = proposed.crawler.name();
        let fallback = |n: usize| proposed.crawler.fallbacks().get(n).map_or("", |name| name.as_str());
        if self.has_acap {
            let conventional = match self.bound_by? {
                BoundBy::Named => format!("of the conventional groups, only those that name {crawler} apply"),
                BoundBy::Fallback(n) => {
                    format!("no conventional group names {crawler}, so it falls back to the group of {}", fallback(n))
                }
                BoundBy::Purpose => {
                    format!("no conventional group names {crawler}, so the conventional groups for its purpose apply")
                }
                BoundBy::Any | BoundBy::NoGroup => format!("no conventional group names {crawler}"),
            };
            return Some(format!("{conventional}; ACAP groups apply as well"));
        }
        Some(match self.bound_by? {
            BoundBy::Named => format!("a group names {crawler}, so only groups that name it apply"),
            BoundBy::Fallback(n) => {
                format!("no group names {crawler}, so it falls back to the group of {}", fallback(n))
            }
            BoundBy::Purpose => format!("no group names {crawler}, so the groups for its purpose apply"),
            BoundBy::Any => format!("no group names {crawler}, so the groups for any crawler (`*`) apply"),
            BoundBy::NoGroup => format!("no group names {crawler}, and there is no group for any crawler (`*`)"),
        })
    }
}

impl SetAside<'_> {
    /// Returns why this statement did not decide, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        lost(&self.statement, self.by, self.to.as_ref())
    }
}

/// Returns why a statement did not decide.
fn lost(statement: &Statement<'_>, by: LostTo, to: Option<&Statement<'_>>) -> String {
    let line = place_of(statement);
    let other = to.map_or_else(|| "another line".to_owned(), place_of);
    match by {
        LostTo::LongerPattern(_) => format!("{line} also matches, but {other} has a longer pattern"),
        LostTo::PermissionOfEqualLength(_) => {
            format!(
                "{line} also matches, but {other} permits with an equally long pattern, and then the permission wins"
            )
        }
        LostTo::NamedGroup => format!("{line} is for any crawler, but this crawler has its own group"),
        LostTo::FallbackGroup => format!("{line} is for any crawler, but this crawler has a group to fall back to"),
        LostTo::PurposeGroup => format!("{line} is for any crawler, but this crawler has a group for its purpose"),
        LostTo::RobotsTxtItself => format!("{line} matches, but `/robots.txt` itself may always be fetched"),
        LostTo::ConventionalIgnored => {
            format!("{line} is conventional, but the file tells ACAP crawlers to ignore conventional groups")
        }
        LostTo::NearerUsage => format!(
            "{line} is about the wider usage `{}`, but a statement about a narrower usage takes precedence",
            statement.usage.name()
        ),
        LostTo::NamedStatement(_) => {
            format!("{line} is for any crawler, but {other} is about the same usage and names this crawler")
        }
        LostTo::NarrowerScope(_) => format!("{line} also matches, but {other} has a narrower pattern"),
        LostTo::PurposeStatement(_) => {
            format!("{line} has the same pattern as {other}, which is for the crawler's purpose and counts as narrower")
        }
        LostTo::AcapField(_) => {
            format!("{line} has the same pattern as {other}, which is an ACAP field and takes precedence")
        }
        LostTo::SamePattern(_) => {
            format!("{line} would permit this, but {other} prohibits the same pattern, and then the prohibition wins")
        }
        LostTo::Undetermined(_) => {
            format!("{line} would permit this, but its pattern is not clearly narrower than that of {other}")
        }
        LostTo::NarrowerPermission(_) => {
            format!("{line} also permits this, but {other} is narrower and sets the conditions")
        }
        LostTo::ReferenceUnread => format!("{line} matches, but a file that robots.txt refers to has not been read"),
        LostTo::OtherPurpose => {
            format!("{line} decides for one purpose of the crawler, but another purpose has a more restrictive result")
        }
        LostTo::FailedCondition(_) => format!("{line} also applies, but a condition of {other} is not met"),
        LostTo::Uncompared(_) => {
            format!("{line} also applies, but there are too many conflicting statements to compare")
        }
        LostTo::PageStatement(_) => {
            format!("{line} says otherwise, but {other} is the page's own statement and overrides robots.txt")
        }
        LostTo::MoreSpecific(_) => format!(
            "{line} permits this, but {other} is specifically for this crawler or its purpose and takes precedence"
        ),
        LostTo::AfterTheFact(_) => {
            format!("{line} permits crawling, but {other} prohibits it before the page can be read")
        }
        LostTo::OtherLocation(_) => {
            format!("{line} permits this at another location; the page is at the location that {other} names")
        }
        LostTo::OtherElement => format!("{line} concerns another part of the page"),
        LostTo::NearerElement(_) => format!("{line} also covers the element, but {other} takes precedence"),
        LostTo::OuterElement(_) => format!("{line} is inside {other}, which overrides it"),
        LostTo::ElementStatement(_) => {
            format!("{line} says otherwise about the page, but {other} has its own statement")
        }
        LostTo::Unreachable => {
            format!("{line} permits this, but robots.txt could not be fetched, and without it nothing may be crawled")
        }
        LostTo::NotInBoth => {
            format!("{line} permits this, but the page as sent and the page after scripts do not both permit it")
        }
        LostTo::Restriction(_) => {
            format!("{line} would permit this, but {other} restricts it, and no permission lifts a restriction")
        }
        LostTo::LiftsNothing => format!("{line} permits this, but does not override other statements"),
        LostTo::OtherProhibits(_) => format!("{line} limits this use, but {other} prohibits it"),
        LostTo::Lifted(_) => {
            format!("{line} prohibits this, but {other} lifts the prohibition for this search engine")
        }
        LostTo::LongerPath(_) => format!("{line} also matches, but {other} has a longer path"),
        LostTo::NarrowerUsage(_) => format!("{line} also applies, but {other} names a narrower usage"),
        LostTo::EarlierRule(_) => {
            format!("{line} also matches, but {other} comes first, and the first match counts")
        }
        LostTo::LaterLayer(_) => {
            format!("{line} also applies, but {other} is closer to the resource and overrides it")
        }
        LostTo::Disallowed(_) => {
            format!("{line} would permit this, but {other} prohibits crawling, so the permission has no effect")
        }
        LostTo::OwnGroup(_) => format!("{line} is outside every group, but the crawler's own group has {other}"),
        LostTo::Refused(_) => {
            format!("{line} would permit this, but {other} prohibits it, and no permission lifts a prohibition")
        }
    }
}

/// Returns what happened to a statement in its tier, in a sentence.
pub(super) fn step(
    statement: &Statement<'_>,
    uninterpretable: Option<Uninterpretable>,
    by: Option<LostTo>,
    to: Option<&Statement<'_>>,
) -> String {
    let what = match (by, uninterpretable) {
        (Some(by), _) => lost(statement, by, to),
        (None, _) => format!("{}, and no other statement overrides it", justification(statement)),
    };
    match uninterpretable.filter(|_| by.is_some()) {
        Some(uninterpretable) => {
            format!("{what} (this permission counts as a prohibition, because {})", uninterpretable.because())
        }
        None => what,
    }
}

/// Lists the first conditions, and states how many others there are.
fn listed(conditions: &[Condition]) -> String {
    const MAX_LISTED: usize = 4;
    let mut items: Vec<String> = conditions.iter().take(MAX_LISTED).map(|condition| format!("`{condition}`")).collect();
    let more = conditions.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        items.push(format!("{more} more"));
    }
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns a statement's position as the subject of a sentence.
fn place_of(statement: &Statement<'_>) -> String {
    let line = statement.line;
    match (statement.carrier, statement.document) {
        (Carrier::Header, _) => format!("header line {line}"),
        (Carrier::Meta, DOM) if statement.dialect == Dialect::Rsl => {
            format!("the link in line {line} of the page after scripts")
        }
        (Carrier::Meta, _) if statement.dialect == Dialect::Rsl => format!("the link in line {line} of the page"),
        (Carrier::Meta, DOM) => format!("the META tag in line {line} of the page after scripts"),
        (Carrier::Meta, _) => format!("the META tag in line {line} of the page"),
        (Carrier::Element, DOM) if statement.text.starts_with(b"<!--") => {
            format!("the comment in line {line} of the page after scripts")
        }
        (Carrier::Element, _) if statement.text.starts_with(b"<!--") => {
            format!("the comment in line {line} of the page")
        }
        (Carrier::Element, DOM) => format!("the element in line {line} of the page after scripts"),
        (Carrier::Element, _) => format!("the element in line {line} of the page"),
        (_, ROBOTS_TXT) => format!("line {line}"),
        (_, document) => format!("line {line} of {document}"),
    }
}

/// Returns what a statement states, in a sentence.
#[must_use]
pub(crate) fn justification(statement: &Statement<'_>) -> String {
    let line = place_of(statement);
    let about = match statement.scope {
        Scope::Pattern(pattern) => format!("`{}`", shown(pattern)),
        Scope::ResourceSet(set) => format!("the set `{}`", shown(set)),
        Scope::Resource | Scope::Element(_) => "it".to_owned(),
    };
    if matches!(statement.dialect, Dialect::RobotsDirectives | Dialect::SearchMarks)
        || statement.dialect.is_preference()
    {
        return quoted(statement, &line);
    }
    let about = match statement.usage {
        Usage::OtherUsage => format!("{about} for every usage that has no statement of its own"),
        _ => about,
    };
    let whom = match (statement.addressee, statement.purposes.is_empty()) {
        (_, false) => format!(" for the purpose `{}`", statement.purposes.join("` or `")),
        (Addressee::Any | Addressee::Named, true) => String::new(),
    };
    match (statement.modality, statement.uninterpretable) {
        (Modality::Permission, _) => format!("{line} permits {about}{whom}"),
        (Modality::Prohibition, None) => format!("{line} prohibits {about}{whom}"),
        (Modality::Prohibition, Some(uninterpretable)) => {
            format!(
                "{line} would permit {about}{whom}, but {}, so it counts as a prohibition",
                uninterpretable.because()
            )
        }
    }
}

/// Returns what a directive or a preference states, and quotes its text.
fn quoted(statement: &Statement<'_>, line: &str) -> String {
    let written = written(statement);
    if statement.dialect == Dialect::Rsl && statement.carrier != Carrier::Document {
        return format!(
            "{line} names a licence that has not been read, so nothing is licensed until it is (`{written}`)"
        );
    }
    match (statement.modality, statement.qualifiers.is_empty()) {
        (Modality::Prohibition, _) => format!("{line} prohibits it (`{written}`)"),
        (Modality::Permission, true) => format!("{line} permits it (`{written}`)"),
        (Modality::Permission, false) => format!("{line} limits it (`{written}`)"),
    }
}

/// Returns the text of a statement, shortened if it is long.
fn written(statement: &Statement<'_>) -> String {
    const MAX_CHARACTERS: usize = 200;
    let mut written: String = shown(&statement.text).chars().take(MAX_CHARACTERS + 1).collect();
    if written.chars().count() > MAX_CHARACTERS {
        written.pop();
        written.push('…');
    }
    written
}

/// Returns octets as text. Octets that are not UTF-8 are escaped.
fn shown(octets: &[u8]) -> String {
    let mut text = String::new();
    for chunk in octets.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// Returns the justification of an outcome that no statement determines.
fn default_justification(reason: Reason) -> String {
    match reason {
        Reason::LongestPattern(_)
        | Reason::Stated(_)
        | Reason::NarrowestScope(_)
        | Reason::NotNarrower(_)
        | Reason::Uncompared(_)
        | Reason::PageStatement(_)
        | Reason::NotOverridden(_)
        | Reason::ElementStatement(_)
        | Reason::Restriction(_)
        | Reason::Unable(_)
        | Reason::Limit(_)
        | Reason::PermissiveDirective(_)
        | Reason::Lapsed(_)
        | Reason::ConditionBroken(_)
        | Reason::SubstituteProhibited(_)
        | Reason::TargetMissing(_)
        | Reason::OtherLocation(_)
        | Reason::ReferenceUnread(_)
        | Reason::Preference(_) => "a statement on the site decides this".to_owned(),
        Reason::NoRuleMatches(BoundBy::NoGroup) => {
            "no group of robots.txt applies to this crawler, and RFC 9309 permits crawling by default".to_owned()
        }
        Reason::NoRuleMatches(_) => {
            "no rule for this crawler matches, and RFC 9309 permits crawling by default".to_owned()
        }
        Reason::RobotsTxtItself => "`/robots.txt` itself may always be fetched".to_owned(),
        Reason::NoRobotsTxt(Obtained::Status(status)) => {
            format!("the site has no robots.txt (status {status}), and RFC 9309 permits crawling by default")
        }
        Reason::NoRobotsTxt(_) => {
            "robots.txt redirects too often, so it counts as missing, and RFC 9309 permits crawling by default"
                .to_owned()
        }
        Reason::RobotsTxtUnreachable(Obtained::Status(status)) => {
            format!("robots.txt could not be fetched (status {status}), and without it nothing may be crawled")
        }
        Reason::RobotsTxtUnreachable(_) => {
            "robots.txt could not be reached, and without it nothing may be crawled".to_owned()
        }
        Reason::RobotsTxtUnknown => "the site's robots.txt is not known".to_owned(),
        Reason::NoStatementApplies => "no statement applies to this use".to_owned(),
    }
}

/// Returns the usage as a verb phrase that precedes the resource.
fn verb(usage: &Usage) -> String {
    match usage {
        Usage::Crawl => "crawl".to_owned(),
        Usage::Follow => "follow links on".to_owned(),
        Usage::Index => "index".to_owned(),
        Usage::Preserve => "keep a copy of".to_owned(),
        Usage::Present => "show".to_owned(),
        Usage::PresentOriginal => "show the original of".to_owned(),
        Usage::PresentCurrentcopy => "show its current copy of".to_owned(),
        Usage::PresentOldcopy => "show an old copy of".to_owned(),
        Usage::PresentSnippet => "show a snippet of".to_owned(),
        Usage::PresentThumbnail => "show a thumbnail of".to_owned(),
        Usage::PresentOldsnippet => "show an old snippet of".to_owned(),
        Usage::PresentOldthumbnail => "show an old thumbnail of".to_owned(),
        Usage::PresentLink => "show a link to".to_owned(),
        Usage::Tdm => "mine the text and data of".to_owned(),
        Usage::TrainAi => "train AI models on".to_owned(),
        Usage::TrainGenai => "train generative AI models on".to_owned(),
        Usage::AiInput => "give AI answers from".to_owned(),
        Usage::AiIndex => "build an AI index from".to_owned(),
        Usage::Search => "offer search results from".to_owned(),
        Usage::AnchorText => "use the anchor text for".to_owned(),
        Usage::IndexImage => "index the images of".to_owned(),
        Usage::Translate => "translate".to_owned(),
        Usage::PresentVideoPreview => "show a video preview of".to_owned(),
        Usage::OtherUsage | Usage::Other(_) => format!("make the use `{}` of", usage.name()),
    }
}
