//! Output formats, colour, escaping, exit codes, and a writer that accepts a closed pipe.
//!
//! Colour only repeats information that the text contains. All text from files and URLs must pass through [`escaped`]
//! before it reaches a terminal.

use byleave::Outcome;
use clap::ValueEnum;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// The output format of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One tab-separated line per answer, for scripts and screen readers
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

/// Buffered output. If the reader closes the pipe, as `head` does, that is not an error: the rest of the output is
/// dropped.
pub struct Output<'o> {
    writer: io::BufWriter<Box<dyn Write + 'o>>,
    is_coloured: bool,
}

impl<'o> Output<'o> {
    /// Returns standard output, in colour if `when` and the environment allow it.
    pub fn stdout(when: ColorWhen) -> Self {
        let is_coloured = match when {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => io::stdout().is_terminal() && allows_colour(),
        };
        Self::to(Box::new(io::stdout().lock()), is_coloured)
    }

    /// Returns standard error, in colour if the other output is in colour and standard error is a terminal.
    pub fn stderr_beside(other: &Output<'_>) -> Self {
        Self::to(Box::new(io::stderr().lock()), other.is_coloured && io::stderr().is_terminal())
    }

    /// Creates an output that writes to this writer.
    pub fn to(writer: Box<dyn Write + 'o>, is_coloured: bool) -> Self {
        let pipe = PipeWriter { writer, is_closed: false };
        Self { writer: io::BufWriter::with_capacity(1 << 16, Box::new(pipe)), is_coloured }
    }

    /// Returns the text in a colour, or unchanged if colour is off.
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

/// Passes bytes on until the reader closes the pipe, and drops them from then on.
struct PipeWriter<'o> {
    writer: Box<dyn Write + 'o>,
    is_closed: bool,
}

impl PipeWriter<'_> {
    fn ignore_closed_pipe<T>(&mut self, result: io::Result<T>, if_closed: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(if_closed)
            }
            result => result,
        }
    }
}

impl Write for PipeWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let result = self.writer.write(bytes);
        self.ignore_closed_pipe(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.writer.flush();
        self.ignore_closed_pipe(result, ())
    }
}

/// A colour, named by its purpose.
#[derive(Clone, Copy, Debug)]
pub enum Colour {
    /// The name of an outcome, and the statement that decides it.
    Of(Outcome),
    /// Line numbers and bars in the margin of annotated source.
    Margin,
    /// A statement that lost to another one.
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

/// Exit codes. The most severe answer sets the code.
pub mod exit {
    use byleave::Outcome;

    /// Permitted or unstated, or nothing found.
    pub const FINE: u8 = 0;
    /// Prohibited, or something found, or a case failed.
    pub const PROHIBITED: u8 = 1;
    /// Could not answer.
    pub const NO_ANSWER: u8 = 2;
    /// Permitted on conditions.
    pub const CONDITIONAL: u8 = 3;

    /// Returns the exit code for the most severe outcome.
    pub fn of(outcomes: impl Iterator<Item = Outcome>) -> u8 {
        let code = |outcome| match outcome {
            Outcome::Permitted | Outcome::Unstated => FINE,
            Outcome::Conditional => CONDITIONAL,
            Outcome::Prohibited => PROHIBITED,
        };
        let severity = |code: &u8| [FINE, CONDITIONAL, PROHIBITED].iter().position(|known| known == code);
        outcomes.map(code).max_by_key(severity).unwrap_or(FINE)
    }
}

/// Escapes all characters that a terminal would interpret or hide.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(needs_escape) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        push_escaped(&mut shown, letter);
    }
    Cow::Owned(shown)
}

/// Returns the bytes as escaped text. Bytes that are not valid UTF-8 become `\xNN`.
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

/// Returns at most `most` characters of the text, with `…` if more follow.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or(text))),
        None => Cow::Borrowed(text),
    }
}

fn push_escaped(shown: &mut String, letter: char) {
    if !needs_escape(letter) {
        shown.push(letter);
    } else if letter.is_ascii() && !matches!(letter, '\t' | '\n' | '\r') {
        let _ = write!(shown, "\\x{:02x}", u32::from(letter));
    } else {
        shown.extend(letter.escape_default());
    }
}

/// Returns whether a character is a control character, changes the text direction, or is invisible.
fn needs_escape(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns the line width: from the variable COLUMNS, from the terminal, or 120.
pub fn width() -> usize {
    let variable =
        std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    let of_terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    variable.or_else(of_terminal).unwrap_or(120)
}

/// Returns whether the environment allows colour: `NO_COLOR` (https://no-color.org) is not set, and `TERM` is not `dumb`.
fn allows_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_a_terminal_acts_on_are_escaped() {
        assert_eq!(escaped("/a\x1b[31m\tb\u{9b}c\u{202e}d\0\n"), "/a\\x1b[31m\\tb\\u{9b}c\\u{202e}d\\x00\\n");
        assert_eq!(escaped("/café/日本"), "/café/日本");
        assert_eq!(escaped_bytes(b"/\xff\xc3\xa9"), "/\\xffé");
        assert_eq!(shortened("abcdef", 3), "abc…");
        assert_eq!(shortened("abc", 3), "abc");
    }

    #[test]
    fn the_most_severe_answer_sets_the_exit_code() {
        let code = |outcomes: &[Outcome]| exit::of(outcomes.iter().copied());
        assert_eq!(code(&[]), 0);
        assert_eq!(code(&[Outcome::Permitted, Outcome::Unstated]), 0);
        assert_eq!(code(&[Outcome::Conditional, Outcome::Permitted]), 3);
        assert_eq!(code(&[Outcome::Conditional, Outcome::Prohibited, Outcome::Conditional]), 1);
    }

    #[test]
    fn a_closed_pipe_is_not_an_error() {
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
