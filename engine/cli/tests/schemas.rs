//! The committed JSON Schemas are those of the Rust types and of the short forms. `PROBITY_UPDATE=1` writes them.

use probity_behaviour::load::{lock::LockFile, task_schema};
use probity_engine::{Schema, authored::environment_schema, read, strict::format_schema};
use probity_mm_tau::desk::DeskTaskFile;
use probity_tickets::model::{TicketFile, ToolFile};
use serde_json::Value;

use crate::support::{cases, is_update, root};

#[test]
fn committed_schemas_are_current() {
    let folder = root().join("schemas");
    let schemas = [
        ("environment", environment_schema()),
        ("task", task_schema()),
        ("task-lock", format_schema::<LockFile>()),
        ("desk-task", format_schema::<DeskTaskFile>()),
        ("ticket", format_schema::<TicketFile>()),
        ("ticket-tools", format_schema::<Vec<ToolFile>>()),
    ];
    for (name, schema) in schemas {
        let path = folder.join(format!("{name}.schema.json"));
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        if is_update() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == text, "schemas/{name}.schema.json is not current; run the tests with PROBITY_UPDATE=1");
    }
}

/// Each ticket and each list of tools passes in an editor.
#[test]
fn schemas_accept_the_tickets() {
    let root = root();
    let ticket = Schema::compile(&format_schema::<TicketFile>()).unwrap();
    let tools = Schema::compile(&format_schema::<Vec<ToolFile>>()).unwrap();
    let files = read::list(&root, "tickets", "json").files;
    assert!(files.len() > 40);
    for path in files {
        let value: Value = serde_json::from_str(&read::read(&root, &path).unwrap()).unwrap();
        let schema = if path.starts_with("tickets/tools/") { &tools } else { &ticket };
        let found = schema.violations(&value);
        assert_eq!(found.iter().map(|found| &found.message).collect::<Vec<_>>(), [""; 0], "{path}");
    }
}

/// What loads passes in an editor, long (the cases) or short (the environments and tasks of the repository).
#[test]
fn schemas_accept_what_is_authored() {
    for root in [root(), cases("base"), cases("valid/short")] {
        for (folder, schema) in [("environments", environment_schema()), ("tasks", task_schema())] {
            let schema = Schema::compile(&schema).unwrap();
            let lock = Schema::compile(&format_schema::<LockFile>()).unwrap();
            let files = read::list(&root, folder, "json").files;
            assert!(!files.is_empty());
            for path in files {
                let (text, _) = probity_engine::comment::blank(&read::read(&root, &path).unwrap());
                let value: Value = serde_json::from_str(&text).unwrap();
                let found =
                    if path.ends_with(".lock.json") { lock.violations(&value) } else { schema.violations(&value) };
                assert_eq!(found.iter().map(|found| &found.message).collect::<Vec<_>>(), [""; 0], "{path}");
            }
        }
    }
}
