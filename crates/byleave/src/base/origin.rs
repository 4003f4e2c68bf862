//! Origins: the part of a URL that one robots.txt applies to (RFC 9309, 2.3).
//!
//! The URL is split as in the WHATWG URL Standard, so that the origin is the one that a browser would connect to.
//! `host.rs` normalizes the host. The path is ignored here. `dialects/rfc9309` compares it with rules.

use super::host;
use std::fmt;
use std::str::FromStr;

/// A scheme, a host and a port, in canonical form.
///
/// URLs with the same origin share one robots.txt, so an origin is the key under which a crawler stores a policy. Two
/// spellings of the same origin are equal:
///
/// ```
/// use byleave::Origin;
/// let origin = Origin::parse("https://site.example/private/page?q=1#top")?;
/// assert_eq!(origin.to_string(), "https://site.example");
/// assert_eq!(origin.robots_txt(), "https://site.example/robots.txt");
/// assert_eq!(Origin::parse("HTTPS://user@Site.Example.:0443\\page")?, origin);
/// assert_ne!(Origin::parse("http://site.example/")?, origin);
/// # Ok::<(), byleave::ParseOriginError>(())
/// ```
///
/// The canonical form is that of the WHATWG URL Standard, except that the final dot of a host is dropped:
///
/// | part | canonical form |
/// |---|---|
/// | scheme | `http` or `https` |
/// | domain name | lower case, in ASCII (UTS #46, non-transitional), without its final dot |
/// | IPv4 address | four decimal numbers; `127.1`, `0x7f.1` and `2130706433` are all `127.0.0.1` |
/// | IPv6 address | in brackets, lower case, with the longest run of zeros as `::` |
/// | port | omitted if it is the scheme's default port |
///
/// User names and passwords are dropped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    port: Option<u16>,
}

impl Origin {
    /// Parses the origin of an absolute http(s) URL. The rest of the URL is ignored.
    ///
    /// Domain names that are not in ASCII need the Cargo feature `idna`, which is on by default. Without the feature,
    /// labels that begin with `xn--` are accepted without being checked.
    ///
    /// ```
    /// use byleave::{Origin, ParseOriginError};
    /// assert_eq!(Origin::parse("http://0x7f.1:8080/")?.to_string(), "http://127.0.0.1:8080");
    /// # #[cfg(feature = "idna")]
    /// assert_eq!(Origin::parse("https://Bücher.example/")?.host(), "xn--bcher-kva.example");
    /// assert_eq!(Origin::parse("/private/"), Err(ParseOriginError::NotHttp));
    /// # Ok::<(), ParseOriginError>(())
    /// ```
    ///
    /// Cost: O(URL). A host that is already canonical is only copied.
    ///
    /// # Errors
    ///
    /// Returns an error if this is not an absolute http(s) URL, or if its host or port is malformed.
    pub fn parse(url: &str) -> Result<Self, ParseOriginError> {
        let url = url.trim_matches(|letter| letter <= ' ');
        if memchr::memchr3(b'\t', b'\n', b'\r', url.as_bytes()).is_some() {
            Self::parse_trimmed(&url.replace(['\t', '\n', '\r'], ""))
        } else {
            Self::parse_trimmed(url)
        }
    }

    /// Parses a URL that has no surrounding blanks and contains no tabs or line ends.
    fn parse_trimmed(url: &str) -> Result<Self, ParseOriginError> {
        let (scheme, rest) = url.split_once(':').ok_or(ParseOriginError::NotHttp)?;
        let scheme = Scheme::named(scheme).ok_or(ParseOriginError::NotHttp)?;
        // Browsers treat `\` as `/`, and any number of slashes as two.
        let rest = rest.trim_start_matches(['/', '\\']);
        let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
        let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, after)| after);
        let (written, port) = split_port(host_and_port).ok_or(ParseOriginError::InvalidHost)?;
        let host = host::normalized(written)?;
        let port = match port {
            Some(digits) => parse_port(digits).ok_or(ParseOriginError::InvalidPort)?,
            None => None,
        };
        Ok(Self { scheme, host, port: port.filter(|port| *port != scheme.default_port()) })
    }

    /// Returns `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.scheme.name()
    }

    /// Returns the host: a domain name in ASCII, an IPv4 address, or an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port, or `None` if it is the scheme's default port.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the URL of the robots.txt that applies to this origin.
    ///
    /// ```
    /// use byleave::Origin;
    /// let origin = Origin::parse("https://site.example:8443/news/today")?;
    /// assert_eq!(origin.robots_txt(), "https://site.example:8443/robots.txt");
    /// # Ok::<(), byleave::ParseOriginError>(())
    /// ```
    #[must_use]
    pub fn robots_txt(&self) -> String {
        format!("{self}/robots.txt")
    }
}

