//! Preferences of a response: its header fields `Content-Usage`, `Content-Signal`, `tdm-reservation`, and META tags; and
//! the licences that `Link` and `link` name (S-45).

use crate::base::source::Span;
use crate::base::source::{Location, TableRange};
use crate::dialects::acap::Meta;
use crate::dialects::preference::{Notes, Place, Preference, Preferences, Said, with_contained};
use crate::dialects::rfc9309::resource::{is_resource, resolved};
use crate::dialects::rsl::names_licence;
use crate::dialects::{content_signal, content_usage, rsl, tdmrep};
use crate::formats::html;
use crate::formats::html::Decoded;
use crate::formats::http::Headers;
use crate::formats::http::link::{Link, links};
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Switches;
use crate::model::{Carrier, Dialect};
use crate::robots_txt::Field;

/// What header fields say in today's dialects.
pub(crate) fn of_headers(document: usize, headers: &Headers, switches: &Switches) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Header, Some(document));
    add_usages(&mut preferences, headers, switches);
    for line in headers.named("content-signal") {
        let said = content_signal::read(line.value, &mut |_, _, _, _| {});
        add_line(&mut preferences, headers, Dialect::ContentSignal, (line.line, line.span), said);
    }
    for line in headers.named(tdmrep::RESERVATION) {
        let said = tdmrep::reserved(line.value);
        add_line(&mut preferences, headers, Dialect::TdmRep, (line.line, line.span), said);
    }
    for field in [Field::DisallowAiTraining, Field::AllowAiTraining].into_iter().filter(|_| switches.reads_preferences)
    {
        for line in headers.named(field.name()) {
            add_training(&mut preferences, headers, field, (line.line, line.span), line.value, switches);
        }
    }
    // Where no licence is read, none is named.
    for line in headers.named("link").filter(|_| switches.reads_preferences) {
        let line_start = line_start(headers.text(), line.span.start);
        let is_own = |link: &Link<'_>| matches!(link.anchor.first(), None | Some(b'#'));
        let is_licence = |link: &Link<'_>| names_licence(&link.rel, &link.media_type) && is_own(link);
        for link in links(line.value).filter(is_licence) {
            let start = line.span.start + link.at.0 as u32;
            let column = start - line_start + 1;
            let at = Location { start, end: line.span.start + link.at.1 as u32, line: line.line as u32 + 1, column };
            name(&mut preferences, at, headers.text(), link.target);
        }
    }
    preferences
}

/// Several lines of `Content-Usage` are one dictionary (RFC 9110, 5.3), in which empty ones are no members. What it says of a
/// usage is told of by the last line that says so by itself, or by all lines where none does.
fn add_usages(preferences: &mut Preferences, headers: &Headers, switches: &Switches) {
    let lines: Vec<_> = headers.named("content-usage").filter(|line| !line.value.trim_ascii().is_empty()).collect();
    let read = |value: &[u8]| content_usage::read(value, switches.leniency_prohibits, &mut |_, _, _, _| {});
    let joined = lines.iter().map(|line| line.value).collect::<Vec<_>>().join(&b", "[..]);
    let Some(mut left) = read(&joined) else { return };
    let mut shares = Vec::with_capacity(lines.len());
    for line in lines.iter().rev() {
        let own = read(line.value).unwrap_or_default();
        let said = Said {
            permits: left.permits & own.permits,
            prohibits: left.prohibits & own.prohibits,
            unreadable: left.unreadable & own.unreadable,
            ..Said::default()
        };
        left.permits &= !said.permits;
        left.prohibits &= !said.prohibits;
        left.unreadable &= !said.unreadable;
        shares.push((line, said));
    }
    for (line, said) in shares.into_iter().rev() {
        add_line(preferences, headers, Dialect::ContentUsage, (line.line, line.span), said);
    }
    if let ([first, .., last], true) = (lines.as_slice(), left != Said::default()) {
        let written: Vec<&[u8]> =
            lines.iter().map(|line| line_at(headers, first.line, line.span).of(headers.text())).collect();
        let at = Location { end: last.span.end, ..line_at(headers, first.line, first.span) };
        let place = Place::At(at, preferences.keep(&written.join(&b"\n"[..])));
        preferences.push(Preference { dialect: Dialect::ContentUsage, group: None, path: None, said: left, place });
    }
}

/// `DisallowAITraining` and its counterpart as a header field: of the paths it names. Where it has none, or something beside
/// them, the one is about all, and the other permits nothing.
fn add_training(
    preferences: &mut Preferences,
    headers: &Headers,
    field: Field,
    (line, span): (usize, Span),
    value: &[u8],
    switches: &Switches,
) {
    let training = with_contained(&[Usage::TrainAi]);
    let is_path = |piece: &&[u8]| matches!(piece.first(), Some(b'/' | b'*'));
    let pieces = value.split(|byte| matches!(byte, b',' | b' ' | b'\t')).filter(|piece| !piece.is_empty());
    let mut paths: Vec<&[u8]> = pieces.clone().filter(is_path).collect();
    // Where something else stands there, it may be about all.
    let is_clear = !paths.is_empty() && paths.len() == pieces.count();
    let said = match field {
        Field::AllowAiTraining if !is_clear => return,
        Field::AllowAiTraining => Said { permits: training, ..Said::default() },
        _ => Said { prohibits: training, ..Said::default() },
    };
    if !is_clear {
        paths = vec![b"/"];
    }
    let at = line_at(headers, line, span);
    let place = Place::At(at, preferences.keep(at.of(headers.text())));
    for path in paths {
        let path = Some(preferences.kept_path(path, None, switches.escapes));
        preferences.push(Preference { dialect: Dialect::AiTraining, group: None, path, said: said.clone(), place });
    }
}

