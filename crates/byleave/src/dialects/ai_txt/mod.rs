//! Spawning's ai.txt: the grammar of robots.txt, but only statements about training (S-46).

use super::preference::{Claims, Notes, Place, Preference, Preferences, with_contained};
use crate::base::source::{Location, Span};
use crate::model::diagnostic::Code;
use crate::model::reading::Escapes;
use crate::model::{Carrier, Dialect, Modality, Scope, Statement, Usage};

/// The path of an ai.txt.
pub(crate) const LOCATION: &str = "/ai.txt";

/// A group in an ai.txt: whether it is for any crawler, and its rules.
pub(crate) struct Group<'t> {
    pub(crate) is_general: bool,
    pub(crate) rules: Vec<Statement<'t>>,
}

/// Returns the statements in an ai.txt, one per rule. If no rule follows a `User-agent` line, the file is not
/// Spawning's ai.txt but some other file with the same name, so it states nothing.
pub(crate) fn of_groups<'t>(
    document: usize,
    length: usize,
    groups: impl Iterator<Item = Group<'t>>,
    escapes: Escapes,
    notes: Notes<'_>,
) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Document, Some(document));
    let training = with_contained(&[Usage::TrainAi]);
    let mut general = Vec::new();
    for (number, group) in (0..).zip(groups) {
        if group.is_general {
            general.push(number);
        }
        for statement in group.rules {
            let claims = match statement.modality {
                Modality::Permission => Claims { permits: training, ..Claims::default() },
                Modality::Prohibition => Claims { prohibits: training, ..Claims::default() },
            };
            let Scope::Pattern(pattern) = statement.scope else { continue };
            let path = Some(preferences.kept_path(pattern, None, escapes));
            let (Span { start, end }, line, column) = (statement.span, statement.line, statement.column);
            let place = Place::At(Location { start, end, line, column }, preferences.keep(&statement.text));
            preferences.push(Preference { dialect: Dialect::AiTxt, group: Some(number), path, claims, place });
        }
    }
    if preferences.entries.is_empty() {
        let message = "no rule follows a `User-agent` line here, so this is not Spawning's ai.txt".to_owned();
        notes(Code::BadDocument, (0, length), message, "write `User-Agent: *` and rules below it");
    }
    preferences.general_groups = Some(general);
    preferences
}
