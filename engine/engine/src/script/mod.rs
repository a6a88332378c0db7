//! Tool bodies, preconditions and predicates in Rhai: the only folder that names the crate.

mod compile;
mod convert;
mod dates;
mod error;
pub(crate) mod fuel;
mod growth;
mod handles;
pub mod lint;
mod natives;
mod operands;
pub mod outcome;
pub mod program;
mod sandbox;
pub mod sources;
mod unit;
mod weight;
pub mod words;
mod written;

pub use natives::fold;
pub use operands::operands;
