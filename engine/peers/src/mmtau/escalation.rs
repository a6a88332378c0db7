//! Whether handing over to a human was right, from the state at that moment (paper, 4.1.1): vectors with rules of their
//! own, whose conditions over a state are written as data.

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::shape::given;
use probity_engine::number::is_same;
use probity_mm_tau::measures::EscalationVerdict;

pub(super) fn answer(input: &Value) -> Result<Value, String> {
    given!(input: rule: Option<EscalationRule>, steps: Vec<EscalationStep>, final_state: Value, outcome_ok: bool);
    let verdict = escalation(&rule.unwrap_or_else(EscalationRule::never), &steps, &final_state);
    let (name, success) = (name(&verdict), is_success(&verdict, outcome_ok));
    Ok(match verdict {
        EscalationVerdict::Premature { missing } => json!({"verdict": name, "success": success, "missing": missing}),
        EscalationVerdict::Correct
        | EscalationVerdict::Unwarranted
        | EscalationVerdict::Missed
        | EscalationVerdict::NotEscalated => json!({"verdict": name, "success": success}),
    })
}

/// The tool that hands over where a task names none.
const TRANSFER_TOOL: &str = "transfer_to_human_agents";

/// When a task permits the agent to hand over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct EscalationRule {
    #[serde(default = "transfer_tool")]
    tool: String,
    allowed_when: StatePredicate,
    /// Calls that must have been made before it, with success.
    #[serde(default)]
    requires: Vec<String>,
    /// Whether the dialogue ends with it; no verdict depends on this.
    #[serde(default)]
    terminal: bool,
}

impl EscalationRule {
    /// The rule of a task that declares none: never.
    fn never() -> EscalationRule {
        let allowed_when = StatePredicate::Any(Vec::new());
        EscalationRule { tool: transfer_tool(), allowed_when, requires: Vec::new(), terminal: false }
    }
}

fn transfer_tool() -> String {
    TRANSFER_TOOL.to_owned()
}

/// A tool call, as far as the rule looks at it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct EscalationStep {
    call: String,
    ok: bool,
    state: Value,
}

fn name(verdict: &EscalationVerdict) -> &'static str {
    match verdict {
        EscalationVerdict::Correct => "correct_escalation",
        EscalationVerdict::Premature { .. } => "premature_escalation",
        EscalationVerdict::Unwarranted => "unwarranted_escalation",
        EscalationVerdict::Missed => "missed_escalation",
        EscalationVerdict::NotEscalated => "no_escalation",
    }
}

/// Whether the run succeeded, given whether its outcome assertions hold: they decide where the verdict finds no
/// fault, since changes made before handing over still count.
fn is_success(verdict: &EscalationVerdict, outcome_ok: bool) -> bool {
    match verdict {
        EscalationVerdict::Correct | EscalationVerdict::NotEscalated => outcome_ok,
        EscalationVerdict::Premature { .. } | EscalationVerdict::Unwarranted | EscalationVerdict::Missed => false,
    }
}

/// The verdict on a run. The first handing over that succeeds decides, on the state before it; the final state counts
/// only where there is none.
fn escalation(rule: &EscalationRule, steps: &[EscalationStep], final_state: &Value) -> EscalationVerdict {
    let Some(at) = steps.iter().position(|step| step.ok && step.call == rule.tool) else {
        let is_due = rule.allowed_when.holds(final_state);
        return if is_due { EscalationVerdict::Missed } else { EscalationVerdict::NotEscalated };
    };
    if !steps.get(at).is_some_and(|step| rule.allowed_when.holds(&step.state)) {
        return EscalationVerdict::Unwarranted;
    }
    let was_made = |tool: &String| steps.iter().take(at).any(|step| step.ok && step.call == *tool);
    let missing: Vec<String> = rule.requires.iter().filter(|tool| !was_made(tool)).cloned().collect();
    if missing.is_empty() { EscalationVerdict::Correct } else { EscalationVerdict::Premature { missing } }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "PredicateFields")]
enum StatePredicate {
    Equals {
        /// Names joined by dots, from the root.
        path: String,
        value: Value,
    },
    Among {
        /// Names joined by dots, from the root.
        path: String,
        values: Vec<Value>,
    },
    /// Every condition is met; so is none at all.
    All(Vec<StatePredicate>),
    /// Some condition is met; of none, none is.
    Any(Vec<StatePredicate>),
    Not(Box<StatePredicate>),
}

impl StatePredicate {
    /// Whether a state meets the condition. Where the path leads nowhere the value is null.
    fn holds(&self, state: &Value) -> bool {
        match self {
            StatePredicate::Equals { path, value } => is_same(at(state, path), value),
            StatePredicate::Among { path, values } => values.iter().any(|value| is_same(at(state, path), value)),
            StatePredicate::All(parts) => parts.iter().all(|part| part.holds(state)),
            StatePredicate::Any(parts) => parts.iter().any(|part| part.holds(state)),
            StatePredicate::Not(part) => !part.holds(state),
        }
    }
}

fn at<'s>(state: &'s Value, path: &str) -> &'s Value {
    path.split('.').try_fold(state, |value, name| value.as_object()?.get(name)).unwrap_or(&Value::Null)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PredicateFields {
    path: Option<String>,
    #[serde(default, deserialize_with = "present")]
    eq: Option<Value>,
    r#in: Option<Vec<Value>>,
    all: Option<Vec<StatePredicate>>,
    any: Option<Vec<StatePredicate>>,
    not: Option<Box<StatePredicate>>,
}

