//! What was noticed while reading: code, severity, span, message, help.
//!
//! A diagnostic never changes a decision; it says what a reader of the file should know. The codes are
//! stable: tools and case files name them.

use crate::source::Span;

/// Something noticed in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind of thing it is.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// Where it is.
    pub span: Span,
    /// What is wrong, in one line, lower case, input in backticks.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// It works and could be clearer.
    Advice,
    /// Some crawlers will read it otherwise.
    Warning,
    /// The publisher's evident intent is not what happens.
    Error,
}

impl Severity {
    /// The word for it in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Advice => "advice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$about:meta])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// The kinds of diagnostics. Their names are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$about])* $variant,)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its stable name, as in JSON and case files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much it matters in the default reading.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// A UTF-8 byte order mark stands before the first line.
    ByteOrderMark = "byte-order-mark", Advice;
    /// The text begins with the mark of UTF-16, which RFC 9309 does not allow.
    Utf16 = "utf-16", Error;
    /// A NUL byte stands in a line.
    NulByte = "nul-byte", Warning;
    /// The file is longer than the limit; the rest is unread (S-22).
    Truncated = "truncated", Error;
    /// A line is longer than Google's parser reads.
    LongLine = "long-line", Warning;
    /// A field nobody has defined.
    UnknownField = "unknown-field", Warning;
    /// A field name that a listed tolerance reads as another.
    MisspeltField = "misspelt-field", Warning;
    /// The colon is missing; blanks were taken for it.
    MissingColon = "missing-colon", Warning;
    /// A line that is neither a field, a comment nor blank.
    NotAField = "not-a-field", Warning;
    /// A rule before any record, which addresses nobody.
    OrphanRule = "orphan-rule", Error;
    /// A rule stands in a record of the other kind (S-12).
    ForeignField = "foreign-field", Warning;
    /// A pattern that begins with neither `/` nor `*` and so matches nothing.
    SlashlessPattern = "slashless-pattern", Error;
    /// A pattern that begins with `*`, which the grammar of RFC 9309 leaves out.
    LeadingStar = "leading-star", Advice;
    /// A crawler name with characters outside RFC 9309's product token.
    OddName = "odd-name", Advice;
    /// A user-agent line that names nobody.
    EmptyName = "empty-name", Error;
    /// A record with names and no rules before the next record.
    EmptyRecord = "empty-record", Advice;
    /// A word for META tags used as a robots.txt field.
    MisusedWord = "misused-word", Warning;
    /// A value that its field cannot mean.
    BadValue = "bad-value", Warning;
    /// ACAP fields, which this version keeps and does not interpret.
    AcapUnread = "acap-unread", Warning;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_are_unique_and_kebab_case() {
        let names: std::collections::BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for name in names {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        }
    }
}
