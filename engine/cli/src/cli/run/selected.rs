//! What is selected must be there: filters that match, and agents that have something to play.

use std::collections::{BTreeMap, BTreeSet};

use probity_bench::{AgentSpec, Card, Instance, Selection, Units};
use probity_engine::suggest;
use probity_local::Failure;

/// A filter that matches nothing is a slip, even where another one matches.
pub(super) fn every_filter_matches(card: &Card, instances: &[Instance], selection: &Selection) -> Result<(), Failure> {
    let last = |id: &str| id.rsplit('/').next().unwrap_or_default().to_owned();
    let ids = instances.iter().flat_map(|at| [at.task.clone(), last(&at.task)]);
    let mut filters = vec![("--task".to_owned(), &selection.tasks, ids.collect::<BTreeSet<String>>())];
    for (factor, wanted) in &selection.levels {
        if card.factor(factor).is_none() {
            let help = suggest::help(factor, card.factors.iter().map(|factor| factor.name));
            return Err(Failure::new(format!("the suite `{}` has no factor `{factor}`", card.name), help));
        }
        let known = instances.iter().filter_map(|at| at.factors().get(factor).map(str::to_owned)).collect();
        filters.push((flag(factor), wanted, known));
    }
    for (flag, wanted, known) in filters {
        if let Some(wrong) = wanted.iter().find(|name| !known.contains(*name)) {
            let help = near(wrong, &known)
                .or_else(|| elsewhere(wrong, instances))
                .unwrap_or_else(|| "`probity show` lists all tasks".to_owned());
            return Err(Failure::new(format!("`{flag} {wrong}` matches no task"), help));
        }
    }
    Ok(())
}

/// What a name that matches nothing may have been meant for: a path, a part of an id, a slip of the hand.
fn near(wrong: &str, known: &BTreeSet<String>) -> Option<String> {
    let path = ["tasks/", "environments/"].into_iter().find_map(|folder| wrong.split_once(folder)).map(|(_, id)| id);
    let id = path.unwrap_or(wrong).trim_end_matches('/');
    let id = [".lock.json", ".json"].into_iter().find_map(|end| id.strip_suffix(end)).unwrap_or(id);
    if id != wrong && known.contains(id) {
        return Some(format!("did you mean `{id}`?"));
    }
    let of_part: Vec<String> = known.iter().filter(|known| known.split('/').any(|part| part == id)).cloned().collect();
    match of_part.as_slice() {
        [one] => Some(format!("did you mean `{one}`?")),
        [] => suggest::nearest(id, known.iter().map(String::as_str)).map(|near| suggest::help(id, [near])),
        [first, ..] => Some(format!("it is part of {} names, such as `{first}`", of_part.len())),
    }
}

/// The flag that a name is for, if it is a level of a factor.
fn elsewhere(wrong: &str, instances: &[Instance]) -> Option<String> {
    instances.iter().find_map(|at| {
        let factors = at.factors();
        let (factor, _) = factors.iter().find(|(_, level)| *level == wrong)?;
        Some(format!("`{} {wrong}` selects by it", flag(factor)))
    })
}

fn flag(factor: &str) -> String {
    match factor {
        "environment" => "--env".to_owned(),
        "domain" | "variant" | "difficulty" => format!("--{factor}"),
        other => format!("--level {other}="),
    }
}

/// Refuses a run without episodes, and recorded episodes that fit nothing.
pub(in crate::cli) fn something_is_played(units: &Units, agents: &BTreeMap<String, AgentSpec>) -> Result<(), Failure> {
    let plays = |name: &str, spec: &AgentSpec| units.iter().any(|unit| *unit.agent == *name && unit.is_playable(spec));
    for (name, spec) in agents.iter().filter(|(_, spec)| matches!(spec, AgentSpec::Replay(_))) {
        if !plays(name, spec) {
            let message =
                format!("`{name}` has nothing to say again: it was recorded with other tasks, seeds or trials");
            return Err(Failure::new(
                message,
                "give the filters and the `--seed` of the recorded run, see its run.json",
            ));
        }
    }
    if !agents.iter().any(|(name, spec)| plays(name, spec)) {
        let message = "there is no episode to play: no agent has anything to do in the selected tasks".to_owned();
        return Err(Failure::new(
            message,
            "a planted fault applies to some tasks only; select others, or add `--agent oracle`",
        ));
    }
    Ok(())
}

/// `factor=level`.
pub(in crate::cli) fn level(text: &str) -> Result<(String, String), String> {
    let (factor, level) = text.split_once('=').ok_or("write it as FACTOR=LEVEL")?;
    Ok((factor.to_owned(), level.to_owned()))
}
