//! What a trace has come to know of what must be said, piece by piece.

use std::collections::BTreeSet;

/// One thing to know for a group of `must_say`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// The group, by position.
    pub group: usize,
    /// Of a group whose value follows from several sources: the part of it that one source tells.
    pub part: Option<DerivedValue>,
}

/// A value of a phrase that follows from what one user says and one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DerivedValue {
    /// The user, by position among those of the goal.
    pub user: usize,
    /// The way to say it, by position.
    pub way: usize,
    /// The value, by position in that way.
    pub value: usize,
}

pub type KnownPieces = BTreeSet<Piece>;
