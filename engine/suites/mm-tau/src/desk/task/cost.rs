//! What a call moves of the user's money, and from or to what: found by making the call.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use compact_str::CompactString;
use serde_json::Value;

use super::task_file::DeskCall;
use crate::people::understanding::figures::{Amounts, cents};
use probity_engine::{State, within::within};
use probity_prose::Vocabulary;

/// What a call costs, or brings back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Amounts by which it may rightly be told, in cents: each payment, all of them, and the part of each passenger.
    pub amounts: Vec<u64>,
    /// Kinds and brands of the means that pay or are paid back.
    pub means: Vec<String>,
    /// All other amounts in what it changes, and in the goods or flights of it, in cents.
    pub beside: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AmountTold {
    #[default]
    Nothing,
    /// That which is paid, alone, in parts, or as what was and what will be; where nothing is paid, others that are true.
    Right,
    /// True ones, of which none is that which is paid.
    Beside,
    Wrong,
}

/// So many passengers or goods an amount is told of at once, at most.
const MOST_PARTS: u64 = 9;

struct Payment {
    amount: f64,
    means: Option<String>,
}

impl Cost {
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
        [&was, &is, &known].into_iter().for_each(|record| numbers(record, &mut beside));
        let parts = |key: &str| is.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let text = |part: &Value, key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        for item in parts("items") {
            numbers(&at(after, &["products", &text(&item, "product_id")]), &mut beside);
        }
        for flight in parts("flights") {
            let (number, date) = (text(&flight, "flight_number"), text(&flight, "date"));
            numbers(&at(after, &["flights", &number, "dates", &date, "prices"]), &mut beside);
        }
        Cost { means: means.collect(), amounts: amounts(&payments, &is), beside }
    }

    /// How amounts that are told with it stand to what it costs. One that nothing explains is wrong whatever is told
    /// with it, and so is a denial of what is paid.
    pub fn judge(&self, amounts: &Amounts) -> AmountTold {
        let told = &amounts.told;
        let is_paid = |amount: u64| self.amounts.contains(&amount);
        let pairs = || told.iter().flat_map(|one| told.iter().map(move |other| (*one, *other)));
        let is_split = || is_paid(told.iter().fold(0, |sum, amount| sum.saturating_add(*amount)));
        let adds_up = || {
            is_split() || pairs().any(|(one, other)| is_paid(one.abs_diff(other)) || is_paid(one.saturating_add(other)))
        };
        let is_known = told.iter().all(|amount| self.beside.contains(amount));
        let is_explained = || is_split() || self.explains(told);
        match (told.is_empty(), self.amounts.is_empty()) {
            _ if amounts.denied.iter().any(|amount| is_paid(*amount)) => AmountTold::Wrong,
            (true, _) => AmountTold::Nothing,
            (_, true) if is_known => AmountTold::Right,
            (_, false) if (told.iter().any(|amount| is_paid(*amount)) || adds_up()) && is_explained() => {
                AmountTold::Right
            }
            (_, false) if is_known => AmountTold::Beside,
            _ => AmountTold::Wrong,
        }
    }

    /// Whether each amount that is told is paid or true, a multiple of such a one, or the sum or the difference of two,
    /// of which one may be told and be explained without the others.
    fn explains(&self, told: &[u64]) -> bool {
        let known = || self.amounts.iter().chain(&self.beside).copied();
        let is_multiple =
            |one: u64, amount: u64| one > 0 && (1..=MOST_PARTS).any(|count| one.checked_mul(count) == Some(amount));
        let adds_up = |one: u64, other: u64, amount: u64| {
            one > 0 && (one.saturating_add(other) == amount || one.abs_diff(other) == amount)
        };
        let is_plain = |amount: u64| {
            known().any(|one| {
                one == amount || is_multiple(one, amount) || known().any(|other| adds_up(one, other, amount))
            })
        };
        let (plain, others): (Vec<u64>, Vec<u64>) = told.iter().partition(|amount| is_plain(**amount));
        others.iter().all(|amount| known().any(|one| plain.iter().any(|other| adds_up(one, *other, *amount))))
    }

    /// Takes along amounts that are known though the call moves none of them.
    pub fn know(&mut self, amounts: &[u64]) {
        self.beside.extend(amounts);
    }

    /// Whether words name means of payment, and none of those that it takes.
    pub(crate) fn names_other_means(&self, words: &[CompactString]) -> bool {
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

fn numbers(value: &Value, found: &mut Vec<u64>) {
    found.extend(within(value).filter_map(Value::as_f64).map(cents));
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_held_against_what_is_paid() {
        let cost = |amounts: &[u64], beside: &[u64]| Cost {
            amounts: amounts.to_vec(),
            means: vec!["credit_card".to_owned(), "visa".to_owned()],
            beside: beside.to_vec(),
        };
        let lamp = cost(&[238], &[8431, 8193]);
        let table: [(&[u64], AmountTold); 15] = [
            (&[], AmountTold::Nothing),
            (&[238], AmountTold::Right),
            (&[8431, 8193], AmountTold::Right),
            (&[100, 138], AmountTold::Right),
            (&[8193], AmountTold::Beside),
            (&[99_900], AmountTold::Wrong),
            (&[8193, 500], AmountTold::Wrong),
            (&[238, 9_900], AmountTold::Wrong),
            (&[238, 8431, 8193], AmountTold::Right),
            (&[238, 0], AmountTold::Right),
            (&[0], AmountTold::Wrong),
            // A fee is free of no pair, and no sum explains it.
            (&[8431, 8193, 9_900], AmountTold::Wrong),
            (&[238, 9_900, 10_138], AmountTold::Wrong),
            // A sum of two goods, and what it comes to with a third.
            (&[238, 16_624], AmountTold::Right),
            (&[238, 16_624, 25_055], AmountTold::Right),
        ];
        let of = |told: &[u64], denied: &[u64]| Amounts { told: told.to_vec(), denied: denied.to_vec() };
        for (told, expected) in table {
            assert_eq!(lamp.judge(&of(told, &[])), expected, "{told:?}");
        }
        let address = cost(&[], &[8431]);
        let address = [8431, 500].map(|told| address.judge(&of(&[told], &[])));
        assert_eq!(address, [AmountTold::Right, AmountTold::Wrong]);
        assert_eq!(lamp.judge(&of(&[], &[238])), AmountTold::Wrong);
        assert_eq!(lamp.judge(&of(&[238], &[8431])), AmountTold::Right);
        let words = |text: &str| crate::people::understanding::words::words(text);
        for (text, is_other) in
            [("to your Visa card", false), ("to PayPal", true), ("to your Mastercard", true), ("to your card", false)]
        {
            assert_eq!(lamp.names_other_means(&words(text)), is_other, "{text}");
        }
    }
}
