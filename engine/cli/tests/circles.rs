//! Files that name each other in a circle are read together or not at all: none is larger than three.

use std::collections::{BTreeMap, BTreeSet};

use crate::layering::{all_sources, code, crates};

/// A path within a crate, from its root.
type Names = Vec<String>;

/// What a text that begins with a path names: `a::{b, c::D}` is `a::b` and `a::c::D`. What stands behind it is given back.
fn paths<'a>(text: &'a str, before: &Names, found: &mut Vec<Names>) -> &'a str {
    let (name, rest) = text.split_at(text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len()));
    let mut path = before.clone();
    path.extend((!name.is_empty()).then(|| name.to_owned()));
    if let Some(rest) = rest.strip_prefix("::") {
        return paths(rest, &path, found);
    }
    let Some(group) = rest.strip_prefix('{').filter(|_| name.is_empty()) else {
        found.push(path);
        return rest;
    };
    let mut rest = group.trim_start();
    while !rest.is_empty() && !rest.starts_with('}') {
        rest = paths(rest, &path, found).trim_start_matches(|c| c != ',' && c != '}');
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
    }
    rest.strip_prefix('}').unwrap_or_default()
}

/// The modules of a crate with their code: `a/b.rs` and `a/b/mod.rs` are `a::b`.
struct Modules(BTreeMap<Names, String>);

impl Modules {
    fn of<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Modules {
        let names = |file: &str| -> Names {
            let names = file.trim_end_matches(".rs").split('/');
            names.filter(|name| !["mod", "lib", "main"].contains(name)).map(str::to_owned).collect()
        };
        Modules(files.map(|(file, text)| (names(file), code(text))).collect())
    }

    /// What the code of a module names in its crate.
    fn named(&self, module: &Names) -> Vec<Names> {
        let code = &self.0[module];
        let is_within = |c: char| c.is_alphanumeric() || c == '_';
        let starts = code.char_indices().scan(' ', |last, (at, c)| {
            let is_start = is_within(c) && !is_within(*last) && *last != ':' && *last != '.';
            *last = c;
            Some((at, is_start))
        });
        let mut found = Vec::new();
        for (at, _) in starts.filter(|(_, is_start)| *is_start) {
            if code[at..].trim_start_matches(is_within).starts_with("::") {
                paths(&code[at..], &Names::new(), &mut found);
            }
        }
        let (own, others): (Vec<&Names>, Vec<&Names>) =
            found.iter().partition(|path| self.absolute(module, path).is_some());
        let mut all: Vec<Names> = own.into_iter().filter_map(|path| self.absolute(module, path)).collect();
        // What begins with the name of something imported: `recall::hash` where `crate::recall` is.
        let imported = others.into_iter().filter_map(|path| {
            let import = all.iter().find(|import| import.last() == path.first())?;
            Some([&import[..], &path[1..]].concat())
        });
        let imported: Vec<Names> = imported.collect();
        all.extend(imported);
        all
    }

    /// A path as it stands in a module, from the root; nothing where it leads out of the crate.
    fn absolute(&self, module: &Names, path: &Names) -> Option<Names> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        match path[0].as_str() {
            "crate" => Some(path[1..].to_vec()),
            "super" | "self" => Some([&module[..module.len() - ups], &path[ups.max(1)..]].concat()),
            child => {
                let is_child = self.0.contains_key(&[&module[..], &[child.to_owned()]].concat());
                is_child.then(|| [&module[..], &path[..]].concat())
            }
        }
    }

    /// The module that has what a path names; who only hands it on has not.
    fn home(&self, path: &[String]) -> Names {
        let known = (0..=path.len()).rev().find(|end| self.0.contains_key(&path[..*end])).unwrap_or(0);
        let (module, rest) = (path[..known].to_vec(), &path[known..]);
        let Some(name) = rest.first().filter(|_| self.hands_on(&module)) else { return module };
        let handed = self.named(&module).into_iter().find(|on| on.last() == Some(name) && on.as_slice() != path);
        handed.map_or(module, |on| self.home(&[&on[..], &rest[1..]].concat()))
    }

    /// Whether a module is there for others: it declares and hands on, and names nothing for itself.
    fn hands_on(&self, module: &Names) -> bool {
        self.0[module].lines().all(|line| !line.contains("fn ") && !line.contains("static "))
    }

    /// The circles of more than three modules.
    fn circles(&self) -> Vec<BTreeSet<Names>> {
        let on = |module: &Names| -> BTreeSet<Names> {
            let named = if self.hands_on(module) { Vec::new() } else { self.named(module) };
            named.iter().map(|path| self.home(path)).filter(|home| home != module).collect()
        };
        let edges: BTreeMap<&Names, BTreeSet<Names>> = self.0.keys().map(|module| (module, on(module))).collect();
        let reached = |from: &Names| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = open.pop() {
                open.extend(edges[&module].iter().filter(|next| seen.insert((*next).clone())).cloned());
            }
            seen
        };
        let reached: BTreeMap<&Names, BTreeSet<Names>> = self.0.keys().map(|from| (from, reached(from))).collect();
        let circle = |from: &Names| reached[from].iter().filter(|to| reached[to].contains(from)).cloned().collect();
        let circles: BTreeSet<BTreeSet<Names>> = self.0.keys().map(circle).collect();
        circles.into_iter().filter(|circle| circle.len() > 3).collect()
    }
}

#[test]
fn a_circle_is_seen_through_what_is_handed_on() {
    let files = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use c::{D as E, F};\n"),
        ("a.rs", "use crate::b::{G, mod_b};\nfn a() {}\n"),
        ("b/mod.rs", "mod deep;\npub use deep::G;\n"),
        ("b/deep.rs", "fn g() -> super::super::F { crate::c::f() }\n"),
        ("c.rs", "struct F;\nfn f() { d::h() }\n"),
        ("c/d.rs", "use crate::e;\nfn h() { e::a() }\n"),
        ("e/mod.rs", "mod x;\npub use crate::a::a;\n"),
        ("e/x.rs", "fn x() {}\n"),
    ];
    let circles = Modules::of(files.into_iter()).circles();
    let names: Vec<String> = circles.iter().flatten().map(|names| names.join("::")).collect();
    assert_eq!(names, ["a", "b::deep", "c", "c::d"]);
}

#[test]
fn no_circle_of_imports_is_larger_than_three_files() {
    let sources = all_sources();
    let mut wrong = Vec::new();
    for own in crates() {
        let head = format!("{own}/");
        let files = sources.iter().filter_map(|(file, text)| Some((file.strip_prefix(&head)?, text.as_str())));
        let circles = Modules::of(files).circles();
        wrong.extend(circles.iter().map(|circle| {
            let files: Vec<String> = circle.iter().map(|names| names.join("/")).collect();
            format!("{own}: {}", files.join(", "))
        }));
    }
    assert!(wrong.is_empty(), "these name each other in a circle:\n{}", wrong.join("\n"));
}
