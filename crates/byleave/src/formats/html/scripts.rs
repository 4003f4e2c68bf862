//! Finds scripts that contain data with a given media type, in a page's head and body.
//!
//! The page's tokens are examined without a tree, and only if the page contains the name of the type. A script in a
//! `template` is not part of the page. Without a tree, it is not certain where a script after the head belongs, so the
//! result states whether each script is in the head.

use super::has_word;
use super::tokens::{Content, Raw, Surroundings, Token, Tokens};
use super::{Decoded, MetaTag, head_metas};

/// A script that contains data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataScript {
    /// The range of the script's text in [`Decoded::text`].
    pub(crate) text: (usize, usize),
    pub(crate) is_in_head: bool,
}

/// Returns the scripts with this media type, in page order.
///
/// Cost: linear in the page. If the page does not contain the type, only a search for its name.
pub(crate) fn data_scripts(page: &Decoded<'_>, media_type: &str) -> Vec<DataScript> {
    let mut found = Vec::new();
    // Search for the subtype, or only its first part if the rest may be written with character references.
    let subtype = media_type.rsplit('/').next().unwrap_or(media_type);
    let first = subtype.split('+').next().unwrap_or(subtype);
    if !has_word(page, subtype) && !has_word(page, &format!("{first}&")) {
        return found;
    }
    let head = head_metas(page, |_| {}).end;
    let mut tokens = Tokens::new(page.text(), page.start());
    let (mut templates, mut foreign, mut is_wanted) = (0_usize, 0_usize, false);
    while let Some(token) = tokens.next(if foreign > 0 { Surroundings::Foreign } else { Surroundings::Html }) {
        match token {
            Token::Start(tag) if tag.is_self_closing && (page.is_xml() || foreign > 0) => is_wanted = false,
            Token::Start(tag) => {
                is_wanted = false;
                if tag.is("svg") || tag.is("math") {
                    foreign += usize::from(!tag.is_self_closing);
                } else if foreign > 0 && !tag.is("script") {
                    // Inside SVG and MathML, a `title` or `style` is not an HTML element, so its content is parsed as
                    // markup.
                } else if tag.is("script") {
                    let kind = MetaTag::new(tag, page.text_encoding()).attribute("type").unwrap_or_default();
                    let essence = kind.split(';').next().unwrap_or_default().trim();
                    is_wanted = templates == 0 && essence.eq_ignore_ascii_case(media_type);
                    tokens.read_as(Content::Raw(Raw::ScriptData));
                } else if tag.is("title") || tag.is("textarea") {
                    tokens.read_as(Content::Raw(Raw::Rcdata));
                } else if ["style", "xmp", "iframe", "noembed", "noframes"].iter().any(|name| tag.is(name)) {
                    tokens.read_as(Content::Raw(Raw::Rawtext));
                } else if tag.is("plaintext") {
                    break;
                } else if tag.is("template") {
                    templates += 1;
                }
            }
            Token::End(tag) => {
                is_wanted = false;
                if tag.is("svg") || tag.is("math") {
                    foreign = foreign.saturating_sub(1);
                } else if tag.is("template") && foreign == 0 {
                    templates = templates.saturating_sub(1);
                }
            }
            Token::Text(text) if is_wanted => {
                let text = (text.span.start as usize, text.span.end as usize);
                found.push(DataScript { text, is_in_head: text.0 < head });
                is_wanted = false;
            }
            Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn texts(page: &str) -> Vec<(String, bool)> {
        let page = super::super::decoded(page.as_bytes(), None, &Limits::default());
        let text = |one: DataScript| page.text().get(one.text.0..one.text.1).unwrap_or_default().to_vec();
        let found = data_scripts(&page, "application/x+xml").into_iter();
        found.map(|one| (String::from_utf8_lossy(&text(one)).into_owned(), one.is_in_head)).collect()
    }

    #[test]
    fn scripts_of_a_type_are_found_where_they_are_the_page_s() {
        let script = "<script type='Application/X+XML; charset=utf-8'><a>&amp;</a></script>";
        let text = "<a>&amp;</a>".to_owned();
        assert_eq!(texts(&format!("<title>t</title>{script}<p>x{script}")), [(text.clone(), true), (text, false)]);
        let text = "<a>&amp;</a>".to_owned();
        for before in ["<svg><style/></svg>", "<svg><title/><script/><template></svg>", "<math><style></math>"] {
            assert_eq!(texts(&format!("<p>{before}{script}")), [(text.clone(), false)], "{before}");
        }
        let written = script.replace("X+XML", "x&#43;xml");
        assert_eq!(texts(&written), [(text, true)]);
        for other in [
            format!(
                "<!-- {script} --><template>{script}</template><textarea>{script}</textarea><style>{script}</style>"
            ),
            "<script>'<script type=application/x+xml>'</script>".to_owned(),
            format!("<p>a<plaintext>{script}"),
            format!("<svg><script type=application/x+xml/></svg><template>{script}</template>"),
            "<script type=application/x+xml></script>application/x+xml".to_owned(),
        ] {
            assert_eq!(texts(&other), [], "{other}");
        }
    }
}
