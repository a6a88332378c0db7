//! tau2-bench: its recordings, held against our worlds of the same tools.

mod domain;
mod import;
mod layout;
mod line;
mod start;
mod text;
mod verdict;
mod world;

pub use domain::Domain;
pub use import::{Package, PackageSource, TauSet};
pub use line::RecordingKind;
pub use verdict::{Divergence, Held, Recording};
pub use world::{TauWorld, TauWorlds};
