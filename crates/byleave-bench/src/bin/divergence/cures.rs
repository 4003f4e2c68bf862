//! The cures. Each cure removes one cause of differences from a question and changes nothing else.
//!
//! A cure returns `None` if the question does not have the cause. After a cure, Byleave's verdict must be unchanged,
//! and the peer must agree with it. `classes.rs` checks both for every difference that a class explains.

use crate::engines::url;
use crate::question::{Edit, Line, MARK, Manner, Octet, Question, is_any_of, octets, trimmed};
use url::{Position, Url};

/// Removes lines with a misspelt field.
pub fn misspelt_field(question: &Question) -> Option<Question> {
    question.with_lines(|line| match line.field() {
        Some((name, _)) if is_any_of(name, MISSPELT) => Edit::Remove,
        _ => Edit::Keep,
    })
}

/// Removes lines in which the field name is followed by blanks but no colon.
pub fn missing_colon(question: &Question) -> Option<Question> {
    question.with_lines(|line| {
        let blanks = line.content.iter().take_while(|byte| is_blank(byte)).count();
        let content = line.content.get(blanks..).unwrap_or_default();
        let rest = FIELDS.iter().chain(MISSPELT).find_map(|word| after(content, word)).unwrap_or_default();
        let lacks_colon = rest.first().is_some_and(is_blank) && !trimmed(rest).starts_with(b":");
        if lacks_colon { Edit::Remove } else { Edit::Keep }
    })
}

/// Removes lines with `Crawl-delay`.
pub fn crawl_delay(question: &Question) -> Option<Question> {
    question.with_lines(|line| {
        let is_delay = CRAWL_DELAY.iter().any(|word| after(trimmed(line.content), word).is_some());
        if is_delay { Edit::Remove } else { Edit::Keep }
    })
}

/// Shortens names to their product tokens.
pub fn name_beyond_token(question: &Question) -> Option<Question> {
    question.with_lines(|line| {
        let Some(written) = line.agent() else { return Edit::Keep };
        let token = match written {
            [b'*'] | [b'*', b' ' | b'\t', ..] => b"*".as_slice(),
            _ => {
                let is_of_token = |byte: &&u8| byte.is_ascii_alphabetic() || b"_-".contains(byte);
                written.get(..written.iter().take_while(is_of_token).count()).unwrap_or_default()
            }
        };
        if token == written { Edit::Keep } else { Edit::Write([b"User-agent: ", token].concat()) }
    })
}

/// Escapes white space other than blanks and tabs. RFC 9309 has no other white space.
pub fn other_white_space(question: &Question) -> Option<Question> {
    with_escaped(question, |letter| letter.is_whitespace() && !matches!(letter, ' ' | '\t'))
}

/// Escapes white space outside ASCII.
pub fn wide_white_space(question: &Question) -> Option<Question> {
    with_escaped(question, |letter| letter.is_whitespace() && !letter.is_ascii())
}

/// Replaces NULs with another control character.
pub fn nul(question: &Question) -> Option<Question> {
    let robots_txt = question.robots_txt.iter().map(|byte| if *byte == 0 { 1 } else { *byte });
    let robots_txt: Vec<u8> = robots_txt.collect();
    (robots_txt != question.robots_txt).then(|| Question { robots_txt, ..question.clone() })
}

/// Replaces rules whose patterns begin with neither `/` nor `*` with an empty `Allow`.
pub fn pattern_without_slash(question: &Question) -> Option<Question> {
    question.with_lines(|line| match line.rule() {
        Some((_, [first, ..])) if !b"/*".contains(first) => Edit::Write(EMPTY.to_vec()),
        _ => Edit::Keep,
    })
}

/// Adds a `/` before all patterns and the path, so that no pattern begins with `*`.
pub fn pattern_from_star(question: &Question) -> Option<Question> {
    if !question.patterns().any(|pattern| pattern.starts_with(b"*")) || question.path == "/robots.txt" {
        return None;
    }
    let shifted = question.with_lines(|line| match line.rule() {
        Some((name, value)) if !value.is_empty() => Edit::Write(line.with_value(name, &[b"/", value].concat())),
        _ => Edit::Keep,
    })?;
    Some(Question { path: format!("/{}", question.path), ..shifted })
}

/// Decodes escapes of reserved octets. Decoding `%2A`, `%24` or `%23` would give a wildcard, an end or a comment, so
/// these are replaced by an octet that occurs nowhere else in the patterns and the path.
pub fn reserved_escape(question: &Question) -> Option<Question> {
    let is_mark = |octet: &Octet<'_>| b"*$#".contains(&octet.value);
    let has_mark = question.patterns().flat_map(octets).any(|octet| octet.is_escaped() && is_mark(&octet));
    let unused = if has_mark { Some(unused_octets(question)?) } else { None };
    question.respelt(|octet| match (octet.value, unused) {
        (b'*', Some([star, ..])) => Some(vec![star]),
        (b'$', Some([_, dollar, _])) => Some(vec![dollar]),
        (b'#', Some([.., hash])) => Some(vec![hash]),
        (b'#', None) => None,
        _ => (octet.is_escaped() && octet.is_reserved()).then(|| vec![octet.value]),
    })
}

