//! Crawlers: their names, their fallback names, and how names are compared (S-35).

use crate::base::scan::{Lanes, WIDTH};
use crate::model::reading::NameGrammar;

/// A crawler, with the names by which a site may address it.
///
/// ```
/// use byleave::Crawler;
/// let images = Crawler::named("Googlebot-Image").with_fallback("Googlebot");
/// assert_eq!(images.name(), "Googlebot-Image");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crawler {
    names: Vec<CrawlerName>,
    fallbacks: Vec<CrawlerName>,
    any_group: AnyGroup,
}

/// Whether groups for any crawler (`*`) bind this crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AnyGroup {
    /// These groups bind the crawler if no group names it. This is the normal case.
    #[default]
    Applies,
    /// These groups do not bind the crawler. It obeys only groups that name it.
    DoesNotApply,
}

impl Crawler {
    /// Returns a crawler with one name. For `Name/1.0`, the token before the slash also becomes a name of the crawler.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::nobody().also_named(name)
    }

    /// Returns a crawler without a name. Only groups for any crawler bind it.
    pub(crate) fn nobody() -> Self {
        Self { names: Vec::new(), fallbacks: Vec::new(), any_group: AnyGroup::Applies }
    }

    /// Adds another name of the crawler.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: ExampleBot-News\nDisallow: /archive/\n");
    /// let crawler = Crawler::named("ExampleBot").also_named("ExampleBot-News");
    /// assert!(!policy.bind(&crawler).may_crawl("/archive/2019"));
    /// ```
    #[must_use]
    pub fn also_named(mut self, name: &str) -> Self {
        let token = name.split('/').next().filter(|token| !token.is_empty() && token.len() < name.len());
        for name in std::iter::once(CrawlerName::new(name)).chain(token.map(CrawlerName::without_version)) {
            if !self.names.iter().any(|known| known.equals(name.as_str().as_bytes())) {
                self.names.push(name);
            }
        }
        self
    }

    /// Adds a fallback name. If no conventional group names the crawler, it obeys the groups for `name`. Several
    /// fallbacks are tried in the order they were added.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: Googlebot\nDisallow: /private/\n");
    /// let images = Crawler::named("Googlebot-Image").with_fallback("Googlebot");
    /// assert!(!policy.bind(&images).may_crawl("/private/logo.png"));
    /// ```
    #[must_use]
    pub fn with_fallback(mut self, name: &str) -> Self {
        self.fallbacks.push(CrawlerName::new(name));
        self
    }

    /// Adds the product tokens in a full `User-Agent` string as names.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: GPTBot\nDisallow: /\n");
    /// let crawler = Crawler::named("OpenAI").with_user_agent("Mozilla/5.0 (compatible; x) GPTBot/1.2");
    /// assert!(!policy.bind(&crawler).may_crawl("/news/"));
    /// ```
    #[must_use]
    pub fn with_user_agent(self, user_agent: &str) -> Self {
        product_tokens(user_agent).fold(self, |crawler, token| crawler.also_named(token))
    }

    /// Sets whether groups for any crawler (`*`) bind this crawler.
    ///
    /// ```
    /// use byleave::{Crawler, Policy, model::AnyGroup};
    /// let policy = Policy::parse(b"User-agent: *\nDisallow: /\n");
    /// let crawler = Crawler::named("AdsBot-Google").with_any_group(AnyGroup::DoesNotApply);
    /// assert!(policy.bind(&crawler).may_crawl("/landing-page"));
    /// ```
    #[must_use]
    pub fn with_any_group(mut self, any_group: AnyGroup) -> Self {
        self.any_group = any_group;
        self
    }

    /// Returns the crawler's first name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.names.first().map_or("", |name| &name.written)
    }

    /// Returns all names of the crawler, without its fallbacks.
    #[must_use]
    pub fn names(&self) -> &[CrawlerName] {
        &self.names
    }

    /// Returns the fallback names, in the order they are tried.
    #[must_use]
    pub fn fallbacks(&self) -> &[CrawlerName] {
        &self.fallbacks
    }

    /// Returns whether groups for any crawler (`*`) bind this crawler.
    #[must_use]
    pub fn any_group(&self) -> AnyGroup {
        self.any_group
    }
}

/// A name of a crawler. Comparisons use the whole name and ignore ASCII case. A prefix or substring does not match.
///
/// ```
/// use byleave::model::CrawlerName;
/// let name = CrawlerName::new("GPTBot");
/// assert!(name.equals(b"gptbot"));
/// assert!(!name.equals(b"GPT"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawlerName {
    written: Box<str>,
    hash: u16,
    is_cut: bool,
}

