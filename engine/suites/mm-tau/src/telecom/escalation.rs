//! When the user is rightly handed over to a person: a rule over the state at the moment of the call.

use serde::Serialize;

use super::call::Call;
use super::facts::*;
use super::literal::Literal::{Bool, Text};
use super::predicate::Predicate::{self, All, Any, AtLeast, Before, Is};

/// The rule for one tool that hands over. A transfer is allowed when a ground holds in the state in which it is called.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Escalation {
    pub tool: &'static str,
    pub grounds: &'static [&'static Ground],
    pub is_terminal: bool,
}

/// A cause that neither side can repair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ground {
    pub allowed_when: Predicate,
    pub requires: Diagnostic,
}

/// A look that shows a cause: at least one of the calls, made in a state in which its result shows the cause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Diagnostic {
    pub any_of: &'static [Call],
    /// When their results show the cause; an empty `All` means always.
    pub shows_when: Predicate,
}

impl Escalation {
    /// Whether a transfer is allowed in this state, whatever was looked at before.
    pub fn is_allowed(&self, state: &serde_json::Value) -> bool {
        self.grounds.iter().any(|ground| ground.allowed_when.holds(state))
    }
}

/// The rule of this environment. One for all tasks: where a task can be repaired, no ground ever holds.
pub const ESCALATION: Escalation = Escalation {
    tool: "transfer_to_human_agents",
    grounds: &[&SIM_LOCKED, &CONTRACT_ENDED, &REFUEL_SPENT],
    is_terminal: true,
};

/// The gold call of a task that ends in a transfer. Its summary is free text and never compared.
pub(super) const TRANSFER: Call =
    Call::agent(ESCALATION.tool, &[("summary", Text("What is left to repair needs a person with wider powers."))]);

/// The SIM asks for a code. Out of its place it shows as missing, so it must be back in to show this.
pub(super) const SIM_LOCKED: Ground = Ground {
    allowed_when: Any(&[Is(SIM_STATUS, Text("locked_pin")), Is(SIM_STATUS, Text("locked_puk"))]),
    requires: Diagnostic {
        any_of: &[Call::user("check_sim_status", &[]), Call::user("check_network_status", &[])],
        shows_when: Is(SIM_MISSING, Bool(false)),
    },
};

/// The line is suspended and its contract over: the policy forbids to resume it.
pub(super) const CONTRACT_ENDED: Ground = Ground {
    allowed_when: All(&[Is(LINE_STATUS, Text("Suspended")), Before(CONTRACT_END, TODAY)]),
    requires: Diagnostic { any_of: &[Call::agent("get_details_by_id", &[("id", Text(LINE_ID))])], shows_when: ALWAYS },
};

/// The data is used up, and as much as the policy allows was bought already.
pub(super) const REFUEL_SPENT: Ground = Ground {
    allowed_when: All(&[Is(USAGE_EXCEEDED, Bool(true)), AtLeast(LINE_REFUELED, REFUEL_GB)]),
    requires: Diagnostic {
        any_of: &[
            Call::agent("get_data_usage", &[("customer_id", Text(CUSTOMER_ID)), ("line_id", Text(LINE_ID))]),
            Call::agent("get_details_by_id", &[("id", Text(LINE_ID))]),
        ],
        shows_when: ALWAYS,
    },
};

const ALWAYS: Predicate = All(&[]);

#[cfg(test)]
mod tests {
    use super::super::issue::Issue;
    use super::super::issue_block::Repair;
    use super::*;

    #[test]
    fn every_cause_without_repair_is_a_ground() {
        let grounds = Issue::ALL.iter().filter_map(|issue| match issue.block().repair {
            Repair::Transfer(ground) => Some(ground),
            Repair::Calls(_) => None,
        });
        let grounds: Vec<_> = grounds.collect();
        assert_eq!(grounds.len(), 4);
        assert!(grounds.iter().all(|ground| ESCALATION.grounds.contains(ground)));
    }

    #[test]
    fn is_said_in_the_words_of_the_state() {
        let shown: Vec<String> = ESCALATION.grounds.iter().map(|ground| ground.allowed_when.to_string()).collect();
        assert_eq!(
            shown,
            [
                r#"db.device.sim_card_status == "locked_pin" || db.device.sim_card_status == "locked_puk""#,
                r#"db.lines["L1002"].status == "Suspended" && db.lines["L1002"].contract_end_date < "2025-02-25""#,
                r#"db.surroundings.mobile_data_usage_exceeded && db.lines["L1002"].data_refueling_gb >= 2.0"#,
            ]
        );
    }
}
