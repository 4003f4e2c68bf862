//! Laws from S-32 (layout and order change no decision) and S-33 (a decision is determined by the statements that it
//! names). Also checks that serializing and loading a policy changes nothing.

use byleave::analysis::{RobotsTxt, decide_unchecked, explain_unchecked};
use byleave::policy::DecodePolicyError;
use byleave::{Crawler, Explanation, Outcome, Policy, ProposedUse, Reading, Reason, Site, Usage};
use byleave_testing::checks::saved::{forged, same, same_names};
use byleave_testing::generate;
use byleave_testing::generate::{ASKERS, Group, Noise, Numbers};

const SEEDS: u64 = 500;

/// Returns the parts of the answer that S-32 guarantees: the outcome, the reason, and the patterns that decided.
fn answer(text: &[u8], reading: Reading, name: &str, url: &str) -> (Outcome, &'static str, Vec<Vec<u8>>) {
    let site = Site::of_robots_txt(text, reading);
    let crawler = Crawler::named(name);
    let explanation = explain_unchecked(&site, &ProposedUse::new(url, &crawler, &Usage::Crawl));
    let mut patterns: Vec<Vec<u8>> = explanation
        .determined_by
        .iter()
        .map(|statement| {
            let byleave::model::Scope::Pattern(pattern) = statement.scope else { panic!("{:?}", statement.scope) };
            pattern.to_vec()
        })
        .collect();
    patterns.sort();
    (explanation.decision.outcome, explanation.decision.reason.name(), patterns)
}

/// Rewrites many generated files with `change`, and checks that no answer differs.
fn never_matters(change: impl Fn(&[Group], &mut Numbers) -> Vec<u8>) {
    for seed in 0..SEEDS {
        let mut numbers = Numbers::new(seed);
        let groups = generate::groups(&mut numbers);
        let plain = generate::plain(&groups).into_bytes();
        let changed = change(&groups, &mut numbers);
        let patterns: Vec<&str> = groups.iter().flat_map(|group| &group.rules).map(|rule| rule.1.as_str()).collect();
        let reading = numbers.pick(Reading::OF_ROBOTS_TXT);
        for _ in 0..6 {
            let (name, url) = (numbers.pick(&ASKERS), generate::url(&mut numbers, &patterns));
            assert_eq!(
                answer(&changed, reading, name, &url),
                answer(&plain, reading, name, &url),
                "{reading}: {name} at {url}\n{}\nbecame\n{}",
                plain.escape_ascii().to_string().replace("\\n", "\n"),
                changed.escape_ascii()
            );
        }
    }
}

/// Law: comments, blank lines, blanks around names and values, any kind of line end, and the case of field names do not
/// change any answer.
#[test]
fn s32_layout_never_matters() {
    never_matters(|groups, numbers| generate::noisy(groups, numbers, Noise::Harmless));
}

/// Law: a byte order mark does not change any answer.
#[test]
fn s32_a_byte_order_mark_never_matters() {
    never_matters(|groups, _| [b"\xEF\xBB\xBF", generate::plain(groups).as_bytes()].concat());
}

/// Law: the order of rules within a group and the order of names do not change any answer.
#[test]
fn s32_the_order_of_rules_never_matters() {
    never_matters(|groups, numbers| {
        let mut groups = groups.to_vec();
        for group in &mut groups {
            numbers.shuffle(&mut group.rules);
            numbers.shuffle(&mut group.names);
        }
        generate::plain(&groups).into_bytes()
    });
}

/// Law: the order of groups does not change any answer.
#[test]
fn s32_the_order_of_groups_never_matters() {
    never_matters(|groups, numbers| {
        let mut groups = groups.to_vec();
        numbers.shuffle(&mut groups);
        generate::plain(&groups).into_bytes()
    });
}

/// Law: a thousand groups for other crawlers, in any position, do not change any answer.
#[test]
fn s32_unrelated_groups_never_matter() {
    let other = |n: usize| Group {
        names: vec![format!("unrelated-{n}-x")],
        rules: vec![(n.is_multiple_of(2), "/a".to_owned())],
    };
    for seed in 0..20 {
        let mut numbers = Numbers::new(seed);
        let groups = generate::groups(&mut numbers);
        let mut all: Vec<Group> = (0..1000).map(other).collect();
        for group in &groups {
            let at = numbers.below(all.len());
            all.insert(at, group.clone());
        }
        let (few, many) = (generate::plain(&groups), generate::plain(&all));
        let patterns: Vec<&str> = groups.iter().flat_map(|group| &group.rules).map(|rule| rule.1.as_str()).collect();
        for name in ASKERS {
            let url = generate::url(&mut numbers, &patterns);
            let reading = numbers.pick(&[Reading::Default, Reading::Strict]);
            let (few, many) =
                (answer(few.as_bytes(), reading, name, &url), answer(many.as_bytes(), reading, name, &url));
            assert_eq!(many, few, "{reading}: {name} at {url}");
        }
    }
}

