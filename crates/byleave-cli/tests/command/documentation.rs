//! The examples in the documentation show the command's real output.

use crate::{byleave, root};

#[test]
fn every_shown_invocation_gives_the_shown_output() {
    for (name, least) in [("commands.md", 10), ("matrix.md", 1), ("crawlers.md", 1), ("convert.md", 1)] {
        check(name, least);
    }
}

fn check(name: &str, least: usize) {
    let page = std::fs::read_to_string(root().join("docs").join(name)).unwrap();
    let mut lines = page.lines();
    let mut seen = 0;
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_suffix("console").filter(|fence| fence.starts_with("```")) else { continue };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != fence).collect();
        let block = block.join("\n");
        for invocation in block.split("$ byleave ").skip(1) {
            let (arguments, shown) = invocation.split_once('\n').unwrap();
            let ran = byleave(&arguments.split_whitespace().map(|word| word.trim_matches('\'')).collect::<Vec<_>>());
            assert_eq!((ran.stdout + &ran.stderr).trim_end(), shown.trim_end(), "byleave {arguments}");
            seen += 1;
        }
    }
    assert!(seen >= least, "{name}: only {seen} invocations were found");
}
