//! What comes from outside, read as it comes: packed bytes ([`inflate`]), JSON that is not quite JSON ([`lenient`]), and
//! what a model thought among what it said ([`thoughts`]). Files that people write for us are read strictly, elsewhere.

#![deny(missing_docs)]

#[cfg(test)]
#[path = "../../prose/src/case.rs"]
#[expect(dead_code, reason = "its cases have one text each")]
mod case;
pub mod inflate;
pub mod lenient;
pub mod thoughts;
