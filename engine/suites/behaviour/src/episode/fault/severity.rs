//! The size of a defect, where it can be smaller or larger.

use probity_bench::named;

named! {
    /// How large a defect is; each graded fault says what that means for it.
    #[derive(Default)]
    pub enum Severity {
        /// Hard to notice: a number off by one.
        Mild = "mild",
        /// What `fault:NAME` alone plays: a number off by half.
        #[default]
        Medium = "medium",
        /// Gross: an invented number.
        Severe = "severe",
    }
}

impl Severity {
    /// How often a defect is made that has no other size: once, twice, or four times.
    pub(super) fn times(self) -> usize {
        match self {
            Severity::Mild => 1,
            Severity::Medium => 2,
            Severity::Severe => 4,
        }
    }
}
