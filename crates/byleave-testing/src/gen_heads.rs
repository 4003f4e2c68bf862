//! Generates heads of pages from unusual HTML. The same seed gives the same head on every machine.

use crate::generate::Numbers;
use encoding_rs::Encoding;

/// Generates a head, or tags that resemble a head, and the beginning of a body.
pub fn head(numbers: &mut Numbers) -> String {
    let mut generated = String::new();
    let is_tame = numbers.one_in(2);
    for _ in 0..1 + numbers.below(14) {
        generated.push_str(&if is_tame { tame(numbers) } else { part(numbers) });
    }
    if numbers.one_in(4) {
        let mut end = numbers.below(generated.len() + 1);
        while !generated.is_char_boundary(end) {
            end -= 1;
        }
        generated.truncate(end);
    }
    generated
}

/// Generates a page with unusual HTML in its head and in its body.
pub fn page(numbers: &mut Numbers) -> String {
    let mut generated = numbers.pick(&DOCTYPES).to_owned();
    for _ in 0..1 + numbers.below(20) {
        match numbers.below(4) {
            0 => generated.push_str(&part(numbers)),
            1 => generated.push_str(numbers.pick(&ELEMENTS)),
            2 => generated.push_str(&format!("</{}", &numbers.pick(&ELEMENTS)[1..])),
            _ => generated.push_str(numbers.pick(&BODY)),
        }
    }
    generated
}

/// Returns a text with a few pieces inserted, removed, overwritten or truncated.
pub fn disturbed(numbers: &mut Numbers, text: &[u8]) -> Vec<u8> {
    let mut generated = text.to_vec();
    for _ in 0..1 + numbers.below(6) {
        // Changes at the beginning or end of a tag have the largest effect.
        let edges: Vec<usize> = generated
            .iter()
            .enumerate()
            .filter(|(_, byte)| matches!(byte, b'<' | b'>' | b'"'))
            .map(|(at, _)| at)
            .collect();
        let at = if edges.is_empty() { 0 } else { numbers.pick(&edges) + numbers.below(2) };
        let to = (at + numbers.below(40)).min(generated.len());
        match numbers.below(8) {
            0 => drop(generated.drain(at..to)),
            1 => generated.truncate(at),
            2 => generated[at.min(to.saturating_sub(1))..to].fill(b"<>\"'/=&- \0a!"[numbers.below(12)]),
            _ => drop(generated.splice(at..at, part(numbers).into_bytes())),
        }
    }
    generated
}

/// Returns a text in the encoding with this label, with some invalid bytes.
pub fn encoded(numbers: &mut Numbers, label: &str, text: &str) -> Vec<u8> {
    let mut bytes = match label {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned(),
    };
    for _ in 0..numbers.below(20) {
        let at = numbers.below(bytes.len() + 1);
        let length = 1 + numbers.below(4);
        let junk: Vec<u8> = (0..length)
            .map(|_| match numbers.below(4) {
                0 => b'0' + numbers.below(10) as u8,
                1 => 0x40 + numbers.below(64) as u8,
                _ => 0x80 + numbers.below(128) as u8,
            })
            .collect();
        bytes.splice(at..at, junk);
    }
    bytes
}

/// Generates a part that usually leaves the head intact.
fn tame(numbers: &mut Numbers) -> String {
    match numbers.below(8) {
        0 => format!("<meta name='{}' content=\"{}\">", numbers.pick(&VALUES), numbers.pick(&VALUES)),
        1 => numbers.pick(&COMMENTS[..16]).to_owned(),
        2 => numbers.pick(&RAW).to_owned(),
        3 => numbers.pick(&STRUCTURE[..10]).to_owned(),
        4 => numbers.pick(&TEMPLATES).to_owned(),
        5 => numbers.pick(&SPACE[..12]).to_owned(),
        _ => "<meta name=robots>".to_owned(),
    }
}

