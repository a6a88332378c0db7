//! How many turns and calls a run took beside the least it needed (spec E.2).

use serde::Serialize;
use serde_json::Value;

use super::host;
use super::path::objects;

#[derive(Debug, Serialize)]
pub struct Efficiency {
    actual_assistant_response_turn_count: usize,
    actual_assistant_tool_call_count: usize,
    actual_total_action_turns: usize,
    actual_user_turn_count: usize,
    /// The least turns over the turns taken, at most 1.
    pub efficiency: f64,
    min_required_action_turns: i128,
    sr: f64,
    success: bool,
    /// Efficiency of a run that passes, else 0.
    pub task_score: f64,
}

impl Efficiency {
    #[expect(clippy::cast_precision_loss, reason = "turns are far fewer than 2^53")]
    pub fn of(sample: &Value, run: &Value, is_success: bool) -> Self {
        let count = |list: &str, field: &str, word: &str| {
            let records = objects(run.get(list));
            records.filter(|record| record.get(field).and_then(Value::as_str) == Some(word)).count()
        };
        let users = count("transcript", "role", "user");
        let replies = count("actual_actions", "kind", "respond");
        let calls = count("actual_actions", "kind", "tool");
        let total = users + replies + calls;
        let least = host::integer(sample.get("min_required_action_turns"));
        let efficiency = if least > 0 && total > 0 { (least as f64 / total as f64).min(1.0) } else { 0.0 };
        let sr = if is_success { 1.0 } else { 0.0 };
        Efficiency {
            actual_assistant_response_turn_count: replies,
            actual_assistant_tool_call_count: calls,
            actual_total_action_turns: total,
            actual_user_turn_count: users,
            efficiency,
            min_required_action_turns: least,
            sr,
            success: is_success,
            task_score: sr * efficiency,
        }
    }
}
