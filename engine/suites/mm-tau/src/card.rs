//! The card of the MM-tau suite, as its file says.

use std::sync::LazyLock;

use probity_bench::{Card, Level};

/// The name that `--suite` takes.
pub const NAME: &str = "mm-tau";
pub(crate) const PERSONA: &str = "persona";
/// The factor that says what the agent is told of them.
pub(crate) const EXPOSURE: &str = "exposure";
/// The factor that says where a task is at home.
pub const DOMAIN: &str = "domain";
/// The option that says how bad the line is.
pub(crate) const NOISE: &str = "noise";
/// Its value with which words go through programs that speak and write down.
pub(crate) const SPOKEN: &str = "spoken";
/// The option that warns agents of early hand-overs.
pub(crate) const GUARD: &str = "guard";

pub static CARD: LazyLock<Card> = LazyLock::new(|| Card::read(NAME, include_str!("card.toml"), &[]));

/// Where tasks are at home.
pub(crate) static DOMAINS: LazyLock<&[Level]> =
    LazyLock::new(|| CARD.factor(DOMAIN).map_or(&[], |factor| factor.levels));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::ServiceManner;
    use crate::play::CHANNEL;

    #[test]
    fn the_card_has_what_the_code_names() {
        assert_eq!(CARD.problem(), None);
        let agents = CARD.agents.iter().map(|agent| ServiceManner::from_name(&agent.name));
        assert!(agents.eq(ServiceManner::ALL.map(Some).into_iter().skip(1)));
        assert!([CHANNEL, PERSONA, EXPOSURE, DOMAIN].iter().all(|name| CARD.factor(name).is_some()));
        let values = |name: &str| CARD.options.iter().find(|option| option.name == name).unwrap().values;
        assert!(values(NOISE).contains(&SPOKEN) && values(GUARD).contains(&"on"));
        assert_eq!((CARD.sure, CARD.spoken), (Some((CHANNEL, "text")), Some((NOISE, SPOKEN))));
    }
}
