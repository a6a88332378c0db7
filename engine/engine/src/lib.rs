//! A deterministic state machine for tool-using agents. An environment is data: JSON Schemas, tools with
//! preconditions, and small Rhai scripts. A call either is carried out whole, with what it changed, or is refused
//! with a typed reason and changes nothing; states are values, and a copy costs nothing.
//!
//! ```
//! use std::path::Path;
//!
//! use probity_engine::{Actor, Difficulty, Environment, ToolCall};
//! use serde_json::json;
//!
//! let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
//! let world = Environment::load(&root, "travel_hospitality/front_desk").unwrap();
//! let start = world.populate(Difficulty::Easy, 41).unwrap();
//! let made = world.step(&start, &ToolCall::new("get_room", json!({"room_id": "101"})), Actor::Agent);
//! assert_eq!(made.result.unwrap().observation["nightly_cents"], 6500);
//! let refused = world.step(&start, &ToolCall::new("get_room", json!({"room_id": "999"})), Actor::Agent);
//! assert_eq!(refused.result.unwrap_err().code, "room_not_found");
//! assert_eq!(refused.after.hash(), start.hash());
//! ```

mod build;
pub mod constraint;
pub mod environment;
pub mod events;
pub mod load;
pub mod model;
pub mod schema;
pub mod script;
pub mod state;
pub mod step;
pub mod sum;
pub mod tool;
pub mod transaction;
