//! The judged block as text for a terminal.

use std::collections::{BTreeMap, BTreeSet};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde::Serialize;

use super::agreement::{Coefficient, RaterAgreement, agreements};
use super::grades::Scale;
use super::judgement::{JudgeCard, NoGrades, Rating};
use super::name::{options, wording};
use probity_engine::number::two_digits;
use probity_engine::plain::plain;

const LEGEND: &str = "\
Judged: grades given by a language model or a person; not the quantities that stand under the same words with (rules).
A number is the sum of the grades over the best there could be; what was not graded is in none of them.
kappa: Cohen's; weighted: with quadratic weights; alpha: Krippendorff's for ordered grades; 0 is what chance gives.
";

pub fn render(summary: &Summary) -> String {
    let blocks: Vec<String> = summary.judges.iter().map(block).collect();
    let agreement = match summary.agreement.is_empty() {
        true => String::new(),
        false => format!("agreement\n{}\n", agreement(&summary.agreement)),
    };
    format!("{}\n{agreement}{LEGEND}", blocks.join("\n"))
}

/// Who a judge is and how it was asked, on one line.
pub fn title(judge: &JudgeCard, repeats: usize) -> String {
    let prompt = judge.prompt.as_ref().map_or_else(String::new, |prompt| format!(", {}", wording(prompt)));
    let sampling = judge.sampling.as_ref().map_or_else(String::new, |sampling| {
        let options = options(sampling);
        let options = if options.is_empty() { options } else { format!(", {options}") };
        format!(", temperature {}, max_tokens {}{options}", sampling.temperature, sampling.max_tokens)
    });
    let repeats = if repeats > 1 { format!(", {repeats} repeats") } else { String::new() };
    plain(&format!("judge {}{prompt}{sampling}{repeats}", judge.id))
}

fn block(judge: &JudgeSummary) -> String {
    let scales = Scale::ALL.map(|scale| format!("{}\n(judged)", scale.name()));
    let header = std::iter::once("agent".to_owned()).chain(scales).chain(["not graded".to_owned()]);
    let rows = judge.agents.iter().map(|(agent, scales)| {
        let graded = Scale::ALL.map(|scale| scales.get(&scale).cloned().unwrap_or_default());
        let cells = graded.iter().map(mean).chain([missing(&graded)]);
        std::iter::once(plain(agent)).chain(cells).collect()
    });
    format!("{}\n{}", title(&judge.judge, judge.repeats), grid(header.collect(), rows.collect()))
}

fn mean(graded: &GradeSummary) -> String {
    let GradeSummary { numerator, denominator, .. } = graded;
    graded.mean.map_or_else(|| "-".to_owned(), |mean| format!("{} ({numerator}/{denominator})", two_digits(mean)))
}

/// What was not graded, by reason: the most of any scale.
fn missing(graded: &[GradeSummary]) -> String {
    let mut most = std::collections::BTreeMap::<NoGrades, usize>::new();
    for (reason, count) in graded.iter().flat_map(|graded| &graded.not_scored) {
        let entry = most.entry(*reason).or_default();
        *entry = (*entry).max(*count);
    }
    match most.is_empty() {
        true => "0".to_owned(),
        false => {
            most.iter().map(|(reason, count)| format!("{}: {count}", reason.name())).collect::<Vec<_>>().join(", ")
        }
    }
}

fn agreement(agreements: &[RaterAgreement]) -> String {
    let header = ["scale", "raters", "episodes", "equal", "kappa", "weighted", "alpha"].map(str::to_owned);
    let row = |agreement: &RaterAgreement| {
        let equal = &agreement.equal;
        let share = equal.value().map_or_else(
            || "-".to_owned(),
            |share| format!("{} ({}/{})", two_digits(share), equal.numerator, equal.denominator),
        );
        vec![
            agreement.scale.name().to_owned(),
            plain(&agreement.raters.join(" / ")),
            agreement.episodes.to_string(),
            share,
            coefficient(&agreement.kappa),
            coefficient(&agreement.weighted_kappa),
            coefficient(&agreement.alpha),
        ]
    };
    grid(header.to_vec(), agreements.iter().map(row).collect())
}

fn coefficient(coefficient: &Coefficient) -> String {
    match coefficient {
        Coefficient::Value(value) if *value < 0.0 => format!("-{}", two_digits(-value)),
        Coefficient::Value(value) => two_digits(*value),
        Coefficient::Undefined(why) => format!("undefined: {why}"),
    }
}

/// Rows below their titles, the first column to the left.
pub fn grid(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub judges: Vec<JudgeSummary>,
    /// How far judges agree among each other and with themselves.
    pub agreement: Vec<RaterAgreement>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgeSummary {
    pub judge: JudgeCard,
    pub repeats: usize,
    /// Its grades by the agent that is graded.
    pub agents: BTreeMap<String, BTreeMap<Scale, GradeSummary>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GradeSummary {
    /// Grades added up, over the best there could be; nothing when nothing was graded.
    pub mean: Option<f64>,
    pub numerator: u64,
    /// The best grade, times those that were given.
    pub denominator: u64,
    pub graded: usize,
    /// Grades not given, by reason; they are in no mean.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_scored: BTreeMap<NoGrades, usize>,
}

impl GradeSummary {
    fn add(&mut self, scale: Scale, grade: Result<u8, NoGrades>) {
        match grade {
            Ok(grade) => {
                self.graded += 1;
                self.numerator += u64::from(grade);
                self.denominator += u64::from(scale.best());
                #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
                let mean = self.numerator as f64 / self.denominator as f64;
                self.mean = Some(mean);
            }
            Err(reason) => *self.not_scored.entry(reason).or_default() += 1,
        }
    }
}

impl Summary {
    pub fn of(ratings: &[Rating]) -> Summary {
        let mut judges: BTreeMap<String, JudgeSummary> = BTreeMap::new();
        let mut repeats: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for rating in ratings {
            let empty = || JudgeSummary { judge: rating.judge.clone(), repeats: 0, agents: BTreeMap::new() };
            let judge = judges.entry(rating.judge.key()).or_insert_with(empty);
            let repeats = repeats.entry(rating.judge.key()).or_default();
            repeats.insert(rating.repeat);
            judge.repeats = repeats.len();
            let agent = judge.agents.entry(rating.episode.agent.clone()).or_default();
            for scale in Scale::ALL {
                agent.entry(scale).or_default().add(scale, rating.on(scale));
            }
        }
        Summary { judges: judges.into_values().collect(), agreement: agreements(ratings) }
    }
}
