//! What reaches the reader: formats, colour, escapes, and a writer that takes a closed pipe calmly.
//!
//! Colour repeats what the words say and never says more. Whatever comes from a file or a URL passes
//! [`escaped`] on its way to a terminal.

use byleave::Outcome;
use clap::ValueEnum;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For eyes
    Text,
    /// One tab-separated line per answer, for ears and `grep`
    Plain,
    /// JSON Lines, one object per answer, for programs
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Buffered standard output. A reader that stops listening is no failure: the rest goes nowhere.
pub struct Output<'o> {
    writer: io::BufWriter<Box<dyn Write + 'o>>,
    is_coloured: bool,
}

impl<'o> Output<'o> {
    /// Standard output, in colour as asked.
    pub fn stdout(when: ColorWhen) -> Self {
        let is_coloured = match when {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => io::stdout().is_terminal() && is_colour_welcome(),
        };
        Self::to(Box::new(io::stdout().lock()), is_coloured)
    }

    /// Standard error, in the same colour.
    pub fn stderr_beside(other: &Output<'_>) -> Self {
        Self::to(Box::new(io::stderr().lock()), other.is_coloured && io::stderr().is_terminal())
    }

    /// To any writer.
    pub fn to(writer: Box<dyn Write + 'o>, is_coloured: bool) -> Self {
        let listener = Listener { writer, is_gone: false };
        Self { writer: io::BufWriter::with_capacity(1 << 16, Box::new(listener)), is_coloured }
    }

    /// The text in a colour, or as it is.
    pub fn paint<'t>(&self, colour: Colour, text: &'t str) -> Cow<'t, str> {
        if self.is_coloured { Cow::Owned(format!("\x1b[{}m{text}\x1b[0m", colour.code())) } else { Cow::Borrowed(text) }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Takes what is written; once nobody reads, takes it and drops it.
struct Listener<'o> {
    writer: Box<dyn Write + 'o>,
    is_gone: bool,
}

impl Listener<'_> {
    fn heard<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_gone = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl Write for Listener<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_gone {
            return Ok(bytes.len());
        }
        let result = self.writer.write(bytes);
        self.heard(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.writer.flush();
        self.heard(result, ())
    }
}

/// A colour by its use.
#[derive(Clone, Copy, Debug)]
pub enum Colour {
    /// The word for an outcome, and what decided it.
    Of(Outcome),
    /// Numbers and bars beside a snippet.
    Margin,
    /// A statement that lost.
    Lost,
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// A heading.
    Heading,
}

impl Colour {
    fn code(self) -> &'static str {
        match self {
            Self::Of(Outcome::Permitted) => "1;32",
            Self::Of(Outcome::Conditional) | Self::Warning => "1;33",
            Self::Of(Outcome::Prohibited) | Self::Error => "1;31",
            Self::Of(Outcome::Unstated) => "1;36",
            Self::Margin => "1;34",
            Self::Lost => "36",
            Self::Heading => "1",
        }
    }
}

/// Exit codes: what came of it, by the gravest answer.
pub mod exit {
    use byleave::Outcome;

    /// Permitted or unstated, or nothing to complain of.
    pub const FINE: u8 = 0;
    /// Prohibited, or a case failed.
    pub const PROHIBITED: u8 = 1;
    /// Could not answer.
    pub const NO_ANSWER: u8 = 2;
    /// Permitted on conditions.
    pub const CONDITIONAL: u8 = 3;

    /// The code of the gravest of these outcomes.
    pub fn of(outcomes: impl Iterator<Item = Outcome>) -> u8 {
        let code = |outcome| match outcome {
            Outcome::Permitted | Outcome::Unstated => FINE,
            Outcome::Conditional => CONDITIONAL,
            Outcome::Prohibited => PROHIBITED,
        };
        let gravity = |code: &u8| [FINE, CONDITIONAL, PROHIBITED].iter().position(|known| known == code);
        outcomes.map(code).max_by_key(gravity).unwrap_or(FINE)
    }
}

/// The text with everything a terminal would act on or hide written out.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unshowable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        push_escaped(&mut shown, letter);
    }
    Cow::Owned(shown)
}

/// The same for bytes; those that are no UTF-8 are written `\xNN`.
pub fn escaped_bytes(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        shown.push_str(&escaped(chunk.valid()));
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// At most `most` characters, the rest cut off and marked.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or(text))),
        None => Cow::Borrowed(text),
    }
}

fn push_escaped(shown: &mut String, letter: char) {
    if !is_unshowable(letter) {
        shown.push(letter);
    } else if letter.is_ascii() && !matches!(letter, '\t' | '\n' | '\r') {
        let _ = write!(shown, "\\x{:02x}", u32::from(letter));
    } else {
        shown.extend(letter.escape_default());
    }
}

/// Control characters, and those that turn text around or take no room.
fn is_unshowable(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// How many columns a line has: as COLUMNS says, as the terminal has, or a common number of them.
pub fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    let of_terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(of_terminal).unwrap_or(120)
}

/// Whether the surroundings ask for plain text: https://no-color.org, and terminals that know no colour.
fn is_colour_welcome() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_acts_on_gets_through() {
        assert_eq!(escaped("/a\x1b[31m\tb\u{9b}c\u{202e}d\0\n"), "/a\\x1b[31m\\tb\\u{9b}c\\u{202e}d\\x00\\n");
        assert_eq!(escaped("/café/日本"), "/café/日本");
        assert_eq!(escaped_bytes(b"/\xff\xc3\xa9"), "/\\xffé");
        assert_eq!(shortened("abcdef", 3), "abc…");
        assert_eq!(shortened("abc", 3), "abc");
    }

    #[test]
    fn the_gravest_answer_gives_the_code() {
        let code = |outcomes: &[Outcome]| exit::of(outcomes.iter().copied());
        assert_eq!(code(&[]), 0);
        assert_eq!(code(&[Outcome::Permitted, Outcome::Unstated]), 0);
        assert_eq!(code(&[Outcome::Conditional, Outcome::Permitted]), 3);
        assert_eq!(code(&[Outcome::Conditional, Outcome::Prohibited, Outcome::Conditional]), 1);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut output = Output::to(Box::new(Closed), false);
        assert!(output.write_all(&[b'x'; 1 << 20]).is_ok() && output.flush().is_ok());
    }
}
