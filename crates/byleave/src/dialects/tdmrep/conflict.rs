//! Determines which of several TDM reservations counts (S-44).
//!
//! `decide` calls this code with the reservations that match the resource.

use crate::dialects::conflict::{Candidate, Candidates, ConflictContext};
use crate::model::{Carrier, LostTo};

/// The number of layers: tdmrep.json, header, page, metadata in the file. Each layer overrides the layers before it.
const LAYERS: usize = 4;
const HEADERS: usize = 1;
const METAS: usize = 2;
const FILES: usize = 3;

/// Reports which reservations count. In a tdmrep.json, the first matching rule counts. The header overrides
/// tdmrep.json, the page overrides both, and metadata in the file itself overrides all of them.
pub(crate) fn last_layer<'p>(
    all: &[Candidate<'p>],
    context: &ConflictContext<'_>,
    settle: &mut dyn FnMut(&Candidate<'p>, Option<LostTo>),
) {
    let mut layers: [Candidates<'p>; LAYERS] = Default::default();
    for one in all {
        let layer = match one.carrier {
            Some(Carrier::Header) => HEADERS,
            Some(Carrier::Meta) => METAS,
            _ if one.is_of_file => FILES,
            _ => 0,
        };
        let Some(layer) = layers.get_mut(layer) else { continue };
        // The rules of one document are adjacent and in the document's order. The first matching rule counts.
        let is_rule = one.carrier == Some(Carrier::Document) && !one.is_of_file;
        match layer.last().copied() {
            Some(first) if is_rule && first.id.source == one.id.source => {
                settle(one, Some(LostTo::EarlierRule(first.id)));
            }
            _ => layer.push(*one),
        }
    }
    // A permission on the page counts only if both source and DOM contain it (S-25).
    if let Some(metas) = layers.get_mut(METAS)
        && context.has_source_and_dom
        && metas.iter().all(|one| metas.first().is_some_and(|first| first.id.source == one.id.source))
    {
        let permits = |one: &Candidate<'_>| one.preference.claims.permits & context.usage != 0;
        for one in metas.iter().filter(|one| permits(one)) {
            settle(one, Some(LostTo::NotInBoth));
        }
        metas.retain(|one| !permits(one));
    }
    let last = layers.iter().rev().find(|layer| !layer.is_empty());
    let Some(winner) = last.and_then(|layer| layer.first()).map(|one| one.id) else { return };
    for layer in &layers {
        let is_winning = layer.first().map(|first| first.id) == Some(winner);
        for one in layer {
            settle(one, (!is_winning).then_some(LostTo::LaterLayer(winner)));
        }
    }
}
