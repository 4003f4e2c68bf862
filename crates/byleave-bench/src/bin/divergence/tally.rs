//! Asks two engines all questions, and counts the differences by class.

use crate::classes::Comparison;
use crate::engines::{Engine, Verdict};
use crate::question::{Manner, Question};
use crate::urls;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The counts for one comparison.
#[derive(Default)]
pub struct Tally {
    pub asked: usize,
    pub differing: usize,
    /// One row per class.
    pub rows: Vec<Row>,
    /// The unexplained differences, in file order.
    pub left_over: Vec<LeftOver>,
    /// For a run with a fault: how many verdicts the fault changed, how many of these are unexplained, and how many a
    /// class explains.
    pub spoilt: usize,
    pub noticed: usize,
    pub hidden: usize,
}

/// How often a class explains a difference.
#[derive(Clone, Default)]
pub struct Row {
    /// Differences that the class alone explains.
    pub alone: usize,
    /// Differences that the class explains only together with other classes.
    pub together: usize,
    /// The number of files with differences of this class.
    pub files: usize,
}

/// A difference that no class explains.
pub struct LeftOver {
    /// The number of the file, from 1.
    pub file: usize,
    pub question: Question,
    pub ours: Verdict,
    pub theirs: Verdict,
}

impl Tally {
    /// Asks `ours` and the peer about every file.
    pub fn of(comparison: &Comparison, ours: Engine, files: &[(String, Vec<u8>)]) -> Self {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut tally = Self { rows: vec![Row::default(); comparison.classes.len()], ..Self::default() };
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((_, robots_txt)) = files.get(number) else { return tally };
                tally.ask(comparison, ours, number + 1, robots_txt);
                show_progress(comparison, number + 1, files.len());
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut whole = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let first = work();
            others.into_iter().fold(first, |whole, other| match other.join() {
                Ok(part) => whole.with(part),
                Err(panic) => std::panic::resume_unwind(panic),
            })
        });
        // Each thread handles its files in order, and the sort is stable, so the questions about a file stay in order.
        whole.left_over.sort_by_key(|left| left.file);
        whole
    }

    fn ask(&mut self, comparison: &Comparison, ours: Engine, file: usize, robots_txt: &[u8]) {
        // The crate `robotstxt` accepts only text. If a file is not UTF-8, both engines get the same lossy text.
        let as_text = String::from_utf8_lossy(robots_txt);
        let robots_txt = if comparison.peer == Engine::Robotstxt { as_text.as_bytes() } else { robots_txt };
        let mut is_in_file = vec![false; self.rows.len()];
        for (crawler, paths) in urls::of(robots_txt, file as u64) {
            let we = ours.read(robots_txt, &crawler);
            let they = comparison.peer.read(robots_txt, &crawler);
            let honest = Engine::Byleave(comparison.reading).read(robots_txt, &crawler);
            for path in paths {
                let (our, their) = (we(&path, Manner::Usual), they(&path, Manner::Usual));
                let is_spoilt = honest(&path, Manner::Usual) != our;
                self.asked += 1;
                self.spoilt += usize::from(is_spoilt);
                if our == their {
                    continue;
                }
                self.differing += 1;
                let (robots_txt, crawler) = (robots_txt.to_vec(), crawler.clone());
                let question = Question { robots_txt, crawler, path, manner: Manner::Usual };
                let classes = comparison.explain(ours, &question, our);
                self.noticed += usize::from(is_spoilt && classes.is_none());
                self.hidden += usize::from(is_spoilt && classes.is_some());
                for class in classes.iter().flatten() {
                    is_in_file[*class] = true;
                }
                match classes.as_deref() {
                    Some([class]) => self.rows[*class].alone += 1,
                    Some(classes) => classes.iter().for_each(|class| self.rows[*class].together += 1),
                    None => self.left_over.push(LeftOver { file, question, ours: our, theirs: their }),
                }
            }
        }
        for (row, is_in_file) in self.rows.iter_mut().zip(is_in_file) {
            row.files += usize::from(is_in_file);
        }
    }

    fn with(mut self, other: Self) -> Self {
        self.asked += other.asked;
        self.differing += other.differing;
        self.spoilt += other.spoilt;
        self.noticed += other.noticed;
        self.hidden += other.hidden;
        for (row, other) in self.rows.iter_mut().zip(other.rows) {
            row.alone += other.alone;
            row.together += other.together;
            row.files += other.files;
        }
        self.left_over.extend(other.left_over);
        self
    }
}

fn show_progress(comparison: &Comparison, number: usize, count: usize) {
    if (number.is_multiple_of(100) || number == count) && std::io::stderr().is_terminal() {
        let end = if number == count { "\n" } else { "" };
        eprint!("\r{} and {}: {number} of {count} files{end}", comparison.reading, comparison.peer.name());
    }
}
