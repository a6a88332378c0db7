//! The names of the issues.

use serde::Deserialize;

use probity_bench::named;

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

    #[test]
    fn declared_in_order_of_names() {
        assert!(Issue::ALL.is_sorted_by(|a, b| a < b && a.name() < b.name()));
    }
}
