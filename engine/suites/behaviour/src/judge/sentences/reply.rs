//! The reply of a judge about sentences, read strictly: one JSON object with verdicts on sentences it was asked about.

use serde::Deserialize;

use super::asked::AskedSentences;
use super::judged::{JudgedSentence, QuotedEvidence, SentenceAnswer, SentenceVerdict};
use probity_ruling::reply::alone;

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
    let AnsweredSentences { sentences } = alone(reply)?;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::judged::SentenceState;
    use super::*;

    fn asked() -> AskedSentences {
        AskedSentences::sample(
            &["The Heron is insured.", "I have told the harbour."],
            "Is my \u{201c}Heron\u{201d}  insured?",
        )
    }

    fn answer(sentence: usize, evidence: &Value) -> Value {
        json!({"sentence": sentence, "verdict": "untrue", "evidence": evidence, "reason": "So."})
    }

    fn of(sentences: &Value) -> Result<Vec<JudgedSentence>, String> {
        read(&json!({"sentences": sentences}).to_string(), &asked())
    }

    #[test]
    fn each_sentence_has_its_answer_or_none() {
        for (evidence, expected) in [
            (json!(null), SentenceState::Untrue),
            (json!("my 'Heron' insured"), SentenceState::Untrue),
            (json!("{\"name\": \"Heron\"}"), SentenceState::Untrue),
            (json!("the Heron is not insured"), SentenceState::NotBelieved),
            (json!("I"), SentenceState::NotBelieved),
        ] {
            let judged = of(&json!([answer(2, &evidence)])).unwrap();
            let states: Vec<SentenceState> = judged.iter().map(JudgedSentence::state).collect();
            assert_eq!(states, [SentenceState::NotJudged, expected], "{evidence}");
        }
        let place = |evidence: &str| {
            let judged = of(&json!([answer(1, &evidence.into())])).unwrap();
            judged[0].answer.clone().unwrap().evidence.unwrap().place
        };
        assert_eq!(place("Is my"), Some("user".to_owned()));
        assert_eq!(place("find_boat"), Some("call 1".to_owned()));
        assert_eq!(of(&json!([])).unwrap().len(), 2);
    }

    #[test]
    fn nothing_is_mended() {
        let with = |key: &str, value: Value| {
            let mut changed = answer(1, &Value::Null);
            changed[key] = value;
            of(&json!([changed])).unwrap_err()
        };
        assert_eq!(with("sentence", json!(3)), "there is no sentence 3, only 1 to 2");
        assert_eq!(with("sentence", json!(0)), "there is no sentence 0, only 1 to 2");
        assert!(with("sentence", json!("1")).contains("invalid type"));
        assert!(with("verdict", json!("false")).contains("unknown variant `false`"));
        assert_eq!(with("reason", json!(" ")), "`sentences` has no reason");
        assert_eq!(with("evidence", json!("")), "a quote in `sentences` has no words");
        assert_eq!(with("evidence", json!("x".repeat(401))), "a quote in `sentences` is longer than 400 characters");
        assert!(with("sure", json!(1)).contains("unknown field `sure`"));
        let twice = of(&json!([answer(1, &Value::Null), answer(1, &Value::Null)]));
        assert_eq!(twice.unwrap_err(), "sentence 1 has two verdicts");
        let bare = of(&json!([{"sentence": 1, "verdict": "true", "reason": "So."}]));
        assert!(bare.unwrap_err().contains("missing field `evidence`"));
        assert_eq!(read("All is true.", &asked()).unwrap_err(), "it is not one JSON object alone");
    }

    proptest! {
        #[test]
        fn no_reply_makes_the_reader_panic(reply in "[{}\\[\\]\":,`a-z0-9. \n\u{e9}]{0,80}", quote in "[ab\"\u{e9} ]{0,6}") {
            let _ = read(&reply, &asked());
            let _ = asked().place(0, &quote);
        }
    }
}
