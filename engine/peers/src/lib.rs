//! Other benchmarks' files, audited by their own rules.

#[cfg(test)]
#[path = "../../prose/src/case.rs"]
mod case;
mod cirrus;
mod conform;
mod mmtau;
mod rut;
pub mod tau;

pub use cirrus::import::{CirrusTask, CirrusTool, raw_ticket};
pub use conform::case::{Case, Failure, Family};
pub use conform::examiner::{Counts, Examiner, LAX, Outcome, Tally};
pub use rut::draft::{Drafts, drafts};
pub use rut::ours::audit::{Audit, Rate, Row};
pub use rut::ours::reason::Reason;
pub use rut::peer::{PeerFiles, PeerPaths};
