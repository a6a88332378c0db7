//! temp
#![allow(missing_docs)]
use serde_json::{Map, Value};
use std::sync::Arc;
use crate::model::diagnostic::Problem;
#[derive(Clone)]
pub struct Schema(Arc<jsonschema::Validator>);
pub struct Violation { pub path: String, pub message: String }
impl Schema {
    pub fn compile(v: &Value) -> Result<Schema, Vec<Problem>> {
        jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true).build(v).map(|v| Schema(Arc::new(v))).map_err(|e| vec![Problem::error("", "bad_schema", e.to_string())])
    }
    pub fn is_valid(&self, v: &Value) -> bool { self.0.is_valid(v) }
    pub fn violations(&self, v: &Value) -> Vec<Violation> {
        self.0.iter_errors(v).map(|e| Violation { path: e.instance_path().to_string(), message: e.to_string() }).collect()
    }
    pub fn violations_of(&self, f: &Map<String, Value>) -> Vec<Violation> { self.violations(&Value::Object(f.clone())) }
}
pub fn fill_defaults(schema: &Value, args: &mut Map<String, Value>) {
    if let Some(p) = schema.get("properties").and_then(Value::as_object) { for (k, v) in p { if let Some(d) = v.get("default") { args.entry(k.clone()).or_insert_with(|| d.clone()); } } }
}
