//! Compares conversions to AI-preference dialects with their sources on every short path, including paths that the
//! converter does not choose. Also checks what each target can express.

use byleave::{Crawler, Document, Outcome, ProposedUse, Reading, Site, Usage};
use byleave_review::convert::{
    Conversion, Loss, LossCause, LossEffect, PathCase, TargetDirectives, TargetFile, TargetPreferences, convert,
    convert_preferences, convert_resource,
};
use proptest::prelude::*;

const USAGES: [Usage; 6] =
    [Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];
const TARGETS: [TargetPreferences; 3] =
    [TargetPreferences::ContentUsage, TargetPreferences::ContentSignal, TargetPreferences::TdmRep];
const TDMREP: &str = "/.well-known/tdmrep.json";

fn site<'e>(robots_txt: &'e str, documents: &'e [(&str, String)]) -> Site<'e> {
    let site = Site::builder(Reading::Default).with_robots_txt(byleave::Obtained::Status(200), robots_txt);
    let document = |(location, text): &'e (&str, String)| Document::new(*location, text.as_bytes());
    documents.iter().map(document).fold(site, byleave::SiteBuilder::with_document).build()
}

fn of_target(target: TargetPreferences, text: &str) -> Site<'_> {
    match target {
        TargetPreferences::TdmRep => {
            Site::builder(Reading::Default).with_document(Document::new(TDMREP, text.as_bytes())).build()
        }
        _ => Site::of_robots_txt(text.as_bytes(), Reading::Default),
    }
}

fn converted(robots_txt: &str, documents: &[(&str, String)], target: TargetPreferences) -> (String, Conversion) {
    let found = convert_preferences(&site(robots_txt, documents), target, PathCase::Sensitive);
    (String::from_utf8(found.text.clone()).unwrap(), found)
}

/// Returns the converted text of a robots.txt, and its losses.
fn shown(robots_txt: &str, target: TargetPreferences) -> (String, Vec<(LossEffect, LossCause)>) {
    let (text, found) = converted(robots_txt, &[], target);
    (text, found.losses.iter().map(|loss| (loss.effect, loss.cause)).collect())
}

fn outcome(site: &Site<'_>, name: &str, usage: &Usage, path: &str) -> Outcome {
    byleave::analysis::decide_unchecked(site, &ProposedUse::new(path, &Crawler::named(name), usage)).outcome
}

fn severity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Prohibited => 2,
        Outcome::Conditional => 1,
        _ => 0,
    }
}

fn paths() -> Vec<String> {
    let mut paths = vec!["/".to_owned()];
    let mut last = paths.clone();
    for _ in 0..4 {
        last = last.iter().flat_map(|path| ["a", "b", "/"].map(|letter| format!("{path}{letter}"))).collect();
        paths.extend(last.iter().cloned());
    }
    paths
}

fn pattern() -> impl Strategy<Value = String> {
    "/(a|b|\\*|/){0,3}[$]?"
}

fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        ("Content-Usage", "train-ai=n"),
        ("Content-Usage", "train-ai=y, search=y"),
        ("Content-Usage", "all=n, search=y"),
        ("Content-Usage", "train-genai=y"),
        ("Content-Signal", "ai-train=yes, ai-input=yes"),
        ("Content-Signal", "search=yes, ai-train=no"),
        ("Content-Signal", "use=reference"),
        ("Content-Signal", "search=no, ai-input=yes, use=immediate"),
        ("DisallowAITraining", ""),
        ("AllowAITraining", ""),
        ("Disallow", ""),
    ]);
    let path = prop_oneof![2 => pattern().prop_map(|pattern| format!("{pattern} ")), 1 => Just(String::new())];
    (words, path).prop_map(|((field, words), path)| format!("{field}: {path}{words}\n"))
}

fn file() -> impl Strategy<Value = String> {
    let group = |name: &'static str| {
        let lines = prop::collection::vec(line(), 0..3);
        lines.prop_map(move |lines| format!("User-agent: {name}\n{}Disallow:\n", lines.concat()))
    };
    let acap = (pattern(), prop::sample::select(vec!["train-ai", "tdm", "search", "other"]))
        .prop_map(|(pattern, usage)| format!("ACAP-crawler: *\nACAP-disallow-{usage}: {pattern}\n"));
    let named = prop_oneof![1 => Just(String::new()), 1 => group("ABot")];
    let acap = prop_oneof![3 => Just(String::new()), 1 => acap];
    (group("*"), named, acap).prop_map(|(any, named, acap)| format!("{any}{named}{acap}"))
}

