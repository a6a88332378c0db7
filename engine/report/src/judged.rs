//! What a run's own judge says of its agents, in columns of its own: no number of the rules, and in none of theirs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use probity_bench::Usage;
use probity_engine::{number::two_digits, plain::plain};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Who judged and how it was asked, on one line.
    pub judge: String,
    /// Its scales, in the order of columns.
    pub scales: Vec<String>,
    /// What it says of each agent, by scale.
    pub agents: BTreeMap<String, BTreeMap<String, JudgedMean>>,
    pub usage: Usage,
    /// What that cost; nothing when prices or counts are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedMean {
    /// Grades added up, over the best there could be; nothing when nothing was graded.
    pub mean: Option<f64>,
    pub numerator: u64,
    /// The best grade, times those that were given.
    pub denominator: u64,
    pub graded: usize,
    /// Episodes not graded, by reason; they are in no mean.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_graded: BTreeMap<String, usize>,
}

impl JudgedMean {
    /// Two digits; `-` where nothing was graded.
    pub fn shown(&self) -> String {
        self.mean.map_or_else(|| "-".to_owned(), two_digits)
    }
}

impl Judged {
    pub fn of(&self, agent: &str) -> Vec<(&str, JudgedMean)> {
        let means = self.agents.get(agent);
        let mean = |scale: &String| means.and_then(|means| means.get(scale)).cloned().unwrap_or_default();
        self.scales.iter().map(|scale| (scale.as_str(), mean(scale))).collect()
    }

    /// Who judged, what was not graded, and what was asked for: what stands below the table.
    pub fn note(&self) -> String {
        let mut text = format!("judged\n  {}\n", plain(&self.judge));
        for (agent, means) in &self.agents {
            let Some(mean) = means.values().find(|mean| !mean.not_graded.is_empty()) else { continue };
            let reasons: Vec<String> = mean.not_graded.iter().map(|(why, count)| format!("{why}: {count}")).collect();
            let missing: usize = mean.not_graded.values().sum();
            let all = mean.graded + missing;
            text.push_str(&format!(
                "  {}: {missing} of {all} episodes not graded ({})\n",
                plain(agent),
                reasons.join(", ")
            ));
        }
        let cost = self.cost.map(|cost| format!("; cost {cost:.4}")).unwrap_or_default();
        text.push_str(&format!("  asked: {}{cost}\n", self.usage));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::{Report, SuiteCounts};
    use crate::sketch::Sketch;
    use crate::table::render;
    use probity_behaviour::benchmark::CARD;

    fn judged() -> Judged {
        let mean = JudgedMean { mean: Some(0.75), numerator: 3, denominator: 4, graded: 1, ..JudgedMean::default() };
        let none = JudgedMean { not_graded: [("judge_unreadable".to_owned(), 2)].into(), ..JudgedMean::default() };
        Judged {
            judge: "judge openai:m\u{1b}[2J".to_owned(),
            scales: vec!["faithfulness".to_owned()],
            agents: [("oracle", mean), ("other", none)]
                .map(|(name, mean)| (name.to_owned(), [("faithfulness".to_owned(), mean)].into()))
                .into(),
            usage: Usage { requests: 3, ..Usage::default() },
            cost: Some(0.5),
        }
    }

    #[test]
    fn a_judge_has_columns_of_its_own() {
        let records = [Sketch::default().record(), Sketch { agent: "other", ..Sketch::default() }.record()];
        let report = crate::sample::report(&CARD, &records, SuiteCounts::default());
        let with = Report { judged: Some(judged()), ..report.clone() };
        for (width, title, value) in
            [(170, "faithfulness", "0.75"), (120, "(judge)", "0.75"), (60, "faithfulness (judge)", "0.75")]
        {
            let (plain, text) = (render(&CARD, &report, &[], width), render(&CARD, &with, &[], width));
            assert!(text.contains(title) && text.contains(value) && !plain.contains(title), "{width}: {text}");
        }
        let text = render(&CARD, &with, &[], 170);
        assert!(text.contains("other: 2 of 2 episodes not graded (judge_unreadable: 2)"), "{text}");
        assert!(text.contains("asked: 3 requests") && text.contains("; cost 0.5000"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn who_is_not_judged_has_no_number() {
        let shown: Vec<String> = judged().of("nobody").into_iter().map(|(_, mean)| mean.shown()).collect();
        assert_eq!(shown, ["-"]);
    }
}
