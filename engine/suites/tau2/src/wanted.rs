//! What is wanted at a task, for people.

use serde_json::{Value, json};

use crate::model::TaskFile;
use probity_bench::{Section, Wanted, WantedCall, WantedWay};
use probity_engine::Actor;

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
