//! Playing an oracle trace on a fresh state, without a dialogue.

use serde_json::Value;

use super::reference::{Dangling, Observations};
use super::{OracleCall, Outcome, Task};
use probity_engine::{Actor, Applied, Delta, Rejection, State, Stepped, ToolCall};

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

/// What differs between two states of one environment.
pub fn difference(from: &State, to: &State) -> Delta {
    let mut delta = Delta::default();
    for (slot, shape) in from.shape().slots.iter().enumerate() {
        for (key, before) in from.entities(slot) {
            delta.add(&probity_engine::state::entity_path(shape, key), Some(before), to.get(slot, key));
        }
        for (key, after) in to.entities(slot).filter(|(key, _)| from.get(slot, key).is_none()) {
            delta.add(&probity_engine::state::entity_path(shape, key), None, Some(after));
        }
    }
    delta
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_engine::{Access, Transaction, transaction::commit};

    use probity_engine::{Shape, SlotKind, SlotShape};
    use proptest::prelude::*;
    use std::sync::Arc;

    proptest! {
        /// The delta of the journal equals the delta of a full comparison.
        #[test]
        fn the_journal_agrees_with_a_full_comparison(writes in prop::collection::vec((0_u8..4, prop::option::of(0_i64..3)), 0..8), more in prop::collection::vec((0_u8..4, prop::option::of(0_i64..3)), 0..8)) {
            let slot = SlotShape { name: "a".into(), kind: SlotKind::Collection, key: Some("id".into()) };
            let empty = State::empty(Arc::new(Shape { slots: vec![slot] }), 0, Vec::new());
            let apply = |state: &State, writes: &[(u8, Option<i64>)]| {
                let mut transaction = Transaction::new(state.clone(), Access::Write);
                for (key, n) in writes {
                    let fields = n.map(|n| serde_json::json!({"n": n, "id": key.to_string()}).as_object().unwrap().clone());
                    transaction.set(0, &key.to_string(), fields).unwrap();
                }
                let changes = transaction.changes();
                commit(state.clone(), changes)
            };
            let (start, _) = apply(&empty, &writes);
            let (end, delta) = apply(&start, &more);
            prop_assert_eq!(difference(&start, &end), delta);
        }
    }
}
