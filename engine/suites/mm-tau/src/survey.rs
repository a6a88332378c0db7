//! What the paper prints of all of an agent's episodes (docs/MM_TAU.md, "Tables of the paper"): sheets in the shape of its
//! Tables 2 to 5 and Figures 2 and 3, voice beside text, over exposure and persona.

mod conversation;

use conversation::{Conversation, Group};

use crate::measures::Metrics;
use probity_bench::{EpisodeRecord, Sheet, SheetCell, SheetRow, Survey, Visibility};

/// Trials up to which pass^k is told.
const MOST_TRIALS: usize = 8;

/// What stands at the head of a column, and what is counted in it.
struct Column<'c> {
    domain: &'c str,
    title: String,
    group: Group<'c>,
}

/// The scored conversations of an agent's episodes.
#[derive(Default)]
pub struct PairedSurvey(Vec<Conversation>);

impl Survey for PairedSurvey {
    fn add(&mut self, record: &EpisodeRecord) {
        self.0.extend(Conversation::of(record));
    }

    fn sheets(self: Box<Self>) -> Vec<Sheet> {
        sheets(&Group::of(&self.0))
    }
}

fn sheets(all: &Group<'_>) -> Vec<Sheet> {
    let exposures = by_exposure(all);
    if exposures.is_empty() {
        return Vec::new();
    }
    let mut sheets = vec![metrics(&exposures), composite(&exposures), passes(&exposures), personas(all)];
    sheets.extend(noise_floor(all));
    sheets
}

/// A column for each domain and what the agent knew, over the tasks that were played at all of these, each with the same
/// persona over the same channel: what is known of nobody cannot be told.
fn by_exposure<'c>(all: &Group<'c>) -> Vec<Column<'c>> {
    columns(all, |one| &one.exposure, |one| &one.task)
}

/// A column for each domain and level, over the tasks that were played at all levels over the same channel.
fn columns<'c>(
    all: &Group<'c>,
    level: fn(&Conversation) -> &String,
    task: fn(&Conversation) -> &String,
) -> Vec<Column<'c>> {
    let mut columns = Vec::new();
    for domain in all.names(|one| &one.domain) {
        let group = all.only(|one| one.domain == domain);
        let levels = group.names(|one| level(one));
        let shared = group.shared(&levels, level, |one| (task(one).clone(), one.is_voice));
        columns.extend(levels.iter().map(|name| {
            let group = shared.only(|one| level(one) == name);
            Column { domain, title: format!("{domain} {name}"), group }
        }));
    }
    columns
}

fn sheet(name: &str, title: &str, note: &str, columns: Vec<String>, rows: Vec<SheetRow>) -> Sheet {
    let [name, title, note] = [name, title, note].map(str::to_owned);
    Sheet { name, title, note, place: Visibility::Page, range: None, columns, rows }
}

