//! How often rules find the behaviour that a user was made with.

use serde::Serialize;

use super::labels::Annotation;
use crate::model::variant::Variant;

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
