//! The questions about a file: crawlers that the file names, a crawler that it does not name, and URLs derived from the
//! file's patterns.

use crate::question::{is_any_of, lines, trimmed};
use byleave_bench::corpus::Numbers;

/// A crawler that no file names.
pub const UNNAMED: &str = "ByleaveUnknownCrawler";

/// The number of URLs per crawler.
const EACH: usize = 20;

/// Returns the crawlers and the paths to ask about. The result is the same in every run.
pub fn of(robots_txt: &[u8], seed: u64) -> Vec<(String, Vec<String>)> {
    let mut numbers = Numbers::new(seed);
    let patterns: Vec<String> = lines(robots_txt).filter_map(|line| pattern(line.content)).collect();
    let named = lines(robots_txt).filter_map(|line| line.agent()).filter_map(|name| {
        let name =
            std::str::from_utf8(name).ok()?.split(|letter: char| letter == '/' || letter.is_whitespace()).next()?;
        (!name.is_empty() && name != "*" && !name.contains(char::is_control)).then_some(name)
    });
    let named: Vec<&str> = named.collect();
    let mut crawlers = vec![UNNAMED.to_owned(), "Googlebot".to_owned()];
    if !named.is_empty() {
        crawlers.push(named[numbers.below(named.len())].to_owned());
    }
    let mut asked = |crawler| (crawler, (0..EACH).map(|_| path(&patterns, &mut numbers)).collect());
    crawlers.into_iter().map(&mut asked).collect()
}

/// Returns the pattern of a line that some engine might read as a rule.
fn pattern(line: &[u8]) -> Option<String> {
    let content = String::from_utf8_lossy(line.split(|byte| *byte == b'#').next()?).into_owned();
    let content = content.trim();
    let name = content.find([':', ' ', '\t'])?;
    let (name, value) = content.split_at(name);
    let is_rule = name.to_ascii_lowercase().contains("llow") || is_any_of(name.as_bytes(), &["disallaw", "alow"]);
    let value = String::from_utf8_lossy(trimmed(value.as_bytes())).into_owned();
    let value = value.strip_prefix(':').unwrap_or(&value).trim();
    let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
    (is_rule && !value.is_empty() && value.len() < 300).then_some(value)
}

/// Returns a path that a pattern matches, usually with small changes that may break the match.
fn path(patterns: &[String], numbers: &mut Numbers) -> String {
    const FILLING: [&str; 8] = ["", "", "a", "news", "/", "a/b", "*", "?q=1"];
    if numbers.below(40) == 0 {
        return ["/", "/robots.txt", "/index.html", "/?"][numbers.below(4)].to_owned();
    }
    let pattern = match patterns {
        [] => "/news/*.html$",
        patterns => patterns[numbers.below(patterns.len())].as_str(),
    };
    let mut path = String::new();
    let keeps_signs = numbers.below(12) == 0;
    let body = pattern.strip_suffix('$').filter(|_| !keeps_signs).unwrap_or(pattern);
    for letter in body.chars() {
        match letter {
            '*' if !keeps_signs => path.push_str(FILLING[numbers.below(FILLING.len())]),
            letter => path.push(letter),
        }
    }
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    disturbed(&path, numbers)
}

fn disturbed(path: &str, numbers: &mut Numbers) -> String {
    let mut letters: Vec<String> = path.chars().map(String::from).collect();
    let at = 1 + numbers.below(letters.len());
    let escape = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let is_sign = |text: &str| !text.chars().all(|letter| letter.is_alphanumeric());
    match numbers.below(14) {
        0 => letters.push(["x", "/x", ".html"][numbers.below(3)].to_owned()),
        1 => letters.push(["?a=b", "&a=b", "?"][numbers.below(3)].to_owned()),
        2 => letters.insert(0, ["/x", "/", "/x/y"][numbers.below(3)].to_owned()),
        3 if letters.len() > 1 => drop(letters.pop()),
        4 if at < letters.len() => letters[at] = escape(&letters[at]),
        5 if at < letters.len() => letters[at] = escape(&letters[at]).to_ascii_lowercase(),
        6 => letters.iter_mut().skip(1).filter(|text| is_sign(text)).for_each(|text| *text = escape(text)),
        7 if at < letters.len() => {
            letters[at] = if letters[at].to_lowercase() == letters[at] {
                letters[at].to_uppercase()
            } else {
                letters[at].to_lowercase()
            }
        }
        8 => return decoded(path).unwrap_or_else(|| path.to_owned()),
        9 if numbers.below(3) == 0 => letters.push("#top".to_owned()),
        10 => letters.insert(at, ["x", "\u{E9}"][numbers.below(2)].to_owned()),
        _ => {}
    }
    letters.concat()
}

/// Returns a path with its escapes decoded, if the result is text without control characters.
fn decoded(path: &str) -> Option<String> {
    let octets = crate::question::octets(path.as_bytes()).map(|octet| octet.value).collect();
    String::from_utf8(octets).ok().filter(|path| path.starts_with('/') && !path.contains(char::is_control))
}
