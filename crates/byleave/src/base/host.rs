//! Hosts in http(s) URLs, in canonical form (WHATWG URL Standard, 3.5): domain names, IPv4 and IPv6 addresses.

use super::origin::ParseOriginError;
use core::net::{Ipv4Addr, Ipv6Addr};
use std::borrow::Cow;

/// Returns the canonical form of a host in a URL. A final dot is dropped.
///
/// Cost: O(host). A host in lower case without escapes or `xn--` labels is only checked byte by byte and copied.
pub(super) fn normalized(written: &str) -> Result<String, ParseOriginError> {
    if let Some(bracketed) = written.strip_prefix('[') {
        let address = bracketed.strip_suffix(']').and_then(|address| address.parse().ok());
        return address.map(ipv6_in_brackets).ok_or(ParseOriginError::InvalidHost);
    }
    let name = domain_name(written)?;
    if name.is_empty() {
        return Err(ParseOriginError::NoHost);
    }
    if ends_in_number(&name) {
        let address = parse_ipv4(&name).ok_or(ParseOriginError::InvalidHost)?;
        return Ok(address.to_string());
    }
    Ok(match name {
        Cow::Borrowed(name) => without_final_dot(name).to_owned(),
        Cow::Owned(mut name) => {
            name.truncate(without_final_dot(&name).len());
            name
        }
    })
}

/// Returns a host without its final dot. The hosts `.` and `a..` are unchanged, because their final dot does not follow
/// a name.
pub(super) fn without_final_dot(host: &str) -> &str {
    match host.strip_suffix('.') {
        Some(name) if !name.is_empty() && !name.ends_with('.') => name,
        _ => host,
    }
}

/// Returns a domain name in ASCII lower case.
fn domain_name(written: &str) -> Result<Cow<'_, str>, ParseOriginError> {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && !is_forbidden(byte);
    if written.bytes().all(is_plain) && !has_punycode(written.as_bytes()) {
        return Ok(Cow::Borrowed(written));
    }
    let decoded = percent_decoded(written.as_bytes());
    if !decoded.is_ascii() || cfg!(feature = "idna") && has_punycode(&decoded) {
        return to_ascii(&decoded).map(Cow::Owned);
    }
    if decoded.iter().copied().any(is_forbidden) {
        return Err(ParseOriginError::InvalidHost);
    }
    let lower = decoded.to_ascii_lowercase();
    String::from_utf8(lower).map(Cow::Owned).map_err(|_| ParseOriginError::InvalidHost)
}

/// Converts a domain name to ASCII (UTS #46, non-transitional).
#[cfg(feature = "idna")]
fn to_ascii(name: &[u8]) -> Result<String, ParseOriginError> {
    let ascii = idna::domain_to_ascii_cow(name, idna::AsciiDenyList::URL);
    ascii.map(Cow::into_owned).map_err(|_| ParseOriginError::InvalidHost)
}

#[cfg(not(feature = "idna"))]
fn to_ascii(_: &[u8]) -> Result<String, ParseOriginError> {
    Err(ParseOriginError::NeedsIdnaFeature)
}

/// Returns whether a label in the name begins with `xn--`. Such a label may be Punycode, which UTS #46 has to check.
fn has_punycode(name: &[u8]) -> bool {
    name.split(|byte| *byte == b'.')
        .any(|label| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--")))
}

/// Returns whether a domain name must not contain this byte ("forbidden domain code point" in the WHATWG URL Standard).
fn is_forbidden(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F || b"%#/:<>?@[\\]^|".contains(&byte)
}

/// Returns the bytes with each `%XX` replaced by its octet.
fn percent_decoded(written: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', written).is_none() {
        return Cow::Borrowed(written);
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut decoded = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        let escaped = match (first, after) {
            (b'%', &[high, low, ref after @ ..]) => digit(high).zip(digit(low)).map(|digits| (digits, after)),
            _ => None,
        };
        match escaped {
            Some(((high, low), after)) => {
                decoded.push(high << 4 | low);
                rest = after;
            }
            None => decoded.push(first),
        }
    }
    Cow::Owned(decoded)
}

/// Returns whether the last label in a name is a number. If it is, the name must be an IPv4 address.
fn ends_in_number(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_hexadecimal = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match last.strip_prefix("0x") {
        Some(digits) => is_hexadecimal(digits),
        None => !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// Parses an IPv4 address with one to four numbers. The last number fills all remaining octets, so `127.1` is
/// `127.0.0.1`.
fn parse_ipv4(name: &str) -> Option<Ipv4Addr> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let mut numbers = name.split('.').peekable();
    let (mut address, mut free_bits) = (0u32, 32u32);
    while let Some(number) = numbers.next() {
        let number = parse_ipv4_number(number)?;
        if numbers.peek().is_none() {
            return (u64::from(number) < 1 << free_bits).then(|| Ipv4Addr::from(address | number));
        }
        free_bits = free_bits.checked_sub(8).filter(|bits| *bits > 0)?;
        address |= u32::from(u8::try_from(number).ok()?) << free_bits;
    }
    None
}

/// Parses a number in an IPv4 address: hexadecimal after `0x`, octal after `0`, otherwise decimal.
fn parse_ipv4_number(digits: &str) -> Option<u32> {
    let (digits, radix) = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 8),
        (None, None) if digits.is_empty() => return None,
        (None, None) => (digits, 10),
    };
    if digits.is_empty() {
        return Some(0);
    }
    // `from_str_radix` would accept a sign.
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    is_number.then(|| u32::from_str_radix(digits, radix).ok()).flatten()
}

