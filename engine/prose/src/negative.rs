//! Wordings with a negation of their own, such as `not corrected`: heard in `hasn't been corrected`, too.

use compact_str::CompactString;

use super::assertion::is_passed_over;
use super::class::WordClass;
use super::lexicon::is;
use super::sentence::{Mark, Sentence, Text};

#[derive(Clone, Debug)]
pub(super) struct Negative {
    /// Its words, contractions written out.
    words: Vec<CompactString>,
}

impl Negative {
    /// A wording with *not* before some other word; nothing where it has none.
    pub fn of(text: &str) -> Option<Negative> {
        let text = Text::read(text);
        let words: Vec<CompactString> = match text.sentences.as_slice() {
            [sentence] => sentence.words.iter().map(|word| word.text.clone()).collect(),
            _ => return None,
        };
        let negation = words.iter().position(|word| word == "not")?;
        (negation + 1 < words.len()).then_some(Negative { words })
    }

    /// The characters at which sentences say it.
    pub fn places<'a>(&'a self, sentences: &'a [Sentence]) -> impl Iterator<Item = usize> + 'a {
        sentences.iter().flat_map(move |sentence| {
            let starts = (0..sentence.words.len()).filter(|at| self.is_at(sentence, *at));
            starts.map(|at| sentence.span(at, at + 1).0)
        })
    }

    fn is_at(&self, sentence: &Sentence, start: usize) -> bool {
        let mut at = start;
        for (own, word) in self.words.iter().enumerate() {
            let follows_negation = own > 0 && self.words.get(own - 1).is_some_and(|before| before == "not");
            let is_joined = |at: usize| own == 0 || sentence.mark(at) == Mark::None;
            while follows_negation && sentence.word(at) != word && is_between(sentence.word(at)) && is_joined(at) {
                at += 1;
            }
            if sentence.word(at) != word || !is_joined(at) {
                return false;
            }
            at += 1;
        }
        true
    }
}

/// Whether a word may stand between *not* and what it denies: `not yet corrected`, but neither `not just corrected` nor
/// `not fully corrected`.
fn is_between(word: &str) -> bool {
    is_passed_over(word) && !is(WordClass::Focus, word) && !is(WordClass::Degrees, word)
}
