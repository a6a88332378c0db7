//! Recorded tool calls: what answers an agent's calls, and how well an agent's calls cover them.

mod call;
mod cover;
mod equality;
mod replay;

pub use call::{Miss, RecordedCall, arguments_of, canonical_name};
pub use cover::{Coverage, Hits};
pub use equality::Matching;
pub use replay::{Answer, Pick, Replay};
