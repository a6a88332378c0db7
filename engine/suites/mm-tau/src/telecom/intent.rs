//! What a user calls about: which issues can lie behind it, and how it is seen that it was solved.

use serde::Serialize;

use super::call::{Assertion, Call};
use super::facts::BILL_ID;
use super::issue::Issue::{self, *};
use super::literal::Literal::{Bool, Integer, Text};
use super::named::named;

named! {
    /// What a user calls about, in the order of the peer's files.
    pub enum Intent {
        MobileData = "mobile_data_issue",
        Service = "service_issue",
        /// Picture messages cannot be sent.
        Mms = "mms_issue",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IntentBlock {
    /// The sets of issues that can lie behind it, in the order in which they are combined.
    pub sets: &'static [IssueSet],
    pub solved: &'static [Assertion],
    pub handed_over: &'static [Assertion],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IssueSet {
    /// The issues, in the order in which they are tried.
    pub members: &'static [Issue],
    /// Whether a member makes a task by itself; a task has a member of at least one such set.
    pub is_essential: bool,
}

const fn essential(members: &'static [Issue]) -> IssueSet {
    IssueSet { members, is_essential: true }
}

const fn additional(members: &'static [Issue]) -> IssueSet {
    IssueSet { members, is_essential: false }
}

const ROAMING: &[Issue] = &[UserAbroadRoamingEnabledOff, UserAbroadRoamingDisabledOn, UserAbroadRoamingDisabledOff];
const USAGE: &[Issue] = &[DataUsageExceeded, DataUsageExceededNoRefuel];
const SUSPENSION: &[Issue] = &[OverdueBillSuspension, ContractEndSuspension];
const PERMISSION: &[Issue] = &[BreakAppSmsPermission, BreakAppStoragePermission, BreakAppBothPermissions];

const MOBILE_DATA: IntentBlock = IntentBlock {
    sets: &[
        additional(&[AirplaneModeOn]),
        essential(ROAMING),
        essential(&[DataModeOff]),
        essential(&[DataSaverModeOn]),
        essential(&[BadNetworkPreference]),
        essential(&[BadVpn]),
        essential(USAGE),
    ],
    solved: &[
        Assertion::holds(Call::user("assert_mobile_data_status", &[("expected_status", Bool(true))])),
        Assertion::holds(Call::user(
            "assert_internet_speed",
            &[("expected_speed", Integer(200)), ("expected_desc", Text("excellent"))],
        )),
    ],
    handed_over: &[Assertion::holds(Call::user("assert_mobile_data_status", &[("expected_status", Bool(false))]))],
};

const SERVICE: IntentBlock = IntentBlock {
    sets: &[
        essential(&[AirplaneModeOn]),
        essential(&[UnseatSimCard]),
        essential(&[LockSimCardPin]),
        essential(&[BreakApnSettings]),
        essential(SUSPENSION),
    ],
    solved: &[
        Assertion::holds(Call::user("assert_service_status", &[("expected_status", Text("connected"))])),
        Assertion::holds(Call::agent("assert_no_overdue_bill", &[("overdue_bill_id", Text(BILL_ID))])),
    ],
    handed_over: &[Assertion::holds(Call::user("assert_service_status", &[("expected_status", Text("no_service"))]))],
};

const MMS: IntentBlock = IntentBlock {
    sets: &[
        additional(&[AirplaneModeOn]),
        additional(&[UnseatSimCard]),
        additional(&[DataModeOff]),
        additional(USAGE),
        additional(ROAMING),
        essential(&[BadNetworkPreference]),
        essential(&[BadWifiCalling]),
        essential(&[BreakApnMmsSetting]),
        essential(PERMISSION),
    ],
    solved: &[Assertion::holds(Call::user("assert_can_send_mms", &[("expected_status", Bool(true))]))],
    handed_over: &[Assertion::holds(Call::user("assert_can_send_mms", &[("expected_status", Bool(false))]))],
};

impl Intent {
    /// What the intent is made of.
    pub const fn block(self) -> &'static IntentBlock {
        match self {
            Intent::MobileData => &MOBILE_DATA,
            Intent::Service => &SERVICE,
            Intent::Mms => &MMS,
        }
    }
}
