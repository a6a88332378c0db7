//! A task spelt out, as it is written to a file.

use serde::Serialize;

use super::call::{Assertion, Call};
use super::critical_field::CriticalFieldUse;
use super::issue::Issue;
use super::scenario::Scenario;
use super::tables::{Escalation, Intent};
use super::task::{Gold, RewardBasis, TelecomTask};

/// All that follows from a task's intent and issues.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskRecord {
    pub id: String,
    pub intent: Intent,
    /// The issues, in order of their names.
    pub issues: Vec<Issue>,
    pub initialization: Vec<Call>,
    pub gold: Gold,
    pub assertions: Vec<Assertion>,
    pub reward_basis: Vec<RewardBasis>,
    /// The values that a voice channel must not spoil.
    pub critical_fields: Vec<CriticalFieldUse>,
    pub escalation: Escalation,
    pub scenario: Scenario,
    /// The user's side in words.
    pub scenario_text: String,
}

impl From<TelecomTask> for TaskRecord {
    fn from(task: TelecomTask) -> TaskRecord {
        let scenario = task.scenario();
        TaskRecord {
            id: task.id(),
            intent: task.intent(),
            issues: task.issues().iter().copied().collect(),
            initialization: task.initialization(),
            gold: task.gold(),
            assertions: task.assertions(),
            reward_basis: task.reward_basis().to_vec(),
            critical_fields: task.critical_fields(),
            escalation: task.escalation().clone(),
            scenario,
            scenario_text: scenario.text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::task_id::task;

    #[test]
    fn serialises_calls_and_predicates_plainly() {
        let record = serde_json::to_value(task("[mms_issue]bad_network_preference").unwrap()).unwrap();
        let call = r#"{"arguments":{"mode":"4g_5g_preferred"},"function":"set_network_mode_preference","side":"user"}"#;
        assert_eq!(record["gold"]["repair"][0].to_string(), call);
        let assertion =
            r#"{"arguments":{"expected_status":true},"expected":true,"function":"assert_can_send_mms","side":"user"}"#;
        assert_eq!(record["assertions"][0].to_string(), assertion);
        let ground = &record["escalation"]["grounds"][0];
        assert_eq!(ground["requires"]["shows_when"], "!db.device.sim_card_missing");
    }
}