impl CrawlerName {
    /// Returns a name with exactly this text.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { written: name.into(), hash: name_hash(name.as_bytes()), is_cut: false }
    }

    /// Returns a name for a token whose version was removed.
    fn without_version(token: &str) -> Self {
        Self { is_cut: true, ..Self::new(token) }
    }

    /// Returns the name as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// Returns whether `written` is the same name, ignoring ASCII case (S-35).
    #[must_use]
    #[inline]
    pub fn equals(&self, written: &[u8]) -> bool {
        self.written.as_bytes().eq_ignore_ascii_case(written)
    }

    pub(crate) fn hash(&self) -> u16 {
        self.hash
    }

    /// Returns whether a version was removed from the name.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// The error for a string that cannot be a crawler's name.
///
/// ```
/// use byleave::model::CrawlerName;
/// assert_eq!("GPTBot".parse::<CrawlerName>().map(|name| name.as_str().to_owned()), Ok("GPTBot".to_owned()));
/// assert_eq!("".parse::<CrawlerName>().unwrap_err().to_string(), "the crawler's name is empty");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseCrawlerNameError {
    /// The text is empty.
    Empty,
    /// The text contains a line end or another control character.
    ControlCharacter,
}

impl std::fmt::Display for ParseCrawlerNameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Empty => "the crawler's name is empty",
            Self::ControlCharacter => "the crawler's name contains a control character",
        })
    }
}

impl std::error::Error for ParseCrawlerNameError {}

impl std::str::FromStr for CrawlerName {
    type Err = ParseCrawlerNameError;

    fn from_str(name: &str) -> Result<Self, ParseCrawlerNameError> {
        match name.trim() {
            "" => Err(ParseCrawlerNameError::Empty),
            name if name.chars().any(char::is_control) => Err(ParseCrawlerNameError::ControlCharacter),
            name => Ok(Self::new(name)),
        }
    }
}

impl std::str::FromStr for Crawler {
    type Err = ParseCrawlerNameError;

    /// Returns a crawler with this name: see [`Crawler::named`].
    fn from_str(name: &str) -> Result<Self, ParseCrawlerNameError> {
        let name: CrawlerName = name.parse()?;
        Ok(Self::named(name.as_str()))
    }
}

/// Returns the product tokens in a `User-Agent` string, in order, without versions and comments. A semicolon or comma
/// after a token is removed.
///
/// ```
/// let tokens: Vec<_> = byleave::analysis::product_tokens("GPTBot/1.2 (compatible; +https://openai.com/gptbot)").collect();
/// assert_eq!(tokens, ["GPTBot"]);
/// ```
pub fn product_tokens(user_agent: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let pieces = user_agent.split_inclusive(['(', ')', ' ', '\t']);
    let outside = pieces.filter_map(move |piece| {
        let is_outside = depth == 0;
        if piece.ends_with('(') {
            depth += 1;
        } else if piece.ends_with(')') {
            depth = depth.saturating_sub(1);
        }
        is_outside.then(|| piece.trim_end_matches(['(', ')', ' ', '\t', ';', ',']))
    });
    let tokens = outside.map(|piece| piece.split('/').next().unwrap_or(piece));
    tokens.filter(|token| !token.is_empty())
}

/// Returns the token at the start of a name as written. If the whole name does not match, the token is compared instead
/// (S-35). The token ends at the first character that is not allowed in names.
pub(crate) fn token_of(written: &[u8], grammar: NameGrammar) -> &[u8] {
    written.get(..token_length(written, written.len(), grammar)).unwrap_or(written)
}

/// Returns the length of the token at the start of a name. The name is the first `length` bytes of `bytes`. The bytes
/// after the name are passed only so that sixteen bytes can be loaded at once.
#[inline]
pub(crate) fn token_length(bytes: &[u8], length: usize, grammar: NameGrammar) -> usize {
    match grammar {
        NameGrammar::WholeOrToken => {
            let mut at = 0;
            while at < length {
                let belong = Lanes::load(bytes, at).name_characters().trailing_ones() as usize;
                if belong < WIDTH {
                    return length.min(at + belong);
                }
                at += WIDTH;
            }
            length
        }
        NameGrammar::ProductToken => {
            let belongs = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-');
            bytes.iter().take(length).take_while(|byte| belongs(byte)).count()
        }
    }
}

/// Returns whether a written name means any crawler: `*`, either alone or followed by a blank.
#[inline]
pub(crate) fn is_any(written: &[u8]) -> bool {
    matches!(written, [b'*'] | [b'*', b' ' | b'\t', ..])
}

