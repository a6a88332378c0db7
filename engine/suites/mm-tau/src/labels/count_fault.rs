//! What is wrong with the counts that somebody gave.

use thiserror::Error;

/// A fault of one name of an object of counts. Names that somebody made up are cut short and escaped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountFault {
    /// A name that is not counted there.
    #[error("{name} is not counted in {subject}")]
    Unknown {
        /// The name as a JSON string.
        name: String,
        /// What was labelled.
        subject: &'static str,
    },
    /// A name that stands there twice.
    #[error("`{0}` stands there twice")]
    Repeated(&'static str),
    /// A name without a number.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A value that is no whole number from 0 up.
    #[error("`{name}` is {found}, not a whole number from 0 up")]
    NotWhole {
        /// The name.
        name: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// A count that nothing so small can hold.
    #[error("`{name}` is {count}, more than {most}")]
    TooMany {
        /// The name.
        name: &'static str,
        /// What stands there.
        count: u64,
        /// The greatest count.
        most: u64,
    },
    /// A part that is more than its whole.
    #[error("`{part}` is more than `{whole}`")]
    Inconsistent {
        /// The part.
        part: &'static str,
        /// The whole.
        whole: &'static str,
    },
}
