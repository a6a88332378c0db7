//! Words by which the contract user knows what is spoken of, read from `asked.toml`.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::{WordClass, Words, lexicon::is};
use serde::Deserialize;

use super::kept_text::{kept, whole_words, words};

/// Words of a sentence that does no more than to turn.
const SHORT: usize = 3;
/// How soon behind such a word a question says whose will it asks for: *which day should I ..*
const NEAR: usize = 3;
/// Words behind *your* that may tell what of the user is asked for.
const MOST_OF_OWN: usize = 4;

/// A list of words that are only looked up.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct OneOf(Words);

impl From<Vec<String>> for OneOf {
    fn from(words: Vec<String>) -> Self {
        OneOf(words.into_iter().map(CompactString::from).collect())
    }
}

impl OneOf {
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}

/// Phrases of whole words, with one blank around each.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct Phrases(Vec<String>);

impl From<Vec<String>> for Phrases {
    fn from(phrases: Vec<String>) -> Self {
        Phrases(phrases.iter().map(|phrase| format!(" {phrase} ")).collect())
    }
}

impl Phrases {
    pub(super) fn are_in(&self, text: &str) -> bool {
        let said = kept(text);
        self.0.iter().any(|phrase| said.has(phrase))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskedWords {
    pub(super) price: OneOf,
    pub(super) family: OneOf,
    pub(super) birth: OneOf,
    pub(super) private: OneOf,
    pub(super) opening: OneOf,
    pub(super) far: OneOf,
    pub(super) anaphor: OneOf,
    pub(super) bare: OneOf,
    pub(super) plea: Phrases,
    pub(super) deed: OneOf,
    pub(super) filler: OneOf,
    pub(super) courteous: Phrases,
    pub(super) asking: OneOf,
    pub(super) open: OneOf,
    pub(super) announcing: Phrases,
    pub(super) place: OneOf,
    pub(super) whole: OneOf,
    pub(super) picking: OneOf,
    pub(super) resting: OneOf,
    pub(super) article: OneOf,
    pub(super) failing: Phrases,
    pub(super) small: OneOf,
    pub(super) turning: Phrases,
    pub(super) knowing: Phrases,
    pub(super) pausing: Phrases,
    pub(super) limiting: Phrases,
    pub(super) inquiry: Phrases,
    pub(super) will: Phrases,
}

pub(super) static ASKED: LazyLock<AskedWords> =
    LazyLock::new(|| toml::from_str(include_str!("asked.toml")).unwrap_or_default());

impl AskedWords {
    /// Whether a clause of a sentence begins with a verb, as orders do.
    pub(super) fn begins(&self, sentence: &str, is_verb: impl Fn(&str) -> bool) -> bool {
        let begins = |clause: &str| {
            let words = words(clause);
            let is_lead = |word: &str| self.filler.has(word) || word.parse::<u8>().is_ok();
            let mut words = words.iter().skip_while(|word| is_lead(word));
            words.next().is_some_and(|word| is_verb(word))
        };
        sentence.replace(" and ", ",").split([',', ':', ';', '–', '.']).any(begins)
    }

    pub(super) fn orders(&self, sentence: &str, is_question: bool) -> bool {
        // *Well, hold on.*
        let is_pause = words(sentence).len() <= SHORT && self.turning.are_in(sentence);
        match is_question {
            _ if is_pause => false,
            true => self.courteous.are_in(sentence) || self.pleads(sentence),
            false => self.plea.are_in(sentence) || self.begins(sentence, |word| self.deed.has(word)),
        }
    }

    /// Whether a clause of a question begins with *please* and goes on: *I sold it, pls get it back, what is it?*
    fn pleads(&self, sentence: &str) -> bool {
        let pleads = |clause: &str| {
            let said = words(clause);
            said.len() > 2 && said.first().is_some_and(|word| matches!(word.as_str(), "please" | "pls"))
        };
        sentence.split([',', ':', ';', '–', '.']).any(pleads)
    }

    /// Whether a text speaks of all there is where another does not speak of all of the same: *both cards*, not *all of it*.
    pub(super) fn takes_more(&self, text: &str, own: &str) -> bool {
        let (said, own) = (words(text), words(own));
        let is_own = |at: usize| {
            let is_thing = |pair: &&[CompactString]| pair.iter().skip(1).all(|of| !self.small.has(of));
            let pair = said.get(at..at + 2).filter(is_thing);
            pair.map_or_else(|| at + 1 == said.len(), |pair| own.windows(2).any(|own| own == pair))
        };
        (0..).zip(said.iter()).any(|(at, word)| self.whole.has(word) && !(own.contains(word) && is_own(at)))
    }

    /// Whether a text leaves something as it is, or picks another of a kind where another text does not.
    pub(super) fn turns_from(&self, text: &str, own: &str) -> bool {
        let own = words(own);
        // *The other stay* and *your leave* are things.
        let said = words(text);
        let is_thing = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| said.get(at));
            before.is_some_and(|before| self.article.has(before))
        };
        said.iter().enumerate().any(|(at, word)| {
            (self.resting.has(word) && !is_thing(at)) || (self.picking.has(word) && !own.contains(word))
        })
    }

