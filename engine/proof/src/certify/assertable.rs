//! Paths as an author writes them in assertions: of what a call makes the key is named by that call.

use probity_behaviour::task::Task;
use probity_behaviour::task::oracle::OracleRun;
use probity_engine::{SlotKind, pointer};

/// What the call at a position changes, as the path of an assertion; nothing when it changes nothing.
pub fn changed_by(task: &Task, run: &OracleRun, call: usize) -> Option<String> {
    let delta = &run.calls.get(call)?.1.delta;
    let first = delta.updated.keys().chain(delta.created.keys()).chain(delta.deleted.keys()).next()?;
    Some(path(task, run, first))
}

/// A path of the state, with `$2.order_id` for a key that call 2 is the first to return and that is not there at the
/// start.
pub fn path(task: &Task, run: &OracleRun, path: &str) -> String {
    let named = || {
        let mut parts = pointer::split(path)?;
        let slot = task.initial().shape().index(parts.first()?)?;
        let is_collection = task.initial().shape().slots.get(slot)?.kind == SlotKind::Collection;
        let key = parts.get_mut(1).filter(|_| is_collection)?;
        if task.initial().get(slot, key).is_some() {
            return None;
        }
        let (call, field) = run.calls.iter().enumerate().find_map(|(call, (_, applied))| {
            let fields = applied.observation.as_object()?;
            let (field, _) = fields.iter().find(|(_, value)| value.as_str() == Some(key.as_str()))?;
            Some((call, field))
        })?;
        *key = format!("${}.{field}", call + 1);
        Some(pointer::join(parts.iter().map(String::as_str)))
    };
    named().unwrap_or_else(|| path.to_owned())
}
