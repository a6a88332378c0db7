//! Means of payment, as records have them and as people call them.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::Vocabulary;
use serde_json::Value;

/// What people call each of them: a kind (`source` of a record) or a brand of cards.
static NAMES: LazyLock<Vocabulary<String>> = LazyLock::new(|| Vocabulary::of("means"));

pub fn named_means(words: &[CompactString]) -> Vec<&'static str> {
    NAMES.heard(words).iter().map(|mention| mention.list.as_str()).collect()
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
pub(crate) fn means_of(record: &Value) -> Vec<String> {
    let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_lowercase);
    ["source", "brand"].into_iter().filter_map(text).collect()
}
