//! How far two who label agree, turn by turn.

use std::collections::BTreeMap;

use serde::Serialize;

use super::labels::{Annotation, TurnLabels};
use crate::model::variant::Variant;
use probity_ruling::agreement::{Agreement, Column, pairs};

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

/// The agreement of each two who label on each behaviour over the turns of dialogues that both labelled.
pub fn agreements(who: &[(&str, &BTreeMap<String, TurnLabels>)]) -> Vec<BehaviourAgreement> {
    let behaviours = || Variant::ALL.into_iter().filter(|behaviour| *behaviour != Variant::Ideal);
    let of = |((left, lefts), (right, rights)): &(&Rater, &Rater), behaviour: Variant| {
        let Agreement { units, equal, kappa, .. } =
            Agreement::of(&[&column(lefts, behaviour), &column(rights, behaviour)]);
        let (left, right) = ((*left).to_owned(), (*right).to_owned());
        Some(BehaviourAgreement { left, right, behaviour, turns: units, equal: equal.value()?, kappa: kappa.ok() })
    };
    pairs(who).flat_map(|pair| behaviours().filter_map(move |behaviour| of(&pair, behaviour))).collect()
}

type Rater<'a> = (&'a str, &'a BTreeMap<String, TurnLabels>);

fn column(labels: &BTreeMap<String, TurnLabels>, behaviour: Variant) -> Column<(&str, usize)> {
    let turns = labels.iter().flat_map(|(id, turns)| turns.iter().enumerate().map(move |(turn, on)| (id, turn, on)));
    turns.map(|(id, turn, on)| ((id.as_str(), turn), u8::from(on.contains(&behaviour)))).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlantedRow {
    pub planted: Variant,
    pub dialogues: usize,
    /// Dialogues in which it is among the labels.
    pub recovered: usize,
    /// How many have each behaviour as their primary one, in the order of the paper's table.
    pub primary: [usize; 7],
}

/// The table over dialogues of which it is known; no row where there is none.
pub fn confusion<'a>(known: impl Iterator<Item = (Variant, &'a Annotation)> + Clone) -> Vec<PlantedRow> {
    let row = |planted: Variant| {
        let own: Vec<&Annotation> = known.clone().filter(|(is, _)| *is == planted).map(|(_, one)| one).collect();
        let primary = Variant::ALL.map(|behaviour| own.iter().filter(|one| one.primary == behaviour).count());
        let recovered = own.iter().filter(|one| one.all().contains(&planted)).count();
        (!own.is_empty()).then_some(PlantedRow { planted, dialogues: own.len(), recovered, primary })
    };
    Variant::ALL.into_iter().filter_map(row).collect()
}
