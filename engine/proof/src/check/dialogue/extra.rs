//! Reads that a wandering user asks for: their arguments must be known from somewhere, like the oracle's.

use serde_json::Value;

use super::scene::{Scene, Stage};
use probity_behaviour::score::honesty::told::{Told, provenance};
use probity_engine::{Actor, Problem, ToolCall, pointer};

/// Problems of the reads on top of the oracle's.
pub fn check(stage: &Stage) -> Vec<Problem> {
    let variants = stage.task.variants().iter().filter(|(_, behaviour)| !behaviour.extra_calls.is_empty());
    let scenes = variants.filter_map(|(variant, _)| stage.scenes(*variant).into_iter().next());
    scenes.flat_map(|scene| unknown(stage, &scene)).collect()
}

/// What neither this user nor the brief, nor a call of the oracle, nor an earlier one of these reads tells.
fn unknown(stage: &Stage, scene: &Scene) -> Vec<Problem> {
    let environment = stage.task.environment();
    let (known, _) = scene.around_reply(scene.replies.len());
    let mut shown: Vec<Told> = Vec::new();
    let mut problems = Vec::new();
    for (index, call) in scene.behaviour.extra_calls.iter().enumerate() {
        let Some(tool) = environment.tool(&call.tool) else { continue };
        let arguments = Value::Object(call.arguments.clone());
        let told: Vec<&Told> = known.iter().map(|(_, told)| *told).chain(&shown).collect();
        let claims = provenance(tool, &arguments, &told).into_iter();
        problems.extend(claims.filter(|claim| !claim.is_known && !claim.is_listed).map(|claim| {
            let top = claim.at.split('/').next().unwrap_or(&claim.at);
            let (variant, index) = (scene.variant.to_string(), index.to_string());
            let at = pointer::join(["variants", &variant, "extra_calls", &index, "arguments", top]);
            let message =
                format!("`{}` of `{}` is {}, which nothing tells this agent", claim.at, tool.name, claim.value);
            let help = "let the user say it, or ask for something that is known";
            Problem::error(at, "extra_call_unknown", message).help(help)
        }));
        let call = ToolCall::new(call.tool.clone(), arguments);
        let result = environment.step(stage.task.initial(), &call, Actor::Agent).result;
        shown.extend(result.ok().map(|applied| stage.listener.observation(&applied.observation)));
    }
    problems
}
