//! tau2-bench's data as a package that the tau2 suite plays.

mod package;
mod peer_task;
mod peer_tasks;

pub use package::{Package, PackageSource, TauSet};
