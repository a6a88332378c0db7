//! Our reading of the peer's data: stricter where a success hides something, fairer where a failure is not one.

pub(crate) mod assignment;
pub(crate) mod audit;
mod clean;
mod reading;
pub(crate) mod reason;
mod state;

pub use reading::{Finding, Reading};
