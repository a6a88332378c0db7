//! What a user can be told to do with the phone: one call of a device tool each, and the position a switch should have.

use crate::telecom::Goal;
use probity_bench::named;
use serde::Deserialize;
use serde_json::{Map, Value, json};

named! {
    /// By its tool.
    pub enum DeviceSwitch {
        AirplaneMode = "toggle_airplane_mode",
        MobileData = "toggle_data",
        /// Data roaming, on the phone.
        Roaming = "toggle_roaming",
        DataSaver = "toggle_data_saver_mode",
        Wifi = "toggle_wifi",
        WifiCalling = "toggle_wifi_calling",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwitchPosition {
    On,
    Off,
}

named! {
    /// By its tool.
    pub enum DeviceLook {
        StatusBar = "check_status_bar",
        NetworkStatus = "check_network_status",
        NetworkMode = "check_network_mode_preference",
        SpeedTest = "run_speed_test",
        Sim = "check_sim_status",
        DataSaver = "check_data_restriction_status",
        Apn = "check_apn_settings",
        Wifi = "check_wifi_status",
        WifiCalling = "check_wifi_calling_status",
        Vpn = "check_vpn_status",
        Apps = "check_installed_apps",
        PictureMessage = "can_send_mms",
        PaymentRequest = "check_payment_request",
    }
}

named! {
    /// By its name among the tool's arguments.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum NetworkMode {
        /// 5G and 4G first.
        FiveAndFour = "4g_5g_preferred",
        Four = "4g_only",
        Three = "3g_only",
        Two = "2g_only",
    }
}

named! {
    /// By its name among the tool's arguments.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PhoneApp {
        Messaging = "messaging",
        Browser = "browser",
    }
}

named! {
    /// By its name among the tool's arguments.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AppPermission {
        Sms = "sms",
        /// To reach files.
        Storage = "storage",
        Phone = "phone",
        Network = "network",
    }
}

/// The look by which a user sees whether all is well.
impl From<Goal> for DeviceLook {
    fn from(goal: Goal) -> DeviceLook {
        match goal {
            Goal::Signal => DeviceLook::StatusBar,
            Goal::ExcellentSpeed => DeviceLook::SpeedTest,
            Goal::PictureMessage => DeviceLook::PictureMessage,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceStep {
    Look(DeviceLook),
    LookAtPermissions(PhoneApp),
    /// Bring a switch into a position; without one, flip it.
    Switch(DeviceSwitch, Option<SwitchPosition>),
    Prefer(NetworkMode),
    Grant(PhoneApp, AppPermission),
    /// Have the access point reset at the next restart.
    ResetApn,
    /// Enter the usual access point.
    EnterApn,
    /// Take the SIM card out and put it back.
    ReseatSim,
    Restart,
    ConnectVpn,
    DisconnectVpn,
    /// Pay the bill that waits.
    Pay,
}

impl DeviceSwitch {
    pub const fn look(self) -> DeviceLook {
        match self {
            DeviceSwitch::AirplaneMode => DeviceLook::StatusBar,
            DeviceSwitch::MobileData | DeviceSwitch::Roaming => DeviceLook::NetworkStatus,
            DeviceSwitch::DataSaver => DeviceLook::DataSaver,
            DeviceSwitch::Wifi => DeviceLook::Wifi,
            DeviceSwitch::WifiCalling => DeviceLook::WifiCalling,
        }
    }
}

impl DeviceStep {
    pub const fn tool(self) -> &'static str {
        match self {
            DeviceStep::Look(look) => look.name(),
            DeviceStep::LookAtPermissions(_) => "check_app_permissions",
            DeviceStep::Switch(switch, _) => switch.name(),
            DeviceStep::Prefer(_) => "set_network_mode_preference",
            DeviceStep::Grant(..) => "grant_app_permission",
            DeviceStep::ResetApn => "reset_apn_settings",
            DeviceStep::EnterApn => "set_apn_settings",
            DeviceStep::ReseatSim => "reseat_sim_card",
            DeviceStep::Restart => "reboot_device",
            DeviceStep::ConnectVpn => "connect_vpn",
            DeviceStep::DisconnectVpn => "disconnect_vpn",
            DeviceStep::Pay => "make_payment",
        }
    }

    pub fn arguments(self) -> Map<String, Value> {
        let pairs: Vec<(&str, Value)> = match self {
            DeviceStep::LookAtPermissions(app) => vec![("app_name", json!(app.name()))],
            DeviceStep::Prefer(mode) => vec![("mode", json!(mode.name()))],
            DeviceStep::Grant(app, permission) => {
                vec![("app_name", json!(app.name())), ("permission", json!(permission.name()))]
            }
            DeviceStep::EnterApn => vec![("apn_settings", json!({"apn_name": "internet"}))],
            DeviceStep::Look(_)
            | DeviceStep::Switch(..)
            | DeviceStep::ResetApn
            | DeviceStep::ReseatSim
            | DeviceStep::Restart
            | DeviceStep::ConnectVpn
            | DeviceStep::DisconnectVpn
            | DeviceStep::Pay => Vec::new(),
        };
        pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
