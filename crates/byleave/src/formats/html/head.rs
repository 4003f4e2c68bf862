//! Finds the META tags in `head` (S-24). The code follows the HTML standard's tree construction up to the start of
//! `body`, without building a tree.
//!
//! Scripting is off, so META tags in a `noscript` in `head` count. For META tags, it only matters whether a tag is
//! before `head`, in `head`, in a `noscript` in `head`, or after `head`. Only real tree construction can find the end
//! of a `template`. `tree.rs` does that.

use super::tokens::{Content, Raw, Surroundings, Tag, Token, Tokens};
use super::tree::{Work, template};
use super::{Decoded, MetaTag};

/// The result of parsing the head of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadRead {
    /// The end of the head, as an offset into [`Decoded::text`]. This is the offset of the tag or character that begins
    /// `body`, or the end of the parsed text.
    pub end: usize,
    /// Whether the whole head was parsed. This is false if the page reaches its limit before the head ends, or if a
    /// `template` takes too many steps for its length (S-22).
    pub is_whole: bool,
}

/// Calls `visit` with each META tag in the page's `head`, in document order. Parsing stops at `body`.
///
/// The head does not end at `</head>`. A META tag between `</head>` and the first content of `body` is still added to
/// `head`.
///
/// ```
/// use byleave::Limits;
/// use byleave::analysis::html as page;
/// let text = b"<head><noscript><meta name=a></noscript></head><meta name=b>\n<p>News<meta name=c>";
/// let page = page::decoded(text, None, &Limits::default());
/// let mut names = Vec::new();
/// let read = page::head_metas(&page, |meta| names.extend(meta.name()));
/// assert_eq!(names, ["a", "b"]);
/// assert!(read.is_whole && page.text()[read.end..].starts_with(b"<p>"));
/// ```
///
/// Cost: linear in the head.
pub fn head_metas<'p>(page: &'p Decoded<'_>, mut visit: impl FnMut(&MetaTag<'p>)) -> HeadRead {
    walk(page, |effect, tag| {
        if effect == TagEffect::Meta {
            visit(tag);
        }
    })
}

/// Calls `visit` with each `link` and `base` tag in the page's `head`, and with the obsolete `basefont` and `bgsound`
/// tags.
///
/// Cost: linear in the head.
pub(crate) fn head_links<'p>(page: &'p Decoded<'_>, mut visit: impl FnMut(&MetaTag<'p>)) {
    walk(page, |effect, tag| {
        if effect == TagEffect::Link {
            visit(tag);
        }
    });
}

/// Calls `visit` with each tag in the head whose effect is [`TagEffect::Meta`] or [`TagEffect::Link`].
#[inline(always)]
fn walk<'p>(page: &'p Decoded<'_>, mut visit: impl FnMut(TagEffect, &MetaTag<'p>)) -> HeadRead {
    let text = page.text();
    let mut tokens = Tokens::new(text, page.start());
    let mut mode = Mode::Before;
    let mut work = Work::default();
    let mut doctype = None;
    // A doctype counts only if nothing but comments and whitespace precedes it.
    let mut is_first = true;
    let whole = |end| HeadRead { end, is_whole: true };
    while let Some(token) = tokens.next(Surroundings::Html) {
        let effect = match token {
            Token::Comment(_) => continue,
            Token::Doctype(found) => {
                doctype = doctype.or(Some(found).filter(|_| is_first));
                continue;
            }
            Token::Text(found) => match found.first_character() {
                Some(first) if found.content == Content::Data => return whole(found.span.start as usize + first),
                _ => continue,
            },
            Token::Start(tag) => mode.start(&tag),
            Token::End(tag) => mode.end(&tag),
        };
        is_first = false;
        match (effect, token) {
            (TagEffect::Meta | TagEffect::Link, Token::Start(tag)) => {
                visit(effect, &MetaTag::new(tag, page.text_encoding()))
            }
            (TagEffect::Template, Token::Start(tag)) => {
                let after = template(page, doctype, &tag, &mut work);
                if after.is_given_up {
                    return HeadRead { end: after.end, is_whole: false };
                }
                tokens = Tokens::new(text, after.end);
            }
            (TagEffect::Body, Token::Start(Tag { span, .. }) | Token::End(Tag { span, .. })) => {
                return whole(span.start as usize);
            }
            (TagEffect::Raw(_), Token::Start(tag)) if page.is_xml() && tag.is_self_closing => {}
            (TagEffect::Raw(raw), _) => tokens.read_as(Content::Raw(raw)),
            (TagEffect::Nothing | TagEffect::Meta | TagEffect::Link | TagEffect::Template | TagEffect::Body, _) => {}
        }
    }
    HeadRead { end: text.len(), is_whole: !page.is_truncated() }
}

