//! The agents that `probity run` knows by name.

use crate::episode::spec::agents;

/// All agents with what each is for and what a planted fault must lower, as text or JSON.
pub fn list(json: bool) -> String {
    let agents = agents();
    if json {
        let entries = agents.iter().map(|agent| {
            let must_lower: Vec<&str> = agent.must_lower.iter().map(|metric| metric.name()).collect();
            serde_json::json!({"agent": agent.name, "description": agent.description, "must_lower": must_lower})
        });
        let entries: Vec<serde_json::Value> = entries.collect();
        return format!("{}\n", serde_json::to_string_pretty(&entries).unwrap_or_default());
    }
    let width = agents.iter().map(|agent| agent.name.len()).max().unwrap_or(0);
    let lines = agents.iter().map(|agent| {
        let lowers: Vec<&str> = agent.must_lower.iter().map(|metric| metric.name()).collect();
        let lowers = if lowers.is_empty() { String::new() } else { format!(" (lowers {})", lowers.join(", ")) };
        format!("{:<width$} {}{lowers}\n", agent.name, agent.description)
    });
    lines.collect()
}
