//! What episodes that are not yet played will take, by those that were.

use serde::Serialize;

use crate::spent::Spent;
use probity_bench::{EpisodeRecord, RunConfig, Usage};

/// So many episodes, and what they ask of providers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bill {
    pub episodes: u64,
    #[serde(flatten)]
    pub spent: Spent,
}

/// The trials of one instance: how they came out, and what they took.
#[derive(Default)]
pub(super) struct Taken {
    pub values: Vec<f64>,
    bill: Bill,
}

impl Taken {
    /// Counts what an episode took.
    pub fn add(&mut self, record: &EpisodeRecord) {
        self.bill.episodes += 1;
        self.bill.spent.add(record);
    }
}

impl Bill {
    /// So many trials of each of some instances, each taking what it took on average, in whole tokens. Requests that had
    /// to be sent again and answers that were cut off are not expected.
    pub(super) fn of<'a>(instances: impl Iterator<Item = &'a Taken>, trials: u32) -> Bill {
        let mut all = Bill::default();
        for Bill { episodes, spent } in instances.map(|taken| taken.bill) {
            all.episodes += u64::from(trials);
            let expected = |count: u64| {
                let of_all = u128::from(count) * u128::from(trials);
                u64::try_from(of_all.div_ceil(u128::from(episodes.max(1)))).unwrap_or(u64::MAX)
            };
            let usage = |usage: Usage| Usage {
                requests: expected(usage.requests - usage.retries.min(usage.requests)),
                uncounted: expected(usage.uncounted),
                prompt_tokens: expected(usage.prompt_tokens),
                cached_tokens: expected(usage.cached_tokens),
                completion_tokens: expected(usage.completion_tokens),
                ..Usage::default()
            };
            all.spent.take(spent.agent.map(usage), spent.user.map(usage));
        }
        all
    }

    /// What it costs, by the prices of a run, where a provider is asked at all.
    pub(super) fn price(&mut self, config: &RunConfig) {
        if self.spent.agent.is_some() || self.spent.user.is_some() {
            self.spent.price(config);
        }
    }
}