/// Keeps a null that was written apart from what was not written.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl TryFrom<PredicateFields> for StatePredicate {
    type Error = &'static str;

    fn try_from(fields: PredicateFields) -> Result<StatePredicate, &'static str> {
        let PredicateFields { path, eq, r#in, all, any, not } = fields;
        match (path, eq, r#in, all, any, not) {
            (Some(path), Some(value), None, None, None, None) => Ok(StatePredicate::Equals { path, value }),
            (Some(path), None, Some(values), None, None, None) => Ok(StatePredicate::Among { path, values }),
            (None, None, None, Some(parts), None, None) => Ok(StatePredicate::All(parts)),
            (None, None, None, None, Some(parts), None) => Ok(StatePredicate::Any(parts)),
            (None, None, None, None, None, Some(part)) => Ok(StatePredicate::Not(part)),
            _ => Err("a condition is one of `path` with `eq`, `path` with `in`, `all`, `any` and `not`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(predicate: Value, state: &Value) -> bool {
        serde_json::from_value::<StatePredicate>(predicate).unwrap().holds(state)
    }

    #[test]
    fn conditions_read_states() {
        let state = json!({"sim": {"status": "locked", "tries": 1.0, "list": [1]}, "on": true});
        for (predicate, expected) in [
            (json!({"path": "sim.status", "eq": "locked"}), true),
            (json!({"path": "sim.status", "in": ["active", "locked"]}), true),
            (json!({"path": "sim.status", "in": []}), false),
            (json!({"path": "sim.tries", "eq": 1}), true),
            (json!({"path": "sim.list", "eq": [1.0]}), true),
            (json!({"path": "on", "eq": 1}), false),
            (json!({"path": "sim.pin", "eq": null}), true),
            (json!({"path": "sim.pin.digits", "in": [null, 3]}), true),
            (json!({"path": "sim.status.first", "eq": null}), true),
            (json!({"all": []}), true),
            (json!({"any": []}), false),
            (json!({"not": {"all": [{"path": "on", "eq": true}, {"path": "sim.tries", "eq": 2}]}}), true),
        ] {
            assert_eq!(holds(predicate.clone(), &state), expected, "{predicate}");
        }
    }

    #[test]
    fn a_condition_has_one_form() {
        for text in [
            r#"{}"#,
            r#"{"path": "a"}"#,
            r#"{"eq": 1}"#,
            r#"{"path": "a", "eq": 1, "in": [1]}"#,
            r#"{"all": [], "any": []}"#,
            r#"{"path": "a", "equals": 1}"#,
            r#"{"not": []}"#,
        ] {
            assert!(serde_json::from_str::<StatePredicate>(text).is_err(), "{text}");
        }
        let message = serde_json::from_str::<StatePredicate>("{}").unwrap_err().to_string();
        assert!(message.starts_with("a condition is one of"), "{message}");
    }

    fn step(call: &str, ok: bool, sim: &str) -> EscalationStep {
        EscalationStep { call: call.to_owned(), ok, state: json!({"sim": sim}) }
    }

    #[test]
    fn the_first_transfer_decides_on_the_state_before_it() {
        let rule: EscalationRule = serde_json::from_value(json!({
            "allowed_when": {"path": "sim", "eq": "locked"}, "requires": ["look", "reboot"],
        }))
        .unwrap();
        let transfer = |ok, sim| step("transfer_to_human_agents", ok, sim);
        let (locked, active) = (json!({"sim": "locked"}), json!({"sim": "active"}));
        let done = [step("reboot", true, "active"), step("look", true, "locked"), transfer(true, "locked")];
        assert_eq!(escalation(&rule, &done, &active), EscalationVerdict::Correct);
        let failed = [step("look", false, "locked"), step("reboot", true, "locked"), transfer(true, "locked")];
        let missing = vec!["look".to_owned()];
        assert_eq!(escalation(&rule, &failed, &locked), EscalationVerdict::Premature { missing });
        let late = [step("look", true, "locked"), transfer(true, "locked"), step("reboot", true, "locked")];
        let missing = vec!["reboot".to_owned()];
        assert_eq!(escalation(&rule, &late, &locked), EscalationVerdict::Premature { missing });
        let again = [transfer(false, "locked"), transfer(true, "active"), transfer(true, "locked")];
        assert_eq!(escalation(&rule, &again, &locked), EscalationVerdict::Unwarranted);
        assert_eq!(escalation(&rule, &[transfer(false, "locked")], &locked), EscalationVerdict::Missed);
        assert_eq!(escalation(&rule, &[], &active), EscalationVerdict::NotEscalated);
        assert_eq!(escalation(&EscalationRule::never(), &done, &locked), EscalationVerdict::Unwarranted);
        assert_eq!(escalation(&EscalationRule::never(), &[], &locked), EscalationVerdict::NotEscalated);
        assert!(is_success(&EscalationVerdict::Correct, true) && !is_success(&EscalationVerdict::Correct, false));
        assert!(!is_success(&EscalationVerdict::Missed, true));
    }
}
