//! Checks that the engine finds the same META tags as html5ever's own tree.

use crate::oracle::{self, Meta, Metas};
use byleave::Limits;
use byleave::analysis::html::{MetaTag, body_metas, decoded, head_metas};
use encoding_rs::Encoding;
use std::borrow::Cow;

fn meta(tag: &MetaTag<'_>) -> Meta {
    let owned = |value: Option<Cow<'_, str>>| value.map(Cow::into_owned);
    (owned(tag.name()), owned(tag.content()), owned(tag.value()))
}

/// Returns the META tags that the engine finds in a page, and checks their spans.
pub fn ours(bytes: &[u8], charset: Option<&str>) -> Metas {
    let page = decoded(bytes, charset, &Limits::default());
    let mut found = Metas::default();
    let mut last = 0;
    let read = head_metas(&page, |tag| {
        let written = tag.span().of(page.text());
        assert!(written[..5].eq_ignore_ascii_case(b"<meta") && written.ends_with(b">"));
        assert!(tag.span().start >= last);
        last = tag.span().end;
        found.head.push(meta(tag));
    });
    assert!(read.is_whole && read.end <= page.text().len() && read.end >= last as usize);
    let read = body_metas(&page, |tag| {
        let written = tag.span().of(page.text());
        assert!(written[..5].eq_ignore_ascii_case(b"<meta") && written.ends_with(b">"));
        found.body.push(meta(tag));
    });
    assert!(read.is_whole);
    found
}

pub fn assert_same(about: &str, bytes: &[u8], charset: Option<&str>) {
    let encoding = Encoding::for_label(decoded(bytes, charset, &Limits::default()).encoding().as_bytes()).unwrap();
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    let (ours, theirs) = (ours(bytes, charset), oracle::metas(&text));
    if ours != theirs {
        let shown = String::from_utf8_lossy(bytes);
        panic!("{about} ({})\nours   {ours:?}\ntheirs {theirs:?}\n{shown:?}", encoding.name());
    }
}
