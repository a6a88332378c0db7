//! What is counted in a trace, and the metrics of it without a judge, in one table (docs/MM_TAU.md, "Numbers").

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ratio::Ratio;

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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorCounts {
    /// A critical field that was misheard.
    pub asr: u64,
    /// A call that failed although its critical fields were right.
    pub tool_failure: u64,
    /// A call with a wrong critical field, heard rightly or not yet heard.
    pub wrong_slot: u64,
}

impl ErrorCounts {
    pub fn total(&self) -> u64 {
        self.asr.saturating_add(self.tool_failure).saturating_add(self.wrong_slot)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldError {
    Misheard,
    WrongSlot,
}

/// The errors of a conversation so far. At most one is open on a field, and at most one on a tool.
#[derive(Default)]
pub(super) struct Errors {
    pub(super) by_type: ErrorCounts,
    pub(super) recovered: u64,
    /// The agent messages between error and recovery, over all recoveries.
    pub(super) turns: u64,
    /// The agent messages before the error, by field.
    fields: BTreeMap<String, u64>,
    /// The agent messages before the error, by tool.
    tools: BTreeMap<String, u64>,
}

impl Errors {
    /// Something is wrong with a field; while an error is open on it, that is the same error.
    pub(super) fn open_field(&mut self, field: &str, cause: FieldError, messages: u64) {
        if self.fields.contains_key(field) {
            return;
        }
        self.fields.insert(field.to_owned(), messages);
        match cause {
            FieldError::Misheard => self.by_type.asr += 1,
            FieldError::WrongSlot => self.by_type.wrong_slot += 1,
        }
    }

    pub(super) fn close_field(&mut self, field: &str, messages: u64) {
        let opened = self.fields.remove(field);
        self.recover(opened, messages);
    }

    /// A call of a tool failed for no fault of its fields.
    pub(super) fn open_tool(&mut self, tool: &str, messages: u64) {
        if !self.tools.contains_key(tool) {
            self.tools.insert(tool.to_owned(), messages);
            self.by_type.tool_failure += 1;
        }
    }

    pub(super) fn close_tool(&mut self, tool: &str, messages: u64) {
        let opened = self.tools.remove(tool);
        self.recover(opened, messages);
    }

    fn recover(&mut self, opened: Option<u64>, messages: u64) {
        if let Some(opened) = opened {
            self.recovered += 1;
            self.turns = self.turns.saturating_add(messages.saturating_sub(opened));
        }
    }
}

/// Numbers by the names that the paper's tables have for them; an undefined one is `None`.
pub type Metrics = BTreeMap<&'static str, Option<f64>>;

/// A metric that divides counts, of a conversation or of several.
pub struct CountedRatio {
    /// Its name on the card.
    pub metric: &'static str,
    /// Its name in the paper's tables.
    pub paper: &'static str,
    parts: fn(&TraceCounts) -> (u64, u64),
    /// Why it is undefined where there is nothing to divide by.
    pub undefined: &'static str,
}

impl CountedRatio {
    pub fn of(&self, counts: &TraceCounts) -> Ratio {
        let (part, whole) = (self.parts)(counts);
        Ratio::new(part, whole)
    }
}

const fn ratio(
    metric: &'static str,
    paper: &'static str,
    parts: fn(&TraceCounts) -> (u64, u64),
    undefined: &'static str,
) -> CountedRatio {
    CountedRatio { metric, paper, parts, undefined }
}

pub const RATIOS: [CountedRatio; 10] = [
    ratio("cfa", "CFA", |of| (of.critical_correct, of.critical_total), "no critical field is used in this task"),
    ratio("ias", "IAS", |of| (of.irr_conf, of.irr), "nothing was done that cannot be taken back"),
    ratio("ues", "UES_rate", |of| (of.user_effort, of.user_messages), "the user said nothing"),
    ratio("err", "ERR", |of| (of.errors_recovered, of.errors_total), "nothing went wrong"),
    ratio("rtc", "RTC", |of| (of.recovery_turns, of.errors_recovered), "nothing was recovered"),
    ratio("slots", "slot_accuracy", |of| (of.slots_correct, of.slots_total), "no call has a critical field"),
    ratio("cp", "CP", |of| (of.clar_needed_asks, of.clar_asked), "nothing was asked back"),
    ratio("cr", "CR", |of| (of.clar_met, of.clar_required), "there was nothing to ask back"),
    ratio("safety_precision", "SP", |of| (of.conf_needed_asks, of.conf_asked), "no confirmation was asked for"),
    ratio("safety_recall", "SR", |of| (of.conf_met, of.conf_required), "nothing had to be confirmed"),
];

/// The metrics of counts, with the optimal over the actual agent messages (TE, at most 1) where they are known.
pub fn trace_metrics(counts: &TraceCounts, turns: Option<Ratio>) -> Metrics {
    let efficiency = turns.and_then(Ratio::value).map(|share| share.min(1.0));
    RATIOS.iter().map(|ratio| (ratio.paper, ratio.of(counts).value())).chain([("TE", efficiency)]).collect()
}
