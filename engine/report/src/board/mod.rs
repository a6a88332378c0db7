//! Many runs beside each other: agents by metric, those ranked that were played on the same.

mod data;
mod entry;
#[cfg(test)]
mod tests;
mod text;

pub use data::{Board, BoardDraft, Conditions, HEAD_BYTES, is_board};
pub use entry::{BoardAgent, BoardRun, BoardScore, Rank, ReadRun, RunName};
