//! Calibration: which planted faults a rater sees, and how often it sees one where there is none.
//!
//! The same faults grade the rules and the judges. A rater *flags* an episode on a mark (a metric of the rules, a
//! scale of a judge) when it gives less than the best. Sensitivity is the share of faulted episodes that it flags,
//! specificity the share of the oracle's, on the same task instances, that it does not.

pub(crate) mod mark;
pub mod played;
pub mod rates;
pub mod table;
