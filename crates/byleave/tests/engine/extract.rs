//! Tests for extraction from a page: prohibited content is left out, and the rest of the page is kept byte for byte
//! (S-16, S-37).
//!
//! Tests that need other projects' files run only if `BYLEAVE_CORPUS` is set.

use byleave::extract::Extract;
use byleave::{Crawler, ProposedUse, Reading, Site, Usage};
use byleave_testing::generate::Numbers;
use byleave_testing::{gen_heads, real};
use std::collections::HashSet;

fn with_extract<T>(page: &[u8], content_type: Option<&str>, check: impl FnOnce(&Extract<'_>) -> T) -> Option<T> {
    let mut site = Site::builder(Reading::Default).with_page(page);
    if let Some(content_type) = content_type {
        site = site.with_content_type(content_type);
    }
    let site = site.build();
    let crawler = Crawler::named("AnyBot");
    let extract =
        byleave::extract::extract(&site, &ProposedUse::new("https://site.example/", &crawler, &Usage::Index))?;
    Some(check(&extract))
}

fn html(page: &str) -> String {
    let html =
        with_extract(page.as_bytes(), Some("text/html; charset=utf-8"), |extract| extract.html()).expect("a page");
    String::from_utf8(html).expect("UTF-8")
}

fn text(page: &str) -> String {
    with_extract(page.as_bytes(), Some("text/html; charset=utf-8"), |extract| extract.text()).expect("a page")
}

/// Law: everything inside a prohibited element is removed. Everything around it is kept.
#[test]
fn s16_prohibited_elements_are_emptied() {
    const NO: &str = "class=\"the-acap:disallow-index\"";
    for (page, expected) in [
        ("<p NO>A<p>B", "<p NO><p>B"),
        ("<p NO title=A>A</p>B", "<p NO></p>B"),
        ("<p id=a NO>A</p>B", "<p NO id=\"a\"></p>B"),
        ("<div NO>A<div>B</div><!--C--><br>D</div>E", "<div NO></div>E"),
        ("<div NO>A<p>B</div>C", "<div NO></div>C"),
        ("<div NO>A</p></div>C", "<div NO></div>C"),
        ("<img NO alt=A>B", "<img NO>B"),
        ("<div NO><script>A</script><style>B</style><svg><a title=C>D</a></svg></div>E", "<div NO></div>E"),
        ("<div NO><template>A<b>B</b></template></div>C", "<div NO></div>C"),
        ("<template NO>A<b>B</b><!--C--></template>D", "<template NO></template>D"),
        ("<ul><li NO>A<li>B</ul>", "<ul><li NO><li>B</ul>"),
        ("<table NO>A<tr><td>B<!--C--></table>", "<table NO>A</table>"),
        ("<table><tr NO><td>B</td></tr><tr><td>C</table>", "<table><tr NO></tr><tr><td>C</table>"),
        ("<p><b NO>A<p>B<!--C--></b>D", "<p><b NO><p></b>D"),
        ("<p NO><b>A</p>B", "<p NO><b></p>B"),
        ("<div NO><h1>A</h1></div><h1>B</h1><!--C-->", "<div NO></div><h1>B</h1><!--C-->"),
        ("<p NO>A<h1>B</h1><!--C-->", "<p NO><h1>B</h1><!--C-->"),
        ("<body NO><p>A", "<body NO>"),
        ("<div NO>A<textarea>B</textarea></div>C<x", "<div NO></div>C<x"),
        ("<div NO>A<x", "<div NO>"),
        ("<svg><text NO>A<![CDATA[B]]></text>C</svg>", "<svg><text NO></text>C</svg>"),
        ("A<div NO>", "A<div NO>"),
    ] {
        let page = page.replace("NO", NO);
        assert_eq!(html(&page), expected.replace("NO", NO), "{page}");
    }
    let lifted =
        "<head profile=http://example.org/xmdp/robots-profile>A<div class=robots-noindex>B<p class=robots-index>C";
    let rest =
        "<head profile=http://example.org/xmdp/robots-profile>A<div class=\"robots-noindex\"><p class=robots-index>C";
    assert_eq!(html(lifted), rest);
    let quoted = "<p class='the-acap:disallow-index a\"b'>A</p>";
    assert_eq!(html(quoted), "<p class=\"the-acap:disallow-index a&quot;b\"></p>");
}

#[test]
fn s16_texts_of_prohibited_elements_are_left_out() {
    for (page, expected) in [
        ("<title>A</title><p class=the-acap:disallow-index>B<p>C", "A C"),
        ("A<div class=the-acap:disallow-index>B<p class=the-acap:allow-index>C</div>D", "A D"),
        ("<meta name=robots content='ACAP disallow-index'>A<p class=the-acap:allow-index>B", "B"),
        ("<script>A</script><style>B</style><noscript>C</noscript><template>D</template><p>E", "C E"),
    ] {
        assert_eq!(text(page), expected, "{page}");
    }
}

/// Law: if nothing is prohibited, the page does not change. Otherwise, the result contains every word of the kept
/// pieces and no word of the other pieces. The words are `t` with a number, and each word occurs once.
fn assert_taken_out(about: &str, page: &[u8], content_type: Option<&str>, extract: &Extract<'_>) -> bool {
    assert!(extract.is_whole, "{about}");
    let html = extract.html();
    let shown = |html: &[u8]| String::from_utf8_lossy(html).into_owned();
    if extract.is_transcoded() {
        assert!(html.starts_with(b"\xEF\xBB\xBF"), "{about}");
    } else if extract.decision.is_allowed() && !shown(page).contains("disallow") && !is_marked(&shown(page)) {
        assert_eq!(shown(&html), shown(page), "{about} {content_type:?}");
    }
    let words = |text: &str| -> Vec<String> {
        let is_number = |word: &&str| word.starts_with('t') && word[1..].parse::<u32>().is_ok();
        text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(is_number).map(str::to_owned).collect()
    };
    let there: HashSet<String> = words(&shown(&html)).into_iter().collect();
    let mut is_parted = false;
    for piece in &extract.pieces {
        for word in words(&piece.text) {
            assert_eq!(there.contains(&word), piece.is_kept, "{about}: {word}\n{}\n{}", shown(page), shown(&html));
            is_parted |= !piece.is_kept;
        }
    }
    is_parted
}

/// Returns whether the page may have parts that a search engine's mark excludes from `index` (S-49).
fn is_marked(page: &str) -> bool {
    let page = page.to_ascii_lowercase();
    ["googleoff", "<!--noindex", "<!-- noindex", "<noindex", "robots-nocontent"].iter().any(|mark| page.contains(mark))
}

/// Law: extraction does not change the rest of the page. If the result is parsed again, it has exactly the same usable
/// text.
fn assert_same_again(about: &str, content_type: Option<&str>, extract: &Extract<'_>) {
    let content_type = if extract.is_transcoded() { Some("text/html; charset=utf-8") } else { content_type };
    let kept = |extract: &Extract<'_>| -> String {
        let kept = extract.pieces.iter().filter(|piece| piece.is_kept);
        kept.flat_map(|piece| piece.text.split_whitespace()).collect()
    };
    let again = with_extract(&extract.html(), content_type, |again| {
        let left_out = again.pieces.iter().find(|piece| !piece.is_kept);
        assert!(left_out.is_none(), "{about}: {left_out:?}");
        kept(again)
    });
    assert_eq!(kept(extract), again.unwrap_or_default(), "{about}");
}

