//! What stands between an agent and its provider, passes everything on as it comes, and writes the dialogues down.

mod asked;
mod journal;
mod proxy;

pub use journal::{Counts, Journal};
pub use proxy::Proxy;