/// Percent-encodes some unreserved letters that are not part of an escape.
fn encoded(text: &str, numbers: &mut Numbers) -> String {
    let mut out = String::new();
    let mut after_percent = 0;
    for letter in text.chars() {
        let is_free = after_percent == 0 && (letter.is_ascii_alphanumeric() || "-._~".contains(letter));
        after_percent = if letter == '%' { 2 } else { usize::saturating_sub(after_percent, 1) };
        if is_free && numbers.one_in(2) {
            out.push_str(&if numbers.one_in(2) {
                format!("%{:02x}", letter as u8)
            } else {
                format!("%{:02X}", letter as u8)
            });
        } else {
            out.push(letter);
        }
    }
    out
}

/// Law: an unreserved octet and its escape are equivalent, in URLs and in patterns, in every reading that normalizes
/// both sides (S-18). The deciding lines stay the same.
#[test]
fn s18_escapes_of_unreserved_octets_never_matter() {
    for seed in 0..SEEDS {
        let mut numbers = Numbers::new(seed);
        let groups = generate::groups(&mut numbers);
        let mut others = groups.clone();
        for rule in others.iter_mut().flat_map(|group| &mut group.rules) {
            rule.1 = encoded(&rule.1, &mut numbers);
        }
        let (text, other_text) = (generate::plain(&groups), generate::plain(&others));
        let patterns: Vec<&str> = groups.iter().flat_map(|group| &group.rules).map(|rule| rule.1.as_str()).collect();
        let reading = numbers.pick(&[Reading::Default, Reading::Strict, Reading::Rfc9309]);
        for _ in 0..6 {
            let crawler = Crawler::named(numbers.pick(&ASKERS));
            let url = generate::url(&mut numbers, &patterns);
            let path_at = url.find("example").map_or(0, |at| at + 7);
            let other_url = format!("{}{}", &url[..path_at], encoded(&url[path_at..], &mut numbers))
                .replace("example%3a", "example:");
            let lines = |text: &str, url: &str| {
                let site = Site::of_robots_txt(text.as_bytes(), reading);
                let explanation = explain_unchecked(&site, &ProposedUse::new(url, &crawler, &Usage::Crawl));
                let lines: Vec<u32> = explanation.determined_by.iter().map(|statement| statement.line).collect();
                (explanation.decision.outcome, lines)
            };
            let expected = lines(&text, &url);
            assert_eq!(lines(&other_text, &url), expected, "{reading}: {url}\n{text}\n{other_text}");
            assert_eq!(lines(&text, &other_url), expected, "{reading}: {url} {other_url}\n{text}");
            assert_eq!(lines(&other_text, &other_url), expected, "{reading}: {url} {other_url}\n{text}\n{other_text}");
        }
    }
}

/// Law: statements at one place, such as the classes in one tag, are always reported in the same order. An earlier
/// version reported them in the order of a hash map.
#[test]
fn s32_statements_at_one_place_are_reported_in_one_order() {
    let page = b"<p class='the-acap:allow-index the-acap:disallow-index acap:disallow-index'>a<p id=b>b";
    let crawler = Crawler::named("AnyBot");
    let mut proposed = ProposedUse::new("/", &crawler, &Usage::Index);
    proposed.element = Some("#b");
    let told = || -> Vec<Vec<u8>> {
        let site = Site::builder(Reading::Default).with_page(page).build();
        explain_unchecked(&site, &proposed).considered.iter().map(|lost| lost.statement.text.to_vec()).collect()
    };
    let first = told();
    assert_eq!(first.len(), 3);
    assert!((0..50).all(|_| told() == first));
}

/// Replaces every rule for which `stays` returns `false` with an empty `Disallow`. It states nothing, but keeps the
/// groups separate.
fn without(text: &str, stays: impl Fn(u32) -> bool) -> String {
    let line = |(n, line): (usize, &str)| {
        let is_rule = line.starts_with("Allow") || line.starts_with("Disallow");
        if is_rule && !stays(n as u32 + 1) { "Disallow:\n".to_owned() } else { format!("{line}\n") }
    };
    text.lines().enumerate().map(line).collect()
}

