use super::super::sample::shop;
use super::*;

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
        let session = shop();
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

#[test]
fn a_line_has_a_limit() {
    let session = shop();
    let long = parse(&"x".repeat(MAX_LINE + 1), session.task().environment());
    assert!(long.unwrap_err().message.starts_with("a line longer than"));
}
