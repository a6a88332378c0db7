//! The worlds of tau2-bench, and how each is written down there.

use probity_bench::named;
use serde::Deserialize;

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Domain {
        /// An online shop.
        Retail = "retail",
        /// Bookings of flights.
        Airline = "airline",
        /// A carrier, and a phone that the user operates.
        Telecom = "telecom",
    }
}

impl Domain {
    pub fn environment(self) -> String {
        format!("tau/{}", self.name())
    }

    pub(super) fn user_parts(self) -> &'static [&'static str] {
        match self {
            Domain::Retail | Domain::Airline => &[],
            Domain::Telecom => &["device", "surroundings"],
        }
    }

    /// The parts of the state that are the agent's there: maps, or in the telecom world lists.
    pub(super) fn agent_parts(self) -> &'static [&'static str] {
        match self {
            Domain::Retail => &["orders", "products", "users"],
            Domain::Airline => &["flights", "reservations", "users"],
            Domain::Telecom => &["bills", "customers", "devices", "lines", "plans"],
        }
    }

    /// Whether collections are lists there, in the order in which they came to be.
    pub(super) fn has_lists(self) -> bool {
        self == Domain::Telecom
    }

    /// Whether what a tool puts together by itself is written there with its numbers as texts (1.2).
    pub(super) fn writes_plain_numbers_as_text(self) -> bool {
        self == Domain::Telecom
    }
}
