//! Conditions: what must hold for a conditional permission to be one.

use crate::base::timestamp::Timestamp;

/// What must hold for a conditional permission to be one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Condition {
    /// `time-limit=`: how long the use may last.
    TimeLimit(TimeLimit),
    /// `max-length=`: how much may be shown.
    MaxLength(u64, LengthUnit),
    /// `max-video-preview=`: how many seconds of a video.
    MaxVideoPreview(u64),
    /// Any other, as `name=value` in canonical spelling.
    Term(String, String),
}

/// How long a use may last (S-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TimeLimit {
    /// Until the resource is crawled again.
    UntilRecrawled,
    /// Until an instant, that instant excluded.
    Until(Timestamp),
    /// Until the end of a day: until this instant, at which the next one begins.
    UntilDate(Timestamp),
    /// That many days from the first use.
    Days(u64),
}

/// What a length is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LengthUnit {
    /// Unicode scalar values.
    Chars,
    /// Runs between blanks.
    Words,
}

impl std::fmt::Display for Condition {
    /// The canonical spelling of case files.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TimeLimit(TimeLimit::UntilRecrawled) => f.write_str("time-limit=until-recrawled"),
            Self::TimeLimit(TimeLimit::UntilDate(end)) => write!(f, "time-limit=until-{}", end.date_before()),
            Self::TimeLimit(TimeLimit::Until(timestamp)) => write!(f, "time-limit=until-{timestamp}"),
            Self::TimeLimit(TimeLimit::Days(days)) => write!(f, "time-limit={days}-days"),
            Self::MaxLength(length, LengthUnit::Chars) => write!(f, "max-length={length}-chars"),
            Self::MaxLength(length, LengthUnit::Words) => write!(f, "max-length={length}-words"),
            Self::MaxVideoPreview(seconds) => write!(f, "max-video-preview={seconds}"),
            Self::Term(name, value) => write!(f, "{name}={value}"),
        }
    }
}
