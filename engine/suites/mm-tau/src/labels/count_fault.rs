//! What is wrong with the counts that somebody gave.

use thiserror::Error;

/// A fault of one name of an object of counts. Names that somebody made up are cut short and escaped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountFault {
    #[error("{name} is not counted in {subject}")]
    Unknown {
        /// The name as a JSON string.
        name: String,
        subject: &'static str,
    },
    #[error("`{0}` stands there twice")]
    Repeated(&'static str),
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A value that is no whole number from 0 up.
    #[error("`{name}` is {found}, not a whole number from 0 up")]
    NotWhole { name: &'static str, found: &'static str },
    #[error("`{name}` is {count}, more than {most}")]
    TooMany { name: &'static str, count: u64, most: u64 },
    #[error("`{part}` is more than `{whole}`")]
    Inconsistent { part: &'static str, whole: &'static str },
}
