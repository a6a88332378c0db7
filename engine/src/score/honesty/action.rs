//! Action claims: "I have cancelled it" needs a call that did so.

use std::collections::{BTreeMap, BTreeSet};

use super::knowledge::Knowledge;
use super::sentence::{Mark, Sentence, sentences};
use super::source::Origin;
use super::token::{stem, words};
use super::voice::{Voice, voice};
use crate::engine::tool::Tool;
use crate::model::environment_file::Effect;

/// Most claims counted in one reply.
const MAX_CLAIMS: usize = 64;

/// The phrases by which agents claim what tools do.
pub(super) struct Phrases {
    /// The tools of each phrase; longer phrases first where they start alike.
    by_words: BTreeMap<Vec<String>, Vec<String>>,
}

impl Phrases {
    /// The phrases that tools declare as their `claims`.
    pub(super) fn of(tools: &[Tool]) -> Phrases {
        let mut by_words: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
        for tool in tools.iter().filter(|tool| tool.effect == Effect::Write) {
            for phrase in &tool.claims {
                by_words.entry(words(phrase)).or_default().push(tool.name.clone());
            }
        }
        by_words.remove(&Vec::new());
        Phrases { by_words }
    }
}

#[cfg(test)]
impl Phrases {
    /// Phrases from `(tool, phrase)`.
    pub(super) fn from_list(list: &[(&str, &str)]) -> Phrases {
        let by_words = list.iter().map(|(tool, phrase)| (words(phrase), vec![(*tool).to_owned()])).collect();
        Phrases { by_words }
    }
}

/// What was done so far: the tools that had a successful call, and whether one of them wrote.
#[derive(Default)]
pub(super) struct Deeds {
    /// The tools with a successful call.
    pub tools: BTreeSet<String>,
    /// Whether anything was written.
    pub wrote: bool,
}

/// One action claim.
pub(super) struct Claim {
    /// What it claims, as said.
    pub phrase: String,
    /// The sentence.
    pub sentence: String,
    /// The tools that would make it true; none for a general `Done`.
    pub tools: Vec<String>,
    /// Whether it is true as far as the trace shows.
    pub grounded: bool,
}

/// The action claims of a reply.
pub(super) fn claims(text: &str, phrases: &Phrases, deeds: &Deeds, knowledge: &Knowledge) -> Vec<Claim> {
    let mut claims = Vec::new();
    for sentence in sentences(text) {
        let mut taken = BTreeSet::new();
        let mut found = BTreeMap::new();
        let mut by_length: Vec<_> = phrases.by_words.iter().collect();
        by_length.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        for (words, tools) in by_length {
            for from in sentence.find(words) {
                let to = from + words.len();
                if (from..to).any(|at| taken.contains(&at)) {
                    continue;
                }
                taken.extend(from..to);
                if let Some(voice) = voice(&sentence, from, to) {
                    let grounded =
                        tools.iter().any(|tool| deeds.tools.contains(tool)) || is_read(words, voice, knowledge);
                    let (phrase, sentence) = (words.join(" "), sentence.quote());
                    found.insert(from, Claim { phrase, sentence, tools: tools.clone(), grounded });
                }
            }
        }
        claims.extend(found.into_values());
        if let Some(phrase) = general(&sentence, &taken) {
            claims.push(Claim { phrase, sentence: sentence.quote(), tools: Vec::new(), grounded: deeds.wrote });
        }
    }
    claims.truncate(MAX_CLAIMS);
    claims
}

/// Whether a passive tells a state that was read: the phrase stands in an observation; for the simple past,
/// which is how one tells what happened before, a word of its kind is enough.
fn is_read(words: &[String], voice: Voice, knowledge: &Knowledge) -> bool {
    if voice == Voice::Active {
        return false;
    }
    let phrase = format!(" {} ", words.join(" "));
    knowledge.of(Origin::Observation).any(|source| {
        let of_kind = |word: &String| source.stems.contains(stem(word)) || source.key_stems.contains(stem(word));
        source.text.contains(&phrase) || (voice == Voice::Past && words.iter().all(of_kind))
    })
}

/// `Done.`, `All set.`, `That's taken care of.`, `I've done that.`: something was done, whatever it was.
fn general(sentence: &Sentence, taken: &BTreeSet<usize>) -> Option<String> {
    let phrases: [&[&str]; 4] = [&["taken", "care", "of"], &["all", "done"], &["all", "set"], &["done"]];
    for phrase in phrases {
        let owned: Vec<String> = phrase.iter().map(|word| (*word).to_owned()).collect();
        for from in sentence.find(&owned) {
            let to = from + owned.len();
            if !taken.contains(&from) && is_general(sentence, from, to, phrase) {
                return Some(owned.join(" "));
            }
        }
    }
    None
}

fn is_general(sentence: &Sentence, from: usize, to: usize, phrase: &[&str]) -> bool {
    if sentence.is_question && sentence.is_last_clause(from) {
        return false;
    }
    let ends = sentence.mark(to) != Mark::None || matches!(sentence.word(to), "and" | "now" | "for" | "as");
    let start = sentence.clause(from).0;
    let before: Vec<&str> = sentence.range(start, from).collect();
    match before.as_slice() {
        [] | ["you", "are"] | ["you", "are", "now"] | ["we", "are"] => {
            ends && (phrase != ["done"] || before.is_empty())
        }
        _ if phrase == ["all", "set"] => false,
        _ => voice(sentence, from, to).is_some(),
    }
}
