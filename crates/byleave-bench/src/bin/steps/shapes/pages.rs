//! Adversarial pages: their heads, trees, texts, and statements on their elements.

use super::{Bound, Shape, filled};
use crate::operations::{Input, Questions};

pub fn shapes() -> Vec<Shape> {
    [heads(), unclosed(), trees(), texts(), nearly(), on_elements(), by_robots_txt()].into_iter().flatten().collect()
}

fn page(name: &str, size: usize, make: fn(usize) -> String) -> Shape {
    Shape::new(format!("page: {name}"), size, move |size| Input::page(make(size), Questions::Few))
}

/// Returns a page with ACAP statements or statements on elements.
fn telling(name: &str, size: usize, make: fn(usize) -> String) -> Shape {
    Shape::new(format!("page: {name}"), size, move |size| Input::page(make(size), Questions::Many))
}

/// The operations that list parts or extract text, and their bounds.
const FOR_EACH_ELEMENT: &[(&str, Bound)] = &[
    ("explain index", Bound::A_DECISION_FOR_EACH_ELEMENT),
    ("explain follow", Bound::A_DECISION_FOR_EACH_ELEMENT),
    ("explain present-snippet", Bound::A_DECISION_FOR_EACH_ELEMENT),
    ("extract", Bound::A_DECISION_FOR_EACH_ELEMENT),
];

/// Calls `one` with each number below `times`, and joins the results.
fn each(times: usize, one: impl Fn(usize) -> String) -> String {
    (0..times).map(one).collect()
}

