//! `probity audit` at its edges: what cannot be read, what is said in vain, what is cut, what is hostile.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{audit, code, err, json as parsed, out, probity_in, scratch};

const BRIEF: &str = "You serve Alder Allotments. Today is Monday 4 May 2026. Plots are let for one year.";

/// A dialogue in which a call shows a plot, and then a reply is given.
fn dialogue(id: &str, shown: &Value, reply: &str) -> Value {
    let call =
        json!({"id": "1", "type": "function", "function": {"name": "find_plot", "arguments": "{\"plot\": \"A12\"}"}});
    let parameters = json!({"type": "object", "properties": {"plot": {"type": "string"}}});
    json!({"id": id, "tools": [{"type": "function", "function": {"name": "find_plot", "parameters": parameters}}], "messages": [
        {"role": "system", "content": BRIEF},
        {"role": "user", "content": "What about plot A12?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": shown.to_string()},
        {"role": "assistant", "content": reply}]})
}

fn write(folder: &Path, name: &str, lines: &[Value]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    path
}

fn plain(id: &str) -> Value {
    dialogue(id, &json!({"plot": "A12", "holder": "Ines Moor"}), "Ines Moor has it.")
}

#[test]
fn a_file_that_cannot_be_opened_is_counted_and_the_rest_is_read() {
    let folder = scratch("audit_unopened");
    write(&folder, "b.jsonl", &[plain("b")]);
    write(&folder, "c.jsonl", &[plain("c")]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("gone"), folder.join("a.jsonl")).unwrap();
    let name = folder.to_str().unwrap();
    let read = audit(&[name]);
    let text = out(&read);
    assert_eq!(code(&read), 0, "{text}");
    let head: String = text.lines().take(6).collect();
    assert!(head.contains("2 dialogues in 2 files") && head.contains("1 thing could not be read"), "{text}");
    assert!(text.contains("a.jsonl: it cannot be opened"), "{text}");
    assert_eq!(code(&audit(&[name, "--strict"])), 2);
    fs::remove_file(folder.join("a.jsonl")).unwrap();
    assert_eq!(code(&audit(&[name, "--strict"])), 0);
}

#[test]
fn what_is_named_and_occurs_nowhere_is_said() {
    let folder = scratch("audit_unused");
    let file = write(&folder, "a.jsonl", &[plain("a")]);
    let file = file.to_str().unwrap();
    let said = audit(&[file, "--reads", "find_plot,find_plots", "--changes", "nothing_alike", "--ignore", "plto"]);
    let text = out(&said);
    assert_eq!(code(&said), 0);
    assert!(text.contains("--reads: no log has a tool `find_plots`; did you mean `find_plot`?"), "{text}");
    assert!(text.contains("--changes: no log has a tool `nothing_alike`"), "{text}");
    assert!(text.contains("--ignore: no call has a parameter `plto`; did you mean `plot`?"), "{text}");
    let json = parsed(&audit(&[file, "--json", "--ignore", "plot,plto"]));
    assert_eq!(json["summary"]["unused"].as_array().unwrap().len(), 1, "{}", json["summary"]["unused"]);
    let tools = folder.join("tools.json");
    fs::write(&tools, json!([{"name": "find_plot"}, {"name": "book_plot"}]).to_string()).unwrap();
    let text = out(&audit(&[file, "--tools", tools.to_str().unwrap()]));
    assert!(text.contains("--tools: the logs define these themselves and are believed: find_plot\n"), "{text}");
}

#[test]
fn a_tool_of_which_nothing_tells_is_told_as_unknown() {
    let folder = scratch("audit_unknown");
    let text = plain("a").to_string();
    fs::write(folder.join("a.jsonl"), text.replace("find_plot", "crane")).unwrap();
    let text = out(&probity_in(&folder, &["audit", "-q", "a.jsonl"]));
    assert!(text.contains("  unknown  crane (taken for reads)\n"), "{text}");
    let text = out(&probity_in(&folder, &["audit", "-q", "a.jsonl", "--reads", "crane"]));
    assert!(!text.contains("unknown"), "{text}");
    fs::write(folder.join("a.jsonl"), plain("a").to_string().replace("find_plot", "redirect_plot")).unwrap();
    let text = out(&probity_in(&folder, &["audit", "-q", "a.jsonl"]));
    assert!(text.contains("  changes  redirect_plot\n"), "{text}");
}

#[test]
fn what_speaks_against_words_is_named_by_tool_field_and_message() {
    let folder = scratch("audit_shown");
    let shown = json!({"plot": "A12", "terms": {"rent": 84.5, "until": "2026-12-01"}});
    let file = write(&folder, "a.jsonl", &[dialogue("a", &shown, "The rent of A12 is 48.50 euros.")]);
    let (file, page) = (file.to_str().unwrap(), folder.join("a.html"));
    let text = out(&audit(&[file, "--html", page.to_str().unwrap()]));
    assert!(text.contains("(`find_plot` returned `terms.rent` = 84.5, message 3)"), "{text}");
    let json = parsed(&audit(&[file, "--json"]));
    let wanted = json!({"tool": "find_plot", "field": "terms.rent", "value": "84.5", "message": 3});
    assert_eq!(json["episodes"][0]["findings"][0]["shown"], wanted, "{json:#}");
    // The page says whose dialogue it is and speaks of no run.
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("\"logs\":{\"counts\":[[1,\"call\"]"), "the page does not know that it is an audit's");
}

