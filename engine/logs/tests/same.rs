//! Three dialogues, written in every form, are the same in the normal form. What a form does not tell is left out of
//! what is wanted of it.

use probity_logs::{Call, CallResult, Dialogue, Event, Form};

use crate::support::{cases, files, read};

/// What a form does not tell.
#[derive(Clone, Copy, Default)]
struct Lacks {
    brief: bool,
    tools: bool,
    start: bool,
    /// Calls have no ids.
    ids: bool,
    /// An error is told in words alone.
    errors: bool,
    user: bool,
}

const ALL: Lacks = Lacks { brief: false, tools: false, start: false, ids: false, errors: false, user: false };

const TABLE: [(&str, Form, Lacks); 22] = [
    ("anthropic.json", Form::Anthropic, ALL),
    ("atif.jsonl", Form::Atif, Lacks { errors: true, ..ALL }),
    ("chat-array.json", Form::Chat, Lacks { errors: true, ..ALL }),
    ("chat.jsonl", Form::Chat, Lacks { errors: true, ..ALL }),
    ("chat.jsonl.gz", Form::Chat, Lacks { errors: true, ..ALL }),
    ("chat.jsonl.zst", Form::Chat, Lacks { errors: true, ..ALL }),
    ("claude-code.jsonl", Form::ClaudeCode, Lacks { brief: true, tools: true, ..ALL }),
    ("codex-exec.jsonl", Form::Codex, Lacks { brief: true, tools: true, start: true, user: true, ..ALL }),
    ("codex.jsonl", Form::Codex, Lacks { tools: true, errors: true, ..ALL }),
    ("inspect-deflate.eval", Form::Inspect, ALL),
    ("inspect-zstd.eval", Form::Inspect, ALL),
    ("inspect.json", Form::Inspect, ALL),
    ("langfuse.jsonl", Form::Langfuse, ALL),
    ("langsmith.jsonl", Form::Langsmith, ALL),
    ("openinference.jsonl", Form::Otel, ALL),
    ("otel.json", Form::Otel, ALL),
    ("probity-trace.jsonl", Form::Probity, Lacks { brief: true, tools: true, start: true, ids: true, ..ALL }),
    ("probity.jsonl", Form::Probity, Lacks { brief: true, tools: true, start: true, ids: true, ..ALL }),
    ("recorded.jsonl", Form::Recorded, Lacks { errors: true, ..ALL }),
    ("responses.jsonl", Form::Responses, Lacks { errors: true, ..ALL }),
    ("sharegpt.json", Form::Sharegpt, Lacks { start: true, ids: true, errors: true, ..ALL }),
    ("tau-bench.json", Form::Tau2, Lacks { tools: true, start: true, errors: true, ..ALL }),
];
/// The file that tells all.
const MODEL: &str = "tau2.json";

/// A dialogue without where it stands, and without what a form does not tell.
fn plain(mut dialogue: Dialogue, lacks: Lacks) -> Dialogue {
    dialogue.source.file.clear();
    dialogue.source.form = Form::Chat;
    dialogue.source.line = 0;
    dialogue.remarks.clear();
    // Only probity's own say how a user was made to behave.
    dialogue.variant = None;
    // Episodes and trajectories have names of their own.
    dialogue.id = ["kiln", "price", "again"].iter().find(|name| dialogue.id.contains(*name)).unwrap().to_string();
    dialogue.start = dialogue.start.filter(|_| !lacks.start).map(|start| start[..19].to_owned());
    if lacks.brief {
        dialogue.brief.clear();
    }
    if lacks.tools {
        dialogue.tools.clear();
    }
    dialogue.tools.sort_by(|a, b| a.name.cmp(&b.name));
    dialogue.events.retain(|event| !lacks.user || !matches!(event, Event::User { .. }));
    for event in &mut dialogue.events {
        match event {
            Event::User { message, .. } | Event::Agent { message, .. } | Event::Told { message, .. } => *message = 0,
            Event::Call(call) | Event::UserCall(call) => {
                let id = call.id.take().filter(|_| !lacks.ids);
                let result = match call.result.clone() {
                    CallResult::Error { text } if lacks.errors => CallResult::Ok { observation: text.into() },
                    result => result,
                };
                *call = Call { message: 0, result_message: None, id, result, ..call.clone() };
            }
        }
    }
    dialogue
}

fn text(dialogues: Vec<Dialogue>, lacks: Lacks) -> String {
    let plain: Vec<Dialogue> = dialogues.into_iter().map(|dialogue| plain(dialogue, lacks)).collect();
    serde_json::to_string_pretty(&plain).unwrap()
}

#[test]
fn the_same_dialogues_are_the_same_in_every_form() {
    let folder = cases().join("same");
    let model = read(MODEL, &std::fs::read(folder.join(MODEL)).unwrap());
    assert_eq!((model.0.unwrap().form, model.1.len(), model.2), (Form::Tau2, 3, vec![]));
    insta::assert_snapshot!("same", serde_json::to_string_pretty(&model.1).unwrap());
    let mut names: Vec<String> =
        files(&folder).iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != MODEL);
    assert_eq!(names, TABLE.map(|(name, ..)| name));
    let mut wrong = Vec::new();
    for (name, form, lacks) in TABLE {
        let (found, dialogues, unread) = read(name, &std::fs::read(folder.join(name)).unwrap());
        assert_eq!((found.map(|found| found.form), unread), (Some(form), vec![]), "{name}");
        let (found, wanted) = (text(dialogues, lacks), text(model.1.clone(), lacks));
        if found != wanted {
            let differs = found.lines().zip(wanted.lines()).enumerate().find(|(_, (found, wanted))| found != wanted);
            wrong.push(format!("{name}: {differs:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
