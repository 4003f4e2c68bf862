//! Conditions: the terms that a use must meet for a conditional permission to apply.

use crate::base::timestamp::Timestamp;

/// A term that a use must meet for a conditional permission to apply.
///
/// ```
/// use byleave::model::{Condition, TimeLimit};
/// let condition = Condition::TimeLimit(TimeLimit::Days(30));
/// assert_eq!(condition.to_string(), "time-limit=30-days");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// `time-limit=`: how long the use may last.
    TimeLimit(TimeLimit),
    /// `max-length=`: how much may be shown.
    MaxLength(u64, LengthUnit),
    /// `max-video-preview=`: how many seconds of a video may be shown.
    MaxVideoPreview(u64),
    /// Any other condition: its name and its value in canonical spelling.
    Term(String, String),
}

/// How long a use may last (S-20).
///
/// ```
/// use byleave::model::{Condition, TimeLimit};
/// let condition = Condition::TimeLimit(TimeLimit::UntilRecrawled);
/// assert_eq!(condition.to_string(), "time-limit=until-recrawled");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TimeLimit {
    /// Until the resource is crawled again.
    UntilRecrawled,
    /// Until a point in time. The use must end before it.
    Until(Timestamp),
    /// Until the end of a day. The timestamp is the start of the next day.
    UntilDate(Timestamp),
    /// This many days, counted from the first use.
    Days(u64),
}

/// The unit of a length.
///
/// ```
/// use byleave::model::{Condition, LengthUnit};
/// assert_eq!(Condition::MaxLength(30, LengthUnit::Words).to_string(), "max-length=30-words");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LengthUnit {
    /// Unicode scalar values.
    Chars,
    /// Words, separated by whitespace.
    Words,
}

impl std::fmt::Display for Condition {
    /// Writes the canonical spelling, which case files also use.
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
