//! Parses the ACAP fields in a file from its lines (P1 2.2 to 2.7, S-09 to S-12).
//!
//! There are two stages. The first stage parses everything that counts anywhere in the file: the version, the
//! definitions, and the field that sets conventional groups aside. The second stage parses the groups. Both stages
//! report diagnostics if the caller wants them.

use super::definitions::Definitions;
use super::{Acap, Action, GENERAL, Group, Name, Reference};
use crate::base::source::{LineStarts, Span};
use crate::base::source::{Location, TableRange};
use crate::dialects::acap::{ACTIONS, AcapField, AcapName, AcapVersion};
use crate::model::crawler::{is_any, name_hash, token_of};
use crate::model::diagnostic::{Code, Diagnostic, Severity, shown};
use crate::model::reading::{NameGrammar, Switches};
use crate::robots_txt::classify;
use crate::robots_txt::{Field, Role};
use crate::robots_txt::{Line, Lines, Separator};
use std::collections::HashMap;

/// Parses the ACAP fields in `text` from `body` on. Returns `None` if there are no ACAP fields with an effect. `parent`
/// is the file that refers to this one. `notes` receives the diagnostics.
///
/// Cost: linear in the text.
pub(crate) fn parse(
    text: &[u8],
    body: usize,
    switches: &'static Switches,
    parent: Option<&Acap>,
    notes: Option<&mut Vec<Diagnostic>>,
) -> Option<Acap> {
    let mut parser = AcapParser::new(text, switches, parent, notes);
    parser.file_wide(body);
    parser.resolve_definitions();
    parser.groups(body);
    parser.acap.finish();
    (!parser.acap.is_empty()).then_some(parser.acap)
}

pub(super) struct AcapParser<'t> {
    pub(super) text: &'t [u8],
    pub(super) switches: &'static Switches,
    pub(super) parent: Option<&'t Acap>,
    /// The numbers of the local usages in `parent`, by name.
    pub(super) parent_locals: HashMap<&'t [u8], u32>,
    /// The numbers of the resource sets in `parent`, by name.
    pub(super) parent_sets: HashMap<&'t [u8], u32>,
    pub(super) acap: Acap,
    pub(super) definitions: Definitions,
    pub(super) version: AcapVersion,
    /// Whether `location` is a qualifier, which is true only in META tags (S-27).
    pub(super) takes_locations: bool,
    /// The listed ids for each statement, if this pass parses only the strawman's permissions for fragments (S-28).
    pub(super) fragments: Option<Vec<Ids>>,
    /// The usage bits of each local usage, for permissions (`true`) and for prohibitions.
    pub(super) masks: HashMap<(u32, bool), u16>,
    lines: LineStarts,
    notes: Option<&'t mut Vec<Diagnostic>>,
}

/// The spans of the ids in a list.
pub(super) type Ids = Vec<(usize, usize)>;

/// A line that is an ACAP field.
#[derive(Clone, Copy)]
struct AcapLine<'t> {
    name: AcapName<'t>,
    is_lenient: bool,
}

/// The kind of group that contains the current line.
#[derive(Clone, Copy, Debug)]
enum Within {
    Nothing,
    Conventional,
    Group(Open),
}

/// The open group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) number: u32,
    /// Whether the next crawler line still belongs to the group.
    pub(super) takes_names: bool,
    /// The end of the group's last crawler line.
    last_name: usize,
    first_name: (usize, usize),
    pub(super) purposes: u32,
    /// Whether the next purpose still belongs to the subgroup.
    pub(super) takes_purposes: bool,
    pub(super) purpose_at: (usize, usize),
    /// Whether a line in the subgroup has several purposes, or a purpose in quotation marks.
    pub(super) has_list: bool,
    pub(super) fields: u32,
    /// Whether ACAP's grammar does not allow one of the group's names.
    pub(super) is_lenient: bool,
    pub(super) reference: Option<(usize, usize)>,
}

