//! Refuses stored responses that the engine cannot parse completely. The engine parses them and finds the problems.

use crate::site::shown;
use crate::{Failure, warn};
use byleave::analysis::{StoredResponse, StoredResponseProblem};
use std::path::Path;

/// Fails if the body is compressed, or if a header line ends in CR alone, because the page or headers would be lost.
/// Warns if the chunks are malformed.
pub fn check_complete(path: &Path, stored: &StoredResponse<'_>) -> Result<(), Failure> {
    let has = |problem| stored.problems.contains(&problem);
    if has(StoredResponseProblem::BareCr) {
        let remedy = "end lines with LF or CR LF, as `curl -i` does";
        return Err(Failure::new(format!("a header line of `{}` ends in CR alone; {remedy}", shown(path))));
    }
    if has(StoredResponseProblem::MalformedChunks) {
        warn(&format!("the chunked body of `{}` is malformed or incomplete; the rest is read as it is", shown(path)));
    }
    if has(StoredResponseProblem::CompressedBody) {
        let remedy = "store it uncompressed, with `curl -i --compressed URL`";
        return Err(Failure::new(format!("the page in `{}` is compressed; {remedy}", shown(path))));
    }
    Ok(())
}
