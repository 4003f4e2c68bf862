//! The question: arguments as the engine asks for them, all checked before the first answer.

use crate::arguments::{Asked, Capability, HowRead, Terms, Unstated, WhichCrawler};
use crate::output::escaped;
use crate::site::{Files, ResponseFiles, Site, shown};
use crate::{Failure, warn};
use byleave::{
    AnyGroup, Capabilities, Crawler, Details, History, ProposedUse, Timestamp, UnstatedDefault, Usage, is_resource,
};
use std::path::Path;

/// Who would do what with which resources, and on what terms.
pub struct Question {
    crawler: Crawler,
    usages: Vec<Usage>,
    resources: Vec<String>,
    element: Option<String>,
    purposes: Vec<String>,
    at: Option<Timestamp>,
    history: History,
    snippet: Option<String>,
    modification: Option<String>,
    context: Option<String>,
    capabilities: Capabilities,
    unstated: UnstatedDefault,
}

impl Question {
    /// The question of a command line.
    pub fn new(asked: Asked, terms: Terms, files: &mut Files) -> Result<Self, Failure> {
        let crawler = crawler(&terms.crawler)?.ok_or_else(|| {
            Failure::new("no crawler is named; add `--crawler NAME`, or `--user-agent STRING` for its product token")
        })?;
        let mut usages: Vec<Usage> = Vec::new();
        for usage in terms.usage.into_iter().flat_map(|usages| usages.0) {
            if !usages.contains(&usage) {
                usages.push(usage);
            }
        }
        if usages.is_empty() {
            usages.push(Usage::Crawl);
        }
        let unstated = match terms.unstated {
            Unstated::Permit => UnstatedDefault::Permit,
            Unstated::Prohibit => UnstatedDefault::Prohibit,
        };
        Ok(Self {
            crawler,
            usages,
            resources: resources(asked, files)?,
            element: terms.element,
            purposes: terms.purpose,
            at: terms.at,
            history: History { first_used: terms.first_used, is_recrawled: terms.recrawled },
            snippet: terms.snippet,
            modification: terms.modification,
            context: terms.context,
            capabilities: capabilities(&terms.capability, terms.unable),
            unstated,
        })
    }

    /// The site with a page and its response, which are about one resource.
    pub fn with_response(&self, site: Site, response: ResponseFiles) -> Result<Site, Failure> {
        if self.resources.len() > 1 && !response.is_empty() {
            return Err(Failure::new("a page or response is of one resource; ask about one URL at a time"));
        }
        Ok(site.with_response(response))
    }

    /// Each use it asks about: every usage of the first resource, then of the next.
    pub fn proposed_uses(&self) -> impl Iterator<Item = ProposedUse<'_>> {
        self.resources.iter().flat_map(move |url| {
            self.usages.iter().map(move |usage| {
                let mut proposed = ProposedUse::new(url, &self.crawler, usage);
                proposed.element = self.element.as_deref();
                proposed.purposes = &self.purposes;
                proposed.at = self.at;
                proposed.history = self.history;
                proposed.details = Details {
                    snippet: self.snippet.as_deref(),
                    modification: self.modification.as_deref(),
                    context: self.context.as_deref(),
                };
                proposed.capabilities = &self.capabilities;
                proposed.unstated = self.unstated;
                proposed
            })
        })
    }
}

/// The crawler these options describe; nothing where they name none.
pub fn crawler(which: &WhichCrawler) -> Result<Option<Crawler>, Failure> {
    let user_agent = which.user_agent.as_deref();
    let name = match (&which.crawler, user_agent) {
        (Some(name), _) => name.as_str(),
        (None, Some(text)) => byleave::product_tokens(text).next().ok_or_else(|| {
            Failure::new(format!("user agent `{}` has no product token; add `--crawler NAME`", escaped(text)))
        })?,
        (None, None) => return Ok(None),
    };
    if which.crawler.is_none() && name.eq_ignore_ascii_case("mozilla") {
        warn("this answers for `Mozilla`, the first product token; to ask for another, add `--crawler NAME`");
    }
    let crawler = which.fallback.iter().fold(Crawler::named(name), |crawler, name| crawler.with_fallback(name));
    let crawler = user_agent.into_iter().fold(crawler, |crawler, text| crawler.with_user_agent(text));
    let any_group = if which.ignores_any { AnyGroup::DoesNotApply } else { AnyGroup::Applies };
    Ok(Some(crawler.with_any_group(any_group)))
}

/// Reads SITE and the further documents.
pub fn site(site: &Path, how: &HowRead, files: &mut Files) -> Result<Site, Failure> {
    let mut site = Site::read(site, how.status, files)?;
    for pair in how.document.chunks(2) {
        let [location, file] = pair else { continue };
        let location = location.to_str().ok_or_else(|| {
            Failure::new(format!("location `{}` is not UTF-8; write a URL or a path", shown(Path::new(location))))
        })?;
        site.add_document(location.to_owned(), Path::new(file), files)?;
    }
    site.warn_of_unread(how.reading);
    Ok(site)
}

/// The resources asked about, all of them.
pub fn resources(asked: Asked, files: &mut Files) -> Result<Vec<String>, Failure> {
    let mut resources = asked.resources;
    for url in &resources {
        if !is_resource(url) {
            return Err(not_a_resource(url, ""));
        }
    }
    match &asked.urls {
        Some(path) => {
            let given = resources.len();
            let text = files.read_text(path, "--urls takes a text file with one URL a line")?;
            for (number, line) in text.lines().enumerate() {
                let url = line.trim();
                if url.is_empty() || url.starts_with('#') {
                    continue;
                }
                if !is_resource(url) {
                    return Err(not_a_resource(url, &format!("`{}` line {}: ", shown(path), number + 1)));
                }
                resources.push(url.to_owned());
            }
            if resources.len() == given {
                return Err(Failure::new(format!("`{}` holds no URLs; write one a line", shown(path))));
            }
        }
        None if resources.is_empty() => resources.push("/".to_owned()),
        None => {}
    }
    Ok(resources)
}

fn not_a_resource(url: &str, place: &str) -> Failure {
    let remedy = "write it in full, as `https://site.example/page`, or a path that begins with `/`";
    Failure::new(format!("{place}`{}` is no http(s) URL; {remedy}", escaped(url)))
}

fn capabilities(given: &[Capability], unable: Vec<String>) -> Capabilities {
    let mut capabilities = Capabilities::default();
    for capability in given {
        match capability {
            Capability::ElementLevel(can) => capabilities.element_level = *can,
            Capability::PriorArrangement => capabilities.prior_arrangement = true,
            Capability::NotReady => capabilities.not_ready = true,
            Capability::Strawman => capabilities.strawman = true,
            Capability::BodyMeta => capabilities.body_meta = true,
        }
    }
    capabilities.unable = unable;
    capabilities
}
