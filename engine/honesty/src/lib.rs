//! Whether an agent's words hold against the ledger of its calls: the brief, the tools, what the user said, the calls
//! with what came of them, and the replies. Each claim of a reply is supported, contradicted or unsupported; what is not
//! known is not called untrue. docs/SCORING.md states the rules, docs/adr/0022 why they are these.

pub mod argument;
#[cfg(test)]
#[path = "../../prose/src/case.rs"]
mod case;
pub mod claim;
mod deed;
pub mod desk;
mod excerpt;
mod field;
pub mod knowledge;
mod ledger;
mod list;
mod look;
mod money;
mod reading;
mod reply;
mod rule;
pub mod source;
mod statement;
mod undone;
mod value;

pub use claim::{Claim, ClaimKind, ShownBy, Verdict};
pub use desk::{Desk, Tool, calendar_of};
pub use excerpt::{Excerpt, Passage, PassagePlace, excerpt};
pub use reading::{Account, Event, Reading, ReplyClaims, read};