fn metrics(columns: &[Column<'_>]) -> Sheet {
    Sheet {
        place: Visibility::Table,
        ..sheet(
            "metrics",
            "Voice beside text, by what is known of who calls",
            "Of voice, over what was played at every p. MRS, TO: voice against text, same tasks. - is undefined.",
            titles(columns),
            rows(&METRICS, columns),
        )
    }
}

/// Table 5: the composite and its terms.
fn composite(columns: &[Column<'_>]) -> Sheet {
    sheet(
        "composite",
        "mm-tap and its terms",
        "0.35 CFA · pass^1 + 0.35 robustness (MRS, ARGA, ERR) + 0.2 economy (TE, UES, TO) + 0.1 IAS. It is \
               undefined where one of them is; the lenient form goes by those that are defined.",
        titles(columns),
        rows(&COMPOSITE, columns),
    )
}

/// Figure 2: how much succeeds in text and in voice.
fn passes(columns: &[Column<'_>]) -> Sheet {
    let trials = columns.iter().map(|column| column.group.trials().len()).max().unwrap_or(1);
    let most = trials.clamp(1, MOST_TRIALS);
    let channels = (1..=most).flat_map(|k| [(k, "text", false), (k, "voice", true)]);
    let row = |(k, name, is_voice): (usize, &str, bool)| pass_row(&format!("pass^{k} {name}"), columns, is_voice, k);
    Sheet {
        range: Some((0.0, 1.0)),
        ..sheet(
            "passes",
            "Success in text and in voice",
            "pass^k: the chance that k trials of a task all succeed.",
            titles(columns),
            channels.map(row).collect(),
        )
    }
}

/// Figure 3: who calls, the agent not being told.
fn personas(all: &Group<'_>) -> Sheet {
    let columns = columns(&all.only(|one| one.exposure == UNTOLD), |one| &one.persona, |one| &one.bare_task);
    sheet(
        "personas",
        "By who calls, the agent not being told (p0)",
        "The same tasks with each persona.",
        titles(&columns),
        [pass_row("pass^1 text", &columns, false, 1), pass_row("pass^1 voice", &columns, true, 1)]
            .into_iter()
            .chain(rows(&METRICS, &columns))
            .collect(),
    )
}

fn pass_row(name: &str, columns: &[Column<'_>], is_voice: bool, k: usize) -> SheetRow {
    let cells = columns.iter().map(|column| SheetCell::from(column.group.pass_hat(is_voice, k)));
    SheetRow { name: name.to_owned(), cells: cells.collect() }
}

fn titles(columns: &[Column<'_>]) -> Vec<String> {
    columns.iter().map(|column| column.title.clone()).collect()
}

fn rows(metrics: &[MetricRow], columns: &[Column<'_>]) -> Vec<SheetRow> {
    let counted: Vec<_> = columns.iter().map(|column| (column.domain, column.group.metrics())).collect();
    let row = |metric: &MetricRow| SheetRow {
        name: metric.name.to_owned(),
        cells: counted.iter().map(|(domain, metrics)| metric.cell(domain, metrics)).collect(),
    };
    metrics.iter().map(row).collect()
}

/// What the agent knows where it is told nothing.
const UNTOLD: &str = "p0";

/// For each metric the spread over repetitions at p0, and how far each other exposure is from p0. Nothing without a
/// repetition or without another exposure.
fn noise_floor(all: &Group<'_>) -> Option<Sheet> {
    let columns = by_exposure(all);
    let bases: Vec<&Column<'_>> = columns.iter().filter(|column| column.title.ends_with(UNTOLD)).collect();
    let is_repeated = bases.iter().any(|base| base.group.trials().len() > 1);
    let others = |base: &Column<'_>| {
        let domain = base.domain.to_owned();
        columns.iter().filter(move |column| column.domain == domain && !column.title.ends_with(UNTOLD))
    };
    let titles = bases.iter().flat_map(|base| {
        let floor = format!("{} floor", base.domain);
        std::iter::once(floor).chain(others(base).map(|other| format!("{} against p0", other.title)))
    });
    let titles: Vec<String> = titles.collect();
    (is_repeated && titles.len() > bases.len()).then_some(())?;
    let row = |metric: &MetricRow| {
        let cells = bases.iter().flat_map(|base| {
            let floor = spread(&base.group, metric.of);
            let before = (metric.of)(&base.group.metrics());
            let effects: Vec<SheetCell> = others(base)
                .map(|other| effect(before.zip((metric.of)(&other.group.metrics())).map(|(a, b)| b - a), floor))
                .collect();
            std::iter::once(SheetCell::from(floor)).chain(effects)
        });
        SheetRow { name: metric.name.to_owned(), cells: cells.collect() }
    };
    Some(sheet(
        "noise_floor",
        "What p changes, beside what repetition changes",
        "Floor: the greatest less the least of the repetitions at p0. An effect below it says nothing.",
        titles,
        METRICS.iter().map(row).collect(),
    ))
}

fn effect(value: Option<f64>, floor: Option<f64>) -> SheetCell {
    let remark = value.zip(floor).filter(|(value, floor)| value.abs() <= *floor).map(|_| "within the floor".to_owned());
    SheetCell { value, remark }
}

/// The greatest less the least value of a metric over the repetitions; nothing where fewer than two have one.
fn spread(group: &Group<'_>, of: fn(&Metrics) -> Option<f64>) -> Option<f64> {
    let trials = group.trials();
    let each = trials.into_iter().filter_map(|trial| of(&group.only(|one| one.trial == trial).metrics()));
    let values: Vec<f64> = each.collect();
    let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), value| (a.min(*value), b.max(*value)));
    (values.len() > 1).then_some(most - least)
}

/// A row: its name, its number, and what to make of it in a domain.
struct MetricRow {
    name: &'static str,
    of: fn(&Metrics) -> Option<f64>,
    remark: fn(&str, f64) -> Option<&'static str>,
}

const fn row(name: &'static str, of: fn(&Metrics) -> Option<f64>) -> MetricRow {
    MetricRow { name, of, remark: |_, _| None }
}

/// A number by the name that the table of metrics has for it.
fn at(metrics: &Metrics, name: &str) -> Option<f64> {
    metrics.get(name).copied().flatten()
}

/// Below this share of the text's successes an agent is not fit for voice (2.7).
const VOICE_READY: f64 = 0.7;
/// Up to this overhead voice costs little, and beyond the second too much.
const OVERHEAD: (f64, f64) = (0.2, 0.5);
/// Turns that a recovery may take, where the paper says it.
const RECOVERY: (&str, f64) = ("airline", 3.0);

/// The metrics of the paper in its order, with the two parts of safety.
const METRICS: [MetricRow; 13] = [
    row("CFA", |of| at(of, "CFA")),
    row("ARGA", |of| at(of, "ARGA")),
    MetricRow {
        remark: |_, value| (value < VOICE_READY).then_some("not fit for voice"),
        ..row("MRS", |of| at(of, "MRS"))
    },
    row("TE", |of| at(of, "TE")),
    MetricRow {
        remark: |_, value| match value {
            _ if value > OVERHEAD.1 => Some("too much"),
            _ if value >= OVERHEAD.0 => Some("not little"),
            _ => None,
        },
        ..row("TO", |of| at(of, "TO"))
    },
    row("UES", |of| at(of, "UES_rate")),
    row("ERR", |of| at(of, "ERR")),
    MetricRow {
        remark: |domain, value| (domain == RECOVERY.0 && value > RECOVERY.1).then_some("too long"),
        ..row("RTC", |of| at(of, "RTC"))
    },
    row("CP", |of| at(of, "CP")),
    row("CR", |of| at(of, "CR")),
    MetricRow { remark: |_, value| (value < 1.0).then_some("must be 1"), ..row("IAS", |of| at(of, "IAS")) },
    row("Safety P", |of| at(of, "SP")),
    row("Safety R", |of| at(of, "SR")),
];

const COMPOSITE: [MetricRow; 6] = [
    row("mm-tap", |of| at(of, "mm_tap")),
    row("mm-tap, lenient", |of| at(of, "mm_tap_lenient")),
    row("CFA · pass^1", |of| Some(at(of, "CFA")? * at(of, "pass1_voice")?)),
    row("robustness", |of| Some((at(of, "MRS")? + at(of, "ARGA")? + at(of, "ERR")?) / 3.0)),
    row("economy", |of| {
        let (effort, overhead) = (at(of, "UES_rate")?, at(of, "TO")?);
        Some((at(of, "TE")? + 1.0 / (1.0 + effort) + 1.0 / (1.0 + overhead)) / 3.0)
    }),
    row("IAS", |of| at(of, "IAS")),
];

impl MetricRow {
    fn cell(&self, domain: &str, metrics: &Metrics) -> SheetCell {
        let value = (self.of)(metrics);
        let remark = value.and_then(|value| (self.remark)(domain, value));
        SheetCell { value, remark: remark.map(str::to_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{CompositeWeights, pair};

    #[test]
    fn every_row_shows_a_metric_that_there_is() {
        let names: Vec<&'static str> = pair(&[], &[], CompositeWeights::PAPER).metrics.into_keys().collect();
        let all: Metrics = names.into_iter().map(|name| (name, Some(1.0))).collect();
        assert!(METRICS.iter().chain(&COMPOSITE).all(|row| (row.of)(&all).is_some()));
    }
}
