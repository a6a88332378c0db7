//! Whether handing over to a human was right, from the state at that moment (paper, 4.1.1): vectors with rules of their
//! own, whose conditions over a state are written as data.

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::given::given;
use probity_engine::number::is_same;
use probity_mm_tau::measures::EscalationVerdict;

/// The run succeeds where the verdict finds no fault and its outcome assertions hold: changes made before handing over
/// still count.
pub(super) fn answer(input: &Value) -> Option<Value> {
    given!(input: rule: Option<EscalationRule>, steps: Vec<EscalationStep>, final_state: Value, outcome_ok: bool);
    let verdict = escalation(&rule.unwrap_or_else(EscalationRule::never), &steps, &final_state);
    let (name, is_sound) = match &verdict {
        EscalationVerdict::Correct => ("correct_escalation", true),
        EscalationVerdict::Premature { .. } => ("premature_escalation", false),
        EscalationVerdict::Unwarranted => ("unwarranted_escalation", false),
        EscalationVerdict::Missed => ("missed_escalation", false),
        EscalationVerdict::NotEscalated => ("no_escalation", true),
    };
    let mut answer = json!({"verdict": name, "success": is_sound && outcome_ok});
    if let (EscalationVerdict::Premature { missing }, Some(answer)) = (verdict, answer.as_object_mut()) {
        answer.insert("missing".to_owned(), json!(missing));
    }
    Some(answer)
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
            (Some(path), Some(value), None, None, None, None) => {
                Ok(StatePredicate::Among { path, values: vec![value] })
            }
            (Some(path), None, Some(values), None, None, None) => Ok(StatePredicate::Among { path, values }),
            (None, None, None, Some(parts), None, None) => Ok(StatePredicate::All(parts)),
            (None, None, None, None, Some(parts), None) => Ok(StatePredicate::Any(parts)),
            (None, None, None, None, None, Some(part)) => Ok(StatePredicate::Not(part)),
            _ => Err("a condition is one of `path` with `eq`, `path` with `in`, `all`, `any` and `not`"),
        }
    }
}
