//! Seeds for fuzzing: inputs from the case files, and small changes to these inputs. The results are the same on every
//! machine.

use super::Target;
use crate::generate::Numbers;
use byleave::analysis::vocabulary::{AcapField, DIRECTIVES, Field, PROFILE_CLASSES, QUALIFIERS};
use byleave::{Reading, Usage};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the inputs for a target from the case files in a folder, without duplicates.
pub fn seeds(target: &Target, folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("there is a conformance suite");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let cases = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let texts = cases.map(|path| std::fs::read_to_string(path).expect("a case file"));
    let mut seeds = BTreeSet::new();
    for text in texts {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        seeds.extend(lines.filter_map(|line| (target.seed)(&serde_json::from_str(line).expect("a case is JSON"))));
    }
    seeds.into_iter().collect()
}

/// Returns words that parsers look for: the vocabulary of the dialects, and words that are typical of the formats.
pub fn words() -> BTreeSet<String> {
    let mut words: BTreeSet<String> = FORMS.iter().map(|form| (*form).to_owned()).collect();
    for field in Field::ALL {
        words.extend([field.name()].iter().chain(field.misspellings()).map(|name| format!("\n{name}: ")));
    }
    words.extend(AcapField::ALL.iter().map(|field| format!("\n{}: ", field.name())));
    for usage in Usage::NAMED {
        words.extend([usage.name()].iter().chain(usage.aliases()).map(|name| (*name).to_owned()));
        words.extend(["allow", "disallow"].map(|verb| format!("\nACAP-{verb}-{}: /", usage.name())));
    }
    words.extend(QUALIFIERS.iter().map(|qualifier| format!(" {}=", qualifier.name)));
    words.extend(DIRECTIVES.iter().flat_map(|word| [format!(", {}", word.name), format!(";{}", word.name)]));
    let marks = ["<!--noindex-->", "<!--/noindex-->", "<noindex>", "</noindex>", " data-nosnippet", " rel=ugc"];
    words.extend(marks.iter().map(|mark| (*mark).to_owned()));
    words.extend(["off: all", "off: index", "on: all"].iter().map(|kind| format!("<!--google{kind}-->")));
    words.extend(PROFILE_CLASSES.iter().map(|class| format!(" class=\"{}\"", class.name)));
    words.extend(Reading::ALL.iter().map(|reading| format!("\"reading\": \"{reading}\"")));
    words
}

const FORMS: [&str; 80] = [
    "\n===\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    ": ",
    "#",
    "*",
    "$",
    "/*",
    "*$",
    "%2A",
    "%24",
    "%2f",
    "%61",
    "%E3%83%84",
    "\u{FEFF}",
    "ツ",
    "\0",
    "/robots.txt",
    "https://site.example/",
    "User-agent: *\n",
    "ACAP-crawler: *\n",
    "##ACAP version=1.1\n",
    "the-acap:resource-set:",
    "(",
    ")",
    "until-recrawled",
    "3-days",
    "20-words",
    "9-chars",
    "2026-01-01",
    "Wed, 03 Dec 2025 13:09:53 GMT",
    "X-Robots-Tag: ",
    "Robots-Tag: ",
    "HTTP/1.1 200 OK\n",
    "=?1",
    "=?0",
    "\"",
    "\\",
    "<meta name=robots content=\"",
    "<meta name=ACAP content=\"",
    "<html>",
    "<head>",
    "</head>",
    "<body>",
    "<template>",
    "</template>",
    "<noscript>",
    "<table>",
    "<tr>",
    "<td>",
    "<svg>",
    "<math>",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "&amp;",
    "&#105;",
    "<p id=a class=\"the-acap:disallow-index\">",
    "<a rel=nofollow href=/a>",
    "train-ai=n, ",
    "=y",
    "ai-train=no, ",
    "use=reference",
    "tdm-reservation: 1\n",
    "\"tdm-reservation\": 1",
    "\"location\": \"/\"",
    "[{",
    "}]",
    "</license>",
    "<permits type=\"usage\">all</permits>",
    "<prohibits type=\"usage\">ai-train</prohibits>",
    " xmlns=\"https://rslstandard.org/rsl\"",
    "<![CDATA[",
    "datatrainingallowed=yes\n",
    "; rel=license; type=application/rsl+xml",
];

/// Returns one of the seeds with a few changes.
pub fn changed(numbers: &mut Numbers, seeds: &[Vec<u8>], words: &[String]) -> Vec<u8> {
    let mut input = seeds[numbers.below(seeds.len())].clone();
    for _ in 0..1 + numbers.below(4) {
        let at = numbers.below(input.len() + 1);
        let end = at + numbers.below((input.len() - at).min(40) + 1);
        match numbers.below(8) {
            0 => drop(input.drain(at..end)),
            1 => input.extend_from_within(at..end),
            2 if at < input.len() => input[at] ^= 1 << numbers.below(8),
            3 if at < input.len() => input[at] = numbers.pick(&[0, 0xFF, b'\n', b' ', b'"', b'<', b'*', b':', b';']),
            4 => drop(input.splice(at..end, words[numbers.below(words.len())].bytes())),
            5 => drop(input.splice(at..at, words[numbers.below(words.len())].bytes())),
            6 => {
                let other = &seeds[numbers.below(seeds.len())];
                let from = numbers.below(other.len() + 1);
                let length = numbers.below((other.len() - from).min(200) + 1);
                input.splice(at..end, other[from..from + length].iter().copied());
            }
            _ => input.truncate(at.max(input.len() / 2)),
        }
    }
    input
}
