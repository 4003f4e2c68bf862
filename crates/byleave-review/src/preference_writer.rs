//! What is wished of usages, put into the words of today's dialects: lines of `Content-Usage` and `Content-Signal` in
//! robots.txt, or the rules of tdmrep.json (S-41, S-42, S-44).
//!
//! A prohibition that no word says alone is said by one that says more; a permission only by a word that permits nothing
//! else. Of the lines that match a path the longest counts, with all that it does not say, so each line is whole, and one
//! that would say what the next wider says is left out. Whether the lines come to what was wished is asked of the engine by
//! whoever uses this.

use crate::convert::meets;
use crate::directive_writer::UsageIntents;
use crate::names::GroupAddressee;
use byleave::model::Condition;
use byleave::{Document, Evidence, Outcome, Policy, Reading, Usage};

/// A dialect of today to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetPreferences {
    /// Lines of `Content-Usage` in robots.txt.
    ContentUsage,
    /// Lines of `Content-Signal` in robots.txt.
    ContentSignal,
    /// `/.well-known/tdmrep.json`.
    TdmRep,
}

/// The usages that these dialects may speak of.
pub(crate) const PREFERENCE_USAGES: &[Usage] =
    &[Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];

/// A word of a dialect, and all that it speaks of.
type PreferenceKey = (&'static str, &'static [Usage]);

impl TargetPreferences {
    /// The field, or the file, by its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ContentUsage => "Content-Usage",
            Self::ContentSignal => "Content-Signal",
            Self::TdmRep => "tdmrep.json",
        }
    }

    fn words(self) -> &'static [PreferenceKey] {
        const TRAINING: &[Usage] = &[Usage::TrainAi, Usage::TrainGenai];
        match self {
            Self::ContentUsage => {
                &[("train-ai", TRAINING), ("ai-use", &[Usage::AiInput]), ("search", &[Usage::Search])]
            }
            Self::ContentSignal => {
                &[("search", &[Usage::Search]), ("ai-input", &[Usage::AiInput]), ("ai-train", TRAINING)]
            }
            Self::TdmRep => &[("tdm-reservation", &[Usage::Tdm, Usage::TrainAi, Usage::TrainGenai])],
        }
    }

    fn value(self, value: &PreferenceValue) -> &str {
        match (self, value) {
            (_, PreferenceValue::Level(level)) => level,
            (Self::ContentUsage, PreferenceValue::Yes) => "y",
            (Self::ContentUsage, PreferenceValue::No) => "n",
            (Self::ContentSignal, PreferenceValue::Yes) => "yes",
            (Self::ContentSignal, PreferenceValue::No) => "no",
            (Self::TdmRep, PreferenceValue::Yes) => "0",
            (Self::TdmRep, PreferenceValue::No) => "1",
        }
    }

    /// Whether some word speaks of a usage.
    pub(crate) fn speaks_of(self, usage: &Usage) -> bool {
        self.words().iter().any(|(_, usages)| usages.contains(usage))
    }

    /// Whether a word speaks of both usages.
    pub(crate) fn says_together(self, one: &Usage, other: &Usage) -> bool {
        self.words().iter().any(|(_, usages)| usages.contains(one) && usages.contains(other))
    }

    /// Whether crawlers can be told apart.
    pub(crate) fn has_names(self) -> bool {
        self != Self::TdmRep
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PreferenceValue {
    Yes,
    No,
    /// How much AI systems may keep.
    Level(String),
}

/// The words of one line, in their order.
type KeyValues = Vec<(&'static str, PreferenceValue)>;

/// GroupAddressee and what to ask about.
pub(crate) struct PreferenceWriter<'a> {
    pub(crate) target: TargetPreferences,
    /// Patterns of which something may be said apart, as written.
    pub(crate) patterns: &'a [Vec<u8>],
    /// Crawlers that are bound alike; the first are all that nobody names. Of others without names no group is written.
    pub(crate) audiences: &'a [Vec<GroupAddressee>],
    /// Paths that stand for all, as far as that is known.
    pub(crate) paths: &'a [String],
    /// What is wished for an audience, by its number, at a path.
    pub(crate) at: &'a dyn Fn(usize, &str) -> UsageIntents,
    /// The path that stands for a pattern; that of `/` is matched by no other.
    pub(crate) witness: &'a dyn Fn(&[u8]) -> String,
}

/// A line to write: its pattern, none for all, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PreferenceLine {
    pattern: Option<Vec<u8>>,
    values: KeyValues,
}

