//! What is made of the dialogue so far about who calls (p2: paper, 2.1): asked of the agent's own model, or by
//! rule.

mod inferred_profile;
mod profiler;

pub use profiler::Profiler;
