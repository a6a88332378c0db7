//! What may have become of a value since it was told: something that is known was added to it or taken away.

use jiff::civil::Date;

use super::derivation::{reaches, span};
use super::knowledge::Knowledge;
use super::source::Figure;
use probity_prose::{Amount, Minutes, Quantity, unit::go_together};

/// Bare numbers from this size on may be amounts of money.
const LARGE: i64 = 100;
/// Most known numbers that are looked at: the latest.
const MAX_FIGURES: usize = 2_000;
/// The minutes of a day.
const DAY: i64 = 24 * 60;

impl Knowledge {
    /// Whether a number is another one with a known one added or taken away; money is changed by money.
    pub(super) fn changes_amount(&self, before: Quantity, after: Quantity) -> bool {
        let (old, new) = (before.value.abs(), after.value.abs());
        let may_change = |known: &Quantity| match known.unit {
            None => !after.is_money() || known.value.abs() >= Amount::whole(LARGE),
            unit => unit == after.unit || (!after.is_money() && go_together(unit, after.unit)),
        };
        self.recent().map(|figure| figure.quantity).filter(may_change).any(|known| {
            let known = known.value.abs();
            known != old && (old.plus(known) == new || old.minus(known) == new)
        })
    }

    /// Whether a day is a known span before or after another one.
    pub(super) fn changes_date(&self, before: &[Date], after: &[Date]) -> bool {
        let mut spans = self.recent().filter(|figure| figure.is_counted).filter_map(span);
        spans.any(|span| before.iter().any(|from| after.iter().any(|to| reaches(*from, span, *to))))
    }

    /// Whether a time of day is so many known minutes before or after another one.
    pub(super) fn changes_time(&self, before: &[Minutes], after: &[Minutes]) -> bool {
        let mut lasting = self.recent().filter_map(|figure| figure.quantity.minutes());
        let is_moved = |from: Minutes, to: Minutes, by: i64| {
            let apart = (to - from).rem_euclid(DAY);
            by.rem_euclid(DAY) == apart || (-by).rem_euclid(DAY) == apart
        };
        lasting.any(|by| before.iter().any(|from| after.iter().any(|to| is_moved(*from, *to, by))))
    }

    /// The known numbers, latest sources first.
    fn recent(&self) -> impl Iterator<Item = &Figure> {
        self.sources.iter().rev().flat_map(|source| &source.figures).take(MAX_FIGURES)
    }
}

/// What became known from a source on, alone.
pub(super) fn since(knowledge: &Knowledge, first: usize) -> Knowledge {
    Knowledge { calendar: knowledge.calendar, sources: knowledge.sources.iter().skip(first).cloned().collect() }
}
