//! The fields of robots.txt in today's dialects: `Content-Usage`, `Content-Signal`, `DisallowAITraining` and its
//! counterpart (S-41, S-42, S-43), and `License`, which names a document (S-45).

use crate::dialects::preference::{Notes, Place, Preference, Preferences, Said, path_and_rest, with_contained};
use crate::dialects::{content_signal, content_usage, rsl};
use crate::formats::http::dictionary;
use crate::model::Carrier;
use crate::model::Usage;
use crate::model::diagnostic::Code;
use crate::model::reading::Switches;
use crate::policy::Policy;
use crate::robots_txt::Field;

/// What the fields of a policy say in today's dialects.
///
/// Cost: O(facts).
pub(crate) fn of_policy(policy: &Policy<'_>) -> Preferences {
    let mut preferences = Preferences::new(Carrier::RobotsTxt, None);
    let switches = policy.reading().switches();
    if !switches.reads_preferences {
        return preferences;
    }
    policy.each_fact(|number, field, (group, is_doubtful), value| {
        let Some(dialect) = field.preference_dialect() else { return };
        let Some((path, said)) = read(field, value, switches, &mut |_, _, _, _| {}) else { return };
        let said = match switches.leniency_prohibits {
            true if group.is_none() || is_doubtful || path.is_some() && value.starts_with(b"*") => {
                said.uninterpretable()
            }
            // In doubt whom it addresses it permits nothing (S-02).
            false if is_doubtful => Said { permits: 0, ..said },
            _ => said,
        };
        let path = path.map(|(start, end)| {
            let written = value.get(start..end).unwrap_or_default();
            preferences.path(written, start, switches.escapes)
        });
        // What says nothing that can be read sets nothing aside.
        if said.usages() != 0 {
            let place = Place::Fact(number);
            let preference = Preference { dialect, group, path, said, place };
            match field {
                Field::License => preferences.push_naming(preference, value),
                _ => preferences.push(preference),
            }
        }
    });
    preferences
}

/// Whether a value may be the location of a document: the name of a licence, such as `MIT`, is none.
pub(crate) fn is_locator(value: &[u8]) -> bool {
    let has_blank = value.iter().any(u8::is_ascii_whitespace);
    !has_blank && value.iter().any(|byte| matches!(byte, b'/' | b'.'))
}

/// The path that a value names, by its place, and what it says; nothing where it says nothing.
pub(crate) fn read(
    field: Field,
    value: &[u8],
    switches: &Switches,
    notes: Notes<'_>,
) -> Option<(Option<(usize, usize)>, Said)> {
    // `*` may begin a label too.
    let is_dictionary = field == Field::ContentUsage && value.starts_with(b"*") && dictionary(value).is_some();
    let (path, rest, from) = if is_dictionary { (None, value, 0) } else { path_and_rest(value) };
    let place = path.map(|path| (0, path.len()));
    let mut behind = |code: Code, span: (usize, usize), message: String, help: &'static str| {
        notes(code, (from + span.0, from + span.1), message, help);
    };
    match field {
        Field::ContentUsage => Some((place, content_usage::read(rest, switches.leniency_prohibits, &mut behind)?)),
        Field::ContentSignal => Some((place, content_signal::read(rest, &mut behind))),
        Field::DisallowAiTraining | Field::AllowAiTraining => {
            let training = with_contained(&[Usage::TrainAi]);
            let said = match field {
                Field::AllowAiTraining => Said { permits: training, ..Said::default() },
                _ => Said { prohibits: training, ..Said::default() },
            };
            // As in `Disallow`, an empty value says nothing, and one that is no path matches nothing.
            if value.is_empty() {
                return None;
            }
            if place.is_none() {
                let message = "this is no path, so it matches nothing".to_owned();
                notes(Code::MissingSlash, (0, value.len()), message, "begin it with `/`");
            }
            place.map(|_| (Some((0, value.len())), said))
        }
        // What is said there counts; until it is read, nothing is licensed.
        Field::License if is_locator(value) => Some((None, rsl::unlicensed())),
        _ => None,
    }
}