/// Returns a text with classes added to its tags.
fn with_classes(numbers: &mut Numbers, text: &str) -> String {
    let mut generated = String::new();
    let mut count = 0;
    for (number, part) in text.split('<').enumerate() {
        if number > 0 {
            generated.push('<');
        }
        let length = part.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(part.len());
        generated.push_str(&part[..length]);
        if part.starts_with(|letter: char| letter.is_ascii_alphabetic()) && numbers.one_in(6) {
            generated.push_str(" class=the-acap:disallow-index");
        }
        generated.push_str(&part[length..]);
        if numbers.one_in(3) {
            count += 1;
            generated.push_str(&format!(" t{count} "));
        }
    }
    generated
}

#[test]
fn s16_extraction_from_generated_pages_is_exact() {
    let times = if cfg!(debug_assertions) { 4_000 } else { 100_000 };
    let mut parted = 0;
    for seed in 0..times {
        let mut numbers = Numbers::new(16_000_000 + seed);
        let generated = gen_heads::page(&mut numbers) + &gen_heads::page(&mut numbers);
        let content_type = Some("text/html; charset=utf-8");
        let with_classes = with_classes(&mut numbers, &generated);
        for generated in [generated, with_classes] {
            let check = |extract: &Extract<'_>| {
                assert_taken_out(&format!("seed {seed}"), generated.as_bytes(), content_type, extract)
            };
            parted += usize::from(with_extract(generated.as_bytes(), content_type, check).unwrap_or_default());
        }
    }
    assert!(parted > times as usize / 8, "{parted} pages");
}

