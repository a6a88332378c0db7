//! User turns of logs from anywhere, labelled with the behaviours of the paper's taxonomy (RUT-Bench, section 3): by
//! rules that look at words and at what the agent answered, and by judges where some are named.

pub mod labels;
pub mod rules;
