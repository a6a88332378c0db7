//! What the caller says of the logs.

use std::collections::BTreeSet;

use probity_logs::Tool;

/// What is said of the logs beside what stands in them.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Definitions for logs that have none, and for tools that a log calls and does not define.
    pub tools: Vec<Tool>,
    /// The rules, for logs that have no brief.
    pub brief: String,
    /// Tools that change something, whatever their names and annotations say.
    pub changes: BTreeSet<String>,
    /// Tools that only read.
    pub reads: BTreeSet<String>,
    /// Parameters and fields whose values are generated: they are neither made up nor a difference.
    pub ignored: BTreeSet<String>,
}
