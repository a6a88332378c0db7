//! What a user can be told to do with the phone: one call of a device tool each, and the position a switch should have.

use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceSwitch {
    AirplaneMode,
    MobileData,
    /// Data roaming, on the phone.
    Roaming,
    DataSaver,
    Wifi,
    WifiCalling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwitchPosition {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceLook {
    StatusBar,
    NetworkStatus,
    NetworkMode,
    SpeedTest,
    Sim,
    DataSaver,
    Apn,
    Wifi,
    WifiCalling,
    Vpn,
    Apps,
    PictureMessage,
    PaymentRequest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkMode {
    /// 5G and 4G first.
    FiveAndFour,
    /// 4G alone.
    Four,
    /// 3G alone.
    Three,
    /// 2G alone.
    Two,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhoneApp {
    Messaging,
    Browser,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AppPermission {
    Sms,
    /// To reach files.
    Storage,
    Phone,
    Network,
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
    pub const fn tool(self) -> &'static str {
        match self {
            DeviceSwitch::AirplaneMode => "toggle_airplane_mode",
            DeviceSwitch::MobileData => "toggle_data",
            DeviceSwitch::Roaming => "toggle_roaming",
            DeviceSwitch::DataSaver => "toggle_data_saver_mode",
            DeviceSwitch::Wifi => "toggle_wifi",
            DeviceSwitch::WifiCalling => "toggle_wifi_calling",
        }
    }

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

impl DeviceLook {
    pub const fn tool(self) -> &'static str {
        match self {
            DeviceLook::StatusBar => "check_status_bar",
            DeviceLook::NetworkStatus => "check_network_status",
            DeviceLook::NetworkMode => "check_network_mode_preference",
            DeviceLook::SpeedTest => "run_speed_test",
            DeviceLook::Sim => "check_sim_status",
            DeviceLook::DataSaver => "check_data_restriction_status",
            DeviceLook::Apn => "check_apn_settings",
            DeviceLook::Wifi => "check_wifi_status",
            DeviceLook::WifiCalling => "check_wifi_calling_status",
            DeviceLook::Vpn => "check_vpn_status",
            DeviceLook::Apps => "check_installed_apps",
            DeviceLook::PictureMessage => "can_send_mms",
            DeviceLook::PaymentRequest => "check_payment_request",
        }
    }
}

impl NetworkMode {
    /// Its name among the tool's arguments.
    pub const fn name(self) -> &'static str {
        match self {
            NetworkMode::FiveAndFour => "4g_5g_preferred",
            NetworkMode::Four => "4g_only",
            NetworkMode::Three => "3g_only",
            NetworkMode::Two => "2g_only",
        }
    }
}

impl PhoneApp {
    /// Its name among the tool's arguments.
    pub const fn name(self) -> &'static str {
        match self {
            PhoneApp::Messaging => "messaging",
            PhoneApp::Browser => "browser",
        }
    }
}

impl AppPermission {
    /// Its name among the tool's arguments.
    pub const fn name(self) -> &'static str {
        match self {
            AppPermission::Sms => "sms",
            AppPermission::Storage => "storage",
            AppPermission::Phone => "phone",
            AppPermission::Network => "network",
        }
    }
}

impl DeviceStep {
    pub const fn tool(self) -> &'static str {
        match self {
            DeviceStep::Look(look) => look.tool(),
            DeviceStep::LookAtPermissions(_) => "check_app_permissions",
            DeviceStep::Switch(switch, _) => switch.tool(),
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