fn part(numbers: &mut Numbers) -> String {
    match numbers.below(16) {
        0..4 | 14.. => meta(numbers),
        4 => numbers.pick(&COMMENTS).to_owned(),
        5 => numbers.pick(&DOCTYPES).to_owned(),
        6 => numbers.pick(&RAW).to_owned(),
        7 | 8 => numbers.pick(&STRUCTURE).to_owned(),
        9 => numbers.pick(&EMPTY).to_owned(),
        10 | 11 => numbers.pick(&TEMPLATES).to_owned(),
        12 if numbers.one_in(3) => numbers.pick(&SPACE).to_owned(),
        12 => numbers.pick(&SPACE[..12]).to_owned(),
        _ if numbers.one_in(3) => numbers.pick(&BODY).to_owned(),
        _ => numbers.pick(&EMPTY).to_owned(),
    }
}

fn meta(numbers: &mut Numbers) -> String {
    let mut tag = numbers.pick(&["<meta", "<META", "<Meta", "<meta/", "<meta\n"]).to_owned();
    for _ in 0..numbers.below(4) {
        tag.push_str(numbers.pick(&[" ", "\n", "\t ", "/", " / ", "\r\n", "\u{c}", ""]));
        tag.push_str(numbers.pick(&[
            "name",
            "content",
            "NAME",
            "Content",
            "value",
            "x",
            "=",
            "na\0me",
            "conten\u{e9}",
            "\"",
            "'",
            "<",
        ]));
        tag.push_str(numbers.pick(&["=", " = ", "=\n", "", "=\r", "=="]));
        let value = numbers.pick(&VALUES);
        match numbers.below(20) {
            0..8 => tag.push_str(&format!("\"{value}\"")),
            8..13 => tag.push_str(&format!("'{value}'")),
            13..18 => tag.push_str(value),
            18 => tag.push_str(&format!("\"{value}")),
            _ => tag.push_str(&format!("\"{value}\"name=second content=second")),
        }
    }
    tag.push_str(numbers.pick(&[">", ">", ">", "/>", " />", " >", "", "\">", "'>"]));
    tag
}

const VALUES: [&str; 40] = [
    "robots",
    "noindex",
    "rob&#111;ts",
    "&#x6e;oindex",
    "&#x6E;o&#105",
    "&copy",
    "&copy;",
    "&copy=1",
    "&copyx",
    "&copy x",
    "&notin;",
    "&notit;",
    "&not",
    "&notin",
    "&amp;lt;",
    "&#0;",
    "&#128;",
    "&#x80",
    "&#xD800;",
    "&#x110000;",
    "&#99999999999;",
    "&#;",
    "&#x;",
    "&",
    "&&amp;",
    "a&b",
    "&NotEqualTilde;",
    "&fjlig;",
    "a\r\nb",
    "a\rb",
    "a\0b",
    "\u{e9}\u{2028}",
    "&AMP",
    "&amp",
    "&ltx",
    "a>b",
    "a<b",
    "",
    "&\r\n",
    "&amp\r\n",
];

const COMMENTS: [&str; 34] = [
    "<!-- -->",
    "<!---->",
    "<!-->",
    "<!--->",
    "<!--->-->",
    "<!-- --!>",
    "<!----!>",
    "<!---!>-->",
    "<!--!>-->",
    "<!-- ->-->",
    "<!-- --x -->",
    "<!-- <!-- -->",
    "<!--<!-->",
    "<!--<!--!>",
    "<!-- <meta name=inside> -->",
    "<!-- <meta name=inside> --!>",
    "<!-",
    "<!>",
    "<!x <meta>",
    "<! -- >",
    "<?xml version=\"1.0\"?>",
    "<?>",
    "</ >",
    "</>",
    "</3>",
    "<!--",
    "<!-- --",
    "<!-- --!",
    "<!--\0-->",
    "<![CDATA[ <meta name=cdata> ]]>",
    "<!-- -----> ",
    "<!--x--!-->",
    "<!--x--!--!>",
    "<!doctyp <meta name=x>",
];

