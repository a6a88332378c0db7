//! Questions with an "or" in them: a choice between two things wants one of them for its answer and no yes; "or shall I
//! go ahead?" asks for a yes all the same.

use compact_str::CompactString;

use super::cue::{Cue, heard};
use super::words::{Sentence, words};

/// What a question offers to choose from, cut at its "or"; nothing where it has none ("or not" is none).
fn sides(sentence: &Sentence) -> Option<(Vec<CompactString>, Vec<CompactString>)> {
    let words = words(&sentence.written);
    let at = words.iter().position(|word| word == "or")?;
    let (before, after) = (words.get(..at)?.to_vec(), words.get(at + 1..)?.to_vec());
    let is_not = after.first().is_none_or(|word| word == "not" || word == "no");
    (!is_not).then_some((before, after))
}

/// Whether a question wants one of two things for its answer.
pub(crate) fn is_choice(sentence: &Sentence) -> bool {
    sentence.is_question
        && sides(sentence)
            .is_some_and(|(before, after)| ![before, after].iter().any(|side| heard(side).has(Cue::NoChoice)))
}

/// Whether a question ends with one for a yes, whatever it asks before.
pub(crate) fn ends_asking(sentence: &Sentence) -> bool {
    sentence.is_question
        && sides(sentence)
            .map(|(_, after)| heard(&after))
            .is_some_and(|after| after.has(Cue::MayI) && after.has(Cue::GoesAhead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::understanding::words::sentences;

    #[test]
    fn a_choice_is_told_from_a_question_for_a_yes() {
        let table = [
            ("Should I cancel #W1 or #W2?", true, false),
            ("Would you like just the one bag, or more?", true, false),
            ("Shall I go ahead, or would you like to change something?", false, false),
            ("Are there any other items, or shall I proceed with the blanket?", false, true),
            ("Shall I do that or not?", false, false),
            ("It takes 5 or 7 days.", false, false),
        ];
        for (text, choice, asking) in table {
            let sentence = sentences(text).remove(0);
            assert_eq!((is_choice(&sentence), ends_asking(&sentence)), (choice, asking), "{text}");
        }
    }
}
