//! L3: what the users of a task say, and what an agent can know by it.
//!
//! Every argument of an oracle and everything it must say is known from somewhere by then; every turn is
//! answered; every behaviour is really there; no outcome is met by words that say nothing.

pub mod behaviour;
pub mod explain;
pub mod extra;
pub mod facts;
pub mod inference;
pub mod origin;
pub mod scene;
pub mod turns;
pub mod weak;

mod need;
mod said_once;
mod words;

#[cfg(test)]
mod dialogue_tests;

use inference::Sheet;
use scene::Stage;

use crate::task::Task;
use probity_engine::Problem;

/// Problems of a task's dialogues, and the table of where everything can be known from.
pub fn check(task: &Task) -> (Vec<Problem>, Vec<Sheet>) {
    let stage = Stage::new(task);
    let sheets = inference::sheets(&stage);
    let mut problems = inference::check(task, &sheets);
    problems.extend(facts::check(&stage, &sheets));
    problems.extend(turns::check(&stage));
    problems.extend(behaviour::check(&stage));
    problems.extend(extra::check(&stage));
    problems.extend(weak::check(task));
    (problems, sheets)
}

/// Whether playing the oracle (L2) found what stands here more exactly: an argument that came from nowhere.
pub fn is_same(known: &Problem, found: &[Problem]) -> bool {
    let is_argument = |problem: &Problem| matches!(problem.code, "uninferable_argument" | "told_too_late");
    known.code == "oracle_not_perfect" && known.message.contains("ungrounded_argument") && found.iter().any(is_argument)
}
