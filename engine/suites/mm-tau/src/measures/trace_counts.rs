//! What is counted in a trace.

use serde::{Deserialize, Serialize};

use super::errors::ErrorCounts;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceCounts {
    /// Messages of the agent; tool calls are none.
    pub agent_messages: u64,
    pub user_messages: u64,
    /// Mentions of a critical field that were misheard.
    pub asr_mismatches: u64,
    /// Critical fields whose last value in a call was the true one.
    pub critical_correct: u64,
    pub critical_total: u64,
    /// Critical arguments of calls that had the true value.
    pub slots_correct: u64,
    pub slots_total: u64,
    /// User messages that repeat, correct or spell.
    pub user_effort: u64,
    pub errors_total: u64,
    pub errors_by_type: ErrorCounts,
    pub errors_recovered: u64,
    /// Agent messages between error and recovery, over all recoveries.
    pub recovery_turns: u64,
    pub clar_asked: u64,
    /// Clarifications asked for while there was a need.
    pub clar_needed_asks: u64,
    pub clar_required: u64,
    pub clar_met: u64,
    pub conf_asked: u64,
    /// Confirmations asked for while there was a need.
    pub conf_needed_asks: u64,
    pub conf_required: u64,
    pub conf_met: u64,
    /// Irreversible calls that were executed.
    pub irr: u64,
    /// Irreversible calls that were executed with the user's yes.
    pub irr_conf: u64,
}

impl TraceCounts {
    /// The sum over conversations. A sum that no `u64` holds stays at the greatest.
    pub fn sum<'c>(all: impl IntoIterator<Item = &'c TraceCounts>) -> TraceCounts {
        all.into_iter().fold(TraceCounts::default(), |sum, counts| sum.plus(counts))
    }

    fn plus(&self, more: &TraceCounts) -> TraceCounts {
        let add = u64::saturating_add;
        let (types, more_types) = (&self.errors_by_type, &more.errors_by_type);
        TraceCounts {
            agent_messages: add(self.agent_messages, more.agent_messages),
            user_messages: add(self.user_messages, more.user_messages),
            asr_mismatches: add(self.asr_mismatches, more.asr_mismatches),
            critical_correct: add(self.critical_correct, more.critical_correct),
            critical_total: add(self.critical_total, more.critical_total),
            slots_correct: add(self.slots_correct, more.slots_correct),
            slots_total: add(self.slots_total, more.slots_total),
            user_effort: add(self.user_effort, more.user_effort),
            errors_total: add(self.errors_total, more.errors_total),
            errors_by_type: ErrorCounts {
                asr: add(types.asr, more_types.asr),
                tool_failure: add(types.tool_failure, more_types.tool_failure),
                wrong_slot: add(types.wrong_slot, more_types.wrong_slot),
            },
            errors_recovered: add(self.errors_recovered, more.errors_recovered),
            recovery_turns: add(self.recovery_turns, more.recovery_turns),
            clar_asked: add(self.clar_asked, more.clar_asked),
            clar_needed_asks: add(self.clar_needed_asks, more.clar_needed_asks),
            clar_required: add(self.clar_required, more.clar_required),
            clar_met: add(self.clar_met, more.clar_met),
            conf_asked: add(self.conf_asked, more.conf_asked),
            conf_needed_asks: add(self.conf_needed_asks, more.conf_needed_asks),
            conf_required: add(self.conf_required, more.conf_required),
            conf_met: add(self.conf_met, more.conf_met),
            irr: add(self.irr, more.irr),
            irr_conf: add(self.irr_conf, more.irr_conf),
        }
    }
}
