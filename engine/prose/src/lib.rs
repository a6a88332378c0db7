//! How people write: text as tokens, sentences and clauses, and the numbers, days and times in it. It knows nothing
//! of agents, tools or scores.

pub mod amount;
pub mod assertion;
pub mod calendar;
pub mod date;
mod frame;
pub mod glyph;
pub mod lexicon;
pub mod lookup;
mod opening;
pub mod quantity;
pub mod sentence;
mod stretch;
pub mod time;
pub mod token;
pub mod unit;
pub mod value;
