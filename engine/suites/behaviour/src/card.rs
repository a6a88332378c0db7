//! The card of the behaviour suite, as its file says.

use std::sync::LazyLock;

use probity_bench::Card;
use probity_bench::code::RULES;

/// The name that `--suite` takes.
pub const NAME: &str = "behaviour";

pub static CARD: LazyLock<Card> = LazyLock::new(|| Card::read(NAME, include_str!("card.toml"), RULES));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::HEURISTIC;
    use crate::episode::fault::METRICS;
    use crate::model::variant::{FACTOR, Variant};
    use crate::score::failure_mode::FailureMode;
    use probity_engine::Difficulty;

    #[test]
    fn the_card_has_what_the_types_have() {
        assert_eq!(CARD.problem(), None);
        let levels = |name: &str| CARD.factor(name).unwrap().levels.iter().map(|level| level.name).collect::<Vec<_>>();
        assert_eq!(levels(FACTOR), Variant::ALL.map(Variant::name));
        assert_eq!(levels("difficulty"), Difficulty::ALL.map(Difficulty::name));
        assert!(CARD.agents.iter().map(|agent| agent.name.as_str()).eq([HEURISTIC]));
        assert!(METRICS.iter().all(|metric| CARD.metric(metric).is_some()));
        assert_eq!(CARD.tags[0].words[0], FailureMode::ForbiddenTool.name());
    }
}
