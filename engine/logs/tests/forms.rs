//! Each form's own traps: every file of a form's folder, as it is read.

use crate::support::{cases, files, read};

/// What is read of a file, for people: one event a line.
fn shown(name: &str, bytes: &[u8]) -> String {
    let (found, dialogues, unread) = read(name, bytes);
    let mut text = match found {
        Some(found) => format!("{:?}: {}\n", found.form, found.ground),
        None => "no form\n".to_owned(),
    };
    for dialogue in &dialogues {
        let start = dialogue.start.as_deref().map(|start| format!(", {start}")).unwrap_or_default();
        text.push_str(&format!("\n== {} (line {}{start})\n", dialogue.id, dialogue.source.line));
        let line = |value: &serde_json::Value| format!("{value}\n");
        if !dialogue.brief.is_empty() {
            text.push_str(&format!("brief {:?}\n", dialogue.brief));
        }
        let tools: Vec<&str> = dialogue.tools.iter().map(|tool| tool.name.as_str()).collect();
        if !tools.is_empty() {
            text.push_str(&format!("tools {}\n", tools.join(", ")));
        }
        for event in &dialogue.events {
            text.push_str(&line(&serde_json::to_value(event).unwrap()));
        }
        for (remark, count) in &dialogue.remarks {
            text.push_str(&format!("! {}: {count}\n", remark.what()));
        }
    }
    for unread in &unread {
        text.push_str(&format!("\n{unread}\n"));
    }
    text
}

#[test]
fn every_case_is_read_as_its_snapshot_says() {
    let folders = files(&cases()).into_iter().filter(|folder| folder.is_dir() && !folder.ends_with("same"));
    let mut count = 0;
    for folder in folders {
        for file in files(&folder) {
            let form = folder.file_name().unwrap().to_string_lossy().into_owned();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let shown = shown(&name, &std::fs::read(&file).unwrap());
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(format!("snapshots/{form}"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(name, shown));
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn standard_input_and_a_named_form_are_read_alike() {
    let chat = br#"{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}"#;
    let named = probity_logs::Reader::new("-", &chat[..], Some(probity_logs::Form::Chat));
    let named: Vec<_> = named.map(Result::unwrap).collect();
    let (found, sniffed, _) = read("-", chat);
    assert_eq!((named.len(), named), (1, sniffed));
    let silent: Vec<_> =
        probity_logs::Reader::new("-", &b"{\"type\": \"TOOL\"}"[..], "claude-code".parse().ok()).collect();
    assert!(matches!(silent.as_slice(), [Err(unread)] if unread.what == "it holds nothing in this form"), "{silent:?}");
    assert_eq!(found.unwrap().ground, "it has messages with a role");
    let forms: Vec<String> = ["chat", "claude-code", "tau2"].map(str::to_owned).to_vec();
    assert!(forms.iter().all(|form| form.parse::<probity_logs::Form>().is_ok()));
}

/// A file that was put together from several: each dialogue is read in its own form, which it says.
#[test]
fn dialogues_of_several_forms_stand_in_one_file() {
    let lines = [
        r#"{"id": "a", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}"#,
        r#"{"id": "b", "system": "Serve.", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "t", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]}]}"#,
        r#"{"id": "c", "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello."}]}"#,
        r#"{"session_id": "d", "schema_version": "ATIF-v1.4", "steps": [{"source": "user", "message": "Hi"}, {"source": "agent", "message": "Hello."}]}"#,
        r#"{"id": "e", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}"#,
    ];
    let (found, dialogues, unread) = read("mixed.jsonl", lines.join("\n").as_bytes());
    assert_eq!((found.unwrap().form, unread), (probity_logs::Form::Chat, vec![]));
    let forms: Vec<String> =
        dialogues.iter().map(|one| format!("{} {:?} {}", one.id, one.source.form, one.events.len())).collect();
    assert_eq!(forms, ["a Chat 2", "b Anthropic 2", "c Sharegpt 2", "d Atif 2", "e Chat 2"]);
    let text = lines.join("\n");
    let chat = probity_logs::Reader::new("mixed.jsonl", text.as_bytes(), Some(probity_logs::Form::Chat));
    assert_eq!(chat.filter(Result::is_ok).count(), 3, "a form that is named is the form of all");
}
