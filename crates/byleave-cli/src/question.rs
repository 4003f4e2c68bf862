//! Converts arguments into questions for the engine. All arguments are checked before the first answer is written.

use crate::arguments::{Capability, CrawlerOptions, ReadingOptions, ResourceOptions, Unstated, UseOptions};
use crate::output::escaped;
use crate::site::{FileReader, ResponseFiles, SiteFiles, shown};
use crate::{Failure, warn};
use byleave::analysis::is_resource;
use byleave::model::{AnyGroup, Capabilities, Details, History};
use byleave::{Crawler, ProposedUse, Timestamp, UnstatedDefault, Usage};
use std::path::Path;

/// The proposed uses: one crawler with one or more usages and resources.
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
    /// Converts the command-line options.
    pub fn new(asked: ResourceOptions, use_options: UseOptions, files: &mut FileReader) -> Result<Self, Failure> {
        let crawler = crawler(&use_options.crawler)?
            .ok_or_else(|| Failure::new("no crawler is given; add `--crawler NAME` or `--user-agent STRING`"))?;
        let mut usages: Vec<Usage> = Vec::new();
        for usage in use_options.usage.into_iter().flat_map(|usages| usages.0) {
            if !usages.contains(&usage) {
                usages.push(usage);
            }
        }
        if usages.is_empty() {
            usages.push(Usage::Crawl);
        }
        let unstated = match use_options.unstated {
            Unstated::Permit => UnstatedDefault::Permit,
            Unstated::Prohibit => UnstatedDefault::Prohibit,
        };
        Ok(Self {
            crawler,
            usages,
            resources: resources(asked, files)?,
            element: use_options.element,
            purposes: use_options.purpose,
            at: use_options.at,
            history: History { first_used: use_options.first_used, is_recrawled: use_options.recrawled },
            snippet: use_options.snippet,
            modification: use_options.modification,
            context: use_options.context,
            capabilities: capabilities(&use_options.capability, use_options.unable),
            unstated,
        })
    }

    /// Adds a page and its response to the site. Fails if the question has more than one resource.
    pub fn with_response(&self, site: SiteFiles, response: ResponseFiles) -> Result<SiteFiles, Failure> {
        if self.resources.len() > 1 && !response.is_empty() {
            return Err(Failure::new("a page or response belongs to one resource; give only one URL"));
        }
        Ok(site.with_response(response))
    }

    /// Returns the proposed uses: all usages of the first resource, then all usages of the next one.
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

/// Returns the crawler that these options describe, or `None` if they name no crawler.
pub fn crawler(which: &CrawlerOptions) -> Result<Option<Crawler>, Failure> {
    let user_agent = which.user_agent.as_deref();
    let name = match (&which.crawler, user_agent) {
        (Some(name), _) => name.as_str(),
        (None, Some(text)) => byleave::analysis::product_tokens(text).next().ok_or_else(|| {
            Failure::new(format!("user agent `{}` has no product token; add `--crawler NAME`", escaped(text)))
        })?,
        (None, None) => return Ok(None),
    };
    if which.crawler.is_none() && name.eq_ignore_ascii_case("mozilla") {
        warn("the answer is for `Mozilla`, the first product token; for another crawler, add `--crawler NAME`");
    }
    let crawler = which.fallback.iter().fold(Crawler::named(name), |crawler, name| crawler.with_fallback(name));
    let crawler = user_agent.into_iter().fold(crawler, |crawler, text| crawler.with_user_agent(text));
    let any_group = if which.ignores_any { AnyGroup::DoesNotApply } else { AnyGroup::Applies };
    Ok(Some(crawler.with_any_group(any_group)))
}

/// Reads SITE and the documents given with `--document`.
pub fn site(site: &Path, how: &ReadingOptions, files: &mut FileReader) -> Result<SiteFiles, Failure> {
    let mut site = SiteFiles::read(site, how.status, files)?;
    for pair in how.document.chunks(2) {
        let [location, file] = pair else { continue };
        let location = location.to_str().ok_or_else(|| {
            Failure::new(format!("location `{}` is not UTF-8; write a URL or a path", shown(Path::new(location))))
        })?;
        site.add_document(location.to_owned(), Path::new(file), files)?;
    }
    site.warn_unread(how.reading);
    Ok(site)
}

/// Returns the resources from the command line and from the file given with `--urls`.
pub fn resources(asked: ResourceOptions, files: &mut FileReader) -> Result<Vec<String>, Failure> {
    let mut resources = asked.resources;
    for url in &resources {
        if !is_resource(url) {
            return Err(not_a_resource(url, ""));
        }
    }
    match &asked.urls {
        Some(path) => {
            let given = resources.len();
            let text = files.read_text(path, "`--urls` takes a text file with one URL per line")?;
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
                return Err(Failure::new(format!("`{}` contains no URLs; write one per line", shown(path))));
            }
        }
        None if resources.is_empty() => resources.push("/".to_owned()),
        None => {}
    }
    Ok(resources)
}

fn not_a_resource(url: &str, place: &str) -> Failure {
    let remedy = "write a full URL, such as `https://site.example/page`, or a path that begins with `/`";
    Failure::new(format!("{place}`{}` is not an http(s) URL; {remedy}", escaped(url)))
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
