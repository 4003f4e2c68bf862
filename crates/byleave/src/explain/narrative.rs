//! Sentences for people: the only place they are made.
//!
//! They name the crawler, the act and the line, and end without a full stop. A publisher who has never
//! read a standard should understand each.

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
    /// The decision and its ground in one sentence.
    #[must_use]
    pub fn sentence(&self, proposed: &ProposedUse<'_>) -> String {
        let mut sentence = self.expressed(proposed);
        if let Some(barred) = self.barred() {
            let crawler = proposed.crawler.name();
            let act = verb(proposed.usage);
            let before = match self.decision.outcome {
                Outcome::Unstated => String::new(),
                _ => format!("{sentence}; and yet "),
            };
            let what = self.what(proposed);
            sentence = format!("{before}{crawler} may not {act} {what}, because {barred}");
        }
        sentence + self.unread()
    }

    /// The ground of what it comes to, without saying of whom: it serves all crawlers that are answered alike.
    #[must_use]
    pub fn because(&self) -> String {
        self.barred().unwrap_or_else(|| self.grounds()) + self.unread()
    }

    /// What bars a use that is not itself prohibited: the prerequisite, and why that is not to be had (S-14).
    fn barred(&self) -> Option<String> {
        let barring = self.prerequisites.iter().find(|prerequisite| prerequisite.bars)?;
        let ground = barring.determined_by.first().map_or_else(|| default_ground(barring.reason), ground_of);
        let needed = match barring.outcome {
            Outcome::Prohibited => format!("it may not {} it", verb(barring.usage)),
            _ => format!("it may {} it only until it is crawled again", verb(barring.usage)),
        };
        (self.decision.outcome != Outcome::Prohibited).then(|| format!("{needed}: {ground}"))
    }

    fn unread(&self) -> &'static str {
        if self.decision.is_truncated { "; a document is longer than the limit and its end was not read" } else { "" }
    }

    /// What is asked about: the resource, or a part of it.
    fn what(&self, proposed: &ProposedUse<'_>) -> String {
        let is_missing = self.notes.iter().any(|note| note.code == Code::NoSuchElement);
        match proposed.element.filter(|_| !is_missing) {
            Some(element) => format!("`{element}` of `{}`", proposed.url),
            None => format!("`{}`", proposed.url),
        }
    }

    fn expressed(&self, proposed: &ProposedUse<'_>) -> String {
        let crawler = proposed.crawler.name();
        let act = format!("{} {}", verb(proposed.usage), self.what(proposed));
        let grounds = self.grounds();
        let conditions = listed(&self.conditions);
        match self.decision.outcome {
            Outcome::Permitted => format!("{crawler} may {act}: {grounds}"),
            Outcome::Conditional => format!("{crawler} may {act} if it keeps {conditions}: {grounds}"),
            Outcome::Prohibited => format!("{crawler} may not {act}: {grounds}"),
            Outcome::Unstated => {
                let default = match proposed.unstated {
                    UnstatedDefault::Permit => "silence is not consent, and the built-in default goes ahead",
                    UnstatedDefault::Prohibit => "the default chosen for silence is to prohibit",
                };
                format!("nothing says whether {crawler} may {act}: {grounds}; {default}")
            }
        }
    }

    /// What the site says, without the crawler: the ground, and what limits the use beside it.
    fn grounds(&self) -> String {
        let ground = match self.ground() {
            Some(statement) => self.ground_of(statement),
            None => default_ground(self.decision.reason),
        };
        if self.decision.outcome != Outcome::Conditional {
            return ground;
        }
        let told = self.ground().map(|statement| statement.id);
        let is_other = |statement: &&Statement<'_>| statement.is_limit() && Some(statement.id) != told;
        match self.determined_by.iter().find(is_other) {
            Some(limit) => format!("{ground}, and {}", ground_of(limit)),
            None => ground,
        }
    }

    /// The statement that the sentence tells of: the ground of the decision, or the first that decides.
    fn ground(&self) -> Option<&Statement<'_>> {
        let ground = self.decision.reason.statement();
        let found = self.determined_by.iter().find(|statement| Some(statement.id) == ground);
        found.or_else(|| self.determined_by.first())
    }

    /// What one of the statements that decide says, and how it comes to decide.
    #[must_use]
    pub(crate) fn ground_of(&self, statement: &Statement<'_>) -> String {
        if self.unreadable.iter().any(|(id, _)| *id == statement.id) {
            let (place, text) = (place_of(statement), written(statement));
            let broken = "is given but is no RSL that can be read, and until it is, nothing is licensed";
            return format!("{place} names a licence that {broken} (`{text}`)");
        }
        let ground = ground_of(statement);
        let reason = self.decision.reason;
        if let Reason::RobotsTxtUnreachable(_) = reason {
            return format!("{}; and {ground}", default_ground(reason));
        }
        if reason.statement() != Some(statement.id) {
            return ground;
        }
        let and = match reason {
            Reason::Lapsed(_) if statement.is_limit() => ", and its time is over",
            Reason::Lapsed(_) => ", but only for a time, and that is over",
            Reason::ConditionBroken(_) if statement.is_limit() => ", and this use goes beyond that",
            Reason::ConditionBroken(_) => ", but on a condition that this use breaks",
            Reason::SubstituteProhibited(_) => ", but only with a resource that may not be crawled",
            Reason::TargetMissing(_) => ", but only with a part that the page does not have",
            Reason::OtherLocation(_) => ", but only elsewhere: the page is not where it says it has to be",
            Reason::NotNarrower(_) => ", and no permission is narrower than it",
            Reason::Uncompared(_) => ", and too many statements oppose each other to be compared",
            Reason::PageStatement(_) => ", and what the page itself says counts before robots.txt",
            Reason::NotOverridden(_) => ", and the page's own permission does not lift that",
            Reason::ElementStatement(_) => ", and what is said on the element counts before what is said of the page",
            Reason::Unable(_) => ", and the crawler cannot keep such a limit",
            Reason::ReferenceUnread(_) => {
                let place = place_of(statement);
                return format!(
                    "{place} refers to a file that has not been read, and until it is, nothing is permitted"
                );
            }
            _ => "",
        };
        ground + and
    }

    /// Why these groups bind the crawler, in a sentence; nothing where no robots.txt was read.
    #[must_use]
    pub fn ground_sentence(&self, proposed: &ProposedUse<'_>) -> Option<String> {
        let crawler = proposed.crawler.name();
        if self.has_acap {
            return Some(match self.bound_by? {
                BoundBy::Named => {
                    format!("of the conventional groups those that name {crawler} bind it; ACAP's apply besides")
                }
                BoundBy::Fallback(_) => {
                    format!("of the conventional groups those it falls back to bind {crawler}; ACAP's apply besides")
                }
                BoundBy::Purpose => {
                    format!("of the conventional groups those for a purpose of {crawler} bind it; ACAP's apply besides")
                }
                BoundBy::Any | BoundBy::NoGroup => {
                    format!("no conventional group names {crawler}; ACAP's apply besides")
                }
            });
        }
        Some(match self.bound_by? {
            BoundBy::Named => format!("a group names {crawler}, so only groups that name it bind it"),
            BoundBy::Fallback(n) => {
                let fallback = proposed.crawler.fallbacks().get(n).map_or("", |name| name.as_str());
                format!("no group names {crawler}; it falls back to the group of {fallback}")
            }
            BoundBy::Purpose => format!("no group names {crawler}; the groups for a purpose that it has bind it"),
            BoundBy::Any => format!("no group names {crawler}, so the groups for any crawler (`*`) bind it"),
            BoundBy::NoGroup => format!("no group names {crawler}, and none is for any crawler"),
        })
    }
}

