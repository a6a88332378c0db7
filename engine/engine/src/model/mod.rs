//! The vocabulary: plain data with no I/O, no scripts and no graphs. Everything else depends on it.

pub mod arguments;
#[macro_use]
mod as_text;
pub mod call;
pub mod canonical;
pub mod conduct;
pub mod constraints;
pub mod delta;
pub mod diagnostic;
pub mod environment_file;
pub mod field_path;
pub mod finding;
pub mod ids;
pub mod merge;
pub mod number;
pub mod pattern;
pub mod plain;
pub mod pointer;
pub mod policy;
pub mod rejection;
pub mod stream;
pub mod suggest;
pub mod visible;
pub mod within;
