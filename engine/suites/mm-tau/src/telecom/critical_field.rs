//! Values that must survive a voice channel, for the customer or the call they name would otherwise be another.

use serde::Serialize;

use super::call::Call;
use super::facts::{CUSTOMER_NAME, PHONE_NUMBER};
use super::literal::Literal::{self, Text};

/// A value that some tool must be called with, character by character or number by number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriticalFieldUse {
    pub name: &'static str,
    pub value: Literal,
    /// How two spellings of it are compared.
    pub form: Form,
    pub source: Source,
    /// Whether the task cannot be done without it; otherwise it counts where it was used.
    pub is_required: bool,
    pub slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Slot {
    pub tool: &'static str,
    pub argument: &'static str,
}

/// How two spellings of a value are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// By the digits alone.
    Digits,
    /// By letters and digits, whatever their case.
    Id,
    Amount,
    /// By the words.
    Name,
}

/// Where the caller of a tool has a value from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The user says it, the agent hears it.
    User,
    /// The agent says it, the user hears it.
    Agent,
    /// The agent reads it in the records; no voice carries it unless the agent asks for it or reads it out.
    Records,
}

/// How the arguments of gold calls travel. Others (`summary`) are free text.
const ARGUMENTS: &[(&str, Form, Source)] = &[
    ("customer_id", Form::Id, Source::Records),
    ("line_id", Form::Id, Source::Records),
    ("bill_id", Form::Id, Source::Records),
    ("gb_amount", Form::Amount, Source::User),
    ("mode", Form::Id, Source::Agent),
    ("app_name", Form::Name, Source::Agent),
    ("permission", Form::Name, Source::Agent),
];

/// The critical fields of a task with these gold calls: the phone number by which the customer is found (by name they
/// can be found as well, by one who knows the date of birth), then each value of the calls once, with all arguments
/// that take it.
pub(super) fn of_calls(calls: &[Call]) -> Vec<CriticalFieldUse> {
    let number = Slot { tool: "get_customer_by_phone", argument: "phone_number" };
    let name = Slot { tool: "get_customer_by_name", argument: "full_name" };
    let mut fields = vec![
        field(number, Text(PHONE_NUMBER), Form::Digits, Source::User),
        CriticalFieldUse { is_required: false, ..field(name, Text(CUSTOMER_NAME), Form::Name, Source::User) },
    ];
    for call in calls {
        for &(argument, value) in call.arguments {
            add(&mut fields, Slot { tool: call.function, argument }, value);
        }
    }
    fields
}

fn field(slot: Slot, value: Literal, form: Form, source: Source) -> CriticalFieldUse {
    CriticalFieldUse { name: slot.argument, value, form, source, is_required: true, slots: vec![slot] }
}

/// Adds an argument to the field of its value, or begins one.
fn add(fields: &mut Vec<CriticalFieldUse>, slot: Slot, value: Literal) {
    let Some(&(name, form, source)) = ARGUMENTS.iter().find(|(name, ..)| *name == slot.argument) else { return };
    match fields.iter_mut().find(|field| field.name == name && field.value == value) {
        Some(field) if field.slots.contains(&slot) => {}
        Some(field) => field.slots.push(slot),
        None => fields.push(field(slot, value, form, source)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::task_id::task;
    use super::*;

    fn shown(id: &str) -> Vec<String> {
        let fields = task(id).unwrap().critical_fields();
        let slots = |field: &CriticalFieldUse| field.slots.iter().map(|slot| slot.tool).collect::<Vec<_>>().join(" ");
        fields.iter().map(|field| format!("{} {:?} {}", field.name, field.source, slots(field))).collect()
    }

    #[test]
    fn every_value_stands_once_with_its_tools() {
        assert_eq!(
            shown("[service_issue]overdue_bill_suspension"),
            [
                "phone_number User get_customer_by_phone",
                "full_name User get_customer_by_name",
                "customer_id Records send_payment_request resume_line",
                "bill_id Records send_payment_request",
                "line_id Records resume_line",
            ]
        );
        assert_eq!(
            shown("[mms_issue]break_app_both_permissions").split_off(2),
            [
                "app_name Agent grant_app_permission",
                "permission Agent grant_app_permission",
                "permission Agent grant_app_permission",
            ]
        );
    }

    #[test]
    fn a_transfer_needs_the_customer_alone() {
        assert_eq!(shown("[service_issue]lock_sim_card_pin").len(), 2);
    }
}
