//! Qualifiers, the usages they may stand on, and the conditions they make (S-08, S-09, S-37).

use super::Capabilities;
use super::times::{self, Date};
use wayleave::Usage;

/// A qualifier as written; without a value it is a stray word.
#[derive(Clone, Debug)]
pub struct Qualifier {
    /// In lower case.
    pub name: String,
    pub value: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    UntilRecrawled,
    UntilDate(Date),
    /// Seconds since 1970: `unavailable_after` (section Words).
    UntilInstant(i64),
    Days(i64),
    MaxChars(i64),
    MaxWords(i64),
    ProhibitedModification(String),
    ProhibitedContext(String),
    RequiredContext(String),
    MustUse(String),
    MustInclude(String),
    Reference(String),
    StandardImagePreview,
    MaxVideoPreview(i64),
}

impl Condition {
    pub fn spelling(&self) -> String {
        match self {
            Self::UntilRecrawled => "time-limit=until-recrawled".to_owned(),
            Self::UntilDate(date) => format!("time-limit=until-{}", date.spelling()),
            Self::UntilInstant(instant) => format!("time-limit=until-{}", times::written(*instant)),
            Self::Days(days) => format!("time-limit={days}-days"),
            Self::MaxChars(most) => format!("max-length={most}-chars"),
            Self::MaxWords(most) => format!("max-length={most}-words"),
            Self::ProhibitedModification(kind) => format!("prohibited-modification={kind}"),
            Self::ProhibitedContext(context) => format!("prohibited-context={context}"),
            Self::RequiredContext(context) => format!("required-context={context}"),
            Self::MustUse(uri) => format!("must-use-resource={uri}"),
            Self::MustInclude(uri) => format!("must-include-resource={uri}"),
            Self::Reference(uri) => format!("ref={uri}"),
            Self::StandardImagePreview => "max-image-preview=standard".to_owned(),
            Self::MaxVideoPreview(most) => format!("max-video-preview={most}"),
        }
    }

    /// Whether both are of the same kind and unit, so that the smaller holds.
    fn is_of_one_unit(&self, other: &Self) -> bool {
        matches!(
            (self, other),
            (Self::UntilDate(_) | Self::UntilInstant(_), Self::UntilDate(_) | Self::UntilInstant(_))
                | (Self::Days(_), Self::Days(_))
                | (Self::MaxVideoPreview(_), Self::MaxVideoPreview(_))
                | (Self::MaxChars(_), Self::MaxChars(_))
                | (Self::MaxWords(_), Self::MaxWords(_))
        )
    }
}

impl Condition {
    /// Whether it is the smaller of two of one unit: of instants the earlier, of one instant written as a day and
    /// as a time, the day.
    fn is_smaller(&self, other: &Self) -> bool {
        let end = |one: &Self| match one {
            Self::UntilDate(date) => Some((times::midnight_after(*date), 0)),
            Self::UntilInstant(instant) => Some((*instant, 1)),
            _ => None,
        };
        match (end(self), end(other)) {
            (Some(own), Some(theirs)) => own < theirs,
            _ => self < other,
        }
    }
}

/// All conditions together: of one kind and unit the smaller, and nothing twice.
pub fn s08_join(conditions: &[Condition]) -> Vec<Condition> {
    let mut joined: Vec<Condition> = conditions
        .iter()
        .filter(|condition| {
            !conditions.iter().any(|other| condition.is_of_one_unit(other) && other.is_smaller(condition))
        })
        .cloned()
        .collect();
    joined.sort();
    joined.dedup();
    joined
}

/// The qualifiers of a line, from what follows the resource: `name = value`, blanks around `=` or none.
pub fn read(text: &str) -> Vec<Qualifier> {
    let blanks = [' ', '\t'];
    let mut found = Vec::new();
    let mut rest = text.trim_matches(blanks);
    while !rest.is_empty() {
        let end = rest.find(['=', ' ', '\t']).unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start_matches(blanks);
        let mut value = None;
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start_matches(blanks);
            let end = after.find(blanks).unwrap_or(after.len());
            value = Some(after[..end].to_owned());
            rest = after[end..].trim_start_matches(blanks);
        }
        found.push(Qualifier { name, value });
    }
    found
}

/// The conditions of a permission of a standard usage; nothing where a qualifier cannot be interpreted.
pub fn s09_conditions(usage: &Usage, qualifiers: &[Qualifier], capabilities: &Capabilities) -> Option<Vec<Condition>> {
    let conditions: Vec<Condition> =
        qualifiers.iter().map(|qualifier| s09_condition(usage, qualifier, capabilities)).collect::<Option<_>>()?;
    let modifications: Vec<&Qualifier> =
        qualifiers.iter().filter(|qualifier| qualifier.name == "prohibited-modification").collect();
    let has_any = conditions.contains(&Condition::ProhibitedModification("any".to_owned()));
    if has_any && modifications.len() > 1 {
        return None;
    }
    for qualifier in qualifiers {
        let times = qualifiers.iter().filter(|other| other.name == qualifier.name).count();
        if times > 1 && qualifier.name != "prohibited-modification" {
            return None;
        }
    }
    Some(conditions)
}

