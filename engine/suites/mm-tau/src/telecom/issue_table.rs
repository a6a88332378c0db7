//! The table of issues: one block for each.

use super::call::{Assertion, Call};
use super::escalation::{CONTRACT_ENDED, REFUEL_SPENT, SIM_LOCKED};
use super::facts::*;
use super::issue::Issue;
use super::issue_block::{IssueBlock, Repair};
use super::literal::Literal::{self, Bool, Decimal, Null, Text};
use super::predicate::Predicate::{self, Absent, Any, Before, Is, IsNot};

type Arguments = &'static [(&'static str, Literal)];

const LINE: Arguments = &[("customer_id", Text(CUSTOMER_ID)), ("line_id", Text(LINE_ID))];
const REFUEL: Arguments =
    &[("customer_id", Text(CUSTOMER_ID)), ("line_id", Text(LINE_ID)), ("gb_amount", Decimal(REFUEL_GB))];
const SMS: Arguments = &[("app_name", Text("messaging")), ("permission", Text("sms"))];
const STORAGE: Arguments = &[("app_name", Text("messaging")), ("permission", Text("storage"))];

const SEARCH: Call = Call::user("simulate_network_search", &[]);
const GO_ABROAD: Call = Call::user("set_user_location", &[("abroad", Bool(true))]);
const ROAMING_OFF: Call = Call::user("turn_roaming_off", &[]);
const ENABLE_ROAMING: Call = Call::agent("enable_roaming", LINE);
const DISABLE_ROAMING: Call = Call::agent("disable_roaming", LINE);
const TOGGLE_ROAMING: Call = Call::user("toggle_roaming", &[]);
const REBOOT: Call = Call::user("reboot_device", &[]);
const RESET_APN: Repair = Repair::Calls(&[Call::user("reset_apn_settings", &[]), REBOOT]);

const MAY_ROAM_ON_PHONE: Predicate = Any(&[Is(IS_ABROAD, Bool(false)), Is(PHONE_ROAMING, Bool(true))]);
const MAY_ROAM_ON_LINE: Predicate = Any(&[Is(IS_ABROAD, Bool(false)), Is(LINE_ROAMING, Bool(true))]);
const ROAMS: &[Predicate] = &[Is(PHONE_ROAMING, Bool(true)), Is(LINE_ROAMING, Bool(true))];
const OWES_NOTHING: Predicate = Any(&[Absent(BILL), Is(BILL_STATUS, Text("Paid"))]);
const LINE_ACTIVE: Predicate = Is(LINE_STATUS, Text("Active"));
const NOT_TWO_G: &[Predicate] = &[IsNot("/device/network_mode_preference", Text("2g_only"))];
const NOT_EXCEEDED: Predicate = Is(USAGE_EXCEEDED, Bool(false));

/// A block whose healthy state is also what its repair leaves, which is the case of most.
const fn plain(initialization: &'static [Call], repair: Repair, healthy: &'static [Predicate]) -> IssueBlock {
    IssueBlock { initialization, repair, breaks: healthy, leaves: healthy, assertions: &[] }
}

const AIRPLANE_MODE_ON: IssueBlock = plain(
    &[Call::user("turn_airplane_mode_on", &[])],
    Repair::Calls(&[Call::user("toggle_airplane_mode", &[])]),
    &[Is("/device/airplane_mode", Bool(false))],
);
const BAD_NETWORK_PREFERENCE: IssueBlock = plain(
    &[Call::user("set_network_mode_preference", &[("mode", Text("2g_only"))])],
    Repair::Calls(&[Call::user("set_network_mode_preference", &[("mode", Text("4g_5g_preferred"))])]),
    NOT_TWO_G,
);
const BAD_VPN: IssueBlock = plain(
    &[Call::user("break_vpn", &[])],
    Repair::Calls(&[Call::user("disconnect_vpn", &[])]),
    &[Any(&[Is("/device/vpn_connected", Bool(false)), IsNot("/device/vpn_details/server_performance", Text("poor"))])],
);
const BAD_WIFI_CALLING: IssueBlock = plain(
    &[Call::user("set_wifi_calling", &[("enabled", Bool(true)), ("mms_over_wifi", Bool(true))])],
    Repair::Calls(&[Call::user("toggle_wifi_calling", &[])]),
    &[Any(&[Is("/device/wifi_calling_enabled", Bool(false)), Is("/device/wifi_calling_mms_over_wifi", Bool(false))])],
);
const BREAK_APN_MMS_SETTING: IssueBlock =
    plain(&[Call::user("break_apn_mms_setting", &[])], RESET_APN, &[IsNot(MMSC_URL, Null)]);
