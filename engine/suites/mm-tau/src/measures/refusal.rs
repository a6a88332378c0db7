//! Why an input is no question: the impossible numbers that a formula will not answer.

/// An input that no run can have produced, in place of a number made from it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureRefusal {
    /// The judge identified no task at all, so no share of tasks can be told.
    #[error("no task was identified")]
    NoTasks,
    #[error("{successes} successes in {trials} trials")]
    TooManySuccesses { successes: u64, trials: u64 },
    #[error("{k} of {trials} trials cannot be drawn")]
    TooFewTrials { trials: u64, k: u64 },
    #[error("the text run has no agent message")]
    NoTextMessages,
    /// A turn overhead of -1 or less: fewer messages than none.
    #[error("turn overhead `{0}` is not above -1")]
    ImpossibleOverhead(f64),
    #[error("user effort `{0}` is negative")]
    ImpossibleEffort(f64),
    /// A weight that is negative, infinite or not a number.
    #[error("weight `{0}` is not a finite number from 0 up")]
    ImpossibleWeight(f64),
    /// A term of the composite that is infinite or not a number.
    #[error("term `{0}` is not a finite number")]
    NotFinite(f64),
}
