//! What passes between an agent and the rest, and how an agent takes what it hears.

use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub enum AgentHears {
    User(String),
    /// What the tools gave back, in the order of the calls; a refusal is an object with `error`.
    Results(Vec<Value>),
}

/// A message of an agent: words or calls, never both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentSpeech {
    pub text: Option<String>,
    /// The calls: tool and arguments.
    pub calls: Vec<(String, Value)>,
}

const ASKING_BACK: &[&str] = &[
    "where do i",
    "where is",
    "where i find",
    "how do i",
    "don't understand",
    "don't follow",
    "not sure what",
    "not quite sure",
    "means nothing",
    "what exactly",
    "never heard",
];
const AGREEING: &[&str] = &["yes", "correct", "that's right", "go ahead", "sure", "that's fine"];
const DECLINING: &[&str] = &["no", "not", "don't", "wrong"];

pub(super) fn asks_back(text: &str) -> bool {
    let text = text.to_lowercase();
    ASKING_BACK.iter().any(|words| text.contains(words))
}

/// Whether the user agrees: by the first word that says either.
pub(crate) fn affirms(text: &str) -> bool {
    let text = text.to_lowercase();
    let text: String = text.chars().map(|sign| if sign.is_alphabetic() || sign == '\'' { sign } else { ' ' }).collect();
    let text = format!(" {} ", text.split_whitespace().collect::<Vec<_>>().join(" "));
    let place = |all: &[&str]| all.iter().filter_map(|words| text.find(&format!(" {words} "))).min();
    match (place(AGREEING), place(DECLINING)) {
        (Some(yes), Some(no)) => yes < no,
        (yes, _) => yes.is_some(),
    }
}

/// A number of ten digits in groups.
pub(super) fn dashed(digits: &str) -> String {
    let group = |from: usize, count: usize| digits.chars().skip(from).take(count).collect::<String>();
    format!("{}-{}-{}", group(0, 3), group(3, 3), group(6, usize::MAX))
}

/// What is said for a report, so that not every message begins alike.
pub(super) fn thanks(stages_left: usize) -> &'static str {
    match stages_left % 4 {
        0 => "Thank you.",
        1 => "All right.",
        2 => "Good, thank you.",
        _ => "",
    }
}

/// What is told after a call that was carried out.
pub(super) fn news(tool: &str) -> &'static str {
    match tool {
        "refuel_data" => "I have added the data.",
        "send_payment_request" => "I have sent the request.",
        "resume_line" => "Your line is active again.",
        "enable_roaming" => "Your line may roam now.",
        _ => "That is done.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides() {
        assert!(affirms("Yes, that's fine. But I don't want another plan."));
        assert!(!affirms("No, thanks, that's fine."));
        assert!(!affirms("It says nothing."));
        assert_eq!(dashed("5551232002"), "555-123-2002");
    }
}
