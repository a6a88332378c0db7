//! A task of any world, as it is played and scored, and its critical fields as the measures count them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dyn_clone::DynClone;
use serde_json::Value;

use super::retold::Retold;
use crate::measures::{AgentAct, CriticalField, EscalationVerdict, SlotCall, TraceTask};
use crate::people::{ServiceManner, UserMove};
use crate::telecom::Persona;
use probity_bench::{Agent, Event, Finding, Step, Trace, Wanted};
use probity_engine::{Actor, Environment, Hash, State, ToolCall};

/// A task with the world that it is at home in.
pub trait PlayedTask {
    fn environment(&self) -> &Arc<Environment>;
    /// Of all that the task says.
    fn hash(&self) -> Hash;
    /// The state in which it begins; nothing where the world refuses that.
    fn beginning(&self) -> Option<State>;
    /// What an agent is told beside the rules of the world, and what guards against early hand-overs.
    fn manual(&self) -> (&'static str, &'static str);
    /// The names of the user, for a line on which names are misheard.
    fn names(&self) -> Vec<&str>;
    fn person(&self, persona: Persona) -> Box<dyn Person>;
    fn agent(&self, manner: ServiceManner) -> Box<dyn Agent>;
    fn wanted(&self, persona: Persona) -> Wanted;

    fn fields(&self) -> CriticalFields;
    /// Calls for which an agent that knows all asks leave.
    fn asks_leave_for(&self) -> Vec<ToolCall>;
    /// Whether a call that was carried out finds out who the user is.
    fn identifies(&self, step: &Step) -> bool;
    /// Whether the user's words alone tell who they are.
    fn is_identified_by(&self, _heard: &str) -> bool {
        false
    }
    /// Fields that some words tell, critical or not.
    fn told_in(&self, heard: &str) -> Vec<&str>;
    /// Whether who looks at what the records have named has taken nothing wrong.
    fn forgives_looks(&self) -> bool {
        false
    }
    /// What became of the hand-over.
    fn verdict(&self, retold: &Retold) -> EscalationVerdict;
    /// Whether that is what the task wants, where no finding says otherwise.
    fn wants(&self, _verdict: &EscalationVerdict) -> bool {
        true
    }
    /// What was done wrong, but for the hand-over.
    fn findings(&self, retold: &Retold, trace: &Trace) -> Vec<Finding>;
    /// What is wrong with a hand-over, if something is.
    fn wrong_hand_over(&self, verdict: &EscalationVerdict) -> Option<String>;
}

/// Who calls.
pub trait Person: DynClone + Send + Sync {
    /// What they do next, after what happened since their last move.
    fn next_move(&mut self, since: &[Event]) -> UserMove;
    /// The conversation, as a channel knows it.
    fn conversation(&self) -> &str;
    /// What a message does, as the measures count it; nothing where that is known only once they have heard it.
    fn reads(&self, text: &str) -> Option<Vec<AgentAct>>;
    /// What the message that they heard last does.
    fn acts(&self) -> Vec<AgentAct>;
    /// Whether they were not refused what has to be refused.
    fn is_unrefused(&self) -> bool {
        false
    }
}

dyn_clone::clone_trait_object!(Person);

/// The critical fields of a task that a line can spoil, and the arguments that take them.
#[derive(Default)]
pub struct CriticalFields {
    fields: Vec<(String, CriticalField)>,
    /// Tool, argument and the place of a field.
    slots: BTreeSet<(String, String, usize)>,
    /// Names of those that the user has to tell.
    told: BTreeSet<String>,
}

impl CriticalFields {
    pub fn add(
        &mut self,
        field: (String, CriticalField),
        slots: impl IntoIterator<Item = (String, String)>,
        is_told: bool,
    ) {
        let at = self.fields.len();
        self.slots.extend(slots.into_iter().map(|(tool, argument)| (tool, argument, at)));
        self.told.extend(is_told.then(|| field.0.clone()));
        self.fields.push(field);
    }

    /// Those that some argument takes.
    pub fn task(&self) -> TraceTask {
        TraceTask { critical: self.slots.iter().filter_map(|(.., at)| self.fields.get(*at)).cloned().collect() }
    }

    /// Those of them that the user has to tell.
    pub(crate) fn told_by_user(&self) -> TraceTask {
        let mut task = self.task();
        task.critical.retain(|name, _| self.told.contains(name));
        task
    }

    /// A call as the measures see it. Of several fields that one argument may take, it is that with its value, or the
    /// first.
    pub fn call(&self, environment: &Environment, call: &ToolCall, is_ok: bool) -> SlotCall {
        let tool = environment.tool(&call.tool);
        let arguments = environment.complete(call).unwrap_or_default();
        let args: BTreeMap<String, String> =
            arguments.iter().map(|(name, value)| (name.clone(), written(value))).collect();
        let slot = |(argument, value): (&String, &String)| {
            let of = self.slots.iter().filter(|(tool, name, _)| *tool == call.tool && name == argument);
            let fields: Vec<&(String, CriticalField)> = of.filter_map(|(.., at)| self.fields.get(*at)).collect();
            let same = fields.iter().find(|(_, field)| field.kind.same(&field.value, value));
            Some((argument.clone(), same.or(fields.first())?.0.clone()))
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

/// A call by which a yes to it is known: its tool and its arguments in their one form.
pub fn key(environment: &Environment, call: &ToolCall) -> String {
    let arguments = environment.complete(call).unwrap_or_default();
    SlotCall::key_of(&call.tool, &Value::Object(arguments))
}

/// A value as a text: a text as it is, a number in its one form.
pub fn written(value: &Value) -> String {
    let mut value = value.clone();
    // A number that has no one form is written as it is.
    let _ = probity_engine::number::normalise(&mut value);
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::play::TelecomPlay;
    use crate::score::PlayedTask;
    use crate::telecom::task;
    use probity_engine::{Environment, ToolCall};
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn of_two_fields_of_an_argument_a_value_is_the_one_that_it_names_however_it_is_spelt() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mm-tau");
        let environment = std::sync::Arc::new(Environment::load(&root, crate::TELECOM).unwrap());
        let task = task("[mms_issue]break_app_both_permissions").unwrap();
        let fields = TelecomPlay { environment: &environment, household: &std::sync::OnceLock::new(), task }.fields();
        for (permission, field) in [("storage", "permission_2"), ("Storage", "permission_2"), ("sms", "permission")] {
            let arguments = json!({"app_name": "messaging", "permission": permission});
            let call = fields.call(&environment, &ToolCall::new("grant_app_permission", arguments), false);
            assert_eq!(call.slots["permission"], field, "{permission}");
        }
    }
}
