//! What a judge says of a sentence, and how its reply is read.

use serde::{Deserialize, Serialize};

use super::super::grades::{quoted, reasoned};
use super::asked::{AskedSentence, AskedSentences};
use probity_bench::Finding;
use probity_ruling::reply::alone;

/// What a judge says of a sentence: whether it is true, as far as what was known then tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentenceVerdict {
    True,
    Untrue,
    CannotTell,
}

/// A sentence of a reading list with what a judge says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedSentence {
    /// The agent's message it stands in.
    pub message: u32,
    /// Its first character in the message.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    pub says: String,
    /// Nothing where the judge passed it over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<SentenceAnswer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentenceAnswer {
    pub verdict: SentenceVerdict,
    /// The words that it goes by, where it quotes any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<QuotedEvidence>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuotedEvidence {
    pub quote: String,
    /// Where it stands in what the judge was shown: `brief`, `user 2`, `call 3`. Nothing where it stands nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// How a sentence stands after it was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum SentenceState {
    True,
    Untrue,
    CannotTell,
    /// The evidence that the judge quotes stands nowhere: its verdict does not count.
    NotBelieved,
    /// The judge did not answer.
    NotJudged,
}

impl SentenceState {
    pub const ALL: [SentenceState; 5] = [
        SentenceState::Untrue,
        SentenceState::True,
        SentenceState::CannotTell,
        SentenceState::NotBelieved,
        SentenceState::NotJudged,
    ];

    /// The spelling used in JSON and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl JudgedSentence {
    pub(super) fn of(asked: &AskedSentence, answer: Option<SentenceAnswer>) -> JudgedSentence {
        let (start, end) = asked.span;
        JudgedSentence { message: asked.message, start, end, says: asked.says.clone(), answer }
    }

    pub fn state(&self) -> SentenceState {
        let Some(answer) = &self.answer else { return SentenceState::NotJudged };
        match answer.verdict {
            _ if answer.evidence.as_ref().is_some_and(|evidence| evidence.place.is_none()) => {
                SentenceState::NotBelieved
            }
            SentenceVerdict::True => SentenceState::True,
            SentenceVerdict::Untrue => SentenceState::Untrue,
            SentenceVerdict::CannotTell => SentenceState::CannotTell,
        }
    }

    /// Whether it is the sentence of an entry of a reading list.
    pub fn is_of(&self, listed: &Finding) -> bool {
        let words = listed.evidence.as_ref();
        listed.message == Some(self.message)
            && words.is_some_and(|words| (words.start, words.end) == (self.start, self.end))
    }

    /// What was said of it, for people: `untrue ("..", call 3): why`.
    pub fn said(&self) -> String {
        let state = self.state().name().replace('_', " ");
        let Some(SentenceAnswer { evidence, reason, .. }) = &self.answer else { return state };
        let quote = |evidence: &QuotedEvidence| {
            let place = evidence.place.as_ref().map_or_else(|| "stands nowhere".to_owned(), Clone::clone);
            format!(" (\"{}\", {place})", evidence.quote)
        };
        format!("{state}{}: {reason}", evidence.as_ref().map(quote).unwrap_or_default())
    }

    /// Whether its texts are within bounds; a file can hold anything.
    /// An error: what is out of bounds.
    pub fn check(&self) -> Result<(), String> {
        self.answer.as_ref().map_or(Ok(()), SentenceAnswer::check)
    }
}

impl SentenceAnswer {
    /// An error: what is out of bounds.
    pub(super) fn check(&self) -> Result<(), String> {
        reasoned("sentences", &self.reason)?;
        self.evidence.as_ref().map_or(Ok(()), |evidence| quoted("sentences", &evidence.quote))
    }
}

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
