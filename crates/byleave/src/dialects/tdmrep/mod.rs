//! The TDM Reservation Protocol (S-44).
//!
//! This file parses `tdm-reservation` in headers and META tags, and `/.well-known/tdmrep.json`. `xmp` parses metadata
//! in files.

mod conflict;

pub(crate) use conflict::last_layer;

use crate::base::source::Location;
use crate::dialects::preference::{Claims, Notes, Place, Preference, Preferences, with_contained};
use crate::formats::http::{FieldLine, Headers};
use crate::formats::json::{Json, JsonKind};
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Escapes;
use crate::model::reading::Switches;
use crate::model::{Carrier, Dialect};
use std::collections::BTreeMap;

/// The name of the header field, the META tag and the member in tdmrep.json.
pub(crate) const RESERVATION: &str = "tdm-reservation";

/// The name of the header field, the META tag and the member that contain the location of the licence terms.
pub(crate) const POLICY: &str = "tdm-policy";

/// The path of tdmrep.json.
pub(crate) const LOCATION: &str = "/.well-known/tdmrep.json";

/// Returns the effect of a value. `1` reserves text and data mining (a prohibition), `0` does not reserve it (a
/// permission), and any other value has no effect.
pub(crate) fn reserved(value: &[u8]) -> Claims {
    let tdm = with_contained(&[Usage::Tdm]);
    match value.trim_ascii() {
        b"1" => Claims { prohibits: tdm, ..Claims::default() },
        b"0" => Claims { permits: tdm, ..Claims::default() },
        _ => Claims::default(),
    }
}

/// Parses a tdmrep.json, which is an array of rules. The first matching rule counts. An unreadable rule is ignored, so
/// a later rule can count.
pub(crate) fn of_json(
    document: usize,
    bytes: &[u8],
    switches: &'static Switches,
    notes: Notes<'_>,
) -> Option<Preferences> {
    Some(read_json(document, bytes, switches.escapes, notes))
}

fn read_json(document: usize, bytes: &[u8], escapes: Escapes, notes: Notes<'_>) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Document, Some(document));
    let json = Json::read(bytes);
    let Some(rules) = json.as_ref().and_then(Json::array) else {
        let message = "this is not an array of rules, so it has no effect".to_owned();
        notes(Code::BadDocument, (0, bytes.len()), message, "write `[{\"location\": \"/\", \"tdm-reservation\": 1}]`");
        return preferences;
    };
    let mut before = Before::default();
    for rule in rules {
        let written = rule.span.of(bytes);
        let location = rule.member("location").and_then(Json::string).filter(|location| !location.is_empty());
        let policy = rule.member(POLICY).and_then(Json::string).map(str::to_owned);
        let values: Vec<Claims> = rule.members(RESERVATION).map(|value| value_of(value, bytes)).collect();
        // Of several values, the restrictive one counts. An unreadable value prevents a permission.
        let reserves = values.iter().find(|claims| claims.prohibits != 0);
        let is_free = values.iter().all(|claims| claims.permits != 0);
        let claims = reserves.or_else(|| values.first().filter(|_| is_free)).cloned().unwrap_or_default();
        let (Some(location), true) = (location, claims != Claims::default()) else {
            let message =
                format!("`{}` cannot be read as a rule, so it is ignored", shown(written, (0, written.len())));
            notes(Code::BadPreference, (rule.span.start as usize, rule.span.end as usize), message, RULE);
            continue;
        };
        if !location.starts_with(['/', '*']) {
            let message =
                format!("`{}` is not a path, so it matches nothing", shown(location.as_bytes(), (0, location.len())));
            notes(Code::MissingSlash, (rule.span.start as usize, rule.span.end as usize), message, "begin it with `/`");
        } else if let Some(wider) = before.shadowing(location, &claims) {
            let wider = shown(wider.as_bytes(), (0, wider.len()));
            let message = format!("this rule never counts: the earlier `{wider}` matches all of its paths");
            notes(Code::ShadowedLocation, (rule.span.start as usize, rule.span.end as usize), message, NARROWER_FIRST);
        }
        let path = Some(preferences.kept_path(location.as_bytes(), None, escapes));
        let at = Location { start: rule.span.start, end: rule.span.end, line: 0, column: 0 };
        let place = Place::At(at, preferences.keep(written));
        let rule = Preference { dialect: Dialect::TdmRep, group: None, path, claims, place };
        match policy {
            Some(policy) => preferences.push_naming(rule, policy.as_bytes()),
            None => preferences.push(rule),
        }
    }
    preferences
}

