//! `probity judge`.

pub(super) mod asking;
mod calibrate;
mod command;
mod dialogues;
pub(super) mod judges;
mod kept;
mod labelled;
mod labelled_table;
mod labelling;
pub(super) mod remarks;
mod replies;
pub(super) mod stopped;
mod subjects;

pub use command::Judge;
pub(super) use subjects::{judged, judged_episodes, known, of_run, print_block, read_journal, subjects};
