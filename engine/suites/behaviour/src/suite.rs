//! A suite: the environments and tasks of a root folder, all checked, with all diagnostics.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::folder;
use crate::load::lock;
use crate::task::build::STATE_DRIFT;
use crate::task::{Task, text};
use probity_engine::load::{diagnose_all, environment};
use probity_engine::{
    Diagnostic, Environment, Hash, LoadedEnvironment, Positions, Problem, Scripts, authored, suggest,
};

/// Everything below a root that can be used, and everything that is wrong with it.
#[derive(Default)]
pub struct Suite {
    /// The environments that can be used, by id.
    pub environments: BTreeMap<String, Arc<Environment>>,
    /// The tasks that can be played, by id. A task whose state has drifted is here, with its diagnostic.
    pub tasks: BTreeMap<String, LoadedTask>,
    pub diagnostics: Vec<Diagnostic>,
    /// Task files of which no task could be made, in the order of their paths.
    pub left_out: Vec<RejectedTaskFile>,
    /// Where the environments' files are, for problems found later.
    pub files: BTreeMap<String, LoadedFile>,
}

pub struct LoadedTask {
    pub task: Arc<Task>,
    pub file: LoadedFile,
    /// Whether the pinned hash of the initial state is another.
    pub has_drifted: bool,
}

pub struct RejectedTaskFile {
    /// Path below the root, with `/`.
    pub path: String,
    /// The file and the hash of its initial state, where that much of it holds.
    pub start: Option<(LoadedFile, Hash)>,
    /// Whether it was not looked at, because its environment has errors.
    pub is_waiting: bool,
}

enum Lock<'a> {
    Missing,
    Read(&'a str),
    /// It is there and says nothing that can be used; its text, if it has one.
    Unread(Option<&'a str>),
}

impl<'a> Lock<'a> {
    fn read(&self) -> Option<&'a str> {
        match self {
            Lock::Read(text) => Some(text),
            Lock::Missing | Lock::Unread(_) => None,
        }
    }

    fn text(&self) -> Option<String> {
        match self {
            Lock::Read(text) | Lock::Unread(Some(text)) => Some((*text).to_owned()),
            Lock::Missing | Lock::Unread(None) => None,
        }
    }
}

pub struct LoadedFile {
    /// Path below the root, with `/`.
    pub path: String,
    pub text: String,
    /// The text of its lock file, if it is a task that has one.
    pub lock: Option<String>,
}

impl LoadedFile {
    /// Problems with their places, for which the text is read once more: the places of all that is right take more
    /// memory than all else of a suite.
    pub fn diagnose(&self, problems: impl IntoIterator<Item = Problem>) -> Vec<Diagnostic> {
        let mut problems = problems.into_iter().peekable();
        let positions = problems.peek().and_then(|_| self.positions());
        diagnose_all(&self.path, &positions.unwrap_or_default(), problems)
    }

    fn positions(&self) -> Option<Positions> {
        if self.path.starts_with("environments/") {
            return authored::environment(&self.path, &self.text).ok().map(|(_, positions)| positions);
        }
        let lock = self.lock.as_deref().filter(|text| lock::read(&self.path, text).is_ok());
        crate::load::task(&self.path, &self.text, lock).ok().map(|(_, positions)| positions)
    }
}

pub use probity_bench::Files;
use probity_bench::kit;

impl Suite {
    /// Reads and checks `environments/`, `scripts/` and `tasks/` below `root`.
    pub fn load(root: &Path) -> Suite {
        let (files, diagnostics) = folder::read_all(root);
        Suite::from_files(files, diagnostics)
    }

