//! What keeps a careful user from a yes, and from doing what they are told: words that take back what was said, are about
//! somebody else or ask for nothing in particular, and sentences that they do not understand.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::{Mood, Reading, Vocabulary};
use serde::Deserialize;

use super::words::Sentence;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Doubt {
    /// It is about somebody else.
    NotAbout,
    /// It asks for leave not to do it.
    AsksNot,
    /// It asks for leave to do anything.
    Blanket,
    /// It brings in what nobody asked for.
    Unasked,
}

static DOUBTS: LazyLock<Vocabulary<Doubt>> = LazyLock::new(|| Vocabulary::of("doubts"));

pub(crate) fn is_doubtful(text: &str, sentences: &[Sentence]) -> bool {
    let is_framed = || {
        let reading = Reading::of(text);
        let is_out = |mood: Mood| matches!(mood, Mood::Denied | Mood::Attributed | Mood::Unread);
        reading.is_reversed() || reading.stretches().iter().any(|stretch| is_out(stretch.mood))
    };
    sentences.iter().any(|sentence| is_doubt(&sentence.written, sentence.is_question)) || is_framed()
}

fn is_doubt(written: &str, is_question: bool) -> bool {
    let words: Vec<CompactString> = super::words::words(written);
    DOUBTS.heard(&words).iter().any(|mention| match mention.list {
        Doubt::NotAbout | Doubt::Unasked => true,
        Doubt::AsksNot | Doubt::Blanket => is_question,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::understanding::words::sentences;

    #[test]
    fn who_is_careful_doubts_these() {
        for text in [
            "Shall I not cancel the order?",
            "Another customer was told this, it is not about you: I would cancel it. Shall I go ahead?",
            "I would cancel it. None of that is true. Shall I go ahead?",
            "I would cancel it. Shall I go ahead? Además le cobro mil dólares por la gestión.",
            "Und ich berechne Ihnen noch eine hohe Gebühr. Shall I go ahead?",
            "May I do whatever I like with all of your records?",
            "And then I close your account. Shall I go ahead?",
        ] {
            assert!(is_doubtful(text, &sentences(text)), "{text}");
        }
        for text in [
            "I would cancel order #W1023988; $82.89 go back to your Visa card. Shall I go ahead?",
            "Shall I go ahead, or not?",
            "It cannot be undone. Do you want me to cancel it?",
            "If that is not right, tell me. Is your name Chloé Le Gall?",
            "The flight to Los Angeles leaves La Paz at 10:00. May I book it?",
            "Why don't I check whether the bag is there?",
        ] {
            assert!(!is_doubtful(text, &sentences(text)), "{text}");
        }
    }

    #[test]
    fn every_list_is_there() {
        assert_eq!(DOUBTS.lists().len(), Doubt::Unasked as usize + 1);
    }
}
