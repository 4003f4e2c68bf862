//! `Link` header fields (RFC 8288): the target, relation, media type and anchor of each link.

use super::quoted::split_outside_quotes;

/// A link with its target, relation, media type and anchor, and its span in the field's value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link<'v> {
    pub(crate) target: &'v [u8],
    pub(crate) rel: Vec<u8>,
    pub(crate) media_type: Vec<u8>,
    /// The resource that the link starts from, if it is not the resource that the header was sent with.
    pub(crate) anchor: Vec<u8>,
    pub(crate) at: (usize, usize),
}

/// Returns the links in one field line. Malformed text is skipped up to the next comma.
///
/// Cost: O(value).
pub(crate) fn links(value: &[u8]) -> impl Iterator<Item = Link<'_>> {
    let mut at = 0;
    let last = memchr::memrchr(b'>', value).unwrap_or(0);
    std::iter::from_fn(move || {
        while at < value.len() {
            let start = at + value.get(at..)?.iter().take_while(|byte| is_between(byte)).count();
            let target = value.get(start..)?.strip_prefix(b"<").filter(|_| start < last);
            let target = target.and_then(|rest| rest.get(..memchr::memchr(b'>', rest)?));
            let from = target.map_or(start, |target| start + target.len() + 2);
            let end = from + end_of_link(value.get(from..)?);
            at = end + 1;
            let Some(target) = target else { continue };
            let parameters = value.get(from..end)?;
            let (rel, media_type) = (parameter(parameters, b"rel"), parameter(parameters, b"type"));
            let end = from + parameters.trim_ascii_end().len();
            let anchor = parameter(parameters, b"anchor");
            return Some(Link { target: target.trim_ascii(), rel, media_type, anchor, at: (start, end) });
        }
        None
    })
}

fn is_between(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b','
}

/// Returns the end of a link, which is the next comma outside quotation marks.
fn end_of_link(text: &[u8]) -> usize {
    split_outside_quotes(text, b',').next().map_or(0, <[u8]>::len)
}

/// Returns a parameter's value without quotation marks. If there are several, the first counts (RFC 8288, 3.3).
fn parameter(parameters: &[u8], name: &[u8]) -> Vec<u8> {
    for piece in split_outside_quotes(parameters, b';') {
        let Some(equals) = memchr::memchr(b'=', piece) else { continue };
        let (own, value) = piece.split_at(equals);
        if own.trim_ascii().eq_ignore_ascii_case(name) {
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            let Some(inner) = value.strip_prefix(b"\"") else { return value.to_vec() };
            let inner = inner.strip_suffix(b"\"").unwrap_or(inner);
            return inner.iter().copied().filter(|byte| *byte != b'\\').collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::rsl::names_licence;

    #[test]
    fn s45_commas_outside_quotes_separate_links() {
        let found = |value: &str| {
            let is_licence = |link: &Link<'_>| names_licence(&link.rel, &link.media_type);
            let shown = |link: Link<'_>| String::from_utf8_lossy(link.target).into_owned();
            links(value.as_bytes()).filter(is_licence).map(shown).collect::<Vec<_>>()
        };
        let rsl = "rel=license; type=\"application/rsl+xml\"";
        assert_eq!(found(&format!("</a,b>; {rsl}")), ["/a,b"]);
        assert_eq!(found(&format!("</a>; rel=next, </b>;title=\"x, \\\"y; {rsl}\";{rsl} ,, <c> ; {rsl}")), ["/b", "c"]);
        assert_eq!(found("</a>; REL=\"next License\"; Type=Application/RSL+xml"), ["/a"]);
        assert_eq!(found("</a>; rel=license; rel=next; type=application/rsl+xml"), ["/a"]);
        for none in [
            "</a>; rel=license",
            "</a>; type=application/rsl+xml",
            "/a; rel=license; type=application/rsl+xml",
            "<",
            ",",
            "</a",
            ";",
        ] {
            assert_eq!(found(none), Vec::<String>::new(), "{none}");
        }
        let value = format!("</a>; rel=next, </b>; {rsl} , </c>");
        let second = links(value.as_bytes()).nth(1).and_then(|link| value.get(link.at.0..link.at.1));
        assert_eq!(second, Some(format!("</b>; {rsl}").as_str()));
    }
}
