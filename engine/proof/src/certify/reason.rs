//! Why an edge is there: what speaks against the other order, if not the edge alone.

use super::goal::Goal;
use super::order;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::quote::Quote;
use probity_engine::{Edge, ToolCall};

/// An edge that rejects an order for which nothing else does: the environment carries it out, the outcome is
/// solved, no value had to be seen first, and nobody told the agent.
pub struct Unreasoned {
    /// The edge, by its position in the graph.
    pub edge: usize,
    /// What is wrong with the words that it names in `told`; empty when it names none.
    pub remark: String,
}

pub fn unreasoned(goal: &Goal, calls: &[ToolCall]) -> Vec<Unreasoned> {
    let edges = goal.task.graph().edges().iter().enumerate().filter(|(_, edge)| edge.seen.is_none());
    let untold = edges.filter_map(|(index, edge)| Some(Unreasoned { edge: index, remark: untold(goal, edge)? }));
    untold.filter(|found| order::solving_against(goal, calls, found.edge).is_some()).collect()
}

/// What keeps an edge from being told; nothing when its words stand in the brief or all users of the goal say them.
fn untold(goal: &Goal, edge: &Edge) -> Option<String> {
    let Some(told) = edge.told.as_deref() else { return Some(String::new()) };
    let quote = Quote::new(told);
    if let Some(short) = quote.too_short() {
        return Some(format!("; {short}"));
    }
    if quote.is_in_brief(goal.task.environment()) {
        return None;
    }
    let says = |variant: &&Variant| goal.task.behaviour(**variant).is_some_and(|user| quote.is_said(&user.turns));
    let silent = goal.variants.iter().find(|variant| !says(variant))?;
    Some(format!(
        "; `told` is \"{}\", which stands neither in the policy nor in a tool's description, and the user of \
         `{silent}` does not say it",
        told.trim()
    ))
}
