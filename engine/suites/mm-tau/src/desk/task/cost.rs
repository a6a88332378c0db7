//! What a call moves of the user's money, and from or to what: found by making the call.

use std::collections::BTreeMap;

use serde_json::Value;

use super::means::{means_of, named_means};
use super::task_file::DeskCall;
use crate::people::understanding::money::cents;
use probity_engine::State;

/// What a call costs, or brings back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Amounts by which it may rightly be told, in cents: each payment, all of them, and the part of each passenger.
    pub amounts: Vec<u64>,
    /// Kinds and brands of the means that pay or are paid back.
    pub means: Vec<String>,
    /// All other amounts in what it changes, in cents.
    pub beside: Vec<u64>,
}

/// A payment: how much, and by what.
struct Payment {
    amount: f64,
    means: Option<String>,
}

impl Cost {
    /// What a call costs that leads from one state to another.
    pub fn of(call: &DeskCall, before: &State, after: &State) -> Cost {
        let at = |state: &State, path: &[&str]| {
            state.at(&path.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>()).unwrap_or_default()
        };
        let argument = |name: &str| call.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let booked = || {
            let reservations = at(after, &["users", argument("user_id"), "reservations"]);
            reservations.as_array().and_then(|all| all.last()?.as_str().map(str::to_owned)).unwrap_or_default()
        };
        let (collection, id) = match (argument("order_id"), argument("reservation_id"), call.tool.as_str()) {
            ("", "", "book_reservation") => ("reservations", booked()),
            ("", id, _) => ("reservations", id.to_owned()),
            (id, ..) => ("orders", id.to_owned()),
        };
        let (was, is) = (at(before, &[collection, &id]), at(after, &[collection, &id]));
        let owner = is.get("user_id").and_then(Value::as_str).unwrap_or_default();
        let known = at(after, &["users", owner, "payment_methods"]);
        let sent = call.arguments.get("amount").and_then(Value::as_f64).map(|amount| Payment { amount, means: None });
        let payments: Vec<Payment> = payments(&was, &is).into_iter().chain(sent).collect();
        let means = payments.iter().filter_map(|payment| known.get(payment.means.as_ref()?)).flat_map(means_of);
        let mut beside = Vec::new();
        [&was, &is].into_iter().for_each(|record| numbers(record, &mut beside));
        Cost { means: means.collect(), amounts: amounts(&payments, &is), beside }
    }

    /// Whether amounts that are told with it are right: that which is paid is among them, or, where nothing is, all
    /// others are in the records.
    pub fn is_right(&self, told: &[u64]) -> bool {
        match self.amounts.is_empty() {
            true => told.iter().all(|amount| self.beside.contains(amount)),
            false => told.iter().any(|amount| self.amounts.contains(amount)),
        }
    }

    /// Whether words name means of payment, and none of those that it takes.
    pub fn names_other_means(&self, words: &[String]) -> bool {
        let named = named_means(words);
        !self.means.is_empty()
            && !named.is_empty()
            && !named.iter().any(|name| self.means.iter().any(|means| means == name))
    }
}

/// What was paid or paid back between two states of an order or a reservation.
fn payments(was: &Value, is: &Value) -> Vec<Payment> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let history = |record: &Value| record.get("payment_history").and_then(Value::as_array).cloned().unwrap_or_default();
    let earlier = history(was).len();
    let entry = |entry: &Value| {
        let means = text(entry, "payment_method_id").or_else(|| text(entry, "payment_id"));
        Some(Payment { amount: entry.get("amount")?.as_f64()?, means })
    };
    let mut found: Vec<Payment> = history(is).iter().skip(earlier).filter_map(entry).collect();
    let difference = is.get("exchange_price_difference").filter(|_| was.get("exchange_price_difference").is_none());
    let means = text(is, "exchange_payment_method_id");
    found.extend(difference.and_then(Value::as_f64).map(|amount| Payment { amount, means }));
    if was.get("return_items").is_none()
        && let Some(items) = is.get("return_items").and_then(Value::as_array)
    {
        let prices: BTreeMap<String, f64> = is
            .get("items")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|item| Some((text(item, "item_id")?, item.get("price")?.as_f64()?)))
            .collect();
        let amount = items.iter().filter_map(|item| prices.get(item.as_str()?)).sum();
        found.push(Payment { amount, means: text(is, "return_payment_method_id") });
    }
    found
}

/// The amounts by which payments may be told; payments of nothing are none.
fn amounts(payments: &[Payment], is: &Value) -> Vec<u64> {
    let sum: f64 = payments.iter().map(|payment| payment.amount).sum();
    let passengers = is.get("passengers").and_then(Value::as_array).map_or(1, Vec::len).max(1);
    let each = cents(sum) / passengers as u64;
    let all = payments.iter().map(|payment| cents(payment.amount)).chain([cents(sum), each]);
    all.filter(|amount| *amount > 0).collect()
}

/// All numbers in a record, in cents.
fn numbers(value: &Value, found: &mut Vec<u64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64().map(cents)),
        Value::Array(items) => items.iter().for_each(|item| numbers(item, found)),
        Value::Object(map) => map.values().for_each(|item| numbers(item, found)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
