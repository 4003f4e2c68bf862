//! The engines to compare. Each engine parses a file for a crawler, and then decides URLs.

use crate::faults::{self, Fault};
use crate::question::{Manner, Question};
use byleave::{Compiler, Crawler, Reading};
use robotstxt::matcher::{RobotsMatchStrategy, RobotsMatcher};

/// An engine's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Permitted,
    Prohibited,
    /// The engine cannot read the file.
    Refused,
}

impl Verdict {
    pub fn of(is_allowed: bool) -> Self {
        if is_allowed { Self::Permitted } else { Self::Prohibited }
    }

    pub fn negated(self) -> Self {
        match self {
            Self::Permitted => Self::Prohibited,
            Self::Prohibited => Self::Permitted,
            Self::Refused => Self::Refused,
        }
    }
}

/// An engine to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Byleave(Reading),
    Faulty(Reading, Fault),
    Robotstxt,
    Robotxt,
    TextingRobots,
}

/// An engine that has parsed a file for a crawler.
pub type Asked<'q> = Box<dyn Fn(&str, Manner) -> Verdict + 'q>;

impl Engine {
    /// Returns the name of the engine.
    pub fn name(self) -> &'static str {
        match self {
            Self::Byleave(Reading::Google) | Self::Faulty(Reading::Google, _) => "google",
            Self::Byleave(_) | Self::Faulty(..) => "rfc9309",
            Self::Robotstxt => "robotstxt 0.3.0",
            Self::Robotxt => "robotxt 0.7.0",
            Self::TextingRobots => "texting_robots 0.2.2",
        }
    }

    /// Returns the answer to one question.
    pub fn answer(self, question: &Question) -> Verdict {
        self.read(&question.robots_txt, &question.crawler)(&question.path, question.manner)
    }

    /// Parses the file for the crawler.
    pub fn read<'q>(self, robots_txt: &'q [u8], crawler: &'q str) -> Asked<'q> {
        match self {
            Self::Byleave(reading) => {
                let policy = Compiler::new(reading).compile(robots_txt);
                let crawler = Crawler::named(crawler);
                Box::new(move |path, _| Verdict::of(policy.bind(&crawler).may_crawl(&url(path))))
            }
            Self::Faulty(reading, fault) => faults::read(reading, fault, robots_txt, crawler),
            Self::Robotstxt => {
                let text = String::from_utf8_lossy(robots_txt);
                Box::new(move |path, manner| {
                    let url = url(path);
                    Verdict::of(match manner {
                        Manner::Usual | Manner::ByPath => {
                            robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(&text, crawler, &url)
                        }
                        Manner::Mended => {
                            RobotsMatcher::<MendedPlaces>::default().one_agent_allowed_by_robots(&text, crawler, &url)
                        }
                    })
                })
            }
            Self::Robotxt => {
                let robots = robotxt::Robots::parse(robots_txt, crawler);
                Box::new(move |path, _| Verdict::of(robots.is_allowed(path)))
            }
            Self::TextingRobots => match texting_robots::Robot::new(crawler, robots_txt) {
                Ok(robot) => Box::new(move |path, manner| {
                    Verdict::of(match manner {
                        Manner::Usual | Manner::Mended => robot.allowed(&url(path)),
                        Manner::ByPath => robot.allowed(path),
                    })
                }),
                Err(_) => Box::new(|_, _| Verdict::Refused),
            },
        }
    }
}

/// The matcher of the crate `robotstxt` with one fix: new match positions replace the earlier positions, as in Google's
/// parser. The crate inserts new positions before the earlier ones, and then uses the earlier ones again.
#[derive(Default)]
struct MendedPlaces;

impl RobotsMatchStrategy for MendedPlaces {
    fn match_allow(&self, path: &str, pattern: &str) -> i32 {
        if Self::matches(path, pattern) { pattern.len() as i32 } else { -1 }
    }

    fn match_disallow(&self, path: &str, pattern: &str) -> i32 {
        self.match_allow(path, pattern)
    }

    fn matches(path: &str, pattern: &str) -> bool {
        let letters: Vec<char> = path.chars().collect();
        let mut places = vec![0];
        for (index, letter) in pattern.chars().enumerate() {
            if letter == '$' && index + 1 == pattern.len() {
                return places.last() == Some(&path.len());
            }
            if letter == '*' {
                places = (places[0]..=path.len()).collect();
            } else {
                places.retain(|place| letters.get(*place) == Some(&letter));
                places.iter_mut().for_each(|place| *place += 1);
                if places.is_empty() {
                    return false;
                }
            }
        }
        true
    }
}

/// Returns the URL for a path.
pub fn url(path: &str) -> String {
    format!("https://site.example{path}")
}

#[cfg(test)]
mod tests {
    use crate::classes::COMPARISONS;

    #[test]
    fn peers_have_the_versions_that_the_page_names() {
        let lock = include_str!("../../../../../Cargo.lock");
        for comparison in &COMPARISONS {
            let (name, version) = comparison.peer.name().split_once(' ').unwrap();
            assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"")), "{name} {version}");
        }
    }
}
