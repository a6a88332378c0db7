//! Whether a text tells a value: an amount in any spelling, an id, or words.

use probity_prose::token::tokens;
use probity_prose::{Amount, Shape};

use crate::measures::{FieldKind, canonical};
use crate::people::understanding::words::{tell, words};

const MAX_SIGNS: usize = 8_000;

pub fn tells(text: &str, value: &str) -> bool {
    let text: String = text.chars().take(MAX_SIGNS).collect();
    if let Some(wanted) = Amount::written(value) {
        let numbers =
            tokens(&text).into_iter().filter(|token| token.shape == Shape::Number && !token.gap.ends_with('#'));
        return numbers.filter_map(|number| Amount::written(&number.folded)).any(|told| told == wanted);
    }
    if value.contains(|sign: char| sign.is_ascii_digit()) {
        let value = canonical(FieldKind::Id, value);
        return canonical(FieldKind::Id, &text).contains(&value);
    }
    tell(&words(&text), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_in_any_spelling() {
        let table = [
            ("That would be $31.20, all in all.", "31.20", true),
            ("It costs 31.2 dollars", "31.20", true),
            ("**$1,204.50**", "1204.50", true),
            ("That is order #W3120.", "31.20", false),
            ("The order is #W100 2819.", "#W1002819", true),
            ("Both are sold out.", "sold out", true),
            ("Both are sold.", "sold out", false),
        ];
        for (text, value, expected) in table {
            assert_eq!(tells(text, value), expected, "{text}: {value}");
        }
    }
}
