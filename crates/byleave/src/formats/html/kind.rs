//! Determines whether a document is an HTML page, and the charset in its `Content-Type`.

/// Returns whether these bytes are an HTML page. A type in the `Content-Type` decides. Without a type, the first bytes
/// decide: everything is HTML except JSON and documents with the signature of a PDF, an image, an archive or a similar
/// format.
///
/// ```
/// use byleave::analysis::html::is_html;
/// assert!(is_html(b"<p>News", None));
/// assert!(!is_html(b"<p>News", Some("text/plain")));
/// assert!(!is_html(b"{\"news\": true}", None));
/// ```
#[must_use]
pub fn is_html(bytes: &[u8], content_type: Option<&str>) -> bool {
    match content_type.and_then(essence) {
        Some(essence) => {
            HTML.iter().any(|html| essence.eq_ignore_ascii_case(html))
                || essence.get(..16).is_some_and(|start| start.eq_ignore_ascii_case("application/xml+"))
        }
        None => {
            let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
            // If there is a `<` in the first bytes, this is a page after a stray `{` or `[`.
            let is_json = matches!(text.first(), Some(b'{' | b'['))
                && memchr::memchr(b'<', text.get(..1024).unwrap_or(text)).is_none();
            !is_json && !SIGNATURES.iter().any(|signature| bytes.starts_with(signature)) && !is_container(bytes)
        }
    }
}

/// Returns whether a resource is an image. A type in the `Content-Type` decides. Without a type, the first bytes
/// decide.
pub(crate) fn is_image(bytes: Option<&[u8]>, content_type: Option<&str>) -> bool {
    match (content_type.and_then(essence), bytes) {
        (Some(essence), _) => essence.get(..6).is_some_and(|kind| kind.eq_ignore_ascii_case("image/")),
        (None, Some(bytes)) => {
            let brand = bytes.get(8..12).filter(|_| bytes.get(4..8) == Some(b"ftyp"));
            IMAGES.iter().any(|signature| bytes.starts_with(signature))
                || bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
                || bytes.starts_with(b"BM") && is_container(bytes)
                || brand
                    .is_some_and(|brand| [b"avif", b"avis", b"heic", b"heix", b"mif1"].iter().any(|one| *one == brand))
        }
        (None, None) => false,
    }
}

/// Returns whether a `Content-Type` contains an XML type.
#[must_use]
pub fn is_xml(content_type: &str) -> bool {
    essence(content_type).is_some_and(|essence| essence.to_ascii_lowercase().contains("xml"))
}

/// Returns the `charset` in a `Content-Type`, such as `utf-8` in `text/html; charset="utf-8"`.
#[must_use]
pub fn charset(content_type: &str) -> Option<&str> {
    let mut parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, value) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(value.trim().trim_matches('"')).filter(|value| !value.is_empty())
}

/// Returns the media type without parameters: `text/html` in `text/html; charset=utf-8`.
fn essence(content_type: &str) -> Option<&str> {
    let essence = content_type.split([';', ',']).next().unwrap_or_default().trim();
    let (kind, subtype) = essence.split_once('/')?;
    // `*/*`, `unknown/unknown` and `application/unknown` do not name a type.
    let is_unknown = [kind, subtype].iter().any(|part| *part == "*" || part.eq_ignore_ascii_case("unknown"));
    (!kind.is_empty() && !subtype.is_empty() && !is_unknown).then_some(essence)
}

/// Returns whether the bytes are RIFF (WebP, WAVE, AVI), ISO media (MP4, AVIF, HEIC) or BMP. The first bytes of these
/// formats may be ordinary text, so later bytes are checked too.
fn is_container(bytes: &[u8]) -> bool {
    let is_riff = bytes.starts_with(b"RIFF") && bytes.get(4..8).is_some_and(|size| size.contains(&0));
    let is_bitmap = bytes.starts_with(b"BM") && bytes.get(6..10) == Some(&[0; 4]);
    bytes.get(4..8) == Some(b"ftyp") || is_riff || is_bitmap
}

const HTML: [&str; 5] =
    ["text/html", "application/xhtml+xml", "application/xml", "text/xml", "application/vnd.wap.xhtml+xml"];

const IMAGES: [&[u8]; 7] =
    [b"\x89PNG\r\n\x1A\n", b"GIF87a", b"GIF89a", b"\xFF\xD8\xFF", b"II*\0", b"MM\0*", b"\0\0\x01\0"];

const SIGNATURES: [&[u8]; 17] = [
    b"%PDF-",
    b"%!PS",
    b"\x89PNG\r\n\x1A\n",
    b"GIF87a",
    b"GIF89a",
    b"\xFF\xD8\xFF",
    b"II*\0",
    b"MM\0*",
    b"\0\0\x01\0",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1F\x8B",
    b"BZh",
    b"\xFD7zXZ\0",
    b"7z\xBC\xAF\x27\x1C",
    b"Rar!\x1A\x07",
    b"OggS",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s48_images_are_known_by_their_type_and_without_one_by_their_beginning() {
        assert!(is_image(None, Some("Image/PNG; x=y")) && is_image(Some(b"<p>"), Some("image/jpeg")));
        assert!(
            !is_image(Some(b"GIF89a"), Some("text/html")) && !is_image(Some(b"<p>"), None) && !is_image(None, None)
        );
        let images: [&[u8]; 4] = [b"GIF89a\x01", b"\xFF\xD8\xFF\xE0", b"RIFF\x01\0\0\0WEBP", b"\0\0\0\x1Cftypavif"];
        assert!(images.iter().all(|bytes| is_image(Some(bytes), None) && is_image(Some(bytes), Some("*/*"))));
        assert!(!is_image(Some(b"%PDF-1.7"), None) && !is_image(Some(b"\0\0\0\x1Cftypisom"), None));
    }

    #[test]
    fn s24_the_type_decides_and_without_one_the_beginning() {
        assert!(is_html(b"", Some("text/html; charset=utf-8")));
        assert!(is_html(b"%PDF-1.7", Some("Text/HTML")));
        assert!(is_html(b"", Some("application/xhtml+xml")));
        assert!(!is_html(b"<html>", Some("text/plain")));
        assert!(!is_html(b"<html>", Some("application/pdf")));
        assert!(is_html(b"<html>", None));
        assert!(is_html(b"<html>", Some("html")));
        assert!(is_html(b"", None));
        assert!(is_html(b"hello", None));
        for not in [&b"%PDF-1.7"[..], b"\x89PNG\r\n\x1A\n", b"\x1F\x8B\x08", b"PK\x03\x04", b"\xEF\xBB\xBF {\"a\":1}"] {
            assert!(!is_html(not, None), "{not:?}");
        }
        assert!(!is_html(b"\n[1]", None));
    }

    #[test]
    fn the_charset_of_a_content_type() {
        assert_eq!(charset("text/html; charset=utf-8"), Some("utf-8"));
        assert_eq!(charset("text/html;Charset = \"Shift_JIS\" ; x=y"), Some("Shift_JIS"));
        assert_eq!(charset("text/html"), None);
        assert_eq!(charset("text/html; charset="), None);
    }
}
