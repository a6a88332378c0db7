//! What is the same in all tasks: the one customer, their line, the bill of a suspension.

pub const CUSTOMER_ID: &str = "C1001";
pub const CUSTOMER_NAME: &str = "John Smith";
pub const PHONE_NUMBER: &str = "555-123-2002";
pub const LINE_ID: &str = "L1002";
/// The overdue bill that a suspension brings with it.
pub const BILL_ID: &str = "B1234321";
/// How many GB the user buys, and the most that the policy lets an agent sell.
pub const REFUEL_GB: f64 = 2.0;
/// What a GB of data costs the customer, in cents.
pub const REFUEL_CENTS_PER_GB: u64 = 250;
/// What is due on the overdue bill, in cents: a month of the customer's plan.
pub const BILL_CENTS: u64 = 4_400;
