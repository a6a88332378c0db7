//! Inputs and answers of vectors as JSON. Only here is JSON read by shape; the formulas see types.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Takes the fields that an input has, and no others, out of it by their names.
macro_rules! given {
    ($input:ident: $($name:ident: $kind:ty),+ $(,)?) => {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Given {
            $($name: $kind,)+
        }
        let Given { $($name),+ } = super::shape::read($input)?;
    };
}
pub(super) use given;

/// The input as what its kind takes.
pub(super) fn read<'v, T: Deserialize<'v>>(input: &'v Value) -> Result<T, String> {
    T::deserialize(input).map_err(told)
}

pub(super) fn written(answer: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(answer).map_err(told)
}

pub(super) fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
