//! What stands behind a judge, for the episode that it judges.

use super::FactJudge;
use crate::resolution::Judge;
use dyn_clone::DynClone;
use probity_bench::{Ruling, Usage};

/// A judge, and what there is to know of how it came to its verdicts.
pub trait Backend: Judge + DynClone + Send + Sync {
    /// What a model decided since it was last asked for that.
    fn rulings(&mut self) -> Vec<Ruling> {
        Vec::new()
    }

    /// Why it can judge no more: its provider could not be reached.
    fn fault(&self) -> Option<String> {
        None
    }

    /// What its provider was asked for; nothing for a judge without one.
    fn usage(&self) -> Option<Usage> {
        None
    }
}

impl Backend for FactJudge {}

dyn_clone::clone_trait_object!(Backend);