fn rule() -> impl Strategy<Value = String> {
    let rule = (prop::sample::select(vec!["Allow", "Disallow"]), pattern());
    rule.prop_map(|(field, pattern)| format!("{field}: {pattern}\n"))
}

/// A file with fields outside of groups and groups for purposes.
fn file_with_purposes() -> impl Strategy<Value = String> {
    let group = |names: &'static str| {
        let lines = prop::collection::vec(prop_oneof![2 => line(), 1 => rule()], 0..4);
        lines.prop_map(move |lines| format!("{names}\n{}Disallow:\n", lines.concat()))
    };
    let outside = prop::collection::vec(line(), 0..2).prop_map(|lines| lines.concat());
    let maybe = |group: BoxedStrategy<String>| prop_oneof![1 => Just(String::new()), 2 => group];
    let purposes = [
        group("User-agent-purpose: archive").boxed(),
        group("User-agent-purpose: Archive\nUser-agent-purpose: search").boxed(),
        group("User-agent: ABot\nUser-agent-purpose: search").boxed(),
    ];
    let [one, both, named] = purposes.map(maybe);
    let acap = (prop::sample::select(vec!["allow-crawl", "disallow-crawl", "disallow-train-ai"]), pattern());
    let acap = acap.prop_map(|(field, pattern)| format!("ACAP-crawler: *\nACAP-{field}: {pattern}\n"));
    let acap = prop_oneof![2 => Just(String::new()), 1 => acap];
    let groups = (maybe(group("User-agent: *").boxed()), one, both, named, acap);
    (outside, groups)
        .prop_map(|(outside, (any, one, both, named, acap))| format!("{outside}{any}{one}{both}{named}{acap}"))
}

/// A named crawler, crawlers with purposes, and a crawler without a name or purpose in the file.
fn crawlers() -> [Crawler; 5] {
    let nobody = Crawler::named("nobody");
    let having = |purpose: &str| nobody.clone().also_named(purpose);
    let both = having("archive").also_named("search");
    [Crawler::named("ABot"), having("archive"), having("search"), both, nobody.clone()]
}

/// Returns the file with its rules emptied.
fn without_rules(file: &str) -> String {
    let emptied =
        |line: &str| if line.starts_with("Disallow:") { "Disallow:\n".to_owned() } else { format!("{line}\n") };
    file.lines().map(emptied).collect()
}

fn rules() -> impl Strategy<Value = Option<String>> {
    let rule = (pattern(), 0..2_u8)
        .prop_map(|(pattern, value)| format!("{{\"location\": \"{pattern}\", \"tdm-reservation\": {value}}}"));
    let rules = prop::collection::vec(rule, 1..3).prop_map(|rules| Some(format!("[{}]", rules.join(","))));
    prop_oneof![2 => Just(None), 1 => rules]
}

