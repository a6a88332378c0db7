//! Counts of what is no unit, such as `7 boxes`: the number in any wording, and the noun near it.

use compact_str::CompactString;

use super::class::WordClass;
use super::lexicon::is;
use super::quantity::quantity_at;
use super::token::{Shape, Token, stem, tokens};
use super::unit::Quantity;

/// Most words between a number and what it counts: *seven of the boxes*.
const MAX_BETWEEN: usize = 2;

/// Words behind a number that lead on to something else than what it counts.
const OF_ANOTHER: [&str; 14] =
    ["and", "or", "to", "in", "on", "at", "for", "with", "from", "by", "as", "than", "until", "before"];

#[derive(Clone, Debug)]
pub(super) struct Count {
    number: Quantity,
    /// What is counted, the last word without its ending.
    nouns: Vec<CompactString>,
}

impl Count {
    /// A count that a text is, with nothing beside it.
    pub fn of(text: &str) -> Option<Count> {
        let tokens = tokens(text);
        let (taken, number) = quantity_at(&tokens, 0).filter(|(_, number)| number.unit.is_none())?;
        let counted = tokens.get(taken..).filter(|counted| !counted.is_empty())?;
        let is_word = |token: &Token| token.shape == Shape::Word && !token.is_capitalised() && token.is_adjacent();
        let is_all_words = counted.iter().all(is_word);
        is_all_words.then(|| Count { number, nouns: counted.iter().map(|token| token.folded.clone()).collect() })
    }

    /// The characters at which tokens say it: *seven more boxes*, `Boxes left: 7`.
    pub fn places<'a>(&'a self, tokens: &'a [Token]) -> impl Iterator<Item = usize> + 'a {
        let place = move |at: usize| (self.is_before(tokens, at) || self.is_behind(tokens, at)).then_some(at);
        (0..tokens.len()).filter_map(place).filter_map(|at| tokens.get(at).map(|token| token.span.0))
    }

    /// Whether the number stands at `at`, before what it counts.
    fn is_before(&self, tokens: &[Token], at: usize) -> bool {
        let Some(taken) = self.number_at(tokens, at) else { return false };
        let goes_on = |at: usize| tokens.get(at).is_some_and(goes_on);
        let joins = |at: usize| {
            goes_on(at)
                && tokens.get(at).is_some_and(|token| {
                    let word = token.folded.as_str();
                    token.shape == Shape::Word
                        && !OF_ANOTHER.contains(&word)
                        && !is(WordClass::Conjunctions, word)
                        && !is(WordClass::Helpers, word)
                        && quantity_at(tokens, at).is_none()
                })
        };
        let from = at + taken;
        let reach = (from..from + MAX_BETWEEN).take_while(|at| joins(*at)).count();
        (from..=from + reach).any(|at| goes_on(at) && self.nouns_at(tokens, at))
    }

    /// Whether what is counted stands at `at`, and the number behind a colon or in the next cell.
    fn is_behind(&self, tokens: &[Token], at: usize) -> bool {
        let from = at + self.nouns.len();
        let joins =
            |at: usize| tokens.get(at).is_some_and(|t| t.is_adjacent() && matches!(&*t.folded, "left" | "remaining"));
        let number = from + usize::from(joins(from));
        let is_told = |token: &Token| token.gap.contains([':', '|', '=']) && !token.gap.contains('\n');
        self.nouns_at(tokens, at) && tokens.get(number).is_some_and(is_told) && self.number_at(tokens, number).is_some()
    }

    fn nouns_at(&self, tokens: &[Token], at: usize) -> bool {
        let is_noun = |(own, noun): (usize, &CompactString)| {
            tokens.get(at + own).is_some_and(|token| {
                (own == 0 || goes_on(token)) && (token.folded == *noun || stem(&token.folded) == stem(noun))
            })
        };
        self.nouns.iter().enumerate().all(is_noun)
    }

    /// How many tokens its number takes at `at`, if it stands there.
    fn number_at(&self, tokens: &[Token], at: usize) -> Option<usize> {
        let (taken, number) = quantity_at(tokens, at)?;
        (number.unit.is_none() && number.value == self.number.value).then_some(taken)
    }
}

/// Whether nothing but blanks, a hyphen or emphasis stands before a token.
fn goes_on(token: &Token) -> bool {
    token.gap.chars().all(|c| matches!(c, '-' | '*' | '_') || (c.is_whitespace() && c != '\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_said(count: &str, text: &str) -> bool {
        Count::of(count).unwrap().places(&tokens(text)).next().is_some()
    }

    #[test]
    fn what_is_counted_is_heard_in_any_wording() {
        for (count, text) in [
            ("7 boxes", "She has seven boxes to come."),
            ("7 boxes", "That leaves 7 paid boxes."),
            ("7 boxes", "Seven of the boxes are paid."),
            ("7 boxes", "Boxes left: **7**"),
            ("7 boxes", "| Boxes | 7 |"),
            ("seven boxes", "7 boxes"),
            ("1 box", "one box"),
            ("0 refills", "Refills left: zero."),
            ("3 late cancellations", "You stand at **three** late cancellations."),
        ] {
            assert!(is_said(count, text), "{count} in {text}");
        }
    }

    #[test]
    fn another_number_or_another_thing_is_not() {
        for (count, text) in [
            ("7 boxes", "six boxes"),
            ("7 boxes", "17 boxes"),
            ("7 boxes", "7 days for 6 boxes"),
            ("7 boxes", "on the 7th the boxes come"),
            ("7 boxes", "7, boxes"),
            ("7 boxes", "7 and boxes"),
            ("7 boxes", "7.50 boxes"),
            ("7 boxes", "7 hours, boxes"),
            ("7 boxes", "Boxes come on 7 May"),
            ("7 boxes", "7 to boxes"),
            ("3 late cancellations", "3 cancellations"),
        ] {
            assert!(!is_said(count, text), "{count} in {text}");
        }
    }

    #[test]
    fn only_a_number_with_words_is_a_count() {
        for text in ["7", "boxes", "15 EUR", "3 nights", "late fee", "7 Garden", "re:7 boxes", "7, boxes"] {
            assert!(Count::of(text).is_none(), "{text}");
        }
    }
}