fn heads() -> Vec<Shape> {
    vec![
        page("METAs", 1_000, |times| "<meta name=robots content=x>".repeat(times)),
        telling("METAs with noindex", 1_000, |times| "<meta name=robots content=noindex>".repeat(times)),
        telling("METAs with many names", 1_000, |times| each(times, |n| format!("<meta name=n{n} content=noindex>"))),
        telling("METAs in ACAP", 1_000, |times| "<meta name=robots content='ACAP disallow-index'>".repeat(times)),
        telling("METAs in ACAP that oppose each other", 1_000, |times| {
            "<meta name=robots content='ACAP allow-index'><meta name=AnyBot content='ACAP disallow-index'>"
                .repeat(times)
        }),
        telling("METAs in ACAP with terms", 1_000, |times| {
            each(times, |n| {
                format!("<meta name=robots content='ACAP allow-present-snippet max-length={n}-words location=/{n}'>")
            })
        }),
        telling("METAs that declare versions", 1_000, |times| {
            each(times, |n| {
                format!("<meta name=n{n} content='ACAP version=1.{n}'><meta name=n{n} content='ACAP allow-index'>")
            })
        }),
        telling("METAs that define", 1_000, |times| {
            each(times, |n| {
                format!(
                    "<meta name=ACAP-qualified-usage content='c{n} preserve time-limit=3-days'>\
                     <meta name=robots content='ACAP allow-(c{n})'>"
                )
            })
        }),
        page("one META with many words", 2_000, |times| {
            format!("<meta name=robots content='{}'>", "noindex, ".repeat(times))
        }),
        telling("one META with many words in ACAP", 10_000, |times| {
            format!("<meta name=robots content='ACAP {}'>", "disallow-index ".repeat(times))
        }),
        telling("one META with many usages in ACAP", 1_000, |times| {
            format!("<meta name=robots content='ACAP {}'>", each(times, |n| format!("disallow-present-x{n} ")))
        }),
        telling("one META with many overridden words", 2_000, |times| {
            format!("<meta name=robots content=noindex><meta name=robots content='{}'>", "index, ".repeat(times))
        }),
        page("a long attribute", 40_000, |times| format!("<meta content='{}'>", "x".repeat(times))),
        page("a long attribute of &", 40_000, |times| format!("<meta content='{}'>", "&".repeat(times))),
        page("a long reference", 40_000, |times| format!("<meta content=&#{}>", "1".repeat(times))),
        page("a long attribute of &amp", 10_000, |times| format!("<meta content='{}'>", "&amp".repeat(times))),
        page("a long attribute of CR and NUL", 10_000, |times| format!("<meta content='{}'>", "\r\0".repeat(times))),
        page("attributes", 4_000, |times| format!("<meta{} content=x>", each(times, |n| format!(" a{n}")))),
        page("one attribute, repeated", 4_000, |times| format!("<meta{} content=x>", " b".repeat(times))),
        page("attributes in a template", 4_000, |times| {
            let many = each(times, |n| format!(" a{n}"));
            format!("<template><b{many}></b></template><meta><b{many}><meta>")
        }),
        page("slashes in a tag", 10_000, |times| format!("<meta {}", "/".repeat(times))),
        page("equals signs in a tag", 10_000, |times| format!("<meta {}>", "=".repeat(times))),
        page("empty attributes", 10_000, |times| format!("<meta {}>", "a=".repeat(times))),
        page("character references", 10_000, |times| format!("<meta>{}<meta>", "&#32;".repeat(times))),
        page("</>", 10_000, |times| format!("{}<meta>", "</>".repeat(times))),
        page("<!-->", 10_000, |times| format!("{}<meta>", "<!-->".repeat(times))),
        page("doctypes", 10_000, |times| format!("{}<meta>", "<!doctype>".repeat(times))),
        page("scripts in comments in scripts", 4_000, |times| {
            format!("<script>{}</script><meta>", "<!--<script></script>-->".repeat(times))
        }),
        page("nested templates", 4_000, |times| {
            format!("<meta>{}<meta>{}<meta>", "<template>".repeat(times), "</template>".repeat(times))
        }),
        page("templates", 4_000, |times| "<template><meta></template><meta>".repeat(times)),
        page("templates without an end", 4_000, |times| format!("<meta>{}<meta>", "<template>".repeat(times))),
        page("</p> in a template", 4_000, |times| format!("<template>{}</template><meta>", "</p>".repeat(times))),
        page("SVG in a template", 4_000, |times| format!("<template><svg>{}</template><meta>", "<g>".repeat(times))),
        page("divs in a template", 4_000, |times| {
            format!("<meta><template>{}</template><meta>", "<div>".repeat(times))
        }),
        Shape::new("page: UTF-16", 500, |times| {
            let text = "\u{FEFF}".to_owned() + &"<p id=x class=the-acap:disallow-index>é".repeat(times);
            Input::page(text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), Questions::Many)
        }),
        Shape::new("page: a charset of several bytes", 500, |times| {
            let start = b"<meta charset=shift_jis>".to_vec();
            Input::page(
                [start, b"<p class=the-acap:disallow-index>\x83\x5c\x81".repeat(times)].concat(),
                Questions::Many,
            )
        }),
    ]
}

/// Returns shapes with elements that are never closed, filled with text that resembles their end tags.
fn unclosed() -> Vec<Shape> {
    const OPENINGS: [&str; 9] = [
        "",
        "<!--",
        "<title>",
        "<style>",
        "<script>",
        "<script><!--",
        "<meta content='",
        "<!doctype ",
        "<noscript><style>",
    ];
    const FILLINGS: [&str; 14] =
        ["x", "-", "<", ">", "</", "<!--", "</title", "</script", "<script>", "-->", "&", "\0", "<![CDATA[", "<p x='"];
    let pairs = OPENINGS.iter().flat_map(|opening| FILLINGS.iter().map(move |filling| (opening, filling)));
    let shape = |(opening, filling): (&'static &str, &'static &str)| {
        Shape::new(format!("page: {:?}, unclosed", format!("{opening}{filling}…")), 2_000, move |times| {
            Input::page(format!("<meta>{opening}{}", filling.repeat(times)), Questions::Few)
        })
    };
    pairs.map(shape).collect()
}

