//! Why our verdict is what it is, and why it differs from the peer's: codes and one line each.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
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
    pub const ALL: [Reason; 21] = [
        Reason::MissingCall,
        Reason::OrderViolated,
        Reason::StateMissing,
        Reason::CollateralChange,
        Reason::AssertionFailed,
        Reason::NotClarified,
        Reason::NotRefused,
        Reason::ForbiddenCall,
        Reason::TrueIsOne,
        Reason::FirstCallPollution,
        Reason::WriteClass,
        Reason::GreedyAssignment,
        Reason::OrderedNames,
        Reason::GeneratedId,
        Reason::RequiredDefault,
        Reason::AmbiguousDiff,
        Reason::NothingToCheck,
        Reason::RunCrashed,
        Reason::WideInteger,
        Reason::NoRun,
        Reason::MissingRuntime,
    ];

    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Reason::MissingCall => ("missing_call", "a call of the oracle has no counterpart in the run"),
            Reason::OrderViolated => ("order_violated", "calls that an edge orders came the other way round"),
            Reason::StateMissing => ("state_missing", "an expected change of the state did not happen"),
            Reason::CollateralChange => ("collateral_change", "the state changed where nothing was expected"),
            Reason::AssertionFailed => ("assertion_failed", "an assertion on the final state does not hold"),
            Reason::NotClarified => ("not_clarified", "nothing was said before the first write"),
            Reason::NotRefused => ("not_refused", "a refusal was due, and there was no reply or there was a write"),
            Reason::ForbiddenCall => ("forbidden_call", "a write matches a forbidden action"),
            Reason::TrueIsOne => ("true_is_one", "the values agree only where true is the number 1"),
            Reason::FirstCallPollution => {
                ("first_call_pollution", "the first call counts as a write because helpers were attached to the state")
            }
            Reason::WriteClass => ("write_class", "a call is recorded as a write and changed nothing, or the reverse"),
            Reason::GreedyAssignment => {
                ("greedy_assignment", "a first fit took the call that another node needed; a full assignment exists")
            }
            Reason::OrderedNames => ("ordered_names", "writes came in another order, and no edge orders them"),
            Reason::GeneratedId => ("generated_id", "a record was created as expected, under another generated id"),
            Reason::RequiredDefault => {
                ("required_default", "the oracle leaves out an argument that the schema calls required")
            }
            Reason::AmbiguousDiff => (
                "ambiguous_diff",
                "a name with a dot, or `added`, `removed` or `changed`, cannot be written in the diff",
            ),
            Reason::NothingToCheck => ("nothing_to_check", "the sample has neither assertions nor a diff nor a graph"),
            Reason::RunCrashed => ("run_crashed", "the run broke off with an error"),
            Reason::WideInteger => {
                ("wide_integer", "a file holds an integer beyond 64 bits, which we cannot hold exactly")
            }
            Reason::NoRun => ("no_run", "the results have no run of this sample"),
            Reason::MissingRuntime => ("missing_runtime", "the blueprints have no item for this task"),
        }
    }

    pub fn code(self) -> &'static str {
        self.words().0
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
