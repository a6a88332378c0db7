//! Tools of others made an environment: an MCP server's `tools/list` or an OpenAPI document becomes tools with complete
//! schemas, collections, a script that works, and a list of what was guessed and why.
//!
//! ```
//! let list = r#"{"tools": [
//!     {"name": "getOrder", "inputSchema": {"type": "object", "properties": {"orderId": {"type": "string"}}}},
//!     {"name": "createOrder", "inputSchema": {"type": "object", "properties": {"item": {"type": "string"}}}}
//! ]}"#;
//! let source = probity_import::mcp(list, &probity_import::Only::default()).unwrap();
//! let draft = probity_import::draft("shop/desk", source, &probity_import::Seen::default()).unwrap();
//! assert!(draft.texts.environment.contains("ref orders") && draft.texts.script.contains("fn create_order(db, args)"));
//! ```

mod again;
#[cfg(test)]
#[path = "../../prose/src/case.rs"]
#[expect(dead_code, reason = "its cases have one text each")]
mod case;
mod document;
mod draft;
mod environment;
mod fault;
mod functions;
mod gone;
mod lost;
mod mcp;
mod merge;
mod openapi;
mod personal;
mod role;
mod sample;
mod schema;
mod script;
mod seen;
mod sides;
mod source;
mod tool;
mod undecided;
mod world;
mod yaml;

pub use again::{Again, Texts, again, decide, diff};
pub use draft::{Draft, draft};
pub use gone::{Gone, gone};
pub use mcp::mcp;
pub use merge::Left;
pub use openapi::openapi;
pub use seen::Seen;
pub use source::{Note, Only, OuterTool, Refused, Route, Source, named_after};
pub use undecided::Guess;
