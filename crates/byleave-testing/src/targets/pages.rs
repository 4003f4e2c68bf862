//! Fuzz targets for pages. `page` compares the META tags and elements that the engine finds with html5ever's own tree.
//! `extract` checks the decisions about elements.

use super::decisions::{self, essence};
use super::{Asked, BETWEEN, parted};
use crate::checks::{elements, metas};
use byleave::analysis::explain_unchecked;
use byleave::analysis::html::decoded;
use byleave::extract::{cut, extract, is_within};
use byleave::model::Capabilities;
use byleave::model::{Condition, LengthUnit};
use byleave::testing::Outline;
use byleave::{Crawler, Limits, Outcome, ProposedUse, Reading, Site, Usage};
use serde_json::Value;

/// Checks an input whose first line is an encoding label or empty. The rest is a page.
pub fn page(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let label = std::str::from_utf8(&input[..end]).ok().filter(|label| !label.is_empty());
    let bytes = input.get(end + 1..).unwrap_or_default();
    metas::assert_same("fuzzed", bytes, label);
    elements::assert_same("fuzzed", bytes, label);
    s10_nothing_behind_takes_a_word_away(bytes);
}

/// Law: a statement in a page's first tag applies, whatever follows.
fn s10_nothing_behind_takes_a_word_away(bytes: &[u8]) {
    let page = [b"<meta name=robots content=noindex>", bytes].concat();
    if decoded(&page, None, &Limits::default()).encoding() == "replacement" {
        return;
    }
    let site = Site::builder(Reading::Default).with_content_type("text/html").with_page(&page).build();
    let crawler = Crawler::named("AnyBot");
    let decision = byleave::analysis::decide_unchecked(&site, &ProposedUse::new("/", &crawler, &Usage::Index));
    assert_eq!(decision.outcome, Outcome::Prohibited, "{}", page.escape_ascii());
}

/// Checks an input that consists of a question, a page, and optionally the page after its scripts.
pub fn extracted(input: &[u8]) {
    let (asked, rest) = Asked::read(input);
    let (page, dom) = parted(rest);
    let mut site = Site::builder(Reading::Default).with_content_type("text/html").with_page(page);
    if let Some(dom) = dom {
        site = site.with_dom(dom);
    }
    let mut other_way = Site::builder(Reading::Default);
    if let Some(dom) = dom {
        other_way = other_way.with_dom(dom);
    }
    let other_way = other_way.with_page(page).with_content_type("text/html").build();
    let site = site.build();
    let mut able = Capabilities::default();
    (able.body_meta, able.strawman, able.not_ready) = (true, true, true);
    for usage in [&asked.usage, &Usage::Index, &Usage::Follow, &Usage::PresentSnippet] {
        for capabilities in [&Capabilities::default(), &able] {
            let mut proposed = asked.about(usage);
            proposed.capabilities = capabilities;
            let explanation = decisions::hold(&site, &proposed);
            // The order in which the documents are added to the site must not change the answer.
            let other = explain_unchecked(&other_way, &proposed);
            assert_eq!(essence(&other.decision), essence(&explanation.decision));
            assert_eq!(other.conditions, explanation.conditions);
            s29_what_is_cut_is_within(&String::from_utf8_lossy(page), &explanation.conditions);
            pieces_lie_within(&site, page, &proposed, &explanation.conditions);
        }
    }
}

/// Law: the pieces are parts of the page, in page order. If no element makes a statement, the decision about the page
/// applies to every piece.
fn pieces_lie_within(site: &Site<'_>, page: &[u8], proposed: &ProposedUse<'_>, conditions: &[Condition]) {
    let page = decoded(page, None, &Limits::default());
    let extract = extract(site, proposed).expect("there is a page, and it is HTML");
    let must_use = |condition: &Condition| matches!(condition, Condition::Term(name, _) if name.starts_with("must-"));
    // A META tag in the strawman may be about an element that has no statement of its own.
    let may_say = Outline::may_matter(&page, true, &[]) || Outline::may_be_marked(&page);
    let is_plain = !proposed.capabilities.strawman && !conditions.iter().any(must_use) && !may_say;
    for piece in &extract.pieces {
        assert!(!piece.span.is_empty() && piece.span.end as usize <= page.text().len(), "{piece:?}");
        assert!(!piece.because.is_empty(), "{piece:?}");
        if is_plain && proposed.element.is_none() && site.documents().len() == 1 {
            assert_eq!(piece.is_kept, extract.decision.is_allowed(), "{piece:?}");
        }
    }
    let kept: usize = extract.pieces.iter().filter(|piece| piece.is_kept).map(|piece| piece.text.len()).sum();
    assert!(extract.text().len() <= kept + extract.pieces.len());
}

/// Law: a truncated snippet is within the length limits and is the beginning of the text. A text within the limits is
/// not truncated.
fn s29_what_is_cut_is_within(text: &str, conditions: &[Condition]) {
    let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lengths = [
        conditions.to_vec(),
        vec![Condition::MaxLength(text.len() as u64 / 3, LengthUnit::Chars)],
        vec![Condition::MaxLength(2, LengthUnit::Words), Condition::MaxLength(9, LengthUnit::Chars)],
    ];
    for conditions in &lengths {
        let short = cut(text, conditions);
        assert!(is_within(&short, conditions) && collapsed.starts_with(&short), "{conditions:?} {short:?}");
        assert_eq!(is_within(text, conditions), short == collapsed, "{conditions:?} {short:?}");
    }
}

pub fn page_seed(case: &Value) -> Option<Vec<u8>> {
    Some(format!("\n{}", case["page"].as_str()?).into_bytes())
}

pub fn extract_seed(case: &Value) -> Option<Vec<u8>> {
    let mut seed = format!("{}{}", Asked::line(case)?, case["page"].as_str()?).into_bytes();
    if let Some(dom) = case["dom"].as_str() {
        seed.extend_from_slice(BETWEEN);
        seed.extend_from_slice(dom.as_bytes());
    }
    Some(seed)
}
