//! What an agent means to do for a task, from its gold calls and what must be looked at before.

use std::collections::VecDeque;

use crate::telecom::{Call, Gold, Issue, Side, TelecomTask};
use serde_json::Value;

use super::manner::{Care, HandsOver};
use crate::people::understanding::{
    AppPermission, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SwitchPosition,
};

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
        Side::Agent => Some(PlanStage::Make(call.clone())),
        Side::User => step(call).map(PlanStage::Tell),
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
