//! What passed, and what of it is not in the record.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Reasons that are told apart.
const MAX_REASONS: usize = 32;
/// Characters of a reason.
const LONGEST: usize = 160;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests that were passed on.
    pub requests: u64,
    pub recorded: u64,
    /// Requests of which it is not known yet what comes of them.
    pub open: u64,
    /// Of those recorded, the ones that were not answered.
    pub unanswered: u64,
    /// Why others are not in the record, with how many.
    pub missing: BTreeMap<String, u64>,
}

impl Counts {
    pub fn miss(&mut self, why: &str) {
        self.miss_times(why, 1);
    }

    /// What was open to the last is not in the record.
    pub fn give_up(&mut self) {
        let open = std::mem::take(&mut self.open);
        if open > 0 {
            self.miss_times("the recording ended while they were open", open);
        }
    }

    fn miss_times(&mut self, why: &str, times: u64) {
        let why: String = why.chars().take(LONGEST).collect();
        let is_known = self.missing.contains_key(&why) || self.missing.len() < MAX_REASONS;
        *self.missing.entry(if is_known { why } else { "for other reasons".to_owned() }).or_default() += times;
    }

    pub fn json(&self) -> Value {
        json!({"requests": self.requests, "recorded": self.recorded, "unanswered": self.unanswered, "not_recorded": self.missing})
    }
}
