//! One run against itself: its trials dealt to two halves, and how often a gate between them closes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::check::Decision;
use super::comparison::{Comparison, Side};
use super::gate::GateVerdict;
use super::rules::GateFile;
use probity_bench::{Card, EpisodeRecord, Levels};
use probity_engine::Stream;

/// How often the trials are dealt.
const SPLITS: usize = 200;

/// What a gate says of an agent that did not change.
#[derive(Clone, Debug, Serialize)]
pub struct Apart {
    pub agent: String,
    /// How often its trials were dealt.
    pub splits: usize,
    /// Trials of each instance in either half.
    pub trials: usize,
    /// How often the gate closed because something was worse.
    pub closed: usize,
    /// How often it stayed closed because it could not tell.
    pub undecided: usize,
    /// How often it stayed closed because something was not scored.
    pub not_measured: usize,
    /// Which checks kept it closed, and how often.
    pub checks: BTreeMap<String, usize>,
}

impl Apart {
    /// Deals the trials of each instance to two halves, again and again; by the rules of a file, or without one.
    /// An error: some instance has one trial only, or the run has none.
    pub fn of(card: &'static Card, side: Side, file: Option<&GateFile>, seed: u64) -> Result<Apart, String> {
        let mut instances: BTreeMap<(&str, &Levels), Vec<EpisodeRecord>> = BTreeMap::new();
        for record in side.records.iter().filter(|record| record.agent == side.agent) {
            let mut plain = record.clone();
            // Numbers and findings decide; the events are long.
            plain.trace.events.clear();
            instances.entry((record.task(), &record.trace.header.levels)).or_default().push(plain);
        }
        let trials = instances.values().map(Vec::len).min().unwrap_or(0) / 2;
        if trials == 0 {
            return Err(format!("`{}` has no two trials of each instance to set against each other", side.agent));
        }
        let (agent, splits, checks) = (side.agent.to_owned(), SPLITS, BTreeMap::new());
        let mut apart = Apart { agent, splits, trials, closed: 0, undecided: 0, not_measured: 0, checks };
        let mut stream = Stream::new(seed, "apart", side.agent);
        for _ in 0..SPLITS {
            let [base, new] = halves(&mut instances, trials, &mut stream);
            let of = |records| Side { records, ..side };
            let verdict = match file {
                Some(file) => {
                    let mut comparison = Comparison::asked_by(card, of(&base), of(&new), seed, file);
                    GateVerdict::by_file(card, &mut comparison, file)
                }
                None => GateVerdict::by_default(card, &Comparison::asked(card, of(&base), of(&new), seed)),
            };
            apart.count(&verdict);
        }
        Ok(apart)
    }

    fn count(&mut self, verdict: &GateVerdict) {
        match verdict.decision {
            Decision::Open => {}
            Decision::Closed => self.closed += 1,
            Decision::Undecided => self.undecided += 1,
            Decision::NotMeasured => self.not_measured += 1,
        }
        for check in verdict.closing() {
            *self.checks.entry(check.name.clone()).or_default() += 1;
        }
    }
}

type Instances<'a> = BTreeMap<(&'a str, &'a Levels), Vec<EpisodeRecord>>;

/// So many trials of each instance in either half, numbered anew.
fn halves(instances: &mut Instances, trials: usize, stream: &mut Stream) -> [Vec<EpisodeRecord>; 2] {
    let mut halves = [Vec::new(), Vec::new()];
    for records in instances.values_mut() {
        stream.shuffle(records);
        for (half, some) in halves.iter_mut().zip(records.chunks(trials)) {
            half.extend((0..).zip(some).map(|(trial, record)| EpisodeRecord { trial, ..record.clone() }));
        }
    }
    halves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::Sketch;
    use probity_behaviour::benchmark::CARD;

    fn run(trials: u32, is_good: impl Fn(u32, u32) -> bool) -> Vec<EpisodeRecord> {
        let at = |task: u32, trial: u32| {
            let name = format!("travel/front_desk/t{task:03}");
            Sketch { task: name, trial, sr: Some(is_good(task, trial)), claims: (3, 3), ..Sketch::default() }.record()
        };
        (0..30)
            .flat_map(|task| (0..trials).map(move |trial| (task, trial)))
            .map(|(task, trial)| at(task, trial))
            .collect()
    }

    fn of(records: &[EpisodeRecord]) -> Result<Apart, String> {
        Apart::of(&CARD, Side { records, agent: "oracle", is_repeatable: false }, None, 0)
    }

    #[test]
    fn an_agent_is_seldom_worse_than_itself() {
        let apart = of(&run(6, |task, trial| (task * 7 + trial * 3) % 4 > 0)).unwrap();
        assert_eq!((apart.splits, apart.trials), (200, 3));
        assert!(apart.closed + apart.undecided <= 10, "{apart:?}");
        let steady = of(&run(2, |task, _| task % 3 > 0)).unwrap();
        assert_eq!((steady.closed, steady.undecided, steady.trials), (0, 0, 1), "{steady:?}");
    }

    #[test]
    fn one_trial_has_no_halves() {
        assert!(of(&run(1, |_, _| true)).unwrap_err().contains("no two trials"));
        assert!(of(&[]).is_err());
    }
}
