//! Tools of others as they come: lists of MCP servers, a server that is asked, OpenAPI documents.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{
    cases, code, contents, err, json as said_json, out, probity, probity_at, root, said, scratch, succeeded,
};

fn import(from: &[&str], to: &Path) -> Value {
    let start = ["--json", "import"].into_iter().chain(from.iter().copied());
    said_json(&succeeded(probity(&start.chain(["--out", to.to_str().unwrap()]).collect::<Vec<_>>())))
}

fn file(name: &str) -> String {
    cases("import").join(name).to_str().unwrap().to_owned()
}

/// What each of some calls gives, played one after the other.
fn played(root: &Path, id: &str, calls: &[(&str, Value)]) -> Vec<Value> {
    let lines = calls.iter().map(|(tool, arguments)| format!("{tool} {arguments}\n"));
    let mut play = crate::support::binary()
        .args(["--root", root.to_str().unwrap(), "play", id, "--json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut play.stdin.take().unwrap(), lines.collect::<String>().as_bytes()).unwrap();
    let output = play.wait_with_output().unwrap();
    out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_list_of_tools_becomes_a_world_that_plays() {
    let root = scratch("import-mcp");
    let found = import(&["mcp", "--tools", &file("repairs.json"), "--id", "shop/repairs"], &root);
    assert_eq!(found["collections"], json!(["bikes", "customers", "reminders", "repairs"]));
    insta::with_settings!({snapshot_path => "../../../snapshots/import", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("repairs_environment", contents(root.join("environments/shop/repairs.json")));
        insta::assert_snapshot!("repairs_script", contents(root.join("scripts/shop/repairs.rhai")));
    });
    let checked = probity_at(&root, &["check", "--all"]);
    assert!(code(&checked) == 0 && out(&checked).contains("9/9 tools succeeded"), "{}", said(&checked));
    let steps = played(
        &root,
        "shop/repairs",
        &[
            ("createRepair", json!({"bikeId": "B0001", "parts": [{"partId": "chain", "count": 1}]})),
            ("getRepair", json!({"repairId": "R0006"})),
            ("listRepairs", json!({"bikeId": "B0001"})),
            ("cancelRepair", json!({"repairId": "R0006"})),
            ("getRepair", json!({"repairId": "R9999"})),
            ("updateCustomer", json!({"customerId": "C0002", "address": {"street": "Mill Lane 4", "town": "Orre"}})),
            ("deleteReminder", json!({"reminderId": 2})),
            ("deleteReminder", json!({"reminderId": 2})),
        ],
    );
    let text = serde_json::to_string(&steps).unwrap();
    for wanted in [
        r#""repairId":"R0006""#,
        r#""status":"cancelled""#,
        "repair_not_found",
        r#""street":"Mill Lane 4""#,
        r#""deleted":true"#,
        "reminder_not_found",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn an_openapi_document_becomes_a_world_that_plays() {
    let root = scratch("import-openapi");
    let found = import(&["openapi", &file("library.yaml"), "--id", "town/library"], &root);
    let first = &found["guesses"][0];
    assert_eq!(
        (&first["tool"], &first["says"]),
        (&json!("searchBooks"), &json!("reads")),
        "a POST that reads comes first"
    );
    let notes: Vec<&str> =
        found["notes"].as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap()).collect();
    assert!(notes.contains(&"a pattern that is not regular is left out"), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("holds itself")), "{notes:?}");
    let checked = probity_at(&root, &["check", "--all"]);
    assert!(code(&checked) == 0 && out(&checked).contains("7/7 tools succeeded"), "{}", said(&checked));
    let text = contents(root.join("environments/town/library.json"));
    assert!(
        !text.contains("X-Trace") && text.contains("\"price?\": {\"exclusiveMinimum\": 0, \"type\": \"number\"}"),
        "{text}"
    );
}

#[test]
fn what_the_author_changed_stays_when_tools_are_imported_again() {
    let root = scratch("import-again");
    let tools = root.join("tools.json");
    fs::write(&tools, contents(file("repairs.json"))).unwrap();
    let from = ["mcp", "--tools", tools.to_str().unwrap(), "--id", "shop/repairs"];
    import(&from, &root);
    let environment = root.join("environments/shop/repairs.json");
    let edited =
        contents(&environment).replace("\"title\": \"Tools of an MCP server\"", "\"title\": \"A bicycle workshop\"");
    fs::write(&environment, &edited).unwrap();
    let same = import(&from, &root);
    assert_eq!((&same["diff"], contents(&environment) == edited), (&json!(""), true));
    let newer = contents(&tools).replace("All repairs, newest last.", "All repairs, oldest first.");
    fs::write(&tools, newer.replace("A customer with address and phone.", "A customer.")).unwrap();
    let changed = import(&from, &root);
    let diff = changed["diff"].as_str().unwrap();
    assert!(
        diff.contains("+   \"description\": \"All repairs, oldest first.\"") && !diff.contains("workshop"),
        "{diff}"
    );
    let text = contents(&environment);
    assert!(text.contains("A bicycle workshop") && text.contains("All repairs, oldest first."), "{text}");
    // What both changed is told, and the author's stands.
    fs::write(&environment, text.replace("A customer.", "Who somebody is.")).unwrap();
    fs::write(&tools, contents(&tools).replace("A customer.", "One customer.")).unwrap();
    let both = import(&from, &root);
    assert!(both["left"].to_string().contains("One customer."), "{both}");
    assert!(contents(&environment).contains("Who somebody is."));
}

#[test]
fn a_server_is_asked_in_either_era() {
    for (era, title) in [("legacy", "Lamps"), ("modern", "Tools of an MCP server")] {
        let root = scratch(&format!("import-server-{era}"));
        let found = import(&["mcp", "--command", &format!("python3 {} {era}", file("server.py"))], &root);
        assert_eq!((&found["tools"], &found["id"]), (&json!(2), &json!(format!("imported/{era}"))));
        assert!(contents(root.join(format!("environments/imported/{era}.json"))).contains(title));
        assert_eq!(code(&probity_at(&root, &["check"])), 0);
    }
    let root = scratch("import-server-late");
    for (command, message) in [
        (format!("python3 {} late", file("server.py")), "the server ended before it answered `tools/list`"),
        ("./there-is-no-such-server".to_owned(), "does not start"),
    ] {
        let output = probity(&["import", "mcp", "--command", &command, "--out", root.to_str().unwrap()]);
        assert!(code(&output) == 2 && err(&output).contains(message), "{}", said(&output));
    }
}

#[test]
fn what_is_no_source_is_refused_with_a_help_line() {
    let root = scratch("import-refused");
    let at = root.join("source");
    for (kind, text, message) in [
        ("mcp", "{\"tools\": []}", "there are no tools in it"),
        ("mcp", "not json", "it is no JSON"),
        ("openapi", "swagger: '2.0'\npaths: {}\n", "it is of Swagger 2.0"),
        ("openapi", "{\"openapi\": \"3.1.0\", \"paths\": {}}", "there are no tools in it"),
        ("openapi", "a: [b", "it is neither JSON"),
    ] {
        fs::write(&at, text).unwrap();
        let (at, to) = (at.to_str().unwrap(), root.join("out"));
        let source = if kind == "mcp" { vec!["import", kind, "--tools", at] } else { vec!["import", kind, at] };
        let output = probity(&[source, vec!["--out", to.to_str().unwrap()]].concat());
        assert!(
            code(&output) == 2 && err(&output).contains(message) && err(&output).contains("help: "),
            "{}",
            said(&output)
        );
        assert!(!to.exists(), "nothing is written");
    }
}

/// Lists of five servers that people use are not in this repository.
#[test]
fn lists_of_real_servers_load_and_pass() {
    let lists = root().join("../shared/peers/mcp");
    if !lists.is_dir() {
        eprintln!("skipped: no lists of real servers in ../shared/peers/mcp");
        return;
    }
    for (name, tools, notes) in
        [("everything", 13, 0), ("filesystem", 14, 0), ("memory", 9, 0), ("notion", 24, 20), ("playwright", 25, 1)]
    {
        let folder = scratch(&format!("import-{name}"));
        let list = lists.join(format!("{name}.json"));
        let found = import(&["mcp", "--tools", list.to_str().unwrap()], &folder);
        assert_eq!(found["tools"], tools, "{name}");
        assert_eq!(found["notes"].as_array().unwrap().len(), notes, "{name}: {:#}", found["notes"]);
        let checked = probity_at(&folder, &["check"]);
        assert_eq!(code(&checked), 0, "{name}: {}", said(&checked));
    }
}
