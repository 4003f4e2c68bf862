//! A target file while it is being written. It consists of groups of lines, and each line knows its source line.

use super::loss::LossCause;
use super::purposes::PURPOSE;
use super::source::Audience;
use byleave::model::Modality;

/// The dialect of a drafted robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DraftDialect {
    /// `User-agent`, `Allow` and `Disallow`.
    Conventional,
    /// `ACAP-crawler`, and ACAP permissions and prohibitions.
    Acap,
}

/// A target file.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) dialect: DraftDialect,
    /// Lines before all groups.
    pub(crate) before: Vec<Vec<u8>>,
    pub(crate) groups: Vec<DraftGroup>,
    /// Lines about the site, after all groups.
    pub(crate) after: Vec<Vec<u8>>,
}

/// A group in a draft.
#[derive(Clone, Debug, Default)]
pub(crate) struct DraftGroup {
    /// The number of the audience that the group addresses, or `None` if the group was copied from the source.
    pub(crate) audience: Option<usize>,
    /// The names as written. Without names and purposes, the group addresses any crawler.
    pub(crate) names: Vec<Vec<u8>>,
    pub(crate) purposes: Vec<Vec<u8>>,
    pub(crate) lines: Vec<DraftLine>,
    /// Other fields, which do not decide about crawling.
    pub(crate) facts: Vec<Vec<u8>>,
}

/// A line that permits or prohibits.
#[derive(Clone, Debug)]
pub(crate) struct DraftLine {
    pub(crate) content: LineContent,
    /// The source line that this line comes from, or `None` if it was added.
    pub(crate) from: Option<u32>,
    /// Whether the line was removed again.
    pub(crate) is_out: bool,
    /// Why the line was added or removed, and a path for which this was necessary.
    pub(crate) because: Option<(LossCause, String)>,
}

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineContent {
    /// A rule about crawling: its modality and its pattern.
    Rule(Modality, Vec<u8>),
    /// An unchanged line from the source.
    Copied(Vec<u8>),
}

impl DraftGroup {
    /// Returns whether the group addresses any crawler.
    pub(crate) fn is_any(&self) -> bool {
        self.names.is_empty() && self.purposes.is_empty()
    }

    /// Returns whether the group can be omitted. A group for a purpose is always written, because it replaces the group
    /// for any crawler.
    fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.purposes.is_empty() && self.has_no_rules()
    }

    fn has_no_rules(&self) -> bool {
        self.lines.iter().all(|line| line.is_out)
    }
}

impl DraftLine {
    pub(crate) fn rule(modality: Modality, pattern: Vec<u8>, from: Option<u32>) -> Self {
        Self { content: LineContent::Rule(modality, pattern), from, is_out: false, because: None }
    }
}

/// The position of a line in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DraftPosition {
    pub(crate) group: usize,
    pub(crate) line: usize,
}

impl Draft {
    pub(crate) fn new(dialect: DraftDialect) -> Self {
        Self { dialect, before: Vec::new(), groups: Vec::new(), after: Vec::new() }
    }

    /// Returns the text of the file and, for each of its lines, the position in the draft.
    pub(crate) fn written(&self) -> (Vec<u8>, Vec<Option<DraftPosition>>) {
        let mut text = Vec::new();
        let mut places = vec![None];
        let mut put = |line: &[&[u8]], place: Option<DraftPosition>| {
            line.iter().for_each(|piece| text.extend_from_slice(piece));
            text.push(b'\n');
            places.push(place);
        };
        let mut is_first = true;
        for line in &self.before {
            put(&[line], None);
            is_first = false;
        }
        for (number, group) in self.groups.iter().enumerate() {
            if group.is_empty() {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                put(&[], None);
            }
            let any = [b"*".to_vec()];
            let names = if group.is_any() { &any } else { group.names.as_slice() };
            for name in names {
                put(&[self.dialect.crawler(), b": ", name], None);
            }
            for purpose in &group.purposes {
                put(&[PURPOSE.name().as_bytes(), b": ", purpose], None);
            }
            for (at, line) in group.lines.iter().enumerate().filter(|(_, line)| !line.is_out) {
                let place = Some(DraftPosition { group: number, line: at });
                match &line.content {
                    LineContent::Rule(modality, pattern) => put(&[self.dialect.rule(*modality), b": ", pattern], place),
                    LineContent::Copied(text) => put(&[text], place),
                }
            }
            if group.has_no_rules() {
                // Without a rule, the next group's names would join this group.
                put(&[self.dialect.rule(Modality::Prohibition), b":"], None);
            }
            for fact in &group.facts {
                put(&[fact], None);
            }
        }
        if !self.after.is_empty() && !is_first {
            put(&[], None);
        }
        for line in &self.after {
            put(&[line], None);
        }
        (text, places)
    }

    pub(crate) fn line(&self, place: DraftPosition) -> Option<&DraftLine> {
        self.groups.get(place.group)?.lines.get(place.line)
    }

    /// Removes a line. Returns whether it was still present.
    pub(crate) fn take_back(&mut self, place: DraftPosition, because: (LossCause, String)) -> bool {
        let line = self.groups.get_mut(place.group).and_then(|group| group.lines.get_mut(place.line));
        line.is_some_and(|line| {
            line.because.get_or_insert(because);
            !std::mem::replace(&mut line.is_out, true)
        })
    }

    /// Adds a prohibition to a group. Returns whether it is new.
    pub(crate) fn prohibit(
        &mut self,
        group: usize,
        pattern: Vec<u8>,
        from: Option<u32>,
        because: (LossCause, String),
    ) -> bool {
        let Some(group) = self.groups.get_mut(group) else { return false };
        let content = LineContent::Rule(Modality::Prohibition, pattern);
        let is_new = !group.lines.iter().any(|line| line.content == content && !line.is_out);
        if is_new {
            group.lines.push(DraftLine { content, from, is_out: false, because: Some(because) });
        }
        is_new
    }

    /// Returns the number of the group for an audience. Adds the group if it does not exist.
    pub(crate) fn group_of(&mut self, number: usize, audience: &Audience) -> usize {
        if let Some(known) = self.groups.iter().position(|group| group.audience == Some(number)) {
            return known;
        }
        let (names, purposes) = (audience.names.clone(), audience.purposes.clone());
        let group = DraftGroup { audience: Some(number), names, purposes, ..DraftGroup::default() };
        self.groups.push(group);
        self.groups.len() - 1
    }
}

impl DraftDialect {
    fn crawler(self) -> &'static [u8] {
        match self {
            Self::Conventional => b"User-agent",
            Self::Acap => b"ACAP-crawler",
        }
    }

    fn rule(self, modality: Modality) -> &'static [u8] {
        match (self, modality) {
            (Self::Conventional, Modality::Permission) => b"Allow",
            (Self::Conventional, Modality::Prohibition) => b"Disallow",
            (Self::Acap, Modality::Permission) => b"ACAP-allow-crawl",
            (Self::Acap, Modality::Prohibition) => b"ACAP-disallow-crawl",
        }
    }
}
