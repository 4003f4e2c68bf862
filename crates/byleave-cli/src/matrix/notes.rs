//! What the answers of a matrix stand on, in a line each and each once, so that cells can refer to it by number.

use super::Shown;
use crate::output::{escaped, shortened};
use byleave::{AnyGroup, BoundBy as Binding, Crawler, Evidence, ROBOTS_TXT, RobotsTxt};
use byleave_review::matrix::{Cell, CellStatement, WhyAsked};
use std::collections::HashMap;

/// Lines, numbered from 1 in the order in which cells first refer to them.
#[derive(Default)]
pub struct Notes {
    lines: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Notes {
    /// The number of what a cell stands on.
    pub fn number(&mut self, cell: &Cell, line: impl Fn(&Cell) -> String) -> usize {
        let line = line(cell);
        if let Some(number) = self.numbers.get(&line) {
            return *number;
        }
        self.lines.push(line.clone());
        self.numbers.insert(line, self.lines.len());
        self.lines.len()
    }

    /// The lines with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.lines.iter().map(String::as_str))
    }
}

/// What a cell stands on: the conditions, the reason and the rule, with nothing in it that a terminal acts on.
pub fn line_of(cell: &Cell) -> String {
    let line = format!("{}{}{}", change_of(cell), conditions_of(cell), because_of(cell));
    format!("{line}{} ({})", more_of(cell), cell.rule)
}

/// The conditions, where there are any.
pub fn conditions_of(cell: &Cell) -> String {
    if cell.conditions.is_empty() {
        return String::new();
    }
    let few: Vec<_> = cell.conditions.iter().take(FEW).map(|condition| shown(condition, LONG)).collect();
    let more = cell.conditions.len().saturating_sub(FEW);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("if it keeps {}{rest}: ", few.join(" and "))
}

/// The reason.
pub fn because_of(cell: &Cell) -> String {
    shown(&cell.because, LONG)
}

/// Where what is expressed comes to something else, both.
pub fn change_of(cell: &Cell) -> String {
    let (outcome, effective) = (cell.outcome.name(), cell.effective.name());
    if outcome == effective { String::new() } else { format!("{outcome} → {effective}: ") }
}

/// What decides beside the first statement, where more do.
pub fn more_of(cell: &Cell) -> String {
    let place = |ground: &CellStatement| match ground.document.as_str() {
        ROBOTS_TXT => format!("line {}", ground.line),
        document => format!("{} line {}", shown(document, SHORT), ground.line),
    };
    let others: Vec<String> = cell.statements.iter().skip(1).map(place).collect();
    match (others.len(), cell.more_statements) {
        (0, _) => String::new(),
        (_, 0) => format!("; beside it {}", others.join(", ")),
        (_, more) => format!("; beside it {} and {more} more", others.join(", ")),
    }
}

/// Who is asked for and why, and what the catalogue knows of how they read groups.
pub fn about_crawlers(shown: &Shown<'_>) -> Vec<String> {
    let count = |why: WhyAsked| shown.asked.crawlers.iter().filter(|who| who.why == why).count();
    let mut parts = Vec::new();
    for (why, what) in
        [(WhyAsked::Named, "that the site names"), (WhyAsked::Prominent, "well known"), (WhyAsked::Given, "asked for")]
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
        lines.push(format!("left out: {left_out} more that the site names; ask for one with `--crawler NAME`"));
    }
    for crawler in shown.asked.crawlers.iter().map(|who| &who.crawler) {
        lines.extend(out_of_the_ordinary(shown.evidence, crawler));
    }
    lines
}

/// How a crawler reads groups, where that is out of the ordinary and bears on what it finds here.
fn out_of_the_ordinary(evidence: &Evidence<'_>, crawler: &Crawler) -> Option<String> {
    let RobotsTxt::Read(policy) = evidence.robots_txt() else { return None };
    let name = shown(crawler.name(), LONGEST_NAME);
    match policy.bind(crawler).bound_by() {
        Binding::Fallback(number) => {
            let other = crawler.fallbacks().get(number)?.as_str();
            Some(format!("no group names {name}, which falls back to that of {other}"))
        }
        Binding::NoGroup if crawler.any_group() == AnyGroup::DoesNotApply => {
            Some(format!("no group names {name}, and those for any crawler (`*`) do not bind it"))
        }
        _ => None,
    }
}

/// A text that may be shown, and not all of a very long one.
pub fn shown(text: &str, most: usize) -> String {
    shortened(&escaped(text), most).into_owned()
}

const FEW: usize = 4;
const LONG: usize = 300;
const SHORT: usize = 40;
/// Of a name as many characters are shown.
pub const LONGEST_NAME: usize = 60;
