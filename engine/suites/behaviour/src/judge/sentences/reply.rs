//! The reply of a judge about sentences, read strictly: one JSON object with verdicts on sentences it was asked about.

use serde::Deserialize;

use super::super::grades::object;
use super::asked::AskedSentences;
use super::judged::{JudgedSentence, QuotedEvidence, SentenceAnswer, SentenceVerdict};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnsweredSentences {
    sentences: Vec<AnsweredSentence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnsweredSentence {
    /// Its number, from 1.
    sentence: usize,
    verdict: SentenceVerdict,
    /// Null where nothing can be quoted, and never left out.
    #[serde(deserialize_with = "Option::deserialize")]
    evidence: Option<String>,
    reason: String,
}

/// The sentences with what the reply says of them; one that it passes over has no answer.
/// An error: why it is no judgement; nothing in it is mended.
pub(in crate::judge) fn read(reply: &str, asked: &AskedSentences) -> Result<Vec<JudgedSentence>, String> {
    let AnsweredSentences { sentences } = object(reply)?;
    let count = asked.sentences.len();
    let mut answers: Vec<Option<SentenceAnswer>> = vec![None; count];
    for AnsweredSentence { sentence, verdict, evidence, reason } in sentences {
        let place = sentence.checked_sub(1).and_then(|at| Some((at, answers.get_mut(at)?)));
        let (at, answer) = place.ok_or_else(|| format!("there is no sentence {sentence}, only 1 to {count}"))?;
        let evidence = evidence.map(|quote| QuotedEvidence { place: asked.place(at, &quote), quote });
        let given = SentenceAnswer { verdict, evidence, reason };
        given.check()?;
        if answer.replace(given).is_some() {
            return Err(format!("sentence {sentence} has two verdicts"));
        }
    }
    Ok(asked.sentences.iter().zip(answers).map(|(asked, answer)| JudgedSentence::of(asked, answer)).collect())
}