proptest! {
    /// Law: every difference between a target and its source is reported, whether the target permits more, restricts
    /// less or restricts more.
    #[test]
    fn nothing_is_widened_or_dropped_silently(
        file in prop_oneof![2 => file().boxed(), 1 => file_with_purposes().boxed()],
        rules in rules(),
    ) {
        let documents: Vec<(&str, String)> = rules.into_iter().map(|rules| (TDMREP, rules)).collect();
        let bare = without_rules(&file);
        for target in TARGETS {
            // The publisher adds the new fields to the existing rules, which limit the source and the target alike
            // (S-31). So the two are compared without rules.
            let source = if target == TargetPreferences::TdmRep { &file } else { &bare };
            let source = site(source, &documents);
            let (text, found) = converted(&file, &documents, target);
            let heard = of_target(target, &text);
            for crawler in crawlers() {
                let is_named = crawler.names().len() == 1;
                for path in paths().into_iter().filter(|path| is_named || path.len() <= 4) {
                    for usage in &USAGES {
                        let proposed = ProposedUse::new(&path, &crawler, usage);
                        let [was, is] = [&source, &heard].map(|site| byleave::analysis::decide_unchecked(site, &proposed).outcome);
                        let effect = if severity(is) > severity(was) { LossEffect::Narrower } else { LossEffect::LeftOut };
                        let is_told = found.losses.iter().any(|loss| loss.effect == effect);
                        prop_assert!(
                            was == is || is_told,
                            "{crawler:?} {usage} {path}: {was:?} became {is:?}\n{file}\n{documents:?}\n{text}\n{:#?}",
                            found.losses
                        );
                        // A wider permission is not acceptable, even if it is reported, unless overlapping patterns or
                        // letter case are reported as its cause.
                        let is_wider = is == Outcome::Permitted && was != Outcome::Permitted;
                        let is_met = found.losses.iter().any(|loss| {
                            loss.effect == LossEffect::LeftOut && matches!(loss.cause, LossCause::Scope | LossCause::Case)
                        });
                        prop_assert!(!is_wider || is_met, "{crawler:?} {usage} {path}\n{file}\n{documents:?}\n{text}");
                    }
                }
            }
        }
    }

    /// Law: for every crawler and purpose, a converted robots.txt permits nothing that its source does not. It
    /// prohibits what the source prohibits, or reports the loss.
    #[test]
    fn s50_robots_txt_keeps_purposes_and_preferences(file in file_with_purposes()) {
        let source = site(&file, &[]);
        let found = convert(&source, TargetFile::RobotsTxt, PathCase::Sensitive).unwrap();
        let heard = Site::of_robots_txt(&found.text, Reading::Default);
        for crawler in crawlers() {
            for path in paths().into_iter().filter(|path| path.len() <= 4) {
                let crawl = ProposedUse::new(&path, &crawler, &Usage::Crawl);
                let is_disallowed = byleave::analysis::decide_unchecked(&heard, &crawl).outcome == Outcome::Prohibited;
                for usage in USAGES.iter().chain([&Usage::Crawl]) {
                    let proposed = ProposedUse::new(&path, &crawler, usage);
                    let [was, is] = [&source, &heard].map(|site| byleave::analysis::decide_unchecked(site, &proposed).outcome);
                    // A permission to crawl needs no line. ACAP statements about other usages are reported.
                    let is_wider = is == Outcome::Permitted && was != Outcome::Permitted && *usage != Usage::Crawl;
                    // Where `Disallow` wins, only prohibitions take effect (S-31).
                    let is_moot = is_disallowed && was != Outcome::Prohibited && is == Outcome::Unstated;
                    let is_lost = severity(was) > severity(is) && !is_moot;
                    let is_told = |loss: &Loss| {
                        loss.effect == LossEffect::LeftOut && loss.usage.as_ref().is_none_or(|told| {
                            told == usage || *told == Usage::TrainAi && *usage == Usage::TrainGenai
                        })
                    };
                    prop_assert!(
                        !is_wider && !is_lost || found.losses.iter().any(is_told),
                        "{crawler:?} {usage} {path}: {was:?} became {is:?}\n{file}\n---\n{}\n{:#?}",
                        String::from_utf8_lossy(&found.text),
                        found.losses
                    );
                    prop_assert!(was == is || is_moot || !found.is_exact() || severity(was) + severity(is) == 0);
                }
            }
        }
    }

    /// Law: a dialect can express its own statements. Where patterns of equal length overlap, the target may be
    /// stricter or omit a permission.
    #[test]
    fn a_dialect_expresses_its_own_statements(lines in prop::collection::vec((pattern(), 0..3_usize), 0..4)) {
        let says = ["search=yes, ai-train=no", "ai-input=no", "search=yes, ai-input=yes, ai-train=yes"];
        let mut lengths: Vec<usize> = lines.iter().map(|(pattern, _)| pattern.len()).collect();
        lengths.sort_unstable();
        let has_ties = lengths.windows(2).any(|two| two[0] == two[1]);
        let line = |(pattern, number): &(String, usize)| format!("Content-Signal: {pattern} {}\n", says[*number]);
        let lines: String = lines.iter().map(line).collect();
        let (text, found) = converted(&format!("User-agent: *\n{lines}Disallow:\n"), &[], TargetPreferences::ContentSignal);
        let is_told = |loss: &Loss| match (loss.effect, loss.cause) {
            (LossEffect::Narrower, LossCause::Scope) => true,
            (LossEffect::LeftOut, LossCause::Permission) => has_ties,
            _ => false,
        };
        prop_assert!(found.losses.iter().all(is_told), "{lines}{text}{:#?}", found.losses);
    }
}