#[test]
fn s16_extraction_from_real_pages_is_exact() {
    let Some(pages) = real::pages::pages() else { return };
    let mut numbers = Numbers::new(37);
    let mut parted = 0;
    for page in &pages {
        let content_type = page.content_type.as_deref();
        let mut check = |body: &[u8]| {
            let is_parted = with_extract(body, content_type, |extract| {
                assert_same_again(&page.name, content_type, extract);
                assert_taken_out(&page.name, body, content_type, extract)
            });
            parted += usize::from(is_parted.unwrap_or_default());
        };
        check(&page.body);
        if let Ok(text) = std::str::from_utf8(&page.body) {
            check(with_classes(&mut numbers, text).as_bytes());
        }
    }
    eprintln!("took {parted} of {} pages apart", pages.len());
}

/// Law: if a permission names a part that must be used, only that part is kept (S-37).
#[test]
fn s37_only_what_must_be_used_is_kept() {
    let page = b"<meta name=description content='in short'><meta name=description content='second'>\
        <p>around</p><div id=part class=abstract>part <b>of it</b></div><p class=abstract>another</p>";
    let capabilities = {
        let mut capabilities = byleave::model::Capabilities::default();
        capabilities.prior_arrangement = true;
        capabilities
    };
    let with = |locators: &str| {
        let robots_txt = format!("ACAP-crawler: *\nACAP-allow-index: / {locators}\n");
        let site = Site::builder(Reading::Default)
            .with_robots_txt(byleave::Obtained::Status(200), robots_txt.as_bytes())
            .with_page(page)
            .build();
        let crawler = Crawler::named("AnyBot");
        let mut proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
        proposed.capabilities = &capabilities;
        let extract = byleave::extract::extract(&site, &proposed).expect("a page");
        (extract.text(), String::from_utf8(extract.html()).expect("UTF-8"))
    };
    let must_use = |locator: &str| with(&format!("must-use-resource={locator}"));
    let part = "<div id=part class=abstract>part <b>of it</b></div>";
    assert_eq!(must_use("the-acap:extract:id:part"), ("part of it".to_owned(), part.to_owned()));
    assert_eq!(must_use("the-acap:extract:class:abstract").0, "part of it");
    let description = "<meta name=description content='in short'>";
    assert_eq!(must_use("the-acap:extract:meta:description"), ("in short".to_owned(), description.to_owned()));
    assert_eq!(must_use("THE-ACAP:Extract:ID:part").0, "part of it");
    assert_eq!(must_use("/abstract.html").0, "");
    assert_eq!(must_use("the-acap:extract:id:missing").0, "");
}

