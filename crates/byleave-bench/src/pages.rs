//! Compares Byleave's decisions about pages with Rust HTML parsers: first whole decisions, then parts of the work.
//!
//! A decision starts with the raw headers and the raw page. It includes everything that depends on the page: headers,
//! META tags, classes, marks, and the tree if the decision needs a tree. The other parsers only find META tags and
//! classes.

use crate::{compare, heap, row};
use byleave::analysis::html::{body_metas, charset, decoded, head_metas};
use byleave::testing::Outline;
use byleave::{Crawler, Headers, Limits, ProposedUse, Reading, Site, Usage, decide, explain};
use flate2::read::MultiGzDecoder;
use lol_html::{HtmlRewriter, Settings, element};
use std::io::Read;
use std::path::Path;

/// A page as the server sent it.
pub struct Page {
    headers: Vec<(String, String)>,
    charset: Option<String>,
    body: Vec<u8>,
}

/// Returns the responses in a WARC file.
pub fn load(path: &Path) -> Result<Vec<Page>, String> {
    let packed = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut archive = Vec::new();
    MultiGzDecoder::new(packed.as_slice())
        .read_to_end(&mut archive)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let mut pages = Vec::new();
    let mut rest = archive.as_slice();
    while !rest.is_empty() {
        let broken = || format!("{}: not a WARC file", path.display());
        let (headers, after) = headers(rest).ok_or_else(broken)?;
        let length = field(&headers, "content-length").and_then(|length| length.parse().ok()).ok_or_else(broken)?;
        let (block, after) = after.split_at_checked(length).ok_or_else(broken)?;
        rest = after.trim_ascii_start();
        if field(&headers, "warc-type") == Some("response") {
            let (response, body) = self::headers(block).ok_or_else(broken)?;
            let charset = field(&response, "content-type").and_then(charset).map(str::to_owned);
            let lines = response.lines().filter_map(|line| line.split_once(':'));
            let headers = lines.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect();
            pages.push(Page { headers, charset, body: body.to_vec() });
        }
    }
    Ok(pages)
}

fn headers(text: &[u8]) -> Option<(String, &[u8])> {
    let end = text.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((String::from_utf8_lossy(&text[..end]).into_owned(), &text[end + 4..]))
}

fn field<'h>(headers: &'h str, name: &str) -> Option<&'h str> {
    let mut named = headers.lines().filter_map(|line| line.split_once(':'));
    named.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// Returns whether a META tag with this name addresses crawlers.
fn is_wanted(name: &str) -> bool {
    ["robots", "googlebot", "bingbot"].iter().any(|wanted| name.eq_ignore_ascii_case(wanted))
}

pub fn rows(pages: &[Page]) {
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    let heads: usize = pages.iter().map(|page| head_metas(&page.decoded(), |_| ()).end).sum();
    println!("{} pages, {:.1} MB, {:.1} MB of that in heads", pages.len(), bytes as f64 / 1e6, heads as f64 / 1e6);
    for (name, found) in [
        ("byleave", sum(pages, in_head)),
        ("lol_html", sum(pages, by_lol_html)),
        ("lol_html up to <body>", sum(pages, by_lol_html_to_body)),
        ("html5gum", sum(pages, by_html5gum)),
        ("html5ever, in head", sum(pages, by_html5ever)),
    ] {
        println!("  {name:34} {found} METAs for robots");
    }
    compare(
        "decide about a page, with its headers (time per page; the parsers only find METAs and classes)",
        pages.len(),
        "page",
        vec![
            row("byleave, decide index", || sum(pages, |page| decided(page, &Usage::Index))),
            row("byleave, decide train-ai", || sum(pages, |page| decided(page, &Usage::TrainAi))),
            row("byleave, decide crawl", || sum(pages, |page| decided(page, &Usage::Crawl))),
            row("byleave, decide six usages", || sum(pages, six_decided)),
            row("byleave, explain index", || sum(pages, explained)),
            row("lol_html, meta", || sum(pages, by_lol_html)),
            row("lol_html, meta and [class]", || sum(pages, by_lol_html_classes)),
            row("html5gum", || sum(pages, by_html5gum)),
            row("html5ever, tree", || sum(pages, by_html5ever)),
        ],
    );
    compare(
        "METAs for robots (MB of whole pages; only byleave and html5ever know which are in head)",
        bytes,
        "MB",
        vec![
            row("byleave, head", || sum(pages, in_head)),
            row("lol_html, whole page", || sum(pages, by_lol_html)),
            row("lol_html, up to <body>", || sum(pages, by_lol_html_to_body)),
            row("html5gum, whole page", || sum(pages, by_html5gum)),
            row("html5ever, tree", || sum(pages, by_html5ever)),
            row("byleave, METAs outside head (tree)", || sum(pages, outside_head)),
        ],
    );
    element_rows(pages, bytes);
}

