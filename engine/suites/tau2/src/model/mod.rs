//! The files of the suite: tasks, and the state in which a world begins.

mod component;
mod task_file;
mod world_file;

pub use component::Component;
pub use task_file::{AssertedCall, GoldCall, OwnCall, Scenario, TaskFile};
pub use world_file::WorldFile;
