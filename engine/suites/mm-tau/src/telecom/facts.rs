//! What is the same in all tasks: the one customer, their line, the bill of a suspension, the day, and where in the
//! state these stand. Paths are JSON Pointers into the environment's state, whose collections are keyed by id.

pub const CUSTOMER_ID: &str = "C1001";
pub const CUSTOMER_NAME: &str = "John Smith";
pub const PHONE_NUMBER: &str = "555-123-2002";
pub const LINE_ID: &str = "L1002";
/// The overdue bill that a suspension brings with it.
pub const BILL_ID: &str = "B1234321";
pub const TODAY: &str = "2025-02-25";
/// How many GB the user buys, and the most that the policy lets an agent sell.
pub const REFUEL_GB: f64 = 2.0;
/// What a GB of data costs the customer, in cents.
pub const REFUEL_CENTS_PER_GB: u64 = 250;
/// What is due on the overdue bill, in cents: a month of the customer's plan.
pub const BILL_CENTS: u64 = 4_400;

pub(super) const BILL: &str = "/bills/B1234321";
pub(super) const BILL_STATUS: &str = "/bills/B1234321/status";
pub(super) const LINE_STATUS: &str = "/lines/L1002/status";
pub(super) const LINE_ROAMING: &str = "/lines/L1002/roaming_enabled";
pub(super) const LINE_REFUELED: &str = "/lines/L1002/data_refueling_gb";
pub(super) const CONTRACT_END: &str = "/lines/L1002/contract_end_date";
pub(super) const IS_ABROAD: &str = "/surroundings/is_abroad";
pub(super) const USAGE_EXCEEDED: &str = "/surroundings/mobile_data_usage_exceeded";
pub(super) const SIM_STATUS: &str = "/device/sim_card_status";
pub(super) const SIM_MISSING: &str = "/device/sim_card_missing";
pub(super) const PHONE_ROAMING: &str = "/device/roaming_enabled";
pub(super) const APN_NAME: &str = "/device/active_apn_settings/apn_name";
pub(super) const MMSC_URL: &str = "/device/active_apn_settings/mmsc_url";
pub(super) const MAY_SMS: &str = "/device/app_statuses/messaging/permissions/sms";
pub(super) const MAY_STORE: &str = "/device/app_statuses/messaging/permissions/storage";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_the_line_and_the_bill() {
        let of_line = [LINE_STATUS, LINE_ROAMING, LINE_REFUELED, CONTRACT_END];
        assert!(of_line.iter().all(|path| path.starts_with(&format!("/lines/{LINE_ID}/"))));
        assert_eq!((BILL, BILL_STATUS), (&*format!("/bills/{BILL_ID}"), &*format!("/bills/{BILL_ID}/status")));
    }
}
