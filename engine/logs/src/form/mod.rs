//! The forms of logs, one file each: where the parts of dialogues stand.

pub(crate) mod chat;
pub(crate) mod kind;
pub(crate) mod responses;

pub use kind::Form;
