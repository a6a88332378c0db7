//! Who says whether a reply conveys what the recorded one does, and whether a query follows from what was said.

mod facts;
mod verdict;

pub use facts::{FactJudge, lacking};
pub use verdict::{Verdict, read_coverage, read_fluency};
