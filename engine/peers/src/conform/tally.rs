//! How many vectors of each kind came out as the reference has them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::case::{Case, Failure};
use super::examiner::Outcome;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub cases: usize,
    pub passed: usize,
    pub failed: usize,
    /// Vectors that hang on no oddity of the reference.
    pub plain_cases: usize,
    pub plain_passed: usize,
}

#[derive(Debug, Default)]
pub struct Tally {
    pub kinds: BTreeMap<String, Counts>,
    /// In the order of the files.
    pub failures: Vec<Failure>,
    /// Vectors that could not be read. They count as failed, so that no run looks clean without them.
    pub unreadable: usize,
    /// Vectors by kind that nothing was asked of: they tell what the other program does.
    pub skipped: BTreeMap<String, usize>,
    /// Vectors that came out otherwise by a rule that the docs name, by the rule. They count as passed.
    pub diverged: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub fn add(&mut self, case: &Case, outcome: Outcome) {
        let passed = match outcome {
            Outcome::Skipped(kind) => {
                *self.skipped.entry(kind).or_default() += 1;
                return;
            }
            Outcome::Agrees => 1,
            Outcome::Diverges(rule) => {
                *self.diverged.entry(rule).or_default() += 1;
                1
            }
            Outcome::Differs(failure) => {
                self.failures.push(*failure);
                0
            }
        };
        let counts = self.kinds.entry(case.kind.clone()).or_default();
        let plain = usize::from(!case.is_quirk);
        counts.cases += 1;
        counts.passed += passed;
        counts.failed += 1 - passed;
        counts.plain_cases += plain;
        counts.plain_passed += plain * passed;
    }

    pub fn failed(count: usize) -> Counts {
        Counts { cases: count, failed: count, plain_cases: count, ..Counts::default() }
    }

    /// All kinds together, and what could not be read.
    pub fn total(&self) -> Counts {
        let mut total = Self::failed(self.unreadable);
        for counts in self.kinds.values() {
            total.cases += counts.cases;
            total.passed += counts.passed;
            total.failed += counts.failed;
            total.plain_cases += counts.plain_cases;
            total.plain_passed += counts.plain_passed;
        }
        total
    }
}
