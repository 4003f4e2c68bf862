//! Sentences for people: the only place they are made.
//!
//! They name the crawler, the act and the line, and end without a full stop. A publisher who has never
//! read a standard should understand each.

use super::{Explanation, LostTo, SetAside};
use crate::decide::{Outcome, ProposedUse, Reason, UnstatedDefault};
use crate::evidence::Obtained;
use crate::model::{Modality, Scope, Statement};
use crate::policy::Ground;
use crate::vocabulary::Usage;

impl Explanation<'_> {
    /// The decision and its ground in one sentence.
    #[must_use]
    pub fn sentence(&self, proposed: &ProposedUse<'_>) -> String {
        let mut sentence = self.expressed(proposed);
        if let (Some(reason), Outcome::Unstated) = (self.decision.prerequisite, self.decision.outcome) {
            let crawler = proposed.crawler.name();
            let ground =
                self.barred_by.first().map_or_else(|| default_ground(reason), |statement| ground_of(statement));
            sentence = format!(
                "{crawler} may not {} `{}`, because it may not crawl it: {ground}",
                verb(proposed.usage),
                proposed.url
            );
        }
        if self.decision.is_truncated {
            sentence.push_str("; robots.txt is longer than the limit and its end was not read");
        }
        sentence
    }

    fn expressed(&self, proposed: &ProposedUse<'_>) -> String {
        let (crawler, url) = (proposed.crawler.name(), proposed.url);
        let act = format!("{} `{url}`", verb(proposed.usage));
        let ground = match self.determined_by.first() {
            Some(statement) => ground_of(statement),
            None => default_ground(self.decision.reason),
        };
        match self.decision.outcome {
            Outcome::Permitted => format!("{crawler} may {act}: {ground}"),
            Outcome::Conditional => format!("{crawler} may {act} on conditions: {ground}"),
            Outcome::Prohibited => format!("{crawler} may not {act}: {ground}"),
            Outcome::Unstated => {
                let default = match proposed.unstated {
                    UnstatedDefault::Permit => "silence is not consent, and the built-in default goes ahead",
                    UnstatedDefault::Prohibit => "the default chosen for silence is to prohibit",
                };
                format!("nothing says whether {crawler} may {act}: {ground}; {default}")
            }
        }
    }

    /// Why these records bind the crawler, in a sentence; nothing where no robots.txt was read.
    #[must_use]
    pub fn ground_sentence(&self, proposed: &ProposedUse<'_>) -> Option<String> {
        let crawler = proposed.crawler.name();
        Some(match self.ground? {
            Ground::Named => format!("a record names {crawler}, so only records that name it bind it"),
            Ground::Fallback(n) => {
                let fallback = proposed.crawler.fallbacks().get(n).map_or("", |name| name.as_str());
                format!("no record names {crawler}; it falls back to the record of {fallback}")
            }
            Ground::Any => format!("no record names {crawler}, so the records for any crawler (`*`) bind it"),
            Ground::NoRecord => format!("no record names {crawler}, and none is for any crawler"),
        })
    }
}

impl SetAside<'_> {
    /// Why this statement did not decide, in a sentence.
    #[must_use]
    pub fn sentence(&self, explanation: &Explanation<'_>) -> String {
        let line = self.statement.line;
        let winner =
            |id| explanation.determined_by.iter().chain(&explanation.barred_by).find(|statement| statement.id == id);
        let other = |id| winner(id).map_or_else(String::new, |statement| format!("line {}", statement.line));
        match self.by {
            LostTo::LongerPattern(id) => format!("line {line} matches too, but {} has the longer pattern", other(id)),
            LostTo::PermissionOfEqualLength(id) => format!(
                "line {line} matches too, but {} is as long and permits, and of equally long patterns the permission wins",
                other(id)
            ),
            LostTo::NamedRecord => {
                format!("line {line} is for any crawler and does not bind one that has a record of its own")
            }
            LostTo::FallbackRecord => {
                format!("line {line} is for any crawler and does not bind one that has a record to fall back to")
            }
            LostTo::RobotsTxtItself => format!("line {line} matches, but `/robots.txt` itself may always be fetched"),
        }
    }
}

/// What a statement says, in a sentence.
#[must_use]
pub(crate) fn ground_of(statement: &Statement<'_>) -> String {
    let line = statement.line;
    let about = match statement.scope {
        Scope::Pattern(pattern) | Scope::ResourceSet(pattern) => format!("`{}`", shown(pattern)),
        Scope::Resource | Scope::Element(_) => "it".to_owned(),
    };
    match (statement.modality, statement.is_fallen) {
        (Modality::Permission, _) => format!("line {line} permits {about}"),
        (Modality::Prohibition, false) => format!("line {line} prohibits {about}"),
        (Modality::Prohibition, true) => format!(
            "line {line} would permit {about}, but it is not written to the letter and so counts as a prohibition"
        ),
    }
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
        Reason::LongestPattern(_) => "a rule of robots.txt".to_owned(),
        Reason::NoRuleMatches(Ground::NoRecord) => {
            "no record of robots.txt is for it, and RFC 9309 permits by default".to_owned()
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
