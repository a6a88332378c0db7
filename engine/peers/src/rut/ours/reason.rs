//! Why our verdict is what it is, and why it differs from the peer's: codes and one line each.

use serde::Serialize;
use strum::{EnumMessage, IntoStaticStr, VariantArray};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, EnumMessage, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    #[strum(message = "a call of the oracle has no counterpart in the run")]
    MissingCall,
    #[strum(message = "calls that an edge orders came the other way round")]
    OrderViolated,
    #[strum(message = "an expected change of the state did not happen")]
    StateMissing,
    #[strum(message = "the state changed where nothing was expected")]
    CollateralChange,
    #[strum(message = "an assertion on the final state does not hold")]
    AssertionFailed,
    #[strum(message = "nothing was said before the first write")]
    NotClarified,
    #[strum(message = "a refusal was due, and there was no reply or there was a write")]
    NotRefused,
    #[strum(message = "a write matches a forbidden action")]
    ForbiddenCall,
    #[strum(message = "the values agree only where true is the number 1")]
    TrueIsOne,
    #[strum(message = "the first call counts as a write because helpers were attached to the state")]
    FirstCallPollution,
    #[strum(message = "a call is recorded as a write and changed nothing, or the reverse")]
    WriteClass,
    #[strum(message = "a first fit took the call that another node needed; a full assignment exists")]
    GreedyAssignment,
    #[strum(message = "writes came in another order, and no edge orders them")]
    OrderedNames,
    #[strum(message = "a record was created as expected, under another generated id")]
    GeneratedId,
    #[strum(message = "the oracle leaves out an argument that the schema calls required")]
    RequiredDefault,
    #[strum(message = "a name with a dot, or `added`, `removed` or `changed`, cannot be written in the diff")]
    AmbiguousDiff,
    #[strum(message = "the sample has neither assertions nor a diff nor a graph")]
    NothingToCheck,
    #[strum(message = "the run broke off with an error")]
    RunCrashed,
    #[strum(message = "a file holds an integer beyond 64 bits, which we cannot hold exactly")]
    WideInteger,
    #[strum(message = "the results have no run of this sample")]
    NoRun,
    #[strum(message = "the blueprints have no item for this task")]
    MissingRuntime,
}

impl Reason {
    /// In the order of the page.
    pub const ALL: &[Reason] = Reason::VARIANTS;

    /// Its code, and a line that says what it is.
    pub fn words(self) -> (&'static str, &'static str) {
        (self.code(), self.get_message().unwrap_or_default())
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
