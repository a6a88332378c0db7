//! How far two who label agree, turn by turn.

use serde::Serialize;

use super::labels::TurnLabels;
use crate::model::variant::Variant;
use probity_bench::Weights;
use probity_bench::stats::kappa::kappa;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BehaviourAgreement {
    /// The one: `rules`, or a judge.
    pub left: String,
    pub right: String,
    pub behaviour: Variant,
    /// Turns that both labelled.
    pub turns: usize,
    pub equal: f64,
    /// Cohen's kappa; nothing where it has no value, as when both say the same of all.
    pub kappa: Option<f64>,
}

/// The agreement on each behaviour over the turns of dialogues that both labelled.
pub fn agreement(names: (&str, &str), shared: &[(&TurnLabels, &TurnLabels)]) -> Vec<BehaviourAgreement> {
    let behaviours = Variant::ALL.into_iter().filter(|behaviour| *behaviour != Variant::Ideal);
    let of = |behaviour: Variant| {
        let turns = shared.iter().flat_map(|(left, right)| left.iter().zip(right.iter()));
        let has = |labels: &std::collections::BTreeSet<Variant>| u8::from(labels.contains(&behaviour));
        let pairs: Vec<(u8, u8)> = turns.map(|(left, right)| (has(left), has(right))).collect();
        let equal = pairs.iter().filter(|(left, right)| left == right).count();
        (!pairs.is_empty()).then(|| BehaviourAgreement {
            left: names.0.to_owned(),
            right: names.1.to_owned(),
            behaviour,
            turns: pairs.len(),
            equal: equal as f64 / pairs.len() as f64,
            kappa: kappa(&pairs, Weights::Nominal).ok(),
        })
    };
    behaviours.filter_map(of).collect()
}