/// What is to be noticed in header fields of today's dialects, each line by itself; places are those of the text.
pub(crate) fn notice_headers(headers: &Headers, notes: Notes<'_>) {
    for line in headers.lines() {
        let start = line.span.start as usize;
        let mut within = |code: Code, span: (usize, usize), message: String, help: &'static str| {
            notes(code, (start + span.0, start + span.1), message, help);
        };
        let is = |name: &str| line.name.eq_ignore_ascii_case(name.as_bytes());
        if is("content-usage") {
            content_usage::read(line.value, false, &mut within);
        } else if is("content-signal") {
            content_signal::read(line.value, &mut within);
        } else if is(tdmrep::RESERVATION) {
            notice_reservation(line.value, &mut within);
        }
    }
}

/// What is to be noticed in a value of `tdm-reservation`.
fn notice_reservation(value: &[u8], notes: Notes<'_>) {
    if tdmrep::reserved(value) == Said::default() {
        let message = format!("`{}` is neither 0 nor 1, so it says nothing", shown(value, (0, value.len())));
        notes(Code::BadPreference, (0, value.len()), message, "write 1 to reserve, 0 not to");
    }
}

/// What a META tag says in a dialect of today, by its name. Those of header fields no draft has in META: they permit nothing.
pub(crate) fn of_meta(name: &[u8], content: &[u8], notes: Notes<'_>) -> Option<(Dialect, Said)> {
    let is = |own: &str| name.eq_ignore_ascii_case(own.as_bytes());
    let (dialect, said) = match () {
        () if is(tdmrep::RESERVATION) => {
            notice_reservation(content, notes);
            return Some((Dialect::TdmRep, tdmrep::reserved(content)));
        }
        () if is("content-usage") => (Dialect::ContentUsage, content_usage::read(content, false, notes)?),
        () if is("content-signal") => (Dialect::ContentSignal, content_signal::read(content, notes)),
        () => return None,
    };
    Some((dialect, Said { permits: 0, ..said }))
}

/// Adds a licence that is named there.
fn name(preferences: &mut Preferences, at: Location, text: &[u8], location: &[u8]) {
    let place = Place::At(at, preferences.keep(at.of(text)));
    let (dialect, said) = (Dialect::Rsl, rsl::unlicensed());
    preferences.push_naming(Preference { dialect, group: None, path: None, said, place }, location);
}

fn line_start(text: &[u8], offset: u32) -> u32 {
    let before = text.get(..offset as usize).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or(0, |end| end as u32 + 1)
}

/// Adds the licences that `link` elements in a page's head name. A relative one is taken from `base`, if the page has one.
pub(crate) fn add_links(preferences: &mut Preferences, page: &Decoded<'_>) {
    let mut base: Option<String> = None;
    html::head_links(page, |tag| {
        let href = tag.attribute("href");
        if tag.is("base") {
            // A base that is relative itself is passed over: which URL it comes to is not known here.
            base = base.take().or(href.map(|href| href.trim().to_owned()).filter(|href| is_resource(href)));
            return;
        }
        let attribute = |name: &str| tag.attribute(name).unwrap_or_default().into_owned().into_bytes();
        let is_licence = || tag.is("link") && names_licence(&attribute("rel"), &attribute("type"));
        let Some(href) = href.filter(|_| is_licence()) else { return };
        let href = base.as_deref().map_or_else(|| href.trim().to_owned(), |base| resolved(base, href.trim()));
        let Span { start, end } = tag.span();
        name(preferences, Location { start, end, line: 0, column: 0 }, page.text(), href.as_bytes());
    });
}

/// A field line from its name on, by its value.
fn line_at(headers: &Headers, line: usize, value: Span) -> Location {
    Location { start: line_start(headers.text(), value.start), end: value.end, line: line as u32 + 1, column: 1 }
}

/// Adds what the field whose value stands there says.
fn add_line(
    preferences: &mut Preferences,
    headers: &Headers,
    dialect: Dialect,
    (line, value): (usize, Span),
    said: Said,
) {
    if said == Said::default() {
        return;
    }
    let at = line_at(headers, line, value);
    let written = preferences.keep(at.of(headers.text()));
    preferences.push(Preference { dialect, group: None, path: None, said, place: Place::At(at, written) });
}

/// What META tags say in today's dialects. `text` is what their names and contents are runs of.
pub(crate) fn of_metas(document: usize, text: &[u8], metas: &[Meta]) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Meta, Some(document));
    for meta in metas {
        let (name, content) = (meta.name.of(text), meta.content.of(text));
        let said = of_meta(name, content, &mut |_, _, _, _| {});
        if let Some((dialect, said)) = said.filter(|(_, said)| said.usages() != 0) {
            let written: TableRange = preferences.keep(&[name, b": ", content].concat());
            let place = Place::At(meta.at, written);
            preferences.push(Preference { dialect, group: None, path: None, said, place });
        }
    }
    preferences
}
