//! The map of the source is true: a file uses only what stands above it, and nothing in a circle.
//!
//! The order is that of the `mod` lines, which no formatter sorts here, and README's map shows it. An
//! arrow goes from a file to the one that defines a name that it imports (`use crate::…`, `use super::…`
//! or a path in the code). A `mod.rs` that only hands on names of its folder is looked through. Tests
//! are left out: they may use everything.
//!
//! What a file calls as a method is not seen: only names are. So a method that is defined below the file of
//! its type must not be called above.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module: its path as words, from the root of its crate.
type Module = Vec<String>;

/// The files of a crate by module, in the order of their `mod` lines, each after the files of its folder.
struct Crate {
    order: Vec<Module>,
    files: BTreeMap<Module, String>,
}

impl Crate {
    fn read(root: &Path) -> Self {
        let mut this = Self { order: Vec::new(), files: BTreeMap::new() };
        this.add(root, root.parent().unwrap(), Vec::new());
        this
    }

    fn add(&mut self, file: &Path, folder: &Path, module: Module) {
        let text = without_tests(&std::fs::read_to_string(file).unwrap());
        for name in text.lines().filter_map(mod_line) {
            let child = [module.clone(), vec![name.into()]].concat();
            let candidates = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
            // A module of code in braces, or one that is not for tests only.
            if let Some(file) = candidates.iter().find(|file| file.exists()) {
                self.add(file, &folder.join(name), child);
            }
        }
        self.order.push(module.clone());
        self.files.insert(module, text);
    }

    /// The module that defines what `path`, as written in `module`, names; `None` for other crates.
    fn target(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut at = match path[0].as_str() {
            "crate" => Vec::new(),
            "super" => module[..module.len() - 1].to_vec(),
            "self" => module.clone(),
            child => {
                let child = [module.clone(), vec![child.into()]].concat();
                return self.files.contains_key(&child).then(|| self.walk(child, &path[1..]));
            }
        };
        let mut rest = &path[1..];
        while rest.first().is_some_and(|word| word == "super") {
            at.pop();
            rest = &rest[1..];
        }
        Some(self.walk(at, rest))
    }

    fn walk(&self, mut at: Module, mut rest: &[String]) -> Module {
        while let Some((name, further)) = rest.split_first() {
            let child = [at.clone(), vec![name.clone()]].concat();
            if self.files.contains_key(&child) {
                (at, rest) = (child, further);
                continue;
            }
            // A name that this module hands on from another.
            let handed_on = uses(&self.files[&at]).into_iter().find(|(is_handed_on, path)| {
                *is_handed_on && path.last() == Some(name) && path.len() > 1
            });
            return match handed_on.and_then(|(_, path)| self.target(&at, &path)) {
                Some(target) if target != at => target,
                _ => at,
            };
        }
        at
    }

    /// For each file the files that it uses.
    fn arrows(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let arrows = |module: &Module, text: &str| {
            let target = |path: Vec<String>| self.target(module, &path);
            // A room may hand on what is in it, and the root what is anywhere.
            let is_own = |target: &Module| target.starts_with(module);
            let imports = uses(text).into_iter().filter_map(|(is_handed_on, path)| {
                target(path).filter(|target| !is_handed_on || !is_own(target))
            });
            let mut targets: BTreeSet<_> =
                imports.chain(inline_paths(text).into_iter().filter_map(target)).collect();
            targets.remove(module);
            targets
        };
        self.files.iter().map(|(module, text)| (module, arrows(module, text))).collect()
    }

    /// What is wrong with the arrows.
    fn faults(&self) -> Vec<String> {
        let arrows = self.arrows();
        let mut faults = Vec::new();
        for (from, targets) in &arrows {
            for to in targets {
                if to.is_empty() {
                    faults.push(format!("root: {} takes names from the root", from.join("/")));
                    continue;
                }
                let reached = reach(&arrows, to);
                if reached.contains(*from) {
                    faults.push(format!("circle: {} and {}", from.join("/"), to.join("/")));
                }
                // Siblings, or the rooms in which both are, stand in order.
                let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
                if common < from.len() && common < to.len() {
                    let place = |module: &Module| {
                        self.order.iter().position(|other| other[..] == module[..=common])
                    };
                    if place(to) > place(from) {
                        faults.push(format!("down: {} uses {}", from.join("/"), to.join("/")));
                    }
                }
            }
        }
        // A single wrong import closes many circles.
        faults.sort_by_key(|fault| fault.starts_with("circle"));
        faults
    }
}

fn reach<'a>(
    arrows: &'a BTreeMap<&Module, BTreeSet<Module>>,
    from: &'a Module,
) -> BTreeSet<&'a Module> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(module) = waiting.pop() {
        if reached.insert(module) {
            waiting.extend(arrows.get(module).into_iter().flatten());
        }
    }
    reached
}

