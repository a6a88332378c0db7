//! The baseline: the same tools in plain Rust, with the same schemas and JSON output.

#![expect(clippy::disallowed_types, reason = "the baseline is what one would write without an engine")]

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::workload::Workload;
use probity_engine::{Schema, ToolCall};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Item {
    part_id: String,
    name: String,
    category: String,
    depot_id: String,
    held: i64,
    reserved: i64,
    unit_price: f64,
    active: bool,
    tags: Vec<String>,
}

#[derive(Serialize)]
struct Quantity<'a> {
    part_id: &'a str,
    held: i64,
}

/// The depot as structs in a hash map.
pub struct Plain {
    items: HashMap<String, Item>,
    max_quantity: i64,
    get_item: Schema,
    set_item_quantity: Schema,
}

impl Plain {
    /// The same state and schemas as a workload's.
    /// An error: a line that says what does not hold; only a change of the workload can cause it.
    pub fn new(workload: &Workload) -> Result<Plain, String> {
        let state = workload.state.to_json();
        let items = state.get("items").cloned().unwrap_or_default();
        let schema = |name: &str| workload.environment.tool(name).map(|tool| tool.arguments.clone());
        Ok(Plain {
            items: serde_json::from_value(items).map_err(|error| error.to_string())?,
            max_quantity: state.pointer("/settings/max_quantity").and_then(Value::as_i64).ok_or("no maximum")?,
            get_item: schema("get_item").ok_or("no get_item")?,
            set_item_quantity: schema("set_item_quantity").ok_or("no set_item_quantity")?,
        })
    }

    /// Runs one call and writes its result as JSON; nothing when it is refused.
    pub fn call(&mut self, call: &ToolCall) -> Option<String> {
        let id = call.arguments.get("part_id")?.as_str()?;
        if call.tool == "get_item" {
            return self.get_item.is_valid(&call.arguments).then(|| serde_json::to_string(self.items.get(id)?).ok())?;
        }
        if !self.set_item_quantity.is_valid(&call.arguments) {
            return None;
        }
        let held = call.arguments.get("held")?.as_i64().filter(|held| *held <= self.max_quantity)?;
        self.items.get_mut(id)?.held = held;
        serde_json::to_string(&Quantity { part_id: id, held }).ok()
    }
}
