//! What header fields and META content say, as plain data: the face that tests from outside look at.
//!
//! No part of the public API; decisions take the same words from `Headers::heard` and `directive::content`.

use super::{Found, Whom};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::dialects::robots_directives::{Directive, Unread, content};
use crate::formats::http::Headers;
use crate::model::diagnostic::Code;

/// One word that was heard.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Heard {
    /// `Robots-Tag`, `X-Robots-Tag` or `META`.
    pub field: &'static str,
    /// The crawler it names; nothing: everyone.
    pub name: Option<Vec<u8>>,
    /// The word, where it is known.
    pub word: Option<&'static str>,
    /// What it comes to.
    pub effect: String,
    /// The line it stands in, from 0.
    pub line: usize,
    /// The statement in the text.
    pub statement: Span,
    /// The word in the text.
    pub span: Span,
}

impl Headers {
    /// Every word of the header fields, and every note.
    #[doc(hidden)]
    #[must_use]
    pub fn words(&self, limits: &Limits) -> (Vec<Heard>, Vec<(Code, Span)>) {
        let (mut words, mut notes) = (Vec::new(), Vec::new());
        self.heard(limits, &mut |found| match found {
            Found::Said(said) => {
                let name = match said.whom {
                    Whom::Everyone => None,
                    Whom::Named(name) => Some(name.into_owned()),
                };
                let (word, effect) = shown(said.read);
                let field = said.field.name();
                words.push(Heard { field, name, word, effect, line: said.line, statement: said.span, span: said.word });
            }
            Found::Note(note) => notes.push((note.code, note.span)),
        });
        (words, notes)
    }
}

/// Every word of a conventional META's content.
#[doc(hidden)]
#[must_use]
pub fn meta_words(text: &[u8]) -> Vec<Heard> {
    let mut words = Vec::new();
    content(text, &mut |(start, end), read| {
        let ((word, effect), span) = (shown(read), Span::new(start, end));
        words.push(Heard { field: "META", name: None, word, effect, line: 0, statement: span, span });
    });
    words
}

fn shown(read: Result<Directive, Unread>) -> (Option<&'static str>, String) {
    match read {
        Ok(read) => (Some(read.word.name), format!("{:?}", read.effect)),
        Err(Unread::UnknownWord) => (None, Unread::UnknownWord.code().name().to_owned()),
        Err(unread @ (Unread::MissingValue(word) | Unread::UnreadableValue(word))) => {
            (Some(word.name), unread.code().name().to_owned())
        }
    }
}
