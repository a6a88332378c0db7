//! How far an environment is explored.

pub(super) const SEED: u64 = 1;

/// Seeds of `populate` whose states are starts, for each size, beside the initial states of the tasks.
pub(super) const POPULATE_SEEDS: u64 = 2;

/// Seeds of each size whose states `check` tries.
pub(super) const BANK_SEEDS: u64 = 50;

/// After so many seeds in a row of which a size cannot be made it is not tried with others.
pub(super) const BANK_FAILURES: u64 = 3;

/// Calls of one tool in one state.
pub(super) const TRIES: usize = 40;

/// Calls of one tool in one state while something of it has not been reached.
pub(super) const HARD_TRIES: usize = 160;

/// Rounds that are always made: the states at the start, and those after one and two writes.
pub(super) const ROUNDS: usize = 3;

/// Rounds at most, while something has not been reached.
pub(super) const MAX_ROUNDS: usize = 8;

/// Of so many calls of a tool that run one is made twice: thousands are, and what is random is so in most calls.
pub(super) const ONCE_MORE: u64 = 4;

/// States kept for the next round for each tool, beside those that show something new.
pub(super) const KEPT_STATES: usize = 2;

/// States explored in one round at most, after the first.
pub(super) const ROUND_STATES: usize = 32;

/// Values tried for one parameter at most: those that fit, and those at the edges.
pub(super) const DOMAIN: usize = 48;

/// Successful calls of a tool around which every value of every parameter is tried.
pub(super) const SWEPT: usize = 2;

/// Calls of a walk beyond those that the slowest event waits for.
pub(super) const WALK: usize = 12;

/// Journeys from one start.
pub(super) const JOURNEYS: usize = 3;

/// Journeys from a larger state, where more can meet.
pub(super) const LARGE_JOURNEYS: usize = 64;

/// Calls of a journey.
pub(super) const JOURNEY: usize = 48;
