//! What a task wants under a behaviour, told to people who look at its episodes.

use crate::model::variant::Variant;
use crate::task::oracle::play;
use crate::task::reference::Observations;
use crate::task::{Behaviour, Outcome, Task};
use probity_bench::{Section, Wanted, WantedCall, WantedWay};
use serde_json::Value;

/// What is wanted of a task under a behaviour; nothing when the task has no such one.
pub fn wanted(task: &Task, variant: Variant) -> Option<Wanted> {
    let behaviour = task.behaviour(variant)?;
    let accepted: Vec<&Outcome> = behaviour.accept.iter().filter_map(|at| task.outcomes().get(*at)).collect();
    let brief = task.brief();
    let sections = [
        Section::of("What must be so at the end", accepted.iter().flat_map(|way| ends(task, way)).collect()),
        Section::of("What must be said", accepted.first().map(|way| said(way)).unwrap_or_default()),
        Section::of("The rules that are checked", rules(task, behaviour, &accepted)),
        Section::of("What the agent was told", brief.system.lines().map(str::to_owned).collect()),
        Section::of("The tools it had", tools(&brief.tools)),
    ];
    Some(Wanted {
        goal: task.goal(variant).to_owned(),
        ways: accepted.iter().enumerate().map(|(at, way)| calls(task, behaviour, way, at == 0)).collect(),
        sections: sections.into_iter().flatten().collect(),
    })
}

/// The calls of an outcome's oracle; the behaviour says when those of the first are made.
fn calls(task: &Task, behaviour: &Behaviour, outcome: &Outcome, is_played: bool) -> WantedWay {
    let made = play(task, outcome).map(|run| run.tool_calls()).unwrap_or_default();
    let call = |(at, call): (usize, &crate::task::OracleCall)| {
        let own = behaviour.segments.get(at).filter(|_| is_played);
        let filled = made.get(at).and_then(|made| made.arguments.as_object()).unwrap_or(&call.arguments);
        WantedCall { tool: call.tool.clone(), arguments: filled.clone(), turn: *own.unwrap_or(&call.segment) }
    };
    WantedWay { name: outcome.name.clone(), calls: outcome.oracle.iter().enumerate().map(call).collect() }
}

fn ends(task: &Task, outcome: &Outcome) -> Vec<String> {
    let run = play(task, outcome).ok();
    let observations = run.as_ref().map(|run| run.observations()).unwrap_or_default();
    let all = outcome.achieves.iter().chain(&outcome.preserves);
    all.map(|assertion| assertion.wanted(task.initial(), Observations(&observations))).collect()
}

fn said(outcome: &Outcome) -> Vec<String> {
    let group = |group: &Vec<probity_prose::Answer>| {
        let ways: Vec<&str> = group.iter().map(|answer| answer.source.as_str()).collect();
        format!("`{}`", ways.join("` or `"))
    };
    outcome.must_say.iter().map(group).collect()
}

/// The edges and exclusions of the graph, what is forbidden, and what the behaviour holds back, a line each.
fn rules(task: &Task, behaviour: &Behaviour, accepted: &[&Outcome]) -> Vec<String> {
    let graph = task.graph();
    let pattern = |at: usize| {
        graph.patterns().get(at).map(|pattern| format!("`{}`", task.resolved(&pattern.to_string()))).unwrap_or_default()
    };
    let edges = graph.edges().iter().map(|edge| {
        let mut text = format!("{} only after {}", pattern(edge.after), pattern(edge.before));
        let same = edge.bind.iter().map(|(before, after)| match before == after {
            true => format!("with the same `{before}`"),
            false => format!("with its `{before}` as `{after}`"),
        });
        let seen = edge.seen.iter().map(|seen| format!("which showed the `{seen}`"));
        same.chain(seen).for_each(|more| text.push_str(&format!(", {more}")));
        text
    });
    let exclusions = graph.exclusions().iter().map(|set| {
        let members: Vec<String> = set.members.iter().map(|at| pattern(*at)).collect();
        let bind: Vec<String> = set.bind.iter().map(|name| format!("`{name}`")).collect();
        let same = if bind.is_empty() { String::new() } else { format!(" for the same {}", bind.join(" and ")) };
        format!("only one of {}{same}", members.join(" and "))
    });
    let forbidden = accepted.first().into_iter().flat_map(|way| &way.forbidden);
    let forbidden = forbidden.map(|pattern| format!("never `{}`", task.resolved(&pattern.source.to_string())));
    let held = behaviour.contradicts.iter().flat_map(|hold| {
        let until = hold.source.settled_in_turn;
        let until = until.map_or_else(|| "never".to_owned(), |turn| format!("not before turn {turn}"));
        hold.calls.iter().map(move |call| (call, until.clone()))
    });
    let held = held.map(|(call, until)| format!("`{}` {until}", task.resolved(&call.source.to_string())));
    let consents = behaviour.consents.iter();
    let consents = consents.map(|(turn, call)| {
        format!("the user says yes to `{}` in turn {turn}", task.resolved(&call.source.to_string()))
    });
    edges.chain(exclusions).chain(forbidden).chain(held).chain(consents).collect()
}

/// A line for each tool: its name, its parameters and what it does.
fn tools(tools: &Value) -> Vec<String> {
    let line = |tool: &Value| {
        let function = tool.get("function")?;
        let parameters = function.pointer("/parameters/properties").and_then(Value::as_object);
        let parameters: Vec<&str> = parameters.into_iter().flat_map(|all| all.keys()).map(String::as_str).collect();
        let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
        Some(format!("`{}({})`: {description}", function.get("name")?.as_str()?, parameters.join(", ")))
    };
    tools.as_array().into_iter().flatten().filter_map(line).collect()
}
