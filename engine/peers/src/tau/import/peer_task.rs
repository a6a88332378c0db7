//! A task as tau2-bench writes it, and the same as the suite has it.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::tau::line::{OwnCall as PeerCall, Requestor};
use probity_engine::Actor;
use probity_tau2::model::{AssertedCall, Component, GoldCall, OwnCall, Scenario, TaskFile};

/// A task as tau2-bench writes it. What is ignored there is ignored; what is unknown is refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PeerTask {
    pub(super) id: String,
    #[serde(default, rename = "description")]
    _description: Option<PeerDescription>,
    user_scenario: PeerScenario,
    #[serde(default)]
    ticket: Option<String>,
    #[serde(default)]
    initial_state: Option<PeerStart>,
    #[serde(default)]
    evaluation_criteria: Option<PeerCriteria>,
    #[serde(default, rename = "issues")]
    _issues: IgnoredAny,
    #[serde(default, rename = "annotations")]
    _annotations: IgnoredAny,
    #[serde(default)]
    required_documents: Value,
    #[serde(default)]
    user_tools: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerDescription {
    #[serde(default, rename = "purpose")]
    _purpose: IgnoredAny,
    #[serde(default, rename = "relevant_policies")]
    _relevant_policies: IgnoredAny,
    #[serde(default, rename = "notes")]
    _notes: IgnoredAny,
    #[serde(default, rename = "info")]
    _info: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerScenario {
    #[serde(default)]
    persona: Option<String>,
    instructions: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerInstructions {
    #[serde(rename = "domain")]
    _domain: IgnoredAny,
    reason_for_call: String,
    #[serde(default)]
    known_info: Option<String>,
    #[serde(default)]
    unknown_info: Option<String>,
    task_instructions: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerStart {
    #[serde(default)]
    initialization_data: Value,
    #[serde(default)]
    initialization_actions: Option<Vec<PeerCall>>,
    #[serde(default)]
    message_history: Value,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerCriteria {
    #[serde(default)]
    actions: Option<Vec<PeerAction>>,
    #[serde(default)]
    env_assertions: Option<Vec<PeerAssertion>>,
    #[serde(default)]
    communicate_info: Option<Vec<String>>,
    #[serde(default)]
    nl_assertions: Option<Vec<String>>,
    #[serde(default)]
    reward_basis: Option<Vec<PeerComponent>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerAction {
    #[serde(rename = "action_id")]
    _action_id: String,
    #[serde(default = "agent", with = "Requestor")]
    requestor: Actor,
    name: String,
    arguments: Map<String, Value>,
    #[serde(default, rename = "info")]
    _info: IgnoredAny,
    #[serde(default)]
    compare_args: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeerAssertion {
    #[serde(with = "Requestor")]
    env_type: Actor,
    func_name: String,
    arguments: Map<String, Value>,
    #[serde(default = "yes")]
    assert_value: bool,
    #[serde(default, rename = "message")]
    _message: IgnoredAny,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum PeerComponent {
    Db,
    EnvAssertion,
    Action,
    Communicate,
    NlAssertion,
}

fn agent() -> Actor {
    Actor::Agent
}

fn yes() -> bool {
    true
}

/// Fields of a task that other worlds have, and what none here can do.
const FOREIGN: &str = "is of a world that is not played here";

impl PeerTask {
    /// The same as the suite has it, in a split.
    /// An error, a line: it needs what is not done here, or its instructions are none.
    pub(super) fn file(self, split: &str) -> Result<TaskFile, String> {
        for (name, value) in [("required_documents", &self.required_documents), ("user_tools", &self.user_tools)] {
            if !value.is_null() {
                return Err(format!("`{name}` {FOREIGN}"));
            }
        }
        let start = self.initial_state.map(PeerStart::calls).transpose()?.unwrap_or_default();
        let has_criteria = self.evaluation_criteria.is_some();
        let criteria = self.evaluation_criteria.unwrap_or_default();
        // Without criteria the reward is 1; with none named it is of these two.
        let basis = match (has_criteria, criteria.reward_basis) {
            (false, _) => Vec::new(),
            (true, None) => vec![Component::Db, Component::Communicate],
            (true, Some(named)) => named.into_iter().map(PeerComponent::ours).collect(),
        };
        Ok(TaskFile {
            id: self.id,
            split: split.to_owned(),
            scenario: self.user_scenario.ours()?,
            ticket: self.ticket,
            start,
            gold: criteria.actions.into_iter().flatten().map(PeerAction::ours).collect(),
            assertions: criteria.env_assertions.into_iter().flatten().map(PeerAssertion::ours).collect(),
            communicate: criteria.communicate_info.unwrap_or_default(),
            nl_assertions: criteria.nl_assertions.unwrap_or_default(),
            reward_basis: basis,
        })
    }
}

impl PeerStart {
    fn calls(self) -> Result<Vec<OwnCall>, String> {
        let is_empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        for (name, value) in
            [("initialization_data", &self.initialization_data), ("message_history", &self.message_history)]
        {
            if !is_empty(value) {
                return Err(format!("`{name}` {FOREIGN}"));
            }
        }
        let ours = |call: PeerCall| OwnCall { side: call.env_type, tool: call.func_name, arguments: call.arguments };
        Ok(self.initialization_actions.into_iter().flatten().map(ours).collect())
    }
}

impl PeerScenario {
    fn ours(self) -> Result<Scenario, String> {
        if let Value::String(reason) = self.instructions {
            return Ok(Scenario { persona: self.persona, reason, ..Scenario::default() });
        }
        let read = serde_json::from_value(self.instructions);
        let instructions: PeerInstructions = read.map_err(|error| format!("its instructions: {error}"))?;
        Ok(Scenario {
            persona: self.persona,
            reason: instructions.reason_for_call,
            known: instructions.known_info,
            unknown: instructions.unknown_info,
            conduct: Some(instructions.task_instructions),
        })
    }
}

impl PeerAction {
    fn ours(self) -> GoldCall {
        GoldCall { side: self.requestor, tool: self.name, arguments: self.arguments, compared: self.compare_args }
    }
}

impl PeerAssertion {
    fn ours(self) -> AssertedCall {
        let side: Actor = self.env_type;
        AssertedCall { side, tool: self.func_name, arguments: self.arguments, expected: self.assert_value }
    }
}

impl PeerComponent {
    fn ours(self) -> Component {
        match self {
            PeerComponent::Db => Component::Db,
            PeerComponent::EnvAssertion => Component::EnvAssertion,
            PeerComponent::Action => Component::Action,
            PeerComponent::Communicate => Component::Communicate,
            PeerComponent::NlAssertion => Component::NlAssertion,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(changed: &Value) -> Result<TaskFile, String> {
        let mut task = json!({
            "id": "7", "user_scenario": {"instructions": "You want a jar."},
            "evaluation_criteria": {"actions": [{"action_id": "a", "name": "pick", "arguments": {"jar": "x"}}]}
        });
        probity_engine::merge::merge(&mut task, changed);
        let task: PeerTask = serde_json::from_value(task).map_err(|error| error.to_string())?;
        task.file("train")
    }

    #[test]
    fn what_is_left_out_is_what_it_is_there() {
        let file = task(&json!({})).unwrap();
        assert_eq!((file.gold[0].side, file.gold[0].compared.as_ref()), (Actor::Agent, None));
        assert_eq!(file.reward_basis, [Component::Db, Component::Communicate]);
        assert_eq!(file.scenario.reason, "You want a jar.");
        assert_eq!(task(&json!({"evaluation_criteria": null})).unwrap().reward_basis, []);
    }

    #[test]
    fn what_is_unknown_or_of_other_worlds_is_refused() {
        assert!(task(&json!({"annotations": [1]})).is_ok());
        assert!(task(&json!({"mood": 1})).unwrap_err().contains("unknown field `mood`"));
        assert!(task(&json!({"evaluation_criteria": {"reward_basis": ["LUCK"]}})).unwrap_err().contains("LUCK"));
        assert!(task(&json!({"user_tools": []})).unwrap_err().contains("user_tools"));
        assert!(task(&json!({"initial_state": {"initialization_data": {"agent_data": {}}}})).is_err());
    }
}
