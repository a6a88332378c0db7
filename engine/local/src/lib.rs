//! What commands keep going on one machine: an episode played by hand ([`play`]), a scripted provider ([`mock`]), a
//! recorder before a provider ([`record`]), HTTP for whoever serves ([`http`]), and the workload of `probity bench`
//! ([`depot`]). Nothing here reads flags or prints.

pub mod depot;
mod failure;
pub mod http;
pub mod mock;
pub mod play;
pub mod record;

pub use failure::Failure;
