//! The lines people read about a broken edge or exclusion.

use serde_json::Value;

use super::check::{ObservedCall, Standing};
use super::graph::{ConstraintGraph, Edge, ExclusionSet};
use crate::model::{canonical, field_path};

/// How many characters of a value are shown.
const SHOWN: usize = 60;

pub(super) fn precedence(graph: &ConstraintGraph, edge: &Edge, call: &ObservedCall<'_>, standing: Standing) -> String {
    let verb = if call.observation.is_some() { "needs" } else { "was tried without" };
    let mut text = format!("`{}` {verb} an earlier {}", call.tool, graph.quoted(edge.before));
    let mut joint = " with ";
    let asks = |path: &str| !field_path::leads_within(path) || given(call, path).is_some();
    for (before, after) in edge.bind.iter().filter(|(_, after)| asks(after)) {
        text.push_str(joint);
        joint = " and ";
        match given(call, after) {
            Some(value) => text.push_str(&format!("{before} {value}")),
            None => text.push_str(&format!("{before} equal to {after}, which is not given")),
        }
    }
    if let Some(seen) = edge.seen.as_ref().filter(|seen| asks(seen)) {
        text.push_str(" whose observation contains ");
        match given(call, seen) {
            Some(value) => text.push_str(&format!("{seen} {value}")),
            None => text.push_str(&format!("{seen}, which is not given")),
        }
    }
    match standing {
        Standing::SameBatch => text.push_str("; the one in the same message was not yet observed"),
        Standing::Satisfied | Standing::Missing => {}
    }
    text
}

/// What `call` excludes, or would have excluded: the call of `member` at `step`.
pub(super) fn exclusion(
    graph: &ConstraintGraph,
    set: &ExclusionSet,
    call: &ObservedCall<'_>,
    (member, step): (usize, u32),
) -> String {
    let verb = if call.observation.is_some() { "excludes" } else { "was tried but excludes" };
    let mut text = format!("`{}` {verb} {}, which was called at step {step}", call.tool, graph.quoted(member));
    let mut joint = " with the same ";
    for name in &set.bind {
        if let Some(value) = given(call, name) {
            text.push_str(&format!("{joint}{name} {value}"));
            joint = " and ";
        }
    }
    text
}

/// The values of a call at a path.
fn given(call: &ObservedCall<'_>, path: &str) -> Option<String> {
    let values: Vec<String> = field_path::values(call.arguments, path).into_iter().map(shown).collect();
    (!values.is_empty()).then(|| values.join(" and "))
}

fn shown(value: &Value) -> String {
    let text = canonical::to_string(value);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or(&text)),
        None => text,
    }
}
