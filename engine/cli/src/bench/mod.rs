//! The benchmark's workload (a depot of parts): through the engine, and in plain Rust beside it.

pub mod plain;
pub mod workload;
