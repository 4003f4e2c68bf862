//! What a conversion has to tell: what the target cannot say, why, and on which side of the source it then is.

use byleave::Usage;
use std::fmt;

macro_rules! causes {
    ($($(#[$about:meta])* $variant:ident = $name:literal;)*) => {
        /// Why something cannot be said in the target as the source says it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LossCause { $($(#[$about])* $variant,)* }

        impl LossCause {
            /// Every cause.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in every output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

causes! {
    /// One side tells capitals from small letters, the other does not (S-19).
    Case = "case";
    /// Of equally long patterns RFC 9309 prefers the permission; ACAP prohibits (S-05, S-13).
    Tie = "tie";
    /// RFC 9309 goes by length, ACAP by the narrower scope (S-06, S-13).
    Scope = "scope";
    /// To the letter of RFC 9309 a reserved character equals its escape (C14).
    Escape = "escape";
    /// RFC 9309's grammar has no such name (S-35).
    Name = "name";
    /// A named group replaces the one for any crawler in RFC 9309; in ACAP and in words both hold (S-04, S-17).
    Fallback = "fallback";
    /// The target says the same to every crawler (S-44).
    Crawler = "crawler";
    /// The target says nothing of the usage.
    Usage = "usage";
    /// One word speaks of several usages.
    Together = "together";
    /// The target has no word for the condition.
    Condition = "condition";
    /// The target has no word that permits the usage.
    Permission = "permission";
    /// The target knows no purposes (S-05).
    Purpose = "purpose";
    /// A field that decides nothing and has no place in the target.
    Fact = "fact";
    /// A request to the crawler, which is no decision (S-30).
    Request = "request";
    /// A file that robots.txt refers to is not given (S-21).
    Reference = "reference";
    /// A part of the page, where the target speaks of the whole (S-16).
    Element = "element";
    /// Both files are larger than can be compared, or the source is not read to its end (S-22, S-34).
    Unknown = "unknown";
}

/// On which side of the source the target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossEffect {
    /// The target is the more prohibitive.
    Narrower,
    /// It is not said: there the target prohibits, limits or permits less than the source does.
    LeftOut,
}

impl LossEffect {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Narrower => "narrower",
            Self::LeftOut => "left-out",
        }
    }
}

/// One thing that the target does not say as the source does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// Why.
    pub cause: LossCause,
    /// What the target is instead.
    pub effect: LossEffect,
    /// The line of the source it is about; nothing where no one line is.
    pub line: Option<u32>,
    /// The crawler, or the first of them; nothing for one that nobody names.
    pub crawler: Option<String>,
    /// How many crawlers it concerns, all that nobody names counted as one.
    pub crawlers: usize,
    /// The usage.
    pub usage: Option<Usage>,
    /// A path, or URL, on which both differ.
    pub path: Option<String>,
    /// All of it in a sentence.
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
