//! A URL's path and query, in the form that is compared with patterns.
//!
//! A URL is never split into parts and reassembled. The caller's octets are matched unchanged, except for the escapes
//! that S-18 normalizes. This file also resolves references and compares URLs.

use crate::base::scan::{Lanes, WIDTH};
use crate::dialects::rfc9309::pattern;
use crate::dialects::rfc9309::pattern::Side;
use crate::model::reading::{Escapes, Switches};
use std::borrow::Cow;

/// Calls `use_path` with the path and query of `url` in comparable form.
///
/// Cost: O(url). It allocates only to rewrite a path longer than [`STACK`].
#[inline(always)]
pub(crate) fn with_path<T>(url: &[u8], switches: &Switches, use_path: impl FnOnce(&[u8]) -> T) -> T {
    let from = path_start(url, switches);
    let path = url.get(from..).unwrap_or_default();
    if path.first() == Some(&b'/') && !has_specials(path) {
        use_path(path)
    } else {
        with_rewritten(path, switches, use_path)
    }
}

/// Returns the scheme and the authority of an absolute URL, or `None` if the URL is only a path.
#[must_use]
pub fn origin(url: &str) -> Option<&str> {
    let bytes = url.as_bytes();
    let authority = authority_start(bytes);
    if authority == 0 || bytes.first() == Some(&b'/') {
        return None;
    }
    url.get(..authority_end(bytes, authority))
}

/// Resolves a reference against `url` and returns its path (RFC 3986 5.2). Returns `None` if the reference points to
/// another site, or if the site is not known.
pub(crate) fn relative_to<'a>(url: &'a str, reference: &'a [u8]) -> Option<Cow<'a, str>> {
    let reference = std::str::from_utf8(reference).ok()?.split('#').next().unwrap_or_default();
    let scheme = reference.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    let has_scheme = scheme > 0 && reference.as_bytes().get(scheme) == Some(&b':');
    let path = url.get(origin(url).map_or(0, str::len)..)?;
    let path = path.split('#').next().unwrap_or(path);
    if has_scheme || reference.starts_with("//") {
        let (scheme, own) = url.split_once("://")?;
        let (their_scheme, theirs) = reference.split_once("//")?;
        let is_same_scheme = their_scheme.is_empty()
            || their_scheme.strip_suffix(':').is_some_and(|theirs| theirs.eq_ignore_ascii_case(scheme));
        let default = if scheme.eq_ignore_ascii_case("https") { 443 } else { 80 };
        let authority = |rest: &'a str| rest.get(..rest.find(['/', '?', '#']).unwrap_or(rest.len())).unwrap_or(rest);
        let host = |rest: &'a str| host_and_port(authority(rest), default);
        let is_same = is_same_scheme && host(own) == host(theirs);
        let path = theirs.get(authority(theirs).len()..).unwrap_or_default();
        return is_same.then(|| without_dots(path));
    }
    if reference.starts_with('/') {
        return Some(without_dots(reference));
    }
    let bare = path.split('?').next().unwrap_or(path);
    if reference.starts_with('?') {
        return Some(Cow::Owned(format!("{bare}{reference}")));
    }
    let directory = bare.rfind('/').and_then(|slash| bare.get(..=slash)).unwrap_or("/");
    Some(Cow::Owned(without_dots(&format!("{directory}{reference}")).into_owned()))
}

/// Resolves a reference against `url` and returns an absolute URL, or a path if `url` has no origin.
pub(crate) fn resolved(url: &str, reference: &str) -> String {
    match relative_to(url, reference.as_bytes()) {
        Some(path) => format!("{}{path}", origin(url).unwrap_or_default()),
        None if reference.starts_with("//") => {
            let scheme = url.split_once("://").map_or("https", |(scheme, _)| scheme);
            format!("{scheme}:{reference}")
        }
        None => reference.to_owned(),
    }
}

/// Whether two locations are the same. If one of them has no origin, only their paths are compared.
pub(crate) fn is_same_location(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    match (origin(one), origin(other)) {
        (Some(_), Some(_)) => is_same(one.as_bytes(), other.as_bytes()),
        (own, theirs) => one.get(own.map_or(0, str::len)..) == other.get(theirs.map_or(0, str::len)..),
    }
}

