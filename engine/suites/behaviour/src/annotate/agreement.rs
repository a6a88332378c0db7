//! How far two who label agree, turn by turn.

use std::collections::BTreeMap;

use serde::Serialize;

use super::labels::{Annotation, TurnLabels, behaviours};
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
