//! The desk tasks, read and checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::task::{DESK_WORLDS, DeskTask, DeskTaskFile, course_problem, problems};
use probity_bench::Files;
use probity_engine::load::{diagnose, diagnose_all};
use probity_engine::{Diagnostic, Environment, strict};

/// The desk tasks by their ids.
#[derive(Default)]
pub struct DeskSuite {
    /// The tasks with which nothing is wrong.
    pub tasks: BTreeMap<String, Arc<DeskTask>>,
    /// All that is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl DeskSuite {
    /// Reads the tasks among `files`, which lie below `folder`; `environments` are the worlds by their names.
    pub fn from_files(files: &Files, folder: &str, environments: &BTreeMap<String, Arc<Environment>>) -> DeskSuite {
        let mut suite = DeskSuite::default();
        for (path, text) in files {
            let below = path.strip_prefix(folder).and_then(|path| path.strip_prefix("/tasks/"));
            let Some(id) = below.and_then(|path| path.strip_suffix(".json")) else { continue };
            let world = DESK_WORLDS.iter().find(|(desk, _)| id.starts_with(&format!("{desk}/")));
            let Some((_, world)) = world else {
                let message = "there is no such desk";
                let help = "put the task in `tasks/retail` or `tasks/airline`";
                suite.diagnostics.push(Diagnostic::file(path, "unknown_desk", message).help(help));
                continue;
            };
            // What is wrong with the world is told where it is read.
            let Some(environment) = environments.get(*world) else { continue };
            match read(id, path, text, environment) {
                Ok(task) => drop(suite.tasks.insert(id.to_owned(), Arc::new(task))),
                Err(found) => suite.diagnostics.extend(found),
            }
        }
        suite
    }
}

fn read(id: &str, path: &str, text: &str, environment: &Arc<Environment>) -> Result<DeskTask, Vec<Diagnostic>> {
    let (file, positions) = strict::parse::<DeskTaskFile>(path, text)?;
    let found = problems(&file, environment);
    if !found.is_empty() {
        return Err(diagnose_all(path, &positions, found));
    }
    let task = DeskTask::new(id, file, environment.clone());
    match course_problem(&task) {
        Some(problem) => Err(vec![diagnose(path, &positions, problem)]),
        None => Ok(task),
    }
}
