//! Tool bodies, preconditions and predicates in Rhai: the only folder that names the crate.

mod convert;
mod fuel;
mod handles;
pub mod lint;
mod natives;
pub mod program;
pub mod sources;
mod unit;
pub mod words;

pub use natives::fold;
