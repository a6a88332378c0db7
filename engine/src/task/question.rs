//! Questions in a reply, and the facts that they ask for: one rule for users who answer and for scorers who count.

use std::sync::LazyLock;

use regex::Regex;

use super::phrase::Phrase;
use crate::model::task_file::Fact;

/// Questions looked at in one reply; nobody asks more.
const MAX_QUESTIONS: usize = 32;

/// How people ask without a question mark.
static REQUEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?:
            (?:please|kindly) \s+ (?:\w+\s+)? (?:provide|tell|give|share|send|state|specify|supply|name|enter|confirm|clarify|choose|indicate)\b
          | let \s+ (?:me|us) \s+ know \b
          | (?:tell|give|send) \s+ (?:me|us) \b
          | (?:i|we) (?:['’]ll | \s+ will | \s+ would | ['’]d)? \s+ (?:\w+\s+)? need \s+ (?:your|the|a|an|to \s+ (?:know|have|confirm|verify))\b
          | (?:could|can|would|will|may) \s+ (?:you|i|we) \s+ (?:please\s+)? (?:provide|tell|give|share|send|state|specify|have|know|confirm)\b
        )",
    )
    .ok()
});

/// Whether a sentence ends with a question mark.
pub fn has_question_mark(sentence: &str) -> bool {
    sentence.trim_end().ends_with('?')
}

/// The sentences that ask: with a question mark, or as a request (*please tell me ..*, *I need your ..*).
pub fn questions(reply: &str) -> impl Iterator<Item = &str> {
    let asks = |sentence: &&str| {
        has_question_mark(sentence) || REQUEST.as_ref().is_some_and(|request| request.is_match(sentence))
    };
    sentences(reply).filter(asks).take(MAX_QUESTIONS)
}

/// The sentences of a text; a full stop ends one only before white space, not within `15.00`.
fn sentences(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let is_end = |(at, c): &(usize, char)| match c {
            '!' | '?' | '\n' => true,
            '.' => text.get(at + 1..).is_none_or(|rest| !rest.starts_with(|next: char| !next.is_whitespace())),
            _ => false,
        };
        let end = text.char_indices().find(is_end).map_or(text.len(), |(at, _)| at + 1);
        let (sentence, rest) = text.split_at(end);
        text = rest;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// The words by which a question asks for a fact.
pub struct Cues(Vec<Phrase>);

impl Cues {
    /// The cues of a fact.
    pub fn of(fact: &Fact) -> Cues {
        Cues(compiled(fact.cues.iter().cloned()))
    }

    /// Whether a question asks for the fact.
    pub fn are_in(&self, question: &str) -> bool {
        self.0.iter().any(|cue| cue.is_in(question))
    }
}

/// The ways to say a fact.
pub struct Ways(Vec<Phrase>);

impl Ways {
    /// The ways to say a fact: its value and its paraphrases.
    pub fn of(fact: &Fact) -> Ways {
        Ways(compiled(super::build::ways_to_say(fact)))
    }

    /// Whether a text says the fact.
    pub fn are_in(&self, text: &str) -> bool {
        self.0.iter().any(|way| way.is_in(text))
    }
}

/// A fact in words: how it is asked for and said. Compiled once for a task.
pub struct Voice {
    /// The fact's name.
    pub name: String,
    /// The words that ask for it.
    pub cues: Cues,
    /// The ways to say it.
    pub ways: Ways,
}

impl Voice {
    /// The words of a fact.
    pub fn of(name: &str, fact: &Fact) -> Voice {
        Voice { name: name.to_owned(), cues: Cues::of(fact), ways: Ways::of(fact) }
    }
}

fn compiled(phrases: impl Iterator<Item = String>) -> Vec<Phrase> {
    phrases.filter_map(|phrase| Phrase::parse(&phrase).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_sentences_with_a_question_mark() {
        let found: Vec<&str> = questions("I see. Which day?\nTell me! And how long? Thanks").map(str::trim).collect();
        assert_eq!(found, ["Which day?", "Tell me!", "And how long?"]);
        assert_eq!(questions("No question. None.").count(), 0);
        let money = "It is 3.5 km. Shall I charge the 15.00 EUR fee, v1.2?";
        assert_eq!(questions(money).map(str::trim).collect::<Vec<_>>(), ["Shall I charge the 15.00 EUR fee, v1.2?"]);
        assert_eq!(questions(&"eh? ".repeat(100)).count(), MAX_QUESTIONS);
    }

    #[test]
    fn requests_ask_as_questions_do() {
        for request in [
            "Please tell me your first name.",
            "Kindly also provide the date.",
            "Let me know which day.",
            "I'll need your first name.",
            "We will first need to know the arrival date.",
            "Could you share the code.",
            "Please confirm that I may cancel it.",
        ] {
            assert_eq!(questions(request).count(), 1, "{request}");
        }
        for statement in [
            "I have your first name.",
            "You need not come.",
            "The room needs a key.",
            "I gave it a new date.",
            "Please wait.",
        ] {
            assert_eq!(questions(statement).count(), 0, "{statement}");
        }
    }

    #[test]
    fn cues_are_whole_words() {
        let fact = Fact { value: "x".into(), also: Vec::new(), cues: vec!["first name".to_owned()] };
        assert!(Cues::of(&fact).are_in("May I have your First  Name?"));
        assert!(!Cues::of(&fact).are_in("Is it your first?"));
        assert!(Ways::of(&fact).are_in("it is X.") && !Ways::of(&fact).are_in("xx"));
    }
}
