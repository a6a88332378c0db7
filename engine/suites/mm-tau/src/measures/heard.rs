//! Whether a value came through the channel.

use super::canonical::canonical;
use super::field::FieldKind;

/// Whether what was heard contains the value, both in canonical form: a name as whole words, anything else anywhere. A
/// value that is empty in canonical form has nothing to be misheard.
pub fn is_heard(kind: FieldKind, value: &str, heard: &str) -> bool {
    let (value, heard) = (canonical(kind, value), canonical(kind, heard));
    match kind {
        FieldKind::Name => value.is_empty() || format!(" {heard} ").contains(&format!(" {value} ")),
        FieldKind::Digits | FieldKind::Id | FieldKind::Email => heard.contains(&value),
    }
}
