//! Values that must survive a voice channel, for the customer or the call they name would otherwise be another.

use serde::Serialize;
use serde_json::Value;

use super::scenario::{CUSTOMER_NAME, PHONE_NUMBER};
use super::tables::Call;

/// A value that some tool must be called with, character by character or number by number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriticalFieldUse {
    pub name: &'static str,
    pub value: Value,
    /// How two spellings of it are compared.
    pub form: Form,
    pub source: Source,
    /// Whether the task cannot be done without it; otherwise it counts where it was used.
    pub is_required: bool,
    pub slots: Vec<Slot>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slot {
    pub tool: String,
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
    let number = Slot { tool: "get_customer_by_phone".to_owned(), argument: "phone_number" };
    let name = Slot { tool: "get_customer_by_name".to_owned(), argument: "full_name" };
    let mut fields = vec![
        field(number, PHONE_NUMBER.into(), Form::Digits, Source::User),
        CriticalFieldUse { is_required: false, ..field(name, CUSTOMER_NAME.into(), Form::Name, Source::User) },
    ];
    for call in calls {
        for &(argument, form, source) in ARGUMENTS {
            if let Some(value) = call.arguments.get(argument) {
                let slot = Slot { tool: call.function.clone(), argument };
                add(&mut fields, field(slot, value.clone(), form, source));
            }
        }
    }
    fields
}

fn field(slot: Slot, value: Value, form: Form, source: Source) -> CriticalFieldUse {
    CriticalFieldUse { name: slot.argument, value, form, source, is_required: true, slots: vec![slot] }
}

/// Adds the argument of a field to that of its value, or the field.
fn add(fields: &mut Vec<CriticalFieldUse>, new: CriticalFieldUse) {
    match fields.iter_mut().find(|field| field.name == new.name && field.value == new.value) {
        Some(field) if new.slots.iter().all(|slot| field.slots.contains(slot)) => {}
        Some(field) => field.slots.extend(new.slots),
        None => fields.push(new),
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::task;
    use super::*;

    fn shown(id: &str) -> Vec<String> {
        let fields = task(id).unwrap().critical_fields();
        let slots =
            |field: &CriticalFieldUse| field.slots.iter().map(|slot| slot.tool.as_str()).collect::<Vec<_>>().join(" ");
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
