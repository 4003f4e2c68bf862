//! Checks that the engine finds the same elements, subtrees, attributes and texts as html5ever's own tree: in real
//! pages, in the inputs of other projects' tests, and in generated pages (S-16, S-24). Also checks that the engine
//! skips no page that has a statement on an element.
//!
//! Tests that need other projects' files run only if `BYLEAVE_CORPUS` is set.

use byleave::Limits;
use byleave::analysis::html as page;
use byleave::analysis::html::decoded;
use byleave::testing::Outline;
use byleave_testing::checks::elements::{Compared, assert_same};
use byleave_testing::generate::Numbers;
use byleave_testing::{gen_heads, real};
use encoding_rs::Encoding;

/// Adds ids, classes and other attributes to the tags in a text, and adds texts between the tags.
fn sprinkled(numbers: &mut Numbers, text: &str) -> String {
    let mut generated = String::new();
    let mut rest = text;
    let mut count = 0;
    while let Some(less) = rest.find('<') {
        let is_name = |character: char| character.is_ascii_alphanumeric() || character == '-';
        let after = &rest[less + 1..];
        let length = after.find(|character| !is_name(character)).unwrap_or(after.len());
        generated.push_str(&rest[..less]);
        if numbers.one_in(3) {
            generated.push_str(numbers.pick(&TEXTS));
        }
        generated.push_str(&rest[less..less + 1 + length]);
        rest = &after[length..];
        if length == 0 || !after.starts_with(|first: char| first.is_ascii_alphabetic()) {
            continue;
        }
        count += 1;
        match numbers.below(6) {
            0 => generated.push_str(&format!(" id={count}")),
            1 => {
                generated.push_str(&format!(" id=\"{}{count}\" class='c{}'", numbers.pick(&CLASSES), numbers.below(4)))
            }
            2 | 3 => generated.push_str(&format!(" class=\"{}\"", numbers.pick(&CLASSES))),
            4 => generated
                .push_str(&format!(" rel='{}' href=/{count}", numbers.pick(&["nofollow", "NoFollow ugc", "next"]))),
            _ => {}
        }
    }
    generated.push_str(rest);
    generated
}

const CLASSES: [&str; 16] = [
    "the-acap:disallow-index",
    "The-ACAP:allow-index",
    "acap:disallow-present",
    "&#x61;cap:disallow-index",
    "rob&#111;ts-noindex",
    "robots-nofollow robots-index",
    "ROBOTS-NoArchive",
    "a b\tc\nd\r\ne\u{c}f",
    "a\u{a0}b",
    "ac\0ap:",
    "a&amp;b",
    "&notanentity",
    "&Tab;x&NewLine;y",
    "",
    "\u{e9}t\u{e9}",
    "x",
];

const TEXTS: [&str; 12] = [
    "one",
    " ",
    "\n",
    "\n\ntwo",
    "\0",
    " \0three",
    "&amp;four\0",
    "\r\n",
    "&#10;five",
    " \0 \0 ",
    "six &notin; ",
    "\0\n",
];

#[test]
fn s16_real_pages_have_the_elements_that_html5ever_finds() {
    let Some(pages) = real::pages::pages() else { return };
    let mut all = Compared::default();
    for page in &pages {
        let charset = page.content_type.as_deref().and_then(page::charset);
        let compared = assert_same(&page.name, &page.body, charset);
        all.elements += compared.elements;
        all.marked += compared.marked;
        all.texts += compared.texts;
    }
    eprintln!("compared {} pages: {all:?}", pages.len());
    for with_links in [false, true] {
        let matters = |page: &&real::pages::Page| {
            let charset = page.content_type.as_deref().and_then(page::charset);
            Outline::may_matter(&decoded(&page.body, charset, &Limits::default()), with_links, &[])
        };
        eprintln!("{} pages may have statements on elements, links {with_links}", pages.iter().filter(matters).count());
    }
}

#[test]
fn s16_pages_in_every_encoding_have_the_elements_that_html5ever_finds() {
    let mut numbers = Numbers::new(16);
    for label in gen_heads::LABELS {
        for _ in 0..if cfg!(debug_assertions) { 40 } else { 1_000 } {
            let generated = gen_heads::page(&mut numbers);
            let generated = sprinkled(&mut numbers, &generated);
            let bytes = gen_heads::encoded(&mut numbers, label, &generated);
            if Encoding::for_bom(&bytes).is_some() {
                continue;
            }
            assert_same(label, &bytes, Some(label));
        }
    }
}

#[test]
fn s16_tree_construction_tests_have_the_elements_that_html5ever_finds() {
    let Some(tests) = real::pages::tree_tests() else { return };
    let mut numbers = Numbers::new(16);
    for test in &tests {
        assert_same("a tree construction test", test.input.as_bytes(), Some("utf-8"));
        for _ in 0..if cfg!(debug_assertions) { 2 } else { 20 } {
            let generated = sprinkled(&mut numbers, &test.input);
            assert_same("a tree construction test with marks", generated.as_bytes(), Some("utf-8"));
        }
    }
    eprintln!("compared {} tests", tests.len());
}

