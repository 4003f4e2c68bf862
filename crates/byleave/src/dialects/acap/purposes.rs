//! Purposes in subgroups and META tags (P1 2.3.3, S-05, S-10, S-19).
//!
//! Consecutive purpose lines open one subgroup. `mod.rs` compares a crawler's purpose with the purposes of the
//! subgroup.

use super::Purpose;
use super::parse::{AcapParser, Open};
use crate::base::source::TableRange;
use crate::base::text::without_quotes;
use crate::dialects::rfc9309::pattern::WILDCARD;
use crate::model::diagnostic::Code;
use crate::robots_txt::Line;

impl AcapParser<'_> {
    pub(super) fn purpose(&mut self, line: &Line, open: &mut Open) {
        let written = self.of(line.value);
        open.takes_names = false;
        if !open.takes_purposes {
            self.close_subgroup(open);
            open.purposes = self.acap.purposes.len() as u32;
            open.purpose_at = line.content();
            open.takes_purposes = true;
            open.has_list = false;
            self.acap.purposes.push(TableRange { start: self.acap.purpose_patterns.len() as u32, length: 0 });
        }
        let purposes = purposes_in(written);
        open.has_list |= !written.is_empty() && purposes.as_slice() != [written];
        let kept = purposes.iter().filter(|purpose| self.keep_purpose(purpose)).count();
        if kept > 0 && open.has_list {
            self.note(
                Code::PurposeList,
                line.value,
                "a line takes one purpose: a prohibition applies to every purpose in this line, \
                 and a permission counts as a prohibition",
                "give each purpose a line of its own, without quotation marks",
            );
        }
        if kept == 0 {
            self.note(
                Code::EmptyPattern,
                line.content(),
                "this line names no purpose: prohibitions under it apply to every purpose, permissions to none",
                "write a name or a URI that crawlers recognise",
            );
        }
    }

    /// Adds a purpose to the last subgroup. Returns whether the text is a purpose.
    pub(super) fn keep_purpose(&mut self, written: &[u8]) -> bool {
        let (body, is_anchored) = written.strip_suffix(b"$").map_or((written, false), |body| (body, true));
        if body.is_empty() {
            return false;
        }
        let folded: Vec<u8> =
            body.iter().map(|byte| if *byte == b'*' { WILDCARD } else { byte.to_ascii_lowercase() }).collect();
        let is_uri = body.contains(&b':');
        let pattern = self.acap.keep(&folded);
        self.acap.purpose_patterns.push(Purpose { pattern, is_anchored, is_uri });
        if let Some(run) = self.acap.purposes.last_mut() {
            run.length += 1;
        }
        true
    }
}

/// Returns the purposes in a text that should contain only one: the parts between commas and blanks, without quotation
/// marks.
pub(super) fn purposes_in(written: &[u8]) -> Vec<&[u8]> {
    let parts = written.split(|byte| matches!(byte, b' ' | b'\t' | b',' | b';'));
    parts.map(without_quotes).filter(|part| !part.is_empty()).collect()
}