impl fmt::Display for Origin {
    /// Writes `https://host` or `https://host:port`, which parses to the same origin.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.name(), self.host)?;
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Origin {
    type Err = ParseOriginError;

    fn from_str(url: &str) -> Result<Self, ParseOriginError> {
        Self::parse(url)
    }
}

/// The error for a text that is not a URL with an origin.
///
/// ```
/// use byleave::{Origin, ParseOriginError};
/// assert_eq!(Origin::parse("ftp://site.example/"), Err(ParseOriginError::NotHttp));
/// assert_eq!(Origin::parse("https://site.example:99999/"), Err(ParseOriginError::InvalidPort));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseOriginError {
    /// The text is not an absolute URL whose scheme is `http` or `https`.
    NotHttp,
    /// The URL has no host.
    NoHost,
    /// The host is not a valid domain name or IP address.
    InvalidHost,
    /// The port is not a number from 0 to 65535.
    InvalidPort,
    /// The host is not ASCII, and the crate was built without the `idna` feature.
    NeedsIdnaFeature,
}

impl fmt::Display for ParseOriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotHttp => "not an absolute http(s) URL such as https://site.example/",
            Self::NoHost => "the URL has no host",
            Self::InvalidHost => "the host is not a valid domain name or IP address",
            Self::InvalidPort => "the port is not a number from 0 to 65535",
            Self::NeedsIdnaFeature => "the host is not in ASCII; build byleave with its feature `idna`",
        })
    }
}

impl std::error::Error for ParseOriginError {}

/// ```
/// use byleave::Origin;
/// let uri: http::Uri = "http://Site.example:80/page".parse()?;
/// assert_eq!(Origin::try_from(&uri)?.to_string(), "http://site.example");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "http")]
impl TryFrom<&::http::Uri> for Origin {
    type Error = ParseOriginError;

    /// Returns the origin of an absolute URI.
    fn try_from(uri: &::http::Uri) -> Result<Self, ParseOriginError> {
        match (uri.scheme_str(), uri.authority()) {
            (Some(scheme), Some(authority)) => Self::parse(&format!("{scheme}://{authority}")),
            _ => Err(ParseOriginError::NotHttp),
        }
    }
}

/// ```
/// use byleave::Origin;
/// let url: url::Url = "https://user@site.example.:8443/page".parse()?;
/// assert_eq!(Origin::try_from(&url)?.to_string(), "https://site.example:8443");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "url")]
impl TryFrom<&::url::Url> for Origin {
    type Error = ParseOriginError;

    /// Returns the origin of an http(s) URL. The `url` crate has already normalized the host.
    fn try_from(url: &::url::Url) -> Result<Self, ParseOriginError> {
        let scheme = Scheme::named(url.scheme()).ok_or(ParseOriginError::NotHttp)?;
        let host = host::without_final_dot(url.host_str().ok_or(ParseOriginError::NoHost)?);
        Ok(Self { scheme, host: host.to_owned(), port: url.port() })
    }
}

/// The scheme of a URL. A site has separate robots.txt files for `http` and `https`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    fn named(name: &str) -> Option<Self> {
        [Self::Http, Self::Https].into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// Splits a host from the digits of its port. Returns `None` if the bracket of an IPv6 address is not closed, or if
/// anything other than a port follows the closing bracket.
fn split_port(written: &str) -> Option<(&str, Option<&str>)> {
    if !written.starts_with('[') {
        return Some(written.split_once(':').map_or((written, None), |(host, port)| (host, Some(port))));
    }
    let (host, after) = written.split_at_checked(written.find(']')? + 1)?;
    match after.strip_prefix(':') {
        Some(port) => Some((host, Some(port))),
        None => after.is_empty().then_some((host, None)),
    }
}