const BREAK_APN_SETTINGS: IssueBlock =
    plain(&[Call::user("break_apn_settings", &[])], RESET_APN, &[IsNot(APN_NAME, Text("broken"))]);
const BREAK_APP_BOTH_PERMISSIONS: IssueBlock = plain(
    &[Call::user("remove_app_permission", SMS), Call::user("remove_app_permission", STORAGE)],
    Repair::Calls(&[Call::user("grant_app_permission", SMS), Call::user("grant_app_permission", STORAGE)]),
    &[Is(MAY_SMS, Bool(true)), Is(MAY_STORE, Bool(true))],
);
const BREAK_APP_SMS_PERMISSION: IssueBlock = plain(
    &[Call::user("remove_app_permission", SMS)],
    Repair::Calls(&[Call::user("grant_app_permission", SMS)]),
    &[Is(MAY_SMS, Bool(true))],
);
const BREAK_APP_STORAGE_PERMISSION: IssueBlock = plain(
    &[Call::user("remove_app_permission", STORAGE)],
    Repair::Calls(&[Call::user("grant_app_permission", STORAGE)]),
    &[Is(MAY_STORE, Bool(true))],
);
const CONTRACT_END_SUSPENSION: IssueBlock = IssueBlock {
    initialization: &[
        Call::agent(
            "suspend_line_for_overdue_bill",
            &[
                ("customer_id", Text(CUSTOMER_ID)),
                ("line_id", Text(LINE_ID)),
                ("new_bill_id", Text(BILL_ID)),
                ("contract_ended", Bool(true)),
            ],
        ),
        SEARCH,
    ],
    repair: Repair::Transfer(&CONTRACT_ENDED),
    breaks: &[LINE_ACTIVE, OWES_NOTHING],
    leaves: &[Is(LINE_STATUS, Text("Suspended")), Before(CONTRACT_END, TODAY)],
    assertions: &[],
};
const DATA_MODE_OFF: IssueBlock = plain(
    &[Call::user("turn_data_off", &[])],
    Repair::Calls(&[Call::user("toggle_data", &[])]),
    &[Is("/device/data_enabled", Bool(true))],
);
const DATA_SAVER_MODE_ON: IssueBlock = plain(
    &[Call::user("turn_data_saver_mode_on", &[])],
    Repair::Calls(&[Call::user("toggle_data_saver_mode", &[])]),
    &[Is("/device/data_saver_mode", Bool(false))],
);
const DATA_USAGE_EXCEEDED: IssueBlock = IssueBlock {
    initialization: &[Call::agent(
        "set_data_usage",
        &[("customer_id", Text(CUSTOMER_ID)), ("line_id", Text(LINE_ID)), ("data_used_gb", Decimal(15.1))],
    )],
    repair: Repair::Calls(&[Call::agent("refuel_data", REFUEL)]),
    breaks: &[NOT_EXCEEDED],
    leaves: &[NOT_EXCEEDED, Is(LINE_REFUELED, Decimal(REFUEL_GB))],
    assertions: &[Assertion::holds(Call::agent(
        "assert_data_refueling_amount",
        &[("customer_id", Text(CUSTOMER_ID)), ("line_id", Text(LINE_ID)), ("expected_amount", Decimal(REFUEL_GB))],
    ))],
};
const DATA_USAGE_EXCEEDED_NO_REFUEL: IssueBlock = IssueBlock {
    initialization: &[
        Call::agent("refuel_data", REFUEL),
        Call::agent(
            "set_data_usage",
            &[("customer_id", Text(CUSTOMER_ID)), ("line_id", Text(LINE_ID)), ("data_used_gb", Decimal(17.1))],
        ),
    ],
    repair: Repair::Transfer(&REFUEL_SPENT),
    breaks: &[NOT_EXCEEDED],
    leaves: &[Is(USAGE_EXCEEDED, Bool(true)), Is(LINE_REFUELED, Decimal(REFUEL_GB))],
    assertions: &[],
};
const LOCK_SIM_CARD_PIN: IssueBlock = IssueBlock {
    initialization: &[Call::user("lock_sim_card", &[("mode", Text("pin"))])],
    repair: Repair::Transfer(&SIM_LOCKED),
    breaks: &[Is(SIM_STATUS, Text("active"))],
    leaves: &[Is(SIM_STATUS, Text("locked_pin"))],
    assertions: &[],
};
const LOCK_SIM_CARD_PUK: IssueBlock = IssueBlock {
    initialization: &[Call::user("lock_sim_card", &[("mode", Text("puk"))])],
    repair: Repair::Transfer(&SIM_LOCKED),
    breaks: &[Is(SIM_STATUS, Text("active"))],
    leaves: &[Is(SIM_STATUS, Text("locked_puk"))],
    assertions: &[],
};
const OVERDUE_BILL_SUSPENSION: IssueBlock = IssueBlock {
    initialization: &[
        Call::agent(
            "suspend_line_for_overdue_bill",
            &[
                ("customer_id", Text(CUSTOMER_ID)),
                ("line_id", Text(LINE_ID)),
                ("new_bill_id", Text(BILL_ID)),
                ("contract_ended", Bool(false)),
            ],
        ),
        SEARCH,
    ],
    repair: Repair::Calls(&[
        Call::agent("send_payment_request", &[("customer_id", Text(CUSTOMER_ID)), ("bill_id", Text(BILL_ID))]),
        Call::user("make_payment", &[]),
        Call::agent("resume_line", LINE),
        REBOOT,
    ]),
    breaks: &[LINE_ACTIVE, OWES_NOTHING],
    leaves: &[LINE_ACTIVE, Is(BILL_STATUS, Text("Paid"))],
    assertions: &[],
};
const UNSEAT_SIM_CARD: IssueBlock = plain(
    &[Call::user("unseat_sim_card", &[])],
    Repair::Calls(&[Call::user("reseat_sim_card", &[])]),
    &[Is(SIM_MISSING, Bool(false))],
);
const USER_ABROAD_ROAMING_DISABLED_OFF: IssueBlock = IssueBlock {
    initialization: &[GO_ABROAD, ROAMING_OFF, DISABLE_ROAMING, SEARCH],
    repair: Repair::Calls(&[ENABLE_ROAMING, TOGGLE_ROAMING]),
    breaks: &[MAY_ROAM_ON_LINE, MAY_ROAM_ON_PHONE],
    leaves: ROAMS,
    assertions: &[],
};
const USER_ABROAD_ROAMING_DISABLED_ON: IssueBlock = IssueBlock {
    initialization: &[GO_ABROAD, Call::user("turn_roaming_on", &[]), DISABLE_ROAMING, SEARCH],
    repair: Repair::Calls(&[ENABLE_ROAMING]),
    breaks: &[MAY_ROAM_ON_LINE],
    leaves: ROAMS,
    assertions: &[],
};
const USER_ABROAD_ROAMING_ENABLED_OFF: IssueBlock = IssueBlock {
    initialization: &[GO_ABROAD, ROAMING_OFF, ENABLE_ROAMING],
    repair: Repair::Calls(&[TOGGLE_ROAMING]),
    breaks: &[MAY_ROAM_ON_PHONE],
    leaves: ROAMS,
    assertions: &[],
};

