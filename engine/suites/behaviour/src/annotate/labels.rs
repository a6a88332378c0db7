//! The labels of a dialogue: of each turn, and the one of the whole.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::log::Log;
use super::rules::{BehaviourSign, ENOUGH, signs};
use crate::model::variant::Variant;

/// What somebody says of the turns of a dialogue: the behaviours in each; none is an ideal user.
pub type TurnLabels = Vec<BTreeSet<Variant>>;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Annotation {
    pub id: String,
    pub turns: TurnLabels,
    /// The one whose signs weigh most over all turns; `ideal` where no turn has a label.
    pub primary: Variant,
    pub signs: Vec<BehaviourSign>,
}

impl Annotation {
    pub fn of(log: &Log) -> Annotation {
        let signs = signs(log);
        let mut by_turn: BTreeMap<(usize, Variant), f64> = BTreeMap::new();
        for sign in &signs {
            *by_turn.entry((sign.turn, sign.behaviour)).or_default() += sign.weight;
        }
        let is_label =
            |turn: usize, behaviour: &Variant| by_turn.get(&(turn, *behaviour)).is_some_and(|weight| *weight >= ENOUGH);
        let turns: TurnLabels = (1..=log.turns.len())
            .map(|turn| Variant::ALL.into_iter().filter(|behaviour| is_label(turn, behaviour)).collect())
            .collect();
        let labelled: BTreeSet<Variant> = turns.iter().flatten().copied().collect();
        let weight = |behaviour: Variant| {
            let own = by_turn.iter().filter(|((_, other), _)| *other == behaviour).map(|(_, weight)| *weight);
            own.sum::<f64>()
        };
        // Of two that weigh the same, the one that the paper's table has first.
        let heaviest = labelled.iter().copied().rev().max_by(|one, other| weight(*one).total_cmp(&weight(*other)));
        Annotation { id: log.id.clone(), turns, primary: heaviest.unwrap_or(Variant::Ideal), signs }
    }

    /// All behaviours of the dialogue; `ideal` alone where there is none.
    pub fn all(&self) -> BTreeSet<Variant> {
        behaviours(&self.turns)
    }
}

/// All behaviours of a dialogue; `ideal` alone where there is none.
pub fn behaviours(turns: &TurnLabels) -> BTreeSet<Variant> {
    let all: BTreeSet<Variant> = turns.iter().flatten().copied().collect();
    if all.is_empty() { BTreeSet::from([Variant::Ideal]) } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::log::LogSpeaker;

    fn annotated(said: &[&str]) -> Annotation {
        let speakers = [LogSpeaker::User, LogSpeaker::Agent].into_iter().cycle();
        Annotation::of(&Log::new("d", speakers.zip(said.iter().copied()), None))
    }

    #[test]
    fn turns_are_labelled_by_words_and_by_answers() {
        let plain = annotated(&["Please move my booking to Friday.", "Done."]);
        assert_eq!((plain.primary, plain.turns.len()), (Variant::Ideal, 1));
        let asked = annotated(&["Please move it.", "Which booking do you mean?", "The one in May.", "Done."]);
        assert_eq!(asked.primary, Variant::Underspecification);
        assert_eq!(asked.turns[0], BTreeSet::from([Variant::Underspecification]));
        assert!(asked.turns[1].is_empty());
        let cold = annotated(&["Third time I write. You people have one job. Move it.", "Done."]);
        assert_eq!(cold.primary, Variant::ImpatienceAndHostility);
        let made_up = annotated(&["Move it with the silver pass.", "Done. There is no silver pass."]);
        assert_eq!(made_up.primary, Variant::FabricatedParameters);
        let torn = annotated(&[
            "Move it to Friday, but nothing may be charged, on no account.",
            "Moving costs 5 EUR, and I cannot waive that. Would you rather keep it, or pay?",
            "Pay.",
        ]);
        assert_eq!(torn.primary, Variant::ContradictoryConstraints);
        for calm in ["No hurry at all, take your time.", "Please put me on the waiting list.", "The same as last time."]
        {
            assert_eq!(annotated(&[calm, "Done."]).primary, Variant::Ideal, "{calm}");
        }
        let wandering = annotated(&["I was going to cancel. No, wait: never mind that, move it to Friday.", "Done."]);
        assert_eq!(wandering.primary, Variant::GoalSwitching);
    }
}
