//! Playing an oracle trace on a fresh state, without a dialogue.

use serde_json::Value;

use super::reference::{Dangling, Observations};
use super::{OracleCall, Outcome, Task};
use probity_engine::{Actor, Applied, Rejection, State, Stepped, ToolCall};

pub struct OracleRun {
    /// Each call, references filled in, with what it returned.
    pub calls: Vec<(ToolCall, Applied)>,
    pub last: State,
}

impl OracleRun {
    pub fn tool_calls(&self) -> Vec<ToolCall> {
        self.calls.iter().map(|(call, _)| call.clone()).collect()
    }

    /// What the calls returned, for [`Observations`].
    pub fn observations(&self) -> Vec<Option<&Value>> {
        self.calls.iter().map(|(_, applied)| Some(&applied.observation)).collect()
    }
}

#[derive(Debug)]
pub struct OracleStop {
    /// The position of the call.
    pub call: usize,
    pub why: StopReason,
}

#[derive(Debug)]
pub enum StopReason {
    Dangling(Dangling),
    Refused {
        before: Box<State>,
        /// The call, references filled in.
        call: ToolCall,
        rejection: Box<Rejection>,
    },
}

pub fn fill(call: &OracleCall, observations: &[Option<&Value>]) -> Option<ToolCall> {
    let arguments = Observations(observations).fill_map(&call.arguments)?;
    Some(ToolCall::new(call.tool.clone(), Value::Object(arguments)))
}

/// Plays an outcome's oracle trace from the task's initial state.
/// An error: where it stops, and why.
pub fn play(task: &Task, outcome: &Outcome) -> Result<OracleRun, OracleStop> {
    let mut run = OracleRun { calls: Vec::new(), last: task.initial().clone() };
    for (index, call) in outcome.oracle.iter().enumerate() {
        let stop = |why| OracleStop { call: index, why };
        let observations = run.observations();
        let filled = fill(call, &observations);
        let Some(call) = filled else {
            let dangling = Observations(&observations).dangling(&call.arguments, "").into_iter().next();
            return Err(stop(StopReason::Dangling(dangling.unwrap_or_default())));
        };
        let Stepped { after, result, .. } = task.environment().step(&run.last, &call, Actor::Agent);
        match result {
            Ok(applied) => run.calls.push((call, applied)),
            Err(rejection) => {
                let (before, rejection) = (Box::new(after), Box::new(rejection));
                return Err(stop(StopReason::Refused { before, call, rejection }));
            }
        }
        run.last = after;
    }
    Ok(run)
}
