//! Preferences in a response's header fields and META tags, each parsed by its dialect (S-40).

use crate::dialects::PREFERENCE_DIALECTS;
use crate::dialects::acap::Meta;
use crate::dialects::preference::{Claims, Notes, Place, Preference, Preferences, shifted};
use crate::formats::http::Headers;
use crate::model::reading::Switches;
use crate::model::{Carrier, Dialect};

/// Returns the preferences in header fields.
pub(crate) fn of_headers(document: usize, headers: &Headers, switches: &Switches) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Header, Some(document));
    for add in PREFERENCE_DIALECTS.iter().filter_map(|entry| entry.headers) {
        add(&mut preferences, headers, switches);
    }
    preferences
}

/// Reports problems in header fields of AI-preference dialects, line by line. Spans refer to the text of the headers.
pub(crate) fn notice_headers(headers: &Headers, notes: Notes<'_>) {
    for line in headers.lines() {
        for diagnose in PREFERENCE_DIALECTS.iter().filter_map(|entry| entry.diagnose_header) {
            diagnose(&line, &mut shifted(notes, line.span.start as usize));
        }
    }
}

/// Returns the preference in a META tag, in the dialect that the tag's name belongs to.
pub(crate) fn of_meta(name: &[u8], content: &[u8], notes: Notes<'_>) -> Option<(Dialect, Claims)> {
    PREFERENCE_DIALECTS.iter().find_map(|entry| Some((entry.dialect, (entry.meta?)(name, content, notes)?)))
}

/// Returns the preferences in META tags. `text` contains the names and contents of the tags.
pub(crate) fn of_metas(document: usize, text: &[u8], metas: &[Meta]) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Meta, Some(document));
    for meta in metas {
        let (name, content) = (meta.name.of(text), meta.content.of(text));
        let claims = of_meta(name, content, &mut |_, _, _, _| {});
        if let Some((dialect, claims)) = claims.filter(|(_, claims)| claims.usages() != 0) {
            let place = Place::At(meta.at, preferences.keep(&[name, b": ", content].concat()));
            preferences.push(Preference { dialect, group: None, path: None, claims, place });
        }
    }
    preferences
}
