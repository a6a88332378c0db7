//! Why an edge is there: what speaks against the other order, if not the edge alone.

use super::goal::Goal;
use super::order;
use crate::model::variant::Variant;
use crate::task::phrase::Phrase;
use probity_engine::{Actor, Edge, PolicyEntry, ToolCall};

/// Fewest words of a quote: a single word stands in any text.
const LEAST_WORDS: usize = 2;

/// An edge that rejects an order for which nothing else does: the environment carries it out, the outcome is
/// solved, no value had to be seen first, and nobody told the agent.
pub struct Unreasoned {
    /// The edge, by its position in the graph.
    pub edge: usize,
    /// What is wrong with the words that it names in `told`; empty when it names none.
    pub remark: String,
}

/// The edges of the graph without a reason.
pub fn unreasoned(goal: &Goal, calls: &[ToolCall]) -> Vec<Unreasoned> {
    let edges = goal.task.graph().edges().iter().enumerate().filter(|(_, edge)| edge.seen.is_none());
    let untold = edges.filter_map(|(index, edge)| Some(Unreasoned { edge: index, remark: untold(goal, edge)? }));
    untold.filter(|found| order::solving_against(goal, calls, found.edge).is_some()).collect()
}

/// What keeps an edge from being told; nothing when its words stand in the brief or all users of the goal say them.
fn untold(goal: &Goal, edge: &Edge) -> Option<String> {
    let Some(quote) = edge.told.as_deref().map(str::trim) else { return Some(String::new()) };
    if quote.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count() < LEAST_WORDS {
        return Some(format!("; `told` is \"{quote}\", and a quote takes {LEAST_WORDS} words or more"));
    }
    let phrase = Phrase::parse(quote).ok().filter(|phrase| !phrase.is_expression());
    let is_in = |text: &str| phrase.as_ref().is_some_and(|phrase| phrase.is_in(text));
    let environment = goal.task.environment();
    let tools =
        environment.tools().iter().filter(|tool| tool.actor == Actor::Agent).map(|tool| tool.description.as_str());
    let policy = environment.file().policy.iter().map(PolicyEntry::text);
    if policy.chain(tools).any(is_in) {
        return None;
    }
    let says = |variant: &&Variant| {
        goal.task.behaviour(**variant).is_some_and(|user| user.turns.iter().any(|turn| is_in(turn)))
    };
    let silent = goal.variants.iter().find(|variant| !says(variant))?;
    Some(format!(
        "; `told` is \"{quote}\", which stands neither in the policy nor in a tool's description, and the user of \
         `{silent}` does not say it"
    ))
}
