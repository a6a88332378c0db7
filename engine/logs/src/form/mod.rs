//! The forms of logs, one file each: where the parts of dialogues stand.

mod atif;
mod chat;
mod claude_code;
mod codex;
mod inspect;
mod kind;
mod langfuse;
mod langsmith;
mod otel;
mod probity;
mod readers;
mod recorded;
pub(crate) mod responses;
mod sharegpt;
mod tau2;

pub(crate) use chat::LISTS;
pub use kind::Form;