#[test]
fn signals_become_labels() {
    let source =
        "User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Signal: /open/ ai-train=yes\nDisallow: /z/\n";
    let usage = "User-agent: *\nContent-Usage: train-ai=n, search=y\nContent-Usage: /open/ train-ai=y\nDisallow:\n";
    assert_eq!(shown(source, TargetPreferences::ContentUsage), (usage.to_owned(), vec![]));
    // Redundant lines are omitted.
    let again = "User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: /a/ ai-train=no\nDisallow:\n";
    let once = "User-agent: *\nContent-Usage: train-ai=n\nDisallow:\n";
    assert_eq!(shown(again, TargetPreferences::ContentUsage), (once.to_owned(), vec![]));
}

#[test]
fn each_crawler_has_a_group_where_it_differs() {
    let source = "User-agent: A\nContent-Usage: train-ai=n\nDisallow: /z/\n\nUser-agent: B\nDisallow: /\n\n\
                  User-agent: *\nContent-Usage: search=y\nDisallow:\n";
    let signals = "User-agent: *\nContent-Signal: search=yes\nDisallow:\n\nUser-agent: A\nContent-Signal: ai-train=no\n\
                   Disallow:\n\nUser-agent: B\nDisallow:\n";
    assert_eq!(shown(source, TargetPreferences::ContentSignal), (signals.to_owned(), vec![]));
}

#[test]
fn what_a_target_cannot_express_is_stricter_or_reported() {
    let (narrower, left_out) = (LossEffect::Narrower, LossEffect::LeftOut);
    let group = |line: &str| format!("User-agent: *\n{line}\nDisallow:\n");
    let usage = |line: &str| shown(&group(line), TargetPreferences::ContentUsage);
    let said = |line: &str| group(line);
    assert_eq!(
        usage("Content-Signal: use=reference"),
        (said("Content-Usage: ai-use=n"), vec![(narrower, LossCause::Condition)])
    );
    let signal = shown(&group("Content-Signal: use=reference"), TargetPreferences::ContentSignal);
    assert_eq!(signal, (said("Content-Signal: use=reference"), vec![]));
    // Training generative models is part of training.
    let generative = "ACAP-crawler: *\nACAP-disallow-train-genai: /\n";
    let (text, told) = shown(generative, TargetPreferences::ContentUsage);
    assert_eq!((text, told), (said("Content-Usage: train-ai=n"), vec![(narrower, LossCause::Together)]));
    // A prohibition on mining prohibits training. Other kinds of mining cannot be addressed.
    let (text, told) = shown("ACAP-crawler: *\nACAP-disallow-tdm: /\n", TargetPreferences::ContentSignal);
    assert!(told.contains(&(left_out, LossCause::Usage)), "{text}{told:?}");
    // A permission to train generative models does not permit all training.
    let permission = usage("Content-Usage: train-genai=y");
    assert_eq!(permission, (String::new(), vec![(left_out, LossCause::Permission)]));
}

#[test]
fn s44_reservations_are_the_same_for_all_and_the_narrower_first() {
    let source = "User-agent: *\nContent-Usage: all=n\nContent-Usage: /open/ all=y\nDisallow:\n";
    let (text, found) = converted(source, &[], TargetPreferences::TdmRep);
    let rules = "[\n  {\"location\": \"/open/\", \"tdm-reservation\": 0},\n  {\"location\": \"/\", \"tdm-reservation\": 1}\n]\n";
    assert_eq!(text, rules);
    assert!(found.losses.iter().all(|loss| loss.effect == LossEffect::LeftOut), "{:#?}", found.losses);
    // A prohibition for one crawler only cannot be stated for all crawlers. Then no permission is stated for all
    // crawlers either.
    let named = format!("{source}\nUser-agent: ABot\nContent-Usage: all=n\nDisallow:\n");
    let (text, found) = converted(&named, &[], TargetPreferences::TdmRep);
    assert_eq!(text, "[\n  {\"location\": \"/\", \"tdm-reservation\": 1}\n]\n");
    assert!(found.losses.iter().any(|loss| (loss.effect, loss.cause) == (LossEffect::Narrower, LossCause::Crawler)));
    assert_eq!(converted("User-agent: *\nDisallow: /\n", &[], TargetPreferences::TdmRep).0, "[]\n");
}

