//! Classifies bytes, sixteen at a time.
//!
//! Parsing spends its time on two questions: where does this line end, and does this value contain bytes that need
//! special treatment? This file answers both for a vector of bytes at once, in safe code. The `wide` crate supplies the
//! machine instructions and a portable fallback. Nothing here depends on the fields of robots.txt.

use wide::u8x16;

/// Sixteen bytes of a text that are classified together.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(u8x16);

/// The number of bytes in [`Lanes`].
pub(crate) const WIDTH: usize = 16;

impl Lanes {
    /// Loads sixteen bytes of `text` from `at`. Positions after the end of the text are filled with line feeds.
    #[inline(always)]
    pub(crate) fn load(text: &[u8], at: usize) -> Self {
        match text.get(at..).and_then(<[u8]>::first_chunk::<WIDTH>) {
            Some(bytes) => Self(u8x16::new(*bytes)),
            None => Self(u8x16::new(tail(text, at).to_le_bytes())),
        }
    }

    /// Returns a mask in which bit `i` is set if byte `i` ends the content of a line: CR, LF or `#`.
    #[inline(always)]
    pub(crate) fn content_ends(self) -> u32 {
        let ends = self.is(b'\n') | self.is(b'\r') | self.is(b'#');
        ends.to_bitmask()
    }

    /// Returns a mask in which bit `i` is set if byte `i` is a colon.
    #[inline(always)]
    pub(crate) fn colons(self) -> u32 {
        self.is(b':').to_bitmask()
    }

    /// Returns a mask in which bit `i` is set if byte `i` is a `*`.
    #[inline(always)]
    pub(crate) fn stars(self) -> u32 {
        self.is(b'*').to_bitmask()
    }

    /// Returns a mask in which bit `i` is set if byte `i` is in `[A-Za-z0-9_.-]`.
    #[inline(always)]
    pub(crate) fn name_characters(self) -> u32 {
        let within = |bytes: u8x16, low: u8, high: u8| {
            bytes.max(u8x16::splat(low)).simd_eq(bytes) & bytes.min(u8x16::splat(high)).simd_eq(bytes)
        };
        let letters = within(self.0 | u8x16::splat(0x20), b'a', b'z');
        let found = letters | within(self.0, b'0', b'9') | within(self.0, b'-', b'.') | self.is(b'_');
        found.to_bitmask()
    }

    /// Returns a mask in which bit `i` is set if byte `i` ends a URL's authority: `/`, `?` or `#` (RFC 3986 3.2).
    #[inline(always)]
    pub(crate) fn authority_ends(self) -> u32 {
        (self.is(b'/') | self.is(b'?') | self.is(b'#')).to_bitmask()
    }

    /// Returns a mask in which bit `i` is set if byte `i` may need special treatment in a path or a pattern. Such bytes
    /// are the wildcards `*` and `$`, `%`, blanks, controls, and every octet that is neither reserved nor unreserved in
    /// RFC 3986. Three octets that need no special treatment (`!`, `~`, `#`) are included too, because this makes the
    /// check faster.
    #[inline(always)]
    pub(crate) fn specials(self) -> u32 {
        self.special_lanes().to_bitmask()
    }

    /// Returns whether `text`, or any complete sixteen-byte chunk in `rest`, contains a special byte.
    #[inline(always)]
    pub(crate) fn any_special(text: &[u8; WIDTH], rest: &[u8]) -> bool {
        let mut found = Self(u8x16::new(*text)).special_lanes();
        for chunk in rest.as_chunks::<WIDTH>().0 {
            found |= Self(u8x16::new(*chunk)).special_lanes();
        }
        found.to_bitmask() != 0
    }

    #[inline(always)]
    fn special_lanes(self) -> u8x16 {
        // `low` contains every byte up to `%`, and `high` every byte from `{`. `angles` contains the bytes whose low
        // five bits are 111x0 (the mask 0x1D ignores the second lowest bit): `<`, `>`, `\`, `^`, and bytes that are in
        // `low` or `high`.
        let low = self.0.min(u8x16::splat(b'%')).simd_eq(self.0);
        let high = self.0.max(u8x16::splat(0x7B)).simd_eq(self.0);
        let angles = (self.0 & u8x16::splat(0x1D)).simd_eq(u8x16::splat(0x1C));
        low | high | angles | self.is(b'*') | self.is(b'`')
    }

    /// Returns a mask in which bit `i` is set if byte `i` is `%`, or is neither reserved nor unreserved in RFC 3986.
    #[inline(always)]
    pub(crate) fn strangers(self) -> u32 {
        let low = self.0.min(u8x16::splat(0x20)).simd_eq(self.0);
        let high = self.0.max(u8x16::splat(0x7B)).simd_eq(self.0);
        // `angles` contains the bytes whose low five bits are 111x0 (the mask 0x1D ignores the second lowest bit): `<`,
        // `>`, `\`, `^`, and bytes that are in `low` or `high`. `~` is in `high` but is unreserved, so it is removed
        // below.
        let angles = (self.0 & u8x16::splat(0x1D)).simd_eq(u8x16::splat(0x1C));
        let found = low | high | angles | self.is(b'"') | self.is(b'%') | self.is(b'`');
        found.to_bitmask() & !self.is(b'~').to_bitmask()
    }

    #[inline(always)]
    fn is(self, byte: u8) -> u8x16 {
        self.0.simd_eq(u8x16::splat(byte))
    }
}

/// Returns the text from `at`, padded with line feeds. The result is a number so that it stays in registers.
#[cold]
#[inline(never)]
fn tail(text: &[u8], at: usize) -> u128 {
    let mut bytes = [b'\n'; WIDTH];
    for (to, from) in bytes.iter_mut().zip(text.get(at..).unwrap_or_default()) {
        *to = *from;
    }
    u128::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_falls_into_its_classes() {
        for byte in 0..=255u8 {
            let mut text = [b'a'; WIDTH];
            text[3] = byte;
            let lanes = Lanes::load(&text, 0);
            let end = matches!(byte, b'\n' | b'\r' | b'#');
            assert_eq!(lanes.content_ends(), u32::from(end) << 3, "end {byte:#x}");
            assert_eq!(lanes.colons(), u32::from(byte == b':') << 3, "colon {byte:#x}");
            let in_name = byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
            assert_eq!(lanes.name_characters() >> 3 & 1 == 1, in_name, "name {byte:#x}");
            let harmless = byte.is_ascii_alphanumeric() || b"-._/?:@[]!&'()+,;=".contains(&byte);
            let is_stranger = !(harmless || b"*$~#".contains(&byte));
            assert_eq!(lanes.strangers(), u32::from(is_stranger) << 3, "stranger {byte:#x}");
            let lenient = matches!(byte, b'~' | b'#' | b'!');
            if !lenient {
                assert_eq!(lanes.specials(), u32::from(!harmless) << 3, "special {byte:#x}");
            }
        }
    }

    #[test]
    fn line_feeds_follow_the_end() {
        assert_eq!(Lanes::load(b"ab", 0).content_ends(), 0xFFFC);
        assert_eq!(Lanes::load(b"ab", 9).content_ends(), 0xFFFF);
    }
}
