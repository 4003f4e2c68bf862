//! Checks that the engine finds the same elements, subtrees, attributes and texts as html5ever's own tree. Also checks
//! that the engine skips no page that has statements on elements.

use crate::oracle;
use byleave::Limits;
use byleave::analysis::html::{Decoded, decoded};
use byleave::analysis::vocabulary::PROFILE_CLASSES;
use byleave::testing::Outline;
use encoding_rs::Encoding;
use std::collections::HashMap;

const ATTRIBUTES: [&str; 5] = ["class", "id", "rel", "href", "name"];

/// The number of compared items of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub elements: usize,
    /// Elements with an id or a class.
    pub marked: usize,
    pub texts: usize,
}

pub fn assert_same(about: &str, bytes: &[u8], charset: Option<&str>) -> Compared {
    let page = decoded(bytes, charset, &Limits::default());
    let encoding = Encoding::for_label(page.encoding().as_bytes()).unwrap();
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    let theirs = oracle::outline(&text, &ATTRIBUTES);
    let shown = || String::from_utf8_lossy(bytes);

    let outline = Outline::of(&page);
    assert!(outline.is_whole(), "{about}");
    let elements = outline.elements();
    let mut ours = oracle::Outline::default();
    for element in &elements {
        if let Some(tag) = element.tag {
            let written = tag.of(page.text());
            assert!(written.starts_with(b"<") && written.ends_with(b">"), "{about}: {:?}", shown());
        }
        let oracle = oracle::Element {
            name: element.name.clone(),
            parent: element.parent,
            end: element.end,
            attributes: element.attributes.clone(),
        };
        ours.elements.push(oracle);
    }
    let texts = outline.texts();
    for text in &texts {
        assert!(!text.span.is_empty() && text.span.end as usize <= page.text().len(), "{about}");
        // Text after `<plaintext>` may be in any element.
        let within = &elements[text.element as usize].name;
        let is_plaintext = text.is_raw && text.span.end as usize == page.text().len();
        assert!(!text.is_raw || RAW.contains(&within.as_str()) || is_plaintext, "{about}: {within}");
        ours.add_text(text.element, &text.text);
    }
    for (one, other) in ours.elements.iter().zip(&theirs.elements) {
        assert_eq!(one, other, "{about} ({})\n{:?}", encoding.name(), shown());
    }
    assert_eq!(ours.elements.len(), theirs.elements.len(), "{about} ({})\n{:?}", encoding.name(), shown());
    for (one, other) in ours.texts.iter().zip(&theirs.texts) {
        assert_eq!(one, other, "{about} ({})\n{:?}", encoding.name(), shown());
    }
    assert_eq!(ours.texts.len(), theirs.texts.len(), "{about} ({})\n{:?}", encoding.name(), shown());

    let (mut ids, mut classes) = (HashMap::new(), HashMap::new());
    for (number, element) in (0..).zip(&theirs.elements) {
        for (name, value) in &element.attributes {
            match *name {
                "id" => {
                    ids.entry(value.as_str()).or_insert(number);
                }
                "class" => {
                    for class in value.split_ascii_whitespace() {
                        classes.entry(class).or_insert(number);
                    }
                }
                _ => {}
            }
        }
    }
    // Check only a sample if there are very many ids or classes.
    let few = |from: &HashMap<_, _>| if from.len() > 200 { from.len() / 200 } else { 1 };
    for (id, number) in ids.iter().step_by(few(&ids)) {
        assert_eq!(outline.with_id(id), Some(*number), "{about}: {id:?}");
    }
    for (class, number) in classes.iter().step_by(few(&classes)) {
        assert_eq!(outline.with_class(class), Some(*number), "{about}: {class:?}");
    }
    for (number, element) in (0..).zip(&theirs.elements).step_by(1 + theirs.elements.len() / 50) {
        let inside = texts.iter().filter(|text| (number..element.end).contains(&text.element)).count();
        assert_eq!(outline.texts_of(number), inside, "{about}");
        let classes: Vec<String> = element
            .attributes
            .iter()
            .filter(|(name, _)| *name == "class")
            .flat_map(|(_, value)| value.split_ascii_whitespace().map(str::to_owned))
            .collect();
        assert_eq!(outline.classes(number), classes, "{about}");
    }
    assert_not_skipped(about, &page, &theirs);
    Compared { elements: elements.len(), marked: ids.len() + classes.len(), texts: texts.len() }
}

/// Law: the engine does not skip a page if an element in its tree makes a statement.
fn assert_not_skipped(about: &str, page: &Decoded<'_>, theirs: &oracle::Outline) {
    let all = || theirs.elements.iter().flat_map(|element| &element.attributes);
    let says = |name: &str, value: &str| match name {
        "class" => value.split_ascii_whitespace().any(|class| {
            let class = class.to_ascii_lowercase();
            class.starts_with("the-acap:")
                || class.starts_with("acap:")
                || class == "robots-nocontent"
                || PROFILE_CLASSES.iter().any(|known| known.name == class)
        }),
        _ => false,
    };
    let is_nofollow = |name: &str, value: &str| {
        let mut words = value.split(|letter: char| letter == ',' || letter.is_ascii_whitespace());
        name == "rel"
            && words.any(|word| ["nofollow", "ugc", "sponsored"].iter().any(|known| word.eq_ignore_ascii_case(known)))
    };
    let shown = || String::from_utf8_lossy(page.text()).into_owned();
    if all().any(|(name, value)| says(name, value)) {
        assert!(Outline::may_matter(page, false, &[]), "{about}\n{:?}", shown());
        assert!(Outline::may_matter(page, true, &[]), "{about}\n{:?}", shown());
    }
    if all().any(|(name, value)| is_nofollow(name, value)) {
        assert!(Outline::may_matter(page, true, &[]), "{about}\n{:?}", shown());
    }
    for (name, value) in all().step_by(1 + all().count() / 10) {
        match *name {
            "id" | "name" => assert!(Outline::may_matter(page, false, &[value]), "{about}: {value:?}\n{:?}", shown()),
            "class" => {
                for class in value.split_ascii_whitespace() {
                    assert!(Outline::may_matter(page, false, &[class]), "{about}: {class:?}\n{:?}", shown());
                }
            }
            _ => {}
        }
    }
}

/// Elements whose text is raw and contains no markup.
const RAW: [&str; 6] = ["script", "style", "xmp", "iframe", "noembed", "noframes"];
