//! Episodes for agents that live elsewhere. An [`Offer`] is what can be played and how; an [`Episode`] is one that is
//! played, with moments to go back to and forks; [`Hall`] holds many of them for one client and takes its requests
//! ([`jsonl`]); [`mcp`] is one as an MCP server (docs/SERVE.md).

#[cfg(test)]
#[path = "../../prose/src/case.rs"]
#[expect(dead_code, reason = "its cases have one text each")]
mod case;
mod episode;
mod hall;
pub mod jsonl;
pub mod mcp;
mod offer;
mod refusal;
mod request;

pub use episode::Episode;
pub use hall::{Hall, MAX_FORKS, MAX_HELD, MAX_OPEN};
pub use jsonl::MAX_LINE;
pub use offer::Offer;
pub use refusal::Refusal;
pub use request::Opening;
