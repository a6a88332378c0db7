//! Why an input is no question: the impossible numbers that a formula will not answer.

use std::fmt;

/// An input that no run can have produced, in place of a number made from it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeasureRefusal {
    /// The judge identified no task at all, so no share of tasks can be told.
    NoTasks,
    TooManySuccesses {
        successes: u64,
        trials: u64,
    },
    TooFewTrials {
        trials: u64,
        k: u64,
    },
    NoTextMessages,
    /// A turn overhead of -1 or less: fewer messages than none.
    ImpossibleOverhead(f64),
    ImpossibleEffort(f64),
    /// A weight that is negative, infinite or not a number.
    ImpossibleWeight(f64),
    /// A term of the composite that is infinite or not a number.
    NotFinite(f64),
}

impl fmt::Display for MeasureRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeasureRefusal::NoTasks => f.write_str("no task was identified"),
            MeasureRefusal::TooManySuccesses { successes, trials } => {
                write!(f, "{successes} successes in {trials} trials")
            }
            MeasureRefusal::TooFewTrials { trials, k } => write!(f, "{k} of {trials} trials cannot be drawn"),
            MeasureRefusal::NoTextMessages => f.write_str("the text run has no agent message"),
            MeasureRefusal::ImpossibleOverhead(overhead) => write!(f, "turn overhead `{overhead}` is not above -1"),
            MeasureRefusal::ImpossibleEffort(effort) => write!(f, "user effort `{effort}` is negative"),
            MeasureRefusal::ImpossibleWeight(weight) => write!(f, "weight `{weight}` is not a finite number from 0 up"),
            MeasureRefusal::NotFinite(term) => write!(f, "term `{term}` is not a finite number"),
        }
    }
}

impl std::error::Error for MeasureRefusal {}