fn element_rows(pages: &[Page], bytes: usize) {
    let needing =
        |with_links| pages.iter().filter(|page| Outline::may_matter(&page.decoded(), with_links, &[])).count();
    println!("  {} pages may have statements in classes, {} in classes or rel", needing(false), needing(true));
    let most = |page: &Page| heap::most(|| Outline::of(&page.decoded()).count()) as f64 / page.body.len() as f64;
    let mut most: Vec<f64> = pages.iter().filter(|page| page.body.len() > 10_000).map(most).collect();
    most.sort_by(f64::total_cmp);
    if let (Some(median), Some(worst)) = (most.get(most.len() / 2), most.last()) {
        println!(
            "  peak memory for elements and texts, pages over 10 kB: median {median:.2}, worst {worst:.2} of the page"
        );
    }
    compare(
        "METAs for robots, and classes on elements (MB of whole pages; lol_html has no tree)",
        bytes,
        "MB",
        vec![
            row("byleave, head + skip, tree if there are classes", || sum(pages, with_classes)),
            row("byleave, tree if classes or rel", || sum(pages, with_links)),
            row("byleave, head + skip alone", || sum(pages, skipping)),
            row("byleave, tree of every page", || sum(pages, by_tree)),
            row("lol_html, meta and [class]", || sum(pages, by_lol_html_classes)),
            row("html5ever, tree", || sum(pages, by_html5ever)),
        ],
    );
}

fn sum(pages: &[Page], count: fn(&Page) -> usize) -> usize {
    pages.iter().map(count).sum()
}

/// Reads the META tags in the head of every page once. For use with a profiler.
pub fn profile(pages: &[Page]) -> usize {
    sum(pages, in_head)
}

impl Page {
    /// Returns the site as a caller builds it for one page.
    fn site(&self) -> Site<'_> {
        let lines = self.headers.iter();
        let headers = lines.fold(Headers::new(), |headers, (name, value)| headers.with(name, value));
        Site::builder(Reading::Default).with_headers(headers).with_page(self.body.as_slice()).build()
    }

    fn decoded(&self) -> byleave::analysis::html::Decoded<'_> {
        decoded(&self.body, self.charset.as_deref(), &Limits::default())
    }
}

/// The usages of the row that asks several questions about each page.
const SIX_USAGES: [Usage; 6] =
    [Usage::Crawl, Usage::Index, Usage::Follow, Usage::PresentSnippet, Usage::Preserve, Usage::TrainAi];

const URL: &str = "https://site.example/page";

/// Returns 1 if the usage is not prohibited.
fn decided(page: &Page, usage: &Usage) -> usize {
    let crawler = Crawler::named("Googlebot");
    outcome(&page.site(), &crawler, usage)
}

fn six_decided(page: &Page) -> usize {
    let crawler = Crawler::named("Googlebot");
    let site = page.site();
    SIX_USAGES.iter().map(|usage| outcome(&site, &crawler, usage)).sum()
}

fn outcome(site: &Site<'_>, crawler: &Crawler, usage: &Usage) -> usize {
    let decision = decide(site, &ProposedUse::new(URL, crawler, usage));
    usize::from(decision.is_ok_and(|decision| decision.outcome != byleave::Outcome::Prohibited))
}

fn explained(page: &Page) -> usize {
    let crawler = Crawler::named("Googlebot");
    let site = page.site();
    explain(&site, &ProposedUse::new(URL, &crawler, &Usage::Index))
        .map_or(0, |explanation| explanation.considered.len())
}

