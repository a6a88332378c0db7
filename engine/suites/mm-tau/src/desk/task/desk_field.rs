//! What a user of a desk can be asked for.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a user of a desk can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeskField {
    /// The address for letters.
    Email,
    /// The first name.
    FirstName,
    /// The last name.
    LastName,
    /// The zip code.
    Zip,
    /// The number or name of an account.
    UserId,
    /// The number of an order.
    OrderId,
    /// The code of a reservation.
    ReservationId,
    /// Why something is wanted.
    Reason,
    /// What pays, or gets money back.
    Payment,
    /// Which goods.
    Item,
    /// Which colour, size or make.
    Variant,
    /// Where goods go.
    Address,
    /// On which day.
    Date,
    /// Which flight.
    Flight,
    /// Which cabin.
    Cabin,
    /// From where to where.
    Route,
    /// Who flies.
    Passengers,
    /// How many bags.
    Bags,
    /// Whether insured.
    Insurance,
}

impl DeskField {
    pub const fn name(self) -> &'static str {
        match self {
            DeskField::Email => "email",
            DeskField::FirstName => "first_name",
            DeskField::LastName => "last_name",
            DeskField::Zip => "zip",
            DeskField::UserId => "user_id",
            DeskField::OrderId => "order_id",
            DeskField::ReservationId => "reservation_id",
            DeskField::Reason => "reason",
            DeskField::Payment => "payment",
            DeskField::Item => "item",
            DeskField::Variant => "variant",
            DeskField::Address => "address",
            DeskField::Date => "date",
            DeskField::Flight => "flight",
            DeskField::Cabin => "cabin",
            DeskField::Route => "route",
            DeskField::Passengers => "passengers",
            DeskField::Bags => "bags",
            DeskField::Insurance => "insurance",
        }
    }

    pub const fn is_identity(self) -> bool {
        matches!(
            self,
            DeskField::Email | DeskField::FirstName | DeskField::LastName | DeskField::Zip | DeskField::UserId
        )
    }
}

impl fmt::Display for DeskField {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