#[test]
fn s16_generated_pages_have_the_elements_that_html5ever_finds() {
    let times = if cfg!(debug_assertions) { 6_000 } else { 200_000 };
    let mut marked = 0;
    for seed in 0..times {
        let mut numbers = Numbers::new(seed);
        let mut generated = gen_heads::page(&mut numbers);
        if numbers.one_in(2) {
            generated.push_str(&gen_heads::page(&mut numbers));
        }
        let generated = sprinkled(&mut numbers, &generated);
        marked += assert_same(&format!("seed {seed}"), generated.as_bytes(), Some("utf-8")).marked;
    }
    assert!(marked > times as usize, "{marked} marks");
}

#[test]
fn s16_disturbed_real_pages_have_the_elements_that_html5ever_finds() {
    let Some(pages) = real::pages::pages() else { return };
    let mut numbers = Numbers::new(16);
    for page in &pages {
        let charset = page.content_type.as_deref().and_then(page::charset);
        for _ in 0..if cfg!(debug_assertions) { 1 } else { 8 } {
            let from = numbers.below(page.body.len().max(20_000) - 19_999);
            let text = &page.body[from..page.body.len().min(from + 20_000)];
            let disturbed = gen_heads::disturbed(&mut numbers, text);
            assert_same(&page.name, &disturbed, charset);
        }
    }
}

#[test]
fn s16_marks_on_odd_markup() {
    let outlined = |text: &str, check: &dyn Fn(&Outline<'_>)| {
        assert_same(text, text.as_bytes(), Some("utf-8"));
        let page = decoded(text.as_bytes(), Some("utf-8"), &Limits::default());
        check(&Outline::of(&page));
    };
    let inside = |outline: &Outline<'_>, id: &str, class: &str| {
        let outer = outline.with_class(class).unwrap();
        (outer..outline.elements()[outer as usize].end).contains(&outline.with_id(id).unwrap())
    };
    // Implied end tags.
    outlined("<ul><li class=X>A<li id=b>B</ul>", &|page| assert!(!inside(page, "b", "X")));
    outlined("<p class=X>A<div id=b>B</div>", &|page| assert!(!inside(page, "b", "X")));
    outlined("<span class=X>A<div id=b>B</div>", &|page| assert!(inside(page, "b", "X")));
    outlined("<table><td class=X>A<td id=b>B", &|page| assert!(!inside(page, "b", "X")));
    // Foster parenting.
    outlined("<table class=X><p id=b>B</p><td>A</table>", &|page| assert!(!inside(page, "b", "X")));
    // A formatting element that the parser repeats in the next paragraph keeps its class.
    outlined("<p><b class=X>A</p><p><i id=b>B</i></p>", &|page| {
        let remade = page.elements().iter().filter(|element| element.name == "b").count();
        assert_eq!(remade, 2);
        assert!(page.elements().iter().all(|element| element.name != "b" || element.attributes[0].1 == "X"));
    });
    outlined("<b class=X><div id=b></b></div>", &|page| assert!(!inside(page, "b", "X")));
    // Later `html` and `body` tags add missing attributes.
    outlined("<p>A<body class=X id=a><body class=Y><html class=Z>", &|page| {
        assert_eq!(page.with_class("X"), page.with_id("a"));
        assert_eq!(page.with_class("Y"), None);
        assert_eq!(page.with_class("Z"), Some(0));
    });
    // The content of a template and a body that a frameset replaces are not part of the document.
    outlined("<template id=t><p id=b class=X></template>", &|page| assert_eq!(page.with_id("b"), None));
    outlined("<div class=X></div>\n<frameset class=Y>a b", &|page| assert_eq!(page.with_class("X"), None));
    outlined("<noscript><p class=X></noscript>", &|page| assert!(page.with_class("X").is_some()));
    outlined("<head profile='a http://example.org/xmdp/robots-profile'>", &|page| {
        assert!(page.has_profile("http://example.org/xmdp/robots-profile#"));
        assert!(!page.has_profile("http://example.org/xmdp/robots-profil"));
    });
    outlined("<link rel='x PROFILE' href='http://example.org/p#'>", &|page| {
        assert!(page.has_profile("http://example.org/p") && !page.has_profile("http://example.org/"));
    });
}

#[test]
fn s24_half_a_character_does_not_end_cdata() {
    for label in ["gbk", "gb18030", "big5", "shift_jis", "euc-kr"] {
        let text = b"<svg><![CDATA[ \x8F]]><p id=b>\x8F]]]><p id=c>";
        assert_same(label, text, Some(label));
        let page = decoded(text, Some(label), &Limits::default());
        assert!(page.is_transcoded() && Outline::of(&page).with_id("c").is_some());
    }
}
