//! Numbers of measures: division in one place (a ratio keeps its counts, and one over nothing has no value), how values are
//! spread, and the impossible inputs that a formula will not answer.

use std::fmt;

/// A share or a rate with the counts it comes from; it may exceed 1 where the definition lets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// What is counted.
    pub part: u64,
    /// What it is counted over.
    pub whole: u64,
}

impl Ratio {
    pub fn new(part: u64, whole: u64) -> Ratio {
        Ratio { part, whole }
    }

    /// The number, unless it is over nothing.
    pub fn value(self) -> Option<f64> {
        Quotient { dividend: self.part as f64, divisor: self.whole as f64 }.value()
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.whole)
    }
}

/// A quotient of two numbers that are themselves shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quotient {
    pub dividend: f64,
    pub divisor: f64,
}

impl Quotient {
    /// The number, unless the divisor is zero.
    pub fn value(self) -> Option<f64> {
        (self.divisor != 0.0).then(|| self.dividend / self.divisor)
    }
}

impl fmt::Display for Quotient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}/{:?}", self.dividend, self.divisor)
    }
}

/// Five figures of the defined values of a metric, each in the unit of the metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub mean: f64,
    /// The middle value, or the mean of the middle two.
    pub median: f64,
    /// The standard deviation of the values as a whole population.
    pub deviation: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// The spread of the values that are defined; nothing where none is.
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Option<Spread> {
        let mut sorted: Vec<f64> = values.into_iter().flatten().collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let variance = sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        let (low, high) = (sorted.get((sorted.len() - 1) / 2)?, sorted.get(sorted.len() / 2)?);
        Some(Spread { mean, median: f64::midpoint(*low, *high), deviation: variance.sqrt(), min, max })
    }
}

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
