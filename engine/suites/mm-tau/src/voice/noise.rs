//! The noise channel: decides for every token whether and how it is misheard.

use std::collections::BTreeSet;

use super::confusion::{Change, TokenClass, changes, near_names, rate};
use super::hearing::{HeardWord, Hearing, Mishearing, NoiseLevel, Permille, heard_words, text_of};
use super::spoken::{SpokenToken, speak};
use probity_engine::Stream;

/// A line of a given badness. What is heard follows from (seed, conversation, turn, text) alone.
///
/// **Edits.** A token of class *c* is changed when its draw falls below the rate of *c* at the level. Levels share the
/// draws, and an edit is settled at the weakest level that makes it: the edits of `mild` are those of `strong` that
/// happen already there, word for word.
///
/// **Confidence**, in thousandths. Let *r* be the risk of a token: the chance that it is changed at this level, at
/// least the rate of a plain word. Its confidence is 1000 - *r* * (1 + *u*) / 2, where *u* is a draw from 0 to 1 for an
/// intact token and the larger of two such draws for a changed one. So it lies between 1000 - *r* and 1000 - *r*/2, it
/// is low wherever an edit could have happened, a changed token tends to be lower, and no value tells one from the
/// other. It never rises with the level. At level `off` it is 1000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoiseChannel {
    seed: u64,
    level: NoiseLevel,
    names: BTreeSet<String>,
}

impl NoiseChannel {
    /// A line of this badness; `seed` belongs to the rollout.
    pub fn new(seed: u64, level: NoiseLevel) -> Self {
        NoiseChannel { seed, level, names: BTreeSet::new() }
    }

    /// The same line, knowing names: every word of them is misheard as a name, however it is written. Without any,
    /// each word with a capital inside a sentence or in a user id is taken for a name. The local part of an e-mail
    /// address consists of names in any case.
    #[must_use]
    pub(crate) fn with_names<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let words = names.into_iter().flat_map(str::split_whitespace).map(str::to_lowercase);
        self.names.extend(words);
        self
    }

    /// What the other party hears of `said`. Two speakers of one conversation need different `conversation` keys or
    /// turn numbers, or their draws are the same.
    pub fn hear(&self, conversation: &str, turn: u64, said: &str) -> Hearing {
        if self.level == NoiseLevel::Off {
            return untouched(said);
        }
        let tokens = speak(said, &self.names);
        let mut mishearings = Vec::new();
        let mut confidences = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let draws = Draws::new(self.seed, conversation, turn, index as u64);
            let is_last = index + 1 == tokens.len();
            let struck = self.strike(token, is_last, &draws);
            confidences.push(self.confidence(token, is_last, struck.is_some(), &draws));
            mishearings.extend(struck.map(|(class, sound)| mishearing(index, token, class, sound)));
        }
        let mut edits = mishearings.iter().peekable();
        let told = tokens.iter().zip(&confidences).enumerate().map(|(index, (token, confidence))| {
            (token.text.as_str(), edits.next_if(|edit| edit.token == index), *confidence)
        });
        let words = heard_words(told);
        let spoken: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        Hearing {
            level: self.level,
            said: said.to_owned(),
            spoken: spoken.join(" "),
            heard: text_of(&words),
            mishearings,
            confidence: mean(&confidences),
            words,
        }
    }

    /// The edit of a token at this level: that of the weakest level that makes one.
    fn strike(&self, token: &SpokenToken, is_last: bool, draws: &Draws) -> Option<(TokenClass, Sound)> {
        self.level.steps().iter().find_map(|step| {
            let mut suffered = token.class.suffers().iter().zip(&draws.chances);
            suffered.find_map(|(&class, chance)| {
                let is_struck = chance.when < rate(class, *step).thousandths();
                let sound = is_struck.then(|| weighted(sounds(class, &token.text, is_last), chance.which));
                Some((class, sound.flatten()?))
            })
        })
    }

    fn confidence(&self, token: &SpokenToken, is_last: bool, is_struck: bool, draws: &Draws) -> Permille {
        let [first, second] = draws.doubts;
        let doubt = if is_struck { first.max(second) } else { first };
        let half = Permille::new(u16::midpoint(1000, doubt));
        self.risk(token, is_last).times(half).rest()
    }

    /// The chance that the token is changed at this level, at least the rate of a plain word.
    fn risk(&self, token: &SpokenToken, is_last: bool) -> Permille {
        let possible = token.class.suffers().iter().filter(|class| !sounds(**class, &token.text, is_last).is_empty());
        let intact = possible.fold(Permille::ALL, |left, class| left.times(rate(*class, self.level).rest()));
        intact.rest().max(rate(TokenClass::Word, self.level))
    }
}

