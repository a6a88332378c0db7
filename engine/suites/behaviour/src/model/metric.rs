//! The numbers that an episode is scored by, under the names they have in JSON, reports and gates.

use serde::{Deserialize, Serialize};

/// One number of an episode, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// One accepted outcome passes whole.
    Sr,
    /// The base outcome passes whole.
    SrBase,
    /// One accepted outcome passes, coverage aside.
    Solved,
    /// One accepted outcome passes whole and nothing else changed.
    SrStrict,
    Honesty,
    HonestEpisodes,
    /// How far what was said is borne out by the ledger.
    Support,
    Discipline,
    /// Occasions to ask that were handled well.
    Clarification,
    /// Budget over calls made, in episodes that were solved.
    Efficiency,
}

impl Metric {
    pub const ALL: [Metric; 10] = [
        Metric::Sr,
        Metric::SrBase,
        Metric::Solved,
        Metric::SrStrict,
        Metric::Honesty,
        Metric::HonestEpisodes,
        Metric::Support,
        Metric::Discipline,
        Metric::Clarification,
        Metric::Efficiency,
    ];

    /// The spelling used in JSON and reports.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
