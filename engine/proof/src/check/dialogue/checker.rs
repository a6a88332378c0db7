//! All that is asked of the dialogues of one task.

use super::inference::Sheet;
use super::scene::Stage;
use super::{behaviour, extra, facts, inference, turns, weak};
use probity_behaviour::task::Task;
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
