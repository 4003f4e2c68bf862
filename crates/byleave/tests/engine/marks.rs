//! Tests for parts of a page that are excluded by marks for search engines (S-49): extraction from marked pages, and
//! adversarial pages.

use byleave::extract::Extract;
use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage};
use std::time::{Duration, Instant};

fn with_extract<T>(site: &Site<'_>, usage: &Usage, check: impl FnOnce(&Extract<'_>) -> T) -> T {
    let crawler = Crawler::named("AnyBot");
    let extract = byleave::extract::extract(site, &ProposedUse::new("https://site.example/", &crawler, usage));
    check(&extract.expect("a page"))
}

fn text(page: &str, usage: &Usage) -> String {
    let site = Site::builder(Reading::Default).with_page(page.as_bytes()).build();
    with_extract(&site, usage, |extract| extract.text())
}

#[test]
fn s49_marked_parts_are_left_out_of_what_is_extracted() {
    for (page, index, snippet) in [
        ("<p>A<p data-nosnippet>B<p>C", "A B C", "A C"),
        ("<p>A<!--noindex-->B<!--/noindex-->C", "A C", "ABC"),
        ("<p>A<!--noindex--><b>B</b>b<!--/noindex-->C", "A C", "ABbC"),
        ("<p>A<!--noindex-->B<p>C", "A", "AB C"),
        ("<p>A<noindex>B</noindex>C", "A C", "A B C"),
        ("<p>A<noindex>B<p>C</noindex>D", "A D", "A B CD"),
        ("<p>A<!--googleoff: snippet-->B<!--googleon: snippet-->C", "ABC", "A C"),
        ("<p>A<!--googleoff: all-->B<!--googleon: index-->C<!--googleon: all-->D", "A D", "A D"),
        ("<p>A<!--googleoff: anchor-->B<!--googleon: all-->C", "ABC", "ABC"),
        ("<p>A<p class=robots-nocontent>B<i>C</i><p>D", "A D", "A D"),
        ("<!--/noindex--><p>A<!--googleon: all-->B", "AB", "AB"),
        ("<p>A</p><table>B<!--noindex-->C<!--/noindex--><tr><td>D</table>", "A B D", "A BC D"),
    ] {
        assert_eq!(text(page, &Usage::Index), index, "{page}");
        assert_eq!(text(page, &Usage::PresentSnippet), snippet, "{page}");
    }
}

#[test]
fn s49_each_piece_names_the_mark_that_excludes_it() {
    let page = "<p>A<!-- NoIndex -->B<!--/noindex-->C\n<p data-nosnippet>D";
    let because = |usage: &Usage| {
        let site = Site::builder(Reading::Default).with_page(page.as_bytes()).build();
        with_extract(&site, usage, |extract| {
            let left_out = extract.pieces.iter().filter(|piece| !piece.is_kept);
            left_out.map(|piece| (piece.text.clone(), piece.because.to_string())).collect::<Vec<_>>()
        })
    };
    let comment = "the comment in line 1 of the page prohibits it (`<!-- NoIndex -->`)";
    assert_eq!(because(&Usage::Index), [("B".to_owned(), comment.to_owned())]);
    let attribute = "the element in line 2 of the page prohibits it (`data-nosnippet`)";
    assert_eq!(because(&Usage::PresentSnippet), [("D".to_owned(), attribute.to_owned())]);
}

