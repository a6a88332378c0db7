//! Tool bodies, preconditions and predicates in Rhai: the only folder that names the crate.

mod convert;
mod error;
mod fuel;
mod handles;
pub mod lint;
mod natives;
mod operands;
pub mod outcome;
pub mod program;
mod sandbox;
pub mod sources;
mod unit;
pub mod words;

pub use natives::fold;
pub use operands::operands;
