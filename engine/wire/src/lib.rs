//! What comes from outside, read as it comes: packed bytes ([`inflate`]), JSON that is not quite JSON ([`lenient`]), and
//! what a model thought among what it said ([`thoughts`]). Files that people write for us are read strictly, elsewhere.

#![deny(missing_docs)]

pub mod inflate;
pub mod lenient;
pub mod thoughts;
