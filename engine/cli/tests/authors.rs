//! What an author types while they work: one environment or task alone, warnings that count, an outline to start from.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{code, contents, err, out, probity_at, scratch};

fn probity(root: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = probity_at(root, arguments);
    (code(&output), out(&output), err(&output))
}

fn two_shops(name: &str) -> PathBuf {
    let root = scratch(name);
    for id in ["shop/counter", "garden/shed"] {
        assert_eq!(probity(&root, &["new", "env", id]).0, 0);
    }
    root
}

fn edit(root: &Path, file: &str, from: &str, to: &str) {
    let text = contents(root.join(file));
    assert!(text.contains(from), "{file}: no {from}");
    fs::write(root.join(file), text.replacen(from, to, 1)).unwrap();
}

#[test]
fn check_looks_at_what_is_named_alone() {
    let root = two_shops("check-paths");
    edit(&root, "tasks/garden/shed/sell_two_teapots.json", "\"goal\": \"", "\"gaol\": \"");
    let (exit, out, _) = probity(&root, &["check"]);
    assert!(exit == 2 && out.contains("tasks/garden/shed/sell_two_teapots.json"), "{out}");
    for path in ["shop/counter", "counter", "environments/shop/counter.json", "tasks/shop", "scripts/shop/counter.rhai"]
    {
        let found = probity(&root, &["check", path]);
        assert_eq!((found.0, found.1.as_str()), (0, "0 errors, 0 warnings\nchecked 1 environment, 1 task\n"), "{path}");
    }
    let (exit, out, _) = probity(&root, &["check", "shop/counter/sell_two_teapots"]);
    assert_eq!((exit, out.as_str()), (0, "0 errors, 0 warnings\nchecked 0 environments, 1 task\n"));
    let (exit, out, _) = probity(&root, &["check", "garden/shed"]);
    assert!(exit == 2 && out.contains("did you mean `goal`?") && !out.contains("shop/counter"), "{out}");
    let (exit, _, err) = probity(&root, &["check", "shop/cuonter"]);
    assert!(exit == 2 && err.contains("nothing is called `shop/cuonter`") && err.contains("`shop/counter`"), "{err}");
}

#[test]
fn what_is_wrong_elsewhere_keeps_no_task_from_its_certificate() {
    let root = two_shops("certify-paths");
    edit(&root, "tasks/garden/shed/sell_two_teapots.json", "\"goal\": \"", "\"gaol\": \"");
    for warned in [false, true] {
        if warned {
            edit(&root, "environments/shop/counter.json", "[\"out_of_stock\"]", "[\"out_of_stock\", \"never_said\"]");
            let (_, out, _) = probity(&root, &["check", "shop/counter"]);
            assert!(out.contains("warning[unused_error]"), "{out}");
        }
        for path in ["shop/counter", "shop/counter/sell_two_teapots", "tasks/shop"] {
            let (exit, out, err) = probity(&root, &["certify", "--no-cache", path]);
            assert!(out.contains("certified 1 of 1 task") && exit == 0, "{path}, {warned}: {exit} {out}{err}");
        }
    }
    for paths in [&[][..], &["garden/shed"], &["shop/counter", "garden/shed"]] {
        let (exit, out, _) = probity(&root, &[&["certify", "--no-cache"][..], paths].concat());
        assert!(exit == 2 && out.contains("did you mean `goal`?"), "{paths:?}: {exit} {out}");
    }
}

#[test]
fn tasks_that_wait_for_their_environment_are_counted() {
    let root = two_shops("check-waiting");
    edit(&root, "environments/shop/counter.json", "\"forbidden\"", "\"forbiden\"");
    let (exit, out, _) = probity(&root, &["check"]);
    assert_eq!(exit, 2, "{out}");
    assert!(
        out.ends_with("checked 1 environment, 1 task\n1 task not looked at: its environment has errors\n"),
        "{out}"
    );
}

#[test]
fn warnings_can_be_denied() {
    let root = two_shops("check-warnings");
    let task = "tasks/shop/counter/sell_two_teapots.json";
    edit(&root, task, "\"impatience_and_hostility\": [", "\"goal_switching_too\": [");
    let text = contents(root.join(task));
    let cut = text.find("  \"goal_switching_too\"").unwrap();
    let text = format!("{}\n }}\n}}\n", text[..cut].trim_end().trim_end_matches(','));
    fs::write(root.join(task), text).unwrap();
    let (exit, out, _) = probity(&root, &["check", "counter"]);
    assert!(
        exit == 0 && out.contains("warning[missing_variant]: the variant `impatience_and_hostility` is missing"),
        "{out}"
    );
    assert_eq!(probity(&root, &["check", "counter", "--deny-warnings"]).0, 2);
    assert_eq!(probity(&root, &["check", "shed", "--deny-warnings"]).0, 0);
}

