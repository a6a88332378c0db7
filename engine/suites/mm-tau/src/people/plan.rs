//! What an agent means to do for a task, from its gold calls and what must be looked at before, and what it has found in
//! the carrier's records.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::manner::{Care, HandsOver};
use crate::measures::{FieldKind, canonical};
use crate::people::understanding::{
    AppPermission, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SwitchPosition,
};
use crate::telecom::{Call, Gold, Issue, TelecomTask};
use probity_engine::Actor;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlanStage {
    Tell(DeviceStep),
    /// Call a tool, after consent where that is due.
    Make(Call),
    HandOver,
    Prove,
    Claim,
}

/// Causes that the page about the network does not show, and where they are seen.
const HIDDEN: &[(&[Issue], DeviceStep)] = &[
    (&[Issue::BadVpn], DeviceStep::Look(DeviceLook::Vpn)),
    (&[Issue::DataSaverModeOn], DeviceStep::Look(DeviceLook::DataSaver)),
    (&[Issue::BadNetworkPreference], DeviceStep::Look(DeviceLook::NetworkMode)),
    (&[Issue::BadWifiCalling], DeviceStep::Look(DeviceLook::WifiCalling)),
    (&[Issue::BreakApnMmsSetting, Issue::BreakApnSettings], DeviceStep::Look(DeviceLook::Apn)),
    (
        &[Issue::BreakAppBothPermissions, Issue::BreakAppSmsPermission, Issue::BreakAppStoragePermission],
        DeviceStep::LookAtPermissions(PhoneApp::Messaging),
    ),
];

/// The tools of gold calls that need no argument, and the step that makes the call.
const STEPS: &[(&str, DeviceStep)] = &[
    ("toggle_airplane_mode", DeviceStep::Switch(DeviceSwitch::AirplaneMode, Some(SwitchPosition::Off))),
    ("toggle_data", DeviceStep::Switch(DeviceSwitch::MobileData, Some(SwitchPosition::On))),
    ("toggle_roaming", DeviceStep::Switch(DeviceSwitch::Roaming, Some(SwitchPosition::On))),
    ("toggle_data_saver_mode", DeviceStep::Switch(DeviceSwitch::DataSaver, Some(SwitchPosition::Off))),
    ("toggle_wifi_calling", DeviceStep::Switch(DeviceSwitch::WifiCalling, Some(SwitchPosition::Off))),
    ("set_network_mode_preference", DeviceStep::Prefer(NetworkMode::FiveAndFour)),
    ("reset_apn_settings", DeviceStep::ResetApn),
    ("reseat_sim_card", DeviceStep::ReseatSim),
    ("reboot_device", DeviceStep::Restart),
    ("disconnect_vpn", DeviceStep::DisconnectVpn),
    ("make_payment", DeviceStep::Pay),
];

/// The plan of an agent for a task, once the customer is found.
pub(super) fn plan(task: &TelecomTask, care: Care) -> VecDeque<PlanStage> {
    let issues = task.issues();
    let mut plan = VecDeque::from([PlanStage::Tell(DeviceStep::Look(DeviceLook::NetworkStatus))]);
    match task.gold() {
        Gold::Transfer(_) => {
            if issues.contains(&Issue::LockSimCardPin) || issues.contains(&Issue::LockSimCardPuk) {
                // A card that is out of its place does not show that it is locked.
                plan.extend(issues.contains(&Issue::UnseatSimCard).then_some(PlanStage::Tell(DeviceStep::ReseatSim)));
                plan.push_back(PlanStage::Tell(DeviceStep::Look(DeviceLook::Sim)));
            }
            plan.push_back(if care.hands_over == HandsOver::Never { PlanStage::Claim } else { PlanStage::HandOver });
        }
        Gold::Repair(calls) => {
            let is_there = |causes: &[Issue]| causes.iter().any(|cause| issues.contains(cause));
            let looks = HIDDEN.iter().filter(|(causes, _)| is_there(causes));
            plan.extend(looks.map(|(_, step)| PlanStage::Tell(*step)));
            plan.extend(calls.iter().filter_map(stage));
            plan.push_back(PlanStage::Prove);
        }
    }
    plan
}

