//! The worlds and tasks of a package that `probity-peers import tau2` wrote, read and checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::card::{MODE, SPLIT, WORLD};
use crate::model::{TaskFile, WorldFile};
use crate::play::Tau2World;
use crate::task::Tau2Task;
use probity_bench::kit::{below, read_all, scripts};
use probity_bench::{Files, Instance, Levels};
use probity_engine::{Diagnostic, Hash, Scripts, load, load::diagnose_all, strict};

const FOLDER: &str = "tau2";

#[derive(Default)]
pub struct Tau2Suite {
    worlds: BTreeMap<String, Tau2World>,
    broken: BTreeSet<String>,
    /// The tasks by id, `<world>/<id there>`.
    tasks: BTreeMap<String, Tau2Task>,
    /// The ids of the tasks in the order of their files.
    order: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
    files: Files,
}

/// The texts of `tau2/` below a root, and what is wrong with reading them.
pub fn read(root: &Path) -> (Files, Vec<Diagnostic>) {
    if root.join(FOLDER).is_dir() {
        return read_all(root, &["json", "md", "rhai"].map(|ending| (FOLDER, ending)));
    }
    let message = "there are no tasks of tau2-bench here";
    let help = "`probity-peers import tau2 --data DIR --out PKG` makes a folder of them; name it with `--root PKG`";
    (Files::new(), vec![Diagnostic::file(FOLDER, "no_tasks", message).help(help)])
}

impl Tau2Suite {
    /// Checks files that have been read; `diagnostics` are those of reading them.
    pub fn from_files(files: Files, diagnostics: Vec<Diagnostic>) -> Tau2Suite {
        let mut suite = Tau2Suite { diagnostics, ..Tau2Suite::default() };
        let scripts = scripts(&files, "tau2/");
        for (name, path, text) in below(&files, "tau2/environments/tau/", ".json") {
            suite.add_world(name, path, text, &files, &scripts);
            if !suite.worlds.contains_key(name) {
                suite.broken.insert(name.to_owned());
            }
        }
        for (name, path, text) in below(&files, "tau2/tasks/", ".json") {
            suite.add_task(name, path, text);
        }
        suite.diagnostics.sort();
        suite.files = files;
        suite
    }

    fn add_world(&mut self, name: &str, path: &str, text: &str, files: &Files, scripts: &Scripts) {
        let own = path.strip_prefix(FOLDER).unwrap_or(path).trim_start_matches('/');
        let loaded = match load::environment::load(own, text, scripts) {
            Ok(loaded) => loaded,
            Err(found) => return self.diagnostics.extend(found),
        };
        self.diagnostics.extend(loaded.diagnostics.into_iter().filter(Diagnostic::is_error));
        let Some(environment) = loaded.environment else { return };
        let missing = |path: String, what: &str| {
            let message = format!("{what} of the world `{name}` is missing");
            Diagnostic::file(path, "missing_file", message)
                .help("make the package again with `probity-peers import tau2`")
        };
        let data = format!("{FOLDER}/data/{name}.json");
        let Some(text) = files.get(&data) else { return self.diagnostics.push(missing(data, "the state")) };
        let parsed = strict::parse::<WorldFile>(&data, text);
        let file = match parsed {
            Ok((file, _)) => file,
            Err(found) => return self.diagnostics.extend(found),
        };
        let policy = |name: &str| files.get(&format!("{FOLDER}/policy/{name}.md")).cloned();
        let Some(rules) = policy(name) else {
            return self.diagnostics.push(missing(format!("{FOLDER}/policy/{name}.md"), "the policy"));
        };
        let alone = policy(&format!("{name}_solo"));
        match Tau2World::new(environment, &file, Hash::of_bytes(text.as_bytes()), rules, alone) {
            Ok(world) => drop(self.worlds.insert(name.to_owned(), world)),
            Err(what) => self.diagnostics.push(Diagnostic::file(data, "bad_state", what)),
        }
    }

    fn add_task(&mut self, name: &str, path: &str, text: &str) {
        let world = name.split('/').next().unwrap_or_default();
        let (file, positions) = match strict::parse::<TaskFile>(path, text) {
            Ok(parsed) => parsed,
            Err(found) => return self.diagnostics.extend(found),
        };
        let Some(known) = self.worlds.get(world) else {
            let message = format!("there is no world `{world}`");
            let help = "make the package again with `probity-peers import tau2`";
            let found = Diagnostic::file(path, "no_world", message).help(help);
            // What is wrong with a world is not told again for each of its tasks.
            return self.diagnostics.extend((!self.broken.contains(world)).then_some(found));
        };
        let problems = file.problems(&known.environment);
        if !problems.is_empty() {
            return self.diagnostics.extend(diagnose_all(path, &positions, problems));
        }
        let task = Tau2Task::new(world, path, file);
        if self.tasks.contains_key(&task.id) {
            let message = format!("there is another task `{}`", task.id);
            return self.diagnostics.push(Diagnostic::file(path, "duplicate_task", message).help("rename one"));
        }
        self.order.push(task.id.clone());
        self.tasks.insert(task.id.clone(), task);
    }

    /// All there is to play: each task with its user, and those with a ticket also without.
    pub fn instances(&self) -> Vec<Instance> {
        let tasks = self.order.iter().filter_map(|id| self.tasks.get(id));
        tasks.flat_map(|task| self.instances_of(task)).collect()
    }

    fn instances_of(&self, task: &Tau2Task) -> Vec<Instance> {
        let has_solo = task.file.ticket.is_some() && self.world(task).is_some_and(Tau2World::has_solo);
        let properties = Levels::from_iter([(WORLD, task.world.as_str()), (SPLIT, task.file.split.as_str())]);
        let modes = [Some("dual"), has_solo.then_some("solo")].into_iter().flatten();
        let at = |mode| Instance {
            task: task.id.clone(),
            setting: Levels::from_iter([(MODE, mode)]),
            properties: properties.clone(),
        };
        modes.map(at).collect()
    }

    pub fn task(&self, id: &str) -> Option<&Tau2Task> {
        self.tasks.get(id)
    }

    pub fn world(&self, task: &Tau2Task) -> Option<&Tau2World> {
        self.worlds.get(&task.world)
    }

    /// The files that playing these tasks takes: their own, and those of their worlds.
    pub fn files_of(&self, tasks: &[String]) -> Files {
        let tasks: Vec<&Tau2Task> = tasks.iter().filter_map(|id| self.tasks.get(id)).collect();
        let is_of_a_world = |name: &str| tasks.iter().any(|task| task.world == name);
        let is_needed = |path: &str| {
            let Some(rest) = path.strip_prefix(FOLDER).map(|rest| rest.trim_start_matches('/')) else { return false };
            let (folder, name) = rest.split_once('/').unwrap_or_default();
            let stem = name.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
            match folder {
                "tasks" => tasks.iter().any(|task| task.path == path),
                "environments" | "data" => is_of_a_world(stem),
                "policy" => is_of_a_world(stem.strip_suffix("_solo").unwrap_or(stem)),
                "scripts" => name.starts_with("lib/") || is_of_a_world(stem),
                _ => true,
            }
        };
        let needed = self.files.iter().filter(|(path, _)| is_needed(path));
        needed.map(|(path, text)| (path.clone(), text.clone())).collect()
    }
}