#[test]
fn fields_are_listed_when_asked_for() {
    let root = two_shops("check-verbose");
    let (exit, out, _) = probity(&root, &["check", "--all", "shop/counter"]);
    assert!(exit == 0 && out.contains("shop/counter: 2/2 tools succeeded") && !out.contains("never written"), "{out}");
    let (_, out, _) = probity(&root, &["check", "--all", "--verbose", "shop/counter"]);
    assert!(out.contains("never written: items.colour"), "{out}");
}

#[test]
fn what_check_refuses_is_not_certified() {
    let root = two_shops("certify-refused");
    let (own, more) = ("\"preserves\": [", "\"preserves\": [{\"path\": \"/items/$teapot/stock\", \"equals\": 3}, ");
    edit(&root, "tasks/shop/counter/sell_two_teapots.json", own, more);
    let (exit, out, _) = probity(&root, &["check", "shop/counter"]);
    assert!(exit == 2 && out.contains("error[not_preserved]"), "{out}");
    let (exit, out, _) = probity(&root, &["certify", "--only", "shop/counter/sell_two_teapots"]);
    assert!(exit == 1 && out.contains("error[not_preserved]") && out.ends_with("certified 0 of 1 task\n"), "{out}");
    assert!(out.starts_with("shop/counter/sell_two_teapots: not certified, for `check` refuses it"), "{out}");
}

#[test]
fn a_cause_is_told_without_the_rules_that_nothing_violates_for_it() {
    let root = two_shops("check-cause");
    let policy = "\"policy\": [{\"id\": \"few\", \"rule\": \"Sell at most what is there.\", \"bound_to\": [{\"forbidden\": \"sell_item where args.count > 90\"}]}, ";
    edit(&root, "environments/shop/counter.json", "\"policy\": [", policy);
    edit(
        &root,
        "environments/shop/counter.json",
        "\"forbidden\": [",
        "\"forbidden\": [\"sell_item where args.count > 90\", ",
    );
    let (_, out, _) = probity(&root, &["check", "--all", "shop/counter"]);
    assert!(out.contains("rule_never_violated"), "{out}");
    edit(&root, "tasks/shop/counter/sell_two_teapots.json", "\"equals\": 3", "\"equals\": 4");
    let (exit, out, _) = probity(&root, &["check", "--all", "shop/counter"]);
    assert!(exit == 2 && !out.contains("rule_never_violated"), "{out}");
}

#[test]
fn a_task_is_certified_by_itself() {
    let root = two_shops("certify-only");
    let (own, more) = ("\"forbidden\": [", "\"forbidden\": [\"find_items where args.name == 1\", ");
    edit(&root, "environments/shop/counter.json", own, more);
    edit(&root, "tasks/garden/shed/sell_two_teapots.json", "\"goal\": \"", "\"gaol\": \"");
    let (exit, out, _) = probity(&root, &["certify", "--only", "shop/counter/sell_two_teapots"]);
    assert!(exit == 0 && out.ends_with("0 errors, 0 warnings\ncertified 1 of 1 task\n"), "{out}");
    edit(&root, "tasks/garden/shed/sell_two_teapots.json", "\"gaol\": \"", "\"goal\": \"");
    let (exit, out, _) = probity(&root, &["certify", "shop"]);
    assert!(exit == 1 && out.ends_with("certified 1 of 1 task; their environments have 1 error\n"), "{out}");
    let (exit, _, err) = probity(&root, &["certify", "--only", "sell_two_teapots"]);
    assert!(exit == 2 && err.contains("is not one task") && err.contains("garden/shed/sell_two_teapots"), "{err}");
}

#[test]
fn an_outline_is_made_of_names_and_says_what_is_left() {
    let root = scratch("new-outline");
    let outline = ["--collections", "orders,customers", "--tools", "find_orders,get_customer,cancel_order"];
    let (exit, _, err) = probity(&root, &[&["new", "env", "shop/desk"], outline.as_slice()].concat());
    assert_eq!(exit, 0, "{err}");
    assert_eq!(probity(&root, &["fmt", "--check"]).0, 0);
    let (exit, out, _) = probity(&root, &["check"]);
    let codes: Vec<&str> = out.lines().filter(|line| line.contains("error[")).collect();
    assert!(exit == 2 && codes.len() == 6 && codes.iter().all(|line| line.contains("error[unfinished]")), "{out}");
    let (exit, _, err) = probity(&root, &["new", "env", "shop/other", "--collections", "Orders", "--tools", "a"]);
    assert!(exit == 2 && err.contains("`Orders` is no name"), "{err}");
}

