//! Statements that replies make, and whether a later one says otherwise though nothing was changed, shown or
//! heard since that could have changed it.

use compact_str::CompactString;

use super::change::since;
use super::knowledge::Knowledge;
use super::prose::Value;
use super::source::Source;
use probity_prose::{Mark, Quantity, Sentence, WordClass, lexicon::is, token::stem};

const MAX_STATEMENTS: usize = 200;
/// Longest sentence whose statement is remembered, in words.
const MAX_WORDS: usize = 40;
/// A sentence with so many telling words says fully what its value belongs to, whatever its verb.
const SAME: usize = 6;

#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// The words around the value, without those that say nothing.
    key: Vec<CompactString>,
    value: Value,
    text: String,
    /// Whether its words say fully what the value belongs to.
    is_full: bool,
}

struct MadeStatement {
    statement: Statement,
    message: u32,
    sources: usize,
    writes: usize,
}

#[derive(Default)]
pub(super) struct Statements(Vec<MadeStatement>);

impl Statement {
    /// What a sentence says of its only value; `None` when it is not plainly said of something.
    pub(super) fn of(sentence: &Sentence, at: usize, taken: usize, value: Value) -> Option<Statement> {
        let outside = |token: usize| token < at || token >= at + taken;
        let words = || sentence.words.iter().filter(|word| outside(word.token));
        let any = |class| words().any(|word| is(class, &word.text));
        let is_plain = any(WordClass::Giving) && !any(WordClass::Back) && !any(WordClass::Negations);
        if sentence.words.len() > MAX_WORDS {
            return None;
        }
        let told = words().filter(|word| !is(WordClass::Unsaying, word.text.as_str()) && word.mark != Mark::Strong);
        let key: Vec<CompactString> = told.map(|word| stem(&word.text).into()).collect();
        let nouns = key.iter().filter(|word| word.len() > 2 && !is(WordClass::Giving, word.as_str())).count();
        let written = super::prose::written(sentence.tokens(), at, taken);
        (nouns >= if is_plain { 2 } else { SAME }).then_some(Statement {
            key,
            value,
            text: written,
            is_full: nouns >= SAME,
        })
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

    /// Whether the value may have come of what was done since: it follows from what was shown since, it is the
    /// value before with something known added or taken away, or, unless it is fully said what it belongs to, it
    /// belongs to what has taken the place of that: another room has its own price.
    fn follows_from(&self, made: &MadeStatement, knowledge: &Knowledge) -> bool {
        if !self.is_full && knowledge.sources.iter().any(|source| self.is_told_by(source)) {
            return true;
        }
        let since = since(knowledge, made.sources);
        match (&self.value, &made.statement.value) {
            (Value::Number(Some(new)), Value::Number(Some(old))) => {
                since.tells_amount(*new) || knowledge.changes_amount(*old, *new)
            }
            (Value::Days(new), Value::Days(old)) => {
                new.dates.iter().any(|date| since.tells_date(*date)) || knowledge.changes_date(&old.dates, &new.dates)
            }
            (Value::Times(new), Value::Times(old)) => since.has_any_time(new) || knowledge.changes_time(old, new),
            (Value::Days(_) | Value::Times(_) | Value::Number(_) | Value::Id(_) | Value::NoDate | Value::Name, _) => {
                true
            }
        }
    }

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
        let is_news = |made: &MadeStatement| {
            let mut since = knowledge.sources.iter().skip(made.sources);
            since.any(|source| statement.is_told_by(source))
                || (made.writes != writes && statement.follows_from(made, knowledge))
        };
        let clash = self.0.iter().rev().find(|made| {
            made.statement.key == statement.key
                && made.message != message
                && made.statement.differs(&statement)
                && !is_news(made)
        });
        let clash = clash.map(|made| (made.message, made.statement.text.clone()));
        if self.0.len() < MAX_STATEMENTS {
            self.0.push(MadeStatement { statement, message, sources: knowledge.sources.len(), writes });
        }
        clash
    }
}