    /// Checks files that have been read; `diagnostics` are those of reading them.
    pub fn from_files(files: Files, diagnostics: Vec<Diagnostic>) -> Suite {
        let mut suite = Suite { diagnostics, ..Suite::default() };
        let scripts = kit::scripts(&files, "");
        let mut misplaced: BTreeSet<&str> = BTreeSet::new();
        for (path, refused) in files.keys().filter_map(|path| Some((path, folder::misplaced(path)?))) {
            suite.diagnostics.push(refused);
            misplaced.insert(path);
            if path.starts_with("tasks/") && lock::task_of(path).is_none() {
                suite.left_out.push(RejectedTaskFile { path: path.clone(), start: None, is_waiting: false });
            }
        }
        let files_in = |folder: &'static str| files.iter().filter(move |(path, _)| path.starts_with(folder));
        let files_in = |folder| files_in(folder).filter(|(path, _)| !misplaced.contains(path.as_str()));
        for (path, text) in files_in("environments/") {
            suite.load_environment(path, text, &scripts);
        }
        suite.check_orphan_scripts(&scripts);
        for (path, text) in files_in("tasks/") {
            if let Some(task) = lock::task_of(path) {
                suite.check_orphan_lock(path, &task, &files);
                continue;
            }
            let (known, lock) = (suite.tasks.len(), suite.lock(path, &files));
            suite.load_task(path, text, &lock);
            if suite.tasks.len() == known {
                let start = suite.start(path, text, &lock);
                let is_waiting = suite.has_broken_environment(path);
                suite.left_out.push(RejectedTaskFile { path: path.clone(), start, is_waiting });
            }
        }
        if suite.environments.is_empty() && suite.diagnostics.is_empty() {
            let message = "there are no environments below this root";
            let help = "name another with `--root`, or start one with `probity new env <domain>/<name>`";
            suite.diagnostics.push(Diagnostic::file("environments", "nothing_to_load", message).help(help));
        }
        suite.diagnostics.sort();
        suite.left_out.sort_by(|one, other| one.path.cmp(&other.path));
        suite
    }

