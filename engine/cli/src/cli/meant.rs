//! What a path on the command line means: everything, or the tasks and environments that a name stands for.

use std::collections::BTreeSet;
use std::path::Path;

use probity_behaviour::folder;
use probity_behaviour::suite::{Files, Suite};
use probity_engine::suggest;
use probity_local::Failure;

const FOLDERS: [&str; 3] = ["tasks", "environments", "scripts"];

#[derive(Debug, PartialEq, Eq)]
pub enum Meant {
    /// A folder of all files.
    All,
    /// An id of a task or environment, its last part, a start of it, or a domain.
    Named(String),
}

impl Meant {
    /// What a path means; nothing when it names nothing.
    pub fn of(path: &str, root: &Path) -> Option<Meant> {
        match FOLDERS.into_iter().find_map(|folder| below(path, root, folder)) {
            Some(below) if below.is_empty() => Some(Meant::All),
            Some(below) => name(&below),
            None => name(path),
        }
    }

    /// The suite below a root, as far as paths mean it ([`Meant::sound_part`]). Where anything is wrong with that, or
    /// there is no such thing, it is the whole suite, which can tell why.
    pub fn suite(paths: &[String], root: &Path) -> Suite {
        Meant::sound_part(paths, root).unwrap_or_else(|| Suite::load(root))
    }

    /// The environments below a root that paths mean or mean tasks of, with all their tasks; nothing where anything is
    /// wrong with one of these, or a path means all or nothing.
    pub fn sound_part(paths: &[String], root: &Path) -> Option<Suite> {
        let named: Vec<Meant> = paths.iter().map(|path| Meant::of(path, root)).collect::<Option<_>>()?;
        if named.is_empty() || named.contains(&Meant::All) {
            return None;
        }
        let part = Meant::part(&named, root);
        let is_there = |wanted: &Meant| {
            part.task_ids().any(|id| wanted.is(id)) || part.environments.keys().any(|id| wanted.is_environment(id))
        };
        (!part.has_errors() && named.iter().all(is_there)).then_some(part)
    }

    /// The environments below a root that are meant, or tasks of which are, each with all its tasks.
    pub fn part(named: &[Meant], root: &Path) -> Suite {
        let (files, diagnostics) = folder::read_all(root);
        Suite::from_files(of_environments(files, named), diagnostics)
    }

    /// What several paths mean; nothing means everything.
    /// An error: one of them names nothing that is there.
    pub fn all_of(paths: &[String], root: &Path, suite: &Suite) -> Result<Vec<Meant>, Failure> {
        let mut meant = Vec::new();
        let known = || suite.task_ids().chain(suite.environment_ids());
        for path in paths {
            let Some(wanted) = Meant::of(path, root) else {
                let help = "name a task, an environment, or a file or folder of them; no name at all means everything";
                return Err(Failure::new(format!("`{path}` names nothing"), help));
            };
            if !known().any(|id| wanted.is(id) || wanted.is_environment(id)) {
                let help = suggest::help(path, known());
                return Err(Failure::new(format!("nothing is called `{path}`, nor lies below it"), help));
            }
            meant.push(wanted);
        }
        Ok(meant)
    }

    pub fn is_environment(&self, id: &str) -> bool {
        let Meant::Named(name) = self else { return true };
        id == name
            || id.rsplit('/').next() == Some(name)
            || id.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('/'))
    }

    pub fn is(&self, id: &str) -> bool {
        let Meant::Named(name) = self else { return true };
        id == name
            || id.rsplit('/').next() == Some(name)
            || id.split('/').nth(1) == Some(name)
            || id.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// The files of all environments that are meant, or tasks of which are; those that are of no environment stay.
fn of_environments(mut files: Files, meant: &[Meant]) -> Files {
    let is_meant = |path: &str| {
        let Some((folder, below)) = path.split_once('/') else { return false };
        let Some(Meant::Named(id)) = name(below) else { return false };
        match folder {
            "tasks" => meant.iter().any(|wanted| wanted.is(&id)),
            _ => meant.iter().any(|wanted| wanted.is_environment(&id)),
        }
    };
    let kept: BTreeSet<String> =
        files.keys().filter(|path| is_meant(path)).filter_map(|path| environment(path)).collect();
    files.retain(|path, _| environment(path).is_none_or(|id| kept.contains(&id)));
    files
}

/// The id of the environment that a file is of, as its place says.
fn environment(path: &str) -> Option<String> {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["scripts", "lib", _] => None,
        ["environments" | "scripts", domain, file] => Some(format!("{domain}/{}", file.split('.').next()?)),
        ["tasks", domain, environment, _] => Some(format!("{domain}/{environment}")),
        _ => None,
    }
}

/// The part of a path below a folder of the root: as it is written, else as the disk has it.
fn below(path: &str, root: &Path, folder: &str) -> Option<String> {
    let (written, whole) = (Path::new(path), root.join(folder));
    let text = |below: &Path| below.to_string_lossy().into_owned();
    if let Ok(below) = written.strip_prefix(&whole).or_else(|_| written.strip_prefix(folder)) {
        return Some(text(below));
    }
    let real = written.canonicalize().ok()?;
    real.strip_prefix(whole.canonicalize().ok()?).ok().map(text)
}

fn name(path: &str) -> Option<Meant> {
    let name = path.trim_end_matches('/');
    let name = [".lock.json", ".json", ".rhai"].into_iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    (!name.is_empty()).then(|| Meant::Named(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_what_lies_below_the_tasks_or_a_name() {
        let root = Path::new("here");
        let named = |name: &str| Some(Meant::Named(name.to_owned()));
        for (path, meant) in [
            ("", None),
            ("/", None),
            ("//", None),
            (".json", None),
            ("tasks", Some(Meant::All)),
            ("tasks/", Some(Meant::All)),
            ("here/tasks", Some(Meant::All)),
            ("tasks/shop/counter/buy.json", named("shop/counter/buy")),
            ("here/tasks/shop/", named("shop")),
            ("shop/", named("shop")),
            ("environments/shop/counter.json", named("shop/counter")),
            ("here/scripts/shop/counter.rhai", named("shop/counter")),
            ("tasks/shop/counter/buy.lock.json", named("shop/counter/buy")),
            ("/shop", named("/shop")),
        ] {
            assert_eq!(Meant::of(path, root), meant, "{path}");
        }
    }

    /// One environment with all its tasks; where a name is of nothing that is there, all that it could have been.
    #[test]
    fn what_is_named_is_read_with_its_environment_alone() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |name: &str| {
            let suite = Meant::suite(&[name.to_owned()], &root);
            (suite.environments.into_keys().collect::<Vec<_>>(), suite.tasks.into_keys().collect::<Vec<_>>())
        };
        let (environments, tasks) = read("mislaid_card");
        assert_eq!(environments, ["finance/bank"]);
        assert!(tasks.len() > 1 && tasks.iter().all(|id| id.starts_with("finance/bank/")), "{tasks:?}");
        assert_eq!(read("finance/bank"), (environments, tasks));
        assert!(read("finance/bonk").0.len() > 1);
    }

    #[test]
    fn a_name_is_a_whole_part_of_an_id() {
        for (name, is_meant) in [
            ("shop/counter/buy", true),
            ("buy", true),
            ("counter", true),
            ("shop", true),
            ("sho", false),
            ("uy", false),
        ] {
            assert_eq!(Meant::Named(name.to_owned()).is("shop/counter/buy"), is_meant, "{name}");
        }
    }
}
