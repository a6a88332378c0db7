//! What follows from numbers that replies have told truly: `5 x 82.00 = 410.00, with 11.00 of extras 421.00`.
//! A sum that is shown step by step may have more than one step.

use super::derivation::{made_of_money, makes};
use super::knowledge::Knowledge;
use probity_prose::{Amount, Quantity, Unit};

/// From this size on, bare numbers follow from large ones only.
const LARGE: i64 = 100;
/// Most numbers that are remembered: the latest.
const MAX_STATED: usize = 64;

#[derive(Default)]
pub(super) struct Stated(Vec<Quantity>);

/// These, with the numbers that they may be put together with.
pub(super) struct Sums {
    stated: Vec<Quantity>,
    /// How many nights or days a reply speaks of: they multiply a price and are added to nothing.
    nights: Vec<Amount>,
    told: Vec<Quantity>,
    seen: Vec<Quantity>,
}

impl Stated {
    pub(super) fn with(&self, knowledge: &Knowledge) -> Sums {
        Sums {
            stated: self.0.clone(),
            nights: Vec::new(),
            told: knowledge.told_quantities(),
            seen: knowledge.seen_quantities(),
        }
    }
}

impl Sums {
    pub(super) fn add(&mut self, quantity: Quantity) {
        let lasts = quantity.minutes().map(|minutes| Quantity::new(Amount::whole(minutes), Some(Unit::Minute)));
        for quantity in [Some(quantity), lasts].into_iter().flatten() {
            if !self.stated.contains(&quantity) {
                self.stated.push(quantity);
            }
        }
    }

    /// Adds a count in words, `two tickets`, which claims nothing by itself.
    pub(super) fn count(&mut self, quantity: Quantity) {
        if quantity.unit == Some(Unit::Day) && self.nights.len() < MAX_STATED {
            self.nights.push(quantity.value);
        }
        if quantity.unit.is_none() && self.stated.len() < MAX_STATED && !self.stated.contains(&quantity) {
            self.stated.push(quantity);
        }
    }

    pub(super) fn stated(mut self) -> Stated {
        let first = self.stated.len().saturating_sub(MAX_STATED);
        Stated(self.stated.split_off(first))
    }

    /// Whether a number, written with so many decimals, follows from one that was told and another one.
    pub(super) fn make(&self, quantity: Quantity, decimals: usize) -> bool {
        let value = quantity.value.abs();
        // Bare numbers are too many among what was shown.
        let seen = if quantity.unit.is_some() || decimals > 0 { self.seen.as_slice() } else { &[] };
        let is_large = quantity.is_money() || value >= Amount::whole(LARGE);
        let is_part = |a: &Quantity, b: &Quantity| {
            quantity.unit == Some(Unit::Percent)
                && (is_share(*a, *b, value, decimals) || is_share(*b, *a, value, decimals))
        };
        let made =
            |a: &Quantity, b: &Quantity| if is_large { made_of_money(*a, *b, value) } else { makes(*a, *b, value) };
        (quantity.is_money() && self.is_rated_difference(value))
            || self.stated.iter().enumerate().any(|(at, a)| {
                // `410 now and 1,620 back, so 2,030`: small bare numbers would make too many large ones.
                let is_full = |one: &Quantity| one.is_money() || one.value.abs() >= Amount::whole(LARGE);
                let goes = |b: &&Quantity| a.is_money() || b.is_money() || (is_full(a) && is_full(b));
                let mut own = self.stated.iter().skip(at + 1).filter(|b| !is_large || goes(b));
                own.any(|b| makes(*a, *b, value) || is_part(a, b)) || self.told.iter().chain(seen).any(|b| made(a, b))
            })
    }

    /// `three nights 282.00`, and `27.00 EUR more over the stay`: nights times what one costs, or costs more than another.
    fn is_rated_difference(&self, value: Amount) -> bool {
        let is_count = |quantity: &&Quantity| {
            quantity.unit.is_none() && quantity.value.as_whole().is_some_and(|count| (2..=14).contains(&count))
        };
        let money: Vec<Amount> = self.stated.iter().filter(|quantity| quantity.is_money()).map(|q| q.value).collect();
        let bare = || self.stated.iter().chain(&self.told).filter(is_count).map(|quantity| quantity.value);
        let counts = || bare().chain(self.nights.iter().copied());
        let is_made = |difference: Amount| counts().any(|count| difference.times(count) == Some(value));
        let is_rate = |price: &Amount| self.nights.iter().any(|nights| price.times(*nights) == Some(value));
        money.iter().any(is_rate)
            || money.iter().enumerate().any(|(at, a)| money.iter().skip(at + 1).any(|b| is_made(a.minus(*b).abs())))
    }
}

/// Whether `value` percent of `whole` is `part`, as far as it is written out.
fn is_share(part: Quantity, whole: Quantity, value: Amount, decimals: usize) -> bool {
    let both = part.is_money() && whole.is_money() && part.unit == whole.unit;
    let step = 10_i64.checked_pow(u32::try_from(decimals).unwrap_or(u32::MAX)).unwrap_or(i64::MAX);
    both && value.is_share_of(part.value.abs(), whole.value.abs(), step)
}
