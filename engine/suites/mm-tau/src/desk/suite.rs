//! The desk tasks, read and checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::task::{DESK_WORLDS, DeskTask, DeskTaskFile, certificate_problem, populated, problems};
use probity_bench::{Files, kit::below};
use probity_engine::load::{diagnose, diagnose_all};
use probity_engine::{Diagnostic, Environment, State, strict};

/// The tasks among the files of the suite by their ids, and all that is wrong with them; `environments` are the worlds by
/// their names.
pub fn desk_tasks(
    files: &Files,
    environments: &BTreeMap<String, Arc<Environment>>,
) -> (BTreeMap<String, Arc<DeskTask>>, Vec<Diagnostic>) {
    let (mut tasks, mut diagnostics) = (BTreeMap::new(), Vec::new());
    // Most tasks begin with the usual seed.
    let mut known: BTreeMap<(&str, u64), Result<State, String>> = BTreeMap::new();
    for (id, path, text) in below(files, "mm-tau/desk/", ".json") {
        let world = DESK_WORLDS.iter().find(|(desk, _)| id.starts_with(&format!("{desk}/")));
        let Some((_, world)) = world else {
            let help = "put the task in `desk/retail` or `desk/airline`";
            diagnostics.push(Diagnostic::file(path, "unknown_desk", "there is no such desk").help(help));
            continue;
        };
        // What is wrong with the world is told where it is read.
        let Some(environment) = environments.get(*world) else { continue };
        let populate = |environment: &Environment, seed: u64| {
            known.entry((*world, seed)).or_insert_with(|| populated(environment, seed)).clone()
        };
        match read(id, (path, text), environment, populate) {
            Ok(task) => drop(tasks.insert(id.to_owned(), Arc::new(task))),
            Err(found) => diagnostics.extend(found),
        }
    }
    (tasks, diagnostics)
}

fn read(
    id: &str,
    (path, text): (&str, &str),
    environment: &Arc<Environment>,
    populate: impl FnOnce(&Environment, u64) -> Result<State, String>,
) -> Result<DeskTask, Vec<Diagnostic>> {
    let (file, positions) = strict::parse::<DeskTaskFile>(path, text)?;
    let found = problems(&file, environment);
    if !found.is_empty() {
        return Err(diagnose_all(path, &positions, found));
    }
    let task = DeskTask::new(id, file, environment.clone(), populate);
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
    fn each_task_begins_in_the_world_of_its_seed() {
        let at = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mm-tau/desk/retail/warmer_blanket.json");
        let text = std::fs::read_to_string(at).unwrap();
        let seeded = text.replacen('{', "{\"seed\": 8,", 1);
        let files = [("a", &text), ("b", &seeded), ("c", &text)]
            .map(|(id, text)| (format!("mm-tau/desk/retail/{id}.json"), text.clone()));
        let (tasks, diagnostics) = desk_tasks(&Files::from(files), &worlds());
        assert_eq!(tasks.keys().collect::<Vec<_>>(), ["retail/a", "retail/c"]);
        assert_eq!((diagnostics.len(), diagnostics[0].code.as_str()), (1, "not_certified"), "{diagnostics:#?}");
        assert_eq!(tasks["retail/a"].beginning().unwrap().sum(), tasks["retail/c"].beginning().unwrap().sum());
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
        let (tasks, diagnostics) = desk_tasks(&files, &worlds());
        let found: Vec<_> =
            diagnostics.iter().map(|found| (found.line, found.code.as_str(), found.help.is_some())).collect();
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
        assert_eq!(found, expected, "{:#?}", diagnostics);
        assert!(tasks.is_empty());
    }
}