#[test]
fn other_documents_are_sources_too() {
    let documents = [
        (TDMREP, "[{\"location\": \"/\", \"tdm-reservation\": \"1\"}]".to_owned()),
        ("/ai.txt", "User-Agent: ABot\nDisallow: /\n\nUser-Agent: *\nAllow: /\nDisallow: *.jpg\n".to_owned()),
    ];
    let (text, _) = converted("", &documents, TargetPreferences::ContentUsage);
    assert_eq!(text, "User-agent: *\nContent-Usage: train-ai=n\nDisallow:\n");
    let (text, _) = converted("", &documents[1..], TargetPreferences::ContentUsage);
    let expected = "User-agent: *\nContent-Usage: train-ai=y\nContent-Usage: *.jpg train-ai=n\nDisallow:\n\n\
                    User-agent: ABot\nContent-Usage: train-ai=n\nDisallow:\n";
    assert_eq!(text, expected);
}

#[test]
fn unusual_patterns_survive_writing_and_reading() {
    let location = "/a b\\n\\\\\\\"x\\u00e9";
    let documents = [(TDMREP, format!("[{{\"location\": \"{location}\", \"tdm-reservation\": 1}}]"))];
    for target in TARGETS {
        let (text, found) = converted("", &documents, target);
        let path = "/a%20b%0A%5C%22x%C3%A9";
        let is = outcome(&of_target(target, &text), "AnyBot", &Usage::TrainAi, path);
        assert_eq!(is, Outcome::Prohibited, "{text}{:#?}", found.losses);
    }
}

#[test]
fn s31_rules_do_not_change_the_fields() {
    let (usage, signal) = (TargetPreferences::ContentUsage, TargetPreferences::ContentSignal);
    // In both dialects a permission counts only where crawling is permitted, so the conversion needs no other line.
    let source = "User-agent: *\nContent-Signal: ai-train=yes\nDisallow: /\nAllow: /a/\n";
    let expected = |line: &str| (format!("User-agent: *\n{line}\nDisallow:\n"), vec![]);
    assert_eq!(shown(source, usage), expected("Content-Usage: train-ai=y"));
    assert_eq!(shown(source, signal), expected("Content-Signal: ai-train=yes"));
    // A condition does not apply where crawling is prohibited either, so no line is needed to withdraw it.
    let source = "User-agent: *\nContent-Signal: use=reference\nDisallow: /x\n";
    assert_eq!(shown(source, signal), expected("Content-Signal: use=reference"));
    let told = vec![(LossEffect::Narrower, LossCause::Condition)];
    assert_eq!(shown(source, usage), (expected("Content-Usage: ai-use=n").0, told));
    // A rule without a colon is still a rule.
    let source = "User-agent: *\nContent-Signal: ai-train=yes\nDisallow /x\nUser-agent: A\nDisallow:\n";
    let text = "User-agent: *\nContent-Signal: ai-train=yes\nDisallow:\n\nUser-agent: A\nDisallow:\n";
    assert_eq!(shown(source, signal), (text.to_owned(), vec![]));
    // tdmrep.json is not limited by rules in robots.txt, so its rules must not permit more.
    let source = "User-agent: *\nContent-Usage: all=y\nDisallow: /\nAllow: /a/\n";
    let (text, _) = shown(source, TargetPreferences::TdmRep);
    assert_eq!(text, "[\n  {\"location\": \"/a/\", \"tdm-reservation\": 0}\n]\n");
}

