//! The tables of cases as text, for a person to judge whether each behaviour is what the policy means.

use serde_json::Value;

use super::Exploration;
use super::cases::Case;
use probity_engine::{Actor, Delta, Effect, Environment, Tool, ToolCall};

pub fn render(environment: &Environment, exploration: &Exploration) -> String {
    let mut text = String::new();
    for (index, tool) in environment.tools().iter().enumerate() {
        text.push_str(&head(tool));
        for case in exploration.cases.of_tool(index) {
            text.push_str(&row(case));
        }
        text.push('\n');
    }
    text
}

fn head(tool: &Tool) -> String {
    let mut marks = vec![if tool.effect == Effect::Read { "read" } else { "write" }];
    marks.extend(tool.irreversible.then_some("irreversible"));
    marks.extend(tool.confirm.then_some("confirm"));
    marks.extend((tool.actor == Actor::User).then_some("by the user"));
    format!("== {} ({})\n{}\n", tool.name, marks.join(", "), tool.description)
}

fn row(case: &Case) -> String {
    let title = match &case.result {
        Ok(_) => "ok".to_owned(),
        Err(rejection) => {
            let path = rejection.path.as_deref().filter(|path| !path.is_empty());
            let path = path.map(|path| format!("{path}: ")).unwrap_or_default();
            format!("{} {}: {path}{}", rejection.kind.name(), rejection.code, rejection.message)
        }
    };
    let mut text = format!("\n-- {title}\n   in   {}\n", case.origin);
    for call in &case.path {
        text.push_str(&format!("   then {}\n", shown(call)));
    }
    text.push_str(&format!("   call {}\n", shown(&case.call)));
    if let Ok((observation, delta)) = &case.result {
        text.push_str(&listed(observation));
        text.push_str(&changed(delta));
    }
    text
}

fn shown(call: &ToolCall) -> String {
    // What fills a parameter to the brim is not worth reading in full.
    const LONGEST: usize = 240;
    let arguments = call.arguments.to_string();
    match arguments.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} {}…", call.tool, arguments.get(..end).unwrap_or_default()),
        None => format!("{} {arguments}", call.tool),
    }
}

/// What was observed; of a list each item on its line.
fn listed(observation: &Value) -> String {
    match observation.as_array().filter(|items| !items.is_empty()) {
        Some(items) => items.iter().map(|item| format!("   sees - {item}\n")).collect(),
        None => format!("   sees {observation}\n"),
    }
}

fn changed(delta: &Delta) -> String {
    let mut text = String::new();
    for (path, fields) in &delta.created {
        text.push_str(&format!("   new  {path} {}\n", Value::Object(fields.clone())));
    }
    for (path, change) in &delta.updated {
        let side = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
        text.push_str(&format!("   sets {path} {} -> {}\n", side(&change.from), side(&change.to)));
    }
    for (path, fields) in &delta.deleted {
        text.push_str(&format!("   gone {path} {}\n", Value::Object(fields.clone())));
    }
    text
}