#[test]
fn a_new_task_is_born_clean_and_tells_no_key() {
    let root = two_shops("new-task");
    assert_eq!(probity(&root, &["new", "task", "shop/counter/look"]).0, 0);
    let text = contents(root.join("tasks/shop/counter/look.json"));
    assert!(!text.contains("I0") && text.find("goal") < text.find("variants"), "{text}");
    let (exit, out, _) = probity(&root, &["check", "look"]);
    assert!(exit == 0 && out.starts_with("0 errors, 0 warnings"), "{out}");
}

#[test]
fn only_the_oracle_is_held_to_a_full_mark() {
    let root = two_shops("as-oracle");
    let run = |agent: &str, out: &str| {
        let out = root.join(out);
        let arguments = ["run", "--agent", agent, "--as", "oracle", "--out", out.to_str().unwrap()];
        probity(&root, &arguments).2
    };
    assert!(!run("noop", "a").contains("so a task is wrong"));
    let err = run("oracle", "b");
    assert!(!err.contains("so a task is wrong"), "{err}");
}

fn with_carriage_returns(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            with_carriage_returns(&path);
        } else {
            fs::write(&path, contents(&path).replace("\r\n", "\n").replace('\n', "\r\n")).unwrap();
        }
    }
}

#[test]
fn a_checkout_that_ends_lines_otherwise_changes_nothing() {
    let root = two_shops("line-ends");
    assert!(contents(root.join(".gitattributes")).contains("tasks/** text eol=lf"));
    let play = |name: &str| {
        let run = root.join(name);
        let arguments = ["run", "--task", "shop/counter/sell_two_teapots", "--agent", "oracle", "--out"];
        assert_eq!(probity(&root, &[&arguments[..], &[run.to_str().unwrap()]].concat()).0, 0);
        run
    };
    let before = play("before");
    assert!(contents(before.join(".gitattributes")).contains("* -text"));
    for folder in ["environments", "scripts", "tasks"] {
        with_carriage_returns(&root.join(folder));
    }
    let (exit, out, _) = probity(&root, &["check", "--deny-warnings"]);
    assert_eq!(exit, 0, "{out}");
    let after = play("after");
    for name in ["run.json", "episodes.jsonl"] {
        assert_eq!(contents(before.join(name)), contents(after.join(name)), "{name}");
    }
    let (exit, out, _) = probity(&root, &["fmt", "--check"]);
    assert!(exit == 0 && out.is_empty(), "{out}");
    with_carriage_returns(&before);
    for command in ["report", "replay", "score"] {
        let (exit, out, err) = probity(&root, &[command, before.to_str().unwrap()]);
        assert_eq!(exit, 0, "{command}: {out}{err}");
    }
}

#[test]
fn a_lock_that_cannot_be_read_is_made_anew() {
    let root = two_shops("broken-locks");
    let lock = "tasks/shop/counter/sell_two_teapots.lock.json";
    let whole = contents(root.join(lock));
    for broken in ["", "{\n<<<<<<< HEAD\n", "[]", "{\"hash\": 1}"] {
        fs::write(root.join(lock), broken).unwrap();
        let (exit, out, _) = probity(&root, &["check"]);
        let line = out.lines().find(|line| line.starts_with(lock)).unwrap_or_default();
        assert!(
            exit == 2 && line.contains(": error[") && out.contains("`probity check --update` makes it anew"),
            "{out}"
        );
        assert!(!out.contains("state_drift"), "{out}");
        assert_eq!(probity(&root, &["check", "--update"]).0, 0);
        assert_eq!(contents(root.join(lock)), whole);
    }
}

#[test]
fn one_broken_task_hides_no_other_and_floods_nothing() {
    let root = two_shops("one-broken");
    edit(&root, "tasks/shop/counter/sell_two_teapots.json", "\"goal\": \"", "\"gaol\": \"");
    let (exit, out, _) = probity(&root, &["check", "--all", "shop/counter"]);
    assert!(exit == 2 && !out.contains("never_violated") && !out.contains("told_nowhere"), "{out}");
}

