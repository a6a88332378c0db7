//! The suite's own agents: people of the service, of different care.

use crate::people::ServiceManner;
use probity_bench::{AgentEntry, AgentName};

const RECKLESS: &str = "reckless";
const FAULTS: [(ServiceManner, &str, &str, &[&str]); 3] = [
    (ServiceManner::PrematureTransfer, "premature_transfer", "hands over before it has looked", &["sr"]),
    (ServiceManner::NeverTransfers, "never_transfers", "says that it is solved where it should hand over", &["sr"]),
    (ServiceManner::WrongNumber, "wrong_number", "takes a digit wrong", &["sr", "cfa"]),
];

pub fn manner(name: &AgentName) -> Option<ServiceManner> {
    match name {
        AgentName::Oracle => Some(ServiceManner::Oracle),
        AgentName::Own(own) => (own == RECKLESS).then_some(ServiceManner::Reckless),
        AgentName::Fault(fault) => FAULTS.iter().find(|(_, name, ..)| name == fault).map(|(manner, ..)| *manner),
        AgentName::Noop
        | AgentName::Coin(_)
        | AgentName::Cheat(_)
        | AgentName::Replay(_)
        | AgentName::Exec(_)
        | AgentName::OpenAi(_) => None,
    }
}

/// All but the oracle, for a list of them.
pub fn entries() -> Vec<AgentEntry> {
    let reckless = AgentEntry {
        must_lower: vec!["ias"],
        ..AgentEntry::plain(RECKLESS, "neither reads back what it heard nor asks before it acts")
    };
    let faults = FAULTS.iter().map(|(_, name, what, must_lower)| AgentEntry {
        name: format!("fault:{name}"),
        description: (*what).to_owned(),
        must_lower: must_lower.to_vec(),
    });
    std::iter::once(reckless).chain(faults).collect()
}
