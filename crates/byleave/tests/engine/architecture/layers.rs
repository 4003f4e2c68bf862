//! Checks that the top-level modules of the engine use each other only in the order of layers.
//!
//! The order of layers is in ARCHITECTURE.md, lowest layer first: `a → b, c → d`. A module may use the layers before
//! its own. Modules in the same layer may not use each other. An item that a module re-exports counts as that module's
//! item, and the re-export counts as a use. `lib.rs` is the facade and may use everything. An item that it re-exports
//! counts as an item of the module that defines it.

use super::paths::{Named, Paths, Source};
use std::collections::{BTreeMap, BTreeSet};

/// The layers, lowest first.
#[derive(Debug, PartialEq, Eq)]
pub struct Order(Vec<Vec<String>>);

impl Order {
    /// Returns the order that a document states, or `None` if the document states no order. The order is the first
    /// sequence of words with arrows between them, on one line or on several lines that end in an arrow.
    pub fn stated_in(markdown: &str) -> Option<Self> {
        let mut run = String::new();
        for line in markdown.lines() {
            run.push_str(line.trim().trim_matches(['`', '.']));
            if run.ends_with('→') {
                continue;
            }
            if let Some(order) = Self::read(&run) {
                return Some(order);
            }
            run.clear();
        }
        None
    }

    /// Parses `a → b, c (a remark) → d`.
    fn read(text: &str) -> Option<Self> {
        let layer = |text: &str| -> Option<Vec<String>> {
            let names = text.split(',').map(|name| name.split('(').next().unwrap_or_default().trim().to_owned());
            let is_module = |name: &String| name.starts_with(|first: char| first.is_ascii_lowercase());
            let is_word = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let names: Vec<String> = names.collect();
            names.iter().all(|name| is_module(name) && is_word(name)).then_some(names)
        };
        let layers: Vec<Vec<String>> = text.split('→').map(layer).collect::<Option<_>>()?;
        (layers.len() > 1).then_some(Self(layers))
    }

    fn layer_of(&self, module: &str) -> Option<usize> {
        self.0.iter().position(|layer| layer.iter().any(|name| name == module))
    }

    /// Returns a module's name and layer, for a message.
    fn shown(&self, module: &str) -> String {
        match self.layer_of(module) {
            Some(layer) => format!("`{module}` (layer {} of {})", layer + 1, self.0.len()),
            None => format!("`{module}` (no layer)"),
        }
    }

    /// Returns every use that violates the order, every module that is in no layer, and every name in the order that is
    /// not a module.
    pub fn offences(&self, sources: &[Source]) -> Vec<String> {
        let uses = Uses::of(sources);
        let mut offences = uses.unclear;
        for module in uses.modules.iter().filter(|module| self.layer_of(module).is_none()) {
            offences.push(format!("the module `{module}` is in no layer of ARCHITECTURE.md"));
        }
        let names = self.0.iter().flatten().filter(|name| !uses.modules.contains(*name));
        offences
            .extend(names.map(|name| format!("ARCHITECTURE.md has a layer for `{name}`, and no such module exists")));
        for one in &uses.edges {
            let is_lower = match (self.layer_of(&one.from), self.layer_of(&one.to)) {
                (Some(from), Some(to)) => to < from,
                _ => true,
            };
            if !is_lower {
                let (from, to) = (self.shown(&one.from), self.shown(&one.to));
                offences.push(format!("{}: {from} uses {to}: {}", one.place, one.path));
            }
        }
        offences
    }
}

/// One use of a top-level module by another.
#[derive(Debug)]
struct Edge {
    from: String,
    to: String,
    /// The file and the line.
    place: String,
    /// The resolved path.
    path: String,
}

/// The uses of top-level modules by each other.
struct Uses {
    modules: BTreeSet<String>,
    edges: Vec<Edge>,
    /// Uses whose module could not be determined.
    unclear: Vec<String>,
}

impl Uses {
    fn of(sources: &[Source]) -> Self {
        let read: Vec<(&Source, Paths)> = sources.iter().map(|source| (source, Paths::of(source))).collect();
        let tests: Vec<&Vec<String>> = read.iter().flat_map(|(_, paths)| &paths.test_modules).collect();
        let is_test = |source: &Source| tests.iter().any(|test| source.module.starts_with(test));
        let read: Vec<&(&Source, Paths)> = read.iter().filter(|(source, _)| !is_test(source)).collect();
        let modules: BTreeSet<String> = read.iter().filter_map(|(source, _)| source.module.first().cloned()).collect();
        let facade = Facade::of(&read, &modules);
        let mut uses = Self { modules, edges: Vec::new(), unclear: Vec::new() };
        for (source, paths) in read {
            for named in &paths.named {
                uses.add(source, named, &facade);
            }
        }
        uses
    }

    fn add(&mut self, source: &Source, named: &Named, facade: &Facade) {
        let Some(from) = source.module.first() else { return };
        let place = format!("{}:{}", source.file, named.line);
        let path = format!("crate::{}", named.path.join("::"));
        match facade.module_of(&named.path, &self.modules) {
            Origin::Module(to) if to == *from => {}
            Origin::Module(to) => self.edges.push(Edge { from: from.clone(), to, place, path }),
            Origin::Facade => {}
            Origin::Unclear => {
                self.unclear.push(format!("{place}: `{path}` is defined in `lib.rs`, which is above all layers"));
            }
        }
    }
}

