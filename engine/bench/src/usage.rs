//! What an agent's provider was asked for and what it counted; for people and bills, never part of a digest.

use serde::{Deserialize, Serialize};

/// Requests and tokens of an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Requests sent, those sent again included.
    pub requests: u64,
    /// Requests that were sent again.
    pub retries: u64,
    /// Answers that did not say how many tokens they took; the counts below are too low by these.
    pub uncounted: u64,
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Of these, tokens that the provider still had.
    pub cached_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// Messages that were cut off at `max_tokens`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut_off: u64,
    /// Places of answers that were no text, and stand as U+FFFD.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mended: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
pub(crate) fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        add(&mut self.requests, other.requests);
        add(&mut self.retries, other.retries);
        add(&mut self.uncounted, other.uncounted);
        add(&mut self.prompt_tokens, other.prompt_tokens);
        add(&mut self.cached_tokens, other.cached_tokens);
        add(&mut self.completion_tokens, other.completion_tokens);
        add(&mut self.cut_off, other.cut_off);
        add(&mut self.mended, other.mended);
    }
}

/// On one line for people.
impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let some = |count: u64, text: &str| if count > 0 { format!(" ({count} {text})") } else { String::new() };
        write!(
            f,
            "{} requests{}, {} tokens read{}, {} written{}{}{}",
            self.requests,
            some(self.retries, "of them sent again"),
            self.prompt_tokens,
            some(self.cached_tokens, "from a cache"),
            self.completion_tokens,
            some(self.uncounted, "answers gave no count"),
            some(self.cut_off, "messages cut off at --max-tokens"),
            some(self.mended, "places mended that were no text"),
        )
    }
}

/// What a million tokens cost, in any one currency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// A million tokens read.
    pub prompt: f64,
    /// A million tokens written.
    pub completion: f64,
}

impl Prices {
    /// What a usage costs, cached tokens counted like all others; nothing where answers did not say their tokens.
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a bill does not tell tokens apart beyond 2^53")]
        let millions = |tokens: u64| tokens as f64 / 1e6;
        let cost = self.prompt * millions(usage.prompt_tokens) + self.completion * millions(usage.completion_tokens);
        (usage.uncounted == 0).then_some(cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usages_add_up_and_cost() {
        let mut sum = Usage { requests: 1, prompt_tokens: 1_500_000, ..Usage::default() };
        sum += Usage { requests: 2, retries: 1, completion_tokens: 250_000, ..Usage::default() };
        assert_eq!((sum.requests, sum.retries), (3, 1));
        let prices = Prices { prompt: 2.0, completion: 8.0 };
        assert!((prices.cost(&sum).unwrap() - 5.0).abs() < 1e-9);
        sum.uncounted = 1;
        assert_eq!(prices.cost(&sum), None);
    }
}