const DOCTYPES: [&str; 12] = [
    "<!doctype html>",
    "<!DOCTYPE>",
    "<!doctype",
    "<!doctype html PUBLIC \"-//W3C//DTD HTML 3.2//EN\">",
    "<!doctype html public \"a>b\" 'c'>",
    "<!doctype html SYSTEM 'about:legacy-compat'>",
    "<!DocType x y>",
    "<!doctype\0>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN'>",
    "<!doctypehtml>",
    "<!DOCTYPE html SYSTEM \"x\"y>",
    "<!doctype html PUBLIC>",
];

const RAW: [&str; 45] = [
    "<noscript><base></head>",
    "<noscript></br>",
    "<noscript><link></head>",
    "<noscript></head><noscript>",
    "</head><noscript>",
    "<noscript><head>",
    "<noscript></p></noscript>",
    "<noscript><template></noscript></template>",
    "<title>a</title>",
    "<title><meta name=title></title>",
    "<title></titlex></title >",
    "<TITLE></Title/>",
    "<title>",
    "<title></title",
    "<title>&amp;</title a=\">\">",
    "<style><meta name=style></style>",
    "<style><!--</style>",
    "<style/></style>",
    "<style>",
    "<script></script>",
    "<script><meta name=script></script>",
    "<script><!--<script></script><meta name=in></script>",
    "<script><!--<script></script>--></script>",
    "<script><!--<script>--><meta name=in></script>",
    "<script><!--></script>",
    "<script><!--<script </script",
    "<script><!---></script>",
    "<script><!--<scriptx></script>",
    "<script><!--<SCRIPT/--></script>",
    "<script><!--<script>x</script/></script>",
    "<script><!-- </script>",
    "<script>a<!-b</script>",
    "<script></script",
    "<script/>",
    "<script><!--<script>-</script>->--></script>",
    "<script>--></script>",
    "<script><!--<!--<script>--><script></script>",
    "<noframes><meta name=noframes></noframes>",
    "<noframes>",
    "<noscript><meta name=noscript></noscript>",
    "<noscript>",
    "</noscript>",
    "<noscript><style></noscript></style>",
    "<noscript><title></noscript></title>",
    "<noscript><noscript></noscript>",
];

const STRUCTURE: [&str; 24] = [
    "<html>",
    "<html lang=en>",
    "<HTML manifest=x>",
    "<head>",
    "<head profile='x'>",
    "<HEAD>",
    "</head>",
    "</HEAD >",
    "</head>",
    "<head>",
    "</html>",
    "</body>",
    "<body>",
    "<body class=x>",
    "<frameset>",
    "</br>",
    "</p>",
    "</meta>",
    "</title>",
    "</script>",
    "</template>",
    "</div>",
    "<html/>",
    "</noscript>",
];

const EMPTY: [&str; 13] = [
    "<base href=x>",
    "<link rel=x>",
    "<LINK>",
    "<bgsound>",
    "<basefont>",
    "<base/>",
    "<link",
    "<link a='",
    "<metax>",
    "<meta\0>",
    "<linkx>",
    "<isindex>",
    "<image>",
];

