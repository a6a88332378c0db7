//! The shop of the corpus with other rules, for tests.

use serde_json::{Value, json};

use super::goal::Goal;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_behaviour::task::oracle::{OracleRun, play};

const ENVIRONMENT: &str = include_str!("../../../cli/tests/cases/base/environments/shop/counter.json");
const SCRIPT: &str = include_str!("../../../cli/tests/cases/base/scripts/shop/counter.rhai");
const LIBRARY: &str = include_str!("../../../cli/tests/cases/base/scripts/lib/goods.rhai");
const TASK: &str = include_str!("../../../cli/tests/cases/base/tasks/shop/counter/more_teapots.json");

/// Tools that show the id of an order before it is opened, and what events do.
const MORE: &str = r#"
fn peek_order(db, args) { #{ order_id: "OR900" } }

fn open_order(db, args) {
    db.orders["OR900"] = #{ order_id: "OR900", customer: "Mara Weber", item_id: "IT01", quantity: 1, status: "open",
        wrapping: #{ paper: "plain" } };
    db.orders["OR900"]
}

fn rush(db) { db.orders["OR002"].quantity = 3; }

fn close(db) { db.orders["OR002"].status = "cancelled"; }
"#;

pub(crate) struct Shop {
    pub(crate) environment: Value,
    pub(crate) task: Value,
}

impl Shop {
    pub(crate) fn new() -> Shop {
        let mut environment: Value = serde_json::from_str(ENVIRONMENT).unwrap();
        let none = json!({"type": "object", "additionalProperties": false, "properties": {}});
        let shown = json!({"type": "object", "additionalProperties": false, "required": ["order_id"],
            "properties": {"order_id": {"type": "string"}}});
        let tools = environment["tools"].as_array_mut().unwrap();
        tools.push(json!({"name": "peek_order", "effect": "read", "description": "The next order's id.",
            "parameters": none, "returns": shown}));
        tools.push(
            json!({"name": "open_order", "effect": "write", "description": "Open an order.", "parameters": none,
            "effects": [{"collection": "orders", "kinds": ["create", "update"], "max_rows": 1}],
            "returns": {"$ref": "#/state/orders/item"}, "claims": ["opened"]}),
        );
        Shop { environment, task: serde_json::from_str(TASK).unwrap() }
    }

    pub(crate) fn precedence(mut self, edges: Value) -> Shop {
        self.environment["constraints"] = json!({"precedence": edges});
        self
    }

    pub(crate) fn events(mut self, events: Value) -> Shop {
        self.environment["events"] = events;
        self
    }

    pub(crate) fn outcome(mut self, outcome: &Value) -> Shop {
        for (key, value) in outcome.as_object().unwrap() {
            self.task["outcomes"][0][key] = value.clone();
        }
        self
    }

    pub(crate) fn suite(&self) -> Suite {
        let files = [
            ("environments/shop/counter.json", self.environment.to_string()),
            ("scripts/shop/counter.rhai", format!("{SCRIPT}{MORE}")),
            ("scripts/lib/goods.rhai", LIBRARY.to_owned()),
            ("tasks/shop/counter/more_teapots.json", self.task.to_string()),
        ];
        Suite::from_files(files.map(|(path, text)| (path.to_owned(), text)).into(), Vec::new())
    }

    /// Looks at the task with the run of its oracle and the first goal.
    pub(crate) fn with_goal<T>(&self, look: impl FnOnce(&Task, &OracleRun, &Goal) -> T) -> T {
        let suite = self.suite();
        let loaded = suite.tasks.values().next();
        let task = &loaded.unwrap_or_else(|| panic!("{:?}", suite.diagnostics)).task;
        let run = play(task, &task.outcomes()[0]).map_err(|stop| stop.call).unwrap();
        let goal = Goal::of_outcome(task, 0, &run).remove(0);
        look(task, &run, &goal)
    }
}

pub(crate) fn call(tool: &str, arguments: Value) -> Value {
    json!({"tool": tool, "arguments": arguments})
}

/// The oracle's call that finds Mara Weber's orders.
pub(crate) fn find() -> Value {
    call("find_orders", json!({"customer": "Mara Weber"}))
}

/// The oracle's call that sets the order's quantity.
pub(crate) fn set() -> Value {
    call("set_quantity", json!({"order_id": "$order", "quantity": 3}))
}

pub(crate) fn outcome(oracle: &[Value], achieves: Value, says: Value) -> Value {
    json!({"budget": oracle.len(), "oracle": oracle, "achieves": achieves, "preserves": [], "must_say": says,
        "replies": ["It is plain and 24.00 EUR, order OR002 at 24.00.", "Now there are 3."]})
}
