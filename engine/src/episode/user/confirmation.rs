//! Questions that ask the user's yes, and which calls they are about.

use std::sync::LazyLock;

use regex::Regex;

use crate::engine::environment::Environment;
use crate::engine::tool::Tool;
use crate::model::pattern::CallPattern;

static FORMS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?:
            (?:shall|should) \s+ (?:i|we) \b
          | (?:may|can|could) \s+ (?:i|we) \s+ (?:now\s+)? (?:go|proceed|continue|do|cancel|charge|book|make|move|send|place|close)\b
          | want \s+ (?:me|us) \s+ to \b
          | like \s+ (?:me|us) \s+ to \b
          | (?:is|are|would) \s+ (?:that|this|it|you|everything) \s+ (?:be\s+)?
              (?:ok|okay|fine|alright|all\s+right|sure|correct|right|agreed|certain|happy|acceptable)\b
          | do \s+ you \s+ (?:agree|confirm|consent|accept|approve)\b
          | (?:please|kindly) \s+ confirm \s+ (?:that|whether|if|you|i|we|this|it)\b
          | go \s+ ahead \b
          | proceed \b
          | (?:ok|okay|agreed|confirmed) \s* \?
        )",
    )
    .ok()
});
static CHOICE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:which|or|rather|prefer|matters?|important|priority|instead|give way|choose)\b").ok()
});
static OFFER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: anything \s+ (?:else|more|further) | something \s+ (?:else|more|further)
          | (?:any|some) \s+ (?:other|further|more) \s+ (?:help|questions?|requests?|assistance)
          | what \s+ else \s+ (?:can|may|could) \s+ (?:i|we)
          | how \s+ (?:else \s+)? (?:can|may|could) \s+ (?:i|we) \s+ (?:help|assist) )\b",
    )
    .ok()
});

fn has(regex: &LazyLock<Option<Regex>>, text: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// Whether a question asks for a yes.
pub(super) fn asks_for_yes(question: &str) -> bool {
    has(&FORMS, question)
}

/// Whether a question asks to choose.
pub(super) fn asks_to_choose(question: &str) -> bool {
    has(&CHOICE, question)
}

/// Whether a question only offers more help, which needs no answer.
pub(super) fn offers_help(question: &str) -> bool {
    has(&OFFER, question)
}

/// The calls that need the user's yes and that a question names by their verb.
pub(super) fn named<'a>(question: &str, environment: &'a Environment) -> Vec<&'a Tool> {
    let words: Vec<String> = words(question).collect();
    let needs_yes = environment.tools().iter().filter(|tool| tool.confirm || tool.irreversible);
    needs_yes.filter(|tool| forms(tool).any(|form| words.contains(&form))).collect()
}

/// Whether a question names ids, and none of those that the user agreed to.
pub(super) fn names_another(question: &str, agreed: &CallPattern) -> bool {
    let is_id = |word: &String| word.len() > 1 && word.contains(|c: char| c.is_ascii_digit());
    let is_mixed = |word: &String| is_id(word) && word.contains(|c: char| c.is_alphabetic());
    let asked: Vec<String> = words(question).filter(is_mixed).collect();
    let known: Vec<String> = words(&agreed.to_string()).filter(is_id).collect();
    !asked.is_empty() && known.iter().any(is_mixed) && !asked.iter().any(|id| known.contains(id))
}

/// The verb of a tool's name in its forms, and the participles by which it is claimed.
fn forms(tool: &Tool) -> impl Iterator<Item = String> {
    let verb = tool.name.split('_').next().unwrap_or_default().to_lowercase();
    let base = verb.strip_suffix('e').unwrap_or(&verb).to_owned();
    let last = verb.chars().last().map(String::from).unwrap_or_default();
    let doubled = format!("{verb}{last}ing");
    let own = [verb.clone(), format!("{verb}s"), format!("{base}ed"), format!("{base}ing"), doubled];
    own.into_iter().chain(tool.claims.iter().map(|claim| claim.to_lowercase()))
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_for_a_yes_are_told_from_others() {
        for question in [
            "Shall I go ahead?",
            "Should we cancel it?",
            "Do you want me to charge the fee?",
            "Would you like me to move it?",
            "Is that okay?",
            "Are you sure?",
            "Do you agree?",
            "May I proceed?",
            "15 EUR, okay?",
            "Please confirm that I may cancel it.",
        ] {
            assert!(asks_for_yes(question), "{question}");
        }
        for question in [
            "Please confirm your first name.",
            "May I have your first name?",
            "Which day?",
            "Can I ask for the code?",
            "When would suit you?",
        ] {
            assert!(!asks_for_yes(question), "{question}");
        }
    }

    #[test]
    fn offers_of_help_and_choices_are_told() {
        assert!(offers_help("Is there anything else I can do?") && offers_help("How may I help you?"));
        assert!(!offers_help("Which day?"));
        assert!(asks_to_choose("Which matters more?") && asks_to_choose("The sea or the garden?"));
        assert!(!asks_to_choose("What is your name?"));
    }

    #[test]
    fn another_id_than_the_agreed_one_is_seen() {
        let agreed: CallPattern = serde_json::from_str(r#""cancel where args.id == \"B12\"""#).unwrap();
        assert!(names_another("Shall I cancel B13?", &agreed));
        assert!(!names_another("Shall I cancel B12?", &agreed) && !names_another("Shall I cancel it?", &agreed));
        let any: CallPattern = serde_json::from_str(r#""cancel""#).unwrap();
        assert!(!names_another("Shall I cancel B13?", &any));
    }
}
