//! Lists of tools as servers that people use have them; `cases/sessions/import*.sh` have the rest.

use serde_json::Value;

use crate::support::{json, outside, path, probity, probity_at, scratch, succeeded};

/// Lists of five servers that people use are not in this repository.
#[test]
fn lists_of_real_servers_load_and_pass() {
    let Some(lists) = outside("shared/peers/mcp") else { return };
    for (name, tools, notes) in
        [("everything", 13, 0), ("filesystem", 14, 0), ("memory", 9, 0), ("notion", 24, 19), ("playwright", 25, 1)]
    {
        let folder = scratch(&format!("import-{name}"));
        let list = lists.join(format!("{name}.json"));
        let import = ["--json", "import", "mcp", "--tools", path(&list), "--out", path(&folder)];
        let found = json(&succeeded(probity(&import)));
        assert_eq!(found["tools"], tools, "{name}");
        // Beside the keywords of a tool and of what it returns that are not kept.
        let is_other = |note: &&Value| note["at"] != "" || !note["text"].as_str().unwrap().ends_with(" is not kept");
        let others: Vec<&Value> = found["notes"].as_array().unwrap().iter().filter(is_other).collect();
        assert_eq!(others.len(), notes, "{name}: {others:#?}");
        succeeded(probity_at(&folder, &["check"]));
    }
}
