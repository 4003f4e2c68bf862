//! Preferences of a response: its header fields `Content-Usage`, `Content-Signal`, `tdm-reservation`, and META tags.

use super::{Notes, Place, Preference, Preferences, Said, content_signal, content_usage, tdmrep};
use crate::diagnostic::{Code, shown};
use crate::header::Headers;
use crate::model::{Carrier, Dialect};
use crate::policy::acap::{At, Meta, Run};
use crate::reading::Switches;
use crate::source::Span;

/// What header fields say in today's dialects.
pub(crate) fn of_headers(document: usize, headers: &Headers, switches: &Switches) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Header, Some(document));
    // Several lines of one field are one dictionary (RFC 9110, 5.3). Each member is told of by its line.
    let lines: Vec<_> = headers.named("content-usage").collect();
    if let Some(first) = lines.first() {
        let joined = lines.iter().map(|line| line.value).collect::<Vec<_>>().join(&b", "[..]);
        if let Some(said) = content_usage::read(&joined, switches.leniency_prohibits, &mut |_, _, _, _| {}) {
            let last = lines.last().unwrap_or(first);
            let span = Span { start: first.span.start, end: last.span.end };
            add(&mut preferences, headers, Dialect::ContentUsage, (first.line, span), said);
        }
    }
    for line in headers.named("content-signal") {
        let said = content_signal::read(line.value, &mut |_, _, _, _| {});
        add(&mut preferences, headers, Dialect::ContentSignal, (line.line, line.span), said);
    }
    for line in headers.named(tdmrep::RESERVATION) {
        let said = tdmrep::reserved(line.value);
        add(&mut preferences, headers, Dialect::TdmRep, (line.line, line.span), said);
    }
    preferences
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
pub(crate) fn notice_reservation(value: &[u8], notes: Notes<'_>) {
    if tdmrep::reserved(value) == Said::default() {
        let message = format!("`{}` is neither 0 nor 1, so it says nothing", shown(value, (0, value.len())));
        notes(Code::BadPreference, (0, value.len()), message, "write 1 to reserve, 0 not to");
    }
}

/// Whether a META tag is for today's dialects by its name.
pub(crate) fn is_reservation(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(tdmrep::RESERVATION.as_bytes())
}

/// Adds what the field whose value stands there says: the whole line, and where there are several all of them.
fn add(preferences: &mut Preferences, headers: &Headers, dialect: Dialect, (line, span): (usize, Span), said: Said) {
    if said == Said::default() {
        return;
    }
    let before = headers.text().get(..span.start as usize).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let at = At { start: start as u32, end: span.end, line: line as u32 + 1, column: 1 };
    let written = preferences.keep(headers.text().get(start..span.end as usize).unwrap_or_default());
    preferences.push(Preference { dialect, record: None, path: None, said, place: Place::At(at, written) });
}

/// What META tags say in today's dialects: `tdm-reservation`. `text` is what their names and contents are runs of.
pub(crate) fn of_metas(document: usize, text: &[u8], metas: &[Meta]) -> Preferences {
    let mut preferences = Preferences::new(Carrier::Meta, Some(document));
    for meta in metas {
        let (name, content) = (meta.name.of(text), meta.content.of(text));
        if is_reservation(name) {
            let said = tdmrep::reserved(content);
            if said != Said::default() {
                let written: Run = preferences.keep(&[name, b": ", content].concat());
                let (dialect, place) = (Dialect::TdmRep, Place::At(meta.at, written));
                preferences.push(Preference { dialect, record: None, path: None, said, place });
            }
        }
    }
    preferences
}
