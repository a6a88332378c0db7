//! The errors of scripts.

use rhai::{EvalAltResult, Position};

/// What a function returns that scripts call.
pub type ScriptResult<T> = Result<T, Box<EvalAltResult>>;

/// An error of a script, placed where the script stands.
pub fn fault<T>(message: impl Into<String>) -> ScriptResult<T> {
    Err(Box::new(EvalAltResult::ErrorRuntime(message.into().into(), Position::NONE)))
}
