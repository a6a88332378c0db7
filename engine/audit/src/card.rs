//! The card of an audit, as its file says.

use std::sync::LazyLock;

use probity_bench::Card;
use probity_bench::code::RULES;

/// The factor by which dialogues are grouped.
pub(crate) const FORM: &str = "form";

/// What an audit measures.
pub static CARD: LazyLock<Card> = LazyLock::new(|| Card::read("audit", include_str!("card.toml"), RULES));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_can_be_drawn() {
        assert_eq!(CARD.problem(), None);
        assert!(CARD.factor(FORM).is_some());
    }
}
