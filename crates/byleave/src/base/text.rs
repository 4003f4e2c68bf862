//! Text functions that several formats need: comparing prefixes without regard to ASCII case, and removing quotation
//! marks.

/// Returns whether `name` starts with `prefix`, ignoring ASCII case.
pub(crate) fn starts_with(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns a text without the straight or typographic quotation marks around it.
pub(crate) fn without_quotes(text: &[u8]) -> &[u8] {
    const MARKS: [&str; 13] = ["\"", "'", "`", "“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»"];
    let mut inner = text;
    while let Some(rest) = MARKS.iter().find_map(|mark| inner.strip_prefix(mark.as_bytes())) {
        inner = rest;
    }
    while let Some(rest) = MARKS.iter().find_map(|mark| inner.strip_suffix(mark.as_bytes())) {
        inner = rest;
    }
    inner
}
