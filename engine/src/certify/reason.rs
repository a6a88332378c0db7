//! Why an edge is there: what speaks against the other order, if not the edge alone.

use super::goal::Goal;
use super::position::Item;
use crate::constraint::Edge;
use crate::model::call::ToolCall;
use crate::model::ids::Variant;

/// The edges of the graph, by position, that reject an order for which nothing else does: the environment carries
/// it out, the outcome is solved, no value had to be seen first, and nobody told the agent.
pub fn unreasoned(goal: &Goal, calls: &[ToolCall]) -> Vec<usize> {
    let edges = goal.task.graph().edges().iter().enumerate();
    let rejects =
        |(index, edge): &(usize, &Edge)| edge.seen.is_none() && !is_told(goal, edge) && is_free(goal, calls, *index);
    edges.filter(rejects).map(|(index, _)| index).collect()
}

/// Whether the oracle's calls solve the outcome, this edge aside, with each call that it holds back made before
/// any call that it asks for.
fn is_free(goal: &Goal, calls: &[ToolCall], index: usize) -> bool {
    let Some(edge) = goal.task.graph().edges().get(index) else { return false };
    let mut position = goal.start();
    let mut of_edge: (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for (at, call) in calls.iter().enumerate() {
        let matches = goal.task.matching_patterns(&position.state, call);
        if matches.contains(&edge.before) {
            of_edge.0.push(at);
        }
        if matches.contains(&edge.after) {
            of_edge.1.push(at);
        }
        position = position.after(goal, call).unwrap_or_else(|refused| *refused);
    }
    let (before, after) = of_edge;
    let (Some(first), Some(later)) = (before.first(), after.first()) else { return false };
    if later < first {
        return false;
    }
    let held = |at: &usize| at != first && (!after.contains(at) || at < first);
    let head = (0..*first).filter(held);
    let moved = after.iter().copied().filter(|at| at > first);
    let rest = std::iter::once(*first).chain((first + 1..calls.len()).filter(|at| !after.contains(at)));
    let order: Vec<&ToolCall> = head.chain(moved).chain(rest).filter_map(|at| calls.get(at)).collect();
    let (last, refused) = goal.start().after_all(goal, order);
    refused == 0 && goal.failing(&last).iter().all(|item| *item == Item::Edge(index))
}

/// Whether the words that an edge names stand in the brief, or are said by every user of the goal.
fn is_told(goal: &Goal, edge: &Edge) -> bool {
    let Some(words) = edge.told.as_deref().map(fold).filter(|words| !words.is_empty()) else { return false };
    let environment = goal.task.environment();
    let mut brief = environment.file().policy.iter().chain(environment.tools().iter().map(|tool| &tool.description));
    let says = |variant: &Variant| {
        let turns = goal.task.behaviour(*variant).map(|user| user.turns.join(" ")).unwrap_or_default();
        fold(&turns).contains(&words)
    };
    brief.any(|text| fold(text).contains(&words)) || goal.variants.iter().all(says)
}

fn fold(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
