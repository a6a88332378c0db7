//! Short names of judges: their ids, and where those are the same what tells them apart.

use std::collections::BTreeMap;

use super::judgement::{JudgeCard, Sampling};
use super::prompt::PromptCard;
use probity_engine::Hash;

/// Longest text of further options that is shown; of a longer one the hash is.
const MAX_OPTIONS: usize = 60;

/// The name of each judge, by its key.
pub fn names<'a>(judges: impl IntoIterator<Item = &'a JudgeCard>) -> BTreeMap<String, String> {
    let cards: BTreeMap<String, &JudgeCard> = judges.into_iter().map(|judge| (judge.key(), judge)).collect();
    let mut alike: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    for card in cards.values() {
        alike.entry(&card.id).or_default().push(parts(card));
    }
    let name = |card: &JudgeCard| {
        let others = alike.get(card.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let differs = |part: &String| !part.is_empty() && others.iter().any(|parts| !parts.contains(part));
        let own: Vec<String> = parts(card).into_iter().filter(differs).collect();
        if own.is_empty() { card.id.clone() } else { format!("{} ({})", card.id, own.join(", ")) }
    };
    cards.iter().map(|(key, card)| (key.clone(), name(card))).collect()
}

/// How a judge is asked, part by part; a part that it does not have is empty.
fn parts(card: &JudgeCard) -> Vec<String> {
    let sampling = card.sampling.as_ref();
    vec![
        card.prompt.as_ref().map(wording).unwrap_or_default(),
        sampling.map(|sampling| format!("temperature {}", sampling.temperature)).unwrap_or_default(),
        sampling.map(|sampling| format!("max_tokens {}", sampling.max_tokens)).unwrap_or_default(),
        sampling.map(options).unwrap_or_default(),
    ]
}

pub fn wording(prompt: &PromptCard) -> String {
    format!("prompt {} ({})", prompt.id, short(&prompt.hash))
}

pub fn options(sampling: &Sampling) -> String {
    if sampling.extra_body.is_empty() {
        return String::new();
    }
    let options = serde_json::Value::Object(sampling.extra_body.clone());
    let text = options.to_string();
    let text = if text.chars().count() > MAX_OPTIONS { short(&Hash::of(&options)) } else { text };
    format!("extra_body {text}")
}

fn short(hash: &Hash) -> String {
    let start: String = hash.hex().chars().take(12).collect();
    format!("sha256:{start}")
}

#[cfg(test)]
mod tests {
    use super::super::prompt::{ReplyForm, Wording};
    use super::*;

    fn card(id: &str, temperature: f64, options: &serde_json::Value) -> JudgeCard {
        let extra_body = options.as_object().unwrap().clone();
        let sampling = Some(Sampling { temperature, max_tokens: 9, extra_body });
        JudgeCard { id: id.to_owned(), prompt: Some(Wording::of(ReplyForm::Grades).card()), sampling }
    }

    #[test]
    fn names_say_what_differs_and_nothing_else() {
        let (none, seed) = (serde_json::json!({}), serde_json::json!({"seed": 3}));
        let cards = [
            card("openai:a", 0.0, &none),
            card("openai:b", 0.0, &none),
            card("openai:b", 0.5, &none),
            card("openai:b", 0.5, &seed),
        ];
        let names = names(&cards);
        let found = cards.each_ref().map(|card| names[&card.key()].as_str());
        let other = "openai:b (temperature 0.5, extra_body {\"seed\":3})";
        assert_eq!(found, ["openai:a", "openai:b (temperature 0)", "openai:b (temperature 0.5)", other]);
    }

    #[test]
    fn long_options_are_named_by_their_hash() {
        let long = |end: &str| serde_json::json!({"stop": format!("{}{end}", "x".repeat(100))});
        let cards = [card("openai:a", 0.0, &long("1")), card("openai:a", 0.0, &long("2"))];
        let names: Vec<String> = names(&cards).into_values().collect();
        assert!(names.iter().all(|name| name.starts_with("openai:a (extra_body sha256:") && name.len() < 60));
        assert_ne!(names[0], names[1]);
    }
}
