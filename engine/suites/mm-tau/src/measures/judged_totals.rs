//! A judge's counts of several conversations as one.

use serde::{Deserialize, Serialize};

use super::judged::arga;
use super::pass::{pass_at_k, pass_pow_k};
use super::ratio::Ratio;
use super::refusal::MeasureRefusal;

/// What the judge of a whole conversation counted, with the messages of each party; also the sum of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedConversation {
    /// Agent messages.
    pub agent_msg_counts: u64,
    /// User messages.
    pub user_msg_counts: u64,
    /// Tasks that the judge saw; it may see several in a conversation.
    pub tasks_identified: u64,
    pub tasks_succeeded: u64,
    pub tasks_with_agent_understanding_errors: u64,
    pub tasks_with_agent_understanding_errors_succeeded: u64,
}

/// The sums over conversations, and the three figures that are made from the sums and not averaged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedTotals {
    pub sums: JudgedConversation,
    /// Tasks that succeeded among those with an understanding error.
    pub arga: Ratio,
    /// pass@1 over all tasks.
    pub pass_at_1: f64,
    /// pass^1 over all tasks.
    pub pass_pow_1: f64,
}

/// Several conversations as one. A sum that no `u64` holds stays at the greatest.
/// An error: when the judge saw no task in any of them, or more successes than tasks.
pub fn consolidate(conversations: &[JudgedConversation]) -> Result<JudgedTotals, MeasureRefusal> {
    let sum = |count: fn(&JudgedConversation) -> u64| conversations.iter().map(count).fold(0, u64::saturating_add);
    let sums = JudgedConversation {
        agent_msg_counts: sum(|one| one.agent_msg_counts),
        user_msg_counts: sum(|one| one.user_msg_counts),
        tasks_identified: sum(|one| one.tasks_identified),
        tasks_succeeded: sum(|one| one.tasks_succeeded),
        tasks_with_agent_understanding_errors: sum(|one| one.tasks_with_agent_understanding_errors),
        tasks_with_agent_understanding_errors_succeeded: sum(|one| one.tasks_with_agent_understanding_errors_succeeded),
    };
    Ok(JudgedTotals {
        sums,
        arga: arga(
            sums.tasks_identified,
            sums.tasks_with_agent_understanding_errors,
            sums.tasks_with_agent_understanding_errors_succeeded,
        )?,
        pass_at_1: pass_at_k(sums.tasks_identified, sums.tasks_succeeded, 1)?,
        pass_pow_1: pass_pow_k(sums.tasks_identified, sums.tasks_succeeded, 1)?,
    })
}
