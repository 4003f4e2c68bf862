//! `docs/commands.md` shows what the command really writes.

use crate::{root, wayleave};

#[test]
fn every_invocation_gives_what_the_page_shows() {
    let page = std::fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let mut lines = page.lines();
    let mut seen = 0;
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_suffix("console").filter(|fence| fence.starts_with("```")) else { continue };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != fence).collect();
        let block = block.join("\n");
        for invocation in block.split("$ wayleave ").skip(1) {
            let (arguments, shown) = invocation.split_once('\n').unwrap();
            let ran = wayleave(&arguments.split_whitespace().map(|word| word.trim_matches('\'')).collect::<Vec<_>>());
            assert_eq!((ran.stdout + &ran.stderr).trim_end(), shown.trim_end(), "wayleave {arguments}");
            seen += 1;
        }
    }
    assert!(seen >= 10, "only {seen} invocations were found");
}
