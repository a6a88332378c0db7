//! MM-tau-p2: tasks in which the user has tools too, spoken or written, and what is measured of them (docs/MM_TAU.md).

mod benchmark;
mod card;
#[cfg(test)]
#[path = "../../../prose/src/case.rs"]
mod case;
mod certificate;
pub mod desk;
mod inference;
pub mod labels;
pub mod measures;
pub mod people;
mod play;
mod score;
mod suite;
mod survey;
pub mod telecom;
pub mod voice;

pub use benchmark::{MmTauBenchmark, REGISTERED};
pub use card::NAME;
pub use certificate::{TELECOM, beginning, certify};
