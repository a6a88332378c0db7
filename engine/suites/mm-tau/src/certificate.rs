//! Proof that a generated task is what it says: broken before each repair, mended after the last one, or rightly handed
//! over (docs/MM_TAU.md, "Telecom tasks").

use serde_json::{Value, json};

use crate::telecom::{Call, Gold, TelecomTask, escalation};
use probity_engine::{Actor, Difficulty, Environment, Session, State, ToolCall};

pub const TELECOM: &str = "tau/telecom";

/// What makes the household of the generated tasks.
const MOVE_IN: &str = "move_in";

/// The state in which a task begins, in our own population.
/// An error, a line: the environment cannot be populated, or refuses a call of the task.
pub fn beginning(environment: &Environment, seed: u64, task: &TelecomTask) -> Result<State, String> {
    beginning_at(environment, household(environment, seed)?, task)
}

/// The state in which the household of all tasks has moved in.
/// An error, a line: the environment cannot be populated, or refuses the move.
pub fn household(environment: &Environment, seed: u64) -> Result<State, String> {
    let mut stage = Stage::new(environment, environment.populate(Difficulty::Easy, seed)?);
    stage.step(&ToolCall::new(MOVE_IN, json!({})))?;
    Ok(stage.0.into_state())
}

/// The state in which a task of a household begins.
/// An error, a line: the environment refuses a call of the task.
pub(crate) fn beginning_at(environment: &Environment, household: State, task: &TelecomTask) -> Result<State, String> {
    let mut stage = Stage::new(environment, household);
    task.initialization().iter().try_for_each(|call| stage.call(call).map(drop))?;
    Ok(stage.0.into_state())
}

/// Proves a task that begins in a state.
/// An error, a line: what does not hold, and before or after which call.
pub fn certify(environment: &Environment, beginning: &State, task: &TelecomTask) -> Result<(), String> {
    let mut stage = Stage::new(environment, beginning.clone());
    match task.gold() {
        Gold::Transfer(transfer) => {
            stage.is_met(task)?.then_some(()).ok_or("what cannot be repaired is not broken")?;
            stage.may_transfer().then_some(()).ok_or("nothing cannot be repaired")?;
            stage.call(&transfer)?;
            stage.is_met(task)?.then_some(()).ok_or("the transfer changed what it should not")?;
        }
        Gold::Repair(calls) => {
            for (index, call) in calls.iter().enumerate() {
                let before = |what: &str| format!("before call {index} of the repair, {}: {what}", call.function);
                if stage.may_transfer() {
                    return Err(before("a transfer is right"));
                }
                if stage.is_met(task)? {
                    return Err(before("nothing is broken"));
                }
                stage.call(call)?;
            }
            stage.is_met(task)?.then_some(()).ok_or("something is broken after the repair")?;
            (!stage.may_transfer()).then_some(()).ok_or("a transfer is right after the repair")?;
        }
    }
    Ok(())
}

/// A session in which a task is proved.
struct Stage<'e>(Session<&'e Environment>);

impl<'e> Stage<'e> {
    fn new(environment: &'e Environment, start: State) -> Stage<'e> {
        Stage(Session::new(environment, start))
    }

    fn call(&mut self, call: &Call) -> Result<Value, String> {
        let actor = self.0.environment().tool(&call.function).map(|tool| tool.actor);
        if actor.is_some_and(|actor| actor != Actor::Task && actor != call.side) {
            return Err(format!("`{}` is the other side's", call.function));
        }
        self.step(&call.made())
    }

    fn step(&mut self, call: &ToolCall) -> Result<Value, String> {
        self.0.call_as_owner(call).map_err(|refused| format!("`{}`: {}", call.tool, refused.message))
    }

    fn is_met(&mut self, task: &TelecomTask) -> Result<bool, String> {
        for assertion in task.assertions() {
            if self.call(&assertion.call)? != Value::Bool(assertion.expected) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn may_transfer(&self) -> bool {
        escalation().is_allowed(&self.0.state().to_json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telecom::{TaskSet, task, tasks};
    use std::path::Path;

    fn telecom() -> Environment {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mm-tau");
        Environment::load(&root, TELECOM).unwrap()
    }

    #[test]
    fn the_whole_generator_is_certified() {
        let environment = telecom();
        let failed = |task: &TelecomTask| {
            let begun = beginning(&environment, 41, task);
            let proved = begun.and_then(|begun| certify(&environment, &begun, task));
            proved.err().map(|why| format!("{}: {why}", task.id()))
        };
        let failed: Vec<String> = tasks(TaskSet::Extended).filter_map(|task| failed(&task)).collect();
        assert!(failed.is_empty(), "{} tasks, first: {:#?}", failed.len(), failed.iter().take(5).collect::<Vec<_>>());
    }

    #[test]
    fn a_task_that_is_whole_already_is_refused() {
        let environment = telecom();
        let task = task("[mobile_data_issue]data_mode_off|bad_vpn").unwrap();
        let begun = beginning(&environment, 41, &task).unwrap();
        let whole = Gold::Repair(Vec::new());
        assert_ne!(task.gold(), whole);
        let mut stage = Stage::new(&environment, begun);
        for call in task.gold().calls() {
            stage.call(call).unwrap();
        }
        let why = certify(&environment, stage.0.state(), &task).unwrap_err();
        assert!(why.contains("nothing is broken"), "{why}");
    }
}
