//! Whom the evidence names: crawlers of robots.txt, of headers and of META tags.

use super::{Evidence, RobotsTxt};
use crate::crawler::is_any;
use crate::policy::Policy;
use std::collections::HashSet;

impl Evidence<'_> {
    /// Every crawler that robots.txt, headers or META tags name, as written, each once: those of robots.txt first, in
    /// the order of the file. Names for any crawler are not among them.
    ///
    /// ```
    /// use wayleave::{Evidence, Reading};
    /// let robots_txt = b"User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nUser-agent: gptbot\nAllow: /\n";
    /// let page = b"<!DOCTYPE html><title>t</title><meta name=NewsBot content='ACAP allow-index'>";
    /// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default).with_page(page);
    /// assert_eq!(evidence.crawlers_named(), [&b"GPTBot"[..], b"NewsBot"]);
    /// ```
    ///
    /// Cost: linear in the names.
    #[must_use]
    pub fn crawlers_named(&self) -> Vec<&[u8]> {
        let policy = match self.robots_txt() {
            RobotsTxt::Read(policy) => Some(policy),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        };
        let of_robots_txt = policy.map(Policy::crawlers_named).unwrap_or_default();
        let of_response =
            self.response.carried.iter().flat_map(|carried| carried.names().chain(carried.names_in_acap()));
        let mut known = HashSet::new();
        let names = of_robots_txt.into_iter().chain(of_response);
        names.filter(|name| !is_any(name) && known.insert(name.to_ascii_lowercase())).collect()
    }
}
