//! The parts of a page that a permission can require the crawler to use or include (P1 2.5.3.2, S-37).

use super::elements::Elements;
use super::{Decoded, head_metas};
use std::borrow::Cow;
use std::collections::HashSet;

/// The ids and classes in a page, and the META names in its head (S-24).
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    ids: HashSet<String>,
    classes: HashSet<String>,
    metas: HashSet<String>,
}

/// The kind of part that a permission names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetKind {
    Id,
    Class,
    Meta,
}

impl Targets {
    /// Finds the parts of a page. The contents of templates are not part of the document.
    ///
    /// Cost: the cost of building the page's tree.
    pub(crate) fn of(page: &Decoded<'_>) -> Self {
        // If building the tree is abandoned, the parts found so far count (S-22).
        let elements = Elements::without_texts(page);
        let mut targets = Self::default();
        for id in elements.ids() {
            let value = |name: &str| elements.attribute(page, id, name);
            targets.ids.extend(value("id").map(Cow::into_owned));
            if let Some(classes) = value("class") {
                targets.classes.extend(classes.split_ascii_whitespace().map(str::to_owned));
            }
        }
        head_metas(page, |meta| targets.metas.extend(meta.name().map(|name| name.trim().to_ascii_lowercase())));
        targets
    }

    /// Returns whether the page has this part. Ids and classes are case-sensitive, but META names are not.
    pub(crate) fn has(&self, kind: TargetKind, name: &[u8]) -> bool {
        let Ok(name) = std::str::from_utf8(name) else { return false };
        match kind {
            TargetKind::Id => self.ids.contains(name),
            TargetKind::Class => self.classes.contains(name),
            TargetKind::Meta => self.metas.contains(&name.to_ascii_lowercase()),
        }
    }
}