/// The names that `lib.rs` defines or re-exports.
struct Facade {
    names: BTreeMap<String, Vec<String>>,
    /// The macros in the crate, each with the module that defines it.
    macros: BTreeMap<String, String>,
}

/// Where an item is defined.
enum Origin {
    Module(String),
    /// In `lib.rs` itself, such as the crate's version.
    Facade,
    Unclear,
}

impl Facade {
    fn of(read: &[&(&Source, Paths)], modules: &BTreeSet<String>) -> Self {
        let (mut names, mut macros) = (BTreeMap::new(), BTreeMap::new());
        for (source, paths) in read {
            match source.module.first() {
                Some(module) => macros.extend(paths.macros.iter().map(|name| (name.clone(), module.clone()))),
                None => {
                    let own = paths.named.iter().filter(|one| modules.contains(one.path.first().map_or("", |one| one)));
                    names.extend(own.filter_map(|one| Some((one.name.clone()?, one.path.clone()))));
                }
            }
        }
        Self { names, macros }
    }

    /// Returns the top-level module that a path leads to. If the path names an item in `lib.rs`, follows the re-export.
    fn module_of(&self, path: &[String], modules: &BTreeSet<String>) -> Origin {
        let Some(first) = path.first() else { return Origin::Unclear };
        let is_constant = !first.is_empty() && !first.contains(|one: char| one.is_lowercase()) && first != "*";
        if modules.contains(first) {
            return Origin::Module(first.clone());
        }
        let exported = self.names.get(first).and_then(|path| path.first()).or(self.macros.get(first));
        match exported {
            Some(module) => Origin::Module(module.clone()),
            None if is_constant => Origin::Facade,
            None => Origin::Unclear,
        }
    }
}

/// Returns the cycles in which top-level modules use each other. Each step of a cycle shows one use as an example.
pub fn cycles(sources: &[Source]) -> Vec<String> {
    let uses = Uses::of(sources);
    let mut found = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for module in &uses.modules {
        if seen.contains(module.as_str()) {
            continue;
        }
        if let Some(circle) = uses.way_back(module) {
            let steps = circle.iter().map(|edge| format!("`{}` uses `{}` ({})", edge.from, edge.to, edge.place));
            found.push(format!("a cycle: {}", steps.collect::<Vec<_>>().join(", ")));
            seen.extend(circle.iter().map(|edge| edge.from.as_str()));
        }
    }
    found
}

