//! The most telling calls of each tool: for each way in which its calls ended the shortest to read; and
//! the tables of them, for a person to judge whether each behaviour is what the policy means.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Exploration;
use super::places::ReachableState;
use probity_engine::{Actor, Delta, Effect, Environment, Rejection, RejectionKind, Tool, ToolCall};

/// Successes of one tool that are kept.
const SUCCESSES: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// It succeeded; whether nothing came of it, and what it did without keys and free values.
    Success(bool, String),
    Invalid,
    Refused(usize),
    Failed(String),
}

#[derive(Clone, Debug)]
pub struct Case {
    pub call: ToolCall,
    /// Where its state starts: a populated state or a task.
    pub origin: String,
    pub path: Vec<ToolCall>,
    pub result: Result<(Value, Delta), Rejection>,
    rank: (usize, usize, usize, String),
}

#[derive(Clone, Debug, Default)]
pub struct Cases {
    best: BTreeMap<(usize, End), Case>,
}

impl Cases {
    /// Takes a call in when it is more telling than what there is of its end: fewer calls before it,
    /// an earlier start, shorter to read.
    pub fn offer(
        &mut self,
        tool: usize,
        end: End,
        place: &ReachableState,
        call: &ToolCall,
        result: Result<(&Value, &Delta), &Rejection>,
    ) {
        let known = self.best.get(&(tool, end.clone()));
        let near = (place.path.len(), place.rank);
        if known.is_some_and(|known| (known.rank.0, known.rank.1) < near) {
            return;
        }
        let seen = match result {
            Ok((observation, delta)) => {
                observation.to_string().len() + serde_json::to_string(delta).map_or(0, |text| text.len())
            }
            Err(rejection) => rejection.message.len(),
        };
        let text = call.arguments.to_string();
        // Arguments that a person can read tell more than the edge of what a schema allows.
        let blank = text.matches(":\"\"").count() + text.matches(":\" \"").count();
        let odd = 8 * text.chars().filter(|c| !c.is_ascii()).count() + 30 * blank;
        let rank = (near.0, near.1, seen + text.len() + odd, text);
        if known.is_some_and(|known| known.rank <= rank) {
            return;
        }
        let result = result.map(|(observation, delta)| (observation.clone(), delta.clone())).map_err(Clone::clone);
        let case = Case { call: call.clone(), origin: place.origin.clone(), path: place.path.clone(), result, rank };
        self.best.insert((tool, end), case);
    }

    /// The cases of a tool in the order of its table: a few successes, then every kind of refusal.
    pub fn of_tool(&self, tool: usize) -> Vec<&Case> {
        let cases: Vec<(&End, &Case)> =
            self.best.iter().filter(|((of, _), _)| *of == tool).map(|((_, end), case)| (end, case)).collect();
        let mut successes: Vec<&(&End, &Case)> =
            cases.iter().filter(|(end, _)| matches!(end, End::Success(..))).collect();
        successes.sort_by_key(|(end, case)| (matches!(end, End::Success(true, _)), &case.rank));
        let refusals = cases.iter().filter(|(end, _)| !matches!(end, End::Success(..)));
        successes.into_iter().take(SUCCESSES).chain(refusals).map(|(_, case)| *case).collect()
    }
}

/// How a refused call ended, if that is a case: a fault of the author is none.
pub fn end_of(rejection: &Rejection, preconditions: &[String]) -> Option<End> {
    match rejection.kind {
        RejectionKind::InvalidArguments => Some(End::Invalid),
        RejectionKind::PreconditionFailed => {
            preconditions.iter().position(|code| *code == rejection.code).map(End::Refused)
        }
        RejectionKind::ToolFailed => Some(End::Failed(rejection.code.clone())),
        RejectionKind::UnknownTool
        | RejectionKind::LimitExceeded
        | RejectionKind::SchemaViolation
        | RejectionKind::EffectViolation
        | RejectionKind::ScriptFault => None,
    }
}

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
