//! What calls came to, kept by what they looked at.
//!
//! Whoever proves something of a task makes the same call in thousands of states that differ in what the call never
//! looks at. What came of it is kept under its looks, one after the other; in a state that shows the same the script
//! does not run again (docs/adr/0021).

mod kept;
mod look;
mod recalled;
mod repeated;

pub use kept::{afresh, has_run, within};
pub(crate) use kept::{call, hash, holds, number};
pub(crate) use look::{Look, look, wrote};
pub use recalled::{Made, Recall};
pub use repeated::RepeatedCall;

#[cfg(test)]
mod tests;
