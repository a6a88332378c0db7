//! The agents that `probity run` knows by name.

/// All agents with what each is for, as text or JSON.
pub fn list(json: bool) -> String {
    let agents = [
        ("oracle", "plays the first accepted outcome of each variant and says its replies"),
        ("heuristic", "no model: picks tools and arguments from the words of the user; the floor a model must beat"),
        ("noop", "replies politely and calls nothing; what it passes, nothing tests"),
        ("replay:FILE", "says again what the episodes of a run say"),
        ("exec:CMD", "a process of yours that speaks JSON lines (docs/FORMATS.md)"),
    ];
    if json {
        let entries = agents.map(|(name, text)| serde_json::json!({"agent": name, "description": text}));
        return format!("{}\n", serde_json::to_string_pretty(&entries.as_slice()).unwrap_or_default());
    }
    agents.iter().map(|(name, text)| format!("{name:<14} {text}\n")).collect()
}
