//! A group of episodes while it is being counted. Turns into a [`Summary`]; knows nothing of other groups.

use std::collections::BTreeMap;

use super::aggregate::{Claims, FindingCounts, NotScoredReasons, Score, Summary};
use super::spread::Spread;
use probity_behaviour::model::metric::Metric;
use probity_behaviour::run::record::EpisodeRecord;
use probity_behaviour::score::blame::Blame;
use probity_behaviour::score::failure_mode::FailureMode;
use probity_bench::event::EndReason;
use probity_bench::stats::pass_k;
use probity_bench::verdict::{Finding, Verdict};

/// A mean while it is being summed, in the order in which values are added.
#[derive(Default)]
struct Mean {
    sum: f64,
    n: usize,
    not_scored: usize,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        match value {
            Some(value) => {
                self.sum += value;
                self.n += 1;
            }
            None => self.not_scored += 1,
        }
    }

    fn score(&self) -> Score {
        let value = (self.n > 0).then(|| self.sum / self.n as f64);
        Score { value, n: self.n, not_scored: self.not_scored }
    }
}

/// A group of episodes while it is being counted.
#[derive(Default)]
pub struct Group {
    episodes: usize,
    sr: Mean,
    sr_base: Mean,
    solved: Mean,
    sr_strict: Mean,
    honesty: Mean,
    honest_episodes: Mean,
    discipline: Mean,
    clarification: Mean,
    efficiency: Mean,
    claims: Claims,
    severity: f64,
    failure_modes: BTreeMap<FailureMode, usize>,
    blames: BTreeMap<Blame, usize>,
    user_fallbacks: u64,
    findings: FindingCounts,
    ends: BTreeMap<EndReason, usize>,
    not_scored: NotScoredReasons,
    spread: Spread,
}

impl Group {
    /// Counts an episode in.
    pub fn add(&mut self, record: &EpisodeRecord) {
        let scores = &record.scores;
        self.episodes += 1;
        self.sr.add(scores.success.sr.value());
        self.sr_base.add(scores.success.sr_base.value());
        self.solved.add(scores.success.solved.value());
        self.sr_strict.add(scores.success.sr_strict.value());
        self.honesty.add(scores.honesty.value);
        self.honest_episodes.add(scores.value(Metric::HonestEpisodes));
        self.discipline.add(scores.discipline.value);
        self.clarification.add(scores.clarification.measure.value());
        self.efficiency.add(scores.efficiency.value());
        self.spread.add(record);
        self.add_sums(record);
        self.add_reasons(record);
        if let Some(mode) = scores.failure_mode {
            *self.failure_modes.entry(mode).or_default() += 1;
        }
        if let Some(blame) = scores.blame {
            *self.blames.entry(blame).or_default() += 1;
        }
        self.user_fallbacks += u64::from(record.user_fallbacks);
        if let Some((reason, _)) = record.trace.end() {
            *self.ends.entry(reason).or_default() += 1;
        }
    }

    fn add_sums(&mut self, record: &EpisodeRecord) {
        let scores = &record.scores;
        if scores.success.sr.value().is_some() {
            count(&mut self.findings.success, &scores.success.parts.findings);
        }
        if scores.discipline.value.is_some() {
            self.severity += scores.discipline.severity;
            count(&mut self.findings.discipline, &scores.discipline.findings);
        }
        if scores.honesty.value.is_some() {
            self.claims.grounded += scores.honesty.measure.numerator;
            self.claims.claims += scores.honesty.measure.denominator;
            count(&mut self.findings.honesty, &scores.honesty.findings);
        }
        if scores.clarification.measure.value().is_some() {
            count(&mut self.findings.clarification, &scores.clarification.findings);
        }
    }

    fn add_reasons(&mut self, record: &EpisodeRecord) {
        let scores = &record.scores;
        // An episode without a verdict has no other score either, for the same reason.
        let whole = match &scores.success.sr {
            Verdict::NotScored { reason } => Some(reason.as_str()),
            Verdict::Pass | Verdict::Fail => None,
        };
        let add = |reasons: &mut BTreeMap<String, usize>, own: &str| {
            *reasons.entry(whole.unwrap_or(own).to_owned()).or_default() += 1;
        };
        if let Some(reason) = whole {
            add(&mut self.not_scored.sr, reason);
        }
        if scores.honesty.value.is_none() {
            add(&mut self.not_scored.honesty, "no claim was made");
        }
        if scores.discipline.value.is_none() {
            add(&mut self.not_scored.discipline, "no call was made");
        }
    }

    /// What was counted.
    pub fn summary(self) -> Summary {
        Summary {
            episodes: self.episodes,
            sr: self.sr.score(),
            sr_change: None,
            sr_base: self.sr_base.score(),
            solved: self.solved.score(),
            sr_strict: self.sr_strict.score(),
            honesty: self.honesty.score(),
            honest_episodes: self.honest_episodes.score(),
            discipline: self.discipline.score(),
            clarification: self.clarification.score(),
            efficiency: self.efficiency.score(),
            claims: self.claims,
            severity: self.severity,
            failure_modes: self.failure_modes,
            blames: self.blames,
            user_fallbacks: self.user_fallbacks,
            findings: self.findings,
            ends: self.ends,
            not_scored: self.not_scored,
            intervals: self.spread.intervals(),
            pass_at: self.spread.pass(pass_k::pass_at),
            pass_hat: self.spread.pass(pass_k::pass_hat),
        }
    }
}

fn count(counts: &mut BTreeMap<String, usize>, findings: &[Finding]) {
    for finding in findings {
        *counts.entry(finding.code.clone()).or_default() += 1;
    }
}
