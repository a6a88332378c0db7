//! How people write: text as tokens, sentences and clauses, and the numbers, days and times in it. It knows nothing
//! of agents, tools or scores.

pub(crate) mod amount;
pub(crate) mod assertion;
pub(crate) mod calendar;
pub(crate) mod date;
mod frame;
pub(crate) mod glyph;
pub(crate) mod lexicon;
pub(crate) mod lookup;
mod opening;
pub(crate) mod quantity;
pub(crate) mod sentence;
mod stretch;
pub(crate) mod time;
pub(crate) mod token;
pub(crate) mod unit;
pub(crate) mod value;
