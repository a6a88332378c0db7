//! What a user of a desk can be asked for.

use schemars::JsonSchema;
use serde::Deserialize;

use probity_bench::named;

named! {
    /// What a user of a desk can be asked for.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum DeskField {
        /// The address for letters.
        Email = "email",
        /// The first name.
        FirstName = "first_name",
        /// The last name.
        LastName = "last_name",
        /// The zip code.
        Zip = "zip",
        /// The number or name of an account.
        UserId = "user_id",
        /// The number of an order.
        OrderId = "order_id",
        /// The code of a reservation.
        ReservationId = "reservation_id",
        /// Why something is wanted.
        Reason = "reason",
        /// What pays, or gets money back.
        Payment = "payment",
        /// Which goods.
        Item = "item",
        /// Which colour, size or make.
        Variant = "variant",
        /// Where goods go.
        Address = "address",
        /// On which day.
        Date = "date",
        /// Which flight.
        Flight = "flight",
        /// Which cabin.
        Cabin = "cabin",
        /// From where to where.
        Route = "route",
        /// Who flies.
        Passengers = "passengers",
        /// How many bags.
        Bags = "bags",
        /// Whether insured.
        Insurance = "insurance",
    }
}

impl DeskField {
    pub(crate) const fn is_identity(self) -> bool {
        matches!(
            self,
            DeskField::Email | DeskField::FirstName | DeskField::LastName | DeskField::Zip | DeskField::UserId
        )
    }
}
