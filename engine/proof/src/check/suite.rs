//! The checks of all tasks of a suite.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::dialogue::inference::Sheet;
use super::environment::Explored;
use super::oracle::OracleProblems;
use super::{dialogue, environment, leaks, oracle, policy, texts};
use crate::store::{Store, key, problems};
use probity_behaviour::score::honesty::Grounds;
use probity_behaviour::suite::{LoadedTask, Suite};
use probity_behaviour::task::Task;
use probity_behaviour::task::text::Quote;
use probity_engine::{Constraints, Diagnostic, Environment, Problem, recall};

/// Checks every task of a suite beyond what loading found; all diagnostics, in order. What `store` knows to be clean
/// is not looked at again.
pub fn check(suite: &Suite, store: &dyn Store) -> Vec<Diagnostic> {
    check_tasks(suite, store, "oracle", |_| Vec::new())
}

/// What [`check`] finds of one task by playing it.
pub fn check_one(suite: &Suite, loaded: &LoadedTask, store: &dyn Store) -> Vec<Diagnostic> {
    played(suite, loaded, &Grounds::default(), store, "oracle", |_| Vec::new())
}

/// [`check`] and what is asked of dialogues (L3).
pub fn check_dialogues(suite: &Suite, store: &dyn Store) -> Vec<Diagnostic> {
    check_tasks(suite, store, "dialogue", |task| dialogue::check(task).0)
}

/// Checks the files and plays the tasks, with what else is asked of them by a check of this name.
fn check_tasks(
    suite: &Suite,
    store: &dyn Store,
    name: &str,
    more: impl Fn(&Task) -> Vec<Problem> + Send + Sync,
) -> Vec<Diagnostic> {
    let mut diagnostics = of_files(suite, store);
    let grounds = Grounds::default();
    diagnostics.extend(of_tasks(suite, |loaded| played(suite, loaded, &grounds, store, name, &more)));
    settle(&mut diagnostics);
    diagnostics
}

fn played(
    suite: &Suite,
    loaded: &LoadedTask,
    grounds: &Grounds,
    store: &dyn Store,
    name: &str,
    more: impl Fn(&Task) -> Vec<Problem>,
) -> Vec<Diagnostic> {
    let task = loaded.task.as_ref();
    let key = key(name, task.environment(), &[task]);
    problems(store, &key, || recall::within(|| check_task(suite, loaded, grounds, more(task))))
}

/// What is found without playing a task.
fn of_files(suite: &Suite, store: &dyn Store) -> Vec<Diagnostic> {
    let mut diagnostics = suite.diagnostics.clone();
    diagnostics.extend(policy::check(suite));
    diagnostics.extend(told(suite));
    diagnostics.extend(texts::check(suite));
    diagnostics.extend(environment::check_states(suite, store));
    diagnostics
}

/// What comes of each task whose initial state is what it says, several at once, in their order.
fn of_tasks<T: Send>(suite: &Suite, check: impl Fn(&LoadedTask) -> Vec<T> + Send + Sync) -> Vec<T> {
    let tasks: Vec<&LoadedTask> = suite.tasks.values().filter(|loaded| !loaded.has_drifted).collect();
    tasks.into_par_iter().with_max_len(1).map(check).collect::<Vec<_>>().into_iter().flatten().collect()
}

/// Tables of where everything can be known from.
pub type Sheets = BTreeMap<String, Vec<Sheet>>;

/// [`check_dialogues`] and an exploration of every environment (L1). `is_done` is told of each environment.
pub fn check_all(suite: &Suite, store: &dyn Store, is_done: &(dyn Fn() + Sync)) -> Explored {
    let mut explored = environment::check(suite, store, is_done);
    explored.diagnostics.extend(check_dialogues(suite, store));
    settle(&mut explored.diagnostics);
    explored
}

/// Where everything can be known from, by task.
pub fn sheets(suite: &Suite) -> Sheets {
    let read = of_tasks(suite, |loaded| vec![(loaded.task.id().to_owned(), dialogue::check(&loaded.task).1)]);
    read.into_iter().collect()
}

/// What its oracles, its leaks and its start show of a task, beside what was found of its dialogues.
fn check_task(suite: &Suite, loaded: &LoadedTask, grounds: &Grounds, dialogues: Vec<Problem>) -> Vec<Diagnostic> {
    let OracleProblems { of_task, of_environment } = oracle::check(&loaded.task, grounds);
    let mut found = in_environment(suite, loaded, of_environment);
    let known = of_task.into_iter().filter(|known| !dialogue::is_same(known, &dialogues)).collect::<Vec<_>>();
    let (leaks, broken) = (leaks::check(&loaded.task), environment::broken_at_start(&loaded.task));
    found.extend(loaded.file.diagnose(known.into_iter().chain(leaks).chain(broken).chain(dialogues)));
    found
}

/// Faults of a task's environment that its oracles met.
fn in_environment(suite: &Suite, loaded: &LoadedTask, problems: Vec<Problem>) -> Vec<Diagnostic> {
    let file = suite.files.get(loaded.task.environment().id());
    file.map(|file| file.diagnose(problems)).unwrap_or_default()
}

/// Sorts diagnostics; a fault that several tasks meet is told once.
fn settle(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort();
    diagnostics.dedup_by(|next, kept| Diagnostic { help: kept.help.clone(), ..next.clone() } == *kept);
}

/// Edges whose `told` stands nowhere.
fn told(suite: &Suite) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, environment) in &suite.environments {
        let tasks: Vec<&Task> = suite.tasks_of(id).map(|loaded| loaded.task.as_ref()).collect();
        let mut problems = told_problems(&environment.file().constraints, environment, &tasks);
        // A task that cannot be read may be the one whose users say it.
        problems.retain(|_| suite.is_whole(id));
        found.extend(suite.files.get(id).map(|file| file.diagnose(problems)).unwrap_or_default());
    }
    for loaded in suite.tasks.values() {
        let task = &loaded.task;
        found.extend(loaded.file.diagnose(told_problems(&task.file().constraints, task.environment(), &[task])));
    }
    found
}

/// Of an environment's edge it is enough when the users of one task say it: the others may have no use for it.
fn told_problems(constraints: &Constraints, environment: &Environment, tasks: &[&Task]) -> Vec<Problem> {
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