#[test]
fn a_name_that_selects_nothing_is_told_what_it_may_have_meant() {
    let root = two_shops("selects-nothing");
    for (flag, name, hint) in [
        ("--env", "counter", "did you mean `shop/counter`?"),
        ("--env", "shop/countr", "did you mean `shop/counter`?"),
        ("--task", "shop/counter", "`--env shop/counter` selects by it"),
        ("--task", "tasks/shop/counter/sell_two_teapots.json", "did you mean `shop/counter/sell_two_teapots`?"),
        ("--task", "ideal", "`--variant ideal` selects by it"),
    ] {
        let out = root.join("run");
        let (exit, _, err) = probity(&root, &["run", flag, name, "--agent", "noop", "--out", out.to_str().unwrap()]);
        assert!(exit == 2 && err.contains("matches no task") && err.contains(hint), "{flag} {name}: {err}");
    }
}

/// Renames tools and fields in an environment and its task; the script keeps its functions.
fn renamed(root: &Path, words: &[(&str, &str)]) {
    for file in ["environments/shop/counter.json", "tasks/shop/counter/sell_two_teapots.json"] {
        let text = words.iter().fold(contents(root.join(file)), |text, (from, to)| text.replace(from, to));
        fs::write(root.join(file), text).unwrap();
    }
}

#[test]
fn tools_and_fields_are_called_as_they_are_outside() {
    let root = scratch("outer-names");
    assert_eq!(probity(&root, &["new", "env", "shop/counter"]).0, 0);
    let file = "environments/shop/counter.json";
    edit(&root, "scripts/shop/counter.rhai", "price_cents:", "priceCents:");
    renamed(&root, &[("find_items", "findItems"), ("sell_item", "API-sell-item"), ("price_cents", "priceCents")]);
    let (exit, out, _) = probity(&root, &["check"]);
    let missing = "error[missing_function]: the script has no function `api_sell_item(db, args)`\n  help: write the \
                   tool's body, or say which it is with `\"function\": ..`";
    assert!(exit == 2 && out.contains(missing), "{out}");
    edit(&root, file, "\"name\": \"API-sell-item\",", "\"name\": \"API-sell-item\", \"function\": \"sell_item\",");
    assert_eq!(probity(&root, &["check", "--update"]).0, 0);
    let (exit, out, _) = probity(&root, &["certify"]);
    assert!(exit == 0 && out.contains("certified 1 of 1 task"), "{out}");
    // 2400 in `priceCents` is said as 24.00 EUR.
    let (exit, out, _) =
        probity(&root, &["run", "-q", "--agent", "oracle", "--out", root.join("run").to_str().unwrap()]);
    let row = out.lines().find(|line| line.starts_with("oracle")).unwrap();
    assert!(exit == 0 && row.split_whitespace().skip(1).take(10).all(|cell| cell == "1.00"), "{out}");
    for (name, code, message) in [
        ("find.items", "warning[unusual_name]", "many providers refuse the name `find.items`: it has a `.`"),
        (&"findItems".repeat(8), "warning[unusual_name]", "it has more than 64 characters"),
        (
            &"findItems".repeat(5),
            "warning[unusual_name]",
            "leaves no room for the prefix that many clients set before it",
        ),
        ("find items", "error[bad_name]", "`find items` is not a tool name"),
        ("...", "error[bad_name]", "no function can be called as the tool `...` is"),
        ("sell-item", "error[duplicate_id]", "`API-sell-item` and `sell-item` both have the body `sell_item`"),
    ] {
        let root_of_one = scratch("outer-name");
        crate::support::copy(&root, &root_of_one);
        edit(&root_of_one, file, "\"name\": \"findItems\"", &format!("\"name\": \"{name}\""));
        let (_, out, _) = probity(&root_of_one, &["check", file]);
        assert!(out.lines().any(|line| line.contains(code) && line.contains(message)), "{name}: {out}");
    }
}

/// Whoever was stopped at the very end finds the same there, and a word of theirs is never lost.
#[test]
fn what_is_begun_is_begun_again_and_nothing_is_overwritten() {
    let root = scratch("authors-again");
    let environment = ["new", "env", "shop/counter"];
    let task = ["new", "task", "shop/counter/look"];
    for arguments in [&environment, &task] {
        let first = probity(&root, arguments);
        let again = probity(&root, arguments);
        assert_eq!((first.0, &first), (0, &again));
    }
    edit(&root, "tasks/shop/counter/look.json", "{", "{ ");
    let edited = probity(&root, &task);
    assert!(edited.0 == 2 && edited.2.contains("`tasks/shop/counter/look.json` exists already, with another text"));
}
