//! Reports: what a run shows, as numbers with denominators.

mod about;
mod aggregate;
mod board;
pub mod census;
mod cheats;
pub mod compare;
mod document;
mod group;
mod html;
mod judged;
mod rows;
#[doc(hidden)]
pub mod sample;
#[cfg(test)]
#[path = "../../suites/behaviour/tests/sample/mod.rs"]
mod sketch;
mod spent;
pub mod table;
mod tally;
pub mod transcript;

pub use about::{About, AuditedLogs};
pub use aggregate::{Digest, Report, Score, SuiteCounts};

pub use board::{
    Board, BoardAgent, BoardDraft, BoardRun, BoardScore, Conditions, HEAD_BYTES, Rank, ReadRun, RunName, is_board,
};
pub use cheats::CheatFloor;
pub use compare::apart::Apart;
pub use compare::check::{Check, Decision, Outcome};
pub use compare::comparison::{Comparison, Side};
pub use compare::detection::Detection;
pub use compare::difference::GroupName;
pub use compare::gate::GateVerdict;
pub use compare::rules::GateFile;
pub use compare::write::{github, junit, markdown, place::Sources, text};
pub use html::Page;
pub use judged::{Judged, JudgedMean};
pub use tally::Tally;
