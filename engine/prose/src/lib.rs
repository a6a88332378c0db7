//! How people write: text as tokens, sentences and clauses, and the numbers, days and times in it. It knows nothing
//! of agents, tools or scores.

mod amount;
mod answer;
mod assertion;
#[cfg(test)]
mod case;
pub mod date;
pub mod deed;
mod frame;
mod glyph;
mod language;
pub mod lexicon;
mod lookup;
pub mod noun;
mod phrase;
pub mod put_off;
pub mod quantity;
mod reversal;
pub mod sentence;
#[cfg(test)]
mod tests;
pub mod time;
pub mod token;
pub mod unit;
pub mod value;
mod verb;
mod vocabulary;

pub use amount::Amount;
pub use answer::{Answer, Reply};
pub use assertion::{Mood, Reading};
pub use date::{Calendar, Days};
pub use lexicon::{MONTHS, SMALL_IN_WORDS, WordClass};
pub use lookup::{Lookup, Wanted, Words};
pub use phrase::{Phrase, last_line};
pub use sentence::{Mark, Sentence, Text};
pub use time::Minutes;
pub use token::{Shape, Token};
pub use unit::{Quantity, Unit};
pub use value::{Certainty, Found, Value};
pub use verb::Verb;
pub use vocabulary::{Heard, Mention, Vocabulary};