    /// Whether a question begins as one that no yes answers: *What would you like me to do?*
    pub(super) fn is_open(&self, question: &str) -> bool {
        let words = words(question);
        let mut words = words.iter().map(CompactString::as_str).skip_while(|word| self.filler.has(word));
        words.next().is_some_and(|word| self.open.has(word)) && words.take(NEAR).any(|word| self.asking.has(word))
    }

    /// Whether a question is about what is known, and not about what the user would like.
    pub(super) fn inquires(&self, question: &str) -> bool {
        let asks_why = words(question).iter().any(|word| word == "why");
        self.inquiry.are_in(question) && (asks_why || !self.will.are_in(question))
    }

    /// Whether a question asks for something of the user that is nobody's business, as far as the task goes.
    pub(super) fn asks_private(&self, question: &str) -> bool {
        let said = words(question);
        let mut own = said.iter().skip_while(|word| *word != "your").skip(1).take(MOST_OF_OWN);
        !self.will.are_in(question) && own.any(|word| self.private.has(word) || self.birth.has(word))
    }

    /// Whether words of a choice ask whether more is wanted than to be told something: *only the figures, or ..?*
    pub(super) fn asks_how_far(&self, question: &str) -> bool {
        words(question).iter().any(|word| self.far.has(word))
    }

    pub(super) fn is_of_family(&self, field: &str) -> bool {
        let first = field.split(|c: char| !c.is_lowercase()).next().unwrap_or_default();
        self.family.has(first)
    }
}

/// Whether a text denies something: *not*, *nothing*, *isn't*, but not *yes or no*.
pub(super) fn denies(text: &str) -> bool {
    let said = whole_words(text);
    let is_no = |word: &str| is(WordClass::Negations, word) || word == "cannot" || word.ends_with("n't");
    let is_bare = |at: usize| at.checked_sub(1).and_then(|at| said.get(at)).is_some_and(|before| before == "or");
    said.iter().enumerate().any(|(at, word)| is_no(word) && !is_bare(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_read() {
        assert!(
            ASKED.price.has("fee") && !ASKED.price.has("twin") && ASKED.anaphor.has("him") && ASKED.bare.has("both")
        );
        assert!(ASKED.is_of_family("last_name") && ASKED.is_of_family("lastName") && !ASKED.is_of_family("name"));
        assert!(ASKED.orders("The cup has to go.", false) && ASKED.orders("Would you send it?", true));
        assert!(ASKED.orders("It is not urgent: hold it back.", false) && ASKED.orders("Then cancel it.", false));
        assert!(!ASKED.orders("What do you need?", true) && !ASKED.orders("It is wet, you may take it.", false));
        assert!(ASKED.inquires("What colour is it?") && !ASKED.inquires("When would you like it?"));
        assert!(ASKED.takes_more("All of it?", "That is all of it.") && !ASKED.takes_more("All cards?", "All cards."));
        assert!(ASKED.takes_more("All of your cards?", "The card.") && ASKED.turning.are_in("No, wait."));
        assert!(denies("Shall I freeze nothing?") && denies("Isn't it?") && !denies("Shall I, yes or no, or not?"));
        assert!(ASKED.turns_from("Keep it?", "Keep it.") && ASKED.turns_from("The other one?", "The card."));
        assert!(!ASKED.turns_from("Approve your leave?", "") && ASKED.turns_from("Leave it?", ""));
        assert!(!ASKED.turns_from("The other one?", "The other card.") && ASKED.failing.are_in("It went wrong."));
    }
}
