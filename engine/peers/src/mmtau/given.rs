//! What the input of a vector gives, by name.

/// Takes the fields that an input has, and no others, out of it by their names; any other input is refused.
macro_rules! given {
    ($input:ident: $($name:ident: $kind:ty),+ $(,)?) => {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Given {
            $($name: $kind,)+
        }
        let Given { $($name),+ } = serde::Deserialize::deserialize($input).ok()?;
    };
}
pub(super) use given;
