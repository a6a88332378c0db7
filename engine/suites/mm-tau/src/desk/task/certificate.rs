//! Proof that a desk task is what it says: its gold calls are accepted and each of them is necessary, what must be
//! refused is not among them, and every look succeeds.

use super::desk_task::DeskTask;
use super::task_file::DeskCall;
use probity_engine::{Actor, State};

/// Proves a task.
///
/// # Errors
/// A line: what does not hold.
pub fn certify_desk(task: &DeskTask) -> Result<(), String> {
    let begun = task.beginning()?;
    let gold: Vec<&DeskCall> = task.gold().collect();
    let ended = play(task, &begun, &gold)?;
    for left_out in 0..gold.len() {
        let rest: Vec<&DeskCall> =
            gold.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, call)| *call).collect();
        // What cannot be done without the call is reached no more than what ends otherwise.
        if play(task, &begun, &rest).is_ok_and(|state| state.to_json() == ended.to_json()) {
            return Err(format!("call {left_out} of the gold changes nothing"));
        }
    }
    let looks = task.wishes.iter().flatten().flat_map(|stage| &stage.file.looks);
    for look in looks {
        let stepped = task.environment.step(&begun, &look.made(), Actor::Agent);
        stepped.result.map_err(|refused| format!("`{}`: {}", look.tool, refused.message))?;
    }
    Ok(())
}

fn play(task: &DeskTask, begun: &State, calls: &[&DeskCall]) -> Result<State, String> {
    calls.iter().try_fold(begun.clone(), |state, call| task.after(&state, call))
}
