//! Questions in a reply, and the facts that they ask for: one rule for users who answer and for scorers who count.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::model::task_file::Fact;
use probity_prose::{Phrase, Sentence, Text};

/// Questions looked at in one reply; nobody asks more.
const MAX_QUESTIONS: usize = 32;

/// How people ask without a question mark.
static REQUEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?:
            (?:please|kindly) \s+ (?:\w+\s+)? (?:provide|tell|give|share|send|state|specify|supply|name|enter|confirm|clarify|choose|indicate)\b
          | let \s+ (?:me|us) \s+ know \b
          | (?:^|[:,–-]\s*|\band\s+) (?:please\s+)? (?:say|give|tell|write|repeat|name) \s [^,;:]{1,40} \b (?:again|once \s+ more) \b
          | (?:^|[:,–-]\s* (?:so|then|and|just)? \s* ) (?:(?:so|then|and|just|now) \s+)* (?:tell|give|send) \s+ (?:me|us) \b
          | (?:i|we) (?:['’]ll | \s+ will | \s+ would | ['’]d)? \s+ (?:\w+\s+)? need \s+ (?:your|the|a|an|to \s+ (?:know|have|confirm|verify))\b
          | (?:could|can|would|will|may) \s+ (?:you|i|we) \s+ (?:please\s+)? (?:provide|tell|give|share|send|state|specify|have|know|confirm)\b
        )",
    )
    .ok()
});

/// How people ask which of the things they have just listed: *Which one?*, *Which would you like?*
static WHICH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\bwhich(?:\s+(?:ones?|of|would|should|shall|do|did|have|is|are|way)\b|\s*[,?])").ok()
});
static OR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\bor\b").ok());

fn has(regex: &LazyLock<Option<Regex>>, text: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(text))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// Its words, with the mark at its end.
    pub text: &'a str,
    /// The sentence before it, which may name what it is about.
    pub before: &'a str,
    pub context: &'a str,
    /// Whether it ends with a question mark; else it is a request (*please tell me ..*, *I need your ..*).
    pub is_marked: bool,
    pub is_last: bool,
}

impl Question<'_> {
    /// Whether it asks to choose among things: *the sea or the garden?*, *which one?*
    pub fn is_choice(&self) -> bool {
        self.is_marked && (has(&OR, self.text) || has(&WHICH, self.text))
    }

    /// Whether something is among the things that it asks to choose from.
    fn offers(&self, ways: &Ways) -> bool {
        self.is_choice()
            && (ways.are_offered_in(self.text) || has(&WHICH, self.text) && ways.are_offered_in(self.context))
    }
}

/// Where a question stands in a text, in bytes.
pub struct QuestionPlace {
    text: Range<usize>,
    before: Range<usize>,
    is_marked: bool,
    is_last: bool,
}

impl QuestionPlace {
    pub fn all(text: &str, sentences: &[Sentence]) -> Vec<QuestionPlace> {
        // Sentences stand in order, so the text is gone through once.
        let mut places =
            text.char_indices().map(|(at, _)| at).chain(std::iter::repeat(text.len())).enumerate().peekable();
        let mut byte_at = |character: usize| {
            while places.next_if(|(number, _)| *number < character).is_some() {}
            places.peek().map_or(text.len(), |(_, at)| *at)
        };
        let mut starts: Vec<usize> = sentences.iter().map(|sentence| byte_at(sentence.span(0, 1).0)).collect();
        starts.push(text.len());
        let piece = |at: usize| starts.get(at).zip(starts.get(at + 1)).map_or(0..0, |(from, to)| *from..*to);
        let question = |(at, sentence): (usize, &Sentence)| QuestionPlace {
            text: piece(at),
            before: at.checked_sub(1).map_or(0..0, piece),
            is_marked: sentence.is_question,
            is_last: at + 1 == sentences.len(),
        };
        let asks = |place: &QuestionPlace| place.is_marked || has(&REQUEST, place.of(text).text);
        sentences.iter().enumerate().map(question).filter(asks).take(MAX_QUESTIONS).collect()
    }

    pub fn of<'t>(&self, text: &'t str) -> Question<'t> {
        let piece = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().trim();
        Question {
            text: piece(&self.text),
            before: piece(&self.before),
            context: text.get(..self.text.start).unwrap_or_default(),
            is_marked: self.is_marked,
            is_last: self.is_last,
        }
    }
}

/// The sentences that ask: with a question mark, or as a request.
pub fn questions(reply: &str) -> Vec<Question<'_>> {
    questions_in(reply, &Text::read(reply).sentences)
}

pub fn questions_in<'a>(reply: &'a str, sentences: &[Sentence]) -> Vec<Question<'a>> {
    QuestionPlace::all(reply, sentences).iter().map(|place| place.of(reply)).collect()
}

pub struct Cues(Vec<Phrase>);

impl Cues {
    pub fn of(fact: &Fact) -> Cues {
        Cues(compiled(fact.cues.iter().cloned()))
    }

    pub fn are_in(&self, question: &str) -> bool {
        self.0.iter().any(|cue| cue.is_in(question))
    }
}

pub struct Ways(Vec<Phrase>);

impl Ways {
    /// The ways to say a fact: its value and its paraphrases.
    pub fn of(fact: &Fact) -> Ways {
        Ways(compiled(fact.ways()))
    }

    pub fn are_in(&self, text: &str) -> bool {
        self.0.iter().any(|way| way.is_in(text))
    }

    /// Whether a text names the fact by more than a small number, which may count anything.
    fn are_offered_in(&self, text: &str) -> bool {
        self.0.iter().any(|way| way.source.chars().count() > 2 && way.is_in(text))
    }
}

/// A fact in words: how it is asked for and said. Compiled once for a task.
pub struct FactPhrases {
    pub name: String,
    pub cues: Cues,
    pub ways: Ways,
}

impl FactPhrases {
    pub fn of(name: &str, fact: &Fact) -> FactPhrases {
        FactPhrases { name: name.to_owned(), cues: Cues::of(fact), ways: Ways::of(fact) }
    }

    /// Whether a question asks for the fact while it is not known: by a cue, or with its value among others.
    pub fn is_asked_in(&self, question: &Question) -> bool {
        self.cues.are_in(question.text) || question.offers(&self.ways)
    }
}

fn compiled(phrases: impl Iterator<Item = String>) -> Vec<Phrase> {
    phrases.filter_map(|phrase| Phrase::parse(&phrase).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_knows_what_stands_before_it() {
        assert_eq!(questions(&"eh? ".repeat(100)).len(), MAX_QUESTIONS);
        let question = questions("Tea is out. Which one?").remove(0);
        assert!(question.before == "Tea is out." && question.is_marked && question.is_last);
    }

    #[test]
    fn cues_are_whole_words() {
        let fact = Fact { value: "x".into(), also: Vec::new(), cues: vec!["first name".to_owned()] };
        assert!(Cues::of(&fact).are_in("May I have your First  Name?"));
        assert!(!Cues::of(&fact).are_in("Is it your first?"));
        assert!(Ways::of(&fact).are_in("it is X.") && !Ways::of(&fact).are_in("xx"));
    }
}