fn in_head(page: &Page) -> usize {
    let mut count = 0;
    head_metas(&page.decoded(), |meta| {
        if meta.name().is_some_and(|name| is_wanted(&name)) {
            count += usize::from(meta.content().is_some());
        }
    });
    count
}

fn outside_head(page: &Page) -> usize {
    let mut count = 0;
    body_metas(&page.decoded(), |meta| {
        if meta.name().is_some_and(|name| is_wanted(&name)) {
            count += usize::from(meta.content().is_some());
        }
    });
    count
}

fn with_classes(page: &Page) -> usize {
    in_head(page) + elements(page, false)
}

fn with_links(page: &Page) -> usize {
    in_head(page) + elements(page, true)
}

fn elements(page: &Page, with_links: bool) -> usize {
    let page = page.decoded();
    if Outline::may_matter(&page, with_links, &[]) { Outline::of(&page).count() as usize } else { 0 }
}

fn skipping(page: &Page) -> usize {
    in_head(page) + usize::from(Outline::may_matter(&page.decoded(), false, &[]))
}

fn by_tree(page: &Page) -> usize {
    Outline::of(&page.decoded()).count() as usize
}

fn by_lol_html_classes(page: &Page) -> usize {
    let mut count = 0;
    let mut classes = 0;
    let settings = Settings::new()
        .with_strict(false)
        .append_element_content_handler(element!("meta", |meta| {
            if meta.get_attribute("name").is_some_and(|name| is_wanted(&name)) {
                count += usize::from(meta.get_attribute("content").is_some());
            }
            Ok(())
        }))
        .append_element_content_handler(element!("[class]", |element| {
            classes += usize::from(
                element.get_attribute("class").is_some_and(|class| class.split_ascii_whitespace().any(says)),
            );
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| ());
    match rewriter.write(&page.body) {
        Ok(()) => drop(rewriter.end()),
        Err(_) => drop(rewriter),
    }
    count + classes
}

/// Returns whether a class contains a statement.
fn says(class: &str) -> bool {
    let begins =
        |beginning: &str| class.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning));
    ["the-acap:", "acap:", "robots-"].iter().any(|beginning| begins(beginning))
}

fn by_lol_html(page: &Page) -> usize {
    lol_html(page, Extent::Page)
}

fn by_lol_html_to_body(page: &Page) -> usize {
    lol_html(page, Extent::ToBody)
}

#[derive(PartialEq)]
enum Extent {
    Page,
    ToBody,
}

fn lol_html(page: &Page, extent: Extent) -> usize {
    let mut count = 0;
    let mut settings = Settings::new().with_strict(false).append_element_content_handler(element!("meta", |meta| {
        if meta.get_attribute("name").is_some_and(|name| is_wanted(&name)) {
            count += usize::from(meta.get_attribute("content").is_some());
        }
        Ok(())
    }));
    if extent == Extent::ToBody {
        settings = settings.append_element_content_handler(element!("body", |_| Err("that is all".into())));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| ());
    match rewriter.write(&page.body) {
        Ok(()) => drop(rewriter.end()),
        Err(_) => drop(rewriter),
    }
    count
}

fn by_html5gum(page: &Page) -> usize {
    let mut emitter = html5gum::DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let tokens = html5gum::Tokenizer::new_with_emitter(page.body.as_slice(), emitter);
    let is_robots = |token: &html5gum::Token| {
        let html5gum::Token::StartTag(tag) = token else { return false };
        let get = |name: &[u8]| tag.attributes.get(name).map(|value| String::from_utf8_lossy(value));
        *tag.name == b"meta".as_slice()
            && get(b"name").is_some_and(|name| is_wanted(&name))
            && get(b"content").is_some()
    };
    tokens.flatten().filter(is_robots).count()
}

fn by_html5ever(page: &Page) -> usize {
    let encoding = encoding_rs::Encoding::for_label(page.decoded().encoding().as_bytes());
    let (text, _) = encoding.unwrap_or(encoding_rs::UTF_8).decode_with_bom_removal(&page.body);
    let found = byleave_testing::oracle::metas(&text).head;
    found.iter().filter(|(name, content, _)| name.as_deref().is_some_and(is_wanted) && content.is_some()).count()
}
