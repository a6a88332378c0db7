//! A task: an intent and the issues behind it. All else is derived, so that nothing in a task can contradict.

use std::collections::BTreeSet;

use serde::{Serialize, Serializer};
use serde_json::json;

use super::critical_field::{self, CriticalFieldUse};
use super::scenario::{Persona, Scenario};
use super::tables::{Assertion, Call, Ground, Intent, Issue, Repair, escalation, set_user_info, transfer};
use probity_bench::named;

named! {
    /// What gates the reward of a task; where it has several, all must be met.
    pub enum RewardBasis {
        /// All assertions hold at the end.
        EnvAssertion = "ENV_ASSERTION",
        Action = "ACTION",
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gold {
    /// These calls in order; each is compared by its name and arguments.
    Repair(Vec<Call>),
    /// One call that hands over, compared by its name alone.
    Transfer(Call),
}

impl Gold {
    pub fn calls(&self) -> &[Call] {
        match self {
            Gold::Repair(calls) => calls,
            Gold::Transfer(call) => std::slice::from_ref(call),
        }
    }

    /// Whether nothing is left but to hand over.
    pub fn is_transfer(&self) -> bool {
        matches!(self, Gold::Transfer(_))
    }
}

/// Why issues make no task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    #[error("`{issue}` is no issue of `{intent}`")]
    Foreign { intent: Intent, issue: Issue },
    #[error("`{first}` and `{second}` exclude one another")]
    Exclusive { first: Issue, second: Issue },
    #[error("none of the issues makes a task of `{intent}` by itself")]
    NothingEssential { intent: Intent },
}

/// A task of the telecom environment. Its issues are a legal composition; their order does not matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TelecomTask {
    intent: Intent,
    issues: BTreeSet<Issue>,
}

impl TelecomTask {
    pub fn compose(intent: Intent, issues: impl IntoIterator<Item = Issue>) -> Result<TelecomTask, CompositionError> {
        let issues = issues.into_iter().collect();
        check(intent, &issues)?;
        Ok(TelecomTask { intent, issues })
    }

    pub fn intent(&self) -> Intent {
        self.intent
    }

    pub fn issues(&self) -> &BTreeSet<Issue> {
        &self.issues
    }

    /// The calls that make the state of the task out of the environment's.
    pub fn initialization(&self) -> Vec<Call> {
        let of_issues = self.issues.iter().flat_map(|issue| &issue.block().initialization);
        std::iter::once(set_user_info()).chain(of_issues).cloned().collect()
    }

    /// The grounds on which handing over is right from the start; none where all can be repaired.
    pub fn grounds(&self) -> impl Iterator<Item = &'static Ground> {
        self.issues.iter().filter_map(|issue| issue.block().repair.ground())
    }

    /// What is to be done: the repairs of all issues, or a transfer as soon as one of them has none.
    pub fn gold(&self) -> Gold {
        let mut calls = Vec::new();
        for issue in &self.issues {
            match &issue.block().repair {
                Repair::Calls(repair) => calls.extend_from_slice(repair),
                Repair::Transfer(_) => return Gold::Transfer(transfer().clone()),
            }
        }
        Gold::Repair(calls)
    }

    pub fn assertions(&self) -> Vec<Assertion> {
        let of_intent = self.intent.block();
        if self.gold().is_transfer() {
            return of_intent.handed_over.to_vec();
        }
        let of_issues = self.issues.iter().flat_map(|issue| &issue.block().assertions);
        of_intent.solved.iter().chain(of_issues).cloned().collect()
    }

    /// What gates the reward: with a transfer the call too, since the assertions hold from the start.
    pub fn reward_basis(&self) -> &'static [RewardBasis] {
        match self.gold() {
            Gold::Repair(_) => &[RewardBasis::EnvAssertion],
            Gold::Transfer(_) => &[RewardBasis::EnvAssertion, RewardBasis::Action],
        }
    }

    /// The values that a voice channel must not spoil.
    pub fn critical_fields(&self) -> Vec<CriticalFieldUse> {
        critical_field::of_calls(self.gold().calls())
    }

    pub fn scenario(&self) -> Scenario {
        Scenario::new(self.intent, &self.issues)
    }
}

