//! The critical fields of a desk task as the measures count them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::desk::task::{DeskFact, DeskTask};
use crate::measures::{CriticalField, SlotCall, TraceTask};
use crate::score::{key, written};
use probity_engine::{Actor, ToolCall};

/// Which arguments take the values that a user of a desk gives.
pub struct DeskFields<'t> {
    task: &'t DeskTask,
    /// Tool, argument and the place of a fact.
    slots: BTreeSet<(String, String, usize)>,
}

/// The calls that find a user, with the argument for each field.
const FINDING: &[(&str, &str)] = &[
    ("find_user_id_by_email", "email"),
    ("find_user_id_by_name_zip", "first_name"),
    ("find_user_id_by_name_zip", "last_name"),
    ("find_user_id_by_name_zip", "zip"),
    ("get_user_details", "user_id"),
];

impl<'t> DeskFields<'t> {
    /// Those of a task: arguments that have a fact's value in a call of the task, and those by which a user is found.
    pub fn of(task: &'t DeskTask) -> DeskFields<'t> {
        let facts = || task.facts.iter().enumerate().filter(|(_, fact)| fact.is_critical);
        let mut slots = BTreeSet::new();
        for (at, fact) in facts() {
            let finding = FINDING.iter().filter(|(_, argument)| *argument == fact.field.name());
            slots.extend(finding.map(|(tool, argument)| ((*tool).to_owned(), (*argument).to_owned(), at)));
            for call in task.calls() {
                let takes = |value: &Value| value.as_str().is_some_and(|text| fact.is(text));
                let takers = call.arguments.iter().filter(|(_, value)| takes(value));
                slots.extend(takers.map(|(argument, _)| (call.tool.clone(), argument.clone(), at)));
            }
        }
        DeskFields { task, slots }
    }

    /// What the measures need to know of the task: fields that some argument takes.
    pub fn task(&self) -> TraceTask {
        let fields = self.slots.iter().filter_map(|(.., at)| self.task.facts.get(*at));
        let field = |fact: &DeskFact| (fact.name.clone(), CriticalField { kind: fact.kind, value: fact.value.clone() });
        TraceTask { critical: fields.map(field).collect() }
    }

    /// A call as the measures see it. Of several fields that an argument may take, it is that with its value, else the
    /// last of which the user may have spoken.
    pub fn call(&self, call: &ToolCall, is_ok: bool) -> SlotCall {
        let environment = &self.task.environment;
        let tool = environment.tool(&call.tool);
        let arguments = environment.complete(call).unwrap_or_default();
        let args: BTreeMap<String, String> =
            arguments.iter().map(|(name, value)| (name.clone(), written(value))).collect();
        let slot = |(argument, value): (&String, &String)| {
            let of = self.slots.iter().filter(|(tool, name, _)| *tool == call.tool && name == argument);
            let facts: Vec<&DeskFact> = of.filter_map(|(.., at)| self.task.facts.get(*at)).collect();
            let same = facts.iter().find(|fact| fact.is(value));
            Some((argument.clone(), same.or(facts.first())?.name.clone()))
        };
        SlotCall {
            name: call.tool.clone(),
            slots: args.iter().filter_map(slot).collect(),
            args,
            ok: is_ok,
            irreversible: tool.is_some_and(|tool| tool.actor == Actor::Agent && (tool.irreversible || tool.confirm)),
            key: Some(key(environment, call)),
        }
    }
}
