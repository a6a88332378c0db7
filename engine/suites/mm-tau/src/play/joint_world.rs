//! The world of both sides: the carrier's records, and the user's phone.

use probity_bench::kit::StateWorld;
use probity_engine::Environment;

/// One state that the agent's tools and the user's act on.
pub type JointWorld<'e> = StateWorld<&'e Environment>;
