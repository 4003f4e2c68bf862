//! Adversarial input in AI-preference dialects (S-40): many fields, long values, large documents.

use super::{Shape, filled};
use crate::operations::Input;

/// The size of the smallest robots.txt in bytes. The largest one has about 20,000 lines.
const LINES: usize = 120_000;
/// The size of the smallest header value in bytes.
const VALUE: usize = 25_000;
/// The number of rules in the smallest tdmrep.json, and of `content` elements in the smallest licence.
const RULES: usize = 5_000;
const CONTENTS: usize = 1_250;
/// The smallest nesting depth of a document, and the smallest number of segments in an image.
const LEVELS: usize = 4_000;
const SEGMENTS: usize = 500;

const RSL: &str = "<rsl xmlns=\"https://rslstandard.org/rsl\">";
const LICENCE: &str = "<license><permits type=\"usage\">search</permits><payment type=\"use\"/></license>";

/// Returns the text of one repetition, given its number.
type Piece = fn(usize) -> String;

pub fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    let fields: [(&str, Piece); 7] = [
        ("Content-Usage, one path", |_| "Content-Usage: /* ai=n\n".to_owned()),
        ("Content-Usage, many paths", |n| format!("Content-Usage: /*{n:x} ai=n\n")),
        ("Content-Usage, without a path", |n| format!("Content-Usage: ai=n,k{n:x}\n")),
        ("Content-Usage, unreadable", |n| format!("Content-Usage: /* AI{n:x}\n")),
        ("Content-Signal, many paths", |n| format!("Content-Signal: /*a{n:x} use=x\n")),
        ("DisallowAITraining", |n| format!("DisallowAITraining: /*{n:x}$\n")),
        ("License", |n| format!("License: /{n:x}.xml\n")),
    ];
    for (name, line) in fields {
        let size = if name == "License" { LINES / 8 } else { LINES };
        shapes.push(Shape::new(format!("preferences: {name}"), size, move |size| Input::Today {
            robots_txt: filled("User-agent: *\n", size, line),
            headers: Vec::new(),
            document: None,
        }));
    }
    let values: [(&str, &'static str, Piece); 6] = [
        ("Content-Usage, one key", "Content-Usage", |_| "train-ai=n, ".to_owned()),
        ("Content-Usage, many keys", "Content-Usage", |n| format!("k{n}=n;a=\"b\", ")),
        ("Content-Usage, an inner list", "Content-Usage", |n| {
            if n == 0 { "train-ai=(".to_owned() } else { "a ".to_owned() }
        }),
        ("Content-Signal", "Content-Signal", |n| format!("ai-train=no, use=x, a{n}=b,")),
        ("Link", "Link", |n| format!("</{n}>; rel=license; type=\"application/rsl+xml\", ")),
        ("Link, never closed", "Link", |_| "<".to_owned()),
    ];
    for (name, field, piece) in values {
        let size = if name == "Link" { VALUE / 4 } else { VALUE };
        shapes.push(Shape::new(format!("preferences: header {name}"), size, move |size| {
            let value = filled("", size, piece);
            let value = value.trim_end_matches([',', ' ']).to_owned();
            Input::Today { robots_txt: String::new(), headers: vec![(field, value)], document: None }
        }));
    }
    shapes.push(Shape::new("preferences: header Content-Usage, many lines", 1_000, |size| Input::Today {
        robots_txt: String::new(),
        headers: (0..size).map(|n| ("Content-Usage", format!("k{n}=n"))).collect(),
        document: None,
    }));
    let mut document = |name: &str, size: usize, place: &'static str, make: fn(usize) -> Vec<u8>| {
        shapes.push(Shape::new(format!("preferences: {name}"), size, move |size| Input::Today {
            robots_txt: String::new(),
            headers: Vec::new(),
            document: Some((place, make(size))),
        }));
    };
    let tdmrep = "/.well-known/tdmrep.json";
    document("tdmrep.json, many rules", RULES, tdmrep, |size| {
        let rules = (0..size).map(|n| format!("{{\"location\":\"/*b{n}\",\"tdm-reservation\":1}}"));
        format!("[{}]", rules.collect::<Vec<_>>().join(",\n")).into_bytes()
    });
    document("tdmrep.json, rules that all match", RULES, tdmrep, |size| {
        let rules = vec!["{\"location\":\"/*\",\"tdm-reservation\":\"1\",\"tdm-policy\":\"/p\"}"; size];
        format!("[{}]", rules.join(",")).into_bytes()
    });
    document("tdmrep.json, nested", LEVELS, tdmrep, |size| "[".repeat(size).into_bytes());
    document("tdmrep.json, nested and closed", LEVELS, tdmrep, |size| {
        format!("{}{}", "[".repeat(size), "]".repeat(size)).into_bytes()
    });
    document("tdmrep.json, one object of many members", RULES, tdmrep, |size| {
        format!("[{{{}}}]", (0..size).map(|n| format!("\"k{n}\":1")).collect::<Vec<_>>().join(",")).into_bytes()
    });
    document("RSL, contents of one pattern", CONTENTS, "/license.xml", |size| {
        format!("{RSL}{}</rsl>", format!("<content url=\"/\">{LICENCE}</content>\n").repeat(size)).into_bytes()
    });
    document("RSL, contents of many patterns", CONTENTS, "/license.xml", |size| {
        let contents = (0..size).map(|n| format!("<content url=\"/*{n:05}*\">{LICENCE}</content>\n"));
        format!("{RSL}{}</rsl>", contents.collect::<String>()).into_bytes()
    });
    document("RSL, contents of many patterns that match", CONTENTS, "/license.xml", |size| {
        // All patterns have the same number of letters and stars, each pattern in a different order.
        let pattern = |n: usize| (0..13).map(|bit| if n >> bit & 1 == 1 { "*a" } else { "a*" }).collect::<String>();
        let contents = (0..size).map(|n| format!("<content url=\"/{}\">{LICENCE}</content>\n", pattern(n)));
        format!("{RSL}{}</rsl>", contents.collect::<String>()).into_bytes()
    });
    document("RSL, licences of one content", CONTENTS, "/license.xml", |size| {
        format!("{RSL}<content url=\"/\" server=\"https://l.example\">{}</content></rsl>", LICENCE.repeat(size))
            .into_bytes()
    });
    document("RSL, terms of one licence", CONTENTS, "/license.xml", |size| {
        let terms = "<prohibits type=\"usage\">ai-train</prohibits><permits type=\"geo\">US</permits>".repeat(size);
        format!("{RSL}<content url=\"/\"><license>{terms}</license></content></rsl>").into_bytes()
    });
    document("RSL, words of one list", CONTENTS, "/license.xml", |size| {
        let words = "all x ai-train ".repeat(size);
        format!("{RSL}<content url=\"/\"><license><permits type=\"usage\">{words}</permits></license></content></rsl>")
            .into_bytes()
    });
    document("RSL, nested", LEVELS, "/license.xml", |size| format!("{RSL}{}", "<content>".repeat(size)).into_bytes());
    document("RSL, nested and closed", LEVELS, "/license.xml", |size| {
        format!("{RSL}{}{}</rsl>", "<a>".repeat(size), "</a>".repeat(size)).into_bytes()
    });
    document("RSL, namespaces within namespaces", LEVELS, "/license.xml", |size| {
        format!("{RSL}{}", (0..size).map(|n| format!("<p{n}:a xmlns:p{n}=\"u\">")).collect::<String>()).into_bytes()
    });
    document("RSL, attributes of one tag", CONTENTS, "/license.xml", |size| {
        let attributes: String = (0..size).map(|n| format!(" a{n}=\"&lt;\"")).collect();
        format!("{RSL}<content url=\"/\"{attributes}>{LICENCE}</content></rsl>").into_bytes()
    });
    document("RSL, comments and references", CONTENTS, "/license.xml", |size| {
        format!("{RSL}{}</rsl>", "<!-- --><?a?>&amp;<![CDATA[x]]>".repeat(size)).into_bytes()
    });
    document("ai.txt, many rules", RULES, "/ai.txt", |size| {
        filled("User-agent: *\n", size * 20, |n| format!("Disallow: /*b{n}\n")).into_bytes()
    });
    document("trust.txt, many lines", RULES, "/trust.txt", |size| b"datatrainingallowed=yes\n".repeat(size));
    document("JPEG, many segments", SEGMENTS, "/a", |size| jpeg(&segment(PACKET.as_bytes()).repeat(size)));
    document("JPEG, many empty segments", SEGMENTS * 8, "/a", |size| jpeg(&[0xFF, 0xE1, 0, 2].repeat(size)));
    document("JPEG, a packet that is cut off", 1, "/a", |size| {
        jpeg(&segment(format!("{XMP}\0<x:xmpmeta{}", " a".repeat(size * 7_000)).as_bytes()))
    });
    document("PDF, many packets", SEGMENTS, "/a", |size| {
        format!("%PDF-1.7\n{}", format!("<?xpacket begin?>{PACKET}<?xpacket end?>\n").repeat(size)).into_bytes()
    });
    document("PDF, packets that never end", SEGMENTS * 8, "/a", |size| {
        format!("%PDF-1.7\n{}", "<?xpacket begin <x:xmpmeta ".repeat(size)).into_bytes()
    });
    shapes
}

const XMP: &str = "http://ns.adobe.com/xap/1.0/";
const PACKET: &str = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><plus:DataMining \
     xmlns:plus=\"http://ns.useplus.org/ldf/xmp/1.0/\">DMI-PROHIBITED</plus:DataMining></x:xmpmeta>";

/// Returns an APP1 segment.
fn segment(content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap_or(u16::MAX).to_be_bytes();
    [&[0xFF, 0xE1], &length[..], content].concat()
}

fn jpeg(segments: &[u8]) -> Vec<u8> {
    [&[0xFF, 0xD8], segments, &[0xFF, 0xDA, 0, 2, 0xFF, 0xD9]].concat()
}
