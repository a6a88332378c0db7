//! The errors of scripts.

use rhai::{EvalAltResult, Position};

/// What a function returns that scripts call.
pub type ScriptResult<T> = Result<T, Box<EvalAltResult>>;

/// An error of a script, placed where the script stands.
pub fn fault<T>(message: impl Into<String>) -> ScriptResult<T> {
    Err(Box::new(EvalAltResult::ErrorRuntime(message.into().into(), Position::NONE)))
}

/// A position as line and column from 1; 0 when there is none.
pub(super) fn line_column(position: Position) -> (usize, usize) {
    (position.line().unwrap_or(0), position.position().unwrap_or(0))
}

/// Text of a Rhai message in our style: first letter lower case, no full stop.
pub(super) fn plain(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}