impl<'t> AcapParser<'t> {
    pub(super) fn new(
        text: &'t [u8],
        switches: &'static Switches,
        parent: Option<&'t Acap>,
        notes: Option<&'t mut Vec<Diagnostic>>,
    ) -> Self {
        Self {
            text,
            switches,
            parent,
            parent_locals: parent.map_or_else(HashMap::new, |parent| {
                let names = parent.locals.iter().map(|local| local.name.of(&parent.arena));
                names.zip(0..).collect()
            }),
            parent_sets: parent.map_or_else(HashMap::new, |parent| {
                let names = parent.sets.iter().map(|set| set.name.of(&parent.arena));
                names.zip(0..).collect()
            }),
            acap: Acap::default(),
            definitions: Definitions::default(),
            version: AcapVersion::UNDECLARED,
            takes_locations: false,
            fragments: None,
            masks: HashMap::new(),
            lines: LineStarts::of(text),
            notes,
        }
    }

    /// Parses everything that counts anywhere in the file.
    fn file_wide(&mut self, body: usize) {
        let mut declared: Option<(AcapVersion, (usize, usize))> = None;
        let (mut has_group, mut has_definition, mut has_line) = (false, false, false);
        for line in Lines::new(self.text, body) {
            let content = line.content();
            if let Some(version) = self.version_of(&line, has_line) {
                declared = Some(declared.map_or(version, |known| if version.0 < known.0 { version } else { known }));
            }
            has_line |= line.end > line.start;
            let Some(written) = self.acap_field(&line) else { continue };
            match written.name {
                AcapName::Field(AcapField::Crawler) => has_group = true,
                AcapName::Field(AcapField::IgnoreConventionalRecords) => {
                    self.acap.ignores_conventional = true;
                    if line.separator == Separator::Colon {
                        self.note(Code::NeedlessColon, content, "this field takes no value", "remove the colon");
                    }
                    if has_group || has_definition {
                        self.note(
                            Code::MisplacedField,
                            content,
                            "this field should come before every definition and group; it still counts",
                            "move it to the top",
                        );
                    }
                }
                AcapName::Field(AcapField::QualifiedUsage | AcapField::CompositeUsage | AcapField::ResourceSet) => {
                    has_definition = true;
                    if has_group {
                        self.note(
                            Code::LateDefinition,
                            content,
                            "definitions should come before every group; this one still counts",
                            "move it above the first group",
                        );
                    }
                }
                _ => {}
            }
        }
        if let Some((_, at)) = declared.filter(|(version, _)| version.major != 1) {
            self.note(
                Code::UnsupportedMajor,
                at,
                "this major version is not supported, so every permission counts as a prohibition",
                "declare version 1.0 or 1.1",
            );
        }
        self.version = declared.map_or(AcapVersion::UNDECLARED, |(version, _)| version);
        // Definitions are parsed after the version, because a definition that uses a later feature counts as absent
        // (S-11).
        for line in Lines::new(self.text, body) {
            let Some(written) = self.acap_field(&line) else { continue };
            if let AcapName::Field(
                field @ (AcapField::QualifiedUsage | AcapField::CompositeUsage | AcapField::ResourceSet),
            ) = written.name
            {
                self.definition(field, line.value);
            }
        }
    }

    /// Returns the version that a line declares in the `##ACAP` comment or in the version field.
    fn version_of(&mut self, line: &Line, has_line: bool) -> Option<(AcapVersion, (usize, usize))> {
        let is_comment = line.name.0 == line.name.1 && self.text.get(line.comment) == Some(&b'#');
        let (at, is_comment) = if is_comment { ((line.comment, line.end), true) } else { (line.content(), false) };
        let written = self.of(at);
        let hashes = written.iter().take_while(|byte| **byte == b'#').count();
        let rest = written.get(hashes..).unwrap_or_default().trim_ascii().to_ascii_lowercase();
        let rest = rest.strip_prefix(b"acap")?;
        let rest = match (is_comment, rest.first()) {
            (true, Some(b' ' | b'\t')) => rest.trim_ascii_start().strip_prefix(b"version")?,
            (false, Some(b' ' | b'\t' | b'-')) => {
                rest.get(1..).unwrap_or_default().trim_ascii_start().strip_prefix(b"version")?
            }
            _ => return None,
        };
        let value = rest.trim_ascii_start();
        let value = match (is_comment, value.first()) {
            (true, Some(b'=')) | (false, Some(b':')) => value.get(1..).unwrap_or_default(),
            (true, _) => return None,
            (false, _) => value,
        };
        let Some(version) = version(value.trim_ascii()) else {
            self.note(Code::BadVersion, at, "this is not a version", "write it as `1.0` or `1.1`");
            return None;
        };
        if is_comment && (hashes != 2 || has_line) {
            self.note(
                Code::OddVersionMark,
                at,
                "the version comment should be the first line and begin with `##ACAP`; it still counts",
                "write `##ACAP version=1.0` above everything else",
            );
        }
        Some((version, at))
    }