/// Returns an authority's host in lower case without a final dot, and its port if it is not the default port. User
/// names are ignored.
fn host_and_port(authority: &str, default: u16) -> (String, Option<u16>) {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match host.rsplit_once(':') {
        Some((host, "")) => (host, None),
        Some((before, digits)) => digits.parse().map_or((host, None), |port| (before, Some(port))),
        None => (host, None),
    };
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    (host, port.filter(|port| *port != default))
}

/// Returns a path without dot segments (RFC 3986 5.2.4). The query is not changed.
fn without_dots(path: &str) -> Cow<'_, str> {
    let (bare, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    if !bare.contains("/.") && bare.starts_with('/') {
        return Cow::Borrowed(path);
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = bare.strip_prefix('/').unwrap_or(bare).split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    Cow::Owned(format!("/{}{query}", kept.join("/")))
}

/// Whether two absolute URLs name the same resource (RFC 3986 6.2.2 and 6.2.3). Differences in the case of scheme and
/// host, the default port, escapes, dot segments, an empty path and the fragment are ignored.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    match (normalised(one), normalised(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Returns an absolute http(s) URL in comparable form, or `None` for other text.
fn normalised(url: &[u8]) -> Option<Vec<u8>> {
    let url = std::str::from_utf8(url).ok()?.trim();
    let url = url.split('#').next().unwrap_or_default();
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let default = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (user, host) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
    let (host, port) = host_and_port(host, default);
    if host.is_empty() {
        return None;
    }
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    let mut same = format!("{scheme}://{user}{host}{port}").into_bytes();
    let mut escaped = Vec::with_capacity(path.len() + 1);
    if !path.starts_with('/') {
        escaped.push(b'/');
    }
    let mut rest = path.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let octet = if *byte == b'%' { pattern::escaped_octet(after) } else { None };
        rest = if octet.is_some() { after.get(2..).unwrap_or_default() } else { rest };
        match octet {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => escaped.push(octet),
            Some(octet) => escaped.extend_from_slice(format!("%{octet:02X}").as_bytes()),
            // Octets outside ASCII must be escaped in a URI.
            None if !byte.is_ascii() => escaped.extend_from_slice(format!("%{byte:02X}").as_bytes()),
            None => escaped.push(*byte),
        }
    }
    let path = String::from_utf8(escaped).ok()?;
    same.extend_from_slice(without_dots(&path).as_bytes());
    Some(same)
}

/// Returns whether `url` is an absolute http(s) URL or a path. Other texts do not name a resource.
#[must_use]
#[inline]
pub fn is_resource(url: &str) -> bool {
    let url = url.as_bytes();
    let authority = || http_authority_start(url).and_then(|start| url.get(start));
    url.first() == Some(&b'/') || authority().is_some_and(|first| !b"/?#".contains(first))
}

/// The maximum length of paths that are rewritten on the stack.
const STACK: usize = 2048;
/// The maximum length of paths that are rewritten in a smaller buffer on the stack.
const SHORT: usize = 160;

/// Calls `use_text` with the text in ASCII lower case. Allocates only if the text contains capitals and is longer than
/// [`STACK`].
#[inline]
pub(crate) fn without_case<T>(text: &[u8], use_text: impl FnOnce(&[u8]) -> T) -> T {
    // There is no early exit, so that the compiler can vectorize the loop.
    if !text.iter().fold(false, |found, byte| found | byte.is_ascii_uppercase()) {
        return use_text(text);
    }
    let mut buffer = [0; STACK];
    if let Some(folded) = buffer.get_mut(..text.len()) {
        folded.copy_from_slice(text);
        folded.make_ascii_lowercase();
        use_text(folded)
    } else {
        use_text(&text.to_ascii_lowercase())
    }
}

/// Whether the path contains an octet that might need rewriting, or a `#`, which starts a fragment.
#[inline(always)]
fn has_specials(path: &[u8]) -> bool {
    let Some(last) = path.last_chunk::<WIDTH>() else {
        return path.iter().any(|byte| pattern::needs_rewriting(*byte) || *byte == b'#');
    };
    Lanes::any_special(last, path)
}

