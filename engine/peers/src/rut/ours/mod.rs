//! Our reading of the peer's data: stricter where a success hides something, fairer where a failure is not one.

pub mod assignment;
pub mod audit;
mod clean;
mod reading;
pub mod reason;
mod state;

pub use reading::{Finding, Reading};
