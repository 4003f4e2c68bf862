//! Converts header fields from the `http` crate, which Rust's HTTP clients share.

use super::Headers;

/// ```
/// use byleave::Headers;
/// let mut map = http::HeaderMap::new();
/// map.insert("robots-tag", http::HeaderValue::from_static("*;noindex"));
/// let headers = Headers::from(&map);
/// assert_eq!(headers.text(), b"robots-tag: *;noindex\n");
/// ```
impl From<&::http::HeaderMap> for Headers {
    /// Returns the fields in the map, with names in lower case. The lines of one field keep their order. Different
    /// fields are in the map's order.
    fn from(map: &::http::HeaderMap) -> Self {
        map.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use ::http::{HeaderMap, HeaderValue};

    #[test]
    fn header_maps_keep_every_line_and_every_byte() {
        let mut map = HeaderMap::new();
        map.append("X-Robots-Tag", HeaderValue::from_static("noindex"));
        map.append("Content-Type", HeaderValue::from_static("text/html"));
        map.append("X-Robots-Tag", HeaderValue::from_bytes(b"otherbot: \xFF").unwrap());
        let headers = Headers::from(&map);
        let values: Vec<_> = headers.named("x-robots-tag").map(|line| line.value).collect();
        assert_eq!(values, [&b"noindex"[..], b"otherbot: \xFF"]);
        assert_eq!(headers.content_type(), Some("text/html"));
        assert_eq!(headers.lines().count(), 3);
        assert!(Headers::from(&HeaderMap::new()).is_empty());
    }
}
