//! What is known at a point of a dialogue: all that an agent's words are held against.

use std::collections::BTreeSet;
use std::sync::Arc;

use compact_str::format_compact;
use jiff::civil::Date;

use crate::claim::ShownBy;
use crate::desk::{Card, Desk};
use crate::knowledge::Knowledge;
use crate::source::{Field, Source};
use probity_prose::Wanted;

/// A call, as far as it is known at a reply.
pub(crate) struct Call {
    /// The place of its tool in the desk's; nothing for a tool that the desk has not.
    pub card: Option<usize>,
    pub is_read: bool,
    pub is_ok: bool,
    /// Whether what it was made with belongs to what it showed.
    pub is_told: bool,
    pub message: u32,
    pub asked: Arc<Source>,
    pub shown: Arc<Source>,
}

impl Call {
    pub(crate) fn has_stem<'a>(&self, stem: impl Into<Wanted<'a>>) -> bool {
        let stem = stem.into();
        [&self.asked, &self.shown].into_iter().any(|source| source.has_any_stem(stem))
    }
}

pub(crate) struct Ledger<'a> {
    pub desk: &'a Desk,
    pub knowledge: Knowledge,
    pub calls: Vec<Call>,
    /// What the user said, turn by turn.
    pub heard: Vec<Arc<Source>>,
    pub gathered: Gathered,
    /// How many of the calls were made before the last reply.
    pub answered: usize,
    /// Whether a rule, a word of the user or what was read goes on behind what is known of it: what nothing known has may
    /// stand there.
    pub is_cut: bool,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(desk: &'a Desk) -> Ledger<'a> {
        let mut knowledge = Knowledge::new(desk.calendar);
        knowledge.add(Arc::clone(&desk.brief));
        let (is_cut, gathered) = (desk.brief.is_cut, Gathered::default());
        Ledger { desk, knowledge, calls: Vec::new(), heard: Vec::new(), gathered, answered: 0, is_cut }
    }

    pub(crate) fn card(&self, call: &Call) -> Option<&'a Card> {
        self.desk.tools.get(call.card?)
    }

    /// The last call that showed a source, with a value of it.
    pub(crate) fn shown_by(&self, source: &Arc<Source>, value: &str) -> Option<ShownBy> {
        let call = self.calls.iter().rev().find(|call| Arc::ptr_eq(&call.shown, source))?;
        let tool = self.card(call)?.tool.name.clone();
        Some(ShownBy { tool, message: call.message, value: value.to_owned() })
    }

    /// The changes that were carried out, with their tools.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (&Call, &'a Card)> {
        let done = self.calls.iter().filter(|call| call.is_ok && !call.is_read);
        done.filter_map(|call| Some((call, self.card(call)?)))
    }

    /// Whether the stem of a word occurs in anything that the agent was told or shown, or asked with.
    pub(crate) fn knows(&self, stem: &str) -> bool {
        let stem = Wanted::from(stem);
        self.knowledge.sources.iter().any(|source| source.has_any_stem(stem))
            || self.calls.iter().any(|call| call.asked.has_stem(stem))
    }

    /// The same for the beginning of a word.
    pub(crate) fn knows_beginning(&self, stem: &str) -> bool {
        let begins = format_compact!(" {}", beginning(stem));
        self.knows(stem) || self.knowledge.sources.iter().any(|source| source.text.contains(begins.as_str()))
    }

    pub(crate) fn was_shown(&self, stem: &str) -> bool {
        let stem = Wanted::from(stem);
        self.calls.iter().any(|call| call.shown.has_any_stem(stem))
    }

    pub(crate) fn was_heard(&self, stem: &str) -> bool {
        let stem = Wanted::from(stem);
        self.heard.iter().any(|source| source.has_stem(stem))
    }
}

/// The first letters of a word, by which its forms are known: `arriv` of `arrival` and `arriving`.
pub(crate) fn beginning(word: &str) -> &str {
    word.char_indices().nth(5).and_then(|(end, _)| word.get(..end)).unwrap_or(word)
}

/// Minutes of a day.
pub(crate) const DAY: i64 = 24 * 60;

/// The days, times and lengths that are known, and what fields of several words count.
#[derive(Default)]
pub(crate) struct Gathered {
    pub dates: BTreeSet<Date>,
    /// Times of day, in minutes.
    pub times: BTreeSet<i64>,
    /// Whether it is told of several zones, so that a time may be told at another hour.
    pub has_zones: bool,
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
            self.has_zones |= source.has_zones;
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
