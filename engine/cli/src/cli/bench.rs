//! `probity bench`.

mod scoring;

use std::time::Instant;

use serde_json::{Value, json};

use super::exit::Exit;
use super::{Global, output};
use probity_behaviour::suite::Suite;
use probity_local::Failure;
use probity_local::depot::Plain;
use probity_local::depot::{Operation, Workload};

/// States measured, in entities.
const SIZES: [u32; 5] = [10, 100, 1_000, 10_000, 100_000];
/// Each number is the median of so many rounds; engine and baseline take turns.
const ROUNDS: usize = 5;
const FORKS: u32 = 1000;

/// Measure tool calls a second and the cost of a fork, beside the same tools in plain Rust; and the scoring of the
/// suite's episodes, beside replaying their calls.
#[derive(clap::Args)]
pub struct Bench {
    /// Calls in one round
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    calls: u32,
    /// The largest state, in entities
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    up_to: u32,
}

impl Bench {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        let report = self.measure(global);
        let report =
            report.map_err(|what| Failure::new(what, "this is a fault of probity itself; please report it"))?;
        global.tell(|| report.clone(), || table(&report));
        Ok(Exit::Clean)
    }

    fn measure(&self, global: &Global) -> Result<Value, String> {
        let mut engine = Vec::new();
        let mut forks = Value::Null;
        for entities in SIZES.into_iter().filter(|entities| *entities <= self.up_to) {
            if !global.quiet && !global.json {
                output::note(&format!("measuring {entities} entities"));
            }
            let before = resident_bytes();
            let workload = Workload::new(entities)?;
            let state_bytes = resident_bytes().zip(before).map(|(after, before)| after.saturating_sub(before));
            forks = measure_forks(&workload, state_bytes);
            for operation in [Operation::Read, Operation::Write] {
                engine.push(self.measure_operation(&workload, entities, operation)?);
            }
        }
        if !global.quiet && !global.json {
            output::note("measuring scoring");
        }
        let scoring = scoring::measure(&Suite::load(&global.root));
        let fork_ns = forks.get("fork_ns").cloned().unwrap_or_default();
        Ok(json!({"engine": engine, "fork_ns": fork_ns, "forks": forks, "scoring": scoring}))
    }

    fn measure_operation(&self, workload: &Workload, entities: u32, operation: Operation) -> Result<Value, String> {
        let calls = workload.calls(operation, self.calls);
        let mut plain = Plain::new(workload)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(per_second(self.calls, || std::hint::black_box(workload.run(&calls)).0));
            theirs.push(per_second(self.calls, || {
                calls.iter().filter_map(|call| plain.call(call)).map(|t| t.len()).sum()
            }));
        }
        let (ours, theirs) = (median(ours), median(theirs));
        Ok(json!({
            "entities": entities,
            "op": operation.name(),
            "calls_per_second": ours,
            "baseline_calls_per_second": theirs,
        }))
    }
}

fn per_second(calls: u32, work: impl FnOnce() -> usize) -> f64 {
    let work = || {
        std::hint::black_box(work());
    };
    (f64::from(calls) / seconds(work)).round()
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock; no result of a run does")]
fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock; no result of a run does")]
fn measure_forks(workload: &Workload, state_bytes: Option<u64>) -> Value {
    const COUNT: u32 = 100_000;
    let nanoseconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..COUNT {
                std::hint::black_box(workload.state.clone());
            }
            (start.elapsed().as_secs_f64() * 1e9 / f64::from(COUNT) * 10.0).round() / 10.0
        })
        .collect();
    let before = resident_bytes();
    let start = Instant::now();
    let forks = workload.forks(FORKS);
    let fork_and_write_ns = (start.elapsed().as_secs_f64() * 1e9 / f64::from(FORKS)).round();
    let forks_bytes = resident_bytes().zip(before).map(|(after, before)| after.saturating_sub(before));
    let entities = forks.last().map_or(0, probity_engine::State::entity_count);
    json!({
        "entities": entities,
        "fork_ns": median(nanoseconds),
        "fork_and_write_ns": fork_and_write_ns,
        "live_forks": forks.len(),
        "state_bytes": state_bytes,
        "forks_bytes": forks_bytes,
    })
}

/// The memory this process has in use, where the system tells.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

fn table(report: &Value) -> String {
    let mut text = format!("{:>9} {:>6} {:>12} {:>14} {:>8}\n", "entities", "op", "calls/s", "plain Rust/s", "ratio");
    for row in report.get("engine").and_then(Value::as_array).into_iter().flatten() {
        let number = |key: &str| row.get(key).and_then(Value::as_f64).unwrap_or(0.0);
        let (ours, theirs) = (number("calls_per_second"), number("baseline_calls_per_second"));
        let op = row.get("op").and_then(Value::as_str).unwrap_or_default();
        let ratio = if ours > 0.0 { theirs / ours } else { 0.0 };
        text.push_str(&format!(
            "{:>9} {op:>6} {ours:>12.0} {theirs:>14.0} {:>8}\n",
            number("entities"),
            format!("1/{ratio:.1}")
        ));
    }
    if let Some(forks) = report.get("forks") {
        let number = |key: &str| forks.get(key).and_then(Value::as_f64);
        let megabytes =
            |key: &str| number(key).map_or_else(|| "?".to_owned(), |bytes| format!("{:.1} MB", bytes / 1e6));
        text.push_str(&format!(
            "fork {} ns; fork with one write {} ns; a state of {} entities {}, {} live forks with one write each {} more\n",
            number("fork_ns").unwrap_or(0.0),
            number("fork_and_write_ns").unwrap_or(0.0),
            number("entities").unwrap_or(0.0),
            megabytes("state_bytes"),
            number("live_forks").unwrap_or(0.0),
            megabytes("forks_bytes"),
        ));
    }
    let scoring = |key: &str| report.get("scoring")?.get(key)?.as_f64();
    match scoring("episodes_per_second").zip(scoring("baseline_episodes_per_second")) {
        Some((scored, replayed)) => text.push_str(&format!(
            "scoring {scored:.0} episodes/s on one core, replaying their calls alone {replayed:.0} ({} episodes of {} calls)\n",
            scoring("episodes").unwrap_or(0.0),
            scoring("calls").unwrap_or(0.0),
        )),
        None => text.push_str("scoring not measured: there is no suite below --root\n"),
    }
    text
}
