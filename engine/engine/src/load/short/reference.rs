//! `ref COLLECTION` as the type of a parameter: a key that must be there, and that must have been seen before.

use crate::load::position::Spot;
use crate::load::tree::Tree;

pub(super) struct Reference {
    pub(super) parameter: String,
    pub(super) collection: String,
    /// Whether a call needs it on top: else it may be left out.
    pub(super) is_required: bool,
    /// Whether it must have been seen, where the collection says what shows its keys.
    pub(super) is_seen: bool,
    pub(super) at: Spot,
}

/// The collection that a type refers to, and whether its key must have been seen.
pub(super) fn collection(text: &str) -> Option<(&str, bool)> {
    let mut words = text.strip_prefix("ref ")?.split_whitespace();
    let collection = words.next()?;
    match (words.next(), words.next()) {
        (None, _) => Some((collection, true)),
        (Some("unseen"), None) => Some((collection, false)),
        (Some(_), _) => None,
    }
}

pub(super) fn references(parameters: &Tree) -> Vec<Reference> {
    let fields = parameters.fields().unwrap_or_default();
    let reference = |(name, kind): &(String, Tree)| {
        let kind = kind.get("is").unwrap_or(kind);
        let (collection, is_seen) = collection(kind.text()?.trim())?;
        let parameter = name.strip_suffix('?').unwrap_or(name).to_owned();
        let (is_required, at) = (!name.ends_with('?'), kind.at);
        Some(Reference { parameter, collection: collection.to_owned(), is_required, is_seen, at })
    };
    fields.iter().filter_map(reference).collect()
}

/// One entity of a collection, by its name: `bookings` are of a `booking`.
pub(super) fn singular(collection: &str) -> String {
    let endings = [("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")];
    let one = endings.iter().find_map(|(many, one)| Some(format!("{}{one}", collection.strip_suffix(many)?)));
    one.unwrap_or_else(|| collection.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_give_the_name_of_one() {
        for (many, one) in [
            ("bookings", "booking"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("releases", "release"),
            ("staff", "staff"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