/// Law: the text of an element is kept exactly if a separate question about that element allows the use. An explanation
/// lists the elements that have a statement and whose outcome differs from the page's.
#[test]
fn s16_extracting_listing_and_asking_agree() {
    const CLASSES: &[&str] = &["", "the-acap:disallow", "the-acap:allow", "the-acap:anybot:disallow", "acap:disallow"];
    const USAGES: &[Usage] = &[Usage::Index, Usage::Preserve, Usage::PresentCurrentcopy, Usage::PresentOldcopy];
    const ROBOTS: &[&str] = &["", "disallow-preserve", "allow-preserve", "allow-index", "disallow-other"];
    let crawler = Crawler::named("AnyBot");
    let (mut kept, mut left_out, mut listed) = (0, 0, 0);
    for seed in 0..300 {
        let mut numbers = Numbers::new(seed);
        let mut page = String::from("<html><head profile='http://example.org/xmdp/robots-profile#'>");
        if numbers.one_in(3) {
            page += "<meta name=robots content='ACAP allow-index'><meta name=robots content='ACAP disallow-preserve'>";
        }
        page += "<body>";
        for n in 0..8 {
            let verb = numbers.pick(CLASSES);
            let usage = numbers.pick(&["index", "preserve", "present-currentcopy", "present", "other"]);
            let class = if verb.is_empty() { String::new() } else { format!("{verb}-{usage}") };
            let profile = numbers.pick(&["", "", "robots-noindex", "robots-noarchive", "robots-archive"]);
            page += &format!("<div id=e{n} class='{class} {profile}'>e{n} ");
            page += &"</div>".repeat(numbers.below(3));
        }
        let robots_txt = match numbers.pick(ROBOTS) {
            "" => String::new(),
            field => format!("ACAP-crawler: *\nACAP-{field}: /\n"),
        };
        let site = Site::builder(Reading::Default)
            .with_robots_txt(byleave::Obtained::Status(200), robots_txt.as_bytes())
            .with_page(page.as_bytes())
            .build();
        for usage in USAGES {
            let proposed = ProposedUse::new("https://site.example/", &crawler, usage);
            let of_page = byleave::analysis::explain_unchecked(&site, &proposed);
            for piece in byleave::extract::extract(&site, &proposed).unwrap().pieces {
                for word in piece.text.split_whitespace() {
                    let named = format!("#{word}");
                    let mut asked = ProposedUse::new(proposed.url, &crawler, usage);
                    asked.element = Some(&named);
                    let (of_element, about) = (
                        byleave::analysis::explain_unchecked(&site, &asked),
                        format!("{usage} of {named}: {page}\n{robots_txt}"),
                    );
                    assert_eq!(piece.is_kept, of_element.decision.is_allowed(), "{about}");
                    let tag = format!("<div id={word} ");
                    let part = of_page.parts.iter().find(|part| page[part.span.range()].starts_with(&tag));
                    let outcome = of_element.decision.outcome;
                    assert!(
                        part.is_none_or(|part| part.outcome == outcome && outcome != of_page.decision.outcome),
                        "{about}"
                    );
                    (kept, left_out) = (kept + usize::from(piece.is_kept), left_out + usize::from(!piece.is_kept));
                    listed += usize::from(part.is_some());
                }
            }
        }
    }
    assert!(kept > 2_000 && left_out > 2_000 && listed > 1_000, "{kept} {left_out} {listed}");
}

/// Extracts the content that may be indexed from a page with a DOM, as text and as HTML. `NO` and `YES` in the pages
/// are placeholders for classes that prohibit and permit.
fn with_dom(robots_txt: &str, source: &str, dom: &str) -> (String, String) {
    const NO: &str = "class='the-acap:disallow-index'";
    const YES: &str = "class='the-acap:allow-index'";
    let [source, dom] = [source, dom].map(|page| page.replace("NO", NO).replace("YES", YES));
    let site = Site::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
    let site = site.to_builder().with_page(source.as_bytes()).with_dom(dom.as_bytes()).build();
    let other_way = Site::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
    let other_way = other_way.to_builder().with_dom(dom.as_bytes()).with_page(source.as_bytes()).build();
    let crawler = Crawler::named("AnyBot");
    let proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
    let extract = byleave::extract::extract(&site, &proposed).unwrap();
    assert_eq!(extract.pieces, byleave::extract::extract(&other_way, &proposed).unwrap().pieces, "{source} and {dom}");
    (extract.text(), String::from_utf8(extract.html()).unwrap())
}

