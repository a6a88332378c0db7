//! Whether handing over to a human was right, from the state at that moment (paper, 4.1.1).

use serde::Deserialize;
use serde_json::Value;

use super::predicate::StatePredicate;

/// The tool that hands over where a task names none.
pub const TRANSFER_TOOL: &str = "transfer_to_human_agents";

/// When a task permits the agent to hand over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EscalationRule {
    #[serde(default = "transfer_tool")]
    pub tool: String,
    pub allowed_when: StatePredicate,
    /// Calls that must have been made before it, with success.
    #[serde(default)]
    pub requires: Vec<String>,
    /// Whether the dialogue ends with it; no verdict depends on this.
    #[serde(default)]
    pub terminal: bool,
}

impl EscalationRule {
    /// The rule of a task that declares none: never.
    pub fn never() -> EscalationRule {
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
pub struct EscalationStep {
    pub call: String,
    pub ok: bool,
    pub state: Value,
}

/// What is to be said of a run's handing over, or of its not handing over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EscalationVerdict {
    /// It handed over when it might, after what had to come first.
    Correct,
    /// It handed over when it might, but before what had to come first.
    Premature {
        /// The required calls that it had not made, in the order of the rule.
        missing: Vec<String>,
    },
    /// It handed over when it might not.
    Unwarranted,
    /// It did not hand over, and at the end it should have.
    Missed,
    /// It did not hand over and did not have to.
    NotEscalated,
}

impl EscalationVerdict {
    pub fn name(&self) -> &'static str {
        match self {
            EscalationVerdict::Correct => "correct_escalation",
            EscalationVerdict::Premature { .. } => "premature_escalation",
            EscalationVerdict::Unwarranted => "unwarranted_escalation",
            EscalationVerdict::Missed => "missed_escalation",
            EscalationVerdict::NotEscalated => "no_escalation",
        }
    }

    /// Its word in a tag.
    pub fn word(&self) -> &'static str {
        match self {
            EscalationVerdict::Correct => "correct",
            EscalationVerdict::Premature { .. } => "premature",
            EscalationVerdict::Unwarranted => "unwarranted",
            EscalationVerdict::Missed => "missed",
            EscalationVerdict::NotEscalated => "none",
        }
    }

    /// What is wrong with it, if something is: why it was unwarranted, or why it was due, and what joins missing looks.
    pub fn complaint(&self, [unwarranted, missed]: [&str; 2], or: &str) -> Option<String> {
        match self {
            EscalationVerdict::Correct | EscalationVerdict::NotEscalated => None,
            EscalationVerdict::Premature { missing } => {
                Some(format!("the user was handed over before a look that shows why: {}", missing.join(or)))
            }
            EscalationVerdict::Unwarranted => Some(format!("the user was handed over {unwarranted}")),
            EscalationVerdict::Missed => Some(format!("the user was not handed over {missed}")),
        }
    }

    /// Whether the run succeeded, given whether its outcome assertions hold: they decide where the verdict finds no
    /// fault, since changes made before handing over still count.
    pub fn is_success(&self, outcome_ok: bool) -> bool {
        match self {
            EscalationVerdict::Correct | EscalationVerdict::NotEscalated => outcome_ok,
            EscalationVerdict::Premature { .. } | EscalationVerdict::Unwarranted | EscalationVerdict::Missed => false,
        }
    }
}

/// The verdict on a run. The first handing over that succeeds decides, on the state before it; the final state counts
/// only where there is none.
pub fn escalation(rule: &EscalationRule, steps: &[EscalationStep], final_state: &Value) -> EscalationVerdict {
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
