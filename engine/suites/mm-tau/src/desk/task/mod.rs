//! What a desk task is: its file, the checked task, the state in which it begins, and the proof that it is what it says.

mod certificate;
mod checks;
mod cost;
mod desk_field;
mod desk_task;
mod identity;
mod task_file;

pub use certificate::certify_desk;
pub use checks::{certificate_problem, problems};
pub use cost::{AmountTold, means_name, named_means};
pub use desk_field::DeskField;
pub use desk_task::{DeskFact, DeskStage, DeskTask};
pub use identity::{Identification, finding_calls};
pub use task_file::{DESK_WORLDS, DeskCall, DeskTaskFile, NamedFile, StageEnd, Until};
