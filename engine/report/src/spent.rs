//! What an agent's episodes asked of providers, and what that cost.

use serde::{Deserialize, Serialize};

use probity_bench::{EpisodeRecord, Prices, RunConfig, Usage};

/// Requests, tokens and cost of an agent's episodes, its users' included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spent {
    /// What the agent asked for; nothing for one without a provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Usage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Usage>,
    /// What all of it cost, in the currency of the prices; nothing when prices or counts are missing for a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Spent {
    /// Adds what an episode asked for; nothing stays where no provider was asked.
    pub(super) fn add(&mut self, record: &EpisodeRecord) {
        self.take(record.usage, record.user_usage);
    }

    /// Adds what an agent and its user asked for.
    pub(super) fn take(&mut self, agent: Option<Usage>, user: Option<Usage>) {
        for (sum, usage) in [(&mut self.agent, agent), (&mut self.user, user)] {
            match (sum, usage) {
                (Some(sum), Some(usage)) => *sum += usage,
                (sum @ None, Some(usage)) => *sum = Some(usage),
                (_, None) => {}
            }
        }
    }

    pub fn price(&mut self, config: &RunConfig) {
        let agents = config.provider.as_ref().and_then(|provider| provider.prices);
        let users = config.user_model.as_ref().and_then(|model| model.provider.prices);
        let cost = |usage: Option<Usage>, prices: Option<Prices>| match (usage, prices) {
            (None, _) => Some(0.0),
            (Some(usage), Some(prices)) => prices.cost(&usage),
            (Some(_), None) => None,
        };
        self.cost = cost(self.agent, agents).zip(cost(self.user, users)).map(|(agent, user)| agent + user);
    }

    pub fn line(&self) -> String {
        let sides = [("", self.agent), ("its users ", self.user)];
        let sides = sides.into_iter().filter_map(|(whose, usage)| Some(format!("{whose}{}", usage?)));
        let cost = self.cost.map(|cost| format!("cost {cost:.4}"));
        sides.chain(cost).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::Sketch;

    const ASKED: Usage = Usage {
        requests: 3,
        retries: 1,
        uncounted: 0,
        prompt_tokens: 2_000_000,
        cached_tokens: 10,
        completion_tokens: 500_000,
        cut_off: 0,
        mended: 0,
    };

    fn record(usage: Option<Usage>, user_usage: Option<Usage>) -> EpisodeRecord {
        EpisodeRecord { usage, user_usage, ..Sketch::default().record() }
    }

    fn config(agents: Option<&str>, users: Option<&str>) -> RunConfig {
        let provider = |prices: &str| {
            serde_json::json!({
                "base_url": "http://127.0.0.1/v1", "tool_mode": "native", "temperature": 0.0, "max_tokens": 128,
                "timeout": 60, "attempts": 5, "retry_wait_ms": 1000, "concurrency": 4, "api_key_env": "",
                "prices": serde_json::from_str::<serde_json::Value>(prices).unwrap(),
            })
        };
        let mut config = serde_json::json!({
            "format": 2, "engine": "0", "suite": "behaviour", "agents": [], "trials": 1, "seed": 0, "agent_timeout": 60, "inputs": {},
            "selection": {"tasks": [], "levels": {}, "limit": null},
            "limits": {"max_messages": 20}, "user": "model",
        });
        config["provider"] = agents.map(provider).into();
        config["user_model"] =
            users.map(|prices| serde_json::json!({"model": "m", "provider": provider(prices)})).into();
        serde_json::from_value(config).unwrap()
    }

    const PRICES: &str = r#"{"prompt": 2.0, "completion": 8.0}"#;

    #[test]
    fn episodes_add_up_and_only_what_is_priced_whole_has_a_cost() {
        let records = [record(Some(ASKED), None), record(Some(ASKED), Some(ASKED)), record(None, None)];
        let mut spent = Spent::default();
        records.iter().for_each(|record| spent.add(record));
        assert_eq!((spent.agent.unwrap().requests, spent.user.unwrap().requests), (6, 3));
        spent.price(&config(Some(PRICES), Some(PRICES)));
        assert_eq!(spent.cost, Some(24.0));
        spent.price(&config(Some(PRICES), Some("null")));
        assert_eq!(spent.cost, None);
        spent.price(&config(Some(PRICES), None));
        assert_eq!(spent.cost, None);
        spent.agent = Some(Usage { uncounted: 1, ..ASKED });
        spent.price(&config(Some(PRICES), Some(PRICES)));
        assert_eq!(spent.cost, None);
    }

    #[test]
    fn an_agent_that_asks_nobody_has_spent_nothing() {
        let mut spent = Spent::default();
        spent.add(&record(None, None));
        assert_eq!(spent, Spent::default());
    }

    #[test]
    fn it_is_told_on_one_line() {
        let spent = Spent {
            agent: Some(Usage { uncounted: 1, ..ASKED }),
            user: Some(Usage { requests: 2, ..Usage::default() }),
            cost: Some(8.0),
        };
        let line = "3 requests (1 of them sent again), 2000000 tokens read (10 from a cache), 500000 written (1 answers \
                    gave no count); its users 2 requests, 0 tokens read, 0 written; cost 8.0000";
        assert_eq!(spent.line(), line);
    }
}
