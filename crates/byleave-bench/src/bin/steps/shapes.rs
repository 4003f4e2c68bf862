//! The shapes made to hurt: each a way to make an input of a size, and what bounds it where it is not linear.

mod acap;
mod headers;
mod pages;
mod preferences;
mod robots_txt;

use crate::operations::Input;

/// A way to make an input of any size.
pub struct Shape {
    pub name: String,
    /// The smallest of the three sizes it is made in; the others are twice and four times that.
    pub size: usize,
    pub make: Box<dyn Fn(usize) -> Input>,
    /// The operations that are not linear, by what their names begin with, and what bounds them instead.
    pub bounds: &'static [(&'static str, Bound)],
}

/// What bounds an operation that is not linear.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// How much more it may take where the input doubles.
    pub growth: f64,
    /// How many steps it may take at the largest of the three sizes.
    pub most: u64,
    /// What bounds it in the end.
    pub because: &'static str,
}

impl Bound {
    /// A decision is made for each element on which something is said, and each is linear.
    const A_DECISION_FOR_EACH_ELEMENT: Self =
        Self { growth: 4.2, most: u64::MAX, because: "S-22: 20,000 elements, and a limit of work" };

    /// Patterns are compared pair by pair, as long as that is no more octets than the limit: at most twice, to find
    /// whether a permission wins and which prohibitions do, in five steps an octet.
    const COMPARED_IN_PAIRS: Self =
        Self { growth: f64::INFINITY, most: 12 * COMPARED, because: "S-34: 4,194,304 octets" };

    /// An explanation was found to take as much as three such decisions.
    const EXPLAINED_IN_PAIRS: Self =
        Self { growth: f64::INFINITY, most: 36 * COMPARED, because: "S-34: 4,194,304 octets" };
}

/// How many octets of patterns are compared (S-34).
const COMPARED: u64 = 4_194_304;

impl Shape {
    fn new(name: impl Into<String>, size: usize, make: impl Fn(usize) -> Input + 'static) -> Self {
        Self { name: name.into(), size, make: Box::new(make), bounds: &[] }
    }

    fn bounded(self, bounds: &'static [(&'static str, Bound)]) -> Self {
        Self { bounds, ..self }
    }

    /// What bounds an operation; nothing where it is to be linear.
    pub fn bound(&self, operation: &str) -> Option<Bound> {
        self.bounds.iter().find(|(named, _)| operation.starts_with(named)).map(|(_, bound)| *bound)
    }
}

/// Every shape.
pub fn all() -> Vec<Shape> {
    let shapes = [robots_txt::shapes(), acap::shapes(), pages::shapes(), headers::shapes(), preferences::shapes()];
    shapes.into_iter().flatten().collect()
}

/// A shape on which what is done is quadratic, to show that it is found.
pub fn fault() -> Shape {
    Shape::new("a fault", 200, |size| Input::Fault((0..size).map(|n| format!("{n}\n")).collect()))
}

/// A start, and lines up to this many bytes.
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
