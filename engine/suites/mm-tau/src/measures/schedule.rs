//! When the agent's profile of the user is refreshed, and from which messages (paper, 2.1).

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use probity_bench::named;

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MessageRole {
        User = "user",
        #[serde(alias = "assistant")]
        Agent = "agent",
    }
}

/// The rule of context injection: how often, and how far back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextSchedule {
    /// Messages that a profile is made from, at most; both parties' count.
    pub window: NonZeroUsize,
    /// User messages between one refresh and the next.
    pub every: NonZeroUsize,
}

/// A point at which the profile is made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ContextRefresh {
    /// The index of the user message that brings it about.
    pub after_index: usize,
    /// The messages read, as first index and the index past the last.
    pub window: (usize, usize),
}

impl ContextSchedule {
    /// The refreshes of a dialogue; what an earlier profile said plays no part.
    pub fn refreshes(&self, roles: &[MessageRole]) -> Vec<ContextRefresh> {
        let users = roles.iter().enumerate().filter(|(_, role)| **role == MessageRole::User);
        let due = users.skip(self.every.get() - 1).step_by(self.every.get());
        due.map(|(after_index, _)| {
            let end = after_index + 1;
            ContextRefresh { after_index, window: (end.saturating_sub(self.window.get()), end) }
        })
        .collect()
    }
}
