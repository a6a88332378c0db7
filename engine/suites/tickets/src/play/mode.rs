//! How a ticket is played.

use probity_bench::Levels;

/// The factor that says how a ticket is played.
pub const MODE: &str = "mode";
/// The factor that says which checkpoint is played alone.
pub(crate) const CHECKPOINT: &str = "checkpoint";
pub const MODES: [&str; 2] = ["multi_turn", "single_turn"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// From the first checkpoint on, each query after a reply that was accepted.
    MultiTurn,
    /// One checkpoint alone, from 1, after the recorded dialogue that led to it.
    SingleTurn(usize),
}

impl Mode {
    pub fn first(self) -> usize {
        match self {
            Mode::MultiTurn => 1,
            Mode::SingleTurn(number) => number,
        }
    }

    pub fn levels(self) -> Levels {
        match self {
            Mode::MultiTurn => Levels::from_iter([(MODE, MODES[0].to_owned())]),
            Mode::SingleTurn(number) => {
                Levels::from_iter([(MODE, MODES[1].to_owned()), (CHECKPOINT, format!("cp{number}"))])
            }
        }
    }

    pub fn of(levels: &Levels) -> Option<Mode> {
        match (levels.get(MODE)?, levels.get(CHECKPOINT)) {
            ("multi_turn", None) => Some(Mode::MultiTurn),
            ("single_turn", Some(level)) => level.strip_prefix("cp")?.parse().ok().map(Mode::SingleTurn),
            _ => None,
        }
    }
}
