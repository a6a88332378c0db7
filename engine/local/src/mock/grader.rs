//! What the mock says as a judge: grades that follow from the request alone, or a reply that is none.

use serde_json::{Value, json};

use super::mode::Deed;
use probity_behaviour::dialogue::file::{FaultKind, UntruthKind};
use probity_behaviour::judge::grades::{Grade, Grades};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_engine::Hash;

const REASON: &str = "The mock counts; it does not read.";

/// The words of a judge about a document.
///
/// Discipline falls by one for each refused call; the other grades are drawn from the hash of model and document, so
/// that two models differ and one model does not.
pub(super) fn words(model: &str, wording: Wording, document: &Value, deed: Deed) -> String {
    let mut reply = match wording.reply() {
        ReplyForm::Grades | ReplyForm::Statements => graded(model, wording, document, deed),
        ReplyForm::Sentences => verdicts(model, document, deed),
    };
    spoil(&mut reply, wording, deed);
    let text = reply.to_string();
    match deed {
        Deed::JudgeFenced => format!("```json\n{text}\n```"),
        Deed::JudgeProse | Deed::JudgeNever => format!("The agent did well, so I would say: {text}"),
        Deed::JudgeCut => text.chars().take(text.len() / 2).collect(),
        _ => text,
    }
}

fn graded(model: &str, wording: Wording, document: &Value, deed: Deed) -> Value {
    let drawn = Hash::of(&json!([model, document]));
    let lower = |at: usize| u8::from(drawn.bytes().get(at).is_some_and(|byte| byte % 4 == 0));
    let calls = document.get("dialogue").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let refused = calls.iter().filter(|event| event.get("refused").is_some()).count();
    let grade = |grade: u8| Grade { reason: REASON.to_owned(), grade };
    let grades = Grades {
        faithfulness: grade(4 - lower(0)),
        clarification: grade(3 - lower(1)),
        discipline: grade(3_u8.saturating_sub(u8::try_from(refused).unwrap_or(u8::MAX))),
    };
    let mut grades = serde_json::to_value(grades).unwrap_or_default();
    if let (ReplyForm::Statements, Some(map)) = (wording.reply(), grades.as_object_mut()) {
        map.insert("untrue".to_owned(), statements(model, calls, deed).into());
        map.insert("tool_faults".to_owned(), calls.iter().filter_map(fault).collect());
    }
    grades
}

/// Untrue where nothing speaks of some words of a sentence; else drawn. The first words
/// of what was known are the evidence.
fn verdicts(model: &str, document: &Value, deed: Deed) -> Value {
    let sentences = document.get("sentences").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let verdict = |sentence: &Value| {
        let drawn = Hash::of(&json!([model, sentence]));
        let byte = drawn.bytes().first().copied().unwrap_or_default();
        let is_known = sentence.get("not_known")?.as_array()?.is_empty();
        let known = sentence.pointer("/known/0").and_then(Value::as_object).and_then(|passage| passage.values().next());
        let known = known.map(|known| known.as_str().map_or_else(|| known.to_string(), str::to_owned));
        let known: Option<String> = known.map(|known| known.chars().take(30).collect());
        let verdict = match byte % 3 {
            _ if !is_known => "untrue",
            0 => "true",
            _ => "cannot_tell",
        };
        let evidence = known.map(|known| if deed == Deed::JudgeInvents { format!("{known}, they say") } else { known });
        let reply =
            json!({"sentence": sentence.get("sentence"), "verdict": verdict, "evidence": evidence, "reason": REASON});
        (deed != Deed::JudgePassesOver).then_some(reply)
    };
    json!({"sentences": sentences.iter().filter_map(verdict).collect::<Vec<_>>()})
}

/// The first words of some messages, drawn as the grades are; their kinds too.
fn statements(model: &str, dialogue: &[Value], deed: Deed) -> Vec<Value> {
    let statement = |event: &Value| {
        let drawn = Hash::of(&json!([model, event]));
        let byte = |at: usize| usize::from(drawn.bytes().get(at).copied().unwrap_or_default());
        let said: String = event.get("agent")?.as_str()?.chars().take(40).collect();
        let quote = if deed == Deed::JudgeInvents { format!("{said}, they say") } else { said };
        let kind = UntruthKind::ALL.get(byte(1) % UntruthKind::ALL.len())?.name();
        let is_untrue = byte(0) % 3 == 0 && !quote.trim().is_empty();
        is_untrue.then(|| json!({"message": event.get("message"), "quote": quote, "kind": kind, "reason": REASON}))
    };
    dialogue.iter().filter_map(statement).collect()
}

/// Every refused call is one.
fn fault(event: &Value) -> Option<Value> {
    event.get("refused")?;
    Some(json!({"step": event.get("step"), "kind": FaultKind::BadArguments.name(), "reason": REASON}))
}

fn spoil(reply: &mut Value, wording: Wording, deed: Deed) {
    let (number, needed) = match wording.reply() {
        ReplyForm::Grades | ReplyForm::Statements => ("/discipline/grade", "clarification"),
        ReplyForm::Sentences => ("/sentences/0/sentence", "sentences"),
    };
    let mut put = |value: Value| reply.pointer_mut(number).map(|place| *place = value);
    match deed {
        Deed::JudgeOutOfRange => drop(put(Value::from(7))),
        Deed::JudgeFloat => drop(put(Value::from(2.5))),
        Deed::JudgeMissing => drop(reply.as_object_mut().and_then(|map| map.remove(needed))),
        Deed::JudgeExtra => drop(reply.as_object_mut().map(|map| map.insert("overall".to_owned(), Value::from(10)))),
        _ => {}
    }
}
