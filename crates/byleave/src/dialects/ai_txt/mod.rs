//! ai.txt as Spawning has it: robots.txt's grammar, and about training alone (S-46).

use super::{Notes, Place, Preference, Preferences, Said, with_contained};
use crate::diagnostic::Code;
use crate::model::{Carrier, Dialect, Modality, Scope};
use crate::policy::Compiler;
use crate::policy::acap::At;
use crate::reading::Reading;
use crate::vocabulary::Usage;

/// Where it is.
pub(super) const LOCATION: &str = "/ai.txt";

/// What an ai.txt says. It is read as robots.txt is; each of its rules is a statement, of the group it stands in. A file
/// without a user-agent line and a rule is another that has the same name, and says nothing.
///
/// Cost: that of robots.txt.
pub(super) fn of_text(document: usize, bytes: &[u8], reading: Reading, notes: Notes<'_>) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Document, Some(document));
    let policy = Compiler::new(reading).compile(bytes);
    let (statements, escapes) = (policy.statements(), reading.switches().escapes);
    let training = with_contained(&[Usage::TrainAi]);
    for (group, block) in (0..).zip(policy.groups()) {
        if block.names.contains(&&b"*"[..]) {
            preferences.general.push(group);
        }
        for statement in block.rules.iter().filter_map(|id| statements.get(*id)) {
            let said = match statement.modality {
                Modality::Permission => Said { permits: training, ..Said::default() },
                Modality::Prohibition => Said { prohibits: training, ..Said::default() },
            };
            let Scope::Pattern(pattern) = statement.scope else { continue };
            let path = Some(preferences.kept_path(pattern, None, escapes));
            let (line, column) = (statement.line, statement.column);
            let at = At { start: statement.span.start, end: statement.span.end, line, column };
            let place = Place::At(at, preferences.keep(&statement.text));
            preferences.push(Preference { dialect: Dialect::AiTxt, group: Some(group), path, said, place });
        }
    }
    if preferences.entries.is_empty() {
        let message = "no rule stands here under a `User-agent` line, so it is not Spawning's ai.txt".to_owned();
        notes(Code::BadDocument, (0, bytes.len()), message, "write `User-Agent: *` and rules below it");
    }
    preferences.groups = Some(Box::new(policy.stand_alone()));
    preferences
}
