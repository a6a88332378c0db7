//! Tools of others as they come: lists of MCP servers, and a server that is asked; `cases/sessions/import*.sh` have
//! OpenAPI documents, logs, and what comes of an author's edits.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{
    cases, code, contents, err, json as said_json, outside, probity, probity_at, said, scratch, succeeded, tells,
};

fn import(from: &[&str], to: &Path) -> Value {
    let start = ["--json", "import"].into_iter().chain(from.iter().copied());
    said_json(&succeeded(probity(&start.chain(["--out", to.to_str().unwrap()]).collect::<Vec<_>>())))
}

fn file(name: &str) -> String {
    cases("import").join(name).to_str().unwrap().to_owned()
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
}

/// A wrapper such as `npx` has the server as a child: both end.
#[test]
fn a_server_ends_with_all_that_it_began() {
    let root = scratch("import-server-child");
    let pid = root.join("pid");
    let wrapper = root.join("wrapper.sh");
    let server = file("server.py");
    fs::write(&wrapper, format!("sleep 600 &\necho $! > {}\npython3 {server} legacy\n", pid.display())).unwrap();
    import(&["mcp", "--command", &format!("sh {}", wrapper.display())], &root.join("out"));
    let child = contents(&pid);
    let state = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

#[test]
fn more_than_an_environment_holds_is_refused_before_it_is_written() {
    let root = scratch("import-large");
    let (at, out) = (root.join("large.json"), root.join("out"));
    let field =
        |number: usize| (format!("field{number}"), json!({"type": "string", "description": "word ".repeat(100)}));
    let properties: Value = Value::Object((0..200).map(field).collect());
    let tool = |number: usize| json!({"name": format!("make{number:03}"), "inputSchema": {"properties": properties}});
    fs::write(&at, json!({"tools": (0..200).map(tool).collect::<Vec<_>>()}).to_string()).unwrap();
    let from = ["import", "mcp", "--tools", at.to_str().unwrap(), "--out", out.to_str().unwrap()];
    tells(probity(&from), 2, err, &["8 MiB", "`--only`"]);
    assert!(!out.exists(), "nothing is written");
    assert_eq!(code(&probity(&[&from[..], &["--only", "make00"]].concat())), 0);
}

/// Lists of five servers that people use are not in this repository.
#[test]
fn lists_of_real_servers_load_and_pass() {
    let Some(lists) = outside("shared/peers/mcp") else { return };
    for (name, tools, notes) in
        [("everything", 13, 0), ("filesystem", 14, 0), ("memory", 9, 0), ("notion", 24, 19), ("playwright", 25, 1)]
    {
        let folder = scratch(&format!("import-{name}"));
        let list = lists.join(format!("{name}.json"));
        let found = import(&["mcp", "--tools", list.to_str().unwrap()], &folder);
        assert_eq!(found["tools"], tools, "{name}");
        // Beside the keywords of a tool and of what it returns that are not kept.
        let is_other = |note: &&Value| note["at"] != "" || !note["text"].as_str().unwrap().ends_with(" is not kept");
        let others: Vec<&Value> = found["notes"].as_array().unwrap().iter().filter(is_other).collect();
        assert_eq!(others.len(), notes, "{name}: {others:#?}");
        let checked = probity_at(&folder, &["check"]);
        assert_eq!(code(&checked), 0, "{name}: {}", said(&checked));
    }
}
