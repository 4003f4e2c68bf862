//! Misspelt names: header fields and META tags of the AI-preference dialects, and directives in META tags and headers.

use crate::context::{ResponseContext, excerpt};
use crate::finding::{Finding, Findings};
use byleave::Limits;
use byleave::analysis::vocabulary::DIRECTIVES;
use byleave::analysis::{HEADERS, PAGE, html as page};

/// The header fields of the AI-preference dialects.
const FIELDS: [&str; 4] = ["Content-Usage", "Content-Signal", "TDM-Reservation", "TDM-Policy"];
/// The META tags of the AI-preference dialects.
const METAS: [&str; 2] = ["tdm-reservation", "tdm-policy"];

/// Reports an unknown header field or META tag whose name resembles a name from the AI-preference dialects. The engine
/// does not report such names.
pub(crate) fn misspelt_carrier(context: &ResponseContext<'_>, document: &str, found: &mut Findings) {
    if document == HEADERS {
        for line in context.headers.into_iter().flat_map(|headers| headers.lines()) {
            let name = String::from_utf8_lossy(line.name);
            if let Some(meant) = closest(&name, FIELDS) {
                let name = excerpt(line.name);
                found
                    .at(line.span, format!("unknown header `{name}`, which crawlers ignore"))
                    .help(format!("did you mean `{meant}`?"));
            }
        }
        return;
    }
    let Some(page) = context.site.documents().iter().find(|document| document.name == PAGE) else { return };
    if !page::is_html(page.text(), context.headers.and_then(|headers| headers.content_type())) {
        return;
    }
    page::head_metas(&page::decoded(page.text(), None, &Limits::default()), |tag| {
        let name = tag.name().unwrap_or_default();
        if let Some(meant) = closest(name.trim_ascii(), METAS) {
            let name = excerpt(name.as_bytes());
            found
                .at(tag.span(), format!("unknown META tag `{name}`, which crawlers ignore"))
                .help(format!("did you mean `{meant}`?"));
        }
    });
}

/// Adds a suggestion to a finding about an unknown directive: the known directive with the most similar spelling.
pub(crate) fn suggest_directive(finding: &mut Finding, text: &[u8]) {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let written = String::from_utf8_lossy(finding.span.of(text));
    // In a META tag the span covers the whole tag, so the directive is taken from the message, which quotes it.
    let mut words = written.split(|letter| !is_letter(letter)).filter(|word| !word.is_empty());
    let unknown = words.find(|word| finding.message.contains(&format!("`{word}`")));
    let meant = unknown.and_then(|word| closest(word, DIRECTIVES.iter().map(|word| word.name)));
    if let Some(meant) = meant.filter(|_| finding.help.is_none()) {
        finding.help = Some(format!("did you mean `{meant}`?"));
    }
}

/// Returns the name with the smallest edit distance to a word, if the distance is 1 or 2 and the word is long enough.
fn closest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let letters = word.len();
    let max_distance = (letters / 3).min(2);
    let candidates = names.into_iter().filter(|name| name.len().abs_diff(letters) <= max_distance);
    let (edit_distance, name) = candidates.map(|name| (edit_distance(word, name), name)).min()?;
    (1..=max_distance).contains(&edit_distance).then_some(name)
}

/// Returns how many letters must be inserted, removed or replaced to turn one word into the other, ignoring case.
///
/// Cost: O(a × b). Both words are short.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (number, from) in (1..).zip(a.bytes()) {
        let (mut left, mut diagonal) = (number, number - 1);
        for (to, above) in b.bytes().zip(row.iter_mut().skip(1)) {
            let changed = diagonal + usize::from(!from.eq_ignore_ascii_case(&to));
            let cost = changed.min(left + 1).min(*above + 1);
            diagonal = std::mem::replace(above, cost);
            left = cost;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LintInput, ResponseInput, Selection, lint};

    #[test]
    fn names_with_a_similar_spelling_are_suggested() {
        for (word, meant) in [
            ("Content-Usgae", Some("Content-Usage")),
            ("Content_Usage", Some("Content-Usage")),
            ("TDM-Reservaton", Some("TDM-Reservation")),
            ("content-usage", None),
            ("Content-Range", None),
            ("Content-Language", None),
            ("Content-Type", None),
        ] {
            assert_eq!(closest(word, FIELDS), meant, "{word}");
        }
    }

    fn findings(page: &str) -> Vec<(&'static str, String)> {
        let response = ResponseInput::stored("page.http", page.as_bytes());
        let documents = lint(&LintInput::new().with_response(response), &Selection::everything());
        let findings = documents.into_iter().flat_map(|document| document.findings);
        findings.map(|finding| (finding.rule.code, finding.help.unwrap_or_default())).collect()
    }

    #[test]
    fn misspelt_names_and_directives_of_a_response_are_reported() {
        let head = "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Usgae: train-ai=n\nX-Robots-Tag: noaii\n\n";
        let page =
            "<!DOCTYPE html><title>t</title><meta name=tdm_reservation content=1>\n<meta name=robots content=noaii>";
        let expected = [("C013", "did you mean `Content-Usage`?"), ("X018", "did you mean `noai`?")];
        let in_page = [("C013", "did you mean `tdm-reservation`?"), ("X018", "did you mean `noai`?")];
        let expected: Vec<_> =
            expected.iter().chain(&in_page).map(|(code, help)| (*code, (*help).to_owned())).collect();
        assert_eq!(findings(&format!("{head}{page}")), expected);
        let clean = "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Usage: train-ai=n\n\n<!DOCTYPE html><title>t</title>\
            <meta name=tdm-reservation content=1><meta name=description content=noaii>";
        assert_eq!(findings(clean), []);
    }
}