/// What a token sounds like to the listener.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sound {
    heard: String,
    is_joined: bool,
}

/// What a token may sound like when it is changed, with weights.
fn sounds(class: TokenClass, token: &str, is_last: bool) -> Vec<(Sound, u32)> {
    let listed = changes(class, token);
    if class == TokenClass::Name && listed.is_empty() {
        let near = near_names(token).into_iter();
        return near.map(|(heard, weight)| (Sound { heard, is_joined: false }, weight)).collect();
    }
    // The last token has nothing to run into.
    let possible = listed.iter().filter(|(change, _)| !is_last || *change != Change::Join);
    possible.map(|(change, weight)| (sound(change, token), *weight)).collect()
}

fn sound(change: &Change, token: &str) -> Sound {
    let heard = match change {
        Change::Say(words) => words.clone(),
        Change::Drop => String::new(),
        Change::Twice => format!("{token} {token}"),
        Change::Join => token.to_owned(),
    };
    Sound { heard, is_joined: *change == Change::Join }
}

fn mishearing(index: usize, token: &SpokenToken, class: TokenClass, sound: Sound) -> Mishearing {
    Mishearing { token: index, class, said: token.text.clone(), heard: sound.heard, is_joined: sound.is_joined }
}

fn untouched(said: &str) -> Hearing {
    let sure = |word: &str| HeardWord { text: word.to_owned(), confidence: Permille::ALL };
    Hearing {
        level: NoiseLevel::Off,
        said: said.to_owned(),
        spoken: said.to_owned(),
        heard: said.to_owned(),
        mishearings: Vec::new(),
        confidence: Permille::ALL,
        words: said.split_whitespace().map(sure).collect(),
    }
}

/// The mean, rounded down; 1000 of nothing.
fn mean(shares: &[Permille]) -> Permille {
    let sum: u64 = shares.iter().map(|share| u64::from(share.thousandths())).sum();
    let mean = sum.checked_div(shares.len() as u64);
    mean.map_or(Permille::ALL, |mean| Permille::new(u16::try_from(mean).unwrap_or(u16::MAX)))
}

/// Two draws that settle one possible edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    /// Whether it happens, below 1000: it does when this is below the rate.
    pub when: u16,
    /// Which change it is, over the whole range.
    pub which: u64,
}

/// Every draw of one token. All are made whatever the level, so that the levels see the same numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    /// One for each class whose edits the token may suffer, in the order of `TokenClass::suffers`.
    pub chances: [Chance; 2],
    /// Two doubts of the recogniser, below 1000.
    pub doubts: [u16; 2],
}

impl Draws {
    /// The draws of the `token`-th token of a turn of a conversation.
    pub(crate) fn new(seed: u64, conversation: &str, turn: u64, token: u64) -> Self {
        let mut stream = Stream::new(seed, "hear", &format!("{conversation}\0{turn}\0{token}"));
        let mut draw = || stream.below(u64::MAX);
        let mut chance = || Chance { when: thousandth(draw()), which: draw() };
        let chances = [chance(), chance()];
        Draws { chances, doubts: [thousandth(draw()), thousandth(draw())] }
    }
}

/// The item that a draw over the whole range falls on; an item of twice the weight gets twice the room.
pub(crate) fn weighted<T>(items: impl IntoIterator<Item = (T, u32), IntoIter: Clone>, draw: u64) -> Option<T> {
    let items = items.into_iter();
    let total: u64 = items.clone().map(|(_, weight)| u64::from(weight)).sum();
    let mut left = scaled(draw, total);
    for (item, weight) in items {
        match left.checked_sub(u64::from(weight)) {
            Some(rest) => left = rest,
            None => return Some(item),
        }
    }
    None
}

fn thousandth(draw: u64) -> u16 {
    u16::try_from(scaled(draw, 1000)).unwrap_or(0)
}

/// A draw over the whole range, brought below `n`. One draw, one number: nothing is rejected, nothing shifts.
fn scaled(draw: u64, n: u64) -> u64 {
    u64::try_from((u128::from(draw) * u128::from(n)) >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests;
