//! What a desk task is: its file, the checked task, the state in which it begins, and the proof that it is what it says.

mod checks;
mod cost;
mod desk_task;
mod task_file;

pub use checks::{certificate_problem, certify_desk, problems};
pub use cost::{AmountTold, means_name, named_means};
pub use desk_task::{DeskFact, DeskStage, DeskTask, Identification, finding_calls, populated};
pub use task_file::{DESK_WORLDS, DeskCall, DeskField, DeskTaskFile, NamedFile, StageEnd, Until};
