//! Reports and pages of episodes that are all at hand, for tests. Their order does not matter.
#![expect(clippy::unwrap_used, reason = "only tests use it, and they stop at a surprise")]

use std::io::Cursor;

use crate::{About, Page, Report, SuiteCounts, Tally};
use probity_bench::{Card, EpisodeRecord};

pub fn report(card: &'static Card, records: &[EpisodeRecord], counts: SuiteCounts) -> Report {
    let mut tally = Tally::of_card(card);
    in_order(records).into_iter().for_each(|record| tally.add(record));
    tally.report(counts)
}

pub fn page(card: &'static Card, report: &Report, about: &About, records: &[EpisodeRecord]) -> String {
    let (mut page, mut out) = (Page::new(card, Cursor::new(Vec::new())), Vec::new());
    page.add(&in_order(records)).unwrap();
    page.write(&mut out, report, about).unwrap();
    String::from_utf8(out).unwrap()
}

/// The episodes in unit order: by agent, task, levels and trial.
pub fn in_order(records: &[EpisodeRecord]) -> Vec<&EpisodeRecord> {
    let mut units: Vec<&EpisodeRecord> = records.iter().collect();
    units.sort_by(|a, b| a.order().cmp(&b.order()));
    units
}