fn trees() -> Vec<Shape> {
    fn formatting() -> String {
        each(1_000, |n| format!("<b id={n}>"))
    }
    vec![
        page("METAs in body", 4_000, |times| format!("<body>{}", "<meta>".repeat(times))),
        page("METAs in body with noindex", 4_000, |times| {
            format!("<body>{}", "<meta name=robots content=noindex>".repeat(times))
        }),
        page("METAs in table", 4_000, |times| format!("<table>{}", "<meta>".repeat(times))),
        page("METAs in SVG", 4_000, |times| {
            format!("<svg>{}<foreignObject>{}", "<g>".repeat(times), "<meta>".repeat(times))
        }),
        page("unknown elements", 4_000, |times| each(times, |n| format!("<unknown{n}>"))),
        page("nested span", 4_000, |times| "<span>".repeat(times)),
        page("nested g", 4_000, |times| format!("<svg>{}", "<g>".repeat(times))),
        page("nested div", 4_000, |times| "<div>".repeat(times)),
        page("nested ul and li", 4_000, |times| "<ul><li>".repeat(times)),
        page("<b><p>", 2_000, |times| "<b><p>".repeat(times)),
        page("<b><p></b>", 2_000, |times| "<b><p></b>".repeat(times)),
        page("nested tables", 2_000, |times| "<table><td>".repeat(times)),
        page("formatting before text", 2_000, |times| format!("<p>{}{}", formatting(), "<p>x".repeat(times))),
        page("formatting before formatting", 2_000, |times| format!("<p>{}{}", formatting(), "<p><b>".repeat(times))),
        page("distinct formatting", 2_000, |times| each(times, |n| format!("<b x={n}>"))),
        page("crossed formatting", 2_000, |times| each(times, |n| format!("<a id={n}><div></a>"))),
        page("long formatting", 400, |times| each(times, |n| format!("<b {}={n}>", "x".repeat(1000)))),
        page("end tags", 4_000, |times| format!("<div>{}", "</p></span></h1></li>".repeat(times))),
        page("forms, options and selects", 2_000, |times| "<form><select><option><input><optgroup>".repeat(times)),
        page("bodies with attributes", 4_000, |times| each(times, |n| format!("<body a{n}>"))),
        page("html and body, repeated", 4_000, |times| "<html class=a><body class=b>x".repeat(times)),
        page("frames", 4_000, |times| format!("<frameset>{}", "<frame><noframes>x</noframes>".repeat(times))),
        page("a plain page", 2_000, |times| "<p class=a>Some text, <b>bold</b>.</p>\n  ".repeat(times)),
    ]
}

fn texts() -> Vec<Shape> {
    vec![
        page("x<br>", 4_000, |times| "x<br>".repeat(times)),
        page("NULs in p", 10_000, |times| format!("<p>{}", "\0 ".repeat(times))),
        page("NULs in SVG", 10_000, |times| format!("<svg>{}", "\0a".repeat(times))),
        page("text in frameset", 10_000, |times| format!("<frameset>{}", " x".repeat(times))),
        page("text in table", 4_000, |times| format!("<table>{}", "x<!doctype>".repeat(times))),
        page("text between rows", 4_000, |times| format!("<table>{}", "x<tr>".repeat(times))),
        page("blanks as references", 10_000, |times| format!("<p>{}", "&#32;".repeat(times))),
        page("references without an end", 10_000, |times| format!("<p>{}", "&notit".repeat(times))),
        page("CDATA", 4_000, |times| format!("<svg>{}", "<![CDATA[x]]>".repeat(times))),
    ]
}

