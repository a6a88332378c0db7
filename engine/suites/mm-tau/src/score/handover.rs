//! Whether handing over was right, by the rule of the telecom world (docs/MM_TAU.md, "Telecom tasks").

use crate::measures::EscalationVerdict;
use crate::telecom::{Call, Diagnostic, Escalation};
use probity_engine::{State, ToolCall};

/// A call that was carried out, in the state that it found.
pub struct StagedCall {
    pub call: ToolCall,
    pub state: State,
}

/// The verdict on a run: the first hand-over decides, on the state before it; the final state counts where there is
/// none.
pub fn handover(rule: &Escalation, calls: &[StagedCall], last: &State) -> EscalationVerdict {
    let Some(at) = calls.iter().position(|made| made.call.tool == rule.tool) else {
        return match rule.is_allowed(&last.to_json()) {
            true => EscalationVerdict::Missed,
            false => EscalationVerdict::NotEscalated,
        };
    };
    let (before, state) = (calls.get(..at).unwrap_or_default(), calls.get(at).map(|made| made.state.to_json()));
    let grounds: Vec<_> =
        rule.grounds.iter().filter(|ground| state.as_ref().is_some_and(|s| ground.allowed_when.holds(s))).collect();
    if grounds.is_empty() {
        return EscalationVerdict::Unwarranted;
    }
    match grounds.iter().any(|ground| has_looked(&ground.requires, before)) {
        true => EscalationVerdict::Correct,
        false => {
            let looks = grounds.iter().flat_map(|ground| ground.requires.any_of);
            EscalationVerdict::Premature { missing: looks.map(|call| call.function.to_owned()).collect() }
        }
    }
}

fn has_looked(look: &Diagnostic, calls: &[StagedCall]) -> bool {
    let is_it = |made: &StagedCall, wanted: &Call| {
        made.call.tool == wanted.function && made.call.arguments.as_object() == Some(&wanted.object())
    };
    let mut looks = calls.iter().filter(|made| look.any_of.iter().any(|call| is_it(made, call)));
    looks.any(|made| look.shows_when.holds(&made.state.to_json()))
}