fn s09_condition(usage: &Usage, qualifier: &Qualifier, capabilities: &Capabilities) -> Option<Condition> {
    let written = qualifier.value.clone()?;
    if written.is_empty() || written.contains(['"', '\'']) {
        return None;
    }
    // Values that are no URIs: escapes decoded once, without case.
    let value = decoded(&written)?.to_ascii_lowercase();
    let is_present = *usage == Usage::Present;
    let is_presenting = is_present || usage.within().contains(&Usage::Present);
    let is_snippet = [Usage::PresentSnippet, Usage::PresentOldsnippet].contains(usage);
    let is_thumbnail = [Usage::PresentThumbnail, Usage::PresentOldthumbnail].contains(usage);
    let is_whole = [Usage::PresentOriginal, Usage::PresentCurrentcopy, Usage::PresentOldcopy].contains(usage);
    let is_ready = capabilities.has_prior_arrangement && capabilities.reads_not_ready;
    match qualifier.name.as_str() {
        "time-limit" if is_presenting || [Usage::Index, Usage::Preserve].contains(usage) => time_limit(&value),
        "max-length" if is_snippet => max_length(&value),
        "prohibited-modification" if is_present || is_whole => {
            let kinds = ["any", "format", "style", "translation", "annotation"];
            kinds.contains(&value.as_str()).then_some(Condition::ProhibitedModification(value))
        }
        "prohibited-context" if is_whole => {
            (value == "within-user-frame").then_some(Condition::ProhibitedContext(value))
        }
        "required-context" if is_whole => {
            (value == "within-original-frame").then_some(Condition::RequiredContext(value))
        }
        "must-use-resource" if *usage == Usage::Index && capabilities.has_prior_arrangement => {
            can_be_used(&written).then_some(Condition::MustUse(written))
        }
        "must-use-resource" if (is_snippet || is_thumbnail) && is_ready => {
            can_be_used(&written).then_some(Condition::MustUse(written))
        }
        "must-include-resource" if is_presenting && is_ready => {
            can_be_included(&written).then_some(Condition::MustInclude(written))
        }
        "ref" if *usage == Usage::OtherUsage => Some(Condition::Reference(written)),
        // `target-condition`, whose values are unrecovered, and whatever is unknown or out of place.
        _ => None,
    }
}

fn time_limit(value: &str) -> Option<Condition> {
    if value == "until-recrawled" || value == "until-recrawl" {
        return Some(Condition::UntilRecrawled);
    }
    if let Some(date) = value.strip_prefix("until-") {
        return Date::read(date).map(Condition::UntilDate);
    }
    value.strip_suffix("-days").and_then(number).map(Condition::Days)
}

fn max_length(value: &str) -> Option<Condition> {
    let chars = value.strip_suffix("-chars").and_then(number).map(Condition::MaxChars);
    chars.or_else(|| value.strip_suffix("-words").and_then(number).map(Condition::MaxWords))
}

fn number(digits: &str) -> Option<i64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// What follows `the-acap:`, or `acap:` as it was once called.
pub fn after_acap_scheme(written: &str) -> Option<&str> {
    let (scheme, rest) = written.split_once(':')?;
    ["the-acap", "acap"].iter().any(|name| scheme.eq_ignore_ascii_case(name)).then_some(rest)
}

/// An element of the page, `id:`, `class:` or `meta:`.
fn is_inside_the_page(locator: &str) -> bool {
    let kinds = ["id", "class", "meta"];
    locator
        .split_once(':')
        .is_some_and(|(kind, name)| kinds.iter().any(|known| kind.eq_ignore_ascii_case(known)) && !name.is_empty())
}

/// A plain URI, or `the-acap:extract:` with an element of the page.
fn can_be_used(written: &str) -> bool {
    let Some(rest) = after_acap_scheme(written) else { return true };
    rest.split_once(':')
        .is_some_and(|(role, locator)| role.eq_ignore_ascii_case("extract") && is_inside_the_page(locator))
}

/// A plain URI, or `the-acap:credit:` with an element of the page or a URI. The role `link` is not ready.
fn can_be_included(written: &str) -> bool {
    let Some(rest) = after_acap_scheme(written) else { return true };
    rest.split_once(':').is_some_and(|(role, locator)| role.eq_ignore_ascii_case("credit") && !locator.is_empty())
}

/// The part of the page that a condition names: `id:`, `class:` or `meta:` and a name.
pub fn s37_named_part(condition: &Condition) -> Option<String> {
    let (Condition::MustUse(written) | Condition::MustInclude(written)) = condition else { return None };
    let (_, locator) = after_acap_scheme(written)?.split_once(':')?;
    let (kind, name) = locator.split_once(':')?;
    is_inside_the_page(locator).then(|| format!("{}:{name}", kind.to_ascii_lowercase()))
}

/// The URI of the resource that a condition names, where it is not a part of the page.
pub fn s37_named_resource(condition: &Condition) -> Option<String> {
    let (Condition::MustUse(written) | Condition::MustInclude(written)) = condition else { return None };
    let Some(rest) = after_acap_scheme(written) else { return Some(written.clone()) };
    let (_, locator) = rest.split_once(':')?;
    (!is_inside_the_page(locator)).then(|| locator.to_owned())
}

fn decoded(written: &str) -> Option<String> {
    let mut octets = Vec::new();
    let mut rest = written.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = |at: usize| after.get(at).and_then(|octet| char::from(*octet).to_digit(16));
        match (first, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                octets.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                octets.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(octets).ok()
}
