//! META, Robots-Tag and X-Robots-Tag directives as written (S-22, S-23).

use super::Question;
use super::directives::is_known;
use super::text::re;
use regex::Captures;

/// A directive as written, and its value.
pub type Directive = (String, Option<String>);

/// Reads a list of directives, separated by commas, semicolons, bars or blanks. A value follows a colon, an equals sign
/// or a blank. A negated permissive directive states nothing.
pub fn s23_list(text: &str) -> Vec<Directive> {
    let form = r"(?x)
        no\s+(?:index|follow|all|archive) | (?:index|follow|all|archive)\s*[:=]\s*(?:no|false)\b
        | (unavailable_after)\s*[:=]?\s*( \d{4}-\d\d-\d\d(?:t[^\s,;|]+)?
            | (?:[a-z]+,\s*)?\d\d?[\s-]+[a-z]{3}[\s-]+\d+(?:\s+[\d:]+(?:\s*(?:z|utc|gmt|[ecmp][sd]t|[+-]\d{4}))?)? )
        | (max-(?:snippet|image-preview|video-preview))\s*[:=\s]\s*([^\s,;|]+)
        | ([^\s,;|:=]+)";
    let word = |parts: Captures| {
        let first = |groups: &[usize]| groups.iter().find_map(|at| parts.get(*at)).map(|part| part.as_str().to_owned());
        (first(&[1, 3, 5]).unwrap_or_default(), first(&[2, 4]))
    };
    re(form).captures_iter(text).map(word).collect()
}

/// Returns the part of a value within the length limit. A longer value is cut at the last comma before the limit.
fn s22_within(text: &str) -> &str {
    const LIMIT: usize = 8_192;
    let comma = text.as_bytes().iter().take(LIMIT).rposition(|octet| *octet == b',').unwrap_or(0);
    if text.len() <= LIMIT { text } else { &text[..comma] }
}

/// Matches a token, a string, a boolean, a date or a number (RFC 9651), case-insensitively.
macro_rules! item {
    () => {
        r#"(?:[a-z*][!#$%&'*+.^_`|~:/a-z0-9-]*|"(?:[ !#-\[\]-~]|\\["\\])*"|\?[01]|@?-?[0-9]{1,15}(?:\.[0-9]{1,3})?)"#
    };
}

/// Returns the members that address the crawler, as written and with their directives. All header lines form one list.
/// A malformed member is dropped, and parsing continues after the next comma.
pub fn s23_robots_tag(question: &Question) -> Vec<(String, Vec<Directive>)> {
    let member = concat!(r"^[ \t]*((", item!(), r")((?:; *[a-z*][a-z0-9_.*-]*(?:=", item!(), r")?)*))[ \t]*(?:,|$)");
    let parameter = concat!(r"; *([a-z*][a-z0-9_.*-]*)(?:=(", item!(), "))?");
    let plain = |item: &str| item.trim_matches('"').replace('\\', "");
    let combined = question.header("Robots-Tag").collect::<Vec<&str>>().join(", ");
    let mut rest = s22_within(&combined);
    let mut found = Vec::new();
    while !rest.is_empty() {
        let Some(parts) = re(member).captures(rest) else {
            rest = rest.split_once(',').map_or("", |(_, rest)| rest);
            continue;
        };
        rest = &rest[parts[0].len()..];
        let name = plain(&parts[2]);
        let rules =
            re(parameter).captures_iter(&parts[3]).map(|own| (own[1].to_owned(), own.get(2).map(|own| own.as_str())));
        let rules = rules.filter(|(_, value)| *value != Some("?0")).map(|(name, value)| (name, value.map(plain)));
        let mut directives: Vec<Directive> = rules.collect();
        // Directives in place of a name apply to every crawler.
        let in_name = name.split([':', '|', ',', ' ']).filter(|part| !["", "*"].contains(part));
        let are_rules = in_name.clone().next().is_some() && in_name.clone().all(is_known);
        directives.extend(in_name.filter(|_| are_rules).map(|rule| (rule.to_owned(), None)));
        let is_name = parts[2].starts_with(|first: char| first.is_ascii_alphabetic() || "*\"".contains(first));
        if is_name && (are_rules || question.s35_level(&name, "robots").is_some()) {
            found.push((parts[1].to_owned(), directives));
        }
    }
    found
}

/// Returns the `X-Robots-Tag` lines, each with its directives for this crawler. A prefix such as `foobot:` applies
/// until the next prefix. The prefix `X-Robots-Tag:` means every crawler. The colons in `max-snippet: 5` and in a date
/// such as `25 Jun 2010 15:00:00` do not end a prefix.
pub fn s23_x_robots_tag(question: &Question) -> Vec<(String, Vec<Directive>)> {
    let of_line = |line: &str| {
        let (mut is_addressed, mut list) = (true, String::new());
        for segment in s22_within(line).split(',') {
            let prefix = re(r"^\s*([^:\d][^:]*?)\s*:(\s*[^\s\d].*)$").captures(segment);
            let prefix = prefix.filter(|parts| !is_known(&parts[1]));
            if let Some(parts) = &prefix {
                let is_field = parts[1].eq_ignore_ascii_case("X-Robots-Tag");
                is_addressed = is_field || question.s35_level(&parts[1], "robots").is_some();
            }
            if is_addressed {
                list = format!(
                    "{list},{}",
                    prefix.as_ref().map_or(segment, |parts| parts.get(2).map_or("", |rest| rest.as_str()))
                );
            }
        }
        (line.to_owned(), s23_list(&list))
    };
    question.header("X-Robots-Tag").map(of_line).collect()
}
