//! JournalList's trust.txt (S-46).
//!
//! Only `datatrainingallowed` is parsed. It applies to the whole site.

use crate::base::source::Location;
use crate::dialects::preference::{Claims, Notes, Place, Preference, Preferences, with_contained};
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Switches;
use crate::model::{Carrier, Dialect};

/// The paths of a trust.txt.
pub(crate) const LOCATIONS: &[&str] = &["/trust.txt", "/.well-known/trust.txt"];

const NAME: &[u8] = b"datatrainingallowed";
const ONE: &str = "write one `datatrainingallowed=yes` or `=no`";

/// Parses a trust.txt, which has lines of the form `name=value`. Only one line should address training. If several
/// lines address it, none of them permits training.
pub(crate) fn of_text(document: usize, bytes: &[u8], _: &'static Switches, notes: Notes<'_>) -> Option<Preferences> {
    Some(read_text(document, bytes, notes))
}

fn read_text(document: usize, bytes: &[u8], notes: Notes<'_>) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Document, Some(document));
    let mut found = Vec::new();
    let mut at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    for line in bytes.get(at..).unwrap_or_default().split(|byte| matches!(byte, b'\n' | b'\r')) {
        let start = at;
        at += line.len() + 1;
        let line = line.split(|byte| *byte == b'#').next().unwrap_or_default();
        let Some(equals) = memchr::memchr(b'=', line) else {
            if line.trim_ascii().get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)) {
                let message = "this line has no `=`, so it has no effect".to_owned();
                notes(Code::BadPreference, (start, start + line.len()), message, ONE);
            }
            continue;
        };
        let (name, value) = line.split_at(equals);
        if name.trim_ascii().eq_ignore_ascii_case(NAME) {
            let from = start + line.len() - line.trim_ascii_start().len();
            found.push(((from, start + line.trim_ascii_end().len()), value.get(1..).unwrap_or_default().trim_ascii()));
        }
    }
    let training = with_contained(&[Usage::TrainAi]);
    let is_one = found.len() == 1;
    for (place, value) in found {
        let written = bytes.get(place.0..place.1).unwrap_or_default();
        let claims = if value.eq_ignore_ascii_case(b"no") {
            Claims { prohibits: training, ..Claims::default() }
        } else if value.eq_ignore_ascii_case(b"yes") && is_one {
            Claims { permits: training, ..Claims::default() }
        } else {
            let message = match value.eq_ignore_ascii_case(b"yes") {
                true => "there are several lines like this, so none of them permits training".to_owned(),
                false => {
                    format!("`{}` is neither `yes` nor `no`, so it has no effect", shown(written, (0, written.len())))
                }
            };
            notes(Code::BadPreference, place, message, ONE);
            continue;
        };
        let at = Location { start: place.0 as u32, end: place.1 as u32, line: 0, column: 0 };
        let place = Place::At(at, preferences.keep(written));
        preferences.push(Preference { dialect: Dialect::TrustTxt, group: None, path: None, claims, place });
    }
    preferences
}
