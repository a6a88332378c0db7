//! What an agent's message does, as the user understands it, and what it can tell them to do with the phone: one call of a
//! device tool each, and the position a switch should have.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::figures::{Amounts, cents};
use crate::measures::{AgentAct, SlotCall};
use crate::telecom::{BILL_CENTS, BILL_ID, CUSTOMER_ID, Goal, LINE_ID, REFUEL_CENTS_PER_GB, REFUEL_GB};
use probity_bench::named;

named! {
    /// By its name among the critical fields of a task.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AskedField {
        PhoneNumber = "phone_number",
        FullName = "full_name",
        DateOfBirth = "dob",
        /// The number that the carrier gave the customer.
        CustomerId = "customer_id",
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
