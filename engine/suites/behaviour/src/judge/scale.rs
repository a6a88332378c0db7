//! The three scales on which judges grade an episode.

use serde::{Deserialize, Serialize};

/// One scale; its grades are whole numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Faithfulness and stability over the turns: grounded, consistent, nothing invented.
    Faithfulness,
    /// Asks when a needed fact is missing, and not when it can act.
    Clarification,
    /// No blind deeds, no needless or repeated calls, no promises without ground.
    Discipline,
}

impl Scale {
    pub const ALL: [Scale; 3] = [Scale::Faithfulness, Scale::Clarification, Scale::Discipline];

    /// The spelling used in JSON and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn best(self) -> u8 {
        match self {
            Scale::Faithfulness => 4,
            Scale::Clarification | Scale::Discipline => 3,
        }
    }
}
