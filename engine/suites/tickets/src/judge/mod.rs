//! Who says whether a reply conveys what the recorded one does, and whether a query follows from what was said.

mod backend;
mod facts;
mod labelled;
mod model;
mod own_words;
mod recorded;
mod verdict;

pub use backend::Backend;
pub use facts::{FactJudge, lacking, named};
pub use labelled::{Confusion, Label, LabelledReply};
pub use model::ModelJudge;
pub use recorded::RecordedJudge;
pub use verdict::{Verdict, read_coverage, read_fluency};
