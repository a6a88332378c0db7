//! How far a search may go before it stops undecided.

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub nodes: usize,
    pub calls: usize,
    /// Bytes kept, by the rough costs below.
    pub bytes: usize,
}

impl Limits {
    /// The most that any search uses: a few minutes and, measured, less than 2 GiB.
    pub const MOST: Limits = Limits { nodes: 500_000, calls: 2_000_000, bytes: 1 << 30 };
}

/// A call that is known to be refused in a state.
pub(super) const REFUSED: usize = 128;
/// A call with the state it leads to.
pub(super) const CARRIED_OUT: usize = 1_024;
/// The changed part of a state.
pub(super) const CHANGED: usize = 3_072;
/// A position, without its sets.
pub(super) const POSITION: usize = 512;
/// A member of a position's sets.
pub(super) const MEMBER: usize = 24;
/// A call of the alphabet, and what it asks for.
pub(super) const LETTER: usize = 768;
/// A byte of an observation, read into memory.
pub(super) const SHOWN: usize = 16;
