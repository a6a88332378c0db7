//! Why our verdict is what it is, and why it differs from the peer's: codes and one line each.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    MissingCall,
    OrderViolated,
    StateMissing,
    /// A change nobody asked for.
    CollateralChange,
    AssertionFailed,
    /// No reply before the first write.
    NotClarified,
    /// No reply, or a write, where a refusal was due.
    NotRefused,
    ForbiddenCall,
    /// `true` passes for 1.
    TrueIsOne,
    /// Helper entries in the first difference.
    FirstCallPollution,
    WriteClass,
    /// The first fit took what another needed.
    GreedyAssignment,
    /// Write names in another order, with no edge.
    OrderedNames,
    /// A created record under another id.
    GeneratedId,
    /// A required argument that the oracle leaves out.
    RequiredDefault,
    /// Names with dots or of the format's own words.
    AmbiguousDiff,
    /// Neither assertions nor difference nor graph.
    NothingToCheck,
    RunCrashed,
    /// A number that we cannot hold.
    WideInteger,
    /// The results have no such sample.
    NoRun,
    /// The blueprints have no such task.
    MissingRuntime,
}

impl Reason {
    /// In the order of the page.
    pub const ALL: &[Reason] = <Reason as strum::VariantArray>::VARIANTS;

    /// Its code, and a line that says what it is.
    pub fn words(self) -> (&'static str, &'static str) {
        let line = match self {
            Reason::MissingCall => "a call of the oracle has no counterpart in the run",
            Reason::OrderViolated => "calls that an edge orders came the other way round",
            Reason::StateMissing => "an expected change of the state did not happen",
            Reason::CollateralChange => "the state changed where nothing was expected",
            Reason::AssertionFailed => "an assertion on the final state does not hold",
            Reason::NotClarified => "nothing was said before the first write",
            Reason::NotRefused => "a refusal was due, and there was no reply or there was a write",
            Reason::ForbiddenCall => "a write matches a forbidden action",
            Reason::TrueIsOne => "the values agree only where true is the number 1",
            Reason::FirstCallPollution => "the first call counts as a write because helpers were attached to the state",
            Reason::WriteClass => "a call is recorded as a write and changed nothing, or the reverse",
            Reason::GreedyAssignment => "a first fit took the call that another node needed; a full assignment exists",
            Reason::OrderedNames => "writes came in another order, and no edge orders them",
            Reason::GeneratedId => "a record was created as expected, under another generated id",
            Reason::RequiredDefault => "the oracle leaves out an argument that the schema calls required",
            Reason::AmbiguousDiff => {
                "a name with a dot, or `added`, `removed` or `changed`, cannot be written in the diff"
            }
            Reason::NothingToCheck => "the sample has neither assertions nor a diff nor a graph",
            Reason::RunCrashed => "the run broke off with an error",
            Reason::WideInteger => "a file holds an integer beyond 64 bits, which we cannot hold exactly",
            Reason::NoRun => "the results have no run of this sample",
            Reason::MissingRuntime => "the blueprints have no item for this task",
        };
        (self.code(), line)
    }

    pub fn code(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_spelt_as_in_json() {
        for reason in Reason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.code());
        }
    }
}