fn lines_of(explanation: &Explanation<'_>) -> Vec<u32> {
    explanation.determined_by.iter().map(|statement| statement.line).collect()
}

/// Law: the outcome stays if all statements are removed except the ones that the answer names as determining. If the
/// determining statements are removed, the outcome or the reason changes.
#[test]
fn s33_the_named_statements_determine_the_outcome() {
    for seed in 0..SEEDS {
        let mut numbers = Numbers::new(seed);
        let groups = generate::groups(&mut numbers);
        let text = generate::plain(&groups);
        let patterns: Vec<&str> = groups.iter().flat_map(|group| &group.rules).map(|rule| rule.1.as_str()).collect();
        let reading = numbers.pick(Reading::OF_ROBOTS_TXT);
        for _ in 0..5 {
            let crawler = Crawler::named(numbers.pick(&ASKERS));
            let url = generate::url(&mut numbers, &patterns);
            let proposed = ProposedUse::new(&url, &crawler, &Usage::Crawl);
            let site = Site::of_robots_txt(text.as_bytes(), reading);
            let whole = explain_unchecked(&site, &proposed);
            let named = lines_of(&whole);
            let only = without(&text, |line| named.contains(&line));
            let site = Site::of_robots_txt(only.as_bytes(), reading);
            let only_named = explain_unchecked(&site, &proposed);
            assert_eq!(only_named.decision.outcome, whole.decision.outcome, "{reading}: {url}\n{text}\n{only}");
            assert_eq!(lines_of(&only_named), named, "{reading}: {url}\n{text}\n{only}");
            if named.is_empty() {
                continue;
            }
            let rest = without(&text, |line| !named.contains(&line));
            let site = Site::of_robots_txt(rest.as_bytes(), reading);
            let none_named = explain_unchecked(&site, &proposed);
            let is_changed = none_named.decision.outcome != whole.decision.outcome
                || none_named.decision.reason.name() != whole.decision.reason.name()
                || lines_of(&none_named) != named;
            assert!(is_changed, "{reading}: {url}\n{text}\n{rest}");
        }
    }
}

/// Law: `explain` and `decide` agree on the outcome, the effective outcome, the prerequisite and the kind of reason.
/// The statement that `decide` names is among those that `explain` names.
#[test]
fn s33_explaining_and_deciding_agree() {
    for seed in 0..SEEDS {
        let mut numbers = Numbers::new(seed);
        let mut groups = generate::groups(&mut numbers);
        if seed % 100 == 0 {
            groups.push(generate::large_group(&mut numbers, "*"));
        }
        let text = generate::noisy(&groups, &mut numbers, Noise::Any);
        let patterns: Vec<&str> = groups.iter().flat_map(|group| &group.rules).map(|rule| rule.1.as_str()).collect();
        let site = Site::of_robots_txt(&text, numbers.pick(Reading::OF_ROBOTS_TXT));
        for _ in 0..8 {
            let crawler = Crawler::named(numbers.pick(&ASKERS)).with_fallback("Foo");
            let url = generate::url(&mut numbers, &patterns);
            let usage = numbers.pick(&[0, 0, 1, 2]);
            let usage = [Usage::Crawl, Usage::Index, Usage::PresentLink][usage].clone();
            let proposed = ProposedUse::new(&url, &crawler, &usage);
            let (decision, explanation) = (decide_unchecked(&site, &proposed), explain_unchecked(&site, &proposed));
            let explained = explanation.decision;
            assert_eq!(decision.outcome, explained.outcome);
            assert_eq!(decision.effective, explained.effective);
            assert_eq!(decision.reason.name(), explained.reason.name());
            assert_eq!(
                decision.prerequisite.map(|barrier| barrier.reason.name()),
                explained.prerequisite.map(|barrier| barrier.reason.name())
            );
            assert_eq!(decision.is_truncated, explained.is_truncated);
            let RobotsTxt::Read(policy) = site.robots_txt() else { panic!("robots.txt was given") };
            let statements = policy.statements();
            // In some readings, one line gives two statements. So compare the lines, not the statements.
            let span = |reason: Reason| reason.statement().and_then(|id| statements.get(id)).map(|found| found.span);
            if let Some(span) = span(decision.reason) {
                assert!(explanation.determined_by.iter().any(|statement| statement.span == span), "{url}");
            }
            if let Some(span) =
                decision.prerequisite.and_then(|barrier| span(barrier.reason)).filter(|_| usage != Usage::Crawl)
            {
                assert!(explanation.barred_by().any(|statement| statement.span == span), "{url}");
            }
        }
    }
}