/// Law: only bytes of marked parts are removed. If the rest is parsed again, it has the same texts.
#[test]
fn s49_the_rest_of_the_page_stays_as_it_is() {
    for (page, expected) in [
        ("<p>A<!--noindex-->B<!--/noindex-->C", "<p>A<!--noindex--><!--/noindex-->C"),
        ("<p>A<!--noindex--><b title=x>B</b><!--/noindex-->C", "<p>A<!--noindex--><b></b><!--/noindex-->C"),
        ("<!--noindex--><div>A<!--/noindex--> </div>B", "<!--noindex--><div><!--/noindex--></div>B"),
        ("<!--noindex--><div><p>A<!--x--><!--/noindex--> </div>B", "<!--noindex--><div><!--/noindex--></div>B"),
        ("<p>A<noindex>B</p><div>C</noindex></div>D", "<p>A<noindex></p><div></noindex></div>D"),
    ] {
        let site = Site::builder(Reading::Default).with_page(page.as_bytes()).build();
        let html = with_extract(&site, &Usage::Index, |extract| extract.html());
        assert_eq!(String::from_utf8(html).unwrap(), expected);
        let letters = |text: String| text.replace(' ', "");
        assert_eq!(letters(text(expected, &Usage::Index)), letters(text(page, &Usage::Index)));
    }
}

#[test]
fn s25_what_is_marked_after_scripts_is_left_out() {
    let extracted = |page: &str, dom: &str| {
        let site = Site::builder(Reading::Default).with_page(page.as_bytes()).with_dom(dom.as_bytes()).build();
        with_extract(&site, &Usage::Index, |extract| extract.text())
    };
    let page = "<p>Apples</p><p>Bread</p><p>Cheese</p>";
    assert_eq!(extracted(page, page), "Apples Bread Cheese");
    assert_eq!(extracted(page, "<p>Apples</p><!--noindex--><p>Bread</p><!--/noindex--><p>Cheese</p>"), "Apples Cheese");
    assert_eq!(extracted(page, "<p>Apples</p><p><!--noindex-->Bread<!--/noindex--></p><p>Cheese</p>"), "Apples Cheese");
}

#[test]
fn s49_texts_in_ranges_are_parts_of_the_page() {
    let page = b"<p>A<!--noindex-->B<!--/noindex--><p>C<!--noindex--><b>D</b><!--/noindex-->";
    let site = Site::builder(Reading::Default).with_page(page).build();
    let crawler = Crawler::named("AnyBot");
    let explanation = byleave::analysis::explain_unchecked(&site, &ProposedUse::new("/", &crawler, &Usage::Index));
    assert_eq!(explanation.decision.outcome, Outcome::Unstated);
    let parts = explanation.parts.iter().map(|part| (part.span.start, part.outcome, part.text.as_deref()));
    let comment = Some("<!--noindex-->");
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [(52, Outcome::Prohibited, comment), (4, Outcome::Prohibited, comment)],
        "{}",
        String::from_utf8_lossy(page)
    );
}

/// Law: adversarial pages take time linear in their bytes (S-34).
#[test]
fn s34_marks_without_end() {
    const MOST_NANOSECONDS_A_BYTE: u128 = 5_000;
    let shapes: [fn(usize) -> String; 8] = [
        |times| "<!--noindex-->a".repeat(times),
        |times| "<!--noindex-->a<!--/noindex-->b".repeat(times),
        |times| {
            "<!--googleoff: all--><p>a<!--googleoff: index--><!--googleoff: anchor--><!--googleon: all-->".repeat(times)
        },
        |times| "<noindex>a".repeat(times),
        |times| "<div data-nosnippet>a".repeat(times),
        |times| "<!--noindex-->".to_owned() + &"<b><p>a".repeat(times),
        |times| " ".repeat(times * 20) + "noindex " + &"noindex".repeat(times),
        |times| "<!--noindex--><table>".to_owned() + &"a<!--/noindex--><tr>b<!--noindex-->".repeat(times),
    ];
    let times = if cfg!(debug_assertions) { 300 } else { 20_000 };
    for (number, shape) in shapes.iter().enumerate() {
        let page = shape(times);
        let began = Instant::now();
        for usage in [Usage::Index, Usage::PresentSnippet, Usage::Follow] {
            text(&page, &usage);
        }
        let took: Duration = began.elapsed();
        let allowed = 4_000_000_000 + MOST_NANOSECONDS_A_BYTE * page.len() as u128;
        assert!(cfg!(debug_assertions) || took.as_nanos() < allowed, "{number}: {} bytes took {took:?}", page.len());
    }
}
