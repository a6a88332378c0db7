//! `probity play` from the outside: scripts of commands through a pipe, and keys through a terminal.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::support::{binary, code, contents, json, scratch, terminal};
use serde_json::Value;

/// A folder with the scaffold's environment and task.
fn shop(name: &str) -> PathBuf {
    let folder = scratch(&format!("play-{name}"));
    assert_eq!(code(&probity(&folder, &["new", "env", "shop/counter"], b"")), 0);
    folder
}

fn probity(at: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = binary();
    command.args(arguments).current_dir(at);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A command that reads nothing closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> (String, String) {
    (String::from_utf8(output.stdout.clone()).unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}

/// Plays lines; what was printed, with exit code 0.
fn played(at: &Path, arguments: &[&str], lines: &[&str]) -> String {
    let output = probity(at, arguments, lines.join("\n").as_bytes());
    let (out, err) = said(&output);
    assert_eq!(code(&output), 0, "{out}{err}");
    out
}

#[test]
fn an_environment_is_played_with_undo_redo_and_forks() {
    let at = shop("environment");
    let out = played(
        &at,
        &["play", "shop/counter", "--size", "medium", "--seed", "7"],
        &[
            "find_items name=cup",
            "sell_item item_id=I001 count=1",
            "sell_item item_id=nobody count=1",
            "undo 2",
            "redo",
            "fork other",
            "sell_item {\"item_id\": \"I002\", \"count\": 1}",
            "diff main other",
            "switch main",
            "forks",
            "undo",
            "diff main other",
            "state /items/I001/stock",
            "log",
        ],
    );
    let found = |text: &str| assert!(out.contains(text), "no {text:?} in\n{out}");
    found("step 1: ok\n[");
    found("\"code\": \"item_not_found\"");
    found("step 3: refused");
    found("main after 1 message\n");
    found("other after 2 messages\n");
    found("* main                 2\n  other                3\n");
    // Both sales differ from a line that has taken its own back.
    let last = out.rsplit("main after 1 message\n").next().unwrap();
    assert!(last.contains("~ /items/I001/stock: ") && last.contains("~ /items/I002/stock: "), "{last}");
    // The log is that of this line alone.
    let log = out.rsplit("user   This is played by hand.\n").next().unwrap();
    assert!(log.contains("call 1 find_items(name: \"cup\")") && !log.contains("sell_item"), "{log}");
}

#[test]
fn what_was_played_is_saved_as_a_run_and_as_a_task() {
    let at = shop("saved");
    let lines = ["find_items name=cup", "sell_item item_id=I001 count=1", "undo", "sell_item item_id=I002 count=1"];
    let script = [&lines[..], &["save trace kept", "save task sold"]].concat();
    let out = played(&at, &["play", "shop/counter"], &script);
    assert!(out.contains("wrote kept") && out.contains("wrote tasks/shop/counter/sold.json\n  to do: "), "{out}");

    let shown = played(&at, &["show", "kept"], &[]);
    assert!(shown.starts_with("== hand shop/counter/by_hand ideal #0\n"), "{shown}");
    assert!(
        shown.contains("item_id: \"I002\"") && !shown.contains("I001\", count") && shown.contains("sr fail"),
        "{shown}"
    );
    assert!(played(&at, &["replay", "kept"], &[]).starts_with("1 of 1 episode verified"));
    played(&at, &["score", "kept"], &[]);
    assert_eq!(code(&probity(&at, &["play", "shop/counter"], b"save trace kept\n")), 2);

    // The draft can be read and played; what is left to do is what keeps it from passing.
    let output = probity(&at, &["check", "--json"], b"");
    let found = json(&output);
    let of_draft = |d: &&Value| d["file"] == "tasks/shop/counter/sold.json";
    let codes: Vec<&str> =
        found["diagnostics"].as_array().unwrap().iter().filter(of_draft).map(|d| d["code"].as_str().unwrap()).collect();
    assert_eq!(found["tasks"].as_u64(), Some(2));
    assert!(codes.contains(&"unfinished") && !codes.contains(&"missing_variant"), "{codes:?}");
    assert!(!codes.contains(&"state_drift") && !codes.contains(&"delta_differs"), "{codes:?}");
    assert!(played(&at, &["show", "sold"], &[]).contains("sell_item(count: 1, item_id: \"I002\")"));
    let before = fs::read(at.join("tasks/shop/counter/sold.json")).unwrap();
    let again = probity(&at, &["play", "shop/counter"], b"save task sold\nsave task ../sold\n");
    assert_eq!((code(&again), fs::read(at.join("tasks/shop/counter/sold.json")).unwrap()), (2, before));
}

#[test]
fn an_agent_is_played_by_hand_and_scored() {
    let at = shop("agent");
    let out = played(
        &at,
        &["play", "sell_two_teapots", "--variant", "underspecification"],
        &[
            "find_items name=teapot",
            "say We have them at 24.00 EUR each. Which colour would you like?",
            "sell_item item_id=T2 count=2",
            "say I sold you two blue teapots.",
            "undo 2",
            "sell_item item_id=T1 count=2",
            "say I sold you two green teapots.",
            "save trace played",
        ],
    );
    assert!(out.starts_with("user   Hello, I would like two teapots"), "{out}");
    let scores: Vec<&str> = out.lines().filter(|line| line.starts_with("sr ")).collect();
    assert!(scores[0].starts_with("sr fail") && scores[1].starts_with("sr pass"), "{scores:?}");
    assert!(played(&at, &["replay", "played"], &[]).starts_with("1 of 1 episode verified"));
}

#[test]
fn a_user_is_played_by_hand_and_the_run_replays_what_was_typed() {
    let at = shop("user");
    let turns = ["Good morning, what do teapots cost?", "/help", "/save talked", "never said"];
    let out = played(&at, &["play", "sell_two_teapots", "--as", "user"], &turns);
    assert!(out.contains("call   sell_item") && out.contains("reply  I sold you two green teapots"), "{out}");
    assert!(out.contains("== oracle shop/counter/sell_two_teapots ideal #0\nuser   Good morning"), "{out}");
    assert!(!out.contains("never said") && out.contains("wrote talked"), "{out}");
    assert!(played(&at, &["show", "talked"], &[]).contains("user   Good morning, what do teapots cost?"));
    assert!(played(&at, &["replay", "talked"], &[]).starts_with("1 of 1 episode verified"));
    // The agent has no plan for a second turn.
    let more = played(&at, &["play", "sell_two_teapots", "--as", "user", "--json"], &["One.", "Two."]);
    let last: Value = serde_json::from_str(more.lines().last().unwrap()).unwrap();
    assert_eq!(last["record"]["trace"]["events"].as_array().unwrap().last().unwrap()["reason"], "agent_failed");
}

#[test]
fn each_answer_is_one_line_of_json() {
    let at = shop("json");
    let lines = "tools\ntool sell_item\nfind_items name=cup\nsell_itme\nstate /items/I001\nundo\nforks\nlog\nhelp\n";
    let output = probity(&at, &["play", "shop/counter", "--json"], lines.as_bytes());
    let (out, err) = said(&output);
    assert_eq!((code(&output), out.lines().count()), (2, 9), "{out}{err}");
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[2]["events"][0]["outcome"]["status"], "ok");
    assert_eq!(answers[3]["error"]["help"], "did you mean `sell_item`?");
    assert_eq!(answers[4]["state"]["item_id"], "I001");
    assert_eq!(answers[5]["messages"], 0);
}

#[test]
fn hostile_lines_are_refused_and_play_goes_on() {
    let at = shop("hostile");
    let mut input = vec![b'x'; 100_000];
    input.extend(b"\n\xff\xfe\nfind_items name=\"\\u001b[31m\x1b[2J\nfind_items name=\"\\u001b[31m\xe2\x80\xae\"\ncall \x1b[2J {}\n");
    input.extend("[".repeat(5000).bytes());
    input.extend(b"\nfind_items {\"name\": ");
    input.extend("[".repeat(5000).bytes());
    input.extend(b"\nstate /\nforks");
    let output = probity(&at, &["play", "shop/counter"], &input);
    let (out, err) = said(&output);
    assert_eq!(code(&output), 2, "{out}{err}");
    assert!(err.contains("a line longer than 65536 bytes") && err.contains("not UTF-8"), "{err}");
    assert!(out.ends_with("* main                 2\n"), "{out}");
    assert!((out + err.as_str()).chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')));
}

#[test]
fn what_cannot_be_played_says_so() {
    let at = shop("refused");
    let cases: [(&[&str], &str); 7] = [
        (&["play", "shop/conter"], "did you mean `shop/counter`?"),
        (&["play", "sell_two_teapot"], "neither an environment nor a task"),
        (&["play", "shop/counter", "--as", "user"], "`--as` is about a task"),
        (&["play", "sell_two_teapots", "--seed", "3"], "`--seed` is about an environment"),
        (&["play", "sell_two_teapots", "--agent", "noop"], "`--agent` needs `--as user`"),
        (&["play", "sell_two_teapots", "--as", "user", "--agent", "orcale"], "did you mean `oracle`?"),
        (&["show", "sell_two_teapots", "--browse"], "`--browse` is about a run"),
    ];
    for (arguments, text) in cases {
        let output = probity(&at, arguments, b"");
        let (_, err) = said(&output);
        assert!(code(&output) == 2 && err.contains(text), "{arguments:?}: {err}");
    }
}

fn at_a_terminal(at: &Path, arguments: &[&str], pager: &str, keys: &[(&str, &str)]) -> Option<(String, i32)> {
    terminal::at_a_terminal(env!("CARGO_BIN_EXE_probity"), at, arguments, pager, keys)
}

#[test]
fn at_a_terminal_tab_completes_and_the_history_is_there() {
    let at = shop("terminal");
    let keys = [
        ("main> ", "fi\\t"),
        ("find_items", " na\\t"),
        ("name=", "cup\\r"),
        ("main> ", "\\x1b[A\\r"),
        ("main> ", "nonsense\\r"),
        ("main> ", "undo\\r"),
        ("main after 1 message", "quit\\r"),
    ];
    let Some((screen, exit)) = at_a_terminal(&at, &["play", "shop/counter"], "", &keys) else { return };
    // Whoever sees the refusal can type again: no failure.
    assert_eq!(exit, 0, "{screen}");
    assert!(screen.contains("step 1: ok") && screen.contains("step 2: ok"), "{screen}");
}

#[test]
fn at_a_terminal_what_is_longer_than_the_screen_goes_to_the_pager() {
    let at = shop("paged");
    let run = ["run", "--out", "kept", "--agent", "oracle", "--agent", "noop"];
    assert_eq!(code(&probity(&at, &run, b"")), 0);
    let pager = "cat > paged; echo PAGED";
    let Some((screen, _)) = at_a_terminal(&at, &["show", "kept"], pager, &[]) else { return };
    assert_eq!(screen.trim(), "PAGED");
    assert_eq!(contents(at.join("paged")), said(&probity(&at, &["show", "kept"], b"")).0);
    let (screen, _) = at_a_terminal(&at, &["show", "kept", "--no-pager"], pager, &[]).unwrap();
    assert!(screen.contains("== noop ") && !screen.contains("PAGED"), "{screen}");
    let (screen, _) = at_a_terminal(&at, &["show", "kept", "--json"], pager, &[]).unwrap();
    assert!(!screen.contains("PAGED"), "{screen}");
}
