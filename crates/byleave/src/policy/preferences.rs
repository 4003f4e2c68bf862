//! Statements in AI-preference dialects in robots.txt, each parsed by its dialect (S-40).

use crate::dialects::PREFERENCE_DIALECTS;
use crate::dialects::preference::{Claims, FieldClaims, Notes, Place, Preference, Preferences};
use crate::model::Carrier;
use crate::model::reading::Switches;
use crate::policy::Policy;
use crate::robots_txt::Field;

/// Returns a policy's statements in AI-preference dialects.
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
        let parsed = parse(field, value, switches, &mut |_, _, _, _| {});
        let Some(FieldClaims { path, claims }) = parsed else { return };
        let claims = match switches.leniency_prohibits {
            true if group.is_none() || is_doubtful || path.is_some() && value.starts_with(b"*") => {
                claims.uninterpretable()
            }
            // If it is uncertain which crawlers the preference addresses, it permits nothing (S-02).
            false if is_doubtful => Claims { permits: 0, ..claims },
            _ => claims,
        };
        let path = path.map(|(start, end)| {
            let written = value.get(start..end).unwrap_or_default();
            preferences.path(written, start, switches.escapes)
        });
        // A field that states nothing does not replace other preferences.
        if claims.usages() != 0 {
            let place = Place::Fact(number);
            let preference = Preference { dialect, group, path, claims, place };
            match field {
                Field::License => preferences.push_naming(preference, value),
                _ => preferences.push(preference),
            }
        }
    });
    preferences
}

/// Parses a field's value: the path at its beginning, and the claims after it. Returns `None` if it makes no claim.
pub(crate) fn parse(field: Field, value: &[u8], switches: &Switches, notes: Notes<'_>) -> Option<FieldClaims> {
    let dialect = field.preference_dialect()?;
    let entry = PREFERENCE_DIALECTS.iter().find(|entry| entry.dialect == dialect)?;
    (entry.field?)(field, value, switches, notes)
}