/// The path prefixes of earlier rules, each with its written form and its effect. None of the stored prefixes is a
/// prefix of another.
#[derive(Default)]
struct Before<'j>(BTreeMap<&'j str, (&'j str, Claims)>);

impl<'j> Before<'j> {
    /// Returns an earlier location that covers `location` and has a different effect. An earlier location covers
    /// `location` if it matches every path that `location` matches. If none does, records `location` for later calls.
    ///
    /// Cost: O(log rules), amortized.
    fn shadowing(&mut self, location: &'j str, claims: &Claims) -> Option<&'j str> {
        // No entry is a prefix of another. So if an entry is a prefix of the location, it is the greatest entry that is
        // not greater than the location.
        let least = self.0.range(..=location).next_back().filter(|(wider, _)| location.starts_with(*wider));
        if let Some((_, (wider, of_wider))) = least {
            return (of_wider != claims).then_some(*wider);
        }
        // Trailing stars do not change what a location matches.
        let beginning = location.trim_end_matches('*');
        if !beginning.contains(['*', '$']) {
            let is_narrower = |known: &&str| known.starts_with(beginning);
            let narrower: Vec<&str> =
                self.0.range(beginning..).map(|(known, _)| *known).take_while(is_narrower).collect();
            for known in narrower {
                self.0.remove(known);
            }
            self.0.insert(beginning, (location, claims.clone()));
        }
        None
    }
}

/// Returns the effect of the value of `tdm-reservation`. Publishers write it as a number or as a string.
fn value_of(value: &Json, bytes: &[u8]) -> Claims {
    match &value.kind {
        JsonKind::Number => {
            let number = std::str::from_utf8(value.span.of(bytes)).ok().and_then(|digits| digits.parse::<f64>().ok());
            match number {
                Some(1.0) => reserved(b"1"),
                Some(0.0) => reserved(b"0"),
                _ => Claims::default(),
            }
        }
        JsonKind::String(text) => reserved(text.as_bytes()),
        _ => Claims::default(),
    }
}

const NARROWER_FIRST: &str = "the first matching rule counts: put the narrower rule before the wider one";
const RULE: &str = "write a `location`, and a `tdm-reservation` that is 0 or 1";

/// Adds the effect of each header line.
pub(crate) fn add_headers(preferences: &mut Preferences, headers: &Headers, _: &Switches) {
    for line in headers.named(RESERVATION) {
        preferences.push_header_line(Dialect::TdmRep, headers, &line, reserved(line.value));
    }
}

/// Reports problems in a header line.
pub(crate) fn diagnose_header(line: &FieldLine<'_>, notes: Notes<'_>) {
    if line.name.eq_ignore_ascii_case(RESERVATION.as_bytes()) {
        diagnose_value(line.value, notes);
    }
}

/// Parses a META tag.
pub(crate) fn parse_meta(name: &[u8], content: &[u8], notes: Notes<'_>) -> Option<Claims> {
    name.eq_ignore_ascii_case(RESERVATION.as_bytes()).then(|| {
        diagnose_value(content, notes);
        reserved(content)
    })
}

fn diagnose_value(value: &[u8], notes: Notes<'_>) {
    if reserved(value) == Claims::default() {
        let message = format!("`{}` is neither 0 nor 1, so it has no effect", shown(value, (0, value.len())));
        notes(Code::BadPreference, (0, value.len()), message, "write 1 to reserve, or 0 not to reserve");
    }
}
