//! The words by which an agent is told of an order: they stand in what it is given, or every user says them.

use probity_engine::{Actor, Environment, PolicyEntry};
use probity_prose::Phrase;

/// Fewest words of a quote: a single word stands in any text.
const LEAST_WORDS: usize = 2;

/// What `told` of an edge quotes.
pub struct Quote<'a> {
    words: &'a str,
    phrase: Option<Phrase>,
}

impl<'a> Quote<'a> {
    pub fn new(told: &'a str) -> Self {
        let words = told.trim();
        Quote { words, phrase: Phrase::parse(words).ok().filter(|phrase| !phrase.is_expression()) }
    }

    pub fn too_short(&self) -> Option<String> {
        let count = self.words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
        (count < LEAST_WORDS)
            .then(|| format!("`told` is \"{}\", and a quote takes {LEAST_WORDS} words or more", self.words))
    }

    /// Whether it stands in the policy or in the description of a tool.
    pub fn is_in_brief(&self, environment: &Environment) -> bool {
        let tools = environment.tools().iter().filter(|tool| tool.actor == Actor::Agent);
        let policy = environment.file().policy.iter().map(PolicyEntry::text);
        policy.chain(tools.map(|tool| tool.description.as_str())).any(|text| self.is_in(text))
    }

    pub fn is_said(&self, turns: &[String]) -> bool {
        turns.iter().any(|turn| self.is_in(turn))
    }

    fn is_in(&self, text: &str) -> bool {
        self.phrase.as_ref().is_some_and(|phrase| phrase.is_in(text))
    }
}
