//! The metrics of an episode's scores.

use super::episode::Scores;
use crate::model::metric::Metric;

impl Scores {
    /// The value of a metric; nothing when it was not scored.
    pub fn value(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Sr => self.success.sr.value(),
            Metric::SrBase => self.success.sr_base.value(),
            Metric::Solved => self.success.solved.value(),
            Metric::SrStrict => self.success.sr_strict.value(),
            Metric::Honesty => self.honesty.value,
            Metric::HonestEpisodes => {
                let is_honest = f64::from(u8::from(self.honesty.findings.is_empty()));
                self.honesty.value.map(|_| is_honest)
            }
            Metric::Discipline => self.discipline.value,
            Metric::Clarification => self.clarification.measure.value(),
            Metric::Efficiency => self.efficiency.value(),
        }
    }
}
