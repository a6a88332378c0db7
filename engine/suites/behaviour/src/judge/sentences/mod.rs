//! Judges on the reading list alone: what they are asked, what they say of each sentence, and what that costs and loses.

pub mod asked;
pub mod compare;
pub mod judged;
