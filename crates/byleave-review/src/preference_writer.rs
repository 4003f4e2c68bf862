//! Writes intents in an AI-preference dialect: `Content-Usage` or `Content-Signal` lines in robots.txt, or the rules in
//! tdmrep.json (S-41, S-42, S-44).
//!
//! If a prohibition has no key of its own, it is written with a key that covers more usages. A permission is only
//! written with a key that permits nothing else. For each path, only the line with the longest matching pattern
//! applies. So each line states every value for its paths, and a line with the same values as the next wider line is
//! omitted. The callers ask the engine whether the result has the intended effect.

use crate::convert::meets;
use crate::names::GroupAddressee;
use crate::usage_intent::UsageIntents;
use byleave::model::Condition;
use byleave::{Document, Outcome, Policy, Reading, Site, Usage};

/// An AI-preference dialect to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetPreferences {
    /// `Content-Usage` lines in robots.txt.
    ContentUsage,
    /// `Content-Signal` lines in robots.txt.
    ContentSignal,
    /// The file `/.well-known/tdmrep.json`.
    TdmRep,
}

/// The usages that these dialects can address.
pub(crate) const PREFERENCE_USAGES: &[Usage] =
    &[Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];

/// A key in a dialect, and all usages that it addresses.
type PreferenceKey = (&'static str, &'static [Usage]);

impl TargetPreferences {
    /// Returns the name of the field or the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ContentUsage => "Content-Usage",
            Self::ContentSignal => "Content-Signal",
            Self::TdmRep => "tdmrep.json",
        }
    }

    fn keys(self) -> &'static [PreferenceKey] {
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

    /// Returns whether a key addresses a usage.
    pub(crate) fn addresses(self, usage: &Usage) -> bool {
        self.keys().iter().any(|(_, usages)| usages.contains(usage))
    }

    /// Returns whether one key addresses both usages.
    pub(crate) fn addresses_both(self, one: &Usage, other: &Usage) -> bool {
        self.keys().iter().any(|(_, usages)| usages.contains(one) && usages.contains(other))
    }

    /// Returns whether the dialect can address crawlers by name.
    pub(crate) fn has_names(self) -> bool {
        self != Self::TdmRep
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PreferenceValue {
    Yes,
    No,
    /// The level of use that AI systems are allowed.
    Level(String),
}

/// The keys and values of one line, in order.
type KeyValues = Vec<(&'static str, PreferenceValue)>;

/// The input of the writer: the audiences, the paths and the intents.
pub(crate) struct PreferenceWriter<'a> {
    pub(crate) target: TargetPreferences,
    /// Patterns that may need lines of their own, as written.
    pub(crate) patterns: &'a [Vec<u8>],
    /// Sets of crawlers that are bound in the same way. The first set contains all unnamed crawlers. For other sets
    /// without names, no group is written.
    pub(crate) audiences: &'a [Vec<GroupAddressee>],
    /// Paths that represent all paths, as far as known.
    pub(crate) paths: &'a [String],
    /// Returns the intents for an audience (by its number) on a path.
    pub(crate) at: &'a dyn Fn(usize, &str) -> UsageIntents,
    /// Returns the path that represents a pattern. The path for `/` matches no other pattern.
    pub(crate) witness: &'a dyn Fn(&[u8]) -> String,
}

/// A line to write: its pattern (`None` for all paths) and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PreferenceLine {
    pattern: Option<Vec<u8>>,
    values: KeyValues,
}

/// A drafted line, with its pattern.
type DraftedLine<'m> = (Option<&'m PatternMatcher>, KeyValues);

/// The values to write for a path.
struct ValuesAtPath<'p> {
    path: &'p str,
    values: KeyValues,
}

