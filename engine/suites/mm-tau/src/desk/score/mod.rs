//! The numbers of an episode at a desk, from its trace alone (`mm-tau-p2.md` f.3).

mod desk_fields;
mod desk_outcome;
mod desk_retold;
mod desk_scores;

pub use desk_outcome::TRANSFER;
pub use desk_scores::desk_scores;
