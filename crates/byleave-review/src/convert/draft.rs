//! The target as it is being written: groups of lines, each with the line of the source that it comes from.

use super::loss::LossCause;
use super::purposes::PURPOSE;
use super::source::Audience;
use byleave::model::Modality;

/// Which fields of robots.txt the target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DraftDialect {
    /// `User-agent`, `Allow` and `Disallow`.
    Conventional,
    /// `ACAP-crawler` and ACAP's permissions and prohibition_patterns.
    Acap,
}

/// A target file.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) dialect: DraftDialect,
    /// Lines that stand before every group.
    pub(crate) before: Vec<Vec<u8>>,
    pub(crate) groups: Vec<DraftGroup>,
    /// Lines about the site.
    pub(crate) after: Vec<Vec<u8>>,
}

/// A group of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct DraftGroup {
    /// The audience it is for; nothing where it is copied from the source.
    pub(crate) audience: Option<usize>,
    /// As written; where there are no purposes either, it is for any crawler.
    pub(crate) names: Vec<Vec<u8>>,
    pub(crate) purposes: Vec<Vec<u8>>,
    pub(crate) lines: Vec<DraftLine>,
    /// Further fields, which say nothing of crawling.
    pub(crate) facts: Vec<Vec<u8>>,
}

/// A line of it that permits or prohibits.
#[derive(Clone, Debug)]
pub(crate) struct DraftLine {
    pub(crate) content: LineContent,
    /// The line of the source it comes from; nothing where it was added.
    pub(crate) from: Option<u32>,
    /// Whether it was taken back.
    pub(crate) is_out: bool,
    /// Why it was added or taken back, and the path that made it needed.
    pub(crate) because: Option<(LossCause, String)>,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineContent {
    /// Crawling of a pattern.
    Rule(Modality, Vec<u8>),
    /// A line of the source, as it stands there.
    Copied(Vec<u8>),
}

impl DraftGroup {
    /// Whether it is for any crawler.
    pub(crate) fn is_any(&self) -> bool {
        self.names.is_empty() && self.purposes.is_empty()
    }

    /// Whether it says nothing. One for a purpose sets aside what is content to any crawler.
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

/// Where a line of the written file is in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DraftPosition {
    pub(crate) group: usize,
    pub(crate) line: usize,
}

impl Draft {
    pub(crate) fn new(dialect: DraftDialect) -> Self {
        Self { dialect, before: Vec::new(), groups: Vec::new(), after: Vec::new() }
    }

    /// The file, and for each of its lines, from 1, where it is in the draft.
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
                // Without a rule the names of the next group would join these.
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

    /// Takes a line back; whether it stood.
    pub(crate) fn take_back(&mut self, place: DraftPosition, because: (LossCause, String)) -> bool {
        let line = self.groups.get_mut(place.group).and_then(|group| group.lines.get_mut(place.line));
        line.is_some_and(|line| {
            line.because.get_or_insert(because);
            !std::mem::replace(&mut line.is_out, true)
        })
    }

    /// Adds a prohibition to a group; whether it had none like it.
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

    /// The group for an audience; made where there is none.
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
