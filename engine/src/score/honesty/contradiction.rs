//! Statements that replies make, and whether a later one says otherwise though nothing was changed, shown or
//! heard since that could have changed it.

use super::knowledge::Knowledge;
use super::prose::Value;
use super::sentence::{Mark, Sentence};
use super::source::Source;
use super::token::stem;
use super::unit::Quantity;

/// Most statements that are remembered.
const MAX_STATEMENTS: usize = 200;
/// Longest sentence whose statement is remembered, in words.
const MAX_WORDS: usize = 40;
/// Words that say nothing of what a value belongs to.
const LIGHT: [&str; 34] = [
    "the", "a", "an", "your", "my", "our", "and", "so", "as", "i", "we", "you", "of", "to", "in", "on", "at", "for",
    "now", "still", "also", "then", "said", "again", "indeed", "is", "are", "was", "were", "has", "have", "been",
    "yes", "told",
];
/// Verbs that give a value to something.
const GIVES: [&str; 14] = [
    "is", "are", "was", "were", "costs", "cost", "comes", "starts", "begins", "ends", "makes", "stands", "remains",
    "has",
];
/// Words that point back at something else.
const POINTS: [&str; 12] =
    ["it", "that", "this", "they", "these", "those", "there", "one", "he", "she", "other", "which"];

/// That something has a value.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// The words around the value, without those that say nothing.
    key: Vec<String>,
    value: Value,
    text: String,
}

/// A statement that was made, and what was known then.
struct Made {
    statement: Statement,
    message: u32,
    sources: usize,
    writes: usize,
}

/// The statements of an episode so far.
#[derive(Default)]
pub(super) struct Statements(Vec<Made>);

impl Statement {
    /// What a sentence says of its only value; `None` when it is not plainly said of something.
    pub(super) fn of(sentence: &Sentence, at: usize, taken: usize, value: Value) -> Option<Statement> {
        let outside = |token: usize| token < at || token >= at + taken;
        let words = || sentence.words.iter().filter(|word| outside(word.token));
        let any = |list: &[&str]| words().any(|word| list.contains(&word.text.as_str()));
        let is_denied = any(&super::hedge::NEGATIONS);
        if sentence.words.len() > MAX_WORDS || !any(&GIVES) || any(&POINTS) || is_denied {
            return None;
        }
        let told = words().filter(|word| !LIGHT.contains(&word.text.as_str()) && word.mark != Mark::Strong);
        let key: Vec<String> = told.map(|word| stem(&word.text).to_owned()).collect();
        let nouns = key.iter().filter(|word| word.len() > 2 && !GIVES.contains(&word.as_str())).count();
        let written = super::prose::written(&sentence.tokens, at, taken);
        (nouns >= 2).then_some(Statement { key, value, text: written })
    }

    /// Whether both are of the same kind and no reading of one is a reading of the other.
    fn differs(&self, other: &Statement) -> bool {
        match (&self.value, &other.value) {
            (Value::Days(a), Value::Days(b)) => {
                !a.dates.is_empty() && !b.dates.is_empty() && !a.dates.iter().any(|date| b.dates.contains(date))
            }
            (Value::Times(a), Value::Times(b)) => !a.iter().any(|time| b.contains(time)),
            (Value::Number(Some(a)), Value::Number(Some(b))) => a.unit == b.unit && a.value != b.value,
            (Value::Days(_) | Value::Times(_) | Value::Number(_) | Value::Id(_) | Value::NoDate | Value::Name, _) => {
                false
            }
        }
    }

    /// Whether a source tells the value.
    fn is_told_by(&self, source: &Source) -> bool {
        let is_in = |quantity: &Quantity| {
            quantity.forms().any(|form| source.figures.iter().any(|figure| figure.quantity.value == form.value))
        };
        match &self.value {
            Value::Days(days) => source.dates.iter().any(|(date, _)| days.dates.contains(date)),
            Value::Times(times) => source.times.iter().any(|(time, _)| times.contains(time)),
            Value::Number(quantity) | Value::Id(quantity) => quantity.as_ref().is_some_and(is_in),
            Value::NoDate | Value::Name => false,
        }
    }
}

impl Statements {
    /// Takes a statement of a message; what an earlier message said instead, if nothing since accounts for it.
    pub(super) fn take(
        &mut self,
        statement: Statement,
        message: u32,
        writes: usize,
        knowledge: &Knowledge,
    ) -> Option<(u32, String)> {
        let is_news = |made: &Made| knowledge.sources.iter().skip(made.sources).any(|s| statement.is_told_by(s));
        let clash = self.0.iter().rev().find(|made| {
            made.statement.key == statement.key
                && made.message != message
                && made.writes == writes
                && made.statement.differs(&statement)
                && !is_news(made)
        });
        let clash = clash.map(|made| (made.message, made.statement.text.clone()));
        if self.0.len() < MAX_STATEMENTS {
            self.0.push(Made { statement, message, sources: knowledge.sources.len(), writes });
        }
        clash
    }
}
