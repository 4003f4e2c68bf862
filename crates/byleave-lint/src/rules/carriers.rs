//! What robots.txt, headers and a page say of the same thing, where one of them comes to nothing by the other.

use crate::context::{ResponseContext, excerpt, unnamed_crawler};
use crate::finding::Findings;
use byleave::model::{Addressee, Carrier, Dialect, Modality, Statement};
use byleave::{Crawler, Explanation, LostTo, Outcome, ProposedUse, Usage};

/// A restriction on a page that may not be crawled: no crawler that obeys robots.txt ever reads it.
pub(crate) fn unseen_restriction(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    let Some(url) = context.url else { return };
    for (name, crawler) in context.crawlers() {
        let crawl = byleave::explain(context.evidence, &ProposedUse::new(url, &crawler, &Usage::Crawl));
        let is_rule = |statement: &&Statement<'_>| statement.carrier == Carrier::RobotsTxt;
        let Some(prohibition) = crawl.determined_by.iter().find(is_rule) else { continue };
        if crawl.decision.outcome != Outcome::Prohibited {
            continue;
        }
        each_usage(context, url, &crawler, |explanation| {
            for directive in explanation
                .determined_by
                .iter()
                .filter(|directive| directive.document == document && is_directive(directive))
            {
                if directive.modality == Modality::Prohibition {
                    let text = excerpt(&directive.text);
                    let message = match &name {
                        Some(name) => format!(
                            "`{}` never reads `{text}`: line {} of robots.txt prohibits it to crawl this page",
                            excerpt(name.as_bytes()),
                            prohibition.line
                        ),
                        None => format!(
                            "no crawler that obeys robots.txt reads `{text}`: line {} there prohibits to crawl this page",
                            prohibition.line
                        ),
                    };
                    found
                        .at(directive.span, message)
                        .help("let it be crawled, so that this is seen; a page that may not be crawled can still be listed by its address")
                        .related(context.name(prohibition.document), prohibition.span, "keeps crawlers from seeing it");
                }
            }
        });
    }
}

/// A word that permits, where another carrier or tag restricts: restrictions add up, and no word lifts one.
pub(crate) fn directive_that_lifts_nothing(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    let url = context.url.unwrap_or("/");
    each_crawler_and_usage(context, url, |explanation| {
        let restricting = explanation.determined_by.iter().find(|one| one.modality == Modality::Prohibition);
        for lost in explanation.considered.iter().filter(|lost| lost.statement.document == document) {
            if lost.by == LostTo::LiftsNothing
                && let Some(winner) = lost.to.as_ref().or(restricting)
                && !is_exception(winner, &lost.statement)
            {
                let (directive, usage) = (excerpt(&lost.statement.text), lost.statement.usage.name().to_owned());
                found
                    .at(
                        lost.statement.span,
                        format!("`{directive}` does not lift `{}`: `{usage}` is prohibited", excerpt(&winner.text)),
                    )
                    .help("restrictions add up over tags and headers: remove the one that is not meant")
                    .related(context.name(winner.document), winner.span, "prohibits it");
            }
        }
    });
}

/// A permission in ACAP that a word of META or a header takes back.
pub(crate) fn overridden_acap_permission(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    let url = context.url.unwrap_or("/");
    each_crawler_and_usage(context, url, |explanation| {
        for lost in explanation.considered.iter().filter(|lost| lost.statement.document == document) {
            if let (LostTo::Restriction(_), Some(winner)) = (lost.by, lost.to.as_ref())
                && lost.statement.dialect == Dialect::Acap
                && is_directive(winner)
                && !is_exception(winner, &lost.statement)
            {
                let (text, directive) = (excerpt(&lost.statement.text), excerpt(&winner.text));
                found
                    .at(lost.statement.span, format!("this permission (`{text}`) comes to nothing: `{directive}` prohibits, and no permission lifts that"))
                    .help("remove the one that is not meant")
                    .related(context.name(winner.document), winner.span, "prohibits it");
            }
        }
    });
}