/// The insertion mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The modes "initial", "before html" and "before head" in the HTML standard.
    Before,
    Head,
    /// The mode "in head noscript" in the HTML standard.
    Noscript,
    After,
}

/// The effects that a tag can have on parsing the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagEffect {
    Nothing,
    Meta,
    /// A `link`, a `base`, or another void element.
    Link,
    Raw(Raw),
    Template,
    /// `body` or `frameset` begins.
    Body,
}

impl Mode {
    fn start(&mut self, tag: &Tag<'_>) -> TagEffect {
        let element = HeadElement::of(tag.name);
        match (*self, element) {
            (_, HeadElement::Html) => return TagEffect::Nothing,
            (Self::Before, HeadElement::Head) => {
                *self = Self::Head;
                return TagEffect::Nothing;
            }
            (Self::Before, _) => *self = Self::Head,
            (_, HeadElement::Head) => return TagEffect::Nothing,
            (Self::Noscript, HeadElement::Noscript) => return TagEffect::Nothing,
            (Self::Noscript, HeadElement::Meta | HeadElement::Link | HeadElement::Style) => {}
            (Self::Noscript, _) => *self = Self::Head,
            (Self::Head | Self::After, _) => {}
        }
        match element {
            HeadElement::Meta => TagEffect::Meta,
            HeadElement::Link | HeadElement::Base => TagEffect::Link,
            HeadElement::Title => TagEffect::Raw(Raw::Rcdata),
            HeadElement::Style => TagEffect::Raw(Raw::Rawtext),
            HeadElement::Script => TagEffect::Raw(Raw::ScriptData),
            HeadElement::Template => TagEffect::Template,
            HeadElement::Noscript if *self == Self::Head => {
                *self = Self::Noscript;
                TagEffect::Nothing
            }
            HeadElement::Noscript | HeadElement::Html | HeadElement::Head | HeadElement::Other => TagEffect::Body,
        }
    }

    fn end(&mut self, tag: &Tag<'_>) -> TagEffect {
        let is_breaking = tag.is("br");
        let is_outer = tag.is("body") || tag.is("html");
        match *self {
            Self::Noscript if tag.is("noscript") => *self = Self::Head,
            Self::Noscript if is_breaking => return TagEffect::Body,
            Self::Noscript => {}
            Self::Before | Self::Head if tag.is("head") => *self = Self::After,
            Self::Before | Self::Head | Self::After if is_outer || is_breaking => return TagEffect::Body,
            Self::Before | Self::Head | Self::After => {}
        }
        TagEffect::Nothing
    }
}

/// The elements that matter when the head is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeadElement {
    Html,
    Head,
    Meta,
    /// `link`, and other void elements that are allowed in `noscript`.
    Link,
    Base,
    Title,
    /// `style`, and `noframes`, which is also raw text.
    Style,
    Script,
    Noscript,
    Template,
    Other,
}

impl HeadElement {
    fn of(name: &[u8]) -> Self {
        const META: u64 = key(b"meta");
        const LINK: u64 = key(b"link");
        const SCRIPT: u64 = key(b"script");
        const STYLE: u64 = key(b"style");
        const TITLE: u64 = key(b"title");
        const NOSCRIPT: u64 = key(b"noscript");
        const HTML: u64 = key(b"html");
        const HEAD: u64 = key(b"head");
        const BASE: u64 = key(b"base");
        const TEMPLATE: u64 = key(b"template");
        const BASEFONT: u64 = key(b"basefont");
        const BGSOUND: u64 = key(b"bgsound");
        const NOFRAMES: u64 = key(b"noframes");
        match key(name) {
            META => Self::Meta,
            LINK | BASEFONT | BGSOUND => Self::Link,
            SCRIPT => Self::Script,
            STYLE | NOFRAMES => Self::Style,
            TITLE => Self::Title,
            NOSCRIPT => Self::Noscript,
            HTML => Self::Html,
            HEAD => Self::Head,
            BASE => Self::Base,
            TEMPLATE => Self::Template,
            _ => Self::Other,
        }
    }
}

/// Returns a name of up to eight bytes as a number, ignoring case. Longer names become zero. Setting bit 0x20 converts
/// letters to lower case, and never turns another byte into a letter.
const fn key(name: &[u8]) -> u64 {
    if name.len() > 8 {
        return 0;
    }
    let mut key = 0;
    let mut rest = name;
    while let [first, tail @ ..] = rest {
        key = key << 8 | (*first | 0x20) as u64;
        rest = tail;
    }
    key
}
