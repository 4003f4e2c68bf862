//! `byleave matrix`: crawlers by usages in one table a resource, as text, Markdown, HTML or JSON.
//!
//! Every cell is the engine's answer, as `byleave_review` puts it together. What a cell says in a line is in `notes`;
//! each format has a file of its own.

mod html;
mod markdown;
mod notes;
mod text;

use crate::Failure;
use crate::arguments::{self, Asked as Resources, MatrixFormat, Unstated};
use crate::output::{Output, escaped};
use crate::question::{self, resources};
use crate::site::{Files, Names, ResponseFiles, unwritable};
use byleave::{Evidence, UnstatedDefault, Usage};
use byleave_review::matrix::{Matrix, MatrixQuestions, MatrixReport};
use std::fs::File;
use std::io::Write;

/// What is asked about where no usage is named: fetching, finding, quoting, keeping, and what AI does.
const USAGES: [Usage; 6] =
    [Usage::Crawl, Usage::Index, Usage::PresentSnippet, Usage::Preserve, Usage::AiInput, Usage::TrainAi];

/// More answers than these are no table that anybody reads.
const MOST_CELLS: usize = 20_000;

/// A matrix with what its formats show beside it.
pub struct Shown<'m> {
    /// The answers.
    pub matrix: &'m Matrix,
    /// The questions.
    pub asked: &'m MatrixQuestions,
    /// The evidence.
    pub evidence: &'m Evidence<'m>,
    /// Where it was read from.
    pub names: &'m Names,
}

/// Reads the site, asks for every cell, and writes the table.
pub fn matrix(given: arguments::Matrix, files: &mut Files, out: &mut Output<'_>) -> Result<(), Failure> {
    let site = question::site(&given.site, &given.reading, files)?;
    let response = ResponseFiles::read(given.response, crate::PAGE_REMEDY, files)?;
    let urls = resources(Resources { resources: given.resources, urls: given.urls }, files)?;
    if urls.len() > 1 && !response.is_empty() {
        return Err(Failure::new("a page or response is of one resource; ask about one URL at a time"));
    }
    let site = site.with_response(response);
    site.warn_of_broken(given.reading.reading);
    let evidence = &site.evidence(given.reading.reading);
    let mut asked = match (given.all_crawlers, &given.crawler[..]) {
        (true, _) => MatrixQuestions::of_all(evidence),
        (false, []) => MatrixQuestions::new(evidence),
        (false, names) => MatrixQuestions::of_crawlers(names.iter().map(String::as_str)),
    };
    let usages: Vec<Usage> = given.usage.into_iter().flat_map(|usages| usages.0).collect();
    let usages = if usages.is_empty() { USAGES.to_vec() } else { usages };
    asked = usages.into_iter().fold(asked, MatrixQuestions::of);
    for url in urls {
        if !asked.urls.contains(&url) {
            asked.urls.push(url);
        }
    }
    asked.at = given.at;
    asked.purposes = given.purpose;
    asked.unstated = match given.unstated {
        Unstated::Permit => UnstatedDefault::Permit,
        Unstated::Prohibit => UnstatedDefault::Prohibit,
    };
    if asked.cells() > MOST_CELLS {
        let remedy = "name fewer crawlers, usages or URLs";
        return Err(Failure::new(format!("that is {} answers, and {MOST_CELLS} is the most; {remedy}", asked.cells())));
    }
    let matrix = Matrix::new(evidence, &asked);
    let shown_matrix = Shown { matrix: &matrix, asked: &asked, evidence, names: &site.names() };
    match &given.output {
        Some(path) => {
            let remedy = "--output takes a file that can be written";
            let file = File::create(path).map_err(|error| unwritable(path, &error, remedy))?;
            let mut out = Output::to(Box::new(file), false);
            shown_matrix.write(given.format, &mut out)?;
            out.flush().map_err(|error| unwritable(path, &error, remedy))
        }
        None => shown_matrix.write(given.format, out),
    }
}

impl Shown<'_> {
    fn write(&self, format: MatrixFormat, out: &mut Output<'_>) -> Result<(), Failure> {
        match format {
            MatrixFormat::Text => text::write(self, crate::output::width(), out)?,
            MatrixFormat::Markdown => markdown::write(self, out)?,
            MatrixFormat::Html => html::write(self, out)?,
            MatrixFormat::Json => {
                serde_json::to_writer(&mut *out, &MatrixReport::new(self.evidence, self.asked, self.matrix))
                    .map_err(std::io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    /// What the answers were made from, as the caller wrote it.
    fn sources(&self) -> String {
        let documents = self.evidence.documents().iter().map(|document| self.names.of(&document.name));
        let names: Vec<_> = documents.map(|name| escaped(name).into_owned()).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    }
}
