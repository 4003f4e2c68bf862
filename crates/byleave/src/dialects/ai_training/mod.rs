//! `DisallowAITraining` and `AllowAITraining`: AI training by path, in robots.txt and in header fields (S-43).

use crate::dialects::preference::{
    Claims, FieldClaims, Notes, Place, Preference, Preferences, line_of_headers, path_and_rest, with_contained,
};
use crate::formats::http::{FieldLine, Headers};
use crate::model::diagnostic::Code;
use crate::model::reading::Switches;
use crate::model::{Dialect, Usage};
use crate::robots_txt::Field;

/// Parses a field value in robots.txt. As with `Disallow`, an empty value states nothing, and a value that is not a
/// path matches nothing.
pub(crate) fn parse_field(field: Field, value: &[u8], _: &Switches, notes: Notes<'_>) -> Option<FieldClaims> {
    if value.is_empty() {
        return None;
    }
    if path_and_rest(value).0.is_none() {
        let message = "this is not a path, so it matches nothing".to_owned();
        notes(Code::MissingSlash, (0, value.len()), message, "begin it with `/`");
        return None;
    }
    Some(FieldClaims { path: Some((0, value.len())), claims: claims(field) })
}

/// Adds the statements of the header lines, one for each path that a line names. If a line names no path, or contains
/// text that is not a path, a prohibition applies to every path and a permission has no effect.
pub(crate) fn add_headers(preferences: &mut Preferences, headers: &Headers, switches: &Switches) {
    if !switches.reads_preferences {
        return;
    }
    for field in [Field::DisallowAiTraining, Field::AllowAiTraining] {
        for line in headers.named(field.name()) {
            add_line(preferences, headers, field, &line, switches);
        }
    }
}

fn add_line(preferences: &mut Preferences, headers: &Headers, field: Field, line: &FieldLine<'_>, switches: &Switches) {
    let is_path = |piece: &&[u8]| matches!(piece.first(), Some(b'/' | b'*'));
    let pieces = line.value.split(|byte| matches!(byte, b',' | b' ' | b'\t')).filter(|piece| !piece.is_empty());
    let mut paths: Vec<&[u8]> = pieces.clone().filter(is_path).collect();
    if paths.is_empty() || paths.len() < pieces.count() {
        if field == Field::AllowAiTraining {
            return;
        }
        paths = vec![b"/"];
    }
    let at = line_of_headers(headers, line);
    let place = Place::At(at, preferences.keep(at.of(headers.text())));
    for path in paths {
        let path = Some(preferences.kept_path(path, None, switches.escapes));
        preferences.push(Preference { dialect: Dialect::AiTraining, group: None, path, claims: claims(field), place });
    }
}

fn claims(field: Field) -> Claims {
    let training = with_contained(&[Usage::TrainAi]);
    match field {
        Field::AllowAiTraining => Claims { permits: training, ..Claims::default() },
        _ => Claims { prohibits: training, ..Claims::default() },
    }
}
