//! Writes the seeds for fuzzing: `corpus/<target>/`, which is derived from the case files, and the words in
//! `words.dict`.

use byleave_fuzz::targets::{TARGETS, seeds};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for target in &TARGETS {
        let folder = here.join("corpus").join(target.name);
        std::fs::create_dir_all(&folder)?;
        let seeds = seeds::seeds(target, &here.join("../conformance"));
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("case-{number:04}")), seed)?;
        }
        println!("{}: {} seeds", target.name, seeds.len());
    }
    let escaped = |byte: u8| format!("\\x{byte:02X}");
    let words =
        seeds::words().into_iter().map(|word| format!("\"{}\"\n", word.bytes().map(escaped).collect::<String>()));
    std::fs::write(here.join("words.dict"), words.collect::<String>())
}
