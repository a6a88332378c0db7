//! Amounts of money that something known speaks against: a sum or difference that does not come out of the amounts beside
//! it, and a slip of a known amount.

use std::collections::BTreeSet;

use crate::ledger::Ledger;
use crate::reply::{Said, Told};
use crate::value::{Against, is_slip, is_swap};
use probity_prose::{Amount, Quantity, Unit, WordClass};

/// The amounts of money of a reply, in order, with their places among its values.
pub(crate) struct Money(Vec<(usize, Amount)>);

/// Most amounts that are added up.
const MAX_PARTS: usize = 8;
/// Most sums that are looked at.
const MAX_SUMS: usize = 60_000;

impl Money {
    pub(crate) fn of(said: &Said) -> Money {
        let money =
            |(at, told): (usize, &Told)| Some((at, in_money(told.quantity()?).or_else(|| bare_price(told, said))?));
        Money(said.told.iter().enumerate().filter_map(money).collect())
    }

    /// A total or a difference that does not come out of the amounts beside it, though nearly.
    pub(crate) fn sum_against(&self, at: usize, told: &Told, said: &Said, ledger: &Ledger) -> Option<String> {
        let (_, own) = *self.0.iter().find(|(place, own)| *place == at && !ledger.knowledge.tells(*own))?;
        let sentence = said.text.sentences.get(told.sentence)?;
        let (is_sum, is_apart) = (sentence.has_any(WordClass::Totals), sentence.has_any(WordClass::Differences));
        let is_beside = |place: usize| said.told.get(place).is_some_and(|other| other.sentence == told.sentence);
        let before: Vec<Amount> =
            self.0.iter().rev().filter(|(place, _)| *place < at).map(|(_, a)| *a).take(MAX_PARTS).collect();
        let behind = self.0.iter().filter(|(place, _)| *place > at && is_beside(*place)).map(|(_, amount)| *amount);
        let around: Vec<Amount> = behind.chain(before.iter().copied()).take(MAX_PARTS).collect();
        let beside: Vec<Amount> =
            self.0.iter().filter(|(place, _)| *place != at && is_beside(*place)).map(|(_, a)| *a).collect();
        let is_near = |other: &&Told| (other.sentence..=other.sentence + 1).contains(&told.sentence);
        let counts = said.told.iter().filter(is_near).filter_map(|other| other.quantity()?.value.as_whole());
        let counts: Vec<i64> = std::iter::once(1).chain(counts.filter(|count| (2..=31).contains(count))).collect();
        if !(is_sum || is_apart)
            || before.is_empty()
            || around.iter().any(|whole| is_share(own, *whole))
            || closed(&around, &counts).contains(&own)
        {
            return None;
        }
        let mut likely: Vec<Amount> = Vec::new();
        let pairs = || before.iter().enumerate().flat_map(|(at, a)| before.iter().skip(at + 1).map(move |b| (*a, *b)));
        if is_sum {
            let total =
                |count: usize| before.iter().take(count).fold(Amount::whole(0), |sum, amount| sum.plus(*amount));
            likely.extend((2..=before.len()).map(total));
            let multiples =
                before.iter().take(2).flat_map(|a| counts.iter().filter_map(|n| a.times(Amount::whole(*n))));
            likely.extend(multiples.flat_map(|multiple| before.iter().map(move |b| multiple.plus(*b))));
            if beside.is_empty() {
                likely.extend(pairs().map(|(a, b)| a.plus(b)));
            }
        }
        if is_apart {
            likely.extend(pairs().map(|(a, b)| a.minus(b).abs()));
        }
        let all = beside.iter().fold(Amount::whole(0), |sum, amount| sum.plus(*amount));
        let are_parts = is_sum && beside.len() > 1 && beside.iter().all(|amount| ledger.knowledge.tells(*amount));
        let is_close = are_parts && cents(own).abs_diff(cents(all)) * 10 <= cents(all).unsigned_abs();
        let right = likely.iter().find(|right| is_misprint(own, **right)).or(is_close.then_some(&all))?;
        Some(format!("what stands beside it makes {}", right.plain()))
    }
}

pub(crate) fn in_money(quantity: Quantity) -> Option<Amount> {
    match quantity.unit {
        Some(Unit::Money) => Some(quantity.value),
        Some(Unit::Cents) => quantity.value.scaled(1, 100),
        _ => None,
    }
}

/// Whether an amount is what each of a few gets of another: a half, a twelfth.
fn is_share(own: Amount, whole: Amount) -> bool {
    (2..=12).any(|parts| own.times(Amount::whole(parts)) == Some(whole))
}

/// `745.50` of a table without its currency.
fn bare_price(told: &Told, said: &Said) -> Option<Amount> {
    let own = told.quantity().filter(|own| own.unit.is_none())?;
    let raw = said.text.tokens.get(told.tokens.0)?.raw.as_str();
    let (whole, cents) = raw.rsplit_once(['.', ','])?;
    (cents.len() == 2 && !whole.is_empty()).then_some(own.value)
}

fn cents(amount: Amount) -> i64 {
    amount.scaled(100, 1).and_then(Amount::as_whole).unwrap_or(0)
}

/// All sums and differences of some amounts and of their multiples.
pub(crate) fn closed(amounts: &[Amount], counts: &[i64]) -> BTreeSet<Amount> {
    let mut all: BTreeSet<Amount> = [Amount::whole(0)].into();
    for amount in amounts {
        let times: Vec<Amount> =
            counts.iter().take(3).filter_map(|count| amount.times(Amount::whole(*count))).collect();
        if all.len() * (2 * times.len() + 1) > MAX_SUMS {
            break;
        }
        let more = |sum: &Amount| {
            times.iter().flat_map(move |times| [sum.plus(*times), sum.minus(*times)]).collect::<Vec<_>>()
        };
        let more: Vec<Amount> = all.iter().flat_map(more).collect();
        all.extend(more);
    }
    all.into_iter().map(Amount::abs).collect()
}

