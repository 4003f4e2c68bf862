//! Tests for the documents of the AI-preference dialects: which documents a decision needs, documents of arbitrary
//! bytes, and the law that a truncated licence permits nothing.

use byleave::analysis::explain_unchecked;
use byleave::needs::{Wanted, needs};
use byleave::{Crawler, Document, Explanation, Headers, Outcome, ProposedUse, Reading, Site, Usage};
use proptest::prelude::*;

const URL: &str = "https://site.example/a/b";
const USAGES: [Usage; 6] =
    [Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];

const LICENCE: &str = "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<content url=\"/\" server=\"https://l.example\">\n\
    <license><permits type=\"usage\">search ai-all</permits><payment type=\"use\"/></license></content>\n\
    <content url=\"/a/\"><license><prohibits type=\"usage\">ai-train</prohibits></license></content>\n</rsl>\n";

#[test]
fn s50_every_location_of_a_dialect_is_needed_once() {
    let robots_txt =
        b"User-agent: *\nLicense: l.xml\nLicense: /l.xml\n\nACAP-crawler: *\nACAP-permissions-reference: /lib.txt\n";
    let headers = Headers::new()
        .with("Link", "<m.xml>; rel=license; type=application/rsl+xml")
        .with("tdm-reservation", "1")
        .with("tdm-policy", "https://p.example/policy.json");
    let rules = br#"[{"location": "/b", "tdm-reservation": 1, "tdm-policy": "/not-this"},
        {"location": "/a", "tdm-reservation": 1, "tdm-policy": "/policy.json"},
        {"location": "/", "tdm-reservation": 1, "tdm-policy": "/nor-this"}]"#;
    let site = Site::builder(Reading::Default)
        .with_robots_txt(byleave::Obtained::Status(200), robots_txt)
        .with_headers(headers)
        .with_document(Document::new("/.well-known/tdmrep.json", &rules[..]))
        .with_document(Document::new("/l.xml", LICENCE.as_bytes()))
        .build();
    let found = needs(&site, URL, &Crawler::named("AnyBot"));
    let told: Vec<_> = found.iter().map(|need| (need.location.as_str(), need.wanted.name(), need.is_given)).collect();
    assert_eq!(
        told,
        [
            ("https://site.example/robots.txt", "robots.txt", true),
            (URL, "headers", true),
            (URL, "page", false),
            ("https://site.example/.well-known/tdmrep.json", "tdmrep", true),
            ("https://site.example/ai.txt", "ai.txt", false),
            ("https://site.example/trust.txt", "trust.txt", false),
            ("https://site.example/.well-known/trust.txt", "trust.txt", false),
            ("/lib.txt", "reference", false),
            ("https://site.example/l.xml", "licence", true),
            ("https://site.example/a/m.xml", "licence", false),
            ("https://p.example/policy.json", "tdm-policy", false),
            ("https://site.example/policy.json", "tdm-policy", false),
        ]
    );
    let plain = needs(&Site::builder(Reading::Rfc9309).build(), "/a", &Crawler::named("AnyBot"));
    assert_eq!(plain.iter().map(|need| need.location.as_str()).collect::<Vec<_>>(), ["/robots.txt"]);
    for need in found {
        assert!(need.wanted.rule().starts_with("S-") && !need.wanted.because().is_empty());
    }
}

#[test]
fn s50_a_policy_of_what_is_not_reserved_is_not_needed() {
    let page = b"<meta name=tdm-reservation content=0><meta name=tdm-policy content=/p.json>";
    let site = Site::builder(Reading::Default).with_page(page).build();
    let found = needs(&site, URL, &Crawler::named("AnyBot"));
    assert!(found.iter().all(|need| need.wanted != Wanted::TdmPolicy));
    let page = b"<meta name=tdm-policy content=/p.json>";
    let site = Site::builder(Reading::Default).with_page(page).build();
    let found = needs(&site, URL, &Crawler::named("AnyBot"));
    assert!(found.iter().any(|need| need.location == "https://site.example/p.json"));
}

