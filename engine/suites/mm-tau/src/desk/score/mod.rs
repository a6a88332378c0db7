//! The numbers of an episode at a desk, from its trace alone.

mod desk_fields;
mod desk_outcome;
mod desk_retold;
mod desk_scores;

pub use desk_outcome::TRANSFER;
pub use desk_scores::desk_scores;
