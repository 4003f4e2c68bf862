//! What a conversion loses: what the target cannot express, why, and whether it is then stricter or incomplete.

use byleave::Usage;
use std::fmt;

macro_rules! causes {
    ($($(#[$about:meta])* $variant:ident = $name:literal;)*) => {
        /// Why the target cannot express something as the source does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LossCause { $($(#[$about])* $variant,)* }

        impl LossCause {
            /// Returns its name in every output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

causes! {
    /// One side distinguishes the case of letters, the other does not (S-19).
    Case = "case";
    /// Of equally long patterns, RFC 9309 prefers the permission, ACAP the prohibition (S-05, S-13).
    Tie = "tie";
    /// RFC 9309 prefers the longer pattern, ACAP the narrower one (S-06, S-13).
    Scope = "scope";
    /// To the letter of RFC 9309 a reserved character equals its escape (C14).
    Escape = "escape";
    /// RFC 9309's grammar does not accept the name (S-35).
    Name = "name";
    /// In RFC 9309 a named group replaces the group for any crawler; in ACAP and in directives both apply (S-04, S-17).
    Fallback = "fallback";
    /// The target cannot address crawlers separately (S-44).
    Crawler = "crawler";
    /// The target cannot address the usage.
    Usage = "usage";
    /// One key or directive addresses several usages.
    Together = "together";
    /// The target cannot express the condition.
    Condition = "condition";
    /// The target cannot permit the usage.
    Permission = "permission";
    /// The target cannot express purposes (S-05).
    Purpose = "purpose";
    /// A field decides nothing and has no equivalent in the target.
    Fact = "fact";
    /// A request to the crawler, which is not a decision (S-30).
    Request = "request";
    /// A file that robots.txt refers to is missing (S-21).
    Reference = "reference";
    /// A statement about a part of a page, which the target cannot address (S-16).
    Element = "element";
    /// The files are too large to compare, or the source was not read to its end (S-22, S-34).
    Unknown = "unknown";
}

/// How the target differs from the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossEffect {
    /// The target is stricter than the source.
    Narrower,
    /// Something is left out: the target prohibits, limits or permits less than the source.
    LeftOut,
}

impl LossEffect {
    /// Returns its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Narrower => "narrower",
            Self::LeftOut => "left-out",
        }
    }
}

/// One thing that the target does not express as the source does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// Why it is lost.
    pub cause: LossCause,
    /// How the target differs from the source.
    pub effect: LossEffect,
    /// The line of the source; `None` if there is no single line.
    pub line: Option<u32>,
    /// The crawler, or the first of several; `None` for unnamed crawlers.
    pub crawler: Option<String>,
    /// How many crawlers are affected; all unnamed ones count as one.
    pub crawlers: usize,
    /// The usage, or the first of several.
    pub usage: Option<Usage>,
    /// A path or URL on which source and target differ.
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
