//! How a name that the table does not know may be misheard: one of its sounds for a near one.

use super::confusion::{Place, sound_shifts};

/// The names that `name` may be heard as, each with its weight; none of them empty or `name` itself.
pub(crate) fn near_names(name: &str) -> Vec<(String, u32)> {
    let shifted = sound_shifts().iter().filter_map(|(place, sound, heard, weight)| {
        let near = match place {
            Place::Start => format!("{heard}{}", name.strip_prefix(sound.as_str())?),
            Place::End => format!("{}{heard}", name.strip_suffix(sound.as_str())?),
            Place::First => name.replacen(sound.as_str(), heard, 1),
        };
        (!near.is_empty() && near != name).then_some((near, *weight))
    });
    shifted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_are_exchanged_where_they_stand() {
        let near: Vec<String> = near_names("hernandez").into_iter().map(|(name, _)| name).collect();
        assert_eq!(near, ["ernandez", "hernandes", "hernandis", "hermandez", "hernondez", "hirnandez"]);
        assert!(near_names("s").is_empty());
        assert!(near_names("").is_empty());
        assert!(near_names("łuk").is_empty());
    }
}
