//! The texts in a page: where each text is written, its element, and how its bytes become characters.

use super::Decoded;
use super::characters::{Nulls, References, TextEnd, text};
use super::tokens;
use super::tokens::{Content, Raw};
use crate::base::source::Span;
use crate::model::ElementId;
use std::borrow::Cow;

/// A run of text in one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextRun {
    /// The run's span in [`Decoded::text`].
    pub span: Span,
    /// The run's parent element. Foster-parented text keeps its source position.
    pub element: ElementId,
    pub kind: TextKind,
}

impl TextRun {
    /// Returns the run's characters.
    ///
    /// Cost: linear in the run.
    pub fn text<'p>(&self, page: &'p Decoded<'_>) -> Cow<'p, str> {
        let (raw, encoding) = (self.span.of(page.text()), page.text_encoding());
        let end = if self.span.end as usize == page.text().len() { TextEnd::Page } else { TextEnd::Markup };
        let read = |references, nulls| text(raw, encoding, (references, nulls), end);
        match self.kind {
            TextKind::Data => read(References::Replaced, Nulls::Dropped),
            TextKind::ForeignData | TextKind::Rcdata => read(References::Replaced, Nulls::Replaced),
            TextKind::Raw | TextKind::ForeignCdata => read(References::Kept, Nulls::Replaced),
            TextKind::Cdata => read(References::Kept, Nulls::Dropped),
            TextKind::Spaces => {
                let mut read = read(References::Replaced, Nulls::Dropped).into_owned();
                read.retain(|character| character.is_ascii_whitespace());
                Cow::Owned(read)
            }
        }
    }
}

/// How a text's bytes become characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Character references are replaced, and NULs are dropped.
    Data,
    /// In SVG and MathML: character references are replaced, and NULs become U+FFFD.
    ForeignData,
    /// In `title` and `textarea`: character references are replaced, and NULs become U+FFFD.
    Rcdata,
    /// In `script`, `style`, `plaintext` and similar elements: unchanged, but NULs become U+FFFD.
    Raw,
    /// CDATA in HTML content: unchanged, but NULs are dropped.
    Cdata,
    /// CDATA in SVG and MathML: unchanged, but NULs become U+FFFD.
    ForeignCdata,
    /// Between framesets: character references are replaced, and only whitespace is kept.
    Spaces,
}

impl TextKind {
    /// Returns how a text is converted in HTML content.
    pub fn of(text: &tokens::Text<'_>) -> Self {
        match text.content {
            Content::Data if text.is_cdata => Self::Cdata,
            Content::Data => Self::Data,
            Content::Raw(Raw::Rcdata) => Self::Rcdata,
            Content::Raw(Raw::Rawtext | Raw::ScriptData) | Content::Plaintext => Self::Raw,
        }
    }

    /// Returns whether the text is in a script, a style sheet or a similar element, and so has no character references.
    pub fn is_raw(self) -> bool {
        self == Self::Raw
    }
}

/// A part of a text that is being inserted into the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub span: Span,
    pub kind: TextKind,
    /// Whether the piece consists of NULs. NULs never wait for the end of a table text.
    pub is_null: bool,
}

impl Piece {
    /// Returns the piece with its kind adjusted to HTML content or to foreign content (SVG or MathML).
    pub fn put_in(self, is_foreign: bool) -> Self {
        let kind = match self.kind {
            TextKind::Data if is_foreign => TextKind::ForeignData,
            TextKind::Cdata if is_foreign => TextKind::ForeignCdata,
            kind => kind,
        };
        Self { kind, ..self }
    }
}