/// Parses a port. Returns `Some(None)` if the text is empty, and `None` if it is not a port.
fn parse_port(digits: &str) -> Option<Option<u16>> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if digits.is_empty() {
        return Some(None);
    }
    // `parse` accepts any number of leading zeros.
    digits.parse().ok().map(Some)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::collections::BTreeSet;

    fn shown(url: &str) -> Result<String, ParseOriginError> {
        Origin::parse(url).map(|origin| origin.to_string())
    }

    #[test]
    fn spellings_of_one_origin_are_equal() {
        let spellings = [
            "https://site.example",
            "https://site.example.",
            "HTTPS://SITE.EXAMPLE:443/",
            "https:site.example",
            "https:\\\\site.example\\page",
            "https:////site.example:/?q",
            "  https://site.example#top\u{1}",
            "ht\ttps://si\nte.exam\rple/a b",
            "https://user:pass@site.example/",
            "https://a@b@site.example:000443/",
            "https://%73ite.ex%61mple/",
        ];
        let origins: BTreeSet<Origin> = spellings.iter().map(|url| Origin::parse(url).unwrap()).collect();
        assert_eq!(origins.iter().map(Origin::to_string).collect::<Vec<_>>(), ["https://site.example"]);
    }

    #[test]
    fn other_schemes_hosts_and_ports_are_other_origins() {
        let urls = ["http://a.example", "https://a.example", "https://a.example:80", "https://b.example"];
        let origins: BTreeSet<Origin> = urls.iter().map(|url| Origin::parse(url).unwrap()).collect();
        assert_eq!(origins.iter().map(Origin::to_string).collect::<Vec<_>>(), [urls[0], urls[1], urls[2], urls[3]]);
    }

    #[test]
    fn parts_of_an_origin() {
        let origin: Origin = "http://[::FFFF:1.2.3.4]:08080/x".parse().unwrap();
        assert_eq!((origin.scheme(), origin.host(), origin.port()), ("http", "[::ffff:102:304]", Some(8080)));
        assert_eq!(origin.robots_txt(), "http://[::ffff:102:304]:8080/robots.txt");
        assert_eq!(Origin::parse("http://a:0").unwrap().port(), Some(0));
        assert_eq!(Origin::parse("http://a:443").unwrap().port(), Some(443));
    }

    #[test]
    fn malformed_urls_are_errors() {
        use ParseOriginError::{InvalidHost, InvalidPort, NoHost, NotHttp};
        for url in ["", "/", "//site.example/", "site.example", "ftp://site.example/", "httpss://a", "http"] {
            assert_eq!(shown(url), Err(NotHttp), "{url}");
        }
        for url in ["http://", "http:", "https://user@/", "https://:80/", "https:///?x"] {
            assert_eq!(shown(url), Err(NoHost), "{url}");
        }
        for url in
            ["http://a b/", "http://[::1", "http://[::1]a", "http://[1]", "http://a%", "http://a%25", "http://a]"]
        {
            assert_eq!(shown(url), Err(InvalidHost), "{url}");
        }
        for url in ["http://a:b", "http://a:65536", "http://a:1:2", "http://a:-1", "http://a:+1", "http://[::1]:x"] {
            assert_eq!(shown(url), Err(InvalidPort), "{url}");
        }
    }

    #[cfg(not(feature = "idna"))]
    #[test]
    fn without_the_feature_names_outside_ascii_are_errors_that_name_it() {
        let error = Origin::parse("https://bücher.example/").unwrap_err();
        assert_eq!(error, ParseOriginError::NeedsIdnaFeature);
        assert!(error.to_string().contains("`idna`"));
        assert_eq!(Origin::parse("https://b%C3%BCcher.example/"), Err(error));
        assert_eq!(shown("https://XN--bcher-kva.example/").as_deref(), Ok("https://xn--bcher-kva.example"));
    }

    #[cfg(feature = "http")]
    #[test]
    fn origins_of_uris() {
        let of = |uri: &str| Origin::try_from(&uri.parse::<::http::Uri>().unwrap()).map(|origin| origin.to_string());
        assert_eq!(of("https://User@Site.example.:443/page?q").as_deref(), Ok("https://site.example"));
        assert_eq!(of("http://[::0:1]:81").as_deref(), Ok("http://[::1]:81"));
        for uri in ["/page", "site.example:80", "ftp://site.example/"] {
            assert_eq!(of(uri), Err(ParseOriginError::NotHttp), "{uri}");
        }
    }

    #[cfg(feature = "url")]
    #[test]
    fn origins_of_parsed_urls() {
        let of = |url: &str| Origin::try_from(&::url::Url::parse(url).unwrap());
        for url in ["https://User@Site.example.:443/page?q", "http://[::0:1]:81", "http://127.1./", "http://bücher.de"]
        {
            assert_eq!(of(url), Origin::parse(url), "{url}");
        }
        assert_eq!(of("file:///page"), Err(ParseOriginError::NotHttp));
        assert_eq!(of("data:,x"), Err(ParseOriginError::NotHttp));
    }

    /// The `url` crate is an independent implementation of the same standard.
    #[cfg(feature = "idna")]
    mod differential {
        use super::*;
        use proptest::prelude::*;

        /// Parses with the `url` crate, and drops the final dot.
        fn expected(url: &str) -> Option<(String, String, Option<u16>)> {
            let url = ::url::Url::parse(url).ok().filter(|url| ["http", "https"].contains(&url.scheme()))?;
            let host = url.host_str()?;
            let bare = host.strip_suffix('.').filter(|bare| !bare.is_empty() && !bare.ends_with('.'));
            Some((url.scheme().to_owned(), bare.unwrap_or(host).to_owned(), url.port()))
        }

        fn assert_same(url: &str) {
            let origin = Origin::parse(url).ok();
            let found =
                origin.as_ref().map(|origin| (origin.scheme().to_owned(), origin.host().to_owned(), origin.port()));
            assert_eq!(found, expected(url), "{url:?}");
            if let Some(origin) = origin {
                assert_eq!(Origin::parse(&origin.to_string()), Ok(origin), "{url:?}");
            }
        }

        fn label() -> impl Strategy<Value = String> {
            const LABELS: &[&str] = &[
                "",
                "a",
                "site",
                "EXAMPLE",
                "a-b",
                "-",
                "a_b",
                "bücher",
                "BÜCHER",
                "faß",
                "ς",
                "日本",
                "xn--bcher-kva",
                "XN--BCHER-KVA",
                "xn--a",
                "xn--",
                "xn--fa-hia",
                "xn--example-",
                "%62",
                "%C3%BC",
                "%c3",
                "%",
                "%2e",
                "%00",
                "%25",
                "%40",
                "%3A",
                "1",
                "127",
                "0x7f",
                "0X",
                "0x",
                "0177",
                "08",
                "256",
                "4294967295",
                "4294967296",
                "2130706433",
                "0xffffffff",
                "0x1ffffffff",
                "1e3",
                "١",
                "１",
                "。",
                "．",
                "\u{ad}",
                "\u{200d}",
                "א",
                "אa",
                "a\u{300}",
                "☃",
                " ",
                "|",
                "^",
                "`",
                "{",
                "\"",
                "'",
                "!",
                "$",
                "&",
                "*",
                "+",
                ",",
                ";",
                "=",
                "~",
                "<",
                "\u{7f}",
                "\u{80}",
                "\u{fffd}",
                "[",
                "]",
                "[::1]",
                "ª",
                "ß",
                "\u{1}",
            ];
            prop_oneof![8 => prop::sample::select(LABELS).prop_map(str::to_owned), 1 => "[a-zA-Z0-9%-]{1,6}", 1 => "\\PC{1,3}"]
        }

        fn ipv6() -> impl Strategy<Value = String> {
            let group = prop::sample::select(
                &["", "0", "00", "1", "abCD", "12345", "g", "1.2.3.4", "01.2.3.4", "256.1.1.1"][..],
            );
            prop::collection::vec(group, 0..10).prop_map(|groups| format!("[{}]", groups.join(":")))
        }

        fn valid_ipv6() -> impl Strategy<Value = String> {
            let group = prop_oneof![3 => Just(0), 1 => any::<u16>()];
            prop::array::uniform8(group).prop_map(|groups| format!("[{}]", std::net::Ipv6Addr::from(groups)))
        }

        fn host() -> impl Strategy<Value = String> {
            let name = prop::collection::vec(label(), 1..5).prop_map(|labels| labels.join("."));
            prop_oneof![6 => name, 1 => ipv6(), 1 => valid_ipv6()]
        }

        proptest! {
            #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn origins_are_those_of_the_url_crate(
                scheme in prop::sample::select(&["http:", "https:", "HtTpS:", "ws:", "", " http:", "ht\ntp:"][..]),
                slashes in prop::sample::select(&["//", "//", "//", "", "/", "\\\\", "///", "/\\", "\t//"][..]),
                user in prop::sample::select(&["", "", "", "u@", "u:p@", "a@b@", "@", "/@", "%40@", "ü@"][..]),
                host in host(),
                dot in prop::sample::select(&["", "", "", ".", "..", "。"][..]),
                port in prop::sample::select(
                    &["", "", "", ":", ":80", ":443", ":0", ":0080", ":8080", ":65535", ":65536", ":x", ":1:2", ":１"][..]
                ),
                path in prop::sample::select(&["", "/", "/a?b#c", "\\", "\\a@b", "?a", "#a@b:1", "/:80", " ", "\u{1}"][..]),
            ) {
                assert_same(&format!("{scheme}{slashes}{user}{host}{dot}{port}{path}"));
            }

            #[test]
            fn any_text_has_the_origin_of_the_url_crate(text in "https?:(//)?\\PC{0,20}") {
                assert_same(&text);
            }
        }
    }
}
