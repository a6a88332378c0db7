//! The short form of authored files, written out: what stands for more becomes what the formats hold, each part at the
//! place of what it was written as. What is long already stays; what is neither is left for the strict reading.

mod binding;
mod environment;
mod errors;
mod field;
mod kind;
mod reference;
#[cfg(test)]
mod tests;
mod tool;

pub use environment::environment;
pub use errors::ShortFormErrors;
pub use field::{derive, derive_head, id_of_path, listed, respell};
