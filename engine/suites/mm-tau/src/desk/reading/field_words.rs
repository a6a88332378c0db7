//! What names a field in a question, as data. Conjunctions are not among the words.

use crate::desk::task::DeskField;

/// What names a field.
pub const FIELDS: &[(DeskField, &[&str])] = &[
    (DeskField::Email, &["email", "e mail", "email address", "mail address"]),
    (DeskField::FirstName, &["first name", "full name", "your name", "first last name", "given name", "who am i speaking"]),
    (DeskField::LastName, &["last name", "full name", "your name", "surname", "family name", "who am i speaking"]),
    (DeskField::Zip, &["zip", "zip code", "postal code", "postcode"]),
    (DeskField::UserId, &["user id", "userid", "user name", "username", "account id", "customer id", "traveller id", "member id", "profile id"]),
    (
        DeskField::OrderId,
        &[
            "order number", "order id", "which order", "what order", "number of the order", "number of your order",
            "order numbers", "order ids", "order's number",
        ],
    ),
    (
        DeskField::ReservationId,
        &[
            "reservation id", "reservation number", "reservation code", "booking number", "booking reference",
            "booking code", "confirmation number", "confirmation code", "which reservation", "which booking",
            "code of your reservation", "code of the reservation",
        ],
    ),
    (DeskField::Reason, &["reason", "why", "what happened"]),
    (
        DeskField::Payment,
        &[
            "payment method", "method of payment", "form of payment", "which card", "which payment", "refund to",
            "refunded to", "refund go", "how would you like to pay", "pay with", "pay for", "money back to", "means of payment",
        ],
    ),
    (DeskField::Item, &["which item", "which items", "what item", "what items", "which product", "which one", "which ones", "which goods"]),
    (
        DeskField::Variant,
        &[
            "which colour", "what colour", "which color", "what color", "which size", "what size", "which variant",
            "which option", "which options", "new item", "what would you like instead", "exchange it for",
            "exchange them for", "prefer", "preference", "preferences",
        ],
    ),
    (DeskField::Address, &["new address", "which address", "what address", "full address", "shipping address", "the address", "street"]),
    (DeskField::Date, &["which date", "what date", "which day", "what day", "travel date", "dates", "new date", "when would you"]),
    (DeskField::Flight, &["which flight", "which flights", "what time", "flight number", "departure time"]),
    (DeskField::Cabin, &["which cabin", "cabin class", "what cabin", "which class", "travel class"]),
    (DeskField::Route, &["where from", "where to", "from where", "destination", "origin", "departure city", "airport"]),
    (DeskField::Passengers, &["how many passengers", "passenger names", "names of", "who is travelling", "who will", "who else", "date of birth", "dates of birth", "passenger details", "passengers' names"]),
    (DeskField::Bags, &["how many bags", "checked bags", "how many checked", "number of bags", "baggage", "luggage"]),
    (DeskField::Insurance, &["insurance", "travel insurance"]),
];