/// Law: an owned policy, and a policy that was serialized and loaded, give the same decisions, lines, columns and spans
/// as the original.
#[test]
fn a_serialized_policy_is_the_same_policy() {
    for seed in 0..SEEDS {
        let mut numbers = Numbers::new(seed);
        let mut groups = generate::groups(&mut numbers);
        if seed % 100 == 0 {
            groups.push(generate::large_group(&mut numbers, "*"));
        }
        let mut text = generate::noisy(&groups, &mut numbers, Noise::Any);
        if numbers.one_in(6) {
            text.splice(0..0, *b"\xEF\xBB\xBF");
        }
        let reading = numbers.pick(Reading::ALL);
        let policy = Policy::parse_as(&text, reading);
        let saved = policy.to_bytes();
        let loaded = Policy::from_bytes(&saved).unwrap();
        let alone = policy.clone().into_owned();
        let about = format!("{reading}: {}", text.escape_ascii().to_string().replace("\\n", "\n"));
        for other in [&loaded, &alone] {
            same(&policy, other, &about);
            same_names(&policy, other, &about);
        }
        assert_eq!(loaded.to_bytes(), saved, "{about}");
        let patterns: Vec<&str> = groups.iter().flat_map(|group| &group.rules).map(|rule| rule.1.as_str()).collect();
        for _ in 0..6 {
            let crawler = Crawler::named(numbers.pick(&ASKERS));
            let url = generate::url(&mut numbers, &patterns);
            let expected = policy.bind(&crawler).may_crawl(&url);
            for other in [&loaded, &alone] {
                assert_eq!(other.bind(&crawler).may_crawl(&url), expected, "{url} {about}");
                assert_eq!(other.bind(&crawler).bound_by(), policy.bind(&crawler).bound_by(), "{url} {about}");
            }
        }
    }
}

/// Law: a policy with a rule derived from an index page is also the same after serializing.
#[test]
fn google_a_serialized_policy_with_an_index_page_is_the_same_policy() {
    let policy = Policy::parse_as(b"User-agent: *\nAllow: /dir/index.html\nDisallow: /\n", Reading::Google);
    same(&policy, &policy.clone().into_owned(), "an index page");
    for statement in policy.statements().iter().filter(|statement| statement.line == 2) {
        assert_eq!(statement.scope, byleave::model::Scope::Pattern(b"/dir/index.html"));
    }
}

/// Law: a policy with a value that Google's parser reads only in part is also the same after serializing. In an earlier
/// version, the span of such a rule ended at the end of the line. After serializing, it ended where Google's parser
/// stops reading.
#[test]
fn google_a_serialized_policy_with_a_value_read_in_part_is_the_same_policy() {
    for text in ["User-agent: *\nDisallow: /a\0b\n", "User-agent: *\nDisallow:\x0B/a\x0C\n"] {
        let policy = Policy::parse_as(text.as_bytes(), Reading::Google);
        same(&policy, &policy.clone().into_owned(), text);
        assert!(policy.statements().iter().all(|statement| statement.text.ends_with(b"/a")), "{text:?}");
    }
}

/// Law: a policy with very many names, which are not stored in file order, is also the same after serializing.
#[test]
fn a_serialized_policy_with_many_names_is_the_same_policy() {
    let text: String =
        (0..150).map(|n| format!("User-agent: b{n} x\nUser-agent: a{n}\nCrawl-delay: {n}\nDisallow: /{n}\n")).collect();
    let policy = Policy::parse(text.as_bytes());
    same(&policy, &policy.clone().into_owned(), "many names");
    same_names(&policy, &policy.clone().into_owned(), "many names");
}

/// Law: names are listed in file order, whether the policy was serialized or not. This applies to all names in the
/// file, and to the names in a fact's group.
#[test]
fn a_serialized_policy_lists_names_in_their_order() {
    let fact_names = |policy: &Policy<'_>| -> Vec<Vec<u8>> {
        policy.facts().iter().flat_map(|fact| fact.crawlers.iter().map(|name| name.to_vec())).collect()
    };
    let policy = Policy::parse(b"User-agent: b\nDisallow: /\nUser-agent: a\nUser-agent: b\nCrawl-delay: 1\n");
    assert_eq!(fact_names(&policy), [b"a", b"b"]);
    assert_eq!(fact_names(&policy.clone().into_owned()), [b"a", b"b"]);
    let policy = Policy::parse(b"User-agent: Foo Bar\nDisallow: /\nUser-agent: a\nUser-agent: Foo\nDisallow: /\n");
    assert_eq!(policy.crawlers_named(), [&b"Foo Bar"[..], b"a", b"Foo"]);
    assert_eq!(policy.clone().into_owned().crawlers_named(), [&b"Foo Bar"[..], b"a", b"Foo"]);
}

