//! What many claims are held against, gathered once as sources and calls become known.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;

use crate::ledger::Call;
use crate::source::{Field, Source};

/// Minutes of a day.
pub(crate) const DAY: i64 = 24 * 60;

/// The days, times and lengths that are known, and what fields of several words count.
#[derive(Default)]
pub(crate) struct Gathered {
    pub dates: BTreeSet<Date>,
    /// Times of day, in minutes.
    pub times: BTreeSet<i64>,
    /// Lengths of less than a day, in minutes.
    pub lengths: BTreeSet<i64>,
    /// What calls showed since the last change.
    pub counted: Vec<Counted>,
    /// How many sources and calls were looked at.
    sources: usize,
    calls: usize,
}

/// A whole number that a field with a name of several words has: 5 of `boxes_left`.
pub(crate) struct Counted {
    pub value: i64,
    pub field: Arc<Field>,
    pub shown: Arc<Source>,
}

impl Gathered {
    /// Looks at the sources and calls that came since the last time.
    pub(crate) fn extend(&mut self, sources: &[Arc<Source>], calls: &[Call]) {
        for source in sources.iter().skip(self.sources) {
            self.dates.extend(source.dates.iter().map(|(date, _)| *date));
            self.times.extend(source.times.iter().map(|(time, _)| *time));
            let lengths = source.figures.iter().filter_map(|figure| figure.quantity.minutes());
            self.lengths.extend(lengths.filter(|minutes| (1..DAY).contains(minutes)));
        }
        for call in calls.iter().skip(self.calls) {
            if call.is_ok && !call.is_read {
                self.counted.clear();
            }
            self.counted.extend(counted(&call.shown));
        }
        (self.sources, self.calls) = (sources.len(), calls.len());
    }
}

fn counted(shown: &Arc<Source>) -> impl Iterator<Item = Counted> {
    shown.figures.iter().filter(|figure| figure.is_original && figure.field > 0).filter_map(move |figure| {
        let field = shown.field(figure.field).filter(|field| field.stems.len() > 1)?;
        let value = figure.quantity.value.as_whole()?;
        Some(Counted { value, field: Arc::clone(field), shown: Arc::clone(shown) })
    })
}
