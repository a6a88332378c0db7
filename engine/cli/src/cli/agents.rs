//! The agents that `probity run` knows by name.

use probity_behaviour::episode::spec::agents;
use probity_behaviour::model::metric::Metric;

/// All agents with what each does and must lower, as text or JSON.
pub fn list(json: bool) -> String {
    let metrics = |metrics: &[Metric]| metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>();
    if json {
        let entry = |agent: &probity_behaviour::episode::spec::AgentEntry| {
            let must_lower = metrics(&agent.must_lower);
            serde_json::json!({"agent": agent.name, "description": agent.description, "must_lower": must_lower})
        };
        let entries: Vec<_> = agents().iter().map(entry).collect();
        return format!("{}\n", serde_json::to_string_pretty(&entries).unwrap_or_default());
    }
    let line = |agent: &probity_behaviour::episode::spec::AgentEntry| {
        let lowers = match agent.must_lower.is_empty() {
            true => String::new(),
            false => format!("; must lower {}", metrics(&agent.must_lower).join(", ")),
        };
        format!("{:<28} {}{lowers}\n", agent.name, agent.description)
    };
    agents().iter().map(line).collect()
}
