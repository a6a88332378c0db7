//! The workload of `probity bench`, a depot of parts: through the engine, and in plain Rust beside it.

mod plain;
mod workload;

pub use plain::Plain;
pub use workload::{Operation, Workload};
