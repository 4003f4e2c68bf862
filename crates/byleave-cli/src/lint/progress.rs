//! A progress bar on standard error, for long runs on a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A bar that is redrawn at intervals, and cleared before other output.
pub struct Progress {
    total: usize,
    done: usize,
    /// Whether the bar may be drawn at all.
    is_wanted: bool,
    is_drawn: bool,
    next: Instant,
}

impl Progress {
    /// Creates a bar for this number of steps.
    pub fn of(total: usize) -> Self {
        let is_wanted = total >= MIN_STEPS && io::stderr().is_terminal();
        Self { total, done: 0, is_wanted, is_drawn: false, next: Instant::now() + WAIT }
    }

    /// Counts one step, and redraws the bar if the redraw interval has passed.
    pub fn step(&mut self) {
        self.done += 1;
        let now = Instant::now();
        if self.is_wanted && now >= self.next {
            self.next = now + PAUSE;
            self.is_drawn = true;
            self.draw();
        }
    }

    /// Clears the bar. Returns whether it may be drawn again. If so, the caller must flush other output first.
    pub fn clear(&mut self) -> bool {
        if std::mem::take(&mut self.is_drawn) {
            // A bar that cannot be cleared does no harm.
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
        self.is_wanted
    }

    fn draw(&self) {
        let bar = bar(self.done, self.total);
        let _ = write!(io::stderr(), "\r\x1b[K{bar} {} of {}", self.done, self.total);
        let _ = io::stderr().flush();
    }
}

fn bar(done: usize, total: usize) -> String {
    let filled = (done * WIDTH).checked_div(total).unwrap_or(WIDTH).min(WIDTH);
    format!("[{}{}]", "=".repeat(filled), " ".repeat(WIDTH - filled))
}

/// Runs with fewer steps have no bar.
const MIN_STEPS: usize = 100;
const WIDTH: usize = 30;
const WAIT: Duration = Duration::from_millis(400);
const PAUSE: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_from_left_to_right() {
        assert_eq!(bar(0, 3), format!("[{}]", " ".repeat(30)));
        assert_eq!(bar(1, 3), format!("[{}{}]", "=".repeat(10), " ".repeat(20)));
        assert_eq!(bar(3, 3), format!("[{}]", "=".repeat(30)));
        assert_eq!(bar(0, 0), format!("[{}]", "=".repeat(30)));
    }
}
