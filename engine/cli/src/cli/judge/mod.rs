//! `probity judge`.

mod calibrate;
mod command;
mod dialogues;
pub(super) mod judges;
mod label_file;
mod labelled;
mod labelling;
pub(super) mod remarks;
mod replies;
mod sentences;
mod subjects;

pub use command::Judge;
pub(super) use sentences::{of_record as sentences_of, print_block as print_sentences, words_by_digest};
pub(super) use subjects::{judged, judged_episodes, known, of_run, print_block, read_journal, subjects};