impl Issue {
    pub const fn block(self) -> &'static IssueBlock {
        match self {
            Issue::AirplaneModeOn => &AIRPLANE_MODE_ON,
            Issue::BadNetworkPreference => &BAD_NETWORK_PREFERENCE,
            Issue::BadVpn => &BAD_VPN,
            Issue::BadWifiCalling => &BAD_WIFI_CALLING,
            Issue::BreakApnMmsSetting => &BREAK_APN_MMS_SETTING,
            Issue::BreakApnSettings => &BREAK_APN_SETTINGS,
            Issue::BreakAppBothPermissions => &BREAK_APP_BOTH_PERMISSIONS,
            Issue::BreakAppSmsPermission => &BREAK_APP_SMS_PERMISSION,
            Issue::BreakAppStoragePermission => &BREAK_APP_STORAGE_PERMISSION,
            Issue::ContractEndSuspension => &CONTRACT_END_SUSPENSION,
            Issue::DataModeOff => &DATA_MODE_OFF,
            Issue::DataSaverModeOn => &DATA_SAVER_MODE_ON,
            Issue::DataUsageExceeded => &DATA_USAGE_EXCEEDED,
            Issue::DataUsageExceededNoRefuel => &DATA_USAGE_EXCEEDED_NO_REFUEL,
            Issue::LockSimCardPin => &LOCK_SIM_CARD_PIN,
            Issue::LockSimCardPuk => &LOCK_SIM_CARD_PUK,
            Issue::OverdueBillSuspension => &OVERDUE_BILL_SUSPENSION,
            Issue::UnseatSimCard => &UNSEAT_SIM_CARD,
            Issue::UserAbroadRoamingDisabledOff => &USER_ABROAD_ROAMING_DISABLED_OFF,
            Issue::UserAbroadRoamingDisabledOn => &USER_ABROAD_ROAMING_DISABLED_ON,
            Issue::UserAbroadRoamingEnabledOff => &USER_ABROAD_ROAMING_ENABLED_OFF,
        }
    }
}