/// Law: if the page after its scripts prohibits content, that content is also left out of the page as sent. There, it
/// is identified by the ids of elements, or else by its text.
#[test]
fn s25_what_the_dom_prohibits_is_left_out() {
    for (source, dom, expected) in [
        ("<p id=a>A<p id=b>B", "<p id=a NO>A<p id=b>B", "B"),
        ("<div id=w><p>A</div>B", "<div id=w NO><p>A</div>B", "B"),
        ("<p id=a>A</p>B", "<div NO><p id=a>A</p></div>B", "B"),
        ("<p>A one</p><p>B", "<p NO>A  one</p><p>B", "B"),
        ("<p>A <b>one</b></p><p>B", "<p NO>A <b>one</b></p><p>B", "B"),
        ("<p>A one</p><p>B", "<p NO>A <b>one</b></p><p>B", "B"),
        ("<p>A<p>B", "<p>A<p>B<p NO>Ads", "A B"),
        ("<p NO>A<p>B", "<p>A<p>B", "B"),
        ("<p NO>A<p>B", "<p NO>A<p>B", "B"),
        // If an id is repeated, it is unknown which of the elements is prohibited.
        ("<p id=a>A1</p><p id=a>A2</p><p>B", "<p id=a>A1</p><p id=a NO>A2</p><p>B", "B"),
        ("<p id=a>A1</p><p>B", "<p id=a>A1</p><p id=a NO>A2</p><p>B", "B"),
        ("<p id=a>A1</p><p id=a>A2</p><p>B", "<p id=a NO>A1</p><p>B", "B"),
        ("<p id>A</p><p id>B", "<p id NO>A</p><p id>B", "B"),
        ("<p id=a>A1</p><p>A2</p><p>B", "<p id=a>A1</p><p id=a NO>A2</p><p>B", "B"),
        // The element with that id is removed with its content, even if a statement on the content permits it.
        ("<div id=a>A<p YES>B</p></div>C", "<div id=a NO>A<p YES>D</p></div>C", "C"),
        // Texts are compared, not the elements that contain them.
        ("<body>Secret<br>Other<p>x", "<body><p NO>Secret</p>Other<p>x", "Other x"),
        ("Secret<br>Other<p>x", "<body><p NO>Secret</p>Other<p>x", "Other x"),
        ("<title>T</title>Secret<meta name=robots content=noindex><p>x", "<title>T</title><p NO>Secret</p><p>x", "T x"),
        ("<p>Hello <b>secret</b> world", "<p>Hello <b NO>secret</b> world", "Hello world"),
        ("<p>Hello <b>se<i>cr</i>et</b> world", "<p>Hello <b NO>secret</b> world", "Hello world"),
        ("<p>Hello <b>secret</b> world", "<p>Hello <b NO>se<!-- -->cr<i>et</i></b> world", "Hello world"),
        // An element without a matching id is inside an element with a matching id.
        ("<div id=o>x</div><p>Moved</p>B", "<div id=o NO>x<p>Moved</p></div>B", "B"),
        ("<div id=o>x</div><p>x</p>B", "<div id=o NO>x</div><p>x</p>B", "x B"),
        // Texts are compared as a browser shows them.
        ("<p>Se<!-- -->cret</p>B", "<p NO>Secret</p>B", "B"),
        ("Se<!-- -->cret<b>er</b><p>B", "<p NO>Secret</p><b>er</b><p>B", "er B"),
        ("<p>Se<b>cr</b>et</p>B", "<p NO>Secret</p>B", "B"),
        ("<p>Secret</p>B", "<p NO>S<b>ecre</b>t</p>B", "B"),
        ("<p>Se cret</p>B", "<p NO>Secret</p>B", "Se cret B"),
        ("<p>Se<br>cret</p>B", "<p NO>Secret</p>B", "Se cret B"),
        ("<p>Se<br>cret</p>B", "<p NO>Se cret</p>B", "B"),
    ] {
        let (text, html) = with_dom("", source, dom);
        assert_eq!(text, expected, "{source} and {dom}");
        assert_eq!(self::text(&html), expected, "{html}");
    }
}

