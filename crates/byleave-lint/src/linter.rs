//! Runs the catalogue's rules on the documents in an input.
//!
//! Rules about robots.txt see only that file. Rules about a response also see the site's robots.txt, so they can
//! compare the two. Fixes that change more than they declare are removed before the findings are returned (`fix`).

use crate::catalogue::{RULES, RuleCheck};
use crate::context::{ResponseContext, RobotsTxtContext};
use crate::finding::{Finding, Findings};
use crate::fix::drop_unsound_fixes;
use crate::ignore::IgnoreComments;
use crate::input::{LintInput, ReferencedFile, ResponseInput};
use crate::rules;
use crate::selection::Selection;
use byleave::analysis::{HEADERS, PAGE, ROBOTS_TXT};
use byleave::diagnostic::{Code, Diagnostic};
use byleave::{Document, Reading};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A document and its findings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LintedDocument<'t> {
    /// The name that the input gives to the document.
    pub name: String,
    /// The text that the spans of the findings point into.
    pub text: Cow<'t, [u8]>,
    /// The findings, in document order.
    pub findings: Vec<Finding>,
}

/// Lints every document in the input. Returns the documents in input order, each with its findings.
///
/// Every returned fix has been checked: it changes nothing that it does not declare. [`fix`](crate::fix()) applies
/// fixes.
///
/// Cost: for robots.txt, one decision per pair of rule and crawler name, and a comparison of the fixed file with the
/// original if there are fixes. Both have a limit. For other documents, linear in their length.
#[must_use]
pub fn lint<'t>(input: &LintInput<'t>, selection: &Selection) -> Vec<LintedDocument<'t>> {
    let mut documents = lint_with_unchecked_fixes(input, selection);
    if let (Some(text), Some(document)) = (input.robots_txt_text(), documents.first_mut()) {
        drop_unsound_fixes(text, &input.references(), &mut document.findings);
    }
    documents
}

/// Lints like `lint`, but keeps every fix that a rule proposes.
pub(crate) fn lint_with_unchecked_fixes<'t>(input: &LintInput<'t>, selection: &Selection) -> Vec<LintedDocument<'t>> {
    let mut documents = Vec::new();
    if let Some((name, text)) = &input.robots_txt {
        lint_robots_txt(input, name, text, selection, &mut documents);
    } else if !input.references.is_empty() {
        let site = input.site(Reading::Default).build();
        let found = by_document(findings_of_diagnostics(site.diagnostics(), selection));
        add_references(input, found, &mut documents);
    }
    for response in &input.responses {
        let mut of_response = Vec::new();
        lint_response(response, input, selection, &mut of_response);
        documents.extend(match &response.file {
            Some(file) => file.merged(of_response),
            None => of_response,
        });
    }
    for document in &mut documents {
        document.findings.sort_by(|one, other| (one.span, one.rule.code).cmp(&(other.span, other.rule.code)));
        // A fault that affects several usages needs only one correction, so it is reported once.
        document.findings.dedup_by(|one, other| (one.span, one.rule.code) == (other.span, other.rule.code));
    }
    documents
}

/// Lints robots.txt. Adds it, and the files that it refers to, to the documents.
fn lint_robots_txt<'t>(
    input: &LintInput<'t>,
    name: &str,
    text: &'t [u8],
    selection: &Selection,
    documents: &mut Vec<LintedDocument<'t>>,
) {
    let site = input.site(Reading::Default).build();
    let mut found = by_document(findings_of_diagnostics(site.diagnostics(), selection));
    let mut findings = found.remove(ROBOTS_TXT).unwrap_or_default();
    let context = RobotsTxtContext::new(name, text, &site);
    findings.retain(|finding| !rules::is_real_crawler_name(&context, finding));
    for finding in &mut findings {
        if let RuleCheck::Diagnostic(code) = finding.rule.check {
            finding.fix = rules::diagnostic_fixes::fix(&context, code, finding.span);
        }
    }
    for rule in RULES.iter().filter(|rule| selection.includes(rule)) {
        if let RuleCheck::RobotsTxt(_, check) = rule.check {
            let mut found = Findings::new(rule);
            check(&context, &mut found);
            findings.extend(found.into_vec());
        }
    }
    let mut ignores = IgnoreComments::of(context.tree());
    findings.retain(|finding| !ignores.suppresses(finding));
    findings.extend(rules::needless_ignores(&ignores, selection));
    documents.push(LintedDocument { name: name.to_owned(), text: Cow::Borrowed(text), findings });
    add_references(input, found, documents);
}