#[test]
fn reports_say_the_pattern_and_count_the_crawlers() {
    let source = "User-agent: ABot\nUser-agent: BBot\nContent-Usage: /*.pdf all=n\nDisallow:\n";
    let (_, found) = converted(source, &[], TargetPreferences::ContentUsage);
    let [loss] = found.losses.as_slice() else { panic!("{:#?}", found.losses) };
    let said =
        "`tdm`, `ai-index` are prohibited for `ABot` on `/*.pdf` in the source; Content-Usage cannot express that";
    assert_eq!((loss.message.as_str(), loss.crawlers, loss.line), (said, 2, Some(3)));
    assert!(loss.path.as_deref().is_some_and(|path| path.ends_with(".pdf")), "{loss:?}");
    // Where patterns overlap, the path that differs matches both.
    let source = "User-agent: *\nContent-Usage: /a/ train-ai=y\nContent-Usage: /*b search=y\nDisallow:\n";
    let (_, found) = converted(source, &[], TargetPreferences::ContentSignal);
    let is_at = |loss: &Loss| loss.message.contains(" at `/") || loss.cause != LossCause::Scope;
    assert!(found.losses.iter().all(is_at), "{:#?}", found.losses);
}

#[test]
fn a_document_that_cannot_be_read_is_reported() {
    let documents = [(TDMREP, "[{\"location\": \"/\" \"tdm-reservation\": 1}]".to_owned())];
    for target in TARGETS {
        let (_, found) = converted("", &documents, target);
        let [loss] = found.losses.as_slice() else { panic!("{:#?}", found.losses) };
        assert_eq!((loss.effect, loss.cause), (LossEffect::LeftOut, LossCause::Unknown));
        assert!(loss.message.contains(TDMREP) && !found.is_proved, "{loss:?}");
    }
    let words = convert_resource(&site("", &documents), "/a", TargetDirectives::RobotsTag);
    assert!(words.losses.iter().any(|loss| loss.cause == LossCause::Unknown), "{:#?}", words.losses);
}

#[test]
fn s50_groups_for_a_purpose_come_first() {
    let source = "User-agent-purpose: archive\nContent-Signal: ai-train=no\nDisallow: /z\n\n\
                  User-agent-purpose: search\nContent-Signal: /s/ search=yes\nDisallow:\n\n\
                  User-agent: ABot\nContent-Signal: ai-train=no\nDisallow:\n\n\
                  User-agent: *\nContent-Signal: ai-train=yes\nDisallow:\n";
    let expected = "User-agent-purpose: archive\nContent-Usage: train-ai=n\nDisallow:\n\n\
                    User-agent-purpose: search\nContent-Usage: /s/ search=y\nDisallow:\n\n\
                    User-agent: *\nContent-Usage: train-ai=y\nDisallow:\n\n\
                    User-agent: ABot\nContent-Usage: train-ai=n\nDisallow:\n";
    assert_eq!(shown(source, TargetPreferences::ContentUsage), (expected.to_owned(), vec![]));
    // A group for one purpose may repeat the statement for everyone. The group still matters for a crawler with both
    // purposes.
    let source = "User-agent-purpose: archive\nContent-Signal: ai-train=no\nDisallow:\n\n\
                  User-agent-purpose: search\nContent-Signal: ai-train=yes\nDisallow:\n\n\
                  User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n";
    let expected = source.replace("Content-Signal: ai-train=no", "Content-Usage: train-ai=n");
    let expected = expected.replace("Content-Signal: ai-train=yes", "Content-Usage: train-ai=y");
    assert_eq!(shown(source, TargetPreferences::ContentUsage), (expected, vec![]));
    // tdmrep.json cannot express purposes.
    let (_, found) = converted(source, &[], TargetPreferences::TdmRep);
    let is_told = |loss: &Loss| {
        loss.crawler.as_deref() == Some("User-agent-purpose: archive") && loss.cause == LossCause::Crawler
    };
    let reserved = "User-agent-purpose: archive\nContent-Usage: all=n\nDisallow:\n";
    let (text, found_there) = converted(reserved, &[], TargetPreferences::TdmRep);
    assert_eq!(text, "[]\n");
    assert!(found_there.losses.iter().any(is_told), "{:#?}", found_there.losses);
    assert!(!found.is_exact());
}
