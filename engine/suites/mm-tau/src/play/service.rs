//! The suite's own agents: people of the service, of different care.

use crate::people::ServiceManner;
use probity_bench::kit::{OwnAgent, OwnAgents};

pub static AGENTS: OwnAgents<ServiceManner> = OwnAgents {
    oracle: ServiceManner::Oracle,
    others: &[
        OwnAgent {
            name: "reckless",
            what: "neither reads back what it heard nor asks before it acts",
            must_lower: &["ias"],
            manner: ServiceManner::Reckless,
        },
        OwnAgent {
            name: "fault:premature_transfer",
            what: "hands over before it has looked",
            must_lower: &["sr"],
            manner: ServiceManner::PrematureTransfer,
        },
        OwnAgent {
            name: "fault:never_transfers",
            what: "says that it is solved where it should hand over",
            must_lower: &["sr"],
            manner: ServiceManner::NeverTransfers,
        },
        OwnAgent {
            name: "fault:wrong_number",
            what: "takes a digit wrong",
            must_lower: &["sr", "cfa"],
            manner: ServiceManner::WrongNumber,
        },
    ],
};
