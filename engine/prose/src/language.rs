//! Which sentences are in a language that the rules do not read.

use super::lexicon::WordClass;
use super::sentence::{Mark, Sentence, Word};

/// Least letters of another script that make a sentence one in another language.
const MIN_LETTERS: usize = 4;
/// Least words without one of English by which a sentence is none.
const MIN_STRANGE: usize = 10;
/// The same, where one of them is known to be of another language.
const MIN_STRANGE_OF_ONE: usize = 6;

/// Whether a sentence is in English. What is too short to tell, codes and names count as read.
pub(super) fn is_read(sentence: &Sentence) -> bool {
    if is_of_another_script(sentence) {
        return false;
    }
    let is_of_address = |at: usize| {
        sentence.tokens().get(at).is_some_and(|token| token.gap.ends_with(['/', '.', '@', '_', '=', '&', '#']))
    };
    let is_plain =
        |word: &&Word| !word.is_particular && word.text.chars().all(char::is_alphabetic) && !is_of_address(word.token);
    let words = || sentence.words.iter().filter(is_plain);
    let all = words().count();
    // `non-stop` is English.
    let is_prefix =
        |word: &Word| word.text == "non" && sentence.tokens().get(word.token + 1).is_some_and(|next| next.gap == "-");
    let is_foreign = |word: &&Word| word.is(WordClass::Foreign) && !is_listed(word) && !is_prefix(word);
    let foreign = words().filter(is_foreign).count();
    // *le he*: what might be either is of the language beside it.
    let either = words().filter(|word| word.is(WordClass::Foreign) && !is_prefix(word)).count();
    let english = words().filter(|word| is_english(word)).count();
    // The cells of a table are no sentence, nor are single words between commas.
    let commas = words().filter(|word| word.mark == Mark::Comma).count();
    let is_table = sentence.tokens().iter().any(|token| token.gap.contains('|')) || commas * 2 >= all;
    match (english, foreign) {
        (0, 0) => all < MIN_STRANGE || is_table,
        (0, 1) => either < 2 && all < MIN_STRANGE_OF_ONE,
        (_, 0 | 1) => true,
        (english, foreign) => foreign <= english,
    }
}

/// Whether most letters belong to a script that English is not written in, and do not look like Latin ones.
fn is_of_another_script(sentence: &Sentence) -> bool {
    let is_latin = |c: char| c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c) || !c.is_alphabetic();
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    let (latin, other) = sentence.tokens().iter().fold((0, 0), |(latin, other), token| {
        let count = letters(&token.folded);
        if token.folded.chars().all(is_latin) { (latin + count, other) } else { (latin, other + count) }
    });
    other >= MIN_LETTERS && other > latin
}

/// Whether a word is one of English as far as can be told without a dictionary; *he* of *le he devuelto* may be either.
fn is_english(word: &Word) -> bool {
    let ends = |end: &&str| word.text.ends_with(*end);
    let has_ending = word.text.len() > 5 && ["ed", "ing", "ly", "tion", "ness", "able"].iter().any(ends);
    !word.is(WordClass::Foreign) && (is_listed(word) || has_ending)
}

fn is_listed(word: &Word) -> bool {
    [WordClass::English, WordClass::Helpers, WordClass::Asking, WordClass::Adverbs, WordClass::Conditions]
        .into_iter()
        .any(|class| word.is(class))
}