#[cold]
#[inline(never)]
fn with_rewritten<T>(path: &[u8], switches: &Switches, use_path: impl FnOnce(&[u8]) -> T) -> T {
    let path = memchr::memchr(b'#', path).map_or(path, |end| path.get(..end).unwrap_or(path));
    let needs_slash = path.first() != Some(&b'/');
    let needs_rewriting =
        switches.escapes != Escapes::PatternOnly && pattern::scan(path, 0, path.len(), switches.escapes).is_rewritten;
    if !needs_slash && !needs_rewriting {
        return use_path(path);
    }
    let write = |push: &mut dyn FnMut(u8)| {
        if needs_slash {
            push(b'/');
        }
        if needs_rewriting {
            pattern::rewrite(path, Side::Path, switches.escapes, push);
        } else {
            path.iter().copied().for_each(push);
        }
    };
    // One octet becomes at most three. There are two buffer sizes, because clearing the large buffer takes longer than
    // rewriting a short path.
    if path.len() <= SHORT {
        with_buffer::<{ SHORT * 3 + 1 }, T>(write, use_path)
    } else if path.len() <= STACK {
        with_buffer::<{ STACK * 3 + 1 }, T>(write, use_path)
    } else {
        let mut heap = Vec::new();
        write(&mut |byte| heap.push(byte));
        use_path(&heap)
    }
}

fn with_buffer<const SIZE: usize, T>(write: impl Fn(&mut dyn FnMut(u8)), use_path: impl FnOnce(&[u8]) -> T) -> T {
    let mut buffer = [0; SIZE];
    let mut length = 0;
    write(&mut |byte| {
        if let Some(place) = buffer.get_mut(length) {
            *place = byte;
            length += 1;
        }
    });
    use_path(buffer.get(..length).unwrap_or_default())
}

/// Returns the offset at which the path begins. If there is no path, returns the offset of the character that ends the
/// authority (`?`, `#`, or `;` in Google's parser), or the end of the URL.
#[inline(always)]
fn path_start(url: &[u8], switches: &Switches) -> usize {
    if switches.cuts_urls_as_google {
        return google_path_start(url);
    }
    if url.first() == Some(&b'/') { 0 } else { authority_end(url, authority_start(url)) }
}

/// Like [`path_start`], but as in Google's parser: an initial `//` begins an authority, and `;` ends the authority.
#[cold]
fn google_path_start(url: &[u8]) -> usize {
    let from = if url.first() == Some(&b'/') && !url.starts_with(b"//") { 0 } else { authority_start(url) };
    let rest = url.get(from..).unwrap_or_default();
    rest.iter().position(|byte| b"/?;#".contains(byte)).map_or(url.len(), |length| from + length)
}

/// Returns the offset at which the authority begins, after `://` or an initial `//`. Returns 0 if there is neither.
#[inline(always)]
fn authority_start(url: &[u8]) -> usize {
    http_authority_start(url).unwrap_or_else(|| authority_start_slow(url))
}

/// Returns where the authority of an http(s) URL starts.
#[inline(always)]
fn http_authority_start(url: &[u8]) -> Option<usize> {
    const LOWER: u32 = 0x2020_2020;
    if u32::from_le_bytes(*url.first_chunk::<4>()?) | LOWER != u32::from_le_bytes(*b"http") {
        return None;
    }
    if url.get(4..7) == Some(b"://") {
        return Some(7);
    }
    (url.get(5..8) == Some(b"://") && matches!(url.get(4), Some(b's' | b'S'))).then_some(8)
}

#[cold]
fn authority_start_slow(url: &[u8]) -> usize {
    if url.starts_with(b"//") {
        return 2;
    }
    // A `://` in a path, a query or a fragment does not end a scheme.
    match memchr::memmem::find(url, b"://") {
        Some(colon) if colon < authority_end(url, 0) => colon + 3,
        _ => 0,
    }
}