/// Escapes ASCII octets that are neither reserved nor unreserved, and a `%` without digits.
pub fn unescaped_octet(question: &Question) -> Option<Question> {
    question.respelt(|octet| {
        let is_plain = octet.is_reserved() || octet.is_unreserved() || octet.is_escaped() || !octet.value.is_ascii();
        (!is_plain).then(|| octet.escaped())
    })
}

/// Decodes escapes of unreserved octets, and writes the other escapes in upper case.
pub fn unreserved_escape(question: &Question) -> Option<Question> {
    question.respelt(|octet| match octet.is_escaped() {
        true if octet.is_unreserved() => Some(vec![octet.value]),
        true => Some(octet.escaped()),
        false => None,
    })
}

/// If a `$` is inside a pattern, replaces it, and every `$` in the path, with an octet that occurs nowhere else.
pub fn inner_dollar(question: &Question) -> Option<Question> {
    let inner = |pattern: &[u8]| pattern.iter().rev().skip(1).any(|byte| *byte == b'$');
    if !question.patterns().any(inner) {
        return None;
    }
    let [_, dollar, _] = unused_octets(question)?;
    question.respelt(|octet| (octet.value == b'$').then(|| vec![dollar]))
}

/// Replaces an empty `Disallow` with an empty `Allow`. Like the `Disallow`, it ends a list of names.
pub fn empty_disallow(question: &Question) -> Option<Question> {
    question.with_lines(|line| match line.rule() {
        Some((name, b"")) if is_any_of(name, &["disallow"]) => Edit::Write(EMPTY.to_vec()),
        _ => Edit::Keep,
    })
}

/// Removes the rules in a file that has no `User-agent` line in any spelling.
pub fn no_names(question: &Question) -> Option<Question> {
    let robots_txt = question.robots_txt.strip_prefix(MARK).unwrap_or(&question.robots_txt);
    let mut lines = robots_txt.split(|byte| b"\r\n\0".contains(byte));
    let is_name = |line: &[u8]| {
        let rest = USER_AGENT.iter().find_map(|word| after(trimmed(line), word));
        rest.and_then(<[u8]>::first).is_some_and(|byte| is_blank(byte) || *byte == b':')
    };
    if lines.any(is_name) {
        return None;
    }
    question.with_lines(|line| if line.rule().is_some() { Edit::Remove } else { Edit::Keep })
}

/// Escapes the octets in a pattern that is not UTF-8.
pub fn pattern_not_utf_8(question: &Question) -> Option<Question> {
    question.with_lines(|line| match line.rule() {
        Some((name, value)) if std::str::from_utf8(value).is_err() => {
            let escape = |octet: Octet<'_>| match octet.value.is_ascii() {
                true => octet.written.to_vec(),
                false => octet.escaped(),
            };
            Edit::Write(line.with_value(name, &octets(value).flat_map(escape).collect::<Vec<u8>>()))
        }
        _ => Edit::Keep,
    })
}

/// Removes the fragment from the URL.
pub fn fragment(question: &Question) -> Option<Question> {
    let (path, _) = question.path.split_once('#')?;
    Some(Question { path: path.to_owned(), ..question.clone() })
}

/// Asks about the path instead of the URL, if parsing changes the URL.
pub fn url_parsed(question: &Question) -> Option<Question> {
    let parsed = Url::parse(&url(&question.path)).ok()?;
    let is_same = parsed[Position::BeforePath..] == question.path;
    (!is_same && question.manner == Manner::Usual).then(|| Question { manner: Manner::ByPath, ..question.clone() })
}

/// Uses the corrected matcher, in which new match positions replace the earlier positions.
pub fn places_met_again(question: &Question) -> Option<Question> {
    let has_wildcard = question.robots_txt.contains(&b'*') && question.manner == Manner::Usual;
    has_wildcard.then(|| Question { manner: Manner::Mended, ..question.clone() })
}

/// Removes the byte order mark.
pub fn byte_order_mark(question: &Question) -> Option<Question> {
    let robots_txt = question.robots_txt.strip_prefix(MARK)?.to_vec();
    Some(Question { robots_txt, ..question.clone() })
}

/// Removes lines that Google's parser reads neither as names nor as rules.
pub fn other_line(question: &Question) -> Option<Question> {
    question.with_lines(|line| match google_field(line) {
        Some((name, _)) if !is_googles(name) => Edit::Remove,
        _ => Edit::Keep,
    })
}

