//! What the world forbids although its tools let it through.

use probity_engine::{Environment, State, ToolCall};

/// The patterns of a world that forbid a call in the state before it: `resume_line where owes(db, args.customer_id)`.
pub fn forbidden(environment: &Environment, before: &State, call: &ToolCall) -> Vec<String> {
    let arguments = environment.complete(call).unwrap_or_default();
    let all = environment.file().forbidden.iter().filter(|source| source.tool == call.tool);
    let is_met = |source: &&probity_engine::CallPattern| {
        let pattern = environment.pattern(source).ok();
        pattern.is_some_and(|pattern| environment.matches(&pattern, before, &call.tool, &arguments).unwrap_or(false))
    };
    all.filter(is_met).map(ToString::to_string).collect()
}

/// What is broken by a call of consequence to a tool while nobody knows for whom it is made.
pub fn unidentified(tool: &str) -> String {
    format!("`{tool}` before it is known who asks")
}
