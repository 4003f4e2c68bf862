//! How much of a document is read (S-22). The rest is ignored, and every decision reports whether input was cut off.

/// The limits on how much of each kind of document is read.
///
/// ```
/// use byleave::{Headers, Limits};
/// let mut limits = Limits::default();
/// limits.robots_tag = 16_384;
/// let headers = Headers::new().with("Robots-Tag", "*;noindex");
/// assert!(headers.diagnose("headers", &limits).is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of bytes of robots.txt, at most [`Limits::MAX_DOCUMENT`].
    pub robots_txt: usize,
    /// The maximum number of bytes of a page, at most [`Limits::MAX_PAGE`]. A tag that crosses the limit is dropped as
    /// a whole. Only the head is read, unless the caller asks for more.
    pub page: usize,
    /// The maximum number of META tags in a page.
    pub metas: usize,
    /// The maximum number of bytes in the combined value of `Robots-Tag`, and in each `X-Robots-Tag` line. At least
    /// [`Limits::MIN_ROBOTS_TAG`], at most [`Limits::MAX_DOCUMENT`].
    pub robots_tag: usize,
}

impl Limits {
    /// The highest possible limit for any document except a page. Escaping may triple the length of a line, and the
    /// escaped length must fit into 24 bits.
    pub const MAX_DOCUMENT: usize = 5_000_000;

    /// The highest possible limit for a page. Offsets have 32 bits, and a page may become three times as long when it
    /// is converted to UTF-8.
    pub const MAX_PAGE: usize = 1 << 30;
    /// The number of bytes of `Robots-Tag` that are always read (Robots-Tag draft, 3.1.1).
    pub const MIN_ROBOTS_TAG: usize = 8_192;

    /// Returns how many bytes of `Robots-Tag` are read.
    pub(crate) fn of_robots_tag(&self) -> usize {
        self.robots_tag.clamp(Self::MIN_ROBOTS_TAG, Self::MAX_DOCUMENT)
    }

    /// Returns where reading `text` stops: at its end, or at the start of the line that crosses the limit.
    pub(crate) fn cut(&self, text: &[u8]) -> usize {
        let limit = self.robots_txt.min(Self::MAX_DOCUMENT);
        match text.get(..limit) {
            // A line whose content ends exactly at the limit is complete.
            Some(_) if matches!(text.get(limit), Some(b'\n' | b'\r')) => limit,
            Some(read) if text.len() > limit => memchr::memrchr2(b'\n', b'\r', read).map_or(0, |end| end + 1),
            _ => text.len(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { robots_txt: 512_000, page: 16 << 20, metas: 10_000, robots_tag: Self::MIN_ROBOTS_TAG }
    }
}

/// The cost of examining one statement, in compared octets. The limits on work are counted in compared octets (S-22).
pub(crate) const STATEMENT_COST: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s22_the_line_at_the_cut_is_dropped_whole() {
        let cut = |limit, text: &str| Limits { robots_txt: limit, ..Limits::default() }.cut(text.as_bytes());
        assert_eq!(cut(4, "ab\ncd"), 3);
        assert_eq!(cut(3, "ab\ncd"), 3);
        assert_eq!(cut(2, "ab\ncd"), 2);
        assert_eq!(cut(4, "ab\ncd\r\ne"), 3);
        assert_eq!(cut(5, "ab\ncd\r\ne"), 5);
        assert_eq!(cut(5, "ab\ncd"), 5);
        assert_eq!(cut(2, "abcd"), 0);
        assert_eq!(cut(3, "ab\r\ncd"), 3);
        assert_eq!(cut(4, "ab\r\ncd"), 4);
    }
}
