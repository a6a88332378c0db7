//! Groups of tickets (paper, Table 4).

/// Numbers of checkpoints.
pub const CHECKPOINTS: [&str; 5] = ["1", "2", "3", "4", "5+"];
/// Ranges of input tokens; *over 16,000* is read strictly.
pub const TOKENS: [&str; 3] = ["<8000", "8000-16000", ">16000"];

pub fn checkpoints_level(count: usize) -> &'static str {
    CHECKPOINTS.get(count.clamp(1, CHECKPOINTS.len()) - 1).copied().unwrap_or("5+")
}

pub fn tokens_level(tokens: u64) -> &'static str {
    match tokens {
        0..8000 => "<8000",
        8000..=16000 => "8000-16000",
        _ => ">16000",
    }
}

pub fn tools_level(has_tool: bool) -> &'static str {
    if has_tool { "with_tool" } else { "without_tool" }
}
