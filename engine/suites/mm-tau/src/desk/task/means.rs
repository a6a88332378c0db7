//! Means of payment, as records have them and as people call them.

use serde_json::Value;

use crate::people::understanding::phrase::has;

/// What people call each of them: a kind (`source` of a record) or a brand of cards.
const NAMES: &[(&str, &[&str])] = &[
    ("paypal", &["paypal", "pay pal"]),
    ("gift_card", &["gift card", "gift cards"]),
    ("certificate", &["certificate", "certificates", "voucher", "vouchers"]),
    ("credit_card", &["credit card", "credit cards"]),
    ("visa", &["visa"]),
    ("mastercard", &["mastercard", "master card"]),
    ("amex", &["amex", "american express"]),
    ("discover", &["discover card"]),
    ("other", &["bank account", "cash", "apple pay", "google pay", "store credit", "debit card", "bank transfer"]),
];

pub fn named_means(words: &[String]) -> Vec<&'static str> {
    NAMES.iter().filter(|(_, names)| has(words, names)).map(|(name, _)| *name).collect()
}

pub fn means_name(means: &str) -> Option<&'static str> {
    const OWN: &[(&str, &str)] = &[
        ("paypal", "my PayPal account"),
        ("gift_card", "my gift card"),
        ("certificate", "my certificate"),
        ("credit_card", "my credit card"),
        ("visa", "my Visa card"),
        ("mastercard", "my Mastercard"),
    ];
    OWN.iter().find(|(name, _)| *name == means).map(|(_, own)| *own)
}

/// What a record of a means of payment may be called: its kind, and its brand if it has one.
pub fn means_of(record: &Value) -> Vec<String> {
    let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_lowercase);
    ["source", "brand"].into_iter().filter_map(text).collect()
}
