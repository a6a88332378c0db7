//! The card of the tau2 suite, as its file says.

use std::sync::LazyLock;

use probity_bench::Card;

/// The name that `--suite` takes.
pub const NAME: &str = "tau2";
pub const WORLD: &str = "world";
pub(crate) const SPLIT: &str = "split";
pub const MODE: &str = "mode";
/// The option that says whether worlds have tau2-bench's defects.
pub(crate) const COMPAT: &str = "compat";
pub(crate) const VERDICTS: &str = "verdicts";

pub static CARD: LazyLock<Card> = LazyLock::new(|| Card::read(NAME, include_str!("card.toml"), &[]));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Manner;

    #[test]
    fn the_card_has_what_the_code_names() {
        assert_eq!(CARD.problem(), None);
        let agents = CARD.agents.iter().map(|agent| Manner::from_name(&agent.name));
        assert!(agents.eq(Manner::ALL.map(Some).into_iter().skip(1)));
        assert!([WORLD, SPLIT, MODE].iter().all(|name| CARD.factor(name).is_some()));
        assert!(CARD.options.iter().any(|option| option.name == COMPAT));
        assert!(CARD.tags.iter().any(|tag| tag.name == VERDICTS));
    }
}