impl SetAside<'_> {
    /// Why this statement did not decide, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        lost(&self.statement, self.by, self.to.as_ref())
    }
}

/// Why a statement did not decide.
fn lost(statement: &Statement<'_>, by: LostTo, to: Option<&Statement<'_>>) -> String {
    let line = place_of(statement);
    let other = to.map_or_else(|| "another line".to_owned(), place_of);
    match by {
        LostTo::LongerPattern(_) => format!("{line} matches too, but {other} has the longer pattern"),
        LostTo::PermissionOfEqualLength(_) => format!(
            "{line} matches too, but {other} is as long and permits, and of equally long patterns the permission wins"
        ),
        LostTo::NamedGroup => format!("{line} is for any crawler and does not bind one that has a group of its own"),
        LostTo::FallbackGroup => {
            format!("{line} is for any crawler and does not bind one that has a group to fall back to")
        }
        LostTo::PurposeGroup => {
            format!("{line} is for any crawler and does not bind one that has a group for its purpose")
        }
        LostTo::RobotsTxtItself => format!("{line} matches, but `/robots.txt` itself may always be fetched"),
        LostTo::ConventionalIgnored => {
            format!("{line} is conventional, and the file tells ACAP crawlers to ignore conventional groups")
        }
        LostTo::NearerUsage => format!(
            "{line} speaks of the wider usage `{}`, and a line about the usage itself comes first",
            statement.usage.name()
        ),
        LostTo::NamedStatement(_) => {
            format!("{line} is for any crawler, and {other} says of the same usage what holds for this one by name")
        }
        LostTo::NarrowerScope(_) => format!("{line} matches too, but the pattern of {other} is narrower"),
        LostTo::PurposeStatement(_) => {
            format!(
                "{line} has the same pattern as {other}, which is for the crawler's purpose and so counts as narrower"
            )
        }
        LostTo::AcapField(_) => {
            format!("{line} has the same pattern as {other}, and of the two the ACAP field counts")
        }
        LostTo::SamePattern(_) => {
            format!("{line} would permit, but {other} prohibits the same pattern, and then the prohibition holds")
        }
        LostTo::Undetermined(_) => {
            format!("{line} would permit, but its pattern is not determined to be narrower than that of {other}")
        }
        LostTo::NarrowerPermission(_) => format!("{line} permits too, but {other} is narrower and sets the conditions"),
        LostTo::ReferenceUnread => format!("{line} matches, but a file it is to be read with has not been read"),
        LostTo::OtherPurpose => {
            format!("{line} decides for one purpose of the crawler, and another is answered more gravely")
        }
        LostTo::FailedCondition(_) => format!("{line} applies too, but a condition of {other} is not kept"),
        LostTo::Uncompared(_) => {
            format!("{line} applies too, but too many statements oppose each other to be compared")
        }
        LostTo::PageStatement(_) => {
            format!("{line} says otherwise, but {other} is the page's own word and counts before robots.txt")
        }
        LostTo::MoreSpecific(_) => format!(
            "{line} permits, but {other} is for this crawler or its purpose in particular, and the page's word is not"
        ),
        LostTo::AfterTheFact(_) => {
            format!("{line} permits crawling, but that cannot lift what {other} prohibits beforehand")
        }
        LostTo::OtherLocation(_) => {
            format!("{line} permits elsewhere; the page is where {other} says it has to be")
        }
        LostTo::OtherElement => format!("{line} speaks of another part of the page"),
        LostTo::NearerElement(_) => format!("{line} covers the element too, but {other} counts before it"),
        LostTo::OuterElement(_) => format!("{line} is inside of {other}, which voids it"),
        LostTo::ElementStatement(_) => format!("{line} says otherwise of the page, but {other} says it of the element"),
        LostTo::Unreachable => {
            format!("{line} permits, but robots.txt could not be fetched, and until it can be nothing may be crawled")
        }
        LostTo::NotInBoth => {
            format!("{line} permits, but of the page as sent and the page after scripts only one does")
        }
        LostTo::Restriction(_) => format!("{line} would permit, but {other} restricts, and no permission lifts that"),
        LostTo::LiftsNothing => format!("{line} permits, which lifts nothing that others say"),
        LostTo::OtherProhibits(_) => format!("{line} limits the use, which {other} prohibits"),
        LostTo::Lifted(_) => format!("{line} prohibits, but {other} lifts that, as this search engine reads them"),
        LostTo::LongerPath(_) => format!("{line} matches too, but {other} has the longer path"),
        LostTo::NarrowerWord(_) => format!("{line} speaks of it too, but {other} has the narrower word for it"),
        LostTo::EarlierRule(_) => {
            format!("{line} matches too, but {other} comes first, and the first that matches counts")
        }
        LostTo::LaterLayer(_) => {
            format!("{line} speaks of it, but {other} is nearer to the resource and supersedes it")
        }
        LostTo::Disallowed(_) => {
            format!("{line} would permit, but {other} prohibits crawling, and there it permits nothing")
        }
        LostTo::OwnGroup(_) => format!("{line} stands outside of every group, and the crawler's own has {other}"),
        LostTo::Refused(_) => format!("{line} would permit, but {other} prohibits, and no permission lifts that"),
    }
}

