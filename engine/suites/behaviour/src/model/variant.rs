//! The seven user behaviours.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::Deserialize;

use probity_bench::{Levels, named};

// In the order of the paper's table, `Ideal` first.
named! {
    /// One of the seven user behaviours (RUT-Bench, section 3).
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Variant {
        /// The user states all that is needed, clearly.
        Ideal = "ideal",
        /// A needed fact is left out at first.
        Underspecification = "underspecification",
        /// The request is buried in what does not matter.
        InformationOverload = "information_overload",
        /// The user refers to options that no tool has.
        FabricatedParameters = "fabricated_parameters",
        /// The user wanders to another wish and back.
        GoalSwitching = "goal_switching",
        /// The user asks for things that cannot all be had.
        ContradictoryConstraints = "contradictory_constraints",
        /// The user is rude and in a hurry.
        ImpatienceAndHostility = "impatience_and_hostility",
    }
}

/// What marks a behaviour in a task: its part of the file and its dialogue must show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BehaviourMark {
    /// The user's errand is done at the end.
    Done,
    /// Facts are withheld at first.
    Withheld,
    /// The request drowns in what does not matter.
    Drowned,
    /// Something is planted that does not exist.
    Planted,
    /// Another wish comes between.
    Switched,
    /// Wishes contradict one another.
    Contradicted,
    /// The user presses.
    Pressed,
}

pub const FACTOR: &str = "variant";

impl Variant {
    pub fn of(levels: &Levels) -> Option<Variant> {
        levels.get(FACTOR)?.parse().ok()
    }

    pub fn mark(self) -> BehaviourMark {
        match self {
            Variant::Ideal => BehaviourMark::Done,
            Variant::Underspecification => BehaviourMark::Withheld,
            Variant::InformationOverload => BehaviourMark::Drowned,
            Variant::FabricatedParameters => BehaviourMark::Planted,
            Variant::GoalSwitching => BehaviourMark::Switched,
            Variant::ContradictoryConstraints => BehaviourMark::Contradicted,
            Variant::ImpatienceAndHostility => BehaviourMark::Pressed,
        }
    }

    /// It as the level of the one factor that an instance is set by.
    pub fn levels(self) -> Levels {
        Levels::from_iter([(FACTOR, self.name())])
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Variant::ALL.into_iter().find(|v| v.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Variant::ALL.iter().map(|v| v.name()).collect();
            format!("unknown variant `{text}`; one of {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_round_trip_through_their_names() {
        for variant in Variant::ALL {
            assert_eq!(variant.name().parse::<Variant>(), Ok(variant));
            assert_eq!(serde_json::to_string(&variant).unwrap(), format!("\"{variant}\""));
        }
        assert!("hostile".parse::<Variant>().is_err());
    }
}