impl PreferenceWriter<'_> {
    /// Returns the text for all audiences, or an empty string if nothing can be expressed.
    ///
    /// Cost: O(audiences × patterns²).
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
        // A crawler is bound by the groups for all its purposes, so a group for a purpose matters even if it repeats
        // the group for everyone.
        let has_purposes =
            apart.iter().any(|(whom, lines)| whom.iter().any(GroupAddressee::is_purpose) && *lines != everyone);
        // Groups for purposes come first. A parser that does not know `User-agent-purpose` would add their lines to the
        // preceding group.
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
            // Only a rule ends the list of names in a group. Without a rule, the next group's names would join this
            // group. An empty rule decides nothing.
            format!("{}\n{lines}Disallow:\n", whom.join("\n"))
        };
        let written = groups.iter().filter(|(whom, _)| !whom.is_empty());
        written.map(group).collect::<Vec<_>>().join("\n")
    }

    /// Returns the lines for one audience, widest first. For `None`, returns the lines that can be stated for all
    /// crawlers at once.
    fn lines(&self, audience: Option<usize>, all: &[Vec<PatternMatcher>]) -> Vec<PreferenceLine> {
        let general = self.values(audience, &(self.witness)(b"/"));
        let at_paths: Vec<ValuesAtPath<'_>> =
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
            let values = if values.is_empty() { withdrawn(wider) } else { values };
            // On paths that another pattern matches too, this line may be needed to override the other line.
            let is_needed = |at: &ValuesAtPath<'_>| {
                at.values == values && matcher.matches(at.path) && wider_of(&lines, at.path) != values
            };
            if !values.is_empty() && (values != wider || is_few && at_paths.iter().any(is_needed)) {
                lines.push((Some(matcher), values));
            }
        }
        self.restrict(&at_paths, &mut lines);
        let line = |(matcher, values): DraftedLine<'_>| PreferenceLine {
            pattern: matcher.map(|matcher| matcher.pattern.clone()),
            values,
        };
        lines.into_iter().map(line).collect()
    }

    /// Makes lines stricter if overlaps with other patterns make them permit too much or restrict too little.
    fn restrict(&self, at_paths: &[ValuesAtPath<'_>], lines: &mut [DraftedLine<'_>]) {
        for ValuesAtPath { path, values: intended } in at_paths {
            let length = |known: Option<&PatternMatcher>| known.map_or(0, |known| known.pattern.len());
            let matching = |known: &Option<&PatternMatcher>| known.is_none_or(|known| known.matches(path));
            let longest = lines.iter().filter(|(known, _)| matching(known)).map(|(known, _)| length(*known)).max();
            let deciding = lines.iter_mut().filter(|(known, _)| matching(known) && Some(length(*known)) == longest);
            let deciding: Vec<&mut KeyValues> = deciding.map(|(_, values)| values).collect();
            let is_stated = |one: &(&'static str, PreferenceValue)| deciding.iter().any(|values| values.contains(one));
            // The keys that are permitted here but should not be.
            let permitted: Vec<&'static str> = self
                .target
                .keys()
                .iter()
                .map(|(key, _)| *key)
                .filter(|key| is_stated(&(key, PreferenceValue::Yes)) && !is_stated(&(key, PreferenceValue::No)))
                .filter(|key| !intended.contains(&(key, PreferenceValue::Yes)))
                .collect();
            let is_limit = |one: &(&'static str, PreferenceValue)| one.1 != PreferenceValue::Yes;
            let mut missing: KeyValues =
                intended.iter().filter(|one| is_limit(one) && !is_stated(one)).cloned().collect();
            let is_limited =
                |key: &str| missing.iter().any(|(known, _)| *known == key || *known == "use" && key == "ai-input");
            let withdrawn: KeyValues =
                permitted.into_iter().filter(|key| !is_limited(key)).map(|key| (key, PreferenceValue::No)).collect();
            missing.extend(withdrawn);
            for values in deciding {
                let is_free = |one: &(&'static str, PreferenceValue)| {
                    one.1 == PreferenceValue::No
                        || !missing.iter().any(|(key, value)| *key == one.0 && *value == PreferenceValue::No)
                };
                values.retain(is_free);
                values.extend(missing.iter().filter(|_| !missing.is_empty()).cloned());
                values.sort_by_key(|(key, _)| self.place(key));
                values.dedup();
            }
        }
    }

    /// Returns the position of a key in a line.
    fn place(&self, key: &str) -> usize {
        let keys = self.target.keys();
        keys.iter().position(|(known, _)| *known == key).unwrap_or(keys.len())
    }

    /// Returns the values that express the intent on a path.
    fn values(&self, audience: Option<usize>, path: &str) -> KeyValues {
        let of = |number: usize| values_for(self.target, &(self.at)(number, path));
        if let Some(number) = audience {
            return of(number);
        }
        let values = of(0);
        // A dialect without names cannot permit something for some crawlers only.
        let is_permission = values.iter().any(|(_, value)| *value == PreferenceValue::Yes);
        let is_for_all = !is_permission || (1..self.audiences.len()).all(|number| of(number) == values);
        if is_for_all { values } else { KeyValues::new() }
    }

    fn as_field(&self, line: &PreferenceLine) -> String {
        let pattern = line.pattern.as_deref().map(|pattern| format!("{} ", escaped(pattern))).unwrap_or_default();
        let keys: Vec<String> =
            line.values.iter().map(|(key, value)| format!("{key}={}", self.target.value(value))).collect();
        format!("{}: {pattern}{}\n", self.target.name(), keys.join(", "))
    }
}

/// Overlaps are examined only if there are at most this many patterns.
const MAX_PATTERNS_PAIRED: usize = 64;

/// Returns the values for these intents.
fn values_for(target: TargetPreferences, intents: &UsageIntents) -> KeyValues {
    let mut values = KeyValues::new();
    for (key, usages) in target.keys() {
        let outcome = |usage: &Usage| intents.get(usage).map_or(Outcome::Unstated, |intent| intent.outcome);
        let levels = usages.iter().find_map(|usage| levels(target, intents, usage));
        let is_limited = |usage: &Usage| matches!(outcome(usage), Outcome::Prohibited | Outcome::Conditional);
        if let Some(levels) = levels {
            values.extend(levels.into_iter().map(|level| ("use", PreferenceValue::Level(level))));
        } else if usages.iter().any(is_limited) {
            values.push((key, PreferenceValue::No));
        } else if usages.iter().all(|usage| outcome(usage) == Outcome::Permitted) {
            values.push((key, PreferenceValue::Yes));
        }
    }
    // The Content Signals Policy puts `use` last.
    values.sort_by_key(|(key, _)| *key == "use");
    values
}

/// Returns the levels of `use` that express a usage's conditions, or `None` if no level does.
fn levels(target: TargetPreferences, intents: &UsageIntents, usage: &Usage) -> Option<Vec<String>> {
    let intent = intents.get(usage).filter(|intent| intent.outcome == Outcome::Conditional)?;
    let is_stated = target == TargetPreferences::ContentSignal && *usage == Usage::AiInput;
    let level = |condition: &Condition| match condition {
        Condition::Term(name, level) if name == "use" => Some(level.clone()),
        _ => None,
    };
    intent.conditions.iter().map(level).collect::<Option<Vec<_>>>().filter(|levels| is_stated && !levels.is_empty())
}

/// Returns the values in the narrowest of these lines that matches a path.
fn wider_of<'l>(lines: &'l [DraftedLine<'_>], path: &str) -> &'l [(&'static str, PreferenceValue)] {
    let matching = lines.iter().filter(|(known, _)| known.is_none_or(|known| known.matches(path)));
    let narrowest = matching.max_by_key(|(known, _)| known.map(PatternMatcher::order));
    narrowest.map(|(_, values)| values.as_slice()).unwrap_or_default()
}

/// Returns the values to write on paths without an intent if a wider line applies. An empty line would have no effect,
/// so each key that the wider line permits is prohibited. If the wider line only prohibits, the result is empty, no
/// line is written, and the prohibitions stay.
fn withdrawn(wider: &[(&'static str, PreferenceValue)]) -> KeyValues {
    let permitted = wider.iter().filter(|(_, value)| *value == PreferenceValue::Yes);
    permitted.map(|(key, _)| (*key, PreferenceValue::No)).collect()
}

/// A pattern, with the engine's matcher for it.
struct PatternMatcher {
    pattern: Vec<u8>,
    policy: Policy<'static>,
}

impl PatternMatcher {
    fn of(pattern: &[u8]) -> Self {
        let text = format!("User-agent: *\nDisallow: {}\n", escaped(pattern));
        Self { pattern: pattern.to_vec(), policy: Policy::parse(text.as_bytes()).into_owned() }
    }

    fn matches(&self, path: &str) -> bool {
        !self.policy.may_crawl("\u{FFFD}", path)
    }

    fn order(&self) -> (usize, &[u8]) {
        (self.pattern.len(), &self.pattern)
    }
}

/// Escapes a pattern for a robots.txt line or a JSON string.
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

/// Returns the rules for tdmrep.json. The first matching rule applies, so narrower rules come first.
fn as_rules(lines: &[PreferenceLine]) -> String {
    let rule = |line: &PreferenceLine| {
        let location = escaped(line.pattern.as_deref().unwrap_or(b"/"));
        let value = line.values.first().map_or("1", |(_, value)| TargetPreferences::TdmRep.value(value));
        format!("  {{\"location\": \"{location}\", \"tdm-reservation\": {value}}}")
    };
    let rules: Vec<String> = lines.iter().rev().map(rule).collect();
    if rules.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", rules.join(",\n")) }
}

/// Reads a written target without other documents.
pub(crate) fn read_back(target: TargetPreferences, text: &str) -> Site<'_> {
    match target {
        TargetPreferences::ContentUsage | TargetPreferences::ContentSignal => {
            Site::of_robots_txt(text.as_bytes(), Reading::Default)
        }
        TargetPreferences::TdmRep => Site::builder(Reading::Default)
            .with_document(Document::new("/.well-known/tdmrep.json", text.as_bytes()))
            .build(),
    }
}
