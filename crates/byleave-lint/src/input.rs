//! What is linted together: the robots.txt of a site, the files it refers to, and responses of its pages.
//!
//! Each document is looked at once. Rules about robots.txt see it alone; rules about a response see it with the
//! robots.txt of its site, so that what one says can be held against the other.

use crate::catalogue::{RULES, RuleCheck};
use crate::context::{ResponseContext, RobotsTxtContext};
use crate::finding::{Finding, Findings};
use crate::fix::drop_unsound_fixes;
use crate::ignore::IgnoreComments;
use crate::rules;
use crate::selection::Selection;
use crate::stored_response::StoredResponse;
use byleave::diagnostic::{Code, Diagnostic};
use byleave::{Document, Evidence, HEADERS, Headers, PAGE, ROBOTS_TXT, Reading};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A site, as far as its documents are given.
#[derive(Clone, Debug, Default)]
pub struct LintInput<'t> {
    robots_txt: Option<(String, &'t [u8])>,
    references: Vec<Reference<'t>>,
    responses: Vec<ResponseInput<'t>>,
}

/// A file that robots.txt refers to.
#[derive(Clone, Debug)]
struct Reference<'t> {
    location: String,
    name: String,
    text: &'t [u8],
}

/// A page with its headers, or either alone.
#[derive(Clone, Debug, Default)]
pub struct ResponseInput<'t> {
    url: Option<String>,
    stored: Option<StoredResponse<'t>>,
    headers: Option<(String, Headers)>,
    page: Option<(String, &'t [u8])>,
}

/// A document, and what was found in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LintedDocument<'t> {
    /// Its name, as it was given.
    pub name: String,
    /// The text that spans are places of.
    pub text: Cow<'t, [u8]>,
    /// What was found, in the order of the document.
    pub findings: Vec<Finding>,
}

impl<'t> LintInput<'t> {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with its robots.txt, shown under this name.
    #[must_use]
    pub fn with_robots_txt(mut self, name: impl Into<String>, text: &'t [u8]) -> Self {
        self.robots_txt = Some((name.into(), text));
        self
    }

    /// The same with a file that robots.txt refers to, or that has its place at every site: the location it is referred to by, and the name it is shown
    /// under.
    #[must_use]
    pub fn with_reference(mut self, location: impl Into<String>, name: impl Into<String>, text: &'t [u8]) -> Self {
        self.references.push(Reference { location: location.into(), name: name.into(), text });
        self
    }

    /// The same with a response.
    #[must_use]
    pub fn with_response(mut self, response: ResponseInput<'t>) -> Self {
        self.responses.push(response);
        self
    }
}

impl<'t> ResponseInput<'t> {
    /// Nothing of it yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A response as it was saved, headers and page in one file, shown under this name.
    #[must_use]
    pub fn stored(name: impl Into<String>, bytes: &'t [u8]) -> Self {
        let read = Headers::read(bytes);
        let stored = StoredResponse::new(name.into(), bytes, &read);
        let response = Self::new().with_headers(stored.headers_name(), read.headers);
        let response = match bytes.get(read.body..) {
            Some(page) if !page.is_empty() => response.with_page(stored.page_name(), page),
            _ => response,
        };
        Self { stored: Some(stored), ..response }
    }

    /// The same, saved with its page still in chunks, which come to this one. Places in it are its own.
    #[must_use]
    pub fn with_dechunked_page(self, page: &'t [u8]) -> Self {
        match self.stored.as_ref().map(StoredResponse::page_name) {
            Some(name) => self.with_page(name, page),
            None => self,
        }
    }

    /// The same, which came from this URL, or from this path of the site.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// The same with its headers, shown under this name.
    #[must_use]
    pub fn with_headers(mut self, name: impl Into<String>, headers: Headers) -> Self {
        self.headers = Some((name.into(), headers));
        self
    }

    /// The same with its page, shown under this name.
    #[must_use]
    pub fn with_page(mut self, name: impl Into<String>, page: &'t [u8]) -> Self {
        self.page = Some((name.into(), page));
        self
    }
}

/// Looks at every document of a site. Gives them all, in the order given, each with what was found in it. A fix that
/// is offered holds: [`mend`](crate::mend()) makes no other.
///
/// Cost: for robots.txt one decision a rule and name that binds it, up to a limit, and where there are fixes, what it
/// takes to hold the file with them against the file without, up to another; else linear in the bytes.
#[must_use]
pub fn lint<'t>(input: &LintInput<'t>, selection: &Selection) -> Vec<LintedDocument<'t>> {
    let mut documents = find(input, selection);
    if let (Some(text), Some(document)) = (input.robots_txt_text(), documents.first_mut()) {
        drop_unsound_fixes(text, &input.references(), &mut document.findings);
    }
    documents
}

