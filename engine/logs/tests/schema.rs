//! The committed JSON Schema of the normal form is that of the Rust types. `PROBITY_UPDATE=1` writes it.

use schemars::generate::SchemaSettings;

use probity_logs::Dialogue;

#[test]
fn the_committed_schema_is_current() {
    let path = crate::support::cases().join("../../../../schemas/log-dialogue.schema.json");
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Dialogue>();
    let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
    if std::env::var("PROBITY_UPDATE").is_ok() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "schemas/log-dialogue.schema.json is not current; run the tests with PROBITY_UPDATE=1");
}