/// A META tag that permits to crawl what robots.txt prohibits.
pub(crate) fn ineffective_crawl_permission(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    let url = context.url.unwrap_or("/");
    let crawler = unnamed_crawler();
    let explanation = byleave::explain(context.evidence, &ProposedUse::new(url, &crawler, &Usage::Crawl));
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
                .related(context.name(winner.document), winner.span, "prohibits it");
        }
    }
}

/// `Robots-Tag` beside `X-Robots-Tag`: the restrictions of both count.
pub(crate) fn two_robots_headers(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    if document != byleave::HEADERS {
        return;
    }
    let line = |name: &[u8]| context.headers?.lines().find(|line| line.name.eq_ignore_ascii_case(name));
    if let (Some(new), Some(old)) = (line(b"Robots-Tag"), line(b"X-Robots-Tag")) {
        found
            .at(old.span, "`Robots-Tag` stands beside `X-Robots-Tag`: what either restricts is restricted, but most crawlers read only this one")
            .help("say the same in both")
            .related(context.name(document), new.span, "the other field");
    }
}

/// The same for a crawler that nobody names, and for those that the response does.
fn each_crawler_and_usage(context: &ResponseContext<'_>, url: &str, mut visit: impl FnMut(&Explanation<'_>)) {
    for (_, crawler) in context.crawlers() {
        each_usage(context, url, &crawler, &mut visit);
    }
}

/// Calls `visit` with what is said to a crawler of each usage that words or ACAP can speak of.
fn each_usage(context: &ResponseContext<'_>, url: &str, crawler: &Crawler, mut visit: impl FnMut(&Explanation<'_>)) {
    for usage in Usage::NAMED.iter().filter(|usage| **usage != Usage::Crawl) {
        visit(&byleave::explain(context.evidence, &ProposedUse::new(url, crawler, usage)));
    }
}

/// Whether a restriction is for crawlers by name, beside a permission for everyone: an exception, and meant so.
fn is_exception(restriction: &Statement<'_>, permission: &Statement<'_>) -> bool {
    restriction.addressee == Addressee::Named && permission.addressee == Addressee::Any
}

fn is_directive(statement: &Statement<'_>) -> bool {
    statement.dialect == Dialect::RobotsWords
}

#[cfg(test)]
mod tests {
    use crate::{LintInput, ResponseInput, Selection, lint};

    #[test]
    fn a_restriction_for_one_crawler_beside_a_permission_for_all_is_meant() {
        let found = |page: &str| -> Vec<&str> {
            let response = ResponseInput::new().with_page("page", page.as_bytes());
            let documents = lint(&LintInput::new().with_response(response), &Selection::everything());
            documents.iter().flat_map(|document| &document.findings).map(|finding| finding.rule.code).collect()
        };
        let head = "<!DOCTYPE html><title>t</title>";
        assert_eq!(
            found(&format!("{head}<meta name=robots content=index><meta name=newsbot content=noindex>")),
            [""; 0]
        );
        assert_eq!(
            found(&format!("{head}<meta name=robots content=noindex><meta name=newsbot content=index>")),
            ["C008"]
        );
    }

    #[test]
    fn a_directive_for_one_crawler_is_checked_against_the_group_of_that_crawler() {
        let page = b"<!DOCTYPE html><title>t</title><meta name=newsbot content=noindex>";
        let input = LintInput::new()
            .with_robots_txt("robots.txt", b"User-agent: NewsBot\nDisallow: /a/\n\nUser-agent: *\nDisallow: /b/\n")
            .with_response(ResponseInput::new().at("/a/").with_page("page", page));
        let selection = Selection::new(["R018"], []).unwrap_or_default();
        let documents = lint(&input, &selection);
        let messages: Vec<&str> =
            documents.iter().flat_map(|document| &document.findings).map(|finding| finding.message.as_str()).collect();
        let expected = "`newsbot` never reads `noindex`: line 2 of robots.txt prohibits it to crawl this page";
        assert_eq!(messages, [expected]);
    }
}
