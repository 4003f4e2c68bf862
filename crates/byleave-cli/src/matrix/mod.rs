//! `byleave matrix`: crawlers and usages in one table per resource, as text, Markdown, HTML or JSON.
//!
//! The crate `byleave-review` asks the engine and builds the tables. `notes` writes the lines that explain the cells,
//! and each format has a file of its own.

mod html;
mod markdown;
mod notes;
mod text;

use crate::Failure;
use crate::arguments::{self, MatrixFormat, ResourceOptions, Unstated};
use crate::output::{Output, escaped};
use crate::question::{self, resources};
use crate::site::{DocumentNames, FileReader, ResponseFiles, unwritable};
use byleave::{Site, UnstatedDefault, Usage};
use byleave_review::matrix::{Matrix, MatrixQuestions, MatrixReport};
use std::fs::File;
use std::io::Write;

/// The default usages: crawling, indexing, quoting, storing, and two uses by AI.
const USAGES: [Usage; 6] =
    [Usage::Crawl, Usage::Index, Usage::PresentSnippet, Usage::Preserve, Usage::AiInput, Usage::TrainAi];

/// The maximum number of answers. Nobody reads a larger table.
const MAX_CELLS: usize = 20_000;

/// A matrix, with the other values that the output formats need.
pub struct MatrixView<'m> {
    /// The answers.
    pub matrix: &'m Matrix,
    /// The questions.
    pub asked: &'m MatrixQuestions,
    /// The site.
    pub site: &'m Site<'m>,
    /// The names of the files that the site was read from.
    pub names: &'m DocumentNames,
}

/// Reads the site, decides every cell, and writes the tables.
pub fn matrix(given: arguments::Matrix, files: &mut FileReader, out: &mut Output<'_>) -> Result<(), Failure> {
    let documents = question::site(&given.site, &given.reading, files)?;
    let response = ResponseFiles::read(given.response, crate::PAGE_REMEDY, files)?;
    let urls = resources(ResourceOptions { resources: given.resources, urls: given.urls }, files)?;
    if urls.len() > 1 && !response.is_empty() {
        return Err(Failure::new("a page or response belongs to one resource; give only one URL"));
    }
    let documents = documents.with_response(response);
    documents.warn_malformed(given.reading.reading);
    let site = &documents.site(given.reading.reading);
    let mut asked = match (given.all_crawlers, &given.crawler[..]) {
        (true, _) => MatrixQuestions::of_all(site),
        (false, []) => MatrixQuestions::new(site),
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
    if asked.cells() > MAX_CELLS {
        let remedy = "name fewer crawlers, usages or URLs";
        return Err(Failure::new(format!(
            "the matrix has {} answers, but the limit is {MAX_CELLS}; {remedy}",
            asked.cells()
        )));
    }
    let matrix = Matrix::new(site, &asked);
    let shown_matrix = MatrixView { matrix: &matrix, asked: &asked, site, names: &documents.names() };
    match &given.output {
        Some(path) => {
            let remedy = "`--output` takes a writable file";
            let file = File::create(path).map_err(|error| unwritable(path, &error, remedy))?;
            let mut out = Output::to(Box::new(file), false);
            shown_matrix.write(given.format, &mut out)?;
            out.flush().map_err(|error| unwritable(path, &error, remedy))
        }
        None => shown_matrix.write(given.format, out),
    }
}

impl MatrixView<'_> {
    fn write(&self, format: MatrixFormat, out: &mut Output<'_>) -> Result<(), Failure> {
        match format {
            MatrixFormat::Text => text::write(self, crate::output::width(), out)?,
            MatrixFormat::Markdown => markdown::write(self, out)?,
            MatrixFormat::Html => html::write(self, out)?,
            MatrixFormat::Json => {
                serde_json::to_writer(&mut *out, &MatrixReport::new(self.site, self.asked, self.matrix))
                    .map_err(std::io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    /// Returns the names of the files that the answers come from, as the caller wrote them.
    fn sources(&self) -> String {
        let documents = self.site.documents().iter().map(|document| self.names.of(&document.name));
        let names: Vec<_> = documents.map(|name| escaped(name).into_owned()).collect();
        if names.is_empty() { "no documents".to_owned() } else { names.join(", ") }
    }
}
