//! How much of a document is read (S-22). What lies beyond is unread, and every decision says so.

/// The most of each kind of document that is read. Raised only by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of robots.txt; at most [`Limits::MAX_DOCUMENT`].
    pub robots_txt: usize,
    /// Bytes of a page; at most [`Limits::MAX_PAGE`]. A tag at the cut is dropped whole. Only the head is read,
    /// unless more is asked for.
    pub page: usize,
    /// META tags of a page.
    pub metas: usize,
    /// Bytes of the combined value of `Robots-Tag`, and of each line of `X-Robots-Tag`; at least
    /// [`Limits::MIN_ROBOTS_TAG`], at most [`Limits::MAX_DOCUMENT`].
    pub robots_tag: usize,
}

impl Limits {
    /// No document is read past this, whatever the caller asks: three times as much is still counted in
    /// 24 bits, and that is what a line of octets that all need escaping comes to.
    pub const MAX_DOCUMENT: usize = 5_000_000;

    /// No page is read past this: places in it are counted in 32 bits, and turned into UTF-8 it may be three times as
    /// long.
    pub const MAX_PAGE: usize = 1 << 30;
    /// That much of `Robots-Tag` is read, whatever the caller asks (Robots-Tag draft, 3.1.1).
    pub const MIN_ROBOTS_TAG: usize = 8_192;

    /// How much of `Robots-Tag` is read.
    pub(crate) fn of_robots_tag(&self) -> usize {
        self.robots_tag.clamp(Self::MIN_ROBOTS_TAG, Self::MAX_DOCUMENT)
    }

    /// Where reading of `text` stops: its end, or the start of the line that crosses the limit.
    pub(crate) fn cut(&self, text: &[u8]) -> usize {
        let limit = self.robots_txt.min(Self::MAX_DOCUMENT);
        match text.get(..limit) {
            // A line whose content ends right at the limit is whole.
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

/// What a look at one statement counts where work is bounded, in octets compared (S-22).
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