/// The same with every fix that a rule knows, whether it holds or not.
pub(crate) fn find<'t>(input: &LintInput<'t>, selection: &Selection) -> Vec<LintedDocument<'t>> {
    let mut documents = Vec::new();
    if let Some((name, text)) = &input.robots_txt {
        let evidence = input.evidence(Reading::Default);
        let mut found = by_document(findings_of_diagnostics(evidence.diagnostics(), selection));
        let mut findings = found.remove(ROBOTS_TXT).unwrap_or_default();
        let context = RobotsTxtContext::new(name, text, &evidence);
        findings.retain(|finding| !rules::is_own_name(&context, finding));
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
        documents.push(LintedDocument { name: name.clone(), text: Cow::Borrowed(*text), findings });
        input.add_references(found, &mut documents);
    } else if !input.references.is_empty() {
        let evidence = input.evidence(Reading::Default);
        input.add_references(by_document(findings_of_diagnostics(evidence.diagnostics(), selection)), &mut documents);
    }
    for response in &input.responses {
        let mut of_response = Vec::new();
        response.lint(input, selection, &mut of_response);
        documents.extend(match &response.stored {
            Some(stored) => stored.merged(of_response),
            None => of_response,
        });
    }
    for document in &mut documents {
        document.findings.sort_by(|one, other| (one.span, one.rule.code).cmp(&(other.span, other.rule.code)));
        // What is said of several usages at once is one thing to mend.
        document.findings.dedup_by(|one, other| (one.span, one.rule.code) == (other.span, other.rule.code));
    }
    documents
}

impl<'t> LintInput<'t> {
    /// The text of its robots.txt.
    pub(crate) fn robots_txt_text(&self) -> Option<&'t [u8]> {
        self.robots_txt.as_ref().map(|(_, text)| *text)
    }

    /// Its robots.txt with another text, the files that it refers to, and no responses.
    pub(crate) fn with_robots_txt_text<'o>(&self, text: &'o [u8]) -> LintInput<'o>
    where
        't: 'o,
    {
        let name = self.robots_txt.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        LintInput { robots_txt: Some((name, text)), references: self.references.clone(), responses: Vec::new() }
    }

    /// Location and text of the files that robots.txt refers to.
    pub(crate) fn references(&self) -> Vec<(&str, &'t [u8])> {
        self.references.iter().map(|file| (file.location.as_str(), file.text)).collect()
    }

    /// The files that robots.txt refers to, each with what was found in it.
    fn add_references(&self, mut found: BTreeMap<String, Vec<Finding>>, documents: &mut Vec<LintedDocument<'t>>) {
        for Reference { location, name, text } in &self.references {
            let findings = found.remove(location.as_str()).unwrap_or_default();
            documents.push(LintedDocument { name: name.clone(), text: Cow::Borrowed(*text), findings });
        }
    }

    /// Its robots.txt and the files it refers to, as evidence.
    fn evidence(&self, reading: Reading) -> Evidence<'t> {
        let evidence = match &self.robots_txt {
            Some((_, text)) => Evidence::of_robots_txt(text, reading),
            None => Evidence::new(reading),
        };
        let references = self.references.iter();
        references.fold(evidence, |evidence, file| evidence.with_document(Document::new(&file.location, file.text)))
    }
}

impl<'t> ResponseInput<'t> {
    fn lint(&self, input: &LintInput<'t>, selection: &Selection, documents: &mut Vec<LintedDocument<'t>>) {
        let mut evidence = input.evidence(Reading::Default);
        if let Some((_, headers)) = &self.headers {
            evidence = evidence.with_headers(headers.clone());
        }
        if let Some((_, page)) = &self.page {
            evidence = evidence.with_page(page);
        }
        let mut found = by_document(findings_of_diagnostics(evidence.diagnostics(), selection));
        let names = [
            (ROBOTS_TXT, input.robots_txt.as_ref().map(|(name, _)| name.as_str())),
            (HEADERS, self.headers.as_ref().map(|(name, _)| name.as_str())),
            (PAGE, self.page.as_ref().map(|(name, _)| name.as_str())),
        ];
        let context = ResponseContext::new(
            &evidence,
            self.url.as_deref(),
            self.headers.as_ref().map(|(_, headers)| headers),
            names,
        );
        for rule in RULES.iter().filter(|rule| selection.includes(rule)) {
            if let RuleCheck::Response(_, check) | RuleCheck::DiagnosticOrResponse(_, check) = rule.check {
                for document in [HEADERS, PAGE] {
                    let mut findings = Findings::new(rule);
                    check(&context, document, &mut findings);
                    found.entry(document.to_owned()).or_default().extend(findings.into_vec());
                }
            }
        }
        if let Some((name, headers)) = &self.headers {
            let mut findings = found.remove(HEADERS).unwrap_or_default();
            suggest_directives(&mut findings, headers.text());
            documents.push(LintedDocument { name: name.clone(), text: headers.text().to_vec().into(), findings });
        }
        if let Some((name, page)) = &self.page {
            let mut findings = found.remove(PAGE).unwrap_or_default();
            let text = evidence.documents().iter().find(|document| document.name == PAGE).map(Document::text);
            // A page that had to be transcoded to be read has its places there.
            let text = match text {
                Some(text) if text != *page => Cow::Owned(text.to_vec()),
                _ => Cow::Borrowed(*page),
            };
            suggest_directives(&mut findings, &text);
            documents.push(LintedDocument { name: name.clone(), text, findings });
        }
    }
}

/// What the engine noticed, as findings of the rules that stand for its codes, with the document of each.
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
        let reported = found.at(diagnostic.span, &diagnostic.message);
        if let Some(help) = &diagnostic.help {
            reported.help(help);
        }
        Some((diagnostic.document.as_str(), found.into_vec().pop()?))
    })
}

/// Adds to each unknown word the one that it nearly is.
fn suggest_directives(findings: &mut [Finding], text: &[u8]) {
    for finding in findings {
        if matches!(finding.rule.check, RuleCheck::Diagnostic(Code::UnknownWord)) {
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
