//! What telecom tasks are made of, read from `telecom.toml`: calls and assertions, when a user is rightly handed over,
//! what users call about, and what can be wrong.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::predicate::Predicate;
use probity_bench::named;
use probity_engine::{Actor, ToolCall};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    set_user_info: Call,
    transfer: Call,
    words: BTreeMap<String, String>,
    escalation: Escalation,
    intents: BTreeMap<Intent, IntentBlock>,
    issues: BTreeMap<Issue, IssueBlock>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| toml::from_str(include_str!("telecom.toml")).unwrap_or_default());
static NO_INTENT: IntentBlock = IntentBlock { sets: Vec::new(), solved: Vec::new(), handed_over: Vec::new() };
static NO_ISSUE: IssueBlock = IssueBlock {
    initialization: Vec::new(),
    repair: Repair::Calls(Vec::new()),
    breaks: Vec::new(),
    leaves: None,
    assertions: Vec::new(),
};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Whose function it is: the carrier's records are the agent's, the phone is the user's.
    pub side: Actor,
    /// The function: a tool, or a helper of the environment's that initialization and assertions alone may call.
    pub function: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

impl Call {
    pub fn made(&self) -> ToolCall {
        ToolCall::new(&self.function, Value::Object(self.arguments.clone()))
    }
}

/// A function of the environment that must answer as expected at the end of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assertion {
    #[serde(flatten)]
    pub call: Call,
    pub expected: bool,
}

/// The rule for one tool that hands over. A transfer is allowed when a ground holds in the state in which it is called.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Escalation {
    pub tool: String,
    pub grounds: Vec<Ground>,
    pub is_terminal: bool,
}

/// A cause that neither side can repair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    #[serde(skip_serializing)]
    pub name: String,
    pub allowed_when: Predicate,
    pub requires: Diagnostic,
}

/// A look that shows a cause: at least one of the calls, made in a state in which its result shows the cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    pub any_of: Vec<Call>,
    /// When their results show the cause; an empty `All` means always.
    pub shows_when: Predicate,
}

impl Escalation {
    /// Whether a transfer is allowed in this state, whatever was looked at before.
    pub fn is_allowed(&self, state: &Value) -> bool {
        self.grounds.iter().any(|ground| ground.allowed_when.holds(state))
    }
}

/// The rule of this environment. One for all tasks: where a task can be repaired, no ground ever holds.
pub fn escalation() -> &'static Escalation {
    &TABLES.escalation
}

/// What a name is told as, in the user's words or about them.
pub(super) fn in_words(name: &str) -> &'static str {
    TABLES.words.get(name).map_or("", String::as_str)
}

pub(super) fn set_user_info() -> &'static Call {
    &TABLES.set_user_info
}

pub(super) fn transfer() -> &'static Call {
    &TABLES.transfer
}

named! {
    /// What a user calls about, in the order of the peer's files.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Intent {
        MobileData = "mobile_data_issue",
        Service = "service_issue",
        /// Picture messages cannot be sent.
        Mms = "mms_issue",
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntentBlock {
    /// The sets of issues that can lie behind it, in the order in which they are combined.
    pub sets: Vec<IssueSet>,
    pub solved: Vec<Assertion>,
    pub handed_over: Vec<Assertion>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueSet {
    /// The issues, in the order in which they are tried.
    pub members: Vec<Issue>,
    /// Whether a member makes a task by itself; a task has a member of at least one such set.
    #[serde(default)]
    pub is_essential: bool,
}

impl Intent {
    /// What the intent is made of.
    pub fn block(self) -> &'static IntentBlock {
        TABLES.intents.get(&self).unwrap_or(&NO_INTENT)
    }
}

/// One issue as data: how it comes about, how it is repaired, and how both are seen in the state.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueBlock {
    pub initialization: Vec<Call>,
    pub repair: Repair,
    /// What holds of a healthy phone and line, and of which the issue breaks at least one.
    pub breaks: Vec<Predicate>,
    leaves: Option<Vec<Predicate>>,
    /// Assertions of its own, beside those of the intent, where it is repaired.
    #[serde(default)]
    pub assertions: Vec<Assertion>,
}

impl IssueBlock {
    /// What holds once the issue is dealt with: repaired, or left as it is for whom it is handed over to.
    pub fn leaves(&self) -> &[Predicate] {
        self.leaves.as_ref().unwrap_or(&self.breaks)
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    Calls(Vec<Call>),
    /// Nothing: neither side can repair it, and on this ground the user is handed over.
    Transfer(String),
}

impl Repair {
    /// The ground on which the user is handed over, if that is all there is to do.
    pub fn ground(&self) -> Option<&'static Ground> {
        match self {
            Repair::Calls(_) => None,
            Repair::Transfer(name) => escalation().grounds.iter().find(|ground| ground.name == *name),
        }
    }
}