/// Whether issues make a task of an intent together.
fn check(intent: Intent, issues: &BTreeSet<Issue>) -> Result<(), CompositionError> {
    let sets = &intent.block().sets;
    let foreign = issues.iter().find(|issue| !sets.iter().any(|set| set.members.contains(issue)));
    if let Some(&issue) = foreign {
        return Err(CompositionError::Foreign { intent, issue });
    }
    let mut has_essential = false;
    for set in sets {
        let mut chosen = issues.iter().filter(|issue| set.members.contains(issue));
        let first = chosen.next();
        if let (Some(&first), Some(&second)) = (first, chosen.next()) {
            return Err(CompositionError::Exclusive { first, second });
        }
        has_essential |= set.is_essential && first.is_some();
    }
    if has_essential { Ok(()) } else { Err(CompositionError::NothingEssential { intent }) }
}

/// All that follows from a task's intent and issues, the issues in order of their names.
impl Serialize for TelecomTask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scenario = self.scenario();
        let record = json!({
            "id": self.id(), "intent": self.intent, "issues": self.issues, "initialization": self.initialization(),
            "gold": self.gold(), "assertions": self.assertions(), "reward_basis": self.reward_basis(),
            "critical_fields": self.critical_fields(), "escalation": escalation(), "scenario": scenario,
            "scenario_text": scenario.text(),
        });
        record.serialize(serializer)
    }
}

impl TelecomTask {
    pub fn id(&self) -> String {
        let issues: Vec<&str> = self.issues().iter().map(|issue| issue.name()).collect();
        format!("[{}]{}", self.intent(), issues.join("|"))
    }

    /// The id of the task with a persona, as the peer writes it.
    pub fn id_with(&self, persona: Persona) -> String {
        format!("{}[PERSONA:{persona}]", self.id())
    }
}

/// The task of an id, with or without a persona; the issues may stand in any order, each once.
pub fn task(id: &str) -> Option<TelecomTask> {
    parse_id(id).map(|(task, _)| task)
}

/// The task and the persona of an id. Any persona can stand with any task: the peer's own is
/// [`dealt_persona`](super::dealt_persona).
pub fn parse_id(id: &str) -> Option<(TelecomTask, Option<Persona>)> {
    let (intent, rest) = id.strip_prefix('[')?.split_once(']')?;
    let (issues, persona) = match rest.split_once('[') {
        Some((issues, persona)) => {
            let name = persona.strip_prefix("PERSONA:")?.strip_suffix(']')?;
            (issues, Some(Persona::from_name(name)?))
        }
        None => (rest, None),
    };
    let issues: Vec<Issue> = issues.split('|').map(Issue::from_name).collect::<Option<_>>()?;
    let count = issues.len();
    let task = TelecomTask::compose(Intent::from_name(intent)?, issues).ok()?;
    (task.issues().len() == count).then_some((task, persona))
}

#[cfg(test)]
mod tests {
    use super::super::task::task;
    use super::*;

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

    #[test]
    fn wrong_ids_are_no_tasks() {
        for id in [
            "",
            "[]",
            "service_issue",
            "[service_issue]",
            "[service_issue]nothing",
            "[nothing_issue]airplane_mode_on",
            "[service_issue]airplane_mode_on|airplane_mode_on",
            "[service_issue]airplane_mode_on|",
            "[service_issue]airplane_mode_on[PERSONA:Easy",
            "[service_issue]airplane_mode_on[PERSONA:Middling]",
            "[service_issue]airplane_mode_on[PERSONA:Easy][PERSONA:Easy]",
            "[mms_issue]bad_vpn",
        ] {
            assert_eq!(task(id), None, "{id}");
        }
    }

    #[test]
    fn order_and_persona_do_not_matter() {
        let named = task("[service_issue]unseat_sim_card|airplane_mode_on[PERSONA:Hard]").unwrap();
        assert_eq!(named.id(), "[service_issue]airplane_mode_on|unseat_sim_card");
        assert_eq!(named.id_with(Persona::Easy), "[service_issue]airplane_mode_on|unseat_sim_card[PERSONA:Easy]");
        assert_eq!(Some(named), task("[service_issue]airplane_mode_on|unseat_sim_card"));
    }
}
