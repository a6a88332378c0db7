//! What names a deed of a desk, as data.

use crate::people::understanding::phrase::has;

const DEEDS: &[(&str, &[&str])] = &[
    ("cancel_pending_order", &["cancel", "cancelling", "canceling", "cancellation", "cancelled", "canceled"]),
    ("cancel_reservation", &["cancel", "cancelling", "canceling", "cancellation", "cancelled", "canceled"]),
    ("return_delivered_order_items", &["return", "returns", "returning", "returned", "send back", "refund"]),
    (
        "exchange_delivered_order_items",
        &["exchange", "exchanging", "exchanged", "swap", "swapping", "swapped", "replace", "replacement", "trade"],
    ),
    (
        "modify_pending_order_items",
        &[
            "modify",
            "modifying",
            "modified",
            "change",
            "changing",
            "changed",
            "swap",
            "swapping",
            "swapped",
            "replace",
            "replacing",
            "replaced",
            "switch",
            "switching",
            "switched",
            "exchange",
            "exchanging",
            "update",
            "updating",
            "updated",
        ],
    ),
    (
        "modify_pending_order_address",
        &["address", "ship", "shipping", "send it to", "send order", "deliver", "delivery", "redirect", "street"],
    ),
    ("modify_user_address", &["address", "profile", "street", "account"]),
    ("modify_pending_order_payment", &["payment", "pay", "paid", "card", "gift card", "paypal", "charge"]),
    ("book_reservation", &["book", "booking", "booked", "reserve", "reservation"]),
    (
        "update_reservation_flights",
        &[
            "change",
            "changing",
            "changed",
            "rebook",
            "rebooking",
            "move",
            "moving",
            "moved",
            "switch",
            "upgrade",
            "upgrading",
            "upgraded",
            "cabin",
            "flight",
            "flights",
            "update",
            "updated",
        ],
    ),
    ("update_reservation_baggages", &["bag", "bags", "baggage", "baggages", "luggage", "suitcase", "suitcases"]),
    ("update_reservation_passengers", &["passenger", "passengers", "name", "correct", "spelling", "traveller"]),
    ("send_certificate", &["certificate", "voucher", "compensation", "compensate"]),
];

/// What says that a deed is not to be done; of these, the last only of a cancellation.
const DENIALS: &[&str] = &["would not", "wouldn't", "will not", "won't"];
const KEEPING: &[&str] = &["keep", "leave", "as it is"];

/// Whether words are about other deeds of a desk than that of a tool, or say that it is not to be done.
pub fn is_about_others(words: &[String], tool: &str) -> bool {
    let keeps = tool.starts_with("cancel_") && has(words, KEEPING);
    let is_other = |(name, phrases): &(&str, &[&str])| *name != tool && has(words, phrases);
    keeps || has(words, DENIALS) || (!is_about(words, tool) && DEEDS.iter().any(is_other))
}

pub fn is_about(words: &[String], tool: &str) -> bool {
    DEEDS.iter().any(|(name, phrases)| *name == tool && has(words, phrases))
}
