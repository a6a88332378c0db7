//! A task of the suite, and what can be wrong with one.

use serde_json::{Value, json};

use crate::model::TaskFile;
use probity_bench::{Section, Wanted, WantedCall, WantedWay};
use probity_engine::{Actor, Environment, Hash, Problem, Tool, ToolCall, suggest};

pub struct Tau2Task {
    /// `<world>/<id there>`.
    pub id: String,
    pub world: String,
    /// Its file below the root.
    pub path: String,
    pub file: TaskFile,
    pub hash: Hash,
}

impl Tau2Task {
    pub fn new(world: &str, path: &str, file: TaskFile) -> Tau2Task {
        let id = format!("{world}/{}", file.id);
        Tau2Task { id, world: world.to_owned(), path: path.to_owned(), hash: Hash::of_serialized(&file), file }
    }
}

const SPLITS: [&str; 3] = ["train", "test", "other"];

impl TaskFile {
    pub fn problems(&self, environment: &Environment) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.id.trim().is_empty() {
            problems.push(Problem::error("/id", "no_id", "the task has no id").help("give it one"));
        }
        if !SPLITS.contains(&self.split.as_str()) {
            let message = format!("`{}` is no split", self.split);
            problems.push(Problem::error("/split", "unknown_split", message).help("it is train, test or other"));
        }
        for (index, call) in self.start.iter().enumerate() {
            problems.extend(wrong(environment, &call.call(), (call.side, true), &format!("/start/{index}")));
        }
        for (index, call) in self.gold.iter().enumerate() {
            problems.extend(wrong(environment, &call.call(), (call.side, false), &format!("/gold/{index}")));
        }
        for (index, call) in self.assertions.iter().enumerate() {
            problems.extend(wrong(environment, &call.call(), (call.side, true), &format!("/assertions/{index}")));
        }
        problems
    }
}

/// What is wrong with a call that a task has; one of the task itself may be of a tool of its own.
fn wrong(environment: &Environment, call: &ToolCall, (side, is_own): (Actor, bool), at: &str) -> Vec<Problem> {
    let known = environment.tool(&call.tool).filter(|tool| tool.actor == side || (is_own && tool.actor == Actor::Task));
    let Some(tool) = known else {
        let who = if side == Actor::User { "user" } else { "agent" };
        let message = format!("the {who} has no tool `{}`", call.tool);
        let own = |tool: &&Tool| tool.actor == side || (is_own && tool.actor == Actor::Task);
        let help = match environment.tool(&call.tool) {
            Some(_) => "it is the other side's: name that side, or another tool".to_owned(),
            None => suggest::help(&call.tool, environment.tools().iter().filter(own).map(|tool| tool.name.as_str())),
        };
        return vec![Problem::error(format!("{at}/tool"), "unknown_tool", message).help(help)];
    };
    let mut arguments = environment.complete(call).unwrap_or_default();
    let violations = tool.arguments.violations_in(&mut arguments);
    let told = |violation: probity_engine::Violation| {
        let message = format!("an argument of `{}`: {}", call.tool, violation.message);
        Problem::error(format!("{at}/arguments{}", violation.path), "bad_arguments", message)
            .help("write what the tool's parameters take")
    };
    violations.into_iter().map(told).collect()
}

pub fn wanted(task: &TaskFile) -> Wanted {
    let calls =
        task.gold.iter().map(|call| WantedCall { tool: call.tool.clone(), arguments: call.arguments.clone(), turn: 1 });
    let by_user = task.gold.iter().filter(|call| call.side == Actor::User).map(|call| call.tool.clone());
    let asserted = task.assertions.iter().map(|asserted| {
        format!("{} {} is to be {}", asserted.tool, Value::Object(asserted.arguments.clone()), asserted.expected)
    });
    let scenario = &task.scenario;
    let told =
        [&scenario.persona, &Some(scenario.reason.clone()), &scenario.known, &scenario.unknown, &scenario.conduct];
    let basis = task.reward_basis.iter().map(|component| json!(component).as_str().unwrap_or_default().to_owned());
    let sections = [
        Section::of("What the reward is made of", basis.collect()),
        Section::of("Who the user is, wants and knows", told.into_iter().flatten().cloned().collect()),
        Section::of("Calls that are the user's", by_user.collect()),
        Section::of("What must hold at the end", asserted.collect()),
        Section::of("What must be said", task.communicate.clone()),
        Section::of("What must be true of the dialogue, for a judge", task.nl_assertions.clone()),
    ];
    Wanted {
        goal: "End as the gold calls do, and say what is asked for.".to_owned(),
        ways: vec![WantedWay { name: "gold".to_owned(), calls: calls.collect() }],
        sections: sections.into_iter().flatten().collect(),
    }
}
