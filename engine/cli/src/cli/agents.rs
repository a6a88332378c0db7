//! The agents that `probity run` knows by name.

use probity_bench::{AgentEntry, Benchmark, agent::name::shared};

/// All agents with what each does and must lower, as text or JSON; planted faults last.
pub fn list(benchmark: &dyn Benchmark, json: bool) -> String {
    let agents: Vec<AgentEntry> = shared().into_iter().chain(benchmark.agents()).collect();
    if json {
        let entry = |agent: &AgentEntry| serde_json::json!({"agent": agent.name, "description": agent.description, "must_lower": agent.must_lower});
        let entries: Vec<_> = agents.iter().map(entry).collect();
        return format!("{}\n", serde_json::to_string_pretty(&entries).unwrap_or_default());
    }
    let line = |agent: &AgentEntry| {
        let lowers = match agent.must_lower.is_empty() {
            true => String::new(),
            false => format!("; must lower {}", agent.must_lower.join(", ")),
        };
        format!("{:<28} {}{lowers}\n", agent.name, agent.description)
    };
    agents.iter().map(line).collect()
}
