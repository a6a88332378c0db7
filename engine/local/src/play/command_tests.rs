use serde_json::json;

use super::super::sample::shop;
use super::*;

fn read(line: &str) -> Result<Option<Command>, String> {
    let (_, session) = shop();
    parse(line, session.task().environment()).map_err(|refusal| format!("{}; {}", refusal.message, refusal.help))
}

fn call(tool: &str, arguments: Value) -> Result<Option<Command>, String> {
    Ok(Some(Command::Call(ToolCall::new(tool, arguments))))
}

#[test]
fn calls_are_typed_by_name_or_as_json() {
    assert_eq!(read("sell_item item_id=I001 count=2"), call("sell_item", json!({"item_id": "I001", "count": 2})));
    assert_eq!(read(" sell_item  {\"item_id\": 1}"), call("sell_item", json!({"item_id": 1})));
    assert_eq!(read("find_items name=\"a b=c\""), call("find_items", json!({"name": "a b=c"})));
    assert_eq!(read("find_items name="), call("find_items", json!({"name": ""})));
    assert_eq!(read("find_items"), call("find_items", json!({})));
    assert_eq!(read("call find_items name=7"), call("find_items", json!({"name": "7"})));
    assert_eq!(read("call nothing_like_it {\"a\": 1}"), call("nothing_like_it", json!({"a": 1})));
}

#[test]
fn commands_are_read_strictly() {
    assert_eq!(read("undo"), Ok(Some(Command::Undo(1))));
    assert_eq!(read("undo 3"), Ok(Some(Command::Undo(3))));
    assert_eq!(read("state items/I001/"), Ok(Some(Command::State(vec!["items".to_owned(), "I001".to_owned()]))));
    assert_eq!(read("say  Hello \"you"), Ok(Some(Command::Say("Hello \"you".to_owned()))));
    assert_eq!(read("  "), Ok(None));
    assert_eq!(read("# a remark"), Ok(None));
}

#[test]
fn slips_are_refused_with_what_to_do() {
    let cases = [
        ("sel_item item_id=I001", "there is no command and no tool `sel_item`; did you mean `sell_item`?"),
        ("forsk", "there is no command and no tool `forsk`; did you mean `fork`?"),
        ("weather", "there is no command and no tool `weather`; `help` lists the commands, `tools` the tools"),
        ("undo 0", "`0` is no number of messages; write a whole number from 1"),
        ("undo 1 2", "`undo` is not used like this; write `undo [n]`"),
        ("save it", "`save` is not used like this; write `save trace DIR` or `save task ID`"),
        ("call", "`call` is not used like this; write `call TOOL ..`"),
        ("sell_item cuont=1", "`sell_item` has no parameter `cuont`; did you mean `count`?"),
        ("sell_item count=1 count=2", "`count` is given twice; leave one out"),
        ("sell_item count=two", "`count`: `two` is no integer; write it as JSON"),
        (
            "find_items cup",
            "`cup` has no name; write `name=value`; text with blanks stands in quotation marks; `tool find_items`",
        ),
        ("find_items name=\"cup", "a `\"` is never closed; close it; a quotation mark in a text is `\\\"`"),
    ];
    for (line, refusal) in cases {
        assert_eq!(read(line), Err(refusal.to_owned()), "{line}");
    }
    assert!(read("find_items {\"a\": 1, \"a\": 2}").unwrap_err().starts_with("the arguments are not one JSON object"));
    assert!(read(&"x".repeat(MAX_LINE + 1)).unwrap_err().starts_with("a line longer than"));
}

#[test]
fn every_command_is_in_the_help_and_every_help_is_a_command() {
    let heads: std::collections::BTreeSet<&str> =
        USAGE.iter().filter_map(|(usage, _)| usage.split(' ').next()).collect();
    assert!(NAMES.iter().all(|name| *name == "help" || heads.contains(name)));
    assert!(heads.iter().all(|head| *head == "TOOL" || NAMES.contains(head)));
}

proptest::proptest! {
    /// Whatever is typed, it is read or refused.
    #[test]
    fn no_line_is_too_strange(line in ".{0,80}", tail in "[ =\"{}\\[\\]\\\\a-z]{0,40}") {
        let (_, session) = shop();
        for line in [line, format!("sell_item {tail}"), format!("call {tail}"), format!("state {tail}")] {
            let _ = parse(&line, session.task().environment());
            let _ = super::super::complete::complete(&session, &line);
        }
    }
}

fn texts(line: &str) -> Vec<&str> {
    split(line).words.into_iter().map(|word| word.text).collect()
}

#[test]
fn blanks_part_only_outside_of_json() {
    assert_eq!(texts("  a b=1\tc "), ["a", "b=1", "c"]);
    assert_eq!(
        texts(r#"t a="x \" y" b=[1, {"c": "] "}] d=é f"#),
        ["t", r#"a="x \" y""#, r#"b=[1, {"c": "] "}]"#, "d=é", "f"]
    );
    assert_eq!(texts("O'Neill ] x"), ["O'Neill", "]", "x"]);
    assert_eq!(split("a é b").words[2], Word { start: 5, text: "b" });
}

#[test]
fn what_stays_open_is_named() {
    assert_eq!(split("a b=\"x y").open, Some('"'));
    assert_eq!(split("a b=[1, {").open, Some('{'));
    assert_eq!(split("a b=[1]").open, None);
}
