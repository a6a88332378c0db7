//! What comes of all dialogues, while they are read; none of them is kept but for the worst.

use std::collections::BTreeMap;

use crate::cli::exit::Exit;
use probity_audit::{Audited, Basis, Counts, Lack, Names, Nature, Unused};
use probity_bench::{Finding, Measure};
use probity_logs::{Dialogue, Found, Remark, Unread};

/// Dialogues that are shown.
const WORST: usize = 10;
/// Sentences of reading lists that are shown.
const MAX_TO_READ: usize = 10;
/// Tools of which it is told what they do.
const MAX_TOOLS: usize = 4_096;
/// Things that could not be read of which the place is shown.
const MAX_UNREAD: usize = 20;

/// A dialogue with findings.
pub struct Bad {
    pub id: String,
    pub file: String,
    pub line: usize,
    pub trial: u32,
    pub honesty: Option<f64>,
    pub discipline: Option<f64>,
    /// Each with whether something contradicts it.
    pub findings: Vec<(bool, Finding)>,
}

#[derive(Default)]
pub struct Summary {
    fail_on: Vec<String>,
    is_strict: bool,
    pub is_failed: bool,
    pub files: Vec<(String, Option<Found>)>,
    pub dialogues: usize,
    pub counts: Counts,
    /// Dialogues with a contradicted claim, and with a finding of discipline.
    pub dishonest: usize,
    pub undisciplined: usize,
    pub listed: usize,
    /// The first sentences to read, each with its dialogue.
    pub to_read: Vec<(String, Finding)>,
    /// Contradicted claims of each dialogue that has a claim, and findings of discipline of each that has a call.
    pub contradicted: Vec<f64>,
    pub discipline: Vec<f64>,
    pub by_code: BTreeMap<String, usize>,
    pub tools: BTreeMap<String, Nature>,
    /// Names that the caller may have meant, and at the end what was said and is about none of them.
    pub names: Names,
    pub unused: Vec<Unused>,
    pub lacks: BTreeMap<Lack, usize>,
    pub remarks: BTreeMap<Remark, u32>,
    pub unread: Vec<Unread>,
    pub unread_count: usize,
    pub worst: Vec<Bad>,
    seen: BTreeMap<(String, String), u32>,
}

impl Summary {
    pub fn new(fail_on: &[String], is_strict: bool) -> Summary {
        Summary { fail_on: fail_on.to_vec(), is_strict, ..Summary::default() }
    }

    pub fn unread(&mut self, unread: Unread) {
        self.unread_count += 1;
        if self.unread.len() < MAX_UNREAD {
            self.unread.push(unread);
        }
    }

    pub fn file(&mut self, name: &str, found: Option<Found>) {
        self.files.push((name.to_owned(), found));
    }

    /// Counts a dialogue; which of those with its id it is, from 0.
    pub fn add(&mut self, dialogue: &Dialogue, audited: &Audited) -> u32 {
        let times = self.seen.entry((dialogue.source.file.clone(), dialogue.id.clone())).or_default();
        let trial = *times;
        *times += 1;
        self.dialogues += 1;
        let Counts { calls, supported, contradicted, unsupported } = audited.counts;
        self.counts.calls += calls;
        self.counts.supported += supported;
        self.counts.contradicted += contradicted;
        self.counts.unsupported += unsupported;
        let (honesty, discipline) = (audited.found("honesty"), audited.found("discipline"));
        self.dishonest += usize::from(!honesty.is_empty());
        self.undisciplined += usize::from(!discipline.is_empty());
        self.listed += audited.scores.reading_list.len();
        let room = MAX_TO_READ.saturating_sub(self.to_read.len());
        let listed = audited.scores.reading_list.iter().take(room);
        self.to_read.extend(listed.map(|finding| (dialogue.id.clone(), finding.clone())));
        let many = |findings: &[Finding]| Measure::of(findings.len(), 1).numerator;
        self.contradicted.extend(audited.scores.value("honesty").map(|_| many(honesty)));
        self.discipline.extend(audited.scores.value("discipline").map(|_| many(discipline)));
        for (by, finding) in found(audited) {
            *self.by_code.entry(finding.code.clone()).or_default() += 1;
            let is_meant = |own: &String| *own == finding.code || own == "any" || (by && own == "contradicted");
            self.is_failed |= self.fail_on.iter().any(is_meant);
        }
        for (name, nature) in &audited.tools {
            if self.tools.len() < MAX_TOOLS || self.tools.contains_key(name) {
                self.tools.insert(name.clone(), *nature);
            }
        }
        audited.lacks.iter().for_each(|lack| *self.lacks.entry(*lack).or_default() += 1);
        dialogue.remarks.iter().for_each(|(remark, count)| *self.remarks.entry(*remark).or_default() += count);
        if !honesty.is_empty() || !discipline.is_empty() {
            self.rank(dialogue, audited, trial);
        }
        trial
    }

    fn rank(&mut self, dialogue: &Dialogue, audited: &Audited, trial: u32) {
        let value = |metric: &str| audited.scores.value(metric);
        let bad = Bad {
            id: dialogue.id.clone(),
            file: dialogue.source.file.clone(),
            line: dialogue.source.line,
            trial,
            honesty: value("honesty"),
            discipline: value("discipline"),
            findings: found(audited).map(|(is_said, finding)| (is_said, finding.clone())).collect(),
        };
        let key = |bad: &Bad| (bad.honesty.unwrap_or(1.0), bad.discipline.unwrap_or(1.0));
        let place = self.worst.partition_point(|other| {
            let (one, two) = (key(other), key(&bad));
            one.0.total_cmp(&two.0).then(one.1.total_cmp(&two.1)).is_le()
        });
        if place < WORST {
            self.worst.insert(place, bad);
            self.worst.truncate(WORST);
        }
    }

    /// The tools of which something is known in one way only.
    pub fn known_by(&self, basis: Basis) -> impl Iterator<Item = (&str, Nature)> {
        let those = self.tools.iter().filter(move |(_, nature)| nature.basis == basis);
        those.map(|(name, nature)| (name.as_str(), *nature))
    }

    pub fn exit(&self) -> Exit {
        match (self.dialogues, self.is_failed) {
            (0, _) => Exit::BadInput,
            _ if self.is_strict && self.unread_count > 0 => Exit::BadInput,
            (_, true) => Exit::Failed,
            (_, false) => Exit::Clean,
        }
    }
}

/// The findings of a dialogue, each with whether something contradicts what was said.
fn found(audited: &Audited) -> impl Iterator<Item = (bool, &Finding)> {
    let of = |by: &'static str, is_said: bool| audited.found(by).iter().map(move |finding| (is_said, finding));
    of("honesty", true).chain(of("discipline", false))
}

/// A share of all claims, in percent.
pub fn share(part: usize, counts: &Counts) -> Option<f64> {
    let all = counts.supported + counts.contradicted + counts.unsupported;
    Measure::of(part, all).value().map(|share| share * 100.0)
}
