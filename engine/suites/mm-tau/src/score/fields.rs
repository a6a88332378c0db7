//! The critical fields of a telecom task as the measures count them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::measures::{CriticalField, FieldKind, SlotCall, TraceTask};
use crate::people::understanding::AskedField;
use crate::telecom::{CriticalFieldUse, Form, Source, TelecomTask};
use probity_engine::{Actor, Environment, ToolCall};

/// The critical fields of a task that a line can spoil, and the arguments that take them.
pub struct CriticalFields {
    uses: Vec<(String, CriticalFieldUse)>,
}

impl CriticalFields {
    /// Those of a task: what is said by one side and heard by the other. Two values of one argument are two fields.
    pub fn of(task: &TelecomTask) -> CriticalFields {
        let mut uses: Vec<(String, CriticalFieldUse)> = Vec::new();
        for field in task.critical_fields() {
            if !field.is_required || field.source == Source::Records {
                continue;
            }
            let earlier = uses.iter().filter(|(_, known)| known.name == field.name).count();
            let name = if earlier == 0 { field.name.to_owned() } else { format!("{}_{}", field.name, earlier + 1) };
            uses.push((name, field));
        }
        CriticalFields { uses }
    }

    pub fn task(&self) -> TraceTask {
        self.some(|_| true)
    }

    /// Those that the user has to tell; what the agent reads in the records, knows or proposes it need not ask for.
    pub fn told_by_user(&self) -> TraceTask {
        self.some(|field| field.name == AskedField::PhoneNumber.name())
    }

    fn some(&self, is_meant: impl Fn(&CriticalFieldUse) -> bool) -> TraceTask {
        let field = |(name, field): &(String, CriticalFieldUse)| {
            (name.clone(), CriticalField { kind: kind(field.form), value: written(&Value::from(field.value)) })
        };
        TraceTask { critical: self.uses.iter().filter(|(_, field)| is_meant(field)).map(field).collect() }
    }

    /// A call as the measures see it. Of several fields that one argument may take, it is that with its value, or the
    /// first.
    pub fn call(&self, environment: &Environment, call: &ToolCall, is_ok: bool) -> SlotCall {
        let tool = environment.tool(&call.tool);
        let arguments = environment.complete(call).unwrap_or_default();
        let args: BTreeMap<String, String> =
            arguments.iter().map(|(name, value)| (name.clone(), written(value))).collect();
        let slot = |(argument, value): (&String, &String)| {
            let takes = |field: &CriticalFieldUse| {
                field.slots.iter().any(|slot| slot.tool == call.tool && slot.argument == argument)
            };
            let mut fields = self.uses.iter().filter(|(_, field)| takes(field)).peekable();
            let first = fields.peek().map(|(name, _)| name.clone());
            let same = fields.find(|(_, field)| kind(field.form).same(&written(&Value::from(field.value)), value));
            Some((argument.clone(), same.map(|(name, _)| name.clone()).or(first)?))
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

const fn kind(form: Form) -> FieldKind {
    match form {
        Form::Digits | Form::Amount => FieldKind::Digits,
        Form::Id => FieldKind::Id,
        Form::Name => FieldKind::Name,
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
    use super::*;
    use crate::telecom::task;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn of_two_fields_of_an_argument_a_value_is_the_one_that_it_names_however_it_is_spelt() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../mm-tau");
        let environment = Environment::load(&root, crate::TELECOM).unwrap();
        let fields = CriticalFields::of(&task("[mms_issue]break_app_both_permissions").unwrap());
        for (permission, field) in [("storage", "permission_2"), ("Storage", "permission_2"), ("sms", "permission")] {
            let arguments = json!({"app_name": "messaging", "permission": permission});
            let call = fields.call(&environment, &ToolCall::new("grant_app_permission", arguments), false);
            assert_eq!(call.slots["permission"], field, "{permission}");
        }
    }
}