#[test]
fn what_stands_behind_what_is_read_accuses_nobody_and_is_said() {
    let folder = scratch("audit_cut");
    let long = format!("{} The gate opens at 16:37.", "Beans and peas. ".repeat(5_000));
    let reply = "The gate opens at 16:37, and the rent is 48.50 euros.";
    let of = |notes: &str| {
        let shown = json!({"plot": "A12", "rent": 84.5, "notes": notes});
        let file = write(&folder, "a.jsonl", &[dialogue("a", &shown, reply)]);
        parsed(&audit(&[file.to_str().unwrap(), "--json"]))
    };
    assert_eq!(of("Beans.")["summary"]["claims"]["contradicted"], 2);
    let cut = of(&long);
    assert_eq!(cut["summary"]["claims"]["contradicted"], 0, "{cut:#}");
    assert_eq!(cut["episodes"][0]["not_judged"], json!(["cut"]));
    let text = out(&probity_in(&folder, &["audit", "-q", "a.jsonl"]));
    assert!(text.contains("1 dialogue     with a text of more than 65,536 characters, cut there"), "{text}");
}

#[test]
fn logs_of_words_alone_have_no_discipline_to_compare() {
    let folder = scratch("audit_words");
    let chat = |id: usize| {
        json!({"id": format!("d{id}"), "messages": [{"role": "system", "content": BRIEF},
            {"role": "user", "content": "How long are plots let?"},
            {"role": "assistant", "content": "Plots are let for one year, from Monday 4 May 2026."}]})
    };
    write(&folder, "base.jsonl", &(0..8).map(chat).collect::<Vec<_>>());
    write(&folder, "new.jsonl", &(0..8).map(chat).collect::<Vec<_>>());
    let compared = probity_in(&folder, &["audit", "-q", "base.jsonl", "new.jsonl"]);
    let text = out(&compared);
    assert!(code(&compared) == 0 && text.starts_with("gate open"), "{text}");
    assert!(text.contains("no number  discipline") && text.contains("holds      contradicted"), "{text}");
}

#[test]
fn a_file_of_several_forms_is_read_in_each() {
    let folder = scratch("audit_mixed");
    let shown = json!({"plot": "A12", "rent": 84.5});
    let blocks = json!({"id": "b", "system": BRIEF, "messages": [{"role": "user", "content": "What about plot A12?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "find_plot", "input": {"plot": "A12"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": shown.to_string()}]},
        {"role": "assistant", "content": "The rent of A12 is 48.50 euros."}]});
    let share = json!({"id": "c", "system": BRIEF, "conversations": [{"from": "human", "value": "What about plot A12?"},
        {"from": "function_call", "value": "{\"name\": \"find_plot\", \"arguments\": {\"plot\": \"A12\"}}"},
        {"from": "observation", "value": shown.to_string()}, {"from": "gpt", "value": "The rent of A12 is 48.50 euros."}]});
    let file =
        write(&folder, "mixed.jsonl", &[dialogue("a", &shown, "The rent of A12 is 48.50 euros."), blocks, share]);
    let audited = parsed(&audit(&[file.to_str().unwrap(), "--json"]));
    let of = |episode: &Value| (episode["source"]["form"].clone(), episode["findings"].as_array().unwrap().len());
    let found: Vec<_> = audited["episodes"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(found, [(json!("chat"), 1), (json!("anthropic"), 1), (json!("sharegpt"), 1)], "{audited:#}");
}

/// Each of these may be lost; the two beside it may not.
#[test]
fn a_hostile_dialogue_costs_itself_only() {
    let folder = scratch("audit_hostile");
    let good = plain("good").to_string();
    let nested = format!("{}1{}", "{\"a\":[".repeat(50_000), "]}".repeat(50_000));
    let deep = good.replace("\"content\":\"Ines Moor has it.\"", &format!("\"content\":{nested}"));
    let calls: Vec<Value> = (0..6_000)
        .map(|_| json!({"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "cancel_plot", "arguments": "{}"}}]}))
        .collect();
    let hostile = [
        ("deep", deep),
        ("cut off", good[..good.len() / 2].to_owned()),
        ("half of a character", good.replace("Ines Moor has it.", "Ines \\ud800 has it.")),
        ("the same id", good.clone()),
        ("calls of one id", json!({"id": "calls", "messages": calls}).to_string()),
        ("no messages", json!({"id": "none", "messages": {"role": "user"}}).to_string()),
        ("many names", json!({"id": "names", "messages": [{"role": "assistant", "tool_calls": (0..5_000)
            .map(|at| json!({"id": at, "function": {"name": format!("t{at}"), "arguments": "{}"}})).collect::<Vec<_>>()}]}).to_string()),
        ("long", dialogue("long", &json!({"plot": "9".repeat(3 << 20)}), &"It costs 48.50 euros. ".repeat(20_000)).to_string()),
    ];
    for (what, line) in hostile {
        let file = folder.join("a.jsonl");
        fs::write(&file, format!("{good}\n{line}\n{good}\n")).unwrap();
        let begun = std::time::Instant::now();
        let output = audit(&[file.to_str().unwrap(), "--json"]);
        assert_eq!(code(&output), 0, "{what}: {}", err(&output));
        let audited = parsed(&output);
        let ids: Vec<&str> =
            audited["episodes"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert!(ids.iter().filter(|id| **id == "good").count() >= 2, "{what}: {ids:?}");
        let unread = audited["summary"]["unread"]["count"].as_u64().unwrap();
        assert!(ids.len() + usize::try_from(unread).unwrap() >= 3, "{what}: {ids:?}, {unread} unread");
        assert!(begun.elapsed().as_secs() < 60, "{what} takes {:?}", begun.elapsed());
    }
}