/// Law: a serialized policy with one wrong bit or a missing end is rejected and never causes a panic.
#[test]
fn s34_damaged_bytes_are_refused() {
    let mut numbers = Numbers::new(1);
    let large = generate::plain(&[generate::large_group(&mut numbers, "*")]);
    let small = "User-agent: *\nUser-agent: Foo Bar\nDisallow: /a%62*\nAllow: /*.gif$\nSitemap: https://a.example/s\n";
    for (text, step) in [("", 1), (small, 1), (large.as_str(), 211)] {
        let saved = Policy::parse(text.as_bytes()).to_bytes();
        for at in (0..saved.len()).step_by(step) {
            for bit in 0..8 {
                let mut damaged = saved.clone();
                damaged[at] ^= 1 << bit;
                assert!(Policy::from_bytes(&damaged).is_err(), "bit {bit} of byte {at}");
            }
            assert!(Policy::from_bytes(&saved[..at]).is_err(), "cut at {at}");
        }
        let longer = [&saved[..], b"\0"].concat();
        assert_eq!(Policy::from_bytes(&longer).err(), Some(DecodePolicyError::Damaged));
        assert!(Policy::from_bytes(&saved).is_ok());
    }
}

/// Law: all groups that name a crawler are merged, whatever their number and the spelling of the name.
#[test]
fn s13_many_groups_of_one_name_are_pooled() {
    for count in [1, 2, 3, 4, 5, 6, 20, 200] {
        let group = |n: usize| format!("User-agent: FooBot\nUser-agent: *\nDisallow: /{n}/\n");
        let text: String = (0..count).map(group).collect();
        let policy = Policy::parse(text.as_bytes());
        let crawlers = [
            Crawler::named("foobot"),
            Crawler::named("other"),
            Crawler::named("other").with_fallback("none").with_fallback("FOOBOT"),
            Crawler::named("other").also_named("FooBot"),
        ];
        for crawler in &crawlers {
            let alone = policy.clone().into_owned();
            for bound in [policy.bind(crawler), alone.bind(crawler)] {
                for n in 0..count {
                    assert!(!bound.may_crawl(&format!("/{n}/x")), "group {n} of {count}");
                }
                assert!(bound.may_crawl(&format!("/{count}/x")) && bound.may_crawl("/"));
            }
        }
    }
}

/// Law: no name other than `*` addresses any crawler, whatever its hash.
#[test]
fn s35_no_name_is_mistaken_for_any_crawler() {
    let mut compiler = byleave::Compiler::new(Reading::Default);
    for n in 0..150_000 {
        let text = format!("User-agent: b{n}\nDisallow: /\n");
        let policy = compiler.compile(text.as_bytes());
        let addressee = policy.statements().iter().next().unwrap().addressee;
        assert_eq!(addressee, byleave::model::Addressee::Named, "{text}");
        assert!(policy.may_crawl("nobody", "/"), "{text}");
    }
}

/// Law: bytes with a correct checksum and wrong content may cause wrong answers, but never a panic (policy/layout.rs).
#[test]
fn s34_forged_bytes_make_nothing_panic() {
    let text = b"User-agent: *\nUser-agent: Foo\nDisallow: /a%62*\nAllow: /*.gif$\nSitemap: https://a.example/s\n";
    let saved = Policy::parse(text).to_bytes();
    for at in 0..saved.len() - 16 {
        for (value, length) in [0, 1, 0x7F, 0x80, 0xFF].into_iter().flat_map(|value| (1..=8).map(move |n| (value, n))) {
            let mut body = saved[16..].to_vec();
            body.iter_mut().skip(at).take(length).for_each(|byte| *byte = value);
            let forged = forged(&saved, &body);
            if let Ok(policy) = Policy::from_bytes(&forged) {
                let _ = (policy.may_crawl("Foo", "/ab"), policy.may_crawl("x", "/a.gif"));
                let _ = (policy.statements().iter().count(), policy.facts().len(), policy.crawlers_named());
            }
        }
    }
}