impl Issue {
    pub fn block(self) -> &'static IssueBlock {
        TABLES.issues.get(&self).unwrap_or(&NO_ISSUE)
    }
}

named! {
    /// A thing that is wrong with the phone, the line or the account. Declared in order of their names, in which a task
    /// lists them; what each does is its [`IssueBlock`](super::IssueBlock).
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Issue {
        AirplaneModeOn = "airplane_mode_on",
        /// The phone looks for 2G alone.
        BadNetworkPreference = "bad_network_preference",
        BadVpn = "bad_vpn",
        /// Picture messages go over Wi-Fi calling.
        BadWifiCalling = "bad_wifi_calling",
        /// The access point has no address for picture messages.
        BreakApnMmsSetting = "break_apn_mms_setting",
        BreakApnSettings = "break_apn_settings",
        /// The messaging app may neither send texts nor reach storage.
        BreakAppBothPermissions = "break_app_both_permissions",
        BreakAppSmsPermission = "break_app_sms_permission",
        BreakAppStoragePermission = "break_app_storage_permission",
        /// The line is suspended, with a bill overdue and its contract over.
        ContractEndSuspension = "contract_end_suspension",
        DataModeOff = "data_mode_off",
        DataSaverModeOn = "data_saver_mode_on",
        DataUsageExceeded = "data_usage_exceeded",
        /// The month's data is used up, and so is all that may be bought. In the peer's generator, not in its files.
        DataUsageExceededNoRefuel = "data_usage_exceeded_no_refuel",
        LockSimCardPin = "lock_sim_card_pin",
        /// The SIM asks for its PUK. The peer declares it and uses it in no task; it belongs to no intent.
        LockSimCardPuk = "lock_sim_card_puk",
        OverdueBillSuspension = "overdue_bill_suspension",
        UnseatSimCard = "unseat_sim_card",
        /// Abroad, with roaming off on the line and on the phone.
        UserAbroadRoamingDisabledOff = "user_abroad_roaming_disabled_off",
        /// Abroad, with roaming off on the line and on on the phone.
        UserAbroadRoamingDisabledOn = "user_abroad_roaming_disabled_on",
        /// Abroad, with roaming on on the line and off on the phone.
        UserAbroadRoamingEnabledOff = "user_abroad_roaming_enabled_off",
    }
}

impl Issue {
    /// Whether tasks with it stand in the peer's files.
    pub(crate) fn is_shipped(self) -> bool {
        self != Issue::DataUsageExceededNoRefuel
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telecom::{BILL_ID, CUSTOMER_ID, CUSTOMER_NAME, LINE_ID, PHONE_NUMBER, REFUEL_GB};

    const TODAY: &str = "2025-02-25";

    #[test]
    fn every_intent_and_issue_is_there_and_every_cause_without_repair_has_a_ground() {
        assert_eq!((TABLES.intents.len(), TABLES.issues.len()), (Intent::ALL.len(), Issue::ALL.len()));
        let repairs = Issue::ALL.iter().map(|issue| &issue.block().repair);
        let handed_over: Vec<&Repair> = repairs.filter(|repair| matches!(repair, Repair::Transfer(_))).collect();
        assert_eq!(handed_over.len(), 4);
        assert!(handed_over.iter().all(|repair| repair.ground().is_some()));
    }

    #[test]
    fn is_said_in_the_words_of_the_state() {
        let shown: Vec<String> = escalation().grounds.iter().map(|ground| ground.allowed_when.to_string()).collect();
        assert_eq!(
            shown,
            [
                r#"db.device.sim_card_status == "locked_pin" || db.device.sim_card_status == "locked_puk""#,
                r#"db.lines["L1002"].status == "Suspended" && db.lines["L1002"].contract_end_date < "2025-02-25""#,
                r#"db.surroundings.mobile_data_usage_exceeded && db.lines["L1002"].data_refueling_gb >= 2.0"#,
            ]
        );
    }

    #[test]
    fn the_tables_speak_of_the_customer_of_all_tasks() {
        let shown: Vec<String> = TABLES.escalation.grounds.iter().map(|ground| format!("{ground:?}")).collect();
        let calls = TABLES.issues.values().flat_map(|issue| &issue.initialization).chain([set_user_info()]);
        let all = calls.map(|call| format!("{call:?}")).chain(shown).collect::<String>();
        for fact in [CUSTOMER_ID, CUSTOMER_NAME, PHONE_NUMBER, LINE_ID, BILL_ID, TODAY, &format!("{REFUEL_GB:?}")] {
            assert!(all.contains(fact), "{fact}");
        }
    }

    #[test]
    fn declared_in_order_of_names() {
        assert!(Issue::ALL.is_sorted_by(|a, b| a < b && a.name() < b.name()));
    }
}
