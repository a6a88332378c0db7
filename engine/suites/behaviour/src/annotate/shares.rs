//! How often each behaviour is met, beside the shares that the paper found in logs of its own (RUT-Bench, section 3).

use serde::Serialize;

use super::labels::{TurnLabels, behaviours};
use crate::model::variant::Variant;

/// What the paper found, of labelled behaviours; of the ideal user it tells nothing.
const PAPER: [(Variant, f64); 6] = [
    (Variant::Underspecification, 0.6306),
    (Variant::InformationOverload, 0.1532),
    (Variant::FabricatedParameters, 0.0090),
    (Variant::GoalSwitching, 0.1441),
    (Variant::ContradictoryConstraints, 0.0631),
    (Variant::ImpatienceAndHostility, 0.0),
];

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BehaviourShare {
    pub behaviour: Variant,
    pub turns: usize,
    pub dialogues: usize,
    /// Its share of all labels of dialogues, the ideal user left out, as the paper counts; none where there is no label.
    pub share: Option<f64>,
    /// The paper's.
    pub paper: Option<f64>,
}

pub fn shares<'l>(labels: impl Iterator<Item = &'l TurnLabels> + Clone) -> Vec<BehaviourShare> {
    let count = |behaviour: Variant| labels.clone().filter(|turns| behaviours(turns).contains(&behaviour)).count();
    let all: usize = PAPER.iter().map(|(behaviour, _)| count(*behaviour)).sum();
    let of = |behaviour: Variant| {
        let paper = PAPER.iter().find(|(known, _)| *known == behaviour).map(|(_, share)| *share);
        let dialogues = count(behaviour);
        let is_ideal = behaviour == Variant::Ideal;
        let has = |labels: &std::collections::BTreeSet<Variant>| match is_ideal {
            true => labels.is_empty(),
            false => labels.contains(&behaviour),
        };
        let turns = labels.clone().flatten().filter(|labels| has(labels)).count();
        let share = (!is_ideal && all > 0).then(|| dialogues as f64 / all as f64);
        BehaviourShare { behaviour, turns, dialogues, share, paper }
    };
    Variant::ALL.into_iter().map(of).collect()
}