/// The hash of a name that means any crawler.
pub(crate) const ANY_HASH: u16 = 0;

/// Returns a hash that ignores ASCII case. Equal names have equal hashes, but names with equal hashes still have to be
/// compared.
pub(crate) fn name_hash(name: &[u8]) -> u16 {
    hash_of_first(name, name.len())
}

/// Returns the hash of the name in the first `length` bytes of `bytes`. The bytes after the name are passed only so
/// that eight bytes can be loaded at once.
#[inline]
pub(crate) fn hash_of_first(bytes: &[u8], length: usize) -> u16 {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = length as u64;
    let mut at = 0;
    while at < length {
        let left = (length - at).min(8) as u32;
        let chunk = match bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            Some(chunk) => u64::from_le_bytes(*chunk) & u64::MAX >> (64 - 8 * left),
            None => short_chunk(bytes, at, left),
        };
        hash = (hash ^ (chunk | LOWER)).wrapping_mul(FACTOR).rotate_left(29);
        at += 8;
    }
    ((hash ^ hash >> 32) as u16).max(ANY_HASH + 1)
}

#[cold]
fn short_chunk(bytes: &[u8], at: usize, left: u32) -> u64 {
    let chunk = bytes.get(at..).unwrap_or_default().iter().take(left as usize);
    chunk.rev().fold(0, |chunk, byte| chunk << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s35_the_token_before_a_version_is_a_name_unless_empty() {
        let all = |name: &str| -> Vec<String> {
            Crawler::named(name).names().iter().map(|name| name.as_str().to_owned()).collect()
        };
        assert_eq!(all("MSNPTC/1.0"), ["MSNPTC/1.0", "MSNPTC"]);
        assert_eq!(all("MSNPTC"), ["MSNPTC"]);
        assert_eq!(all("/1.0"), ["/1.0"]);
    }

    #[test]
    fn s35_names_are_whole_and_without_case() {
        let name = CrawlerName::new("GPTBot");
        assert!(name.equals(b"gptbot"));
        assert!(!name.equals(b"GPTBot2") && !name.equals(b"GPT"));
        for name in ["", "a", "AhrefsBot", "Googlebot-News", "12345678"] {
            let within = format!("{}, and more", name.to_uppercase());
            assert_eq!(name_hash(name.as_bytes()), hash_of_first(within.as_bytes(), name.len()), "{name}");
        }
        assert_eq!(token_of(b"MSNPTC/1.0", NameGrammar::WholeOrToken), b"MSNPTC");
        assert_eq!(token_of(b"AI2Bot", NameGrammar::WholeOrToken), b"AI2Bot");
        assert_eq!(token_of(b"AI2Bot", NameGrammar::ProductToken), b"AI");
        assert_eq!(token_of(b"Foo Bar", NameGrammar::WholeOrToken), b"Foo");
    }

    #[test]
    fn s35_a_long_name_is_a_token_to_its_end() {
        for length in [1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200] {
            let written = format!("{}/1.0 and more", "n".repeat(length));
            assert_eq!(token_of(written.as_bytes(), NameGrammar::WholeOrToken).len(), length);
        }
    }

    #[test]
    fn names_that_differ_are_mostly_filed_apart() {
        let names = (0..1_000).flat_map(|n| [format!("b{n}"), format!("Crawler-{n}"), format!("{n}-of-a-longer-name")]);
        let hashes: std::collections::HashSet<u16> = names.map(|name| name_hash(name.as_bytes())).collect();
        assert!(hashes.len() > 2_900, "{} of 3,000", hashes.len());
        assert!(!hashes.contains(&ANY_HASH));
    }

    #[test]
    fn a_crawler_keeps_its_settings() {
        let crawler = Crawler::named("Foo/1.0").with_any_group(AnyGroup::DoesNotApply);
        assert_eq!((crawler.name(), crawler.any_group()), ("Foo/1.0", AnyGroup::DoesNotApply));
        assert_eq!(Crawler::named("Foo").any_group(), AnyGroup::Applies);
    }

    #[test]
    fn s35_product_tokens_are_outside_comments() {
        let tokens = |text| product_tokens(text).collect::<Vec<_>>();
        assert_eq!(
            tokens("Mozilla/5.0 (compatible; (nested) Googlebot/2.1) Chrome/1 Foo"),
            ["Mozilla", "Chrome", "Foo"]
        );
        assert_eq!(tokens("CCBot/2.0 (https://commoncrawl.org/faq/)"), ["CCBot"]);
        assert_eq!(tokens(" ( unclosed Bot/1"), Vec::<&str>::new());
        assert_eq!(tokens(""), Vec::<&str>::new());
    }
}
