//! Adversarial shapes. A shape generates inputs of a given size, and lists bounds for operations that are not linear.

mod acap;
mod headers;
mod pages;
mod preferences;
mod robots_txt;

use crate::operations::Input;

/// A generator for inputs of any size.
pub struct Shape {
    pub name: String,
    /// The smallest of the three sizes. The others are twice and four times as large.
    pub size: usize,
    pub make: Box<dyn Fn(usize) -> Input>,
    /// The bounds of operations that are not linear. Each bound has the beginning of the names of its operations.
    pub bounds: &'static [(&'static str, Bound)],
}

/// The bound for an operation that is not linear.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The largest growth when the input doubles.
    pub growth: f64,
    /// The maximum number of steps at the largest of the three sizes.
    pub most: u64,
    /// The reason for the bound.
    pub because: &'static str,
}

impl Bound {
    /// The operation makes one decision for each element with a statement, and each decision is linear.
    const A_DECISION_FOR_EACH_ELEMENT: Self =
        Self { growth: 4.2, most: u64::MAX, because: "S-22: 20,000 elements, and a work limit" };

    /// Patterns are compared in pairs, up to a limit of octets. This happens at most twice: to find out whether a
    /// permission wins, and which prohibitions win. Each octet takes five steps.
    const COMPARED_IN_PAIRS: Self =
        Self { growth: f64::INFINITY, most: 12 * COMPARED, because: "S-34: 4,194,304 octets" };

    /// According to measurements, an explanation costs as much as three decisions that compare patterns in pairs.
    const EXPLAINED_IN_PAIRS: Self =
        Self { growth: f64::INFINITY, most: 36 * COMPARED, because: "S-34: 4,194,304 octets" };
}

/// The maximum number of compared pattern octets (S-34).
const COMPARED: u64 = 4_194_304;

impl Shape {
    fn new(name: impl Into<String>, size: usize, make: impl Fn(usize) -> Input + 'static) -> Self {
        Self { name: name.into(), size, make: Box::new(make), bounds: &[] }
    }

    fn bounded(self, bounds: &'static [(&'static str, Bound)]) -> Self {
        Self { bounds, ..self }
    }

    /// Returns the bound for an operation, or `None` if it must be linear.
    pub fn bound(&self, operation: &str) -> Option<Bound> {
        self.bounds.iter().find(|(named, _)| operation.starts_with(named)).map(|(_, bound)| *bound)
    }
}

/// Returns all shapes.
pub fn all() -> Vec<Shape> {
    let shapes = [robots_txt::shapes(), acap::shapes(), pages::shapes(), headers::shapes(), preferences::shapes()];
    shapes.into_iter().flatten().collect()
}

/// Returns a shape with quadratic work, to show that such work is detected.
pub fn fault() -> Shape {
    Shape::new("a fault", 200, |size| Input::Fault((0..size).map(|n| format!("{n}\n")).collect()))
}

/// Returns `start`, followed by lines, until the text has this number of bytes.
fn filled(start: impl Into<String>, bytes: usize, mut line: impl FnMut(usize) -> String) -> String {
    let mut text = start.into();
    for n in 0.. {
        let line = line(n);
        if text.len() + line.len() > bytes {
            break;
        }
        text.push_str(&line);
    }
    text
}
