//! Where a page must be (S-27): `location=URI` against the URL, both normalised as RFC 3986 6.2.2 and 6.2.3 have
//! it.

use super::Question;
use super::statements::Statement;

/// Whether a permission is for other places than this one.
pub fn s27_is_misplaced(permission: &Statement, question: &Question) -> bool {
    let here = normalised(&question.url);
    let is_here = |location: &String| here.is_some() && normalised(location) == here;
    permission.permits && !permission.locations.is_empty() && !permission.locations.iter().any(is_here)
}

/// Without the permissions for other places, where another of the same addressee and purpose class is for this
/// one. All are of one usage, of one document and for one purpose.
pub fn s27_alternatives(statements: Vec<Statement>, question: &Question) -> Vec<Statement> {
    let has_alternative = |misplaced: &Statement| {
        statements.iter().any(|other| {
            let is_of_the_same =
                other.is_named == misplaced.is_named && other.is_purpose_specific() == misplaced.is_purpose_specific();
            let has_location = other.permits && !other.locations.is_empty();
            is_of_the_same && has_location && !s27_is_misplaced(other, question)
        })
    };
    let stays = |statement: &&Statement| !(s27_is_misplaced(statement, question) && has_alternative(statement));
    statements.iter().filter(stays).cloned().collect()
}

/// Scheme, host and port, path, query: the parts of a URL that tell one place from another. A fragment does not.
#[derive(Debug, PartialEq, Eq)]
struct Location {
    scheme: String,
    host: String,
    port: String,
    path: Vec<u8>,
    query: Option<Vec<u8>>,
}

fn normalised(url: &str) -> Option<Location> {
    let url = url.split('#').next().unwrap_or_default();
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let default_port = match scheme.as_str() {
        "http" => "80",
        "https" => "443",
        _ => "",
    };
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(with_plain_escapes(query))),
        None => (rest, None),
    };
    Some(Location {
        port: if port == default_port { String::new() } else { port.to_owned() },
        host: host.to_ascii_lowercase(),
        scheme,
        path: without_dot_segments(&with_plain_escapes(if path.is_empty() { "/" } else { path })),
        query,
    })
}

/// Escapes of unreserved octets decoded, others in upper case.
fn with_plain_escapes(text: &str) -> Vec<u8> {
    let octets = text.as_bytes();
    let mut plain = Vec::new();
    let mut at = 0;
    while at < octets.len() {
        let hex = |place: usize| octets.get(place).and_then(|octet| char::from(*octet).to_digit(16));
        match (octets[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                let octet = (high * 16 + low) as u8;
                match octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) {
                    true => plain.push(octet),
                    false => plain.extend(format!("%{octet:02X}").into_bytes()),
                }
                at += 3;
            }
            (octet, ..) => {
                plain.push(octet);
                at += 1;
            }
        }
    }
    plain
}

/// RFC 3986 5.2.4, for a path that begins with a slash.
fn without_dot_segments(path: &[u8]) -> Vec<u8> {
    let segments: Vec<&[u8]> = path.split(|octet| *octet == b'/').skip(1).collect();
    let mut kept: Vec<&[u8]> = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        let is_last = number + 1 == segments.len();
        match *segment {
            b"." if is_last => kept.push(b""),
            b"." => {}
            b".." => {
                kept.pop();
                if is_last {
                    kept.push(b"");
                }
            }
            other => kept.push(other),
        }
    }
    kept.iter().flat_map(|segment| [b"/", *segment].concat()).collect()
}