#[inline(always)]
fn authority_end(url: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < url.len() {
        let ends = Lanes::load(url, at).authority_ends();
        if ends != 0 {
            return at + ends.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
    url.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reading::Reading;

    fn path(url: &str, reading: Reading) -> String {
        with_path(url.as_bytes(), reading.switches(), |path| String::from_utf8_lossy(path).into_owned())
    }

    #[test]
    fn s27_places_are_compared_after_normalisation() {
        for (one, other) in [
            ("HTTP://MyServer.com:80/x", "http://myserver.com/x"),
            ("https://site.example", "https://site.example/#top"),
            ("https://site.example/%7ea/../b", "https://site.example/b"),
            ("https://site.example/a%2fb", "https://site.example/a%2Fb"),
            ("https://site.example:/a?q=%41", "https://site.example/a?q=A"),
        ] {
            assert!(is_same(one.as_bytes(), other.as_bytes()), "{one} {other}");
        }
        for (one, other) in [
            ("http://site.example/", "https://site.example/"),
            ("https://site.example/a", "https://site.example/A"),
            ("https://site.example/a", "https://site.example/a/"),
            ("https://site.example/a", "https://site.example/a?"),
            ("/a", "/a"),
            ("https:///a", "https:///a"),
        ] {
            assert!(!is_same(one.as_bytes(), other.as_bytes()), "{one} {other}");
        }
    }

    #[test]
    fn the_path_is_taken_as_given() {
        let cases = [
            ("https://a.example/b/c?d=e#f", "/b/c?d=e"),
            ("HTTP://a.example:80/x", "/x"),
            ("https://a.example", "/"),
            ("https://a.example?q=/x", "/?q=/x"),
            ("https://a.example#/x", "/"),
            ("/x/../y//z", "/x/../y//z"),
            ("//x/y", "//x/y"),
            ("/a?u=http://b.example/c", "/a?u=http://b.example/c"),
            ("ftp://a.example/x", "/x"),
            ("/*$~", "/*$~"),
            ("", "/"),
            ("/a b", "/a%20b"),
        ];
        for (url, expected) in cases {
            assert_eq!(path(url, Reading::Default), expected, "{url}");
        }
        assert_eq!(path("//a.example/x", Reading::Google), "/x");
        assert_eq!(path("a/b?://x", Reading::Google), "/b?://x");
        assert_eq!(path("https://u;p@a.example/x", Reading::Default), "/x");
        assert_eq!(path("https://a.example;p/x", Reading::Google), "/;p/x");
        assert_eq!(path("/%62#x", Reading::Google), "/%62");
        let long = format!("/{}%62", "é".repeat(3000));
        assert_eq!(path(&long, Reading::Default), format!("/{}b", "%C3%A9".repeat(3000)));
    }

    #[test]
    fn s37_references_are_resolved_on_the_same_site() {
        let resolved =
            |reference: &str| relative_to("http://h.example/d/e?q", reference.as_bytes()).map(Cow::into_owned);
        for (reference, path) in [
            ("/p/x", "/p/x"),
            ("p", "/d/p"),
            ("../p/x", "/p/x"),
            ("./p/x", "/d/p/x"),
            ("/q/../p/x", "/p/x"),
            ("//h.example/p", "/p"),
            ("http://H.Example:80/p", "/p"),
            ("/p/x?u=http://z/../", "/p/x?u=http://z/../"),
            ("?p", "/d/e?p"),
            ("../../..", "/"),
        ] {
            assert_eq!(resolved(reference).as_deref(), Some(path), "{reference}");
        }
        for other in
            ["https://h.example/p", "http://other.example/p", "//other.example/", "urn:x", "http://h.example:8080/p"]
        {
            assert_eq!(resolved(other), None, "{other}");
        }
    }

    #[test]
    fn origins_end_where_paths_begin() {
        assert_eq!(origin("https://a.example/b"), Some("https://a.example"));
        assert_eq!(origin("https://a.example?b"), Some("https://a.example"));
        assert_eq!(origin("/b"), None);
        assert!(is_resource("/") && is_resource("https://a.example") && is_resource("http://a/b"));
        assert!(
            !is_resource("a.example/b") && !is_resource("ftp://a/b") && !is_resource("https:///b") && !is_resource("")
        );
    }
}
