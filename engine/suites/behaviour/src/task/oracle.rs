//! Playing an oracle trace on a fresh state, without a dialogue.

use serde_json::Value;

use super::reference::Observations;
use super::{OracleCall, Outcome, Task};
use probity_engine::{Actor, Applied, Delta, State, Stepped, ToolCall};

/// An oracle trace that ran through.
pub struct OracleRun {
    /// Each call, references filled in, with what it returned.
    pub calls: Vec<(ToolCall, Applied)>,
    /// The state it ended in.
    pub last: State,
}

impl OracleRun {
    /// The calls, references filled in.
    pub fn tool_calls(&self) -> Vec<ToolCall> {
        self.calls.iter().map(|(call, _)| call.clone()).collect()
    }

    /// What the calls returned, for [`Observations`].
    pub fn observations(&self) -> Vec<Option<&Value>> {
        self.calls.iter().map(|(_, applied)| Some(&applied.observation)).collect()
    }
}

/// An oracle call with its references filled in from earlier observations.
pub fn fill(call: &OracleCall, observations: &[Option<&Value>]) -> Option<ToolCall> {
    let arguments = Observations(observations).fill_map(&call.arguments)?;
    Some(ToolCall::new(call.tool.clone(), Value::Object(arguments)))
}

/// Plays an outcome's oracle trace from the task's initial state.
///
/// # Errors
/// The position of the call that failed, and why.
pub fn play(task: &Task, outcome: &Outcome) -> Result<OracleRun, (usize, String)> {
    let mut run = OracleRun { calls: Vec::new(), last: task.initial().clone() };
    for (index, call) in outcome.oracle.iter().enumerate() {
        let filled = fill(call, &run.observations());
        let call = filled.ok_or_else(|| (index, "it refers to a field that no earlier call returned".to_owned()))?;
        let Stepped { after, result, .. } = task.environment().step(&run.last, &call, Actor::Agent);
        match result {
            Ok(applied) => run.calls.push((call, applied)),
            Err(rejection) => {
                let detail = rejection.detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
                let kind = rejection.kind.name();
                return Err((index, format!("{kind}: {}: {}{detail}", rejection.code, rejection.message)));
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