impl Uses {
    /// Returns a shortest path from a module back to itself.
    fn way_back(&self, module: &str) -> Option<Vec<&Edge>> {
        let mut ways: Vec<Vec<&Edge>> = vec![Vec::new()];
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        while !ways.is_empty() {
            let mut longer = Vec::new();
            for way in &ways {
                let end = way.last().map_or(module, |edge: &&Edge| edge.to.as_str());
                for edge in self.edges.iter().filter(|edge| edge.from == end) {
                    let way: Vec<&Edge> = way.iter().copied().chain([edge]).collect();
                    if edge.to == module {
                        return Some(way);
                    }
                    if reached.insert(&edge.to) {
                        longer.push(way);
                    }
                }
            }
            ways = longer;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a crate with these files and texts.
    fn sources(files: &[(&str, &str)]) -> Vec<Source> {
        files.iter().map(|(file, text)| source(file, text)).collect()
    }

    fn source(file: &str, text: &str) -> Source {
        Source { module: super::super::module_of(file), file: file.to_owned(), text: text.to_owned() }
    }

    /// Returns the violations in these files, with additional empty modules `base`, `policy`, `site`, `extract` and
    /// `needs`.
    fn offences(files: &[(&str, &str)]) -> Vec<String> {
        let order = Order::stated_in("`base → policy → site → extract, needs`").unwrap();
        let mut all = sources(files);
        for module in ["base", "policy", "site", "extract", "needs"] {
            all.push(source(&format!("{module}.rs"), ""));
        }
        order.offences(&all)
    }

    #[test]
    fn uses_of_lower_layers_and_of_the_own_module_are_permitted() {
        let policy = "use crate::base::Span; use self::index::Index; fn f() { super::base::g() }";
        let index = "use super::Policy; use crate::policy::Rule; use super::super::base::Span;";
        let lib = "mod base; mod policy; pub use policy::Policy; pub use needs::needs; fn why() { policy::why() }";
        assert_eq!(offences(&[("policy/mod.rs", policy), ("policy/index.rs", index), ("lib.rs", lib)]), [""; 0]);
    }

    #[test]
    fn a_forward_use_names_file_line_module_and_both_layers() {
        let found = offences(&[("policy/mod.rs", "//! Policies.\n\nuse crate::site::Site;\n")]);
        assert_eq!(found, ["policy/mod.rs:3: `policy` (layer 2 of 4) uses `site` (layer 3 of 4): crate::site::Site"]);
    }

    #[test]
    fn a_forward_use_by_super_is_found() {
        let found = offences(&[("policy/index.rs", "use super::super::site::Site;")]);
        assert_eq!(found, ["policy/index.rs:1: `policy` (layer 2 of 4) uses `site` (layer 3 of 4): crate::site::Site"]);
    }

    #[test]
    fn a_forward_use_in_nested_braces_is_found() {
        let found = offences(&[("base/span.rs", "use crate::{\n    base::Line,\n    site::{document::Document},\n};")]);
        let expected =
            "base/span.rs:3: `base` (layer 1 of 4) uses `site` (layer 3 of 4): crate::site::document::Document";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn a_forward_inline_path_is_found() {
        let found = offences(&[("base/mod.rs", "fn f() {\n    crate::policy::read()\n}")]);
        assert_eq!(found, ["base/mod.rs:2: `base` (layer 1 of 4) uses `policy` (layer 2 of 4): crate::policy::read"]);
    }

    #[test]
    fn a_re_export_is_a_use_by_the_module_that_re_exports() {
        let found = offences(&[("base/mod.rs", "pub use crate::site::Site;"), ("policy.rs", "use crate::base::Site;")]);
        assert_eq!(found, ["base/mod.rs:1: `base` (layer 1 of 4) uses `site` (layer 3 of 4): crate::site::Site"]);
    }

    #[test]
    fn a_re_export_of_the_facade_is_resolved() {
        let lib = "mod site;\npub use site::{Site, document::Document as File};";
        let policy = "use crate::Site;\nfn f(file: &super::File) {}";
        let found = offences(&[("lib.rs", lib), ("policy.rs", policy)]);
        let expected = [
            "policy.rs:1: `policy` (layer 2 of 4) uses `site` (layer 3 of 4): crate::Site",
            "policy.rs:2: `policy` (layer 2 of 4) uses `site` (layer 3 of 4): crate::File",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn modules_of_one_layer_may_not_use_each_other() {
        let found = offences(&[("needs.rs", "use crate::extract::Extract;")]);
        let expected = "needs.rs:1: `needs` (layer 4 of 4) uses `extract` (layer 4 of 4): crate::extract::Extract";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn what_the_facade_defines_is_above_all_layers() {
        let lib = "pub const VERSION: u32 = 1; pub fn why() {}";
        let found = offences(&[("lib.rs", lib), ("needs.rs", "use crate::VERSION;\nuse crate::why;\nuse super::*;")]);
        let expected = [
            "needs.rs:2: `crate::why` is defined in `lib.rs`, which is above all layers",
            "needs.rs:3: `crate::*` is defined in `lib.rs`, which is above all layers",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_macro_is_of_the_module_that_defines_it() {
        let found = offences(&[("site.rs", "macro_rules! sites { () => {} }"), ("base.rs", "crate::sites!();")]);
        assert_eq!(found, ["base.rs:1: `base` (layer 1 of 4) uses `site` (layer 3 of 4): crate::sites"]);
    }

    #[test]
    fn tests_may_use_everything() {
        let base = "#[cfg(test)]\nmod tests { use crate::site::Site; }\n#[cfg(test)]\nmod generated;";
        assert_eq!(offences(&[("base/mod.rs", base), ("base/generated.rs", "use crate::needs::Need;")]), [""; 0]);
    }

    #[test]
    fn modules_and_layers_have_to_be_the_same() {
        let found = offences(&[("other/mod.rs", "use crate::site::Site;")]);
        assert_eq!(found, ["the module `other` is in no layer of ARCHITECTURE.md"]);
        let order = Order::stated_in("base → site").unwrap();
        let found = order.offences(&sources(&[("base.rs", "")]));
        assert_eq!(found, ["ARCHITECTURE.md has a layer for `site`, and no such module exists"]);
    }

    #[test]
    fn cycles_are_reported_with_every_step() {
        let files = [
            ("a.rs", "use crate::b::B;"),
            ("b/mod.rs", "\nuse crate::c::C;"),
            ("c.rs", "fn f() { super::a::g() }"),
            ("d.rs", "use crate::a::A;"),
        ];
        let expected = "a cycle: `a` uses `b` (a.rs:1), `b` uses `c` (b/mod.rs:2), `c` uses `a` (c.rs:1)";
        assert_eq!(cycles(&sources(&files)), [expected]);
        assert_eq!(cycles(&sources(&files[1..])), [""; 0]);
    }

    #[test]
    fn the_order_is_read_from_a_line_or_from_a_block() {
        let order = |text: &str| Order::stated_in(text).map(|order| order.0);
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let expected = Some(vec![names(&["base"]), names(&["robots_txt", "formats"]), names(&["explain"])]);
        assert_eq!(order("Layers:\n\n`base → robots_txt, formats → explain (with report)`\n"), expected);
        assert_eq!(order("```text\nbase → robots_txt, formats →\n  explain\n```\n"), expected);
        assert_eq!(order("bytes ──► lines\nA → B\nlines become → a tree of leaves\n"), None);
    }
}
