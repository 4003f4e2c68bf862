//! Diagnostics for META tags, as sentences.
//!
//! This file reports problems in META tags in the head, META tags outside the head, and META tags that no crawler
//! reads.

use super::ParsedDocument;
use crate::base::source::Location;
use crate::base::source::Span;
use crate::dialects::acap::Acap;
use crate::dialects::acap::AcapVersion;
use crate::dialects::acap::{AddressedNames, Meta, MetaRole, Strawman, addressed_names, is_robots, parse_metas};
use crate::dialects::robots_directives;
use crate::dialects::robots_directives::Directive;
use crate::formats::html;
use crate::formats::html::{Decoded, MetaTag};
use crate::model::crawler::Crawler;
use crate::model::diagnostic::{Code, Diagnostic, MAX_NOTES, Severity, shown};
use crate::model::reading::{Lifting, Switches};
use crate::site::response_preferences;
use std::collections::HashSet;

impl ParsedDocument {
    /// Reports problems in the META tags in a page's head.
    pub(crate) fn diagnose(&self, switches: &'static Switches, robots_txt: Option<&Acap>, notes: &mut Vec<Diagnostic>) {
        let declared = self.declared_to(&Crawler::nobody());
        let has_definitions = self.metas.iter().any(|meta| matches!(meta.role, MetaRole::Definition(_)));
        let found = noticed(has_definitions, |strawman, found| {
            let version = declared.version();
            parse_metas(&self.text, &self.metas, version, strawman, switches, robots_txt, Some(found));
        });
        for note in found {
            // The note's span is in the tag's content, but the diagnostic covers the whole tag.
            let behind = self.metas.partition_point(|meta| meta.content.start <= note.span.start);
            let meta = behind.checked_sub(1).and_then(|number| self.metas.get(number));
            notes.push(Diagnostic { span: meta.map_or(note.span, |meta| span_of(meta.at)), ..note });
        }
        self.diagnose_versions(notes);
        self.diagnose_marks(switches, notes);
        self.diagnose_names(notes);
        for meta in &self.metas {
            let (name, content) = (meta.name.of(&self.text), meta.content.of(&self.text));
            response_preferences::of_meta(name, content, &mut |code, _, message, help| {
                notes.push(note(code, meta, message, help));
            });
        }
        for meta in self.metas.iter().filter(|meta| meta.role == MetaRole::Directives) {
            // Any name may be a crawler's name, even `description`. A tag with an unknown name is therefore checked
            // only if its content is short and has known directives.
            if is_robots(meta.name.of(&self.text)) || robots_directives::has_directives(meta.content.of(&self.text)) {
                self.diagnose_words(meta, notes);
            }
        }
    }

    fn diagnose_words(&self, meta: &Meta, notes: &mut Vec<Diagnostic>) {
        let content = meta.content.of(&self.text);
        let first = notes.len();
        let mut known: Vec<((usize, usize), Directive)> = Vec::new();
        robots_directives::content(content, &mut |span, word| match word {
            Ok(directive) => known.push((span, directive)),
            Err(_) if notes.len() - first >= MAX_NOTES => {}
            Err(unread) => {
                let (message, help) = unread.message(&shown(content, span));
                notes.push(Diagnostic { help: help.map(str::to_owned), ..note(unread.code(), meta, message, "") });
            }
        });
        // In some readings a permission and a restriction do not contradict each other: the permission counts (S-48).
        let is_contradictory = self.switches.lifting != Lifting::Permissive;
        let found = is_contradictory.then(|| robots_directives::contradiction(&known)).flatten();
        if let Some((permitting, restricting)) = found {
            let (message, help) =
                robots_directives::contradictory(&shown(content, permitting), &shown(content, restricting));
            notes.push(note(Code::ContradictoryDirectives, meta, message, help));
        }
    }

    /// Whether a META tag probably addresses crawlers. Because any name may be a crawler's name, the content decides if
    /// the name is not known.
    fn speaks(&self, meta: &Meta) -> bool {
        meta.role != MetaRole::Directives
            || is_robots(meta.name.of(&self.text))
            || robots_directives::has_directives(meta.content.of(&self.text))
    }

    fn diagnose_names(&self, notes: &mut Vec<Diagnostic>) {
        for meta in self.metas.iter().filter(|meta| self.speaks(meta)) {
            let name = meta.name.of(&self.text);
            let message = match addressed_names(name) {
                AddressedNames::One => {
                    if meta.role == MetaRole::Directives
                        && !is_robots(name)
                        && robots_directives::is_misspelt_carrier(name)
                    {
                        let message = format!(
                            "`{}` is treated as the name of a crawler, so no other crawler reads this META tag",
                            shown(name, (0, name.len()))
                        );
                        notes.push(note(Code::MisspeltCarrier, meta, message, "write `name=robots`"));
                    }
                    continue;
                }
                AddressedNames::Everyone => "its restrictions count for everyone, its permissions for the first name",
                AddressedNames::Names(_) => "its restrictions count for each name, its permissions for the first name",
            };
            let message = format!("`{}`: a META tag names one crawler; {message}", shown(name, (0, name.len())));
            notes.push(note(Code::NameList, meta, message, "write one tag for each crawler"));
        }
    }