/// Returns an IPv6 address as written in URLs: with `::` in place of the longest run of zero groups, and without a
/// dotted IPv4 part. If several runs are equally long, `::` replaces the first.
fn ipv6_in_brackets(address: Ipv6Addr) -> String {
    let groups = address.segments();
    let mut longest = 0..0;
    let mut start = 0;
    for (number, group) in groups.iter().enumerate() {
        if *group != 0 {
            start = number + 1;
        } else if number + 1 - start > longest.len().max(1) {
            longest = start..number + 1;
        }
    }
    let hexadecimal = |groups: &[u16]| groups.iter().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":");
    let before = hexadecimal(groups.get(..longest.start).unwrap_or_default());
    let after = hexadecimal(groups.get(longest.end..).unwrap_or_default());
    if longest.is_empty() { format!("[{after}]") } else { format!("[{before}::{after}]") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv4_addresses_of_origins_have_one_form() {
        let of = |host: &str| normalized(host).ok();
        for host in ["127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0X7F.0x1", "2130706433", "0x7f000001", "017700000001"]
        {
            assert_eq!(of(host).as_deref(), Some("127.0.0.1"), "{host}");
        }
        assert_eq!(of("127.0.0.1.").as_deref(), Some("127.0.0.1"));
        assert_eq!(of("%30x").as_deref(), Some("0.0.0.0"));
        assert_eq!(of("4294967295").as_deref(), Some("255.255.255.255"));
        for host in
            ["256.1.1.1", "1.2.3.4.5", "4294967296", "1.2.3.256", "1.16777216", "08", "a.1", ".1", "1..1", "0xg.1"]
        {
            assert_eq!(normalized(host), Err(ParseOriginError::InvalidHost), "{host}");
        }
        for host in ["1.a", "0xg", "1..", "1e3", "1.2.3.4.."] {
            assert_eq!(of(host).as_deref(), Some(host), "{host}");
        }
    }

    #[test]
    fn ipv6_addresses_of_origins_are_compressed() {
        let of = |host: &str| normalized(host).ok();
        for (host, expected) in [
            ("[0:0:0:0:0:0:0:0]", "[::]"),
            ("[::0001]", "[::1]"),
            ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"),
            ("[1:0:0:2:3:0:0:4]", "[1::2:3:0:0:4]"),
            ("[1:0:2:3:4:5:6:7]", "[1:0:2:3:4:5:6:7]"),
            ("[ABCD::]", "[abcd::]"),
            ("[::1.2.3.4]", "[::102:304]"),
        ] {
            assert_eq!(of(host).as_deref(), Some(expected), "{host}");
        }
        for host in ["[]", "[:]", "[1]", "[::1%25eth0]", "[::g]", "[1::2::3]", "[::01.2.3.4]", "[%3A%3A1]"] {
            assert_eq!(normalized(host), Err(ParseOriginError::InvalidHost), "{host}");
        }
    }

    #[test]
    fn the_final_dot_of_an_origin_is_dropped() {
        let of = |host: &str| normalized(host).ok();
        assert_eq!(of("A.example.").as_deref(), Some("a.example"));
        assert_eq!(of("a..").as_deref(), Some("a.."));
        assert_eq!(of(".").as_deref(), Some("."));
        assert_eq!(of("%2E").as_deref(), Some("."));
        assert_eq!(of("a%2e").as_deref(), Some("a"));
    }

    #[cfg(feature = "idna")]
    #[test]
    fn international_names_of_origins_are_in_ascii() {
        let of = |host: &str| normalized(host).ok();
        assert_eq!(of("BÜCHER.example").as_deref(), Some("xn--bcher-kva.example"));
        assert_eq!(of("b%C3%BCcher.example").as_deref(), Some("xn--bcher-kva.example"));
        assert_eq!(of("XN--Bcher-KVA.example").as_deref(), Some("xn--bcher-kva.example"));
        assert_eq!(of("faß.example").as_deref(), Some("xn--fa-hia.example"), "non-transitional");
        assert_eq!(of("日本。example。").as_deref(), Some("xn--wgv71a.example"));
        assert_eq!(of("１２７.1").as_deref(), Some("127.0.0.1"));
        for host in ["xn--a", "\u{fffd}", "%FF", "a\u{ad}\u{300}א"] {
            assert_eq!(normalized(host), Err(ParseOriginError::InvalidHost), "{host}");
        }
    }
}
