//! The text rules, by example and against slower ways.

use probity_mm_tau::measures::{FieldKind, WordErrors, canonical, is_heard};
use proptest::prelude::*;

#[test]
fn spoken_and_written_values_come_to_one_form() {
    for (kind, text, form) in [
        (FieldKind::Digits, "555-123-2002", "5551232002"),
        (FieldKind::Digits, "five five five, one two three, two double oh two.", "5551232002"),
        (FieldKind::Digits, "eighty-five", "85"),
        (FieldKind::Digits, "eighty oh five", "8005"),
        (FieldKind::Digits, "double 5 triple o", "55000"),
        (FieldKind::Digits, "double ten double", "10"),
        (FieldKind::Digits, "double double five", "55"),
        (FieldKind::Id, "#W5918442", "w5918442"),
        (FieldKind::Id, "w five nine one eight four four two", "w5918442"),
        (FieldKind::Email, "Noah dash B dot Brown underscore 7 AT example point com.", "noah-b.brown_7@example.com"),
        (FieldKind::Email, "(noah-b@example.com)", "noah-b@example.com"),
        (FieldKind::Name, "  Mary-Ann   O'Brien 3rd.", "mary ann obrien rd"),
        (FieldKind::Name, "one", "one"),
        (FieldKind::Digits, "...", ""),
    ] {
        assert_eq!(canonical(kind, text), form, "{text}");
    }
}

#[test]
fn a_name_is_heard_as_words_and_a_number_anywhere() {
    assert!(is_heard(FieldKind::Name, "Lee", "it's Lee, hello"));
    assert!(!is_heard(FieldKind::Name, "Lee", "leeds"));
    assert!(is_heard(FieldKind::Digits, "23", "one two three"));
    assert!(!is_heard(FieldKind::Digits, "13", "one two three"));
    for kind in [FieldKind::Digits, FieldKind::Id, FieldKind::Email, FieldKind::Name] {
        assert!(is_heard(kind, "#", "anything"));
    }
}

#[test]
fn addresses_are_compared_as_they_are_spoken() {
    let same = WordErrors::between("noah.b7_x@example.com.", "noah dot b seven underscore x at example dot com");
    assert_eq!((same.distance, same.reference_length), (0, 10));
    assert_eq!(WordErrors::between("oh 0 #don't", "zero zero dont").distance, 0);
    let nothing = WordErrors::between("!?", "two words");
    assert_eq!((nothing.distance, nothing.rate()), (2, None));
}

fn naive_distance(from: &[char], to: &[char]) -> u64 {
    match (from.split_first(), to.split_first()) {
        (None, _) => to.len() as u64,
        (_, None) => from.len() as u64,
        (Some((a, from_rest)), Some((b, to_rest))) => {
            let replaced = naive_distance(from_rest, to_rest) + u64::from(a != b);
            replaced.min(naive_distance(from_rest, to) + 1).min(naive_distance(from, to_rest) + 1)
        }
    }
}

proptest! {
    #[test]
    fn word_errors_are_the_least_edits(from in "[abc]{0,6}", to in "[abc]{0,6}") {
        let (a, b): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
        let spaced = |letters: &[char]| letters.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
        let errors = WordErrors::between(&spaced(&a), &spaced(&b));
        prop_assert_eq!(errors.distance, naive_distance(&a, &b));
        prop_assert_eq!(errors.reference_length, a.len() as u64);
    }

    #[test]
    fn digits_survive_being_spoken(digits in "[0-9]{0,12}") {
        let names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        let spoken: Vec<&str> = digits.chars().map(|digit| names[digit.to_digit(10).unwrap() as usize]).collect();
        prop_assert_eq!(canonical(FieldKind::Digits, &spoken.join(" ")), digits.clone());
        prop_assert!(is_heard(FieldKind::Digits, &digits, &spoken.join("-")));
    }

    #[test]
    fn no_text_is_too_odd(text in "\\PC{0,40}") {
        for kind in [FieldKind::Digits, FieldKind::Id, FieldKind::Name] {
            let form = canonical(kind, &text);
            prop_assert!(is_heard(kind, &text, &text), "{form}");
        }
        prop_assert_eq!(WordErrors::between(&text, &text).distance, 0);
    }
}