/// Returns pages whose elements contain text that resembles statements.
fn nearly() -> Vec<Shape> {
    const PARTS: [&str; 13] =
        ["class=", "class='", "class=\"", "rel=x", "id =", "= ", "=", "&#", "&#0", "acap", "acap=", "b - ", "robots-"];
    let part = |part: &&'static str| {
        let part = *part;
        Shape::new(format!("page: {part:?}, repeated"), 4_000, move |times| {
            Input::page(part.repeat(times) + ">", Questions::Few)
        })
    };
    let mut shapes: Vec<Shape> = PARTS.iter().map(part).collect();
    shapes.extend([
        page("acap and a long class", 40_000, |times| format!("acap class={}", "x".repeat(times))),
        page("acap and classes", 10_000, |times| format!("acap {}", "class=x ".repeat(times))),
        page("a title with zeros", 40_000, |times| format!("<p title='&#{}97'>", "0".repeat(times))),
        page("a class that ends like one", 40_000, |times| format!("<p class='{}acap:'>", "a".repeat(times))),
        page("a class that is one after lines", 10_000, |times| format!("<p class='{}acap:'>", "a\n".repeat(times))),
    ]);
    shapes
}

fn on_elements() -> Vec<Shape> {
    const PROFILE: &str = "<head profile='http://example.org/xmdp/robots-profile#'>";
    vec![
        telling("classes", 10_000, |times| format!("<p class='{}'>", "a ".repeat(times))),
        telling("distinct classes", 1_500, |times| format!("<p class='{}'>", each(times, |n| format!("c{n} ")))),
        telling("one class and one id, repeated", 1_500, |times| "<p class=a id=x>".repeat(times)),
        telling("distinct classes and ids", 1_500, |times| each(times, |n| format!("<br id={n} class=c{n}>"))),
        telling("links to a profile", 1_500, |times| "<link rel=profile href=x>".repeat(times)),
        telling("elements in ACAP", 300, |times| "<p id=x class=the-acap:disallow-index>x</p>".repeat(times)),
        telling("elements in ACAP, distinct", 300, |times| {
            each(times, |n| format!("<p id=x class=the-acap:allow-present-snippet:max-length={n}-words>x</p>"))
        }),
        telling("elements in ACAP, of two kinds", 300, |times| {
            "<p class=the-acap:disallow-index>x<i class=the-acap:allow-index>y</i></p>".repeat(times)
        }),
        telling("nested elements in ACAP", 150, |times| "<span class=the-acap:disallow-index>x".repeat(times))
            .bounded(FOR_EACH_ELEMENT),
        telling("nested permissions in ACAP", 150, |times| "<span class=the-acap:allow-index>x".repeat(times))
            .bounded(FOR_EACH_ELEMENT),
        telling("nested elements in ACAP, the innermost asked about", 150, |times| {
            "<span class=the-acap:allow-index>x".repeat(times) + "<span id=x>"
        })
        .bounded(FOR_EACH_ELEMENT),
        telling("elements in ACAP deep inside", 300, |times| {
            "<span>".repeat(times) + &"<i class=the-acap:disallow-index>x</i>".repeat(times)
        }),
        telling("one element with many ACAP classes", 300, |times| {
            let many = each(times, |n| format!("the-acap:allow-present-snippet:max-length={n}-words "));
            format!("<p id=x class='{many}'>x")
        }),
        telling("one ACAP class with many usages", 300, |times| {
            format!("<p id=x class='the-acap:{}'>x", each(times, |n| format!("disallow-present-x{n},")))
        }),
        telling("elements of the profile", 300, |times| {
            PROFILE.to_owned() + &"<p id=x class='robots-noindex robots-nofollow'>x</p>".repeat(times)
        }),
        telling("nested elements of the profile", 100, |times| {
            PROFILE.to_owned() + &"<span class=robots-noindex><span class=robots-index>x".repeat(times)
        })
        .bounded(FOR_EACH_ELEMENT),
        telling("elements of the profile deep inside", 300, |times| {
            PROFILE.to_owned() + &"<span>".repeat(times) + &"<i class=robots-noindex>x</i>".repeat(times)
        }),
        telling("profiles", 300, |times| {
            format!("<head profile='{}'><p class=robots-noindex>x", each(times, |n| format!("http://a/{n} ")))
        }),
        telling("nofollow links", 300, |times| "<a rel=nofollow href=x>y</a>".repeat(times)),
        telling("nested nofollow links", 100, |times| format!("<svg>{}", "<a rel=nofollow href=x>y".repeat(times)))
            .bounded(FOR_EACH_ELEMENT),
        telling("a link with many words", 1_500, |times| format!("<a rel='{}' href=x>y", "nofollow ".repeat(times))),
        telling("a list of ids", 300, |times| {
            let ids = each(times, |n| format!(" {n}"));
            format!("<meta name=robots content='ACAP allow-index id-list={ids}'>")
                + &each(times, |n| format!("<p id={n}>x"))
        }),
        telling("lists of ids", 300, |times| {
            "<meta name=robots content='ACAP allow-index id-list= x y z'>".repeat(times) + "<p id=x>x<p id=y>y<p id=z>"
        }),
        telling("a list of one id, repeated", 300, |times| {
            format!("<meta name=robots content='ACAP allow-present-snippet id-list={}'><p id=x>x", " x".repeat(times))
        }),
    ]
}

