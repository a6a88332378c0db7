//! Counts of what is no unit, such as `7 boxes`: the number in any wording, and the noun near it.

use compact_str::CompactString;

use super::class::WordClass;
use super::date::day_number;
use super::lexicon::is;
use super::quantity::{is_rest, quantity_at, small_number};
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
        let (taken, number) = quantity_at(tokens, at).filter(|(taken, _)| !is_part(tokens, at, *taken))?;
        (number.unit.is_none() && number.value == self.number.value).then_some(taken)
    }
}

/// Whether a number of `taken` tokens is part of a longer one, or of what is no number of things: the 7 of `1 007`,
/// `-7`, `3/7`, `B-7`, `10 x 7` and `twenty-seventh`.
pub(super) fn is_part(tokens: &[Token], at: usize, taken: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let before = |by: usize| at.checked_sub(by).and_then(|before| tokens.get(before));
    let is_number = |by: usize| {
        before(by).is_some_and(|token| token.opens_value && token.shape != Shape::Word)
            || before(by).is_some_and(|token| small_number(&token.folded).is_some())
    };
    let digits = token.raw.bytes().take_while(u8::is_ascii_digit).count();
    let is_group = || digits == 3 && token.is_adjacent() && before(1).is_some_and(|last| last.shape == Shape::Number);
    let is_product = || is_number(2) && before(1).is_some_and(|factor| is(WordClass::Products, &factor.folded));
    let is_signed = || match token.gap.trim_end_matches('-') {
        // `1'007` is one number, but what stands in `'7 boxes'` is quoted.
        lead if lead.len() == token.gap.len() => {
            let is_joined = at > 0 && !lead.contains(char::is_whitespace);
            lead.ends_with(['.', '#', '×', '^']) || (is_joined && lead.ends_with(['/', '\'', '’', '_']))
        }
        // `-7` and `B-7`, but `5-7` ends with a 7.
        "" => at > 0 && !is_number(1),
        lead => lead.ends_with(char::is_whitespace),
    };
    // `twenty-seventh`, but not `7 first-class seats`.
    let is_tens = |last: &Token| small_number(&last.folded).is_some_and(|number| number >= 20 && number % 10 == 0);
    let last = (at + taken).checked_sub(1).and_then(|last| tokens.get(last));
    let is_ordinal = || {
        last.is_some_and(is_tens)
            && tokens
                .get(at + taken)
                .is_some_and(|next| next.shape == Shape::Word && goes_on(next) && day_number(&next.folded).is_some())
    };
    is_rest(tokens, at) || is_group() || is_product() || is_signed() || is_ordinal()
}

/// Whether nothing but blanks, a hyphen or emphasis stands before a token.
fn goes_on(token: &Token) -> bool {
    token.gap.chars().all(|c| matches!(c, '-' | '*' | '_') || (c.is_whitespace() && c != '\n'))
}