/// Explains a decision on a site that has only this document, and calls `told` with the explanation.
fn with<T>(location: &str, bytes: &[u8], usage: &Usage, told: impl FnOnce(&Explanation<'_>) -> T) -> T {
    let site = Site::builder(Reading::Default).with_document(Document::new(location, bytes)).build();
    let crawler = Crawler::named("AnyBot");
    told(&explain_unchecked(&site, &ProposedUse::new(URL, &crawler, usage)))
}

/// Law: a licence that is cut off at any position permits nothing, not even conditionally.
#[test]
fn s45_a_licence_that_is_cut_off_permits_nothing() {
    let end = LICENCE.trim_end().len();
    for usage in &USAGES {
        let whole = with("/l.xml", LICENCE.as_bytes(), usage, |told| told.decision.outcome);
        assert_ne!(whole, Outcome::Unstated);
        for length in 0..end {
            let cut = with("/l.xml", &LICENCE.as_bytes()[..length], usage, |told| told.decision.outcome);
            assert!(matches!(cut, Outcome::Unstated | Outcome::Prohibited), "{length} {}", usage.name());
        }
    }
}

/// Law: the time for a very long document is linear in its length. With a quadratic parser, this test would take hours.
#[test]
fn long_documents_are_read_in_one_pass() {
    const MANY: usize = 20_000;
    let open = "<rsl xmlns='https://rslstandard.org/rsl'>";
    let licences = "<license><permits type='usage'>search</permits><payment type='use'/></license>".repeat(MANY);
    let server = "s".repeat(MANY);
    let documents = [
        ("/l.xml", format!("{open}<content url='/{server}*' server='{server}'>{licences}</content></rsl>")),
        ("/l.xml", format!("{open}{}</rsl>", "<content url='/a/'><license/></content>".repeat(MANY))),
        ("/l.xml", format!("{open}<content url='/'><license>{}", "<payment type='a'/>".repeat(MANY))),
        ("/l.xml", format!("{open}<content url='/'><license>{}", "<permits type='usage'>all</permits>".repeat(MANY))),
        ("/l.xml", "<rsl>".repeat(MANY)),
        ("/l.xml", format!("<rsl {}>", "a='' ".repeat(MANY))),
        ("/l.xml", format!("<rsl {}>", (0..MANY).map(|n| format!("xmlns:a{n}='' ")).collect::<String>())),
        ("/ai.txt", format!("User-agent: *\n{}", "Disallow: /*a*b\n".repeat(MANY))),
        ("/ai.txt", "User-agent: *\nDisallow: /b\n".repeat(MANY)),
        ("/trust.txt", "datatrainingallowed=no\n".repeat(MANY)),
        ("/a/b", format!("%PDF-{}", "<rdf:RDF>".repeat(MANY))),
        ("/a/b", format!("%PDF-{}", "<rdf:RDF '".repeat(MANY))),
        ("/a/b", format!("%PDF-{}", "<rdf:RDF/>".repeat(MANY))),
        ("/a/b", format!("%PDF-{}", "/Type/Metadata".repeat(MANY))),
    ];
    for (location, text) in documents {
        with(location, text.as_bytes(), &Usage::Search, |told| told.decision.outcome);
    }
    let links = "<a>; rel=license; type=application/rsl+xml,<,".repeat(MANY / 4);
    let robots_txt = format!("License: /l\n{}", "User-agent: *\nLicense: /l.xml\nDisallow: /b\n".repeat(MANY / 4));
    let site = Site::builder(Reading::Default)
        .with_robots_txt(byleave::Obtained::Status(200), robots_txt.as_bytes())
        .with_headers(Headers::new().with("Link", links))
        .with_document(Document::new("/l.xml", LICENCE.as_bytes()))
        .build();
    let crawler = Crawler::named("AnyBot");
    let told = explain_unchecked(&site, &ProposedUse::new(URL, &crawler, &Usage::Search));
    assert_eq!((told.decision.outcome, told.needs.len()), (Outcome::Prohibited, 2));
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: &[&str] = &[
        "<rsl xmlns='https://rslstandard.org/rsl'>",
        "<rsl>",
        "</rsl>",
        "<content url='/a'>",
        "<content>",
        "</content>",
        "<license>",
        "</license>",
        "<permits type='usage'>",
        "</permits>",
        "<prohibits type=\"usage\">",
        "</prohibits>",
        "all",
        " search",
        ",ai-train",
        "<payment type='free'/>",
        "&amp;",
        "&x;",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "User-agent: *\n",
        "Disallow: *.x\n",
        "Allow: /a\n",
        "datatrainingallowed=",
        "yes\n",
        "no\n",
        "%PDF-",
        "<x:xmpmeta>",
        "<rdf:RDF>",
        "</rdf:RDF>",
        "<p:DataMining xmlns:p='http://ns.useplus.org/ldf/xmp/1.0/'>DMI-PROHIBITED</p:DataMining>",
        "[",
        "]",
        "{\"location\": \"/\", ",
        "\"tdm-reservation\": 1}",
        ",",
        "\u{FF}",
        "\n",
    ];
    let word = prop_oneof![
        8 => proptest::sample::select(WORDS).prop_map(|word: &str| word.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(word, 0..24).prop_map(|words| words.concat())
}

proptest! {
    /// Law: any bytes have an answer, and the span of the determining statement contains its text.
    #[test]
    fn any_bytes_have_an_answer_with_its_place(
        bytes in pieces(),
        start in proptest::sample::select(vec![&b""[..], b"\xFF\xD8\xFF\xE1", b"\x89PNG\r\n\x1A\n", b"\xEF\xBB\xBF"]),
        location in proptest::sample::select(
            vec!["/l.xml", "/ai.txt", "/trust.txt", "/.well-known/trust.txt", "/.well-known/tdmrep.json", "/a/b"]
        ),
    ) {
        let bytes = [start, &bytes[..]].concat();
        for usage in &USAGES {
            with(location, &bytes, usage, |told| {
                for statement in &told.determined_by {
                    prop_assert_eq!(bytes.get(statement.span.range()), Some(&*statement.text));
                    prop_assert_eq!(statement.document, location);
                    let place = byleave::analysis::source::Position::of(&bytes, statement.span.start);
                    prop_assert_eq!((statement.line, statement.column), (place.line, place.column));
                }
                for note in told.diagnostics {
                    prop_assert!(note.span.start <= note.span.end && note.span.end as usize <= bytes.len());
                }
                Ok(())
            })?;
        }
    }
}