fn stage(call: &Call) -> Option<PlanStage> {
    match call.side {
        Actor::Agent | Actor::Task => Some(PlanStage::Make(call.clone())),
        Actor::User => step(call).map(PlanStage::Tell),
    }
}

fn step(call: &Call) -> Option<DeviceStep> {
    if call.function == "grant_app_permission" {
        let permission = match call.arguments.get("permission").and_then(Value::as_str)? {
            "sms" => AppPermission::Sms,
            _ => AppPermission::Storage,
        };
        return Some(DeviceStep::Grant(PhoneApp::Messaging, permission));
    }
    STEPS.iter().find(|(tool, _)| *tool == call.function).map(|(_, step)| *step)
}

/// The customer, the line and what hangs on them, as far as they were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Records {
    customer_id: Option<String>,
    line_ids: Vec<String>,
    line: Option<Value>,
    plan: Option<Value>,
    bills: Vec<Value>,
}

pub(super) fn is_refusal(result: &Value) -> bool {
    result.get("error").is_some() || result.is_null()
}

impl Records {
    /// Takes a customer in; tells whether it is one.
    pub(super) fn take_customer(&mut self, result: &Value) -> bool {
        self.customer_id = result.get("customer_id").and_then(Value::as_str).map(str::to_owned);
        let ids = result.get("line_ids").and_then(Value::as_array).into_iter().flatten();
        self.line_ids = ids.filter_map(Value::as_str).map(str::to_owned).collect();
        self.customer_id.is_some() && !is_refusal(result)
    }

    pub(super) fn line_calls(&self) -> Vec<(String, Value)> {
        self.line_ids.iter().map(|id| ("get_details_by_id".to_owned(), json!({"id": id}))).collect()
    }

    pub(super) fn take_line(&mut self, results: &[Value], number: &str) {
        let digits = |line: &&Value| {
            let own = line.get("phone_number").and_then(Value::as_str).unwrap_or("");
            canonical(FieldKind::Digits, own) == number
        };
        self.line = results.iter().find(digits).or(results.first()).cloned();
    }

    /// The calls that look up the line's plan and usage and the customer's bills.
    pub(super) fn detail_calls(&self) -> Vec<(String, Value)> {
        let (Some(customer), Some(line)) = (&self.customer_id, self.text("line_id")) else { return Vec::new() };
        let plan = self.text("plan_id").unwrap_or_default();
        vec![
            ("get_data_usage".to_owned(), json!({"customer_id": customer, "line_id": line})),
            ("get_details_by_id".to_owned(), json!({"id": plan})),
            ("get_bills_for_customer".to_owned(), json!({"customer_id": customer})),
        ]
    }

    pub(super) fn take_details(&mut self, results: &[Value]) {
        self.plan = results.iter().find(|result| result.get("data_refueling_price_per_gb").is_some()).cloned();
        self.bills = results.iter().filter_map(Value::as_array).flatten().cloned().collect();
    }

    fn text(&self, field: &str) -> Option<String> {
        self.line.as_ref()?.get(field)?.as_str().map(str::to_owned)
    }

    /// A gold call with the ids that were found; none where they were not.
    pub(super) fn call(&self, call: &Call) -> Option<(String, Value)> {
        let mut arguments = call.arguments.clone();
        let found = [("customer_id", self.customer_id.clone()), ("line_id", self.text("line_id"))];
        for (name, id) in found {
            if let Some(argument) = arguments.get_mut(name) {
                *argument = Value::from(id?);
            }
        }
        Some((call.function.clone(), Value::Object(arguments)))
    }

    /// What so many GB cost, in dollars.
    pub(super) fn price(&self, gb: f64) -> Option<f64> {
        let rate = self.plan.as_ref()?.get("data_refueling_price_per_gb")?.as_f64()?;
        Some(rate * gb)
    }

    /// What is due on a bill, in dollars.
    pub(super) fn due(&self, bill_id: &str) -> Option<f64> {
        let is_it = |bill: &&Value| bill.get("bill_id").and_then(Value::as_str) == Some(bill_id);
        self.bills.iter().find(is_it)?.get("total_due")?.as_f64()
    }
}