    /// What is generated for the task at `path`. What cannot be read of it is told here.
    fn lock<'a>(&mut self, path: &str, files: &'a Files) -> Lock<'a> {
        let own = lock::path_of(path);
        let Some(text) = files.get(&own) else {
            // A lock file that is there and cannot be read is no missing one.
            return if self.is_told(&own) { Lock::Unread(None) } else { Lock::Missing };
        };
        match lock::read(path, text) {
            Ok(_) => Lock::Read(text),
            Err(refused) => {
                self.diagnostics.push(refused);
                Lock::Unread(Some(text))
            }
        }
    }

    /// Whether a file is known to be wrong.
    fn is_told(&self, path: &str) -> bool {
        self.diagnostics.iter().any(|found| found.file == path && found.is_error())
    }

    /// Whether a file of this name is known to be wrong in another place of its folder.
    fn is_told_elsewhere(&self, path: &str) -> bool {
        let parts =
            |path: &str| (path.split('/').next().map(str::to_owned), path.rsplit('/').next().map(str::to_owned));
        let is_same = |found: &&Diagnostic| found.code == "misplaced_file" && parts(&found.file) == parts(path);
        self.diagnostics.iter().any(|found| is_same(&found))
    }

    /// Whether anything is wrong that stops a file from being used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    pub fn tasks_of<'a>(&'a self, environment: &'a str) -> impl Iterator<Item = &'a LoadedTask> {
        self.tasks.values().filter(move |loaded| loaded.task.environment().id() == environment)
    }

    /// Whether all tasks of an environment could be read: what none of them does, a broken one may do.
    pub fn is_whole(&self, environment: &str) -> bool {
        let is_of = |path: &str| id_of(path, "tasks/").and_then(|id| id.rsplit_once('/')).map(|(of, _)| of.to_owned());
        let told = self.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.file.as_str());
        let broken = self.left_out.iter().map(|left| left.path.as_str()).chain(told);
        !broken.filter_map(is_of).any(|of| of == environment)
    }

    /// The ids of its tasks, those with errors included, as their paths say.
    pub fn task_ids(&self) -> impl Iterator<Item = &str> {
        let left_out = self.left_out.iter().filter_map(|left| id_of(&left.path, "tasks/"));
        self.tasks.keys().map(String::as_str).chain(left_out)
    }

    /// The ids of its environments, those with errors included, as their paths say.
    pub fn environment_ids(&self) -> impl Iterator<Item = &str> {
        let broken = self.diagnostics.iter().filter_map(|found| id_of(&found.file, "environments/"));
        // One with errors in its script alone is known by its file.
        self.files.keys().map(String::as_str).chain(broken)
    }

    /// Keeps some environments, each with all its tasks, and some other tasks, with all that is wrong with these and
    /// with what they need.
    pub fn narrow(&mut self, is_environment: impl Fn(&str) -> bool, is_task: impl Fn(&str) -> bool) {
        let environment_of = |task: &str| task.rsplit_once('/').map(|(of, _)| of.to_owned()).unwrap_or_default();
        let is_kept = |task: &str| is_task(task) || is_environment(&environment_of(task));
        let needed: BTreeSet<String> = self.task_ids().filter(|id| is_kept(id)).map(environment_of).collect();
        let kept: BTreeSet<String> =
            self.environment_ids().filter(|id| is_environment(id)).map(str::to_owned).collect();
        let is_of = |file: &str| match (id_of(file, "tasks/"), id_of(file, "environments/").or(id_of(file, "scripts/")))
        {
            (Some(task), _) => is_kept(task),
            (None, Some(id)) => id.starts_with("lib/") || is_environment(id) || needed.contains(id),
            (None, None) => folder::below(file).is_none_or(|of| {
                let lies =
                    |id: &str| id == of || id.starts_with(&format!("{of}/")) || of.starts_with(&format!("{id}/"));
                needed.iter().any(|id| lies(id)) || kept.iter().any(|id| lies(id))
            }),
        };
        self.diagnostics.retain(|found| is_of(&found.file));
        self.left_out.retain(|left| is_of(&left.path));
        self.tasks.retain(|id, _| is_kept(id));
        self.environments.retain(|id, _| is_environment(id));
    }

    /// Whether the environment of a task's file is there and has errors.
    fn has_broken_environment(&self, path: &str) -> bool {
        let id = id_of(path, "tasks/").and_then(|id| id.rsplit_once('/')).map(|(id, _)| id);
        id.is_some_and(|id| !self.environments.contains_key(id) && self.environment_ids().any(|known| known == id))
    }

    pub fn files_of(&self, tasks: &[String]) -> Files {
        let mut files = Files::new();
        for loaded in tasks.iter().filter_map(|id| self.tasks.get(id)) {
            files.insert(loaded.file.path.clone(), loaded.file.text.clone());
            files.extend(loaded.file.lock.clone().map(|lock| (lock::path_of(&loaded.file.path), lock)));
            let environment = loaded.task.environment();
            if let Some(file) = self.files.get(environment.id()) {
                files.insert(file.path.clone(), file.text.clone());
            }
            let sources = environment.sources();
            for source in std::iter::once(&sources.main).chain(sources.libraries.values()) {
                files.insert(source.file.clone(), source.text.clone());
            }
        }
        files
    }

    fn load_environment(&mut self, path: &str, text: &str, scripts: &Scripts) {
        let LoadedEnvironment { id, environment, diagnostics, .. } = match environment::load(path, text, scripts) {
            Ok(loaded) => loaded,
            Err(found) => return self.diagnostics.extend(found),
        };
        // A script that is there and cannot be read, or lies in the wrong place, is no missing one.
        let script = format!("scripts/{id}.rhai");
        let is_there = self.is_told(&script) || self.is_told_elsewhere(&script);
        self.diagnostics.extend(diagnostics.into_iter().filter(|found| !(is_there && found.code == "missing_script")));
        let file = LoadedFile { path: path.to_owned(), text: text.to_owned(), lock: None };
        if let Some(environment) = environment {
            let problems = text::of_warnings(&environment);
            if problems.is_empty() {
                self.environments.insert(id.clone(), Arc::new(environment));
            }
            self.diagnostics.extend(file.diagnose(problems));
        }
        self.files.insert(id, file);
    }

    fn load_task(&mut self, path: &str, text: &str, lock: &Lock) {
        let file = match crate::load::task(path, text, lock.read()) {
            Ok((file, _)) => file,
            Err(found) => return self.diagnostics.extend(found),
        };
        self.diagnostics.extend(lock.read().and_then(|text| lock::orphans(path, text, &file)));
        let loaded = LoadedFile { path: path.to_owned(), text: text.to_owned(), lock: lock.text() };
        let mut problems = Vec::new();
        problems.extend(environment::misplaced(&file.id, path, "tasks"));
        let Some(environment) = self.environments.get(&file.environment).cloned() else {
            // An environment with errors of its own has been reported where it stands.
            let its_file = format!("environments/{}.json", file.environment);
            let is_reported = self.is_told(&its_file) || self.is_told_elsewhere(&its_file);
            if !is_reported && !self.files.contains_key(&file.environment) {
                let help = suggest::help(&file.environment, self.environments.keys().map(String::as_str));
                let message = format!("there is no environment `{}`", file.environment);
                problems.push(Problem::error("/environment", "unknown_environment", message).help(help));
            }
            return self.diagnostics.extend(loaded.diagnose(problems));
        };
        let id = file.id.clone();
        let (task, mut found) = Task::build(file, environment);
        // One line about an id is enough.
        found.retain(|problem| problem.code != "bad_id" || problems.is_empty());
        let has_drifted = found.iter().any(|problem| problem.code == STATE_DRIFT);
        // What a lock file holds that cannot be read is not known to be missing.
        found.retain(|problem| problem.code != STATE_DRIFT || !matches!(lock, Lock::Unread(_)));
        problems.extend(found);
        self.diagnostics.extend(loaded.diagnose(problems));
        if let Some(task) = task {
            self.tasks.insert(id, LoadedTask { task: Arc::new(task), file: loaded, has_drifted });
        }
    }

    /// The initial state of a task that has errors elsewhere.
    fn start(&self, path: &str, text: &str, lock: &Lock) -> Option<(LoadedFile, Hash)> {
        let (file, _) = crate::load::task(path, text, lock.read()).ok()?;
        let hash = Task::initial_hash(&file, self.environments.get(&file.environment)?)?;
        Some((LoadedFile { path: path.to_owned(), text: text.to_owned(), lock: lock.text() }, hash))
    }

    /// A lock file without its task: one that is there but cannot be read, or is called nearly so, is not gone.
    fn check_orphan_lock(&mut self, path: &str, task: &str, files: &Files) {
        if files.contains_key(task) || self.is_told(task) || self.is_told_elsewhere(task) {
            return;
        }
        let (folder, name) = task.rsplit_once('/').unwrap_or_default();
        let name_of = |path: &str| {
            let (of, name) = path.rsplit_once('/')?;
            let is_alone = lock::task_of(path).is_none() && !files.contains_key(&lock::path_of(path));
            (of == folder && is_alone).then(|| name.to_owned())
        };
        let told = self.diagnostics.iter().map(|found| found.file.as_str());
        let alone: BTreeSet<String> = files.keys().map(String::as_str).chain(told).filter_map(name_of).collect();
        let nearly = alone.iter().find(|other| other.to_lowercase().starts_with(name.trim_end_matches(".json")));
        let near = nearly.map(String::as_str).or_else(|| suggest::nearest(name, alone.iter().map(String::as_str)));
        let help = match near {
            Some(near) => format!("its task would be `{name}`; is that `{near}`? then give both one name"),
            None => format!("its task would be `{name}`; if that is gone, remove this as well"),
        };
        let refused = Diagnostic::file(path, "orphan_lock", "there is no task that this is generated for");
        self.diagnostics.push(refused.help(help));
    }

    fn check_orphan_scripts(&mut self, scripts: &Scripts) {
        for file in scripts.keys().filter(|file| !file.starts_with("scripts/lib/")) {
            let id = file.strip_prefix("scripts/").and_then(|rest| rest.strip_suffix(".rhai")).unwrap_or_default();
            let its_file = format!("environments/{id}.json");
            let is_known = self.files.contains_key(id)
                || self.is_told(&its_file)
                || self.is_told_elsewhere(&its_file)
                || self.is_told(file);
            if !is_known {
                let message = format!("no environment `{id}` uses this script");
                let help = "name it after its environment, or put shared functions into scripts/lib/";
                self.diagnostics.push(Diagnostic::file(file, "orphan_script", message).help(help));
            }
        }
    }
}

fn id_of<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder)?;
    [".lock.json", ".json", ".rhai"].into_iter().find_map(|end| rest.strip_suffix(end))
}
