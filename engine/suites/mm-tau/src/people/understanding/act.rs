//! What an agent's message does, as the user understands it.

use super::money::{Amounts, cents};
use crate::measures::{AgentAct, SlotCall};
use crate::telecom::{BILL_CENTS, BILL_ID, CUSTOMER_ID, LINE_ID, REFUEL_CENTS_PER_GB, REFUEL_GB};
use serde::Deserialize;
use serde_json::json;

use super::step::DeviceStep;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedField {
    PhoneNumber,
    FullName,
    DateOfBirth,
    /// The number that the carrier gave the customer.
    CustomerId,
}

impl AskedField {
    /// Its name among the critical fields of a task.
    pub const fn name(self) -> &'static str {
        match self {
            AskedField::PhoneNumber => "phone_number",
            AskedField::FullName => "full_name",
            AskedField::DateOfBirth => "dob",
            AskedField::CustomerId => "customer_id",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConsentTopic {
    Refuel {
        gb: Option<f64>,
    },
    PayBill,
    ResumeLine,
    SuspendLine,
    EnableRoaming,
    ChangePlan,
    HandOver,
    /// Something at an amount that it does not cost.
    Mispriced,
    /// Something that the message does not name.
    Unnamed,
}

impl ConsentTopic {
    /// Whether amounts that are told with the question are right: that of what is bought or paid is among them, it is not
    /// denied, and each is one that the customer knows.
    pub fn is_priced(self, amounts: &Amounts) -> bool {
        let told = &amounts.told;
        let mut known = vec![REFUEL_CENTS_PER_GB, cents(REFUEL_GB) * REFUEL_CENTS_PER_GB / 100, BILL_CENTS];
        if let ConsentTopic::Refuel { gb: Some(gb) } = self {
            known.push(cents(gb) * REFUEL_CENTS_PER_GB / 100);
        }
        if amounts.denied.iter().any(|amount| known.contains(amount))
            || !told.iter().all(|amount| known.contains(amount))
        {
            return false;
        }
        match self {
            ConsentTopic::Refuel { gb: Some(gb) } => {
                told.contains(&REFUEL_CENTS_PER_GB) || told.contains(&(cents(gb) * REFUEL_CENTS_PER_GB / 100))
            }
            ConsentTopic::PayBill => told.contains(&BILL_CENTS),
            ConsentTopic::Refuel { gb: None }
            | ConsentTopic::ResumeLine
            | ConsentTopic::SuspendLine
            | ConsentTopic::EnableRoaming
            | ConsentTopic::ChangePlan
            | ConsentTopic::HandOver
            | ConsentTopic::Mispriced
            | ConsentTopic::Unnamed => true,
        }
    }

    pub const fn costs(self) -> bool {
        matches!(self, ConsentTopic::Refuel { .. } | ConsentTopic::PayBill)
    }

    /// The tool and canonical arguments of the call that a yes permits, where the words settle it: there is one
    /// customer, line and bill in all tasks.
    pub fn key(self) -> Option<String> {
        let on_line = |tool| (tool, json!({"customer_id": CUSTOMER_ID, "line_id": LINE_ID}));
        let (tool, arguments) = match self {
            ConsentTopic::Refuel { gb: Some(gb) } => {
                ("refuel_data", json!({"customer_id": CUSTOMER_ID, "line_id": LINE_ID, "gb_amount": gb}))
            }
            ConsentTopic::PayBill => ("send_payment_request", json!({"customer_id": CUSTOMER_ID, "bill_id": BILL_ID})),
            ConsentTopic::ResumeLine => on_line("resume_line"),
            ConsentTopic::EnableRoaming => on_line("enable_roaming"),
            ConsentTopic::Refuel { gb: None }
            | ConsentTopic::SuspendLine
            | ConsentTopic::ChangePlan
            | ConsentTopic::HandOver
            | ConsentTopic::Mispriced
            | ConsentTopic::Unnamed => return None,
        };
        Some(SlotCall::key_of(tool, &arguments))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum SpokenAct {
    Instruct(DeviceStep),
    AskField {
        field: AskedField,
        is_spelled: bool,
    },
    /// It repeats a value of the user's.
    Repeat {
        field: AskedField,
        /// The value: digits alone, or a name as it was written.
        value: String,
        is_question: bool,
    },
    AskConsent(ConsentTopic),
    AskHowMuch,
    AskProblem,
    AskWhereabouts,
    AskOutcome,
    AskElse,
    ClaimSolved,
    /// It says that somebody else takes over.
    HandOver,
    Wait,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Understanding {
    /// The acts in the order of mention; none when nothing was understood.
    pub acts: Vec<SpokenAct>,
    /// Whether it says where on the phone a thing is found, or how it is done with the fingers.
    pub has_directions: bool,
    /// Amounts of money that it names.
    pub amounts: Amounts,
}

impl Understanding {
    /// The steps that it tells to do, in the order of mention.
    pub fn steps(&self) -> impl Iterator<Item = DeviceStep> {
        self.acts.iter().filter_map(|act| match act {
            SpokenAct::Instruct(step) => Some(*step),
            _ => None,
        })
    }

    /// The acts as the measures of a trace count them: asking for a field or reading it back clarifies, asking for
    /// consent confirms, handing over notifies, all else informs.
    pub(crate) fn agent_acts(&self) -> Vec<AgentAct> {
        let mut acts: Vec<AgentAct> = Vec::new();
        for act in &self.acts {
            let act = agent_act(act);
            if !acts.contains(&act) {
                acts.push(act);
            }
        }
        if acts.is_empty() { vec![AgentAct::Inform] } else { acts }
    }
}

fn agent_act(act: &SpokenAct) -> AgentAct {
    match act {
        SpokenAct::AskField { field, .. } | SpokenAct::Repeat { field, is_question: true, .. } => {
            AgentAct::Clarify { field: Some(field.name().to_owned()) }
        }
        SpokenAct::AskConsent(topic) => AgentAct::Confirm { key: topic.key() },
        SpokenAct::HandOver => AgentAct::TransferNotice,
        SpokenAct::Instruct(_)
        | SpokenAct::Repeat { is_question: false, .. }
        | SpokenAct::AskHowMuch
        | SpokenAct::AskProblem
        | SpokenAct::AskWhereabouts
        | SpokenAct::AskOutcome
        | SpokenAct::AskElse
        | SpokenAct::ClaimSolved
        | SpokenAct::Wait => AgentAct::Inform,
    }
}
