//! What a user can be told to do with the phone: one call of a device tool each, and the position a switch should have.

use serde_json::{Map, Value, json};

/// A switch of the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceSwitch {
    /// Airplane mode.
    AirplaneMode,
    /// Mobile data.
    MobileData,
    /// Data roaming, on the phone.
    Roaming,
    /// Data saver.
    DataSaver,
    /// Wi-Fi.
    Wifi,
    /// Calls over Wi-Fi.
    WifiCalling,
}

/// Where a switch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwitchPosition {
    /// On.
    On,
    /// Off.
    Off,
}

/// Something to look at, without an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceLook {
    /// The status bar.
    StatusBar,
    /// The page about the network.
    NetworkStatus,
    /// Which networks the phone prefers.
    NetworkMode,
    /// A speed test.
    SpeedTest,
    /// The SIM card.
    Sim,
    /// Data saver.
    DataSaver,
    /// The access point.
    Apn,
    /// Wi-Fi.
    Wifi,
    /// Calls over Wi-Fi.
    WifiCalling,
    /// The VPN.
    Vpn,
    /// The apps.
    Apps,
    /// Whether a picture message can be sent.
    PictureMessage,
    /// Whether a bill waits to be paid.
    PaymentRequest,
}

/// Networks that a phone may prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// An app of the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PhoneApp {
    /// The one for messages.
    Messaging,
    /// The one for web pages.
    Browser,
}

/// What an app may be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AppPermission {
    /// To send texts.
    Sms,
    /// To reach files.
    Storage,
    /// To make calls.
    Phone,
    /// To use the network.
    Network,
}

/// One thing to do with the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceStep {
    /// Look and tell.
    Look(DeviceLook),
    /// Look at what an app may do.
    LookAtPermissions(PhoneApp),
    /// Bring a switch into a position; without one, flip it.
    Switch(DeviceSwitch, Option<SwitchPosition>),
    /// Prefer these networks.
    Prefer(NetworkMode),
    /// Allow an app something.
    Grant(PhoneApp, AppPermission),
    /// Have the access point reset at the next restart.
    ResetApn,
    /// Enter the usual access point.
    EnterApn,
    /// Take the SIM card out and put it back.
    ReseatSim,
    /// Restart the phone.
    Restart,
    /// Connect the VPN.
    ConnectVpn,
    /// Disconnect the VPN.
    DisconnectVpn,
    /// Pay the bill that waits.
    Pay,
}

impl DeviceSwitch {
    /// The tool that flips it.
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

    /// Where its position can be seen.
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
    /// The tool that looks.
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
    /// The tool of the step.
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

    /// The arguments of its call.
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
