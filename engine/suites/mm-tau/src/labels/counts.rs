//! The counts that a judge gave of one message or one conversation, or the sums of several.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::count_fault::CountFault;
use super::metric::{LabelMetric, LabelSubject, MetricSheet, PARTS};
use super::node::Node;
use super::quotation;

/// The greatest count of a supplied label, but for critical field accuracy, which is 0 or 1 wherever it stands.
const MOST_SUPPLIED: u64 = 1000;

/// Whole numbers by name. Read ones hold every name of their subject and no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelCounts(BTreeMap<LabelMetric, u64>);

/// Where counts come from, which says how much is asked of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountSource {
    /// From our own judge, which is told the limits and can be asked again.
    Reply,
    /// From a file, which is taken as it is as far as it can be.
    File,
}

impl CountSource {
    fn most(self, sheet: &MetricSheet) -> u64 {
        match (self, sheet.metric) {
            (CountSource::Reply, _) | (CountSource::File, LabelMetric::CriticalFieldAccuracy) => sheet.most,
            (CountSource::File, _) => MOST_SUPPLIED,
        }
    }
}

impl LabelCounts {
    /// The count of a name; nothing where it is not counted.
    pub fn get(&self, metric: LabelMetric) -> Option<u64> {
        self.0.get(&metric).copied()
    }

    /// The sums of counts; one that no `u64` holds stays at the greatest.
    pub(super) fn total<'c>(all: impl Iterator<Item = &'c LabelCounts>) -> LabelCounts {
        let mut total = BTreeMap::new();
        for (metric, count) in all.flat_map(|counts| &counts.0) {
            let sum: &mut u64 = total.entry(*metric).or_insert(0);
            *sum = sum.saturating_add(*count);
        }
        LabelCounts(total)
    }

    /// The sum of a name; what nobody counted adds up to nothing.
    pub(super) fn sum(&self, metric: LabelMetric) -> u64 {
        self.get(metric).unwrap_or(0)
    }

    pub(super) fn read(
        entries: &[(String, Node)],
        subject: LabelSubject,
        source: CountSource,
    ) -> Result<LabelCounts, Vec<CountFault>> {
        let (mut counts, mut faults) = (LabelCounts(BTreeMap::new()), Vec::new());
        for (name, _) in entries {
            if subject.sheets().all(|sheet| sheet.name != name) {
                faults.push(CountFault::Unknown { name: quotation::name(name), subject: subject.title() });
            }
        }
        for sheet in subject.sheets() {
            match one(entries, sheet, source) {
                Ok(count) => drop(counts.0.insert(sheet.metric, count)),
                Err(fault) => faults.push(fault),
            }
        }
        if source == CountSource::Reply {
            faults.extend(counts.inconsistencies());
        }
        if faults.is_empty() { Ok(counts) } else { Err(faults) }
    }

    fn inconsistencies(&self) -> impl Iterator<Item = CountFault> {
        let is_broken = |(part, whole): &(LabelMetric, LabelMetric)| match (self.get(*part), self.get(*whole)) {
            (Some(part), Some(whole)) => part > whole,
            (None, _) | (_, None) => false,
        };
        let broken = PARTS.into_iter().filter(is_broken);
        broken.map(|(part, whole)| CountFault::Inconsistent { part: part.name(), whole: whole.name() })
    }
}

fn one(entries: &[(String, Node)], sheet: &MetricSheet, source: CountSource) -> Result<u64, CountFault> {
    let mut found = entries.iter().filter(|(name, _)| name == sheet.name).map(|(_, node)| node);
    let node = found.next().ok_or(CountFault::Missing(sheet.name))?;
    if found.next().is_some() {
        return Err(CountFault::Repeated(sheet.name));
    }
    let Node::Count(count) = node else {
        return Err(CountFault::NotWhole { name: sheet.name, found: node.title() });
    };
    let most = source.most(sheet);
    if *count > most {
        return Err(CountFault::TooMany { name: sheet.name, count: *count, most });
    }
    Ok(*count)
}

impl Serialize for LabelCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(metric, count)| (metric.name(), count)))
    }
}
