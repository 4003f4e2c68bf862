//! Carriers: statements in robots.txt, headers and pages that make each other ineffective.

use crate::context::{ResponseContext, excerpt, unnamed_crawler};
use crate::finding::Findings;
use byleave::model::LostTo;
use byleave::model::{Addressee, Carrier, Dialect, Modality, Statement};
use byleave::{Crawler, Explanation, Outcome, ProposedUse, Usage};

/// Reports a restriction on a page that may not be crawled. Crawlers that obey robots.txt never read the restriction.
pub(crate) fn unseen_restriction(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    let Some(url) = context.url else { return };
    for (name, crawler) in context.crawlers() {
        let crawl = byleave::analysis::explain_unchecked(context.site, &ProposedUse::new(url, &crawler, &Usage::Crawl));
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
                            "`{}` never sees `{text}`: line {} of robots.txt prohibits it from crawling this page",
                            excerpt(name.as_bytes()),
                            prohibition.line
                        ),
                        None => format!(
                            "crawlers that obey robots.txt never see `{text}`: line {} of robots.txt prohibits \
                             crawling this page",
                            prohibition.line
                        ),
                    };
                    found
                        .at(directive.span, message)
                        .help(
                            "permit crawling so that crawlers see it; search engines may list a page even if they \
                            may not crawl it",
                        )
                        .related(context.name(prohibition.document), prohibition.span, "prohibits crawling the page");
                }
            }
        });
    }
}

/// Reports a directive that permits what another tag or header restricts. Restrictions add up, and no directive lifts a
/// restriction.
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
                        format!(
                            "`{directive}` has no effect: `{usage}` is prohibited by `{}`, which no directive can \
                             lift",
                            excerpt(&winner.text)
                        ),
                    )
                    .help("restrictions from all tags and headers add up; remove the directive that you do not want")
                    .related(context.name(winner.document), winner.span, "prohibits it");
            }
        }
    });
}

/// Reports an ACAP permission for a usage that a directive in a META tag or header prohibits.
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
                    .at(
                        lost.statement.span,
                        format!(
                            "this permission (`{text}`) has no effect: `{directive}` \
                        prohibits the same usage, and no permission can lift that"
                        ),
                    )
                    .help("remove the one that you do not want")
                    .related(context.name(winner.document), winner.span, "prohibits it");
            }
        }
    });
}

/// Reports a META tag that permits crawling a page, although robots.txt prohibits it.
pub(crate) fn ineffective_crawl_permission(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    let url = context.url.unwrap_or("/");
    let crawler = unnamed_crawler();
    let explanation =
        byleave::analysis::explain_unchecked(context.site, &ProposedUse::new(url, &crawler, &Usage::Crawl));
    for lost in explanation.considered.iter().filter(|lost| lost.statement.document == document) {
        if let (LostTo::AfterTheFact(_), Some(winner)) = (lost.by, lost.to.as_ref()) {
            found
                .at(
                    lost.statement.span,
                    format!(
                        "this permission has no effect: line {} of robots.txt prohibits crawling, and crawlers read \
                         robots.txt first",
                        winner.line
                    ),
                )
                .help("permit crawling in robots.txt, or remove this tag")
                .related(context.name(winner.document), winner.span, "prohibits it");
        }
    }
}

/// Reports a response with both `Robots-Tag` and `X-Robots-Tag`, because the restrictions in both apply.
pub(crate) fn two_robots_headers(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    if document != byleave::analysis::HEADERS {
        return;
    }
    let line = |name: &[u8]| context.headers?.lines().find(|line| line.name.eq_ignore_ascii_case(name));
    if let (Some(new), Some(old)) = (line(b"Robots-Tag"), line(b"X-Robots-Tag")) {
        found
            .at(
                old.span,
                "this response also has `Robots-Tag`: the restrictions in both headers apply, but most \
                crawlers read only `X-Robots-Tag`",
            )
            .help("state the same restrictions in both headers")
            .related(context.name(document), new.span, "the other header");
    }
}

/// Calls `visit` for each usage and crawler: each crawler that the response names, and one that it does not name.
fn each_crawler_and_usage(context: &ResponseContext<'_>, url: &str, mut visit: impl FnMut(&Explanation<'_>)) {
    for (_, crawler) in context.crawlers() {
        each_usage(context, url, &crawler, &mut visit);
    }
}

/// Calls `visit` with the explanation for each usage except crawling.
fn each_usage(context: &ResponseContext<'_>, url: &str, crawler: &Crawler, mut visit: impl FnMut(&Explanation<'_>)) {
    for usage in Usage::NAMED.iter().filter(|usage| **usage != Usage::Crawl) {
        visit(&byleave::analysis::explain_unchecked(context.site, &ProposedUse::new(url, crawler, usage)));
    }
}

/// Returns whether the restriction names crawlers while the permission is for everyone. Then the restriction is an
/// intended exception.
fn is_exception(restriction: &Statement<'_>, permission: &Statement<'_>) -> bool {
    restriction.addressee == Addressee::Named && permission.addressee == Addressee::Any
}

fn is_directive(statement: &Statement<'_>) -> bool {
    statement.dialect == Dialect::RobotsDirectives
}

#[cfg(test)]
mod tests {
    use crate::{LintInput, ResponseInput, Selection, lint};

    #[test]
    fn a_restriction_for_one_crawler_and_a_permission_for_all_is_an_exception() {
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
        let expected = "`newsbot` never sees `noindex`: line 2 of robots.txt prohibits it from crawling this page";
        assert_eq!(messages, [expected]);
    }
}
