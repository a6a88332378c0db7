//! Questions in a reply, and the facts that they ask for: one rule for users who answer and for scorers who count.

use super::phrase::Phrase;
use crate::model::task_file::Fact;

/// Questions looked at in one reply; nobody asks more.
const MAX_QUESTIONS: usize = 32;

/// The sentences with a question mark.
pub fn questions(reply: &str) -> impl Iterator<Item = &str> {
    let sentences = reply.split_inclusive(['.', '!', '?', '\n']);
    sentences.filter(|sentence| sentence.trim_end().ends_with('?')).take(MAX_QUESTIONS)
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
        assert_eq!(found, ["Which day?", "And how long?"]);
        assert_eq!(questions("No question. None.").count(), 0);
        assert_eq!(questions(&"eh? ".repeat(100)).count(), MAX_QUESTIONS);
    }

    #[test]
    fn cues_are_whole_words() {
        let fact = Fact { value: "x".into(), also: Vec::new(), cues: vec!["first name".to_owned()] };
        assert!(Cues::of(&fact).are_in("May I have your First  Name?"));
        assert!(!Cues::of(&fact).are_in("Is it your first?"));
        assert!(Ways::of(&fact).are_in("it is X.") && !Ways::of(&fact).are_in("xx"));
    }
}
