//! The desk tasks, read and checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::task::{DESK_WORLDS, DeskTask, DeskTaskFile, certificate_problem, problems};
use probity_bench::Files;
use probity_engine::load::{diagnose, diagnose_all};
use probity_engine::{Diagnostic, Environment, strict};

#[derive(Default)]
pub struct DeskSuite {
    pub tasks: BTreeMap<String, Arc<DeskTask>>,
    pub diagnostics: Vec<Diagnostic>,
}

impl DeskSuite {
    /// Reads the tasks among `files`, which lie below `folder`; `environments` are the worlds by their names.
    pub fn from_files(files: &Files, folder: &str, environments: &BTreeMap<String, Arc<Environment>>) -> DeskSuite {
        let mut suite = DeskSuite::default();
        for (path, text) in files {
            let below = path.strip_prefix(folder).and_then(|path| path.strip_prefix("/desk/"));
            let Some(id) = below.and_then(|path| path.strip_suffix(".json")) else { continue };
            let world = DESK_WORLDS.iter().find(|(desk, _)| id.starts_with(&format!("{desk}/")));
            let Some((_, world)) = world else {
                let message = "there is no such desk";
                let help = "put the task in `desk/retail` or `desk/airline`";
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
    match certificate_problem(&task) {
        Some(problem) => Err(vec![diagnose(path, &positions, problem)]),
        None => Ok(task),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn worlds() -> BTreeMap<String, Arc<Environment>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mm-tau");
        let world = |(_, world): (&str, &str)| (world.to_owned(), Arc::new(Environment::load(&root, world).unwrap()));
        DESK_WORLDS.map(world).into_iter().collect()
    }

    #[test]
    fn all_problems_are_told_at_their_places() {
        let text = r##"{
 "opening": [],
 "facts": {"email": {"kind": "email", "value": "a@b.c"}},
 "wishes": [[
  {"says": ["x"], "offer": "x", "call": {"tool": "cancel_order", "arguments": {}}},
  {"says": [], "offer": " ", "until": "proposed"},
  {"says": [""], "offer": "x", "until": {"told": []}, "named": [{"is": [], "not": [""]}]},
  {"says": ["x"], "offer": "x", "until": {"called": "get_order"}, "tells": [""], "facts": {"zip": {"kind": "digits", "value": ""}}},
  {"says": ["x"], "offer": "x", "ends": "refused"}
 ]],
 "critical_fields": ["user_id"]
}"##;
        let typo = text.replace("opening", "openings");
        let files = Files::from([
            ("mm-tau/desk/retail/a.json".to_owned(), text.to_owned()),
            ("mm-tau/desk/retail/b.json".to_owned(), typo),
            ("mm-tau/desk/bank/c.json".to_owned(), "{}".to_owned()),
        ]);
        let suite = DeskSuite::from_files(&files, "mm-tau", &worlds());
        let found: Vec<_> =
            suite.diagnostics.iter().map(|found| (found.line, found.code.as_str(), found.help.is_some())).collect();
        let expected = [
            (0, "unknown_desk", true),
            (2, "empty_list", true),
            (5, "endless_stage", true),
            (5, "unknown_tool", true),
            (6, "missing_call", true),
            (6, "empty_list", true),
            (6, "empty_text", true),
            (7, "empty_text", true),
            (7, "empty_list", true),
            (7, "empty_list", true),
            (7, "empty_text", true),
            (8, "unknown_tool", true),
            (8, "empty_text", true),
            (8, "empty_text", true),
            (11, "unknown_fact", true),
            (2, "unknown_key", true),
        ];
        assert_eq!(found, expected, "{:#?}", suite.diagnostics);
        assert!(suite.tasks.is_empty());
    }
}