/// What became of a statement in its tier.
pub(super) fn step(
    statement: &Statement<'_>,
    uninterpretable: Option<Uninterpretable>,
    by: Option<LostTo>,
    to: Option<&Statement<'_>>,
) -> String {
    let what = match (by, uninterpretable) {
        (Some(by), _) => lost(statement, by, to),
        (None, _) => format!("{}, and nothing sets that aside", ground_of(statement)),
    };
    match uninterpretable.filter(|_| by.is_some()) {
        Some(uninterpretable) => {
            format!("{what} (a permission that counts as a prohibition, because {})", uninterpretable.because())
        }
        None => what,
    }
}

/// A few conditions, and how many more.
fn listed(conditions: &[Condition]) -> String {
    const FEW: usize = 4;
    let shown: Vec<String> = conditions.iter().take(FEW).map(|condition| format!("`{condition}`")).collect();
    let more = conditions.len().saturating_sub(FEW);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(" and ") + &rest
}

/// Where a statement stands, for a sentence.
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

/// What a statement says, in a sentence.
#[must_use]
pub(crate) fn ground_of(statement: &Statement<'_>) -> String {
    let line = place_of(statement);
    let about = match statement.scope {
        Scope::Pattern(pattern) => format!("`{}`", shown(pattern)),
        Scope::ResourceSet(set) => format!("the set `{}`", shown(set)),
        Scope::Resource | Scope::Element(_) => "it".to_owned(),
    };
    if matches!(statement.dialect, Dialect::RobotsWords | Dialect::SearchMarks) || statement.dialect.is_preference() {
        return word_of(statement, &line);
    }
    let about = match statement.usage {
        Usage::OtherUsage => format!("{about} for every usage that no line speaks of"),
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
                "{line} would permit {about}{whom}, but {} and so counts as a prohibition",
                uninterpretable.because()
            )
        }
    }
}

