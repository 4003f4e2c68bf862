//! What is linted together: the robots.txt of a site, the files it refers to, and responses of its pages.
//!
//! Each document is looked at once. Rules about robots.txt see it alone; rules about a response see it with the
//! robots.txt of its site, so that what one says can be held against the other.

use crate::catalogue::{Check, RULES};
use crate::finding::{Finding, Findings};
use crate::ignore::Ignores;
use crate::look::{OfResponse, OfRobotsTxt};
use crate::mend::keep_what_holds;
use crate::rules;
use crate::saved::Saved;
use crate::selection::Selection;
use byleave::diagnostic::{Code, Diagnostic};
use byleave::{Document, Evidence, HEADERS, Headers, PAGE, ROBOTS_TXT, Reading};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A site, as far as its documents are given.
#[derive(Clone, Debug, Default)]
pub struct Site<'t> {
    robots_txt: Option<(String, &'t [u8])>,
    references: Vec<Reference<'t>>,
    responses: Vec<Response<'t>>,
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
pub struct Response<'t> {
    url: Option<String>,
    saved: Option<Saved<'t>>,
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

impl<'t> Site<'t> {
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
    pub fn with_response(mut self, response: Response<'t>) -> Self {
        self.responses.push(response);
        self
    }
}

impl<'t> Response<'t> {
    /// Nothing of it yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A response as it was saved, headers and page in one file, shown under this name.
    #[must_use]
    pub fn saved(name: impl Into<String>, bytes: &'t [u8]) -> Self {
        let read = Headers::read(bytes);
        let saved = Saved::new(name.into(), bytes, &read);
        let response = Self::new().with_headers(saved.name_of_headers(), read.headers);
        let response = match bytes.get(read.body..) {
            Some(page) if !page.is_empty() => response.with_page(saved.name_of_page(), page),
            _ => response,
        };
        Self { saved: Some(saved), ..response }
    }

    /// The same, saved with its page still in chunks, which come to this one. Places in it are its own.
    #[must_use]
    pub fn with_joined_page(self, page: &'t [u8]) -> Self {
        match self.saved.as_ref().map(Saved::name_of_page) {
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
pub fn lint<'t>(site: &Site<'t>, selection: &Selection) -> Vec<LintedDocument<'t>> {
    let mut documents = find(site, selection);
    if let (Some(text), Some(document)) = (site.robots_txt_text(), documents.first_mut()) {
        keep_what_holds(text, &site.references(), &mut document.findings);
    }
    documents
}

/// The same with every fix that a rule knows, whether it holds or not.
pub(crate) fn find<'t>(site: &Site<'t>, selection: &Selection) -> Vec<LintedDocument<'t>> {
    let mut documents = Vec::new();
    if let Some((name, text)) = &site.robots_txt {
        let evidence = site.evidence(Reading::Default);
        let mut found = by_document(noticed(evidence.diagnostics(), selection));
        let mut findings = found.remove(ROBOTS_TXT).unwrap_or_default();
        let look = OfRobotsTxt::new(name, text, &evidence);
        findings.retain(|finding| !rules::is_own_name(&look, finding));
        for finding in &mut findings {
            if let Check::Noticed(code) = finding.rule.check {
                finding.fix = rules::mending::fix(&look, code, finding.span);
            }
        }
        for rule in RULES.iter().filter(|rule| selection.counts(rule)) {
            if let Check::RobotsTxt(_, check) = rule.check {
                let mut found = Findings::of(rule);
                check(&look, &mut found);
                findings.extend(found.into_vec());
            }
        }
        let mut ignores = Ignores::of(look.tree());
        findings.retain(|finding| !ignores.is_quiet(finding));
        findings.extend(rules::needless_ignores(&ignores, selection));
        documents.push(LintedDocument { name: name.clone(), text: Cow::Borrowed(*text), findings });
        site.add_references(found, &mut documents);
    } else if !site.references.is_empty() {
        let evidence = site.evidence(Reading::Default);
        site.add_references(by_document(noticed(evidence.diagnostics(), selection)), &mut documents);
    }
    for response in &site.responses {
        let mut of_response = Vec::new();
        response.lint(site, selection, &mut of_response);
        documents.extend(match &response.saved {
            Some(saved) => saved.joined(of_response),
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

impl<'t> Site<'t> {
    /// The text of its robots.txt.
    pub(crate) fn robots_txt_text(&self) -> Option<&'t [u8]> {
        self.robots_txt.as_ref().map(|(_, text)| *text)
    }

    /// Its robots.txt with another text, the files that it refers to, and no responses.
    pub(crate) fn robots_txt_alone<'o>(&self, text: &'o [u8]) -> Site<'o>
    where
        't: 'o,
    {
        let name = self.robots_txt.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        Site { robots_txt: Some((name, text)), references: self.references.clone(), responses: Vec::new() }
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

impl<'t> Response<'t> {
    fn lint(&self, site: &Site<'t>, selection: &Selection, documents: &mut Vec<LintedDocument<'t>>) {
        let mut evidence = site.evidence(Reading::Default);
        if let Some((_, headers)) = &self.headers {
            evidence = evidence.with_headers(headers.clone());
        }
        if let Some((_, page)) = &self.page {
            evidence = evidence.with_page(page);
        }
        let mut found = by_document(noticed(evidence.diagnostics(), selection));
        let names = [
            (ROBOTS_TXT, site.robots_txt.as_ref().map(|(name, _)| name.as_str())),
            (HEADERS, self.headers.as_ref().map(|(name, _)| name.as_str())),
            (PAGE, self.page.as_ref().map(|(name, _)| name.as_str())),
        ];
        let look =
            OfResponse::new(&evidence, self.url.as_deref(), self.headers.as_ref().map(|(_, headers)| headers), names);
        for rule in RULES.iter().filter(|rule| selection.counts(rule)) {
            if let Check::Response(_, check) | Check::NoticedOrFound(_, check) = rule.check {
                for document in [HEADERS, PAGE] {
                    let mut findings = Findings::of(rule);
                    check(&look, document, &mut findings);
                    found.entry(document.to_owned()).or_default().extend(findings.into_vec());
                }
            }
        }
        if let Some((name, headers)) = &self.headers {
            let mut findings = found.remove(HEADERS).unwrap_or_default();
            suggest_words(&mut findings, headers.text());
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
            suggest_words(&mut findings, &text);
            documents.push(LintedDocument { name: name.clone(), text, findings });
        }
    }
}

/// What the engine noticed, as findings of the rules that stand for its codes, with the document of each.
fn noticed<'d>(
    diagnostics: &'d [Diagnostic],
    selection: &Selection,
) -> impl Iterator<Item = (&'d str, Finding)> + use<'d> {
    let is_of = |check: &Check, code: Code| matches!(check, Check::Noticed(known) | Check::NoticedOrFound(known, _) if *known == code);
    let rule = |code: Code| RULES.iter().find(|rule| is_of(&rule.check, code));
    let by_code: BTreeMap<Code, _> = Code::ALL
        .iter()
        .filter_map(|code| Some((*code, rule(*code)?)))
        .filter(|(_, rule)| selection.counts(rule))
        .collect();
    diagnostics.iter().filter_map(move |diagnostic| {
        let mut found = Findings::of(by_code.get(&diagnostic.code)?);
        let told = found.at(diagnostic.span, &diagnostic.message);
        if let Some(help) = &diagnostic.help {
            told.help(help);
        }
        Some((diagnostic.document.as_str(), found.into_vec().pop()?))
    })
}

/// Adds to each unknown word the one that it nearly is.
fn suggest_words(findings: &mut [Finding], text: &[u8]) {
    for finding in findings {
        if matches!(finding.rule.check, Check::Noticed(Code::UnknownWord)) {
            rules::misspelt::suggest_word(finding, text);
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
