//! What stands between an agent and its provider, passes everything on as it comes, and writes the dialogues down.

mod asked;
mod counts;
mod journal;
mod proxy;

pub use counts::Counts;
pub use journal::Journal;
pub use proxy::Proxy;
