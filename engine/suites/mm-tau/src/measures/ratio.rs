//! Division in one place: a ratio keeps its counts, and one over nothing has no value.

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
