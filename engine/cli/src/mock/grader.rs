//! What the mock says as a judge: grades that follow from the request alone, or a reply that is none.

use serde_json::{Value, json};

use super::mode::Deed;
use probity_behaviour::dialogue::labels::{FaultKind, UntruthKind};
use probity_behaviour::judge::grades::{Grade, Grades};
use probity_behaviour::judge::prompt::Wording;
use probity_engine::Hash;

const REASON: &str = "The mock counts; it does not read.";

/// The words of a judge about a document.
///
/// Discipline falls by one for each refused call; the other grades are drawn from the hash of model and document, so
/// that two models differ and one model does not.
pub(super) fn words(model: &str, wording: Wording, document: &Value, deed: Deed) -> String {
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
    if let (Wording::Statements, Some(map)) = (wording, grades.as_object_mut()) {
        map.insert("untrue".to_owned(), statements(model, calls, deed).into());
        map.insert("tool_faults".to_owned(), calls.iter().filter_map(fault).collect());
    }
    spoil(&mut grades, deed);
    let text = grades.to_string();
    match deed {
        Deed::JudgeFenced => format!("```json\n{text}\n```"),
        Deed::JudgeProse | Deed::JudgeNever => format!("The agent did well, so I would say: {text}"),
        Deed::JudgeCut => text.chars().take(text.len() / 2).collect(),
        _ => text,
    }
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

fn spoil(grades: &mut Value, deed: Deed) {
    let mut put = |grade: Value| grades.pointer_mut("/discipline/grade").map(|place| *place = grade);
    match deed {
        Deed::JudgeOutOfRange => drop(put(Value::from(7))),
        Deed::JudgeFloat => drop(put(Value::from(2.5))),
        Deed::JudgeMissing => drop(grades.as_object_mut().and_then(|map| map.remove("clarification"))),
        Deed::JudgeExtra => drop(grades.as_object_mut().map(|map| map.insert("overall".to_owned(), Value::from(10)))),
        _ => {}
    }
}