const TEMPLATES: [&str; 48] = [
    "<template><svg><![CDATA[ > </template> ]]></svg><meta name=t></template>",
    "<template><math><![CDATA[ > <meta name=t> ]]></template>",
    "<template>",
    "</template>",
    "<template><meta name=template></template>",
    "<TEMPLATE><template></template><meta name=t></template>",
    "<template><svg><style></template></style></svg></template>",
    "<template><svg><title></template>",
    "<template><math><mi><meta name=t>",
    "<template><svg><![CDATA[</template>]]></svg></template>",
    "<template><select></template>",
    "<template><select><title></template>",
    "<template><table><tr><td></template>",
    "<template><table><meta name=t></template>",
    "<template><col><style></template>",
    "<template><col></template><title></template>",
    "<template></head></template>",
    "<template><body></template>",
    "<template><frameset></template>",
    "<template><svg><template></template></template>",
    "<template><svg></template>",
    "<template><svg><desc></template>",
    "<template><svg><foreignObject><template></template>",
    "<template><p><table></p></template>",
    "<template><script></template></script></template>",
    "<template><textarea></template></textarea>",
    "<template><plaintext></template>",
    "<template><b><i></b></template>",
    "<template><a><table><a></template>",
    "<template shadowrootmode=open><meta name=t></template>",
    "<template><!-- </template> -->",
    "<template>text</template>",
    "<template>\0</template>",
    "<template><xmp></template></xmp></template>",
    "<template><iframe></template></iframe>",
    "<template><noscript><style></noscript></template>",
    "<template><math><annotation-xml encoding=text/html><style></template></style>",
    "<template><math><annotation-xml><style></template>",
    "<template><select><svg><style></template>",
    "<template><tr><style></template></style></template>",
    "<template><colgroup><svg></template>",
    "<template><option><template></option></template>",
    "<template><td><template><tr></template></template>",
    "<template><br/></template></template>",
    "<template><svg><font color=x><style></template></style>",
    "<template><svg><p></svg></template>",
    "<template><html><head><title></title></template>",
    "<template><keygen><input type=hidden><select><input></template>",
];

const SPACE: [&str; 21] = [
    " ",
    "\n",
    "\r\n",
    "\t",
    "\u{c}",
    "\r",
    "&#32;",
    "&#10;",
    "&Tab;",
    "&NewLine;",
    "&#x20",
    "&#13;",
    "\u{b}",
    "\u{a0}",
    "&nbsp;",
    "\0",
    "\u{feff}",
    " \n\t",
    "&#9;&#10;",
    "&",
    "&Tab",
];

const BODY: [&str; 39] = [
    "<svg><![CDATA[ > <meta name=c>]]>",
    "<p><meta name=gone><input type=hidden><frameset>",
    "<p><meta name=stays><input type=text><frameset>",
    "<div></div><meta name=gone>\n<frameset>",
    "<p><svg> \0<frameset>",
    "text",
    "<p>",
    "<div>",
    "<table>",
    "<tr><td>",
    "<svg>",
    "<math>",
    "<b>",
    "</b>",
    "<a href=x>",
    "<li>",
    "<select>",
    "<option>",
    "<textarea>",
    "<pre>\n",
    "<svg><title>",
    "<svg><style><meta name=svg>",
    "<svg><foreignObject>",
    "<plaintext>",
    "<xmp>",
    "</p>",
    "</table>",
    "<h1>",
    "<form>",
    "</form>",
    "<button>",
    "<br>",
    "<",
    "<>",
    "< meta name=x>",
    "<iframe>",
    "<noembed>",
    "</svg>",
    "<![CDATA[<meta name=c>]]>",
];

const ELEMENTS: [&str; 43] = [
    "<p><b x=1><b x=2><b x=3><b x=4></p>x",
    "<p><b x y><b y x><b x y><b y x><b x></p>x",
    "<p><b x><b X><b x=''><b x x=2><b></p>x",
    "<a>",
    "<a x>",
    "<a x=1 y>",
    "<a y x=1>",
    "<b>",
    "<b x>",
    "<b>",
    "<i>",
    "<nobr>",
    "<font color=x>",
    "<p>",
    "<div>",
    "<table>",
    "<tr>",
    "<td>",
    "<caption>",
    "<colgroup>",
    "<tbody>",
    "<form>",
    "<button>",
    "<select>",
    "<option>",
    "<svg>",
    "<math>",
    "<mi>",
    "<annotation-xml encoding=text/html>",
    "<foreignObject>",
    "<input type=hidden>",
    "<input>",
    "<pre>\n",
    "<pre>\n\n",
    "<listing>\r\n",
    "<li>",
    "<h1>",
    "<template>",
    "<textarea>\n",
    "<applet>",
    "<x-long-unknown>",
    "<x-other-unknown>",
    "<image>",
];

/// One label for each encoding.
pub const LABELS: [&str; 40] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "iso-2022-kr",
    "utf-16be",
    "utf-16le",
    "x-user-defined",
];
