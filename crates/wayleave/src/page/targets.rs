//! The parts of a page that a permission may name as what must be used or included (P1 2.5.3.2, S-37).

use super::Decoded;
use super::characters::attribute_value;
use super::tokens::{Tag, Token, Tokens};
use super::tree::{Stepped, Tree, Work};
use std::collections::HashSet;

/// The ids, classes and META names of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    ids: HashSet<String>,
    classes: HashSet<String>,
    metas: HashSet<String>,
}

/// What kind of part is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetKind {
    Id,
    Class,
    Meta,
}

impl Targets {
    /// The parts of a page that are in its document: what is inside a template is not.
    ///
    /// Cost: that of the page's tree.
    pub(crate) fn of(page: &Decoded<'_>) -> Self {
        let mut tree = Tree::new(page, Tokens::new(page.text(), page.start()), Work::default());
        let mut named = Vec::new();
        // A page that is given up names what was read of it (S-22).
        while let Stepped::Token(token) = tree.step() {
            if let Token::Start(tag) = token
                && ["id", "class", "name"].iter().any(|name| tag.attribute(name).is_some())
            {
                named.extend(tree.element().map(|element| (element, tag)));
            }
        }
        let mut targets = Self::default();
        for node in tree.into_nodes().in_document() {
            let found = named.binary_search_by_key(&node, |(element, _)| *element);
            if let Some((_, tag)) = found.ok().and_then(|found| named.get(found)) {
                targets.add(tag, page);
            }
        }
        targets
    }

    fn add(&mut self, tag: &Tag<'_>, page: &Decoded<'_>) {
        let value = |name: &str| tag.attribute(name).map(|raw| attribute_value(raw, page.text_encoding()));
        self.ids.extend(value("id").map(|id| id.into_owned()));
        if let Some(classes) = value("class") {
            self.classes.extend(classes.split_ascii_whitespace().map(str::to_owned));
        }
        if tag.is("meta") {
            self.metas.extend(value("name").map(|name| name.trim().to_ascii_lowercase()));
        }
    }

    /// Whether the page has such a part. Ids and classes are compared with case, META names without.
    pub(crate) fn has(&self, kind: TargetKind, name: &[u8]) -> bool {
        let Ok(name) = std::str::from_utf8(name) else { return false };
        match kind {
            TargetKind::Id => self.ids.contains(name),
            TargetKind::Class => self.classes.contains(name),
            TargetKind::Meta => self.metas.contains(&name.to_ascii_lowercase()),
        }
    }
}