    /// Returns the ACAP field on a line, or `None` if there is none.
    fn acap_field(&self, line: &Line) -> Option<AcapLine<'t>> {
        let text = self.text;
        let name = text.get(line.name.0..line.name.1).unwrap_or_default();
        if line.separator == Separator::Missing {
            let name = AcapName::Field(AcapField::IgnoreConventionalRecords);
            return is_ignore_field(self.of(line.name)).then_some(AcapLine { name, is_lenient: false });
        }
        let (field, is_lenient) = classify(text, line, self.switches)?;
        matches!(field.role(), Role::Acap | Role::AcapNames).then(|| AcapLine { name: AcapName::of(name), is_lenient })
    }

    /// Parses the groups.
    fn groups(&mut self, body: usize) {
        let mut within = Within::Nothing;
        let mut has_group = false;
        for line in Lines::new(self.text, body) {
            if let Some(written) = self.acap_field(&line) {
                has_group |= written.name == AcapName::Field(AcapField::Crawler);
                self.field(&line, written, &mut within);
                continue;
            }
            let Some((field, _)) = classify(self.text, &line, self.switches) else { continue };
            if field == Field::UserAgent {
                self.close(&mut within);
                if has_group && !matches!(within, Within::Conventional) {
                    self.note(
                        Code::ConventionalAfterAcap,
                        line.content(),
                        "conventional groups should come before all ACAP groups; this one ends the ACAP group above it",
                        "move it above the ACAP groups",
                    );
                }
                within = Within::Conventional;
            }
        }
        self.close(&mut within);
    }

    fn field(&mut self, line: &Line, written: AcapLine<'t>, within: &mut Within) {
        let content = line.content();
        match written.name {
            AcapName::Field(AcapField::Crawler) => return self.crawler(line, within),
            AcapName::Field(
                AcapField::IgnoreConventionalRecords
                | AcapField::Version
                | AcapField::QualifiedUsage
                | AcapField::CompositeUsage
                | AcapField::ResourceSet,
            ) => return,
            AcapName::Unknown => {
                return self.note(
                    Code::UnknownField,
                    line.name,
                    "ACAP does not define this field, so it is ignored",
                    "check the spelling",
                );
            }
            AcapName::Request(action) if !ACTIONS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(action)) => {
                return self.note(
                    Code::UnknownAction,
                    line.name,
                    "ACAP does not define this request, so it is ignored",
                    "write `take-down` or `re-crawl`",
                );
            }
            _ => {}
        }
        let Within::Group(open) = within else {
            return match within {
                Within::Conventional => self.note(
                    Code::ForeignField,
                    content,
                    "this ACAP field is in a conventional group, so it is ignored",
                    "put it under an `ACAP-crawler` line",
                ),
                _ => self.note(
                    Code::OrphanField,
                    content,
                    "this field comes before any `ACAP-crawler` line, so it addresses no crawler",
                    "put `ACAP-crawler: *` above it",
                ),
            };
        };
        match written.name {
            AcapName::Allow(usage) => self.statement(line, true, usage, written.is_lenient, open),
            AcapName::Disallow(usage) => self.statement(line, false, usage, written.is_lenient, open),
            AcapName::Request(action) => self.request(line, action, open),
            AcapName::Field(AcapField::UsagePurpose) => self.purpose(line, open),
            AcapName::Field(AcapField::PermissionsReference) => self.reference(line, open),
            AcapName::Field(_) | AcapName::Unknown => {}
        }
    }

    fn crawler(&mut self, line: &Line, within: &mut Within) {
        let content = line.content();
        let open = match within {
            Within::Group(open) if open.takes_names => {
                let gap = self.text.get(open.last_name..content.0).unwrap_or_default();
                let line_at = |offset: usize| self.lines.position(offset as u32).line;
                if line_at(content.0) > line_at(open.last_name) + 1 || gap.contains(&b'#') {
                    self.note(
                        Code::MergedCrawlerLines,
                        content,
                        "no field that counts separates this crawler line from the previous one: they form one group",
                        "if you want two groups, give the first one its own fields",
                    );
                }
                open
            }
            _ => {
                self.close(within);
                *within = Within::Group(self.open(content));
                let Within::Group(open) = within else { return };
                open
            }
        };
        open.last_name = content.1;
        let number = open.number as usize;
        let written = self.of(line.value);
        let is_any = is_any(written);
        let is_odd = !is_any && !written.first().is_some_and(u8::is_ascii_alphabetic);
        open.is_lenient |= is_odd;
        if written.is_empty() {
            return self.note(
                Code::EmptyName,
                content,
                "this line names no crawler",
                "write a crawler's name, or `*` for any crawler",
            );
        }
        if written.contains(&b',') {
            self.note(
                Code::NameList,
                line.value,
                "a line names one crawler, so the whole value is read as one name",
                "give each crawler a line of its own",
            );
        } else if is_odd {
            self.note(
                Code::OddName,
                line.value,
                "in ACAP's grammar, names begin with a letter; this one is still read",
                "nothing needs to be done",
            );
        }
        if !is_any {
            self.keep_name(written);
        }
        let mut is_mixed = false;
        if let Some(group) = self.acap.groups.get_mut(number) {
            let was_mixed = group.is_any && group.names.length > 0;
            group.is_any |= is_any;
            group.names.length += u32::from(!is_any);
            is_mixed = !was_mixed && group.is_any && group.names.length > 0;
        }
        if is_mixed {
            self.note(
                Code::MixedAddressee,
                content,
                "a group for any crawler should not name crawlers; it addresses any crawler and the named crawlers",
                "split it into two groups",
            );
        }
    }

    /// Adds a group that begins with this crawler line.
    fn open(&mut self, first_name: (usize, usize)) -> Open {
        let number = self.acap.groups.len() as u32;
        let names = TableRange { start: self.acap.names.len() as u32, length: 0 };
        let line = self.lines.position(first_name.0 as u32).line;
        let statements = TableRange { start: self.acap.statements.len() as u32, length: 0 };
        self.acap.groups.push(Group { names, is_any: false, line, statements, starts: 0 });
        Open {
            number,
            takes_names: true,
            last_name: first_name.1,
            first_name,
            purposes: GENERAL,
            takes_purposes: false,
            purpose_at: first_name,
            has_list: false,
            fields: 0,
            is_lenient: false,
            reference: None,
        }
    }

    pub(super) fn keep_name(&mut self, written: &[u8]) {
        let token = token_of(written, NameGrammar::WholeOrToken);
        let (whole, token) = (name_hash(written), name_hash(token));
        let written = self.acap.keep(written);
        self.acap.names.push(Name { written, whole, token });
    }

    fn reference(&mut self, line: &Line, open: &mut Open) {
        let content = line.content();
        let locator = self.of(line.value);
        if open.fields > 0 {
            self.note_reference_not_alone(content);
        }
        open.takes_names = false;
        open.fields += 1;
        open.reference = Some(content);
        if self.parent.is_some() {
            return self.note(
                Code::NestedReference,
                content,
                "a file that robots.txt refers to may not refer to another file; this line has no effect",
                "copy the fields of the other file into this one",
            );
        }
        if locator.is_empty() {
            return self.note(Code::EmptyPattern, content, "this reference names no file", "write a path or a URL");
        }
        if locator.contains(&b'*') {
            self.note(
                Code::WildcardInReference,
                line.value,
                "a reference names one file; wildcards are not allowed",
                "write the file's path",
            );
        }
        let locator = self.acap.keep(locator);
        let at = self.at(line);
        self.acap.references.push(Reference { group: open.number, locator, at });
    }

    pub(super) fn note_reference_not_alone(&mut self, content: (usize, usize)) {
        self.note(
            Code::ReferenceNotAlone,
            content,
            "a reference should be the only field in its group; all fields count",
            "give it a group of its own",
        );
    }

    fn request(&mut self, line: &Line, action: &[u8], open: &mut Open) {
        let content = line.content();
        open.takes_names = false;
        open.fields += 1;
        if open.purposes != GENERAL {
            self.note(
                Code::ActionInSubgroup,
                content,
                "a request may not be in a subgroup; it counts for the whole group",
                "put it above the first purpose",
            );
        }
        let path = self.of(line.value);
        if path.is_empty() {
            return self.note(Code::EmptyPattern, content, "this request names no resource", "write a path");
        }
        if path.contains(&b'*') || path.ends_with(b"$") {
            return self.note(
                Code::WildcardInRequest,
                line.value,
                "a request is about one resource; wildcards are not allowed, so this request has no effect",
                "write one path",
            );
        }
        if self.version >= AcapVersion::V1_1 {
            self.note(
                Code::FeatureWithdrawn,
                content,
                "ACAP 1.1 withdrew requests; this one is still passed on",
                "tell the crawler's operator directly",
            );
        }
        let number = ACTIONS.iter().position(|known| known.as_bytes().eq_ignore_ascii_case(action)).unwrap_or(0);
        let path = self.acap.keep(path);
        let at = self.at(line);
        self.acap.actions.push(Action { group: open.number, action: number as u8, path, at });
    }

    /// Closes the open group, if there is one.
    fn close(&mut self, within: &mut Within) {
        if let Within::Group(open) = within {
            if open.fields == 0 && open.purposes == GENERAL {
                self.note(
                    Code::EmptyGroup,
                    open.first_name,
                    "this group has no fields and is ignored",
                    "give it a field, or remove it",
                );
            }
            self.close_subgroup(open);
            *within = Within::Nothing;
        }
    }

    pub(super) fn close_subgroup(&mut self, open: &Open) {
        if open.takes_purposes {
            self.note(
                Code::EmptySubgroup,
                open.purpose_at,
                "there is no field under this purpose",
                "put permissions or prohibitions under it, or remove it",
            );
        }
    }

    pub(super) fn at(&self, line: &Line) -> Location {
        let place = self.lines.position(line.name.0 as u32);
        let (start, end) = line.content();
        Location { start: start as u32, end: end as u32, line: place.line, column: place.column }
    }

    pub(super) fn of(&self, (start, end): (usize, usize)) -> &'t [u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn note(&mut self, code: Code, (start, end): (usize, usize), message: &str, help: &str) {
        if let Some(notes) = &mut self.notes {
            let shown = shown(self.text, (start, end));
            let is_deviation = self.switches.deviations_are_errors && code.is_leniency();
            notes.push(Diagnostic {
                code,
                severity: if is_deviation { Severity::Error } else { code.severity() },
                document: "robots.txt".to_owned(),
                span: Span::new(start, end),
                message: format!("`{shown}`: {message}"),
                help: Some(help.to_owned()),
            });
        }
    }
}

/// Whether a line without a colon is an ACAP field: either `ACAP-ignore-conventional-records`, which takes no value, or
/// the version.
pub(crate) fn is_colonless(content: &[u8]) -> bool {
    is_ignore_field(content) || content.get(..12).is_some_and(|start| start.eq_ignore_ascii_case(b"acap version"))
}

/// Whether a line without a colon is `ACAP-ignore-conventional-records`.
fn is_ignore_field(content: &[u8]) -> bool {
    content.eq_ignore_ascii_case(b"acap-ignore-conventional-records")
}

/// Parses a version: integers separated by dots. Only the first two integers count.
pub(super) fn version(written: &[u8]) -> Option<AcapVersion> {
    let text = std::str::from_utf8(written).ok()?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !text.split('.').all(is_number) {
        return None;
    }
    let mut numbers = text.split('.').map(|part| part.parse().unwrap_or(u32::MAX));
    Some(AcapVersion { major: numbers.next()?, minor: numbers.next().unwrap_or(0) })
}
