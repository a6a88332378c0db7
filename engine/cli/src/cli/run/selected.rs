//! What is selected must be there: filters that match, and agents that have something to play.

use std::collections::{BTreeMap, BTreeSet};

use super::Refusal;
use probity_behaviour::episode::spec::AgentSpec;
use probity_behaviour::run::config::Selection;
use probity_behaviour::run::plan::Unit;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_engine::model::ids::Difficulty;
use probity_engine::model::suggest;

/// A filter that matches nothing is a slip, even where another one matches.
pub(super) fn every_filter_matches(suite: &Suite, selection: &Selection) -> Result<(), Refusal> {
    let tasks: Vec<&Task> = suite.tasks.values().map(|loaded| loaded.task.as_ref()).collect();
    let known = |names: &dyn Fn(&Task) -> String| tasks.iter().map(|task| names(task)).collect::<BTreeSet<String>>();
    let last = |id: &str| id.rsplit('/').next().unwrap_or_default().to_owned();
    let text = |difficulties: &[Difficulty]| difficulties.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut ids = known(&|task| task.id().to_owned());
    ids.extend(known(&|task| last(task.id())));
    let filters = [
        ("--env", selection.environments.clone(), known(&|task| task.environment().id().to_owned())),
        ("--domain", selection.domains.clone(), known(&|task| task.domain().to_owned())),
        ("--task", selection.tasks.clone(), ids),
        ("--difficulty", text(&selection.difficulties), known(&|task| task.difficulty().to_string())),
    ];
    for (flag, wanted, known) in filters {
        if let Some(wrong) = wanted.iter().find(|name| !known.contains(*name)) {
            let near = suggest::nearest(wrong, known.iter().map(String::as_str));
            let listed = || "`probity show` lists all tasks".to_owned();
            let help = near.map_or_else(listed, |near| format!("did you mean `{near}`?"));
            return Err((format!("`{flag} {wrong}` matches no task"), help));
        }
    }
    Ok(())
}

/// Refuses a run without episodes, and recorded episodes that fit nothing.
pub(super) fn something_is_played(units: &[Unit], agents: &BTreeMap<String, AgentSpec>) -> Result<(), Refusal> {
    let plays = |name: &str, spec: &AgentSpec| units.iter().any(|unit| unit.agent == name && unit.is_playable(spec));
    for (name, spec) in agents.iter().filter(|(_, spec)| matches!(spec, AgentSpec::Replay(_))) {
        if !plays(name, spec) {
            let message =
                format!("`{name}` has nothing to say again: it was recorded with other tasks, seeds or trials");
            return Err((
                message,
                "give the filters and the `--seed` of the recorded run, see its run.json".to_owned(),
            ));
        }
    }
    if !agents.iter().any(|(name, spec)| plays(name, spec)) {
        let message = "there is no episode to play: no agent has anything to do in the selected tasks".to_owned();
        return Err((
            message,
            "a planted fault applies to some tasks only; select others, or add `--agent oracle`".to_owned(),
        ));
    }
    Ok(())
}