/// A line to be, with its pattern.
type DraftedLine<'m> = (Option<&'m PatternMatcher>, KeyValues);

/// What is to be said of a path.
struct ValuesAtPath<'p> {
    path: &'p str,
    values: KeyValues,
}

impl PreferenceWriter<'_> {
    /// The lines for all; nothing where nothing can be said.
    ///
    /// Cost: O(audiences x patterns^2).
    pub(crate) fn written(&self) -> String {
        let patterns = self.patterns.iter().map(|pattern| PatternMatcher::of(pattern)).collect::<Vec<_>>();
        let mut met: Vec<PatternMatcher> = Vec::new();
        if self.patterns.len() <= MAX_PATTERNS_PAIRED {
            for (number, one) in self.patterns.iter().enumerate() {
                for other in self.patterns.iter().skip(number + 1) {
                    let new = meets(one, other).into_iter().filter(|new| !self.patterns.contains(new));
                    met.extend(new.map(|pattern| PatternMatcher::of(&pattern)));
                }
            }
        }
        let mut all = [patterns, met];
        all.iter_mut().for_each(|some| some.sort_by(|one, other| one.order().cmp(&other.order())));
        if self.target == TargetPreferences::TdmRep {
            return as_rules(&self.lines(None, &all));
        }
        let everyone = self.lines(Some(0), &all);
        let apart = self.audiences.iter().enumerate().skip(1).filter(|(_, whom)| !whom.is_empty());
        let apart: Vec<(&[GroupAddressee], Vec<PreferenceLine>)> =
            apart.map(|(number, whom)| (whom.as_slice(), self.lines(Some(number), &all))).collect();
        // Who has several purposes is bound by the groups of all of them: where one says what everyone is told, it counts.
        let has_purposes =
            apart.iter().any(|(whom, lines)| whom.iter().any(GroupAddressee::is_purpose) && *lines != everyone);
        // Who does not know purposes takes what stands below one for fields of the group before, so these come first.
        let [mut groups, named] = [true, false].map(|is_purpose| {
            let mut groups: Vec<(Vec<String>, &[PreferenceLine])> = Vec::new();
            for (whom, lines) in &apart {
                let whom = whom.iter().filter(|one| one.is_purpose() == is_purpose).map(GroupAddressee::line);
                let counts = is_purpose && has_purposes && !lines.is_empty();
                match groups.iter_mut().find(|(_, known)| known == lines) {
                    _ if *lines == everyone && !counts => {}
                    Some((known, _)) => known.extend(whom),
                    None => groups.push((whom.collect(), lines)),
                }
            }
            groups
        });
        if !everyone.is_empty() {
            groups.push((vec![GroupAddressee::Name("*".to_owned()).line()], &everyone));
        }
        groups.extend(named);
        let group = |(whom, lines): &(Vec<String>, &[PreferenceLine])| {
            let lines: String = lines.iter().map(|line| self.as_field(line)).collect();
            // Only a rule ends a group: without one the names of the next would join these. An empty one says nothing.
            format!("{}\n{lines}Disallow:\n", whom.join("\n"))
        };
        let written = groups.iter().filter(|(whom, _)| !whom.is_empty());
        written.map(group).collect::<Vec<_>>().join("\n")
    }

    /// The lines for one audience, the widest first; for none, what can be said to all at once.
    fn lines(&self, audience: Option<usize>, all: &[Vec<PatternMatcher>]) -> Vec<PreferenceLine> {
        let general = self.values(audience, &(self.witness)(b"/"));
        let there: Vec<ValuesAtPath<'_>> =
            self.paths.iter().map(|path| ValuesAtPath { path, values: self.values(audience, path) }).collect();
        let is_few = self.patterns.len() <= MAX_PATTERNS_PAIRED;
        let mut lines: Vec<DraftedLine<'_>> = Vec::new();
        if !general.is_empty() {
            lines.push((None, general));
        }
        for matcher in all.iter().flatten() {
            let path = (self.witness)(&matcher.pattern);
            let values = self.values(audience, &path);
            let wider = wider_of(&lines, &path);
            let values = if values.is_empty() { taken_back(wider) } else { values };
            // Where it meets another pattern it may be what sets that aside.
            let is_needed = |there: &ValuesAtPath<'_>| {
                there.values == values && matcher.matches(there.path) && wider_of(&lines, there.path) != values
            };
            if !values.is_empty() && (values != wider || is_few && there.iter().any(is_needed)) {
                lines.push((Some(matcher), values));
            }
        }
        self.restrict(&there, &mut lines);
        let line = |(matcher, values): DraftedLine<'_>| PreferenceLine {
            pattern: matcher.map(|matcher| matcher.pattern.clone()),
            values,
        };
        lines.into_iter().map(line).collect()
    }

    /// Where lines permit what is not wished, because other patterns meet there than their own, or do not restrict what is,
    /// they are made to restrict.
    fn restrict(&self, there: &[ValuesAtPath<'_>], lines: &mut [DraftedLine<'_>]) {
        for ValuesAtPath { path, values: wished } in there {
            let length = |known: Option<&PatternMatcher>| known.map_or(0, |known| known.pattern.len());
            let matching = |known: &Option<&PatternMatcher>| known.is_none_or(|known| known.matches(path));
            let longest = lines.iter().filter(|(known, _)| matching(known)).map(|(known, _)| length(*known)).max();
            let deciding = lines.iter_mut().filter(|(known, _)| matching(known) && Some(length(*known)) == longest);
            let deciding: Vec<&mut KeyValues> = deciding.map(|(_, values)| values).collect();
            let is_said = |one: &(&'static str, PreferenceValue)| deciding.iter().any(|values| values.contains(one));
            // What is permitted here, and is not wished.
            let permitted: Vec<&'static str> = self
                .target
                .words()
                .iter()
                .map(|(word, _)| *word)
                .filter(|word| is_said(&(word, PreferenceValue::Yes)) && !is_said(&(word, PreferenceValue::No)))
                .filter(|word| !wished.contains(&(word, PreferenceValue::Yes)))
                .collect();
            let is_limit = |one: &(&'static str, PreferenceValue)| one.1 != PreferenceValue::Yes;
            let mut missing: KeyValues = wished.iter().filter(|one| is_limit(one) && !is_said(one)).cloned().collect();
            let is_limited =
                |word: &str| missing.iter().any(|(known, _)| *known == word || *known == "use" && word == "ai-input");
            let taken_back: KeyValues = permitted
                .into_iter()
                .filter(|word| !is_limited(word))
                .map(|word| (word, PreferenceValue::No))
                .collect();
            missing.extend(taken_back);
            for values in deciding {
                let is_free = |one: &(&'static str, PreferenceValue)| {
                    one.1 == PreferenceValue::No
                        || !missing.iter().any(|(word, value)| *word == one.0 && *value == PreferenceValue::No)
                };
                values.retain(is_free);
                values.extend(missing.iter().filter(|_| !missing.is_empty()).cloned());
                values.sort_by_key(|(word, _)| self.place(word));
                values.dedup();
            }
        }
    }

    /// Where a word stands in a line.
    fn place(&self, word: &str) -> usize {
        let words = self.target.words();
        words.iter().position(|(known, _)| *known == word).unwrap_or(words.len())
    }

    /// The words for what is wished at a path.
    fn values(&self, audience: Option<usize>, path: &str) -> KeyValues {
        let of = |number: usize| worded(self.target, &(self.at)(number, path));
        if let Some(number) = audience {
            return of(number);
        }
        let values = of(0);
        // What is permitted to all but some is not permitted in a target that tells none apart.
        let is_permission = values.iter().any(|(_, value)| *value == PreferenceValue::Yes);
        let is_for_all = !is_permission || (1..self.audiences.len()).all(|number| of(number) == values);
        if is_for_all { values } else { KeyValues::new() }
    }

    fn as_field(&self, line: &PreferenceLine) -> String {
        let pattern = line.pattern.as_deref().map(|pattern| format!("{} ", escaped(pattern))).unwrap_or_default();
        let words: Vec<String> =
            line.values.iter().map(|(word, value)| format!("{word}={}", self.target.value(value))).collect();
        format!("{}: {pattern}{}\n", self.target.name(), words.join(", "))
    }
}

/// Of more patterns it is not looked at where two meet.
const MAX_PATTERNS_PAIRED: usize = 64;

/// The words for these wishes.
fn worded(target: TargetPreferences, wishes: &UsageIntents) -> KeyValues {
    let mut values = KeyValues::new();
    for (word, usages) in target.words() {
        let outcome = |usage: &Usage| wishes.get(usage).map_or(Outcome::Unstated, |wish| wish.outcome);
        let levels = usages.iter().find_map(|usage| levels(target, wishes, usage));
        let is_limited = |usage: &Usage| matches!(outcome(usage), Outcome::Prohibited | Outcome::Conditional);
        if let Some(levels) = levels {
            values.extend(levels.into_iter().map(|level| ("use", PreferenceValue::Level(level))));
        } else if usages.iter().any(is_limited) {
            values.push((word, PreferenceValue::No));
        } else if usages.iter().all(|usage| outcome(usage) == Outcome::Permitted) {
            values.push((word, PreferenceValue::Yes));
        }
    }
    // As the policy has it, `use` comes last.
    values.sort_by_key(|(word, _)| *word == "use");
    values
}

/// The levels of `use` that say the conditions of a usage, where they do.
fn levels(target: TargetPreferences, wishes: &UsageIntents, usage: &Usage) -> Option<Vec<String>> {
    let wish = wishes.get(usage).filter(|wish| wish.outcome == Outcome::Conditional)?;
    let is_said = target == TargetPreferences::ContentSignal && *usage == Usage::AiInput;
    let level = |condition: &Condition| match condition {
        Condition::Term(name, level) if name == "use" => Some(level.clone()),
        _ => None,
    };
    wish.conditions.iter().map(level).collect::<Option<Vec<_>>>().filter(|levels| is_said && !levels.is_empty())
}

/// What the narrowest of these lines says of a path.
fn wider_of<'l>(lines: &'l [DraftedLine<'_>], path: &str) -> &'l [(&'static str, PreferenceValue)] {
    let matching = lines.iter().filter(|(known, _)| known.is_none_or(|known| known.matches(path)));
    let narrowest = matching.max_by_key(|(known, _)| known.map(PatternMatcher::order));
    narrowest.map(|(_, values)| values.as_slice()).unwrap_or_default()
}

/// What to say where nothing is wished and a wider line speaks: a line that says nothing counts for nothing, so what that
/// one permits is prohibited. What it prohibits stays so.
fn taken_back(wider: &[(&'static str, PreferenceValue)]) -> KeyValues {
    let permitted = wider.iter().filter(|(_, value)| *value == PreferenceValue::Yes);
    permitted.map(|(word, _)| (*word, PreferenceValue::No)).collect()
}

/// A pattern, to be matched by the engine.
struct PatternMatcher {
    pattern: Vec<u8>,
    policy: Policy<'static>,
}

impl PatternMatcher {
    fn of(pattern: &[u8]) -> Self {
        let text = format!("User-agent: *\nDisallow: {}\n", escaped(pattern));
        Self { pattern: pattern.to_vec(), policy: Policy::read(text.as_bytes()).stand_alone() }
    }

    fn matches(&self, path: &str) -> bool {
        !self.policy.may_crawl("\u{FFFD}", path)
    }

    fn order(&self) -> (usize, &[u8]) {
        (self.pattern.len(), &self.pattern)
    }
}

/// A pattern as a line or a string of JSON can hold it.
pub(crate) fn escaped(pattern: &[u8]) -> String {
    let mut text = String::with_capacity(pattern.len());
    for byte in pattern {
        match byte {
            b'#' | b'"' | b'\\' => text.push_str(&format!("%{byte:02X}")),
            byte if byte.is_ascii_graphic() => text.push(char::from(*byte)),
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// The rules of tdmrep.json: of those that match the first counts, so the narrowest is the first.
fn as_rules(lines: &[PreferenceLine]) -> String {
    let rule = |line: &PreferenceLine| {
        let location = escaped(line.pattern.as_deref().unwrap_or(b"/"));
        let value = line.values.first().map_or("1", |(_, value)| TargetPreferences::TdmRep.value(value));
        format!("  {{\"location\": \"{location}\", \"tdm-reservation\": {value}}}")
    };
    let rules: Vec<String> = lines.iter().rev().map(rule).collect();
    if rules.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", rules.join(",\n")) }
}

/// A target, read by itself.
pub(crate) fn read_back(target: TargetPreferences, text: &str) -> Evidence<'_> {
    match target {
        TargetPreferences::ContentUsage | TargetPreferences::ContentSignal => {
            Evidence::of_robots_txt(text.as_bytes(), Reading::Default)
        }
        TargetPreferences::TdmRep => {
            Evidence::new(Reading::Default).with_document(Document::new("/.well-known/tdmrep.json", text.as_bytes()))
        }
    }
}
