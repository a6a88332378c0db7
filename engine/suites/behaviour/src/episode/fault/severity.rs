//! How large a planted defect is.

/// How large a defect is; each graded fault says what that means for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Severity {
    /// Hard to notice: a number off by one.
    Mild,
    /// What `fault:NAME` alone plays: a number off by half.
    #[default]
    Medium,
    /// Gross: an invented number.
    Severe,
}

impl Severity {
    pub const ALL: [Severity; 3] = [Severity::Mild, Severity::Medium, Severity::Severe];

    /// How often a defect is made that has no other size: once, twice, or four times.
    pub(super) fn times(self) -> usize {
        match self {
            Severity::Mild => 1,
            Severity::Medium => 2,
            Severity::Severe => 4,
        }
    }

    pub fn name(self) -> &'static str {
        self.into()
    }
}