/// The text without comments, and without what is for tests only: modules, items and whole files.
fn without_tests(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            // The item ends at its own depth: with a brace there, or a semicolon.
            let depth = line.len() - line.trim_start().len();
            let ends = |line: &str| {
                let own = line.len() - line.trim_start().len() == depth;
                own && line.trim_end().ends_with([';', '}'])
            };
            lines.find(|line| ends(line));
        } else if !line.trim_start().starts_with("//") {
            code += line.split(" // ").next().unwrap();
            code += "\n";
        }
    }
    code
}

/// The name of a module that a line declares, in a file of its own.
fn mod_line(line: &str) -> Option<&str> {
    let line = line.trim().strip_suffix(';')?;
    let (before, name) = line.split_once("mod ")?;
    (before.is_empty() || before == "pub " || before == "pub(crate) " || before == "pub(super) ")
        .then_some(name)
}

/// The paths of `use` lines, and whether each only hands a name on.
fn uses(text: &str) -> Vec<(bool, Vec<String>)> {
    let mut paths = Vec::new();
    for (start, _) in text.match_indices("use ") {
        let before = text[..start].rsplit('\n').next().unwrap().trim();
        if !before.is_empty() && !before.starts_with("pub") {
            continue;
        }
        let tree = text[start + 4..].split(';').next().unwrap();
        let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
        expand(&[], &tree, &mut |path| paths.push((!before.is_empty(), path)));
    }
    paths
}

/// Calls `found` with each path of a tree such as `crate::a::{b, c::{D, E as F}}`.
fn expand(prefix: &[String], tree: &str, found: &mut impl FnMut(Vec<String>)) {
    let tree = tree.trim().split(" as ").next().unwrap();
    let Some((front, list)) = tree.split_once('{') else {
        let words = tree.split("::").map(|word| word.trim().to_string());
        let path: Vec<String> = prefix.iter().cloned().chain(words).collect();
        // `a::{self}` is `a`.
        let is_self = path.len() > 1 && path.last().is_some_and(|last| last == "self");
        return found(if is_self { path[..path.len() - 1].to_vec() } else { path });
    };
    let words = front.split("::").map(str::trim).filter(|word| !word.is_empty());
    let prefix: Vec<String> = prefix.iter().cloned().chain(words.map(String::from)).collect();
    let list = list.trim_end().strip_suffix('}').unwrap_or(list);
    let (mut depth, mut start) = (0, 0);
    for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !list[start..at].trim().is_empty() {
                    expand(&prefix, &list[start..at], found);
                }
                start = (at + 1).min(list.len());
            }
            _ => {}
        }
    }
}

/// Paths that begin with `crate::` or `super::` in the code itself.
fn inline_paths(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let is_use = |line: &str| {
        let line = line.trim_start();
        line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ")
    };
    for line in text.lines().filter(|line| !is_use(line)) {
        for start in ["crate::", "super::"] {
            for (at, _) in line.match_indices(start) {
                if line[..at].ends_with([':', '_']) {
                    continue;
                }
                let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
                let path = line[at..].split(|c| !is_path(c)).next().unwrap();
                paths.push(path.split("::").filter(|w| !w.is_empty()).map(String::from).collect());
            }
        }
    }
    paths
}

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}

#[test]
fn no_arrow_points_down_the_map_and_there_is_no_circle() {
    for name in ["lib.rs", "main.rs"] {
        let faults = Crate::read(&root(name)).faults();
        assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
    }
}

#[test]
fn the_map_in_the_readme_is_that_of_the_source() {
    let readme = include_str!("../../README.md");
    let map = readme.split("## Map of src").nth(1).unwrap().split("```").nth(1).unwrap();
    let entries = map.lines().skip(1).filter_map(|line| {
        let name = line.trim().split("  ").next()?;
        Some((line.len() - line.trim_start().len(), name))
    });
    let mut folder: Vec<(usize, &str)> = Vec::new();
    let mut shown: Vec<Module> = Vec::new();
    for (depth, name) in entries {
        folder.retain(|&(outer, _)| outer < depth);
        let path: PathBuf = folder.iter().map(|(_, name)| name).collect();
        assert!(root("").join(&path).join(name).exists(), "the map names {name}");
        if name.ends_with('/') {
            folder.push((depth, name));
        }
        let path = path.join(name.trim_end_matches('/').trim_end_matches(".rs"));
        shown.push(path.iter().map(|word| word.to_str().unwrap().into()).collect());
    }
    let library = Crate::read(&root("lib.rs"));
    let top: Vec<&Module> = library.order.iter().filter(|module| module.len() == 1).collect();
    let shown_top: Vec<&Module> = shown.iter().filter(|module| module.len() == 1).collect();
    assert_eq!(shown_top[..top.len()], top[..], "the order of the mod lines in lib.rs");
    let program = Crate::read(&root("main.rs"));
    for known in [library, program] {
        let place = |module: &Module| known.order.iter().position(|other| other == module);
        for pair in shown.windows(2) {
            let (first, second) = (&pair[0], &pair[1]);
            let siblings = first.len() == second.len()
                && first[..first.len() - 1] == second[..second.len() - 1];
            if let (true, Some(first), Some(second)) = (siblings, place(first), place(second)) {
                assert!(first < second, "{pair:?}");
            }
        }
    }
}
