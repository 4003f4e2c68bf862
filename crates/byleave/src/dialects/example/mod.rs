//! An invented dialect, compiled only for tests. It shows the parts of a dialect, and how much code a new dialect
//! needs.
//!
//! A site sends the header `Training-Choice: no` or `Training-Choice: yes`, or publishes `no` or `yes` as
//! `/training-choice.txt`. Any other text has no effect and is reported. CONTRIBUTING.md explains this file step by
//! step.

use super::conflict::all_count;
use super::preference::{Claims, Notes, Place, Preference, Preferences, with_contained};
use super::{DocumentParser, PreferenceDialect};
use crate::base::source::Location;
use crate::formats::http::{FieldLine, Headers};
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Switches;
use crate::model::{Carrier, Dialect, Usage};

/// The table row for this dialect.
pub(super) const DIALECT: PreferenceDialect = PreferenceDialect {
    headers: Some(add_headers),
    diagnose_header: Some(diagnose_header),
    locations: &["/training-choice.txt"],
    document: DocumentParser::Bytes(parse_document),
    ..PreferenceDialect::new(Dialect::Example, all_count)
};

const NAME: &str = "training-choice";

fn add_headers(preferences: &mut Preferences, headers: &Headers, _: &Switches) {
    for line in headers.named(NAME) {
        preferences.push_header_line(Dialect::Example, headers, &line, parse(line.value, &mut |_, _, _, _| {}));
    }
}

fn diagnose_header(line: &FieldLine<'_>, notes: Notes<'_>) {
    if line.name.eq_ignore_ascii_case(NAME.as_bytes()) {
        parse(line.value, notes);
    }
}

fn parse_document(document: usize, bytes: &[u8], _: &'static Switches, notes: Notes<'_>) -> Option<Preferences> {
    let mut preferences = Preferences::new(Carrier::Document, Some(document));
    let claims = parse(bytes, notes);
    if claims != Claims::default() {
        let at = Location { start: 0, end: bytes.len() as u32, line: 1, column: 1 };
        let place = Place::At(at, preferences.keep(bytes));
        preferences.push(Preference { dialect: Dialect::Example, group: None, path: None, claims, place });
    }
    Some(preferences)
}

fn parse(value: &[u8], notes: Notes<'_>) -> Claims {
    let training = with_contained(&[Usage::TrainAi]);
    match value.trim_ascii() {
        b"no" => Claims { prohibits: training, ..Claims::default() },
        b"yes" => Claims { permits: training, ..Claims::default() },
        other => {
            let message =
                format!("`{}` is neither `yes` nor `no`, so it has no effect", shown(other, (0, other.len())));
            notes(Code::BadPreference, (0, value.len()), message, "write `yes` or `no`");
            Claims::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Headers;
    use crate::decide::decide_unchecked;
    use crate::explain::explain_unchecked;
    use crate::model::crawler::Crawler;
    use crate::model::proposed_use::ProposedUse;
    use crate::model::reading::Reading;
    use crate::model::{Dialect, Outcome, Usage};
    use crate::site::{Document, Site};

    fn outcome(site: &Site<'_>) -> (Outcome, Option<(Dialect, u32)>) {
        let crawler = Crawler::named("AnyBot");
        let proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::TrainGenai);
        let explanation = explain_unchecked(site, &proposed);
        assert_eq!(explanation.decision, decide_unchecked(site, &proposed));
        let by = explanation.determined_by.first().map(|statement| (statement.dialect, statement.line));
        (explanation.decision.outcome, by)
    }

    #[test]
    fn a_row_of_the_table_is_enough_to_parse_decide_and_explain() {
        let site = || Site::builder(Reading::Default);
        let header = |value: &str| Headers::new().with("Server", "x").with("Training-Choice", value);
        let file = |text: &'static str| Document::new("/training-choice.txt", text);
        let by_example = |line| Some((Dialect::Example, line));
        assert_eq!(outcome(&site().with_headers(header("no")).build()), (Outcome::Prohibited, by_example(2)));
        assert_eq!(outcome(&site().with_headers(header("yes")).build()), (Outcome::Permitted, by_example(2)));
        assert_eq!(outcome(&site().with_document(file("no\n")).build()), (Outcome::Prohibited, by_example(1)));
        let both = site().with_document(file("yes")).with_headers(header("no")).build();
        assert_eq!(outcome(&both), (Outcome::Prohibited, by_example(2)));
    }

    #[test]
    fn what_cannot_be_read_is_reported_and_says_nothing() {
        let headers = Headers::new().with("Training-Choice", "maybe");
        let site = Site::builder(Reading::Default).with_headers(headers).build();
        assert_eq!(outcome(&site), (Outcome::Unstated, None));
        let messages: Vec<_> = site.diagnostics().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        assert_eq!(messages, ["`maybe` is neither `yes` nor `no`, so it has no effect"]);
    }

    #[test]
    fn its_document_is_one_of_the_well_known_ones() {
        assert!(
            crate::dialects::well_known_documents().any(|known| known == ("/training-choice.txt", Dialect::Example))
        );
    }
}
