//! Lists the crawlers and purposes that a site names in robots.txt, the files it refers to, ai.txt, headers and META
//! tags.

use super::{RobotsTxt, Site};
use crate::model::crawler::is_any;
use crate::policy::{Fact, Policy};
use crate::robots_txt::Field;
use std::collections::HashSet;

impl Site<'_> {
    /// Returns every crawler that is named in robots.txt, a file it refers to, ai.txt, headers or META tags, as written
    /// and without duplicates. Names in robots.txt come first, in file order. Names for any crawler, such as `*`, are
    /// left out.
    ///
    /// ```
    /// use byleave::{Reading, Site};
    /// let robots_txt = b"User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nUser-agent: gptbot\nAllow: /\n";
    /// let page = b"<!DOCTYPE html><title>t</title><meta name=NewsBot content='ACAP allow-index'>";
    /// let site = Site::builder(Reading::Default).with_robots_txt(byleave::Obtained::Status(200), robots_txt).with_page(page).build();
    /// assert_eq!(site.crawlers_named(), [&b"GPTBot"[..], b"NewsBot"]);
    /// ```
    ///
    /// Cost: linear in the names.
    #[must_use]
    pub fn crawlers_named(&self) -> Vec<&[u8]> {
        let of_response =
            self.response.documents.iter().flat_map(|parsed| parsed.names().chain(parsed.names_in_acap()));
        each_once(self.crawlers_with_groups().into_iter().chain(of_response))
    }

    /// Returns every purpose for which robots.txt or ai.txt has a group, as written and without duplicates (S-50).
    ///
    /// Cost: linear in the fields.
    #[must_use]
    pub fn purposes_of_groups(&self) -> Vec<&[u8]> {
        let of_file = match self.robots_txt() {
            RobotsTxt::Read(policy) => Some(&**policy),
            _ => None,
        };
        let policies = of_file.into_iter().chain(self.preferences().iter().filter_map(|table| self.groups_of(table)));
        let facts = policies.filter(|policy| policy.reading().switches().reads_preferences).flat_map(Policy::facts);
        let is_purpose = |fact: &Fact<'_>| fact.field == Field::UserAgentPurpose && fact.group.is_some();
        each_once(facts.filter(is_purpose).map(|fact| fact.value).filter(|value| !value.is_empty()))
    }

    /// Returns every crawler that a group names in robots.txt, a file it refers to, or ai.txt (S-46), as written and
    /// without duplicates. Names for any crawler, such as `*`, are left out.
    ///
    /// Cost: linear in the names.
    #[must_use]
    pub fn crawlers_with_groups(&self) -> Vec<&[u8]> {
        let others = self.preferences().iter().filter_map(|table| self.groups_of(table));
        let others = others.flat_map(|policy| policy.crawlers_named());
        let RobotsTxt::Read(policy) = self.robots_txt() else { return each_once(others) };
        let referred = self.robots_acaps().flat_map(|acap| acap.names.iter().map(|name| name.written.of(&acap.arena)));
        each_once(policy.crawlers_named().into_iter().chain(referred).chain(others))
    }
}

fn each_once<'n>(names: impl Iterator<Item = &'n [u8]>) -> Vec<&'n [u8]> {
    let mut known = HashSet::new();
    names.filter(|name| !is_any(name) && known.insert(name.to_ascii_lowercase())).collect()
}