/// Returns pages together with large robots.txt files.
fn by_robots_txt() -> Vec<Shape> {
    let both = |name: &str, size, robots_txt: fn(usize) -> String, page: fn(usize) -> String| {
        Shape::new(format!("page: {name}"), size, move |size| {
            let (page, robots_txt) = (page(size).into_bytes(), robots_txt(size).into_bytes());
            Input::Page { page, robots_txt, questions: Questions::Many }
        })
    };
    let statements: fn(usize) -> String =
        |times| "ACAP-crawler: *\n".to_owned() + &"ACAP-allow-index: /a\nACAP-disallow-index: /a\n".repeat(times);
    vec![
        both("elements with statements in robots.txt", 100, statements, |times| {
            "<p id=x class=the-acap:disallow-index>x</p>".repeat(times)
        })
        .bounded(FOR_EACH_ELEMENT),
        both(
            "elements with METAs outside the head",
            100,
            |_| String::new(),
            |times| "<p id=x class=the-acap:disallow-index>x</p><meta name=robots content=noindex>".repeat(times),
        )
        .bounded(FOR_EACH_ELEMENT),
        both("METAs with statements in robots.txt", 300, statements, |times| {
            "<meta name=robots content='ACAP allow-index'>".repeat(times)
        }),
        both(
            "METAs with locally defined usages",
            300,
            |times| {
                each(times, |n| format!("ACAP-composite-usage: c{n} index\n"))
                    + "ACAP-crawler: *\nACAP-allow-index: /\n"
            },
            |times| each(times, |n| format!("<meta name=robots content='ACAP allow-(c{n})'>")),
        ),
        both(
            "classes with locally defined usages",
            300,
            |times| {
                each(times, |n| format!("ACAP-composite-usage: c{n} index\n"))
                    + "ACAP-crawler: *\nACAP-allow-index: /\n"
            },
            |times| each(times, |n| format!("<p class='the-acap:allow-(c{n})'>x")),
        )
        .bounded(FOR_EACH_ELEMENT),
        both(
            "parts that must be used",
            1_000,
            |times| {
                "ACAP-crawler: *\n".to_owned()
                    + &filled("ACAP-allow-present-snippet: /", 40 * times, |n| {
                        format!(" must-use-resource=the-acap:extract:id:{n}")
                    })
            },
            |times| each(times, |n| format!("<p id={n}>x")),
        ),
        both(
            "METAs that must be used",
            1_000,
            |times| {
                "ACAP-crawler: *\n".to_owned()
                    + &filled("ACAP-allow-present-snippet: /", 40 * times, |n| {
                        format!(" must-use-resource=the-acap:extract:meta:{n}")
                    })
            },
            |times| each(times, |n| format!("<meta name={n} content=x>")),
        ),
    ]
}
