//! Exact decimal numbers, in millionths.

use serde_json::Number;

/// A decimal number in millionths; finer digits are cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(i128);

const UNIT: i128 = 1_000_000;
const MOST: i128 = 1_000_000_000_000_000_000 * UNIT;

impl Amount {
    pub fn whole(value: i64) -> Amount {
        Amount(i128::from(value) * UNIT)
    }

    pub fn of(number: &Number) -> Option<Amount> {
        match (number.as_i64(), number.as_f64()) {
            (Some(value), _) => Some(Amount::whole(value)),
            (None, Some(value)) if value.abs() < 1e15 => Amount::decimal(&format!("{value:.6}")),
            (None, _) => None,
        }
    }

    /// A plain decimal: `-12.50`.
    pub fn decimal(text: &str) -> Option<Amount> {
        let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || whole.len() > 15 || !digits(whole) || !digits(fraction) {
            return None;
        }
        let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
        let fraction = digits.fold(0, |value, digit| value * 10 + i128::from(digit - b'0'));
        Some(Amount(sign * (i128::from(whole.parse::<i64>().ok()?) * UNIT + fraction)))
    }

    /// A number as people write it: `1,250.00`, `12,50`, `1,250`; `1.2.3` and `23:00` are none.
    pub fn written(text: &str) -> Option<Amount> {
        if let Some(plain) = continental(text) {
            return Amount::decimal(&plain);
        }
        if text.contains(':') || text.bytes().filter(|b| *b == b'.').count() > 1 {
            return None;
        }
        let (before, after) = text.split_once('.').unwrap_or((text, ""));
        let groups: Vec<&str> = before.split(',').collect();
        let thousands = groups.len() > 1
            && groups.first().is_some_and(|first| (1..=3).contains(&first.len()))
            && groups.iter().skip(1).all(|group| group.len() == 3);
        match (groups.as_slice(), thousands) {
            ([_], _) | (_, true) if !after.contains(',') => {
                let fraction = if after.is_empty() { String::new() } else { format!(".{after}") };
                Amount::decimal(&format!("{}{fraction}", groups.concat()))
            }
            ([whole, fraction], false) if after.is_empty() => Amount::decimal(&format!("{whole}.{fraction}")),
            _ => None,
        }
    }

    /// The amount times `by`, if it is not absurdly large.
    pub fn times(self, by: Amount) -> Option<Amount> {
        let product = self.0.checked_mul(by.0)? / UNIT;
        (product.abs() < MOST).then_some(Amount(product))
    }

    /// The amount times `over / under`.
    pub fn scaled(self, over: i64, under: i64) -> Option<Amount> {
        let product = self.0.checked_mul(i128::from(over))?.checked_div(i128::from(under))?;
        (product.abs() < MOST).then_some(Amount(product))
    }

    pub fn plus(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }

    pub fn minus(self, other: Amount) -> Amount {
        Amount(self.0.saturating_sub(other.0))
    }

    /// How people write it.
    pub fn plain(self) -> String {
        let (whole, part) = (self.0 / UNIT, (self.0 % UNIT).abs());
        let fraction = format!("{part:06}");
        match fraction.trim_end_matches('0') {
            "" => whole.to_string(),
            digits => format!("{whole}.{digits:0<2}"),
        }
    }

    pub fn abs(self) -> Amount {
        Amount(self.0.abs())
    }

    pub fn as_whole(self) -> Option<i64> {
        (self.0 % UNIT == 0).then(|| i64::try_from(self.0 / UNIT).ok())?
    }
}

/// `1.300,00` as `1300.00`: stops between the thousands, a comma before the cents.
fn continental(text: &str) -> Option<String> {
    let (whole, cents) = text.split_once(',')?;
    let mut groups = whole.split('.');
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()))?;
    let rest: Vec<&str> = groups.collect();
    let is_written_so = !rest.is_empty() && rest.iter().all(|group| group.len() == 3) && cents.len() == 2;
    is_written_so.then(|| format!("{first}{}.{cents}", rest.concat()))
}
