//! Model providers: one request at a time, whatever they answer.
//!
//! This is the only place with a network. What a provider sends is hostile input: it is read within limits, and
//! it becomes a completion, a fault of the model, or a fault of the provider, never a crash and never a silent
//! zero.

mod blame;
mod body;
pub mod cassette;
pub mod client;
pub mod completion;
pub mod config;
mod disguise;
pub(crate) mod fenced;
pub mod form;
pub mod http;
pub mod key;
pub mod masks;
pub mod pace;
pub mod relay;
mod retry;
mod signals;
pub mod transport;
pub mod trouble;
pub mod wire;
