//! What robots.txt, headers and a page say of the same thing, where one of them comes to nothing by the other.

use crate::finding::Findings;
use crate::look::{OfResponse, shown, unnamed};
use wayleave::model::{Carrier, Dialect, Modality, Statement};
use wayleave::{Explanation, LostTo, Outcome, ProposedUse, Usage};

/// A restriction on a page that may not be crawled: no crawler that obeys robots.txt ever reads it.
pub(crate) fn unseen_restriction(look: &OfResponse<'_>, document: &str, found: &mut Findings) {
    let Some(url) = look.url else { return };
    let crawler = unnamed();
    let crawl = wayleave::explain(look.evidence, &ProposedUse::new(url, &crawler, &Usage::Crawl));
    if crawl.decision.outcome != Outcome::Prohibited {
        return;
    }
    let Some(bar) = crawl.determined_by.iter().find(|statement| statement.carrier == Carrier::RobotsTxt) else {
        return;
    };
    each_usage(look, url, |explanation| {
        for word in explanation.determined_by.iter().filter(|word| word.document == document && is_word(word)) {
            if word.modality == Modality::Prohibition {
                let text = shown(&word.text);
                found
                    .at(word.span, format!("no crawler that obeys robots.txt reads `{text}`: line {} there prohibits to crawl this page", bar.line))
                    .help("let it be crawled, so that this is seen; a page that may not be crawled can still be listed by its address")
                    .also(look.name(bar.document), bar.span, "keeps crawlers from seeing it");
            }
        }
    });
}

/// A word that permits, where another carrier or tag restricts: restrictions add up, and no word lifts one.
pub(crate) fn word_that_lifts_nothing(look: &OfResponse<'_>, document: &str, found: &mut Findings) {
    let url = look.url.unwrap_or("/");
    each_usage(look, url, |explanation| {
        let restricting = explanation.determined_by.iter().find(|one| one.modality == Modality::Prohibition);
        for lost in explanation.considered.iter().filter(|lost| lost.statement.document == document) {
            if lost.by == LostTo::LiftsNothing
                && let Some(winner) = lost.to.as_ref().or(restricting)
            {
                let (word, usage) = (shown(&lost.statement.text), lost.statement.usage.name().to_owned());
                found
                    .at(
                        lost.statement.span,
                        format!("`{word}` does not lift `{}`: `{usage}` is prohibited", shown(&winner.text)),
                    )
                    .help("restrictions add up over tags and headers: remove the one that is not meant")
                    .also(look.name(winner.document), winner.span, "prohibits it");
            }
        }
    });
}

/// A permission in ACAP that a word of META or a header takes back.
pub(crate) fn acap_permission_under_word(look: &OfResponse<'_>, document: &str, found: &mut Findings) {
    let url = look.url.unwrap_or("/");
    each_usage(look, url, |explanation| {
        for lost in explanation.considered.iter().filter(|lost| lost.statement.document == document) {
            if let (LostTo::Restriction(_), Some(winner)) = (lost.by, lost.to.as_ref())
                && lost.statement.dialect == Dialect::Acap
                && is_word(winner)
            {
                let (text, word) = (shown(&lost.statement.text), shown(&winner.text));
                found
                    .at(lost.statement.span, format!("this permission (`{text}`) comes to nothing: `{word}` prohibits, and no permission lifts that"))
                    .help("remove the one that is not meant")
                    .also(look.name(winner.document), winner.span, "prohibits it");
            }
        }
    });
}

/// A META tag that permits to crawl what robots.txt prohibits.
pub(crate) fn permission_after_the_fact(look: &OfResponse<'_>, document: &str, found: &mut Findings) {
    let url = look.url.unwrap_or("/");
    let crawler = unnamed();
    let explanation = wayleave::explain(look.evidence, &ProposedUse::new(url, &crawler, &Usage::Crawl));
    for lost in explanation.considered.iter().filter(|lost| lost.statement.document == document) {
        if let (LostTo::AfterTheFact(_), Some(winner)) = (lost.by, lost.to.as_ref()) {
            found
                .at(
                    lost.statement.span,
                    format!(
                        "this does not permit to crawl the page: line {} of robots.txt prohibits it, and is read first",
                        winner.line
                    ),
                )
                .help("permit it in robots.txt, or remove this tag")
                .also(look.name(winner.document), winner.span, "prohibits it");
        }
    }
}

/// `Robots-Tag` beside `X-Robots-Tag`: the restrictions of both count.
pub(crate) fn two_robots_headers(look: &OfResponse<'_>, document: &str, found: &mut Findings) {
    if document != wayleave::HEADERS {
        return;
    }
    let line = |name: &[u8]| look.headers?.lines().find(|line| line.name.eq_ignore_ascii_case(name));
    if let (Some(new), Some(old)) = (line(b"Robots-Tag"), line(b"X-Robots-Tag")) {
        found
            .at(old.span, "`Robots-Tag` stands beside `X-Robots-Tag`: what either restricts is restricted, but most crawlers read only this one")
            .help("say the same in both")
            .also(look.name(document), new.span, "the other field");
    }
}

/// Calls `visit` with what is said of each usage that words or ACAP can speak of, to a crawler that nobody names.
fn each_usage(look: &OfResponse<'_>, url: &str, mut visit: impl FnMut(&Explanation<'_>)) {
    let crawler = unnamed();
    for usage in Usage::NAMED.iter().filter(|usage| **usage != Usage::Crawl) {
        visit(&wayleave::explain(look.evidence, &ProposedUse::new(url, &crawler, usage)));
    }
}

fn is_word(statement: &Statement<'_>) -> bool {
    statement.dialect == Dialect::RobotsWords
}