/// Law: if scripts only added classes, extraction from the page as sent keeps only content that extraction from the
/// page after its scripts also keeps. The text form and the HTML form agree.
#[test]
fn s25_what_scripts_prohibit_is_left_out_of_generated_pages() {
    const CLASS: &str = " class=the-acap:disallow-index";
    let times = if cfg!(debug_assertions) { 1_000 } else { 50_000 };
    let words = |extract: &Extract<'_>, is_kept: bool| -> HashSet<String> {
        let pieces = extract.pieces.iter().filter(|piece| piece.is_kept == is_kept);
        pieces.flat_map(|piece| piece.text.split_whitespace()).map(str::to_owned).collect()
    };
    let crawler = Crawler::named("AnyBot");
    let proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
    let mut parted = 0;
    for seed in 0..times {
        let mut numbers = Numbers::new(25_000_000 + seed);
        let generated = gen_heads::page(&mut numbers) + &gen_heads::page(&mut numbers);
        let generated = with_classes(&mut numbers, &generated);
        // Some of these elements have ids, which may be repeated.
        let (mut source, mut dom) = (String::new(), String::new());
        for (number, part) in generated.split(CLASS).enumerate() {
            if number > 0 {
                let id = if numbers.one_in(2) { format!(" id=i{} ", numbers.below(4)) } else { String::new() };
                source += &id;
                // The space separates the class from a `/`, which would otherwise become part of the class.
                dom += &format!("{id}{CLASS} ");
            }
            source += part;
            dom += part;
        }
        let site = |page| {
            Site::builder(Reading::Default).with_content_type("text/html; charset=utf-8").with_page(page).build()
        };
        let (sent, after) =
            (site(source.as_bytes()).to_builder().with_dom(dom.as_bytes()).build(), site(dom.as_bytes()));
        let (Some(sent), Some(after)) =
            (byleave::extract::extract(&sent, &proposed), byleave::extract::extract(&after, &proposed))
        else {
            continue;
        };
        // In `xmp` and similar elements a class is text, so the texts differ.
        if after.pieces.iter().any(|piece| piece.text.contains(CLASS)) {
            continue;
        }
        let (kept, left_out) = (words(&sent, true), words(&after, false));
        // Compare only these words, because other words may occur in kept and in prohibited places.
        let is_numbered = |word: &str| word.strip_prefix('t').is_some_and(|number| number.parse::<u32>().is_ok());
        let lost: Vec<_> = kept.iter().filter(|word| is_numbered(word) && left_out.contains(*word)).collect();
        assert!(lost.is_empty(), "seed {seed}: {lost:?} of\n{source}\nand\n{dom}");
        assert_taken_out(&format!("seed {seed}"), dom.as_bytes(), None, &sent);
        parted += usize::from(!left_out.is_empty());
    }
    assert!(parted > times as usize / 8, "{parted} pages");
}

#[test]
fn s25_what_has_lost_its_text_is_emptied() {
    let (_, html) = with_dom("", "<p title=Secret>Se<b>cr</b>et<img alt=Secret></p><p>x", "<p NO>Secret</p><p>x");
    assert_eq!(html, "<p></p><p>x");
    let (_, html) = with_dom("", "<div><img><p>Secret</p></div><p>x", "<p NO>Secret</p><p>x");
    assert_eq!(html, "<div><img><p></p></div><p>x");
}

/// Law: a permission covers content only if both the page as sent and the page after its scripts have that content in
/// the permitted element.
#[test]
fn s25_a_permission_counts_for_what_both_have_in_it() {
    const META: &str = "<meta name=robots content='ACAP disallow-index'>";
    for (source, dom, expected) in [
        ("<div id=t YES>T<p id=u>U</p></div>", "<div id=t YES>T<p id=u>U</p></div>", "T U"),
        ("<div id=t YES>T<p id=u>U</p></div>", "<div id=t YES>T</div><p id=u>U</p>", "T"),
        ("<div id=t YES>T</div>", "<div id=t YES>T</div><div id=t>V</div>", ""),
        ("<div id=t YES>T</div>", "<div id=t>T</div>", ""),
    ] {
        let [source, dom] = [source, dom].map(|page| format!("{META}{page}"));
        assert_eq!(with_dom("", &source, &dom).0, expected, "{source} and {dom}");
    }
}

