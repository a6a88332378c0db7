//! What compiling does not catch: found by walking the script's syntax tree.

/// Text of a Rhai message in our style: first letter lower case, no full stop.
pub fn plain(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

use super::program::Program;
use super::sources::Sources;
use crate::model::diagnostic::Problem;
use crate::model::environment_file::EnvironmentFile;

/// Problems of the scripts.
pub fn check(_program: &Program, _file: &EnvironmentFile, _sources: &Sources) -> Vec<Problem> {
    Vec::new()
}