/// Removes blanks before a field without a colon.
pub fn blanks_before(question: &Question) -> Option<Question> {
    question.with_lines(|line| {
        let content = line.content.split(|byte| *byte == b'#').next().unwrap_or_default();
        let is_indented = matches!(content, [b' ' | b'\t', ..]) && !content.contains(&b':');
        if is_indented && !trimmed(content).is_empty() { Edit::Write(trimmed(content).to_vec()) } else { Edit::Keep }
    })
}

/// In patterns with a `%` that begins no escape, escapes octets outside ASCII and writes escapes in upper case, as
/// Google's parser does.
pub fn broken_escape(question: &Question) -> Option<Question> {
    let has_broken = |text: &[u8]| octets(text).any(|octet| octet.value == b'%' && !octet.is_escaped());
    question.with_lines(|line| match google_field(line) {
        Some((name, value)) if is_googles(name) && value.contains(&b'/') && has_broken(value) => {
            let write = |octet: Octet<'_>| match octet.is_escaped() || !octet.value.is_ascii() {
                true => octet.escaped(),
                false => octet.written.to_vec(),
            };
            Edit::Write(line.with_value(name, &octets(value).flat_map(write).collect::<Vec<u8>>()))
        }
        _ => Edit::Keep,
    })
}

/// Replaces characters outside ASCII in the URL with a control character. Google's parser escapes such characters in
/// patterns, so no pattern matches them.
pub fn octet_past_ascii(question: &Question) -> Option<Question> {
    let path: String = question.path.chars().map(|letter| if letter.is_ascii() { letter } else { '\u{1}' }).collect();
    (path != question.path).then(|| Question { path, ..question.clone() })
}

/// Ends lines at a NUL.
pub fn line_behind_nul(question: &Question) -> Option<Question> {
    question.with_lines(|line| match line.content.iter().position(|byte| *byte == 0) {
        Some(end) => Edit::Write(line.content.get(..end).unwrap_or_default().to_vec()),
        None => Edit::Keep,
    })
}

/// A line that ends a list of names and has no other effect.
const EMPTY: &[u8] = b"Allow:";
const FIELDS: &[&str] = &["user-agent", "allow", "disallow"];
const MISSPELT: &[&str] =
    &["user agent", "useragent", "alow", "allaw", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
const USER_AGENT: &[&str] = &["user-agent", "user agent", "useragent"];
const CRAWL_DELAY: &[&str] = &["crawl-delay", "crawl delay", "crawldelay"];

/// Returns the text after `word`, if the content begins with `word`, ignoring case.
fn after<'t>(content: &'t [u8], word: &str) -> Option<&'t [u8]> {
    let (start, rest) = content.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word.as_bytes()).then_some(rest)
}

/// Returns the question with the selected characters in its file escaped.
fn with_escaped(question: &Question, is_meant: impl Fn(char) -> bool) -> Option<Question> {
    question.with_lines(|line| match std::str::from_utf8(line.content) {
        Ok(text) if text.contains(&is_meant) => {
            let escape = |letter: char| letter.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
            let write = |letter| if is_meant(letter) { escape(letter) } else { String::from(letter) };
            Edit::Write(text.chars().map(write).collect::<String>().into_bytes())
        }
        _ => Edit::Keep,
    })
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns three octets that occur neither in a pattern nor in the path, and have no special meaning there.
fn unused_octets(question: &Question) -> Option<[u8; 3]> {
    let mut is_used = [false; 256];
    let path = question.path.as_bytes();
    for octet in question.patterns().flat_map(octets).chain(octets(path)) {
        is_used[usize::from(octet.value)] = true;
        octet.written.iter().for_each(|byte| is_used[usize::from(*byte)] = true);
    }
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~!+,;:@()".contains(byte);
    let mut unused = (0..=255u8).rev().filter(|byte| is_plain(byte) && !is_used[usize::from(*byte)]);
    Some([unused.next()?, unused.next()?, unused.next()?])
}

/// Returns the name and the value, split as in Google's parser.
fn google_field<'t>(line: &Line<'t>) -> Option<(&'t [u8], &'t [u8])> {
    if let Some(field) = line.field() {
        return Some(field);
    }
    let content = trimmed(line.content.split(|byte| *byte == b'#').next()?);
    let mut words = content.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next()) {
        (Some(name), Some(value), None) => Some((name, value)),
        _ => None,
    }
}

/// Returns whether Google's parser reads a field with this name as a user-agent or a rule. The parser checks only how
/// the name begins.
fn is_googles(name: &[u8]) -> bool {
    let is_not_googles = |word: &&&str| !["alow", "allaw"].contains(*word);
    FIELDS.iter().chain(MISSPELT).filter(is_not_googles).any(|word| after(name, word).is_some())
}