    fn diagnose_marks(&self, switches: &Switches, notes: &mut Vec<Diagnostic>) {
        for meta in self.metas.iter().filter(|meta| meta.is_lenient && self.speaks(meta)) {
            let message =
                "in HTML these quotation marks are part of the value, but here they are read as marks around it"
                    .to_owned();
            let mut note =
                note(Code::QuotationMarks, meta, message, "write straight quotation marks, and only around values");
            if switches.deviations_are_errors {
                note.severity = Severity::Error;
            }
            notes.push(note);
        }
    }

    fn diagnose_versions(&self, notes: &mut Vec<Diagnostic>) {
        let mut known: Option<AcapVersion> = None;
        for meta in &self.metas {
            let MetaRole::Version(version) = meta.role else { continue };
            if !is_robots(meta.name.of(&self.text)) {
                let message = "a version is for all crawlers; this one counts for the crawlers it names".to_owned();
                notes.push(note(Code::VersionForOne, meta, message, "write it with `name=robots`"));
            }
            if known.is_some_and(|known| known != version) {
                let message = "the page declares more than one version of ACAP; the lowest counts".to_owned();
                notes.push(note(Code::ConflictingVersions, meta, message, "declare one version"));
            }
            if version.major != 1 {
                let message = "this major version is not supported, so every permission counts as a prohibition";
                notes.push(note(Code::UnsupportedMajor, meta, message.to_owned(), "declare version 1.0 or 1.1"));
            }
            known = known.or(Some(version));
        }
    }

    /// Reports META tags outside `head`, which have no effect (S-24).
    pub(crate) fn diagnose_outside(&self, notes: &mut Vec<Diagnostic>) {
        for meta in self.metas.iter().skip(self.of_head) {
            let name = meta.name.of(&self.text);
            let is_preference = || response_preferences::of_meta(name, b"", &mut |_, _, _, _| {}).is_some();
            if is_robots(name) || meta.role != MetaRole::Directives || is_preference() {
                let written = shown(
                    &self.text,
                    (meta.content.start as usize, (meta.content.start + meta.content.length) as usize),
                );
                let message = format!("`{written}`: this META tag is outside `head`, where META tags do not count");
                notes.push(note(Code::MetaOutsideHead, meta, message, "move it into `head`"));
            }
        }
    }
}

/// Reports META tags in a page's head that contain directives but have no name, so that no crawler reads them.
pub(crate) fn diagnose_nameless(page: &Decoded<'_>, notes: &mut Vec<Diagnostic>) {
    let first = notes.len();
    html::head_metas(page, |tag: &MetaTag<'_>| {
        let is_full = notes.len() - first >= MAX_NOTES;
        if is_full || tag.name().is_some() {
            return;
        }
        let has_directives = tag.content().is_some_and(|it| robots_directives::has_directives(it.as_bytes()));
        let is_preference = |it: &[u8]| response_preferences::of_meta(it, b"", &mut |_, _, _, _| {}).is_some();
        for attribute in ["property", "http-equiv", "itemprop"] {
            let attributed = tag.attribute(attribute);
            let name = attributed.as_deref().map(str::trim_ascii);
            let is_meant = |it: &str| {
                has_directives && robots_directives::is_misspelt_carrier(it.as_bytes()) || is_preference(it.as_bytes())
            };
            if let Some(meant) = name.filter(|it| is_meant(it)) {
                let help = if is_preference(meant.as_bytes()) { meant } else { "robots" };
                notes.push(Diagnostic {
                    code: Code::MisspeltCarrier,
                    severity: Code::MisspeltCarrier.severity(),
                    document: String::new(),
                    span: tag.span(),
                    message: format!(
                        "no crawler reads `{attribute}={}`: a META tag addresses crawlers by its `name`",
                        shown(meant.as_bytes(), (0, meant.len()))
                    ),
                    help: Some(format!("write `name={}`", shown(help.as_bytes(), (0, help.len())))),
                });
            }
        }
    });
}

/// Returns the diagnostics that `read` reports. A local usage that the page defines in the strawman's way is unknown
/// only to crawlers that do not read the strawman. Its diagnostic has a separate code, because not every crawler has
/// the problem (S-28).
pub(crate) fn noticed(has_definitions: bool, read: impl Fn(Strawman, &mut Vec<Diagnostic>)) -> Vec<Diagnostic> {
    let (mut unread, mut known) = (Vec::new(), Vec::new());
    read(Strawman::Unread, &mut unread);
    if has_definitions {
        read(Strawman::Read, &mut known);
        let known: HashSet<(Code, u32)> = known.iter().map(|note| (note.code, note.span.start)).collect();
        let is_of_a_name = |note: &Diagnostic| matches!(note.code, Code::UndefinedLocalUsage | Code::LocalUsageInMeta);
        let is_known = |note: &Diagnostic| !known.contains(&(note.code, note.span.start));
        for note in unread.iter_mut().filter(|note| is_of_a_name(note) && is_known(note)) {
            note.code = Code::StrawmanOnly;
            note.severity = note.code.severity();
            note.message.push_str("; only crawlers that read the strawman of 2007 understand it");
        }
    }
    unread
}

fn note(code: Code, meta: &Meta, message: String, help: &str) -> Diagnostic {
    Diagnostic {
        code,
        severity: code.severity(),
        document: String::new(),
        span: span_of(meta.at),
        message,
        help: Some(help.to_owned()),
    }
}

fn span_of(at: Location) -> Span {
    Span { start: at.start, end: at.end }
}
