//! Who says whether a reply conveys what the recorded one does, and whether a query follows from what was said.

mod facts;
mod labelled;
mod model;
mod verdict;

pub use facts::{FactJudge, lacking, named};
pub use labelled::{Confusion, Label, LabelledReply};
pub use model::{Backend, ModelJudge, RecordedJudge};
pub use verdict::{Verdict, read_coverage, read_fluency};
