//! The losses of a conversion: what the target cannot express, why, and whether it is stricter or incomplete as a
//! result.

use byleave::Usage;
use std::fmt;

macro_rules! causes {
    ($($(#[$about:meta])* $variant:ident = $name:literal;)*) => {
        /// Why the target differs from the source.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LossCause { $($(#[$about])* $variant,)* }

        impl LossCause {
            /// Returns the cause's name, as used in every output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

causes! {
    /// One side distinguishes letter case, and the other does not (S-19).
    Case = "case";
    /// Between equally long patterns, RFC 9309 prefers the permission and ACAP the prohibition (S-05, S-13).
    Tie = "tie";
    /// RFC 9309 prefers the longer pattern, and ACAP the narrower one (S-06, S-13).
    Scope = "scope";
    /// In strict RFC 9309, a reserved character equals its escape (C14).
    Escape = "escape";
    /// RFC 9309's grammar does not accept the name (S-35).
    Name = "name";
    /// In RFC 9309, a named group replaces the group for any crawler. In ACAP and in directives, both apply (S-04,
    /// S-17).
    Fallback = "fallback";
    /// The target cannot address crawlers separately (S-44).
    Crawler = "crawler";
    /// The target cannot address the usage.
    Usage = "usage";
    /// One key or directive addresses several usages, so it also affects this usage.
    Together = "together";
    /// The target cannot express the condition.
    Condition = "condition";
    /// The target cannot permit the usage.
    Permission = "permission";
    /// The target cannot express purposes (S-05).
    Purpose = "purpose";
    /// The field decides nothing and has no equivalent in the target.
    Fact = "fact";
    /// The statement is a request to the crawler and not a decision (S-30).
    Request = "request";
    /// A file that robots.txt refers to is missing (S-21).
    Reference = "reference";
    /// The statement is about a part of a page, which the target cannot address (S-16).
    Element = "element";
    /// The files are too large to compare, or the source was not read completely (S-22, S-34).
    Unknown = "unknown";
}

/// How the target differs from the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossEffect {
    /// The target is stricter than the source.
    Narrower,
    /// Something is omitted: the target prohibits, limits or permits less than the source.
    LeftOut,
}

impl LossEffect {
    /// Returns the effect's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Narrower => "narrower",
            Self::LeftOut => "left-out",
        }
    }
}

/// A difference between the target and the source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The cause of the loss.
    pub cause: LossCause,
    /// How the target differs from the source.
    pub effect: LossEffect,
    /// The line in the source, or `None` if there is no single line.
    pub line: Option<u32>,
    /// The first affected crawler, or `None` for unnamed crawlers.
    pub crawler: Option<String>,
    /// The number of affected crawlers. All unnamed crawlers together count as one.
    pub crawlers: usize,
    /// The first affected usage.
    pub usage: Option<Usage>,
    /// A path or URL on which the source and the target differ.
    pub path: Option<String>,
    /// The loss as a sentence.
    pub message: String,
}

impl Loss {
    pub(crate) fn new(cause: LossCause, effect: LossEffect, message: String) -> Self {
        Self { cause, effect, line: None, crawler: None, crawlers: 0, usage: None, path: None, message }
    }

    pub(crate) fn at(mut self, line: Option<u32>) -> Self {
        self.line = line;
        self
    }

    pub(crate) fn of_usage(mut self, usage: &Usage) -> Self {
        self.usage = Some(usage.clone());
        self
    }

    pub(crate) fn of_crawler(mut self, name: Option<&str>) -> Self {
        self.crawler = name.map(str::to_owned);
        self.crawlers = 1;
        self
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.effect.name(), self.cause.name(), self.message)
    }
}
