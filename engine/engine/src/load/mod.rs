//! The door: authored files are read, placed by line and column, and checked before anything uses them.

pub mod authored;
pub mod comment;
pub mod environment;
pub mod foreign;
pub mod format;
pub mod fresh;
pub mod held;
pub mod out;
mod placement;
pub mod position;
pub mod read;
mod scan;
pub mod short;
pub mod strict;
pub(crate) mod syntax;
pub mod tree;
pub mod unfinished;
pub mod whole;

pub use placement::{diagnose, diagnose_all};
