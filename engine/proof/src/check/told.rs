//! `told` of an edge quotes what an agent can read or hear, also where the edge has another reason.

use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_behaviour::task::quote::Quote;
use probity_engine::{Constraints, Diagnostic, Environment, Problem};

/// Edges whose `told` stands nowhere.
pub(super) fn check(suite: &Suite) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, environment) in &suite.environments {
        let tasks: Vec<&Task> = suite.tasks_of(id).map(|loaded| loaded.task.as_ref()).collect();
        let mut problems = problems(&environment.file().constraints, environment, &tasks);
        // A task that cannot be read may be the one whose users say it.
        problems.retain(|_| suite.is_whole(id));
        found.extend(suite.files.get(id).map(|file| file.diagnose(problems)).unwrap_or_default());
    }
    for loaded in suite.tasks.values() {
        let task = &loaded.task;
        found.extend(loaded.file.diagnose(problems(&task.file().constraints, task.environment(), &[task])));
    }
    found
}

/// Of an environment's edge it is enough when the users of one task say it: the others may have no use for it.
fn problems(constraints: &Constraints, environment: &Environment, tasks: &[&Task]) -> Vec<Problem> {
    let told = constraints.precedence.iter().enumerate();
    let told = told.filter_map(|(i, edge)| Some((format!("/constraints/precedence/{i}/told"), edge.told.as_deref()?)));
    told.filter_map(|(at, told)| {
        let quote = Quote::new(told);
        let message = quote.too_short().or_else(|| {
            let is_said = |task: &&Task| task.variants().values().all(|user| quote.is_said(&user.turns));
            let is_known = quote.is_in_brief(environment) || tasks.iter().any(is_said);
            (!is_known).then(|| format!("`told` quotes \"{}\", which an agent reads and hears nowhere", told.trim()))
        })?;
        let help = "quote the policy, a tool's description or what every user says, word by word, or leave it out";
        Some(Problem::error(at, "told_nowhere", message).help(help))
    })
    .collect()
}
