//! The committed JSON Schemas are those of the Rust types. `PROBITY_UPDATE=1` writes them.

use probity_behaviour::model::task_file::TaskFile;
use probity_engine::load::strict::format_schema;
use probity_engine::model::environment_file::EnvironmentFile;

#[expect(clippy::disallowed_methods, reason = "the variable only says whether to write what would be compared")]
fn is_update() -> bool {
    std::env::var("PROBITY_UPDATE").is_ok()
}

#[test]
fn committed_schemas_are_current() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas");
    for (name, schema) in [("environment", format_schema::<EnvironmentFile>()), ("task", format_schema::<TaskFile>())] {
        let path = format!("{folder}/{name}.schema.json");
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        if is_update() {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == text, "schemas/{name}.schema.json is not current; run the tests with PROBITY_UPDATE=1");
    }
}