/// What a word of META or a header says.
fn word_of(statement: &Statement<'_>, line: &str) -> String {
    let written = written(statement);
    if statement.dialect == Dialect::Rsl && statement.carrier != Carrier::Document {
        return format!(
            "{line} names a licence that has not been read, and until it is, nothing is licensed (`{written}`)"
        );
    }
    match (statement.modality, statement.qualifiers.is_empty()) {
        (Modality::Prohibition, _) => format!("{line} prohibits it (`{written}`)"),
        (Modality::Permission, true) => format!("{line} permits it (`{written}`)"),
        (Modality::Permission, false) => format!("{line} limits it (`{written}`)"),
    }
}

/// A statement as it is written, a long one cut.
fn written(statement: &Statement<'_>) -> String {
    const MAX: usize = 200;
    let mut written: String = shown(&statement.text).chars().take(MAX + 1).collect();
    if written.chars().count() > MAX {
        written.pop();
        written.push('…');
    }
    written
}

/// A pattern as text; octets that are none are shown as escapes.
fn shown(pattern: &[u8]) -> String {
    let mut text = String::new();
    for chunk in pattern.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

fn default_ground(reason: Reason) -> String {
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
        | Reason::PermissiveWord(_)
        | Reason::Lapsed(_)
        | Reason::ConditionBroken(_)
        | Reason::SubstituteProhibited(_)
        | Reason::TargetMissing(_)
        | Reason::OtherLocation(_)
        | Reason::ReferenceUnread(_)
        | Reason::Preference(_) => "a statement of the site".to_owned(),
        Reason::NoRuleMatches(BoundBy::NoGroup) => {
            "no group of robots.txt is for it, and RFC 9309 permits by default".to_owned()
        }
        Reason::NoRuleMatches(_) => "no rule for it matches, and RFC 9309 permits by default".to_owned(),
        Reason::RobotsTxtItself => "`/robots.txt` itself may always be fetched".to_owned(),
        Reason::NoRobotsTxt(Obtained::Status(status)) => {
            format!("the site has no robots.txt (status {status}), and RFC 9309 permits by default")
        }
        Reason::NoRobotsTxt(_) => {
            "robots.txt redirects without end, which counts as none, and RFC 9309 permits by default".to_owned()
        }
        Reason::RobotsTxtUnreachable(Obtained::Status(status)) => {
            format!("robots.txt could not be fetched (status {status}), and until it can be nothing may be")
        }
        Reason::RobotsTxtUnreachable(_) => {
            "robots.txt could not be reached, and until it can be nothing may be fetched".to_owned()
        }
        Reason::RobotsTxtUnknown => "nothing is known of the site's robots.txt".to_owned(),
        Reason::NothingSpeaks => "no statement speaks of that use".to_owned(),
    }
}

/// The act in plain words.
fn verb(usage: &Usage) -> String {
    match usage {
        Usage::Crawl => "crawl".to_owned(),
        Usage::Follow => "follow links of".to_owned(),
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
        Usage::AiIndex => "index for AI".to_owned(),
        Usage::Search => "offer in search".to_owned(),
        Usage::AnchorText => "use the anchor text for".to_owned(),
        Usage::IndexImage => "index the images of".to_owned(),
        Usage::Translate => "translate".to_owned(),
        Usage::PresentVideoPreview => "show a video preview of".to_owned(),
        Usage::OtherUsage | Usage::Other(_) => format!("make the use `{}` of", usage.name()),
    }
}
