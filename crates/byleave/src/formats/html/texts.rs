//! The texts of a page: where each stands, what it is in, and how its bytes become characters.

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
    /// Its bytes in [`Decoded::text`].
    pub span: Span,
    /// The element it is a child of, wherever it is written.
    pub element: ElementId,
    pub kind: TextKind,
}

impl TextRun {
    /// Its characters.
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

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// With character references, without NULs.
    Data,
    /// With character references, and U+FFFD for each NUL: in SVG and MathML.
    ForeignData,
    /// The same in `title` and `textarea`.
    Rcdata,
    /// As it is written, and U+FFFD for each NUL: `script`, `style`, `plaintext` and their like.
    Raw,
    /// As it is written, without NULs.
    Cdata,
    /// As it is written, and U+FFFD for each NUL.
    ForeignCdata,
    /// With character references, but only its white space counts: between framesets.
    Spaces,
}

impl TextKind {
    /// How a text is read where the rules of HTML hold.
    pub fn of(text: &tokens::Text<'_>) -> Self {
        match text.content {
            Content::Data if text.is_cdata => Self::Cdata,
            Content::Data => Self::Data,
            Content::Raw(Raw::Rcdata) => Self::Rcdata,
            Content::Raw(Raw::Rawtext | Raw::ScriptData) | Content::Plaintext => Self::Raw,
        }
    }

    /// Whether it is the inside of a script, a style sheet or the like, in which no character reference counts.
    pub fn is_raw(self) -> bool {
        self == Self::Raw
    }
}

/// A part of a text that is on its way into the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub span: Span,
    pub kind: TextKind,
    /// Whether it is NULs, which no table keeps waiting.
    pub is_null: bool,
}

impl Piece {
    /// The piece as it is read there.
    pub fn put_in(self, is_foreign: bool) -> Self {
        let kind = match self.kind {
            TextKind::Data if is_foreign => TextKind::ForeignData,
            TextKind::Cdata if is_foreign => TextKind::ForeignCdata,
            kind => kind,
        };
        Self { kind, ..self }
    }
}
