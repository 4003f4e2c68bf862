//! Numbered notes that explain the answers in a matrix. Each note is written once, and cells refer to it by number.

use super::MatrixView;
use crate::output::{escaped, shortened};
use byleave::analysis::{ROBOTS_TXT, RobotsTxt};
use byleave::model::{AnyGroup, BoundBy as Binding};
use byleave::{Crawler, Site};
use byleave_review::matrix::{Cell, CellStatement, WhyAsked};
use std::collections::HashMap;

/// Notes, numbered from 1 in the order in which cells first refer to them.
#[derive(Default)]
pub struct Notes {
    lines: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Notes {
    /// Returns the number of the note that explains a cell.
    pub fn number(&mut self, cell: &Cell, line: impl Fn(&Cell) -> String) -> usize {
        let line = line(cell);
        if let Some(number) = self.numbers.get(&line) {
            return *number;
        }
        self.lines.push(line.clone());
        self.numbers.insert(line, self.lines.len());
        self.lines.len()
    }

    /// Returns the notes and their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.lines.iter().map(String::as_str))
    }
}

/// Returns the note that explains a cell: the conditions, the reason and the rule, escaped for a terminal.
pub fn line_of(cell: &Cell) -> String {
    let line = format!("{}{}{}", change_of(cell), conditions_of(cell), because_of(cell));
    format!("{line}{} ({})", more_of(cell), cell.rule)
}

/// Returns the conditions in a cell, or an empty string if there are none.
pub fn conditions_of(cell: &Cell) -> String {
    if cell.conditions.is_empty() {
        return String::new();
    }
    let few: Vec<_> = cell.conditions.iter().take(FEW).map(|condition| shown(condition, LONG)).collect();
    let more = cell.conditions.len().saturating_sub(FEW);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("on condition {}{rest}: ", few.join(" and "))
}

/// Returns the reason for an answer, escaped and shortened.
pub fn because_of(cell: &Cell) -> String {
    shown(&cell.because, LONG)
}

/// Returns the outcome and the effective outcome if they differ; otherwise an empty string.
pub fn change_of(cell: &Cell) -> String {
    let (outcome, effective) = (cell.outcome.name(), cell.effective.name());
    if outcome == effective { String::new() } else { format!("{outcome} → {effective}: ") }
}

/// Returns a text that lists the deciding statements after the first one, or an empty string if there are none.
pub fn more_of(cell: &Cell) -> String {
    let place = |ground: &CellStatement| match ground.document.as_str() {
        ROBOTS_TXT => format!("line {}", ground.line),
        document => format!("{} line {}", shown(document, SHORT), ground.line),
    };
    let others: Vec<String> = cell.statements.iter().skip(1).map(place).collect();
    match (others.len(), cell.more_statements) {
        (0, _) => String::new(),
        (_, 0) => format!("; see also {}", others.join(", ")),
        (_, more) => format!("; see also {} and {more} more", others.join(", ")),
    }
}

/// Returns lines about the crawlers: why they are in the matrix, and which groups bind them.
pub fn about_crawlers(shown: &MatrixView<'_>) -> Vec<String> {
    let count = |why: WhyAsked| shown.asked.crawlers.iter().filter(|who| who.why == why).count();
    let mut parts = Vec::new();
    for (why, what) in
        [(WhyAsked::Named, "named by the site"), (WhyAsked::Prominent, "well known"), (WhyAsked::Given, "asked for")]
    {
        if count(why) > 0 {
            parts.push(format!("{} {what}", count(why)));
        }
    }
    if count(WhyAsked::AnyOther) > 0 {
        parts.push("any other".to_owned());
    }
    let mut lines = vec![format!("crawlers: {}", parts.join(", "))];
    let left_out = shown.asked.left_out;
    if left_out > 0 {
        lines.push(format!("not shown: {left_out} more named by the site; show one with `--crawler NAME`"));
    }
    for crawler in shown.asked.crawlers.iter().map(|who| &who.crawler) {
        lines.extend(special_binding(shown.site, crawler));
    }
    lines
}

/// Returns a line if a crawler falls back to another crawler's group on this site, or if groups for `*` do not bind it.
fn special_binding(site: &Site<'_>, crawler: &Crawler) -> Option<String> {
    let RobotsTxt::Read(policy) = site.robots_txt() else { return None };
    let name = shown(crawler.name(), MAX_NAME);
    match policy.bind(crawler).bound_by() {
        Binding::Fallback(number) => {
            let other = crawler.fallbacks().get(number)?.as_str();
            Some(format!("no group names {name}, so it falls back to the group for {other}"))
        }
        Binding::NoGroup if crawler.any_group() == AnyGroup::DoesNotApply => {
            Some(format!("no group names {name}, and groups for any crawler (`*`) do not bind it"))
        }
        _ => None,
    }
}

/// Returns the text escaped and shortened to `most` characters.
pub fn shown(text: &str, most: usize) -> String {
    shortened(&escaped(text), most).into_owned()
}

const FEW: usize = 4;
const LONG: usize = 300;
const SHORT: usize = 40;
/// At most this many characters of a name are shown.
pub const MAX_NAME: usize = 60;