/// Adds the referenced files, each with its findings.
fn add_references<'t>(
    input: &LintInput<'t>,
    mut found: BTreeMap<String, Vec<Finding>>,
    documents: &mut Vec<LintedDocument<'t>>,
) {
    for ReferencedFile { location, name, text } in &input.references {
        let findings = found.remove(location.as_str()).unwrap_or_default();
        documents.push(LintedDocument { name: name.clone(), text: Cow::Borrowed(*text), findings });
    }
}

/// Lints a response together with its site's robots.txt. Adds the headers and the page to the documents.
fn lint_response<'t>(
    response: &ResponseInput<'t>,
    input: &LintInput<'t>,
    selection: &Selection,
    documents: &mut Vec<LintedDocument<'t>>,
) {
    let mut site = input.site(Reading::Default);
    if let Some((_, headers)) = &response.headers {
        site = site.with_headers(headers.clone());
    }
    if let Some((_, page)) = &response.page {
        site = site.with_page(&**page);
    }
    let site = site.build();
    let mut found = by_document(findings_of_diagnostics(site.diagnostics(), selection));
    let names = [
        (ROBOTS_TXT, input.robots_txt.as_ref().map(|(name, _)| name.as_str())),
        (HEADERS, response.headers.as_ref().map(|(name, _)| name.as_str())),
        (PAGE, response.page.as_ref().map(|(name, _)| name.as_str())),
    ];
    let headers = response.headers.as_ref().map(|(_, headers)| headers);
    let context = ResponseContext::new(&site, response.url.as_deref(), headers, names);
    for rule in RULES.iter().filter(|rule| selection.includes(rule)) {
        if let RuleCheck::Response(_, check) | RuleCheck::DiagnosticOrResponse(_, check) = rule.check {
            for document in [HEADERS, PAGE] {
                let mut findings = Findings::new(rule);
                check(&context, document, &mut findings);
                found.entry(document.to_owned()).or_default().extend(findings.into_vec());
            }
        }
    }
    if let Some((name, headers)) = &response.headers {
        let mut findings = found.remove(HEADERS).unwrap_or_default();
        suggest_directives(&mut findings, headers.text());
        documents.push(LintedDocument { name: name.clone(), text: headers.text().to_vec().into(), findings });
    }
    if let Some((name, page)) = &response.page {
        let mut findings = found.remove(PAGE).unwrap_or_default();
        let text = site.documents().iter().find(|document| document.name == PAGE).map(Document::text);
        // If the page was transcoded to UTF-8, spans point into the transcoded text.
        let text = match text {
            Some(text) if text != &**page => Cow::Owned(text.to_vec()),
            _ => page.clone(),
        };
        suggest_directives(&mut findings, &text);
        documents.push(LintedDocument { name: name.clone(), text, findings });
    }
}

/// Converts the engine's diagnostics to findings of the corresponding rules, each with the name of its document.
fn findings_of_diagnostics<'d>(
    diagnostics: &'d [Diagnostic],
    selection: &Selection,
) -> impl Iterator<Item = (&'d str, Finding)> + use<'d> {
    let is_of = |check: &RuleCheck, code: Code| matches!(check, RuleCheck::Diagnostic(known) | RuleCheck::DiagnosticOrResponse(known, _) if *known == code);
    let rule = |code: Code| RULES.iter().find(|rule| is_of(&rule.check, code));
    let by_code: BTreeMap<Code, _> = Code::ALL
        .iter()
        .filter_map(|code| Some((*code, rule(*code)?)))
        .filter(|(_, rule)| selection.includes(rule))
        .collect();
    diagnostics.iter().filter_map(move |diagnostic| {
        let mut found = Findings::new(by_code.get(&diagnostic.code)?);
        let finding = found.at(diagnostic.span, &diagnostic.message);
        if let Some(help) = &diagnostic.help {
            finding.help(help);
        }
        Some((diagnostic.document.as_str(), found.into_vec().pop()?))
    })
}

/// Adds a suggestion to each finding about an unknown directive: the known directive with the most similar spelling.
fn suggest_directives(findings: &mut [Finding], text: &[u8]) {
    for finding in findings {
        if matches!(finding.rule.check, RuleCheck::Diagnostic(Code::UnknownDirective)) {
            rules::misspelt::suggest_directive(finding, text);
        }
    }
}

fn by_document<'d>(findings: impl Iterator<Item = (&'d str, Finding)>) -> BTreeMap<String, Vec<Finding>> {
    let mut documents: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for (document, finding) in findings {
        documents.entry(document.to_owned()).or_default().push(finding);
    }
    documents
}
