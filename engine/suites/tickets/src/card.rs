//! The card of the ticket suite, as its file says.

use std::sync::LazyLock;

use probity_bench::Card;

/// The name that `--suite` takes.
pub const NAME: &str = "tickets";

pub static CARD: LazyLock<Card> = LazyLock::new(|| Card::read(NAME, include_str!("card.toml"), &[]));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Manner;
    use crate::measures::{CHECKPOINTS, TOKENS};
    use crate::model::ReplyType;
    use crate::play::Mode;

    #[test]
    fn the_levels_are_those_that_instances_have() {
        assert_eq!(CARD.problem(), None);
        let agents = CARD.agents.iter().map(|agent| Manner::from_name(&agent.name));
        assert!(agents.eq(Manner::ALL.map(Some).into_iter().skip(1)));
        let levels =
            |name: &str| -> Vec<&str> { CARD.factor(name).unwrap().levels.iter().map(|level| level.name).collect() };
        let modes = [Mode::MultiTurn, Mode::SingleTurn(1)].map(|mode| mode.levels().get("mode").unwrap().to_owned());
        assert_eq!(levels("mode"), modes);
        assert_eq!(levels("checkpoints"), CHECKPOINTS);
        assert_eq!(levels("tokens"), TOKENS);
        let kinds =
            [ReplyType::Solution, ReplyType::Standard, ReplyType::Inquire, ReplyType::Clarify, ReplyType::Appease];
        assert_eq!(levels("reply_type"), kinds.map(ReplyType::name));
    }
}
