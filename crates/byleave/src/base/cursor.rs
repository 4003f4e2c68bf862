//! A cursor over bytes, for handwritten parsers.

/// A text and an offset in it. No method panics at the end of the text.
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t [u8],
    /// The offset of the next byte.
    pub(crate) at: usize,
}

impl<'t> Cursor<'t> {
    /// Returns a cursor at the start of `text`.
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the remaining bytes.
    pub(crate) fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Returns the next byte without moving past it.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Returns the next byte and moves past it.
    pub(crate) fn next_byte(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Moves past the next byte if it equals `byte`. Returns `None` otherwise.
    pub(crate) fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// Returns the bytes before the first one that `belongs` rejects, and moves past them.
    pub(crate) fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'t [u8] {
        let rest = self.rest();
        let length = rest.iter().take_while(|byte| belongs(**byte)).count();
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_stops_at_the_end() {
        let mut cursor = Cursor::new(b"aab");
        assert_eq!((cursor.peek(), cursor.take(b'b')), (Some(b'a'), None));
        assert_eq!((cursor.take_while(|byte| byte == b'a'), cursor.rest()), (&b"aa"[..], &b"b"[..]));
        assert_eq!((cursor.take(b'b'), cursor.is_at_end()), (Some(()), true));
        assert_eq!(
            (cursor.peek(), cursor.next_byte(), cursor.take_while(|_| true), cursor.at),
            (None, None, &b""[..], 3)
        );
    }
}
