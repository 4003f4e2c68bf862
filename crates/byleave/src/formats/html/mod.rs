//! HTML pages, as far as crawlers need them.
//!
//! A page is decoded only as far as necessary (`encoding.rs`) and split into tokens (`tokens.rs`). Its head is parsed
//! without a tree (`head.rs`). A tree is built only if it is needed (`tree.rs`). Spans are offsets into
//! [`Decoded::text`]. The dialects interpret the content of META tags.

pub(crate) mod characters;
mod doctype;
pub(crate) mod elements;
mod encoding;
mod head;
mod kind;
mod needle;
pub(crate) mod nodes;
mod scripts;
mod sink;
mod targets;
pub(crate) mod texts;
pub(crate) mod tokens;
pub(crate) mod tree;
mod visible_text;

pub(crate) use elements::Elements;
pub(crate) use encoding::DecodingInfo;
pub use encoding::{Decoded, decoded};
pub(crate) use head::head_links;
pub use head::{HeadRead, head_metas};
pub(crate) use kind::is_image;
pub use kind::{charset, is_html, is_xml};
pub(crate) use needle::{Needle, has_word};
pub(crate) use nodes::Name;
pub(crate) use scripts::{DataScript, data_scripts};
pub(crate) use targets::{TargetKind, Targets};
pub(crate) use texts::TextRun;
pub use tree::{BodyRead, body_metas};
pub(crate) use visible_text::{Fingerprint, Fingerprints, RunBoundary, VisibleRun, VisibleText};

use crate::base::source::Span;
use encoding_rs::Encoding;
use std::borrow::Cow;

/// A META tag in a page.
///
/// ```
/// use byleave::Limits;
/// use byleave::analysis::html as page;
/// let page = page::decoded(b"<title>News</title><meta name=robots content='no&#105;ndex'>", None, &Limits::default());
/// let mut found = Vec::new();
/// page::head_metas(&page, |meta| found.push((meta.name(), meta.content())));
/// assert_eq!(found, [(Some("robots".into()), Some("noindex".into()))]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MetaTag<'p> {
    tag: tokens::Tag<'p>,
    encoding: &'static Encoding,
}

impl<'p> MetaTag<'p> {
    fn new(tag: tokens::Tag<'p>, encoding: &'static Encoding) -> Self {
        Self { tag, encoding }
    }

    /// Returns the tag's span in [`Decoded::text`], including `<` and `>`.
    #[must_use]
    pub fn span(&self) -> Span {
        self.tag.span
    }

    /// Returns whether the tag has this name. Callers of [`head_links`] need this, because it visits tags with several
    /// names.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.tag.is(name)
    }

    /// Returns the `name` attribute, with character references replaced. Nothing is copied if the page already contains
    /// the right characters.
    #[must_use]
    pub fn name(&self) -> Option<Cow<'p, str>> {
        self.attribute("name")
    }

    /// Returns the `content` attribute, with character references replaced.
    #[must_use]
    pub fn content(&self) -> Option<Cow<'p, str>> {
        self.attribute("content")
    }

    /// Returns the `value` attribute, with character references replaced. HTML does not define it on META, but ACAP's
    /// examples use it.
    #[must_use]
    pub fn value(&self) -> Option<Cow<'p, str>> {
        self.attribute("value")
    }

    /// Returns the text between typographic quotation marks, if an attribute's value begins with such a mark. HTML
    /// treats the marks as part of the value, which then ends at the next blank. Here, the value ends at the closing
    /// mark, if there is one.
    ///
    /// Cost: one pass over the tag, if there is an opening mark.
    pub(crate) fn between_typographic_marks(&self, name: &str, value: &str) -> Option<String> {
        const DOUBLE: [char; 7] = ['“', '”', '„', '‟', '«', '»', '"'];
        const SINGLE: [char; 5] = ['‘', '’', '‚', '‛', '\''];
        let value = value.trim_ascii_start();
        let first = value.chars().next().filter(|first| !first.is_ascii())?;
        let marks = [&DOUBLE[..], &SINGLE[..]].into_iter().find(|marks| marks.contains(&first))?;
        let inside =
            |text: &str| text.get(first.len_utf8()..).and_then(|rest| Some(rest.split_once(marks)?.0.to_owned()));
        let further = self.tag.unquoted_to_tag_end(name).map(|raw| characters::attribute_value(raw, self.encoding));
        inside(value).or_else(|| inside(&further?)).or_else(|| value.get(first.len_utf8()..).map(str::to_owned))
    }

    /// Returns the attribute with this name, which must be in lower case. If there are several, the first counts.
    ///
    /// Cost: one pass over the tag.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<Cow<'p, str>> {
        self.tag.attribute(name).map(|raw| characters::attribute_value(raw, self.encoding))
    }
}
