//! What an episode was worth: by tau2-bench's rules, and by ours.

mod ends;
mod gold_matches;
mod marks;
mod own_verdict;
mod scores;
mod told;

pub use scores::scores;
