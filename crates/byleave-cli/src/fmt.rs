//! `byleave fmt`: robots.txt files in canonical layout, written back or shown.
//!
//! How a file is laid out, and that no decision changes by it, is the crate `byleave-lint`'s.

use crate::Failure;
use crate::arguments::Fmt;
use crate::diff::write_diff;
use crate::output::{Output, escaped, exit};
use crate::site::Files;
use crate::sources::SiteFiles;
use std::io::Write;

/// Lays out every robots.txt of the sources, and gives the exit code.
pub fn fmt(asked: &Fmt, files: &mut Files, out: &mut Output<'_>) -> Result<u8, Failure> {
    let mut code = exit::FINE;
    let mut refused = None;
    for source in &asked.sources {
        let mut sites = SiteFiles::read(source, &|_| false, files)?;
        if sites.iter().all(|site| site.robots_txt().is_none()) {
            let name = crate::site::shown(source);
            return Err(Failure::new(format!("`{name}` is no robots.txt and holds none; only robots.txt is laid out")));
        }
        for site in &mut sites {
            let laid_out = byleave_lint::format_robots_txt(&site.site());
            let (Some(laid_out), Some(file)) = (laid_out, site.robots_txt_mut()) else { continue };
            match laid_out {
                Err(why) => {
                    let message = format!("`{}` is left as it is: {}", file.name, escaped(&why.to_string()));
                    // Standard output has to be the file, whatever comes of it.
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