/// Law: content beyond the limits of S-22, which the engine does not examine, is left out. This applies to the page as
/// sent and to the page after its scripts.
#[test]
fn s22_what_is_not_looked_at_is_left_out() {
    // Long patterns make each decision expensive.
    let robots_txt = format!("ACAP-crawler: *\n{}", format!("ACAP-allow-index: /{}\n", "b".repeat(20_000)).repeat(25));
    let paragraphs = |class: &str| (0..600).map(|n| format!("<p {class}>t{n}</p>")).collect::<String>();
    let named = |class: &str| (0..600).map(|n| format!("<p id=i{n} {class}>t{n}</p>")).collect::<String>();
    for (source, dom) in [(paragraphs(""), paragraphs("NO")), (named(""), named("NO")), (named("NO"), named(""))] {
        let (text, html) = with_dom(&robots_txt, &format!("A{source}Z"), &format!("A{dom}Z"));
        assert_eq!(text, "A Z");
        assert_eq!(self::text(&html), "A Z");
    }
    let (source, dom) = (paragraphs(""), paragraphs("class=the-acap:allow-index"));
    let site = Site::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
    let site = site.to_builder().with_page(source.as_bytes()).with_dom(dom.as_bytes()).build();
    let crawler = Crawler::named("AnyBot");
    let extract = byleave::extract::extract(&site, &ProposedUse::new("/", &crawler, &Usage::Index)).unwrap();
    assert!(!extract.is_whole);
    let kept = extract.pieces.iter().take_while(|piece| piece.is_kept).count();
    assert!(kept > 100 && kept < 600 && extract.pieces.iter().skip(kept).all(|piece| !piece.is_kept), "{kept}");
}

/// Law: if the element in the question exists only in the page after its scripts, extraction from the page as sent
/// returns no text.
#[test]
fn s25_an_element_of_the_dom_alone_has_no_text_here() {
    let (source, dom) = ("<p>All<p>Of it<p id=y>Y", "<p>All<p>Of it<p id=x>X<p id=y>Y");
    let site = Site::builder(Reading::Default).with_page(source.as_bytes()).with_dom(dom.as_bytes()).build();
    let crawler = Crawler::named("AnyBot");
    for (element, expected, note) in [
        ("#x", "", Some("the page has no element `#x`; only the page after its scripts has it")),
        ("#y", "Y", None),
        ("#z", "All Of it Y", Some("the page has no element `#z`; the answer is for the whole page")),
    ] {
        let mut proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
        proposed.element = Some(element);
        let extract = byleave::extract::extract(&site, &proposed).unwrap();
        let notes: Vec<&str> = extract.notes.iter().map(|note| note.message.as_str()).collect();
        assert_eq!((extract.text().as_str(), notes), (expected, note.into_iter().collect()), "{element}");
    }
}

/// Law: words are separated where a browser separates them. Comments and inline elements do not separate words.
#[test]
fn s16_words_go_on_over_comments_and_inline_elements() {
    for (page, expected) in [
        ("<p>un<b>believ</b>able wea<!--x-->r", "unbelievable wear"),
        ("<b>a</b> <b>b</b><i>c</i>", "a bc"),
        ("<b>a </b><b>b</b>", "a b"),
        ("a<br>b<p>c<div>d</div>e<img>f", "a b c d e f"),
        ("<table><tr><td>a<td>b</table>c", "a b c"),
        ("<title>a</title>b", "a b"),
        ("un<script>x</script>seen <style>y</style>un<template>z</template>said", "unseen unsaid"),
        ("<a>x<!-- --> <!-- -->y</a>", "x y"),
        ("<b><div>a</div></b>b", "a b"),
        ("a<b></b>b<div></div>c", "ab c"),
        ("<p>un<b class=the-acap:disallow-index>believ</b>able", "un able"),
        ("<ul><li>a<li>b</ul>", "a b"),
        ("<svg><text>a</text><text>b</text></svg>", "a b"),
        ("<p>a<wbr>b&shy;c &nbsp; d", "ab\u{ad}c d"),
    ] {
        assert_eq!(text(page), expected, "{page}");
    }
}