/// Whether an amount is another with one digit wrong, two that changed places, or 1, 2, 10 or 100 too much.
fn is_misprint(own: Amount, right: Amount) -> bool {
    let off = |by: i64| own.minus(right).abs() == Amount::whole(by) && right > Amount::whole(5 * by);
    is_misread(own, right) || [1, 2, 10, 100].into_iter().any(off)
}

/// Whether the cents of two amounts differ by one digit or by two neighbours that changed places.
fn is_misread(own: Amount, right: Amount) -> bool {
    let (own, right) = (cents(own), cents(right));
    let is_as_long = own.checked_ilog10() == right.checked_ilog10();
    is_as_long && is_slip(&own.to_string(), &right.to_string())
}

/// Whether an amount is so many of a known one, or what two such make: two at 41.50 are 83.00, and 101.00 with one at 18.
fn is_multiple(own: Amount, told: &Told, said: &Said, ledger: &Ledger) -> bool {
    let is_near = |other: &&Told| (other.sentence..=other.sentence + 1).contains(&told.sentence);
    let counts = said.told.iter().filter(is_near).filter_map(Told::quantity).map(|other| other.value);
    let asked = ledger.calls.iter().flat_map(|call| &call.asked.figures).map(|figure| figure.quantity.value);
    let counts: BTreeSet<Amount> =
        counts.chain(asked).filter(|count| count.as_whole().is_some_and(|count| (2..=31).contains(&count))).collect();
    let figures = || ledger.knowledge.sources.iter().flat_map(|source| &source.figures);
    let known = figures().filter_map(|figure| match figure.quantity.unit {
        None => Some(figure.quantity.value),
        Some(_) => in_money(figure.quantity),
    });
    let ones = || std::iter::once(Amount::whole(1)).chain(counts.iter().copied());
    let is_part = |part: &Amount| *part > Amount::whole(0) && *part <= own;
    let parts: BTreeSet<Amount> = known
        .flat_map(|known| ones().filter_map(move |count| known.times(count)).collect::<Vec<_>>())
        .filter(is_part)
        .take(MAX_SUMS)
        .collect();
    parts.contains(&own) || (!counts.is_empty() && parts.iter().any(|part| parts.contains(&own.minus(*part))))
}

/// An amount that is a slip of a known one, or of a share of it, that the sentence is about.
pub(crate) fn money_slip(own: Amount, told: &Told, money: &Money, said: &Said, ledger: &Ledger) -> Option<Against> {
    if ledger.knowledge.tells(own) {
        return None;
    }
    // What it follows from costs more to find than what it is a slip of, which most have not.
    nearest(own, told, said, ledger).filter(|_| !follows(own, told, money, said, ledger))
}

/// Whether an amount comes out of those beside it.
fn follows(own: Amount, told: &Told, money: &Money, said: &Said, ledger: &Ledger) -> bool {
    let others: Vec<Amount> =
        money.0.iter().map(|(_, amount)| *amount).filter(|amount| *amount != own).take(MAX_PARTS + 1).collect();
    let mut beside = said
        .of_sentence(told.sentence)
        .filter_map(|other| in_money(other.quantity()?).or_else(|| bare_price(other, said)));
    let is_part =
        |beside: Amount| (beside != own && ledger.knowledge.tells(own.minus(beside).abs())) || is_share(own, beside);
    beside.any(is_part) || closed(&others, &[1, 2, 3]).contains(&own) || is_multiple(own, told, said, ledger)
}

/// The last known amount that another is a slip of, in words.
fn nearest(own: Amount, told: &Told, said: &Said, ledger: &Ledger) -> Option<Against> {
    let stems = said.stems(told.sentence);
    let is_percent = |own: &Quantity| own.unit == Some(Unit::Percent);
    let percents: Vec<Amount> =
        said.of_sentence(told.sentence).filter_map(Told::quantity).filter(is_percent).map(|own| own.value).collect();
    let is_near = |right: &Amount| *right > Amount::whole(20) && is_misread(own, *right);
    for source in ledger.knowledge.sources.iter().rev() {
        for figure in source.figures.iter().filter(|figure| figure.is_original) {
            let bare = figure.quantity.unit.is_none().then_some(figure.quantity.value);
            let Some(known) = in_money(figure.quantity).or(bare) else { continue };
            for percent in &percents {
                let Some(part) = known.times(*percent).and_then(|part| part.scaled(1, 100)) else { continue };
                if let Some(right) = [part, known.plus(part), known.minus(part)]
                    .into_iter()
                    .find(is_near)
                    .filter(|_| !told.is_known && source.names(figure, stems))
                {
                    let known = known.plain();
                    let evidence = format!("with {} percent of {known} it is {}", percent.plain(), right.plain());
                    return Some(Against::of(source, &known, evidence));
                }
            }
            let is_large = own > Amount::whole(10) && known > Amount::whole(10);
            let is_likely =
                is_large && if told.is_known { is_swap(cents(own), cents(known)) } else { is_misread(own, known) };
            if is_likely && source.names(figure, stems) {
                let known = known.plain();
                return Some(Against::of(source, &known, format!("`{known}` stands where it comes from")));
            }
        }
    }
    None
}
