//! `byleave fmt`: formats robots.txt files, or shows what would change.
//!
//! The crate `byleave-lint` defines the format and checks that no decision changes.

use crate::Failure;
use crate::arguments::Fmt;
use crate::output::{Output, escaped, exit};
use crate::site::FileReader;
use crate::sources::SourceFiles;
use crate::text_diff::write_diff;
use std::io::Write;

/// Formats every robots.txt in the sources and returns the exit code.
pub fn fmt(asked: &Fmt, files: &mut FileReader, out: &mut Output<'_>) -> Result<u8, Failure> {
    let mut code = exit::FINE;
    let mut refused = None;
    for source in &asked.sources {
        let mut sites = SourceFiles::read(source, &|_| false, files)?;
        if sites.iter().all(|site| site.robots_txt().is_none()) {
            let name = crate::site::shown(source);
            return Err(Failure::new(format!(
                "`{name}` is not a robots.txt file and contains none; only robots.txt files can be formatted"
            )));
        }
        for site in &mut sites {
            let laid_out = byleave_lint::format_robots_txt(&site.site());
            let (Some(laid_out), Some(file)) = (laid_out, site.robots_txt_mut()) else { continue };
            match laid_out {
                Err(why) => {
                    let message = format!("`{}` stays unchanged: {}", file.name, escaped(&why.to_string()));
                    // Whoever reads standard output expects the whole file, even if the file cannot be formatted.
                    if file.is_stdin() && !asked.check && !asked.diff {
                        out.write_all(&file.bytes)?;
                    }
                    refused.get_or_insert(message);
                }
                Ok(laid) if asked.diff || asked.check => {
                    if laid != file.bytes {
                        code = exit::PROHIBITED;
                        match asked.diff {
                            true => write_diff(&file.name, &file.bytes, &laid, out)?,
                            false => writeln!(out, "{}", file.name)?,
                        }
                    }
                }
                Ok(laid) if file.is_stdin() => out.write_all(&laid)?,
                Ok(laid) if laid != file.bytes => file.write(laid)?,
                Ok(_) => {}
            }
        }
    }
    match refused {
        None => Ok(code),
        Some(message) => {
            out.flush()?;
            Err(Failure::new(message))
        }
    }
}
