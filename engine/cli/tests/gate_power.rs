//! How often a gate without a file closes: for agents that lost tasks, and for equal ones.

use probity_behaviour::benchmark::CARD;
use probity_bench::{EpisodeRecord, Scores, run::episodes};
use probity_engine::Stream;
use probity_report::{Comparison, GateVerdict, Side};
use rayon::prelude::*;

use crate::support::{SAMPLED, code, contents, root, run, scratch, text};

/// Runs that are compared for each cell of the table.
const SEEDS: u64 = 100;
/// How many of the 16 tasks are broken.
const BROKEN: [usize; 5] = [0, 1, 2, 4, 8];

struct Row {
    agent: &'static str,
    /// Of 100 episodes, how many it does not spoil by chance.
    percent: u64,
    /// Whether all behaviours are played, or the ideal user alone.
    is_whole: bool,
    trials: u32,
}

const ROWS: [Row; 7] = [
    Row { agent: "steady", percent: 100, is_whole: true, trials: 1 },
    Row { agent: "steady", percent: 100, is_whole: false, trials: 1 },
    Row { agent: "coin:90", percent: 90, is_whole: true, trials: 1 },
    Row { agent: "coin:70", percent: 70, is_whole: true, trials: 1 },
    Row { agent: "coin:90", percent: 90, is_whole: true, trials: 3 },
    Row { agent: "coin:90", percent: 90, is_whole: false, trials: 5 },
    Row { agent: "coin:90", percent: 90, is_whole: false, trials: 1 },
];

/// An episode of the oracle and of the agent that does nothing, at one instance.
type Ends = (EpisodeRecord, EpisodeRecord);

fn played(agent: &str) -> Vec<EpisodeRecord> {
    let directory = scratch(&format!("power-{agent}")).join("run");
    assert_eq!(code(&run(&directory, &["--agent", agent, "--as", "x"])), 0);
    let mut records = episodes::read(text(&directory, "episodes.jsonl").as_bytes()).unwrap().records;
    // Sixteen tasks, so that the table says what small suites get.
    records.retain(|record| SAMPLED.contains(&record.trace.header.environment.as_str()));
    // Numbers decide, and a record is copied a hundred thousand times.
    for record in &mut records {
        record.trace.events.clear();
        record.scores = Scores { metrics: std::mem::take(&mut record.scores.metrics), ..Scores::default() };
    }
    records
}

/// A run of the row's agent; tasks of the `broken` places always fail.
fn side(row: &Row, ends: &[Ends], tasks: &[&str], broken: &[usize], stream: &mut Stream) -> Vec<EpisodeRecord> {
    let mut records = Vec::new();
    for (good, bad) in ends {
        let levels = good.trace.header.levels.to_string();
        if !row.is_whole && levels != "ideal" {
            continue;
        }
        let is_broken = broken.iter().any(|place| tasks[*place] == good.task());
        for trial in 0..row.trials {
            let is_good = stream.chance(row.percent, 100) && !is_broken;
            records.push(EpisodeRecord { trial, ..if is_good { good } else { bad }.clone() });
        }
    }
    records
}

/// In how many of the seeds the gate closes.
fn closed(row: &Row, ends: &[Ends], tasks: &[&str], count: usize) -> usize {
    let closes = |seed: &u64| {
        let mut stream = Stream::new(*seed, "gate power", row.agent);
        let mut places: Vec<usize> = (0..tasks.len()).collect();
        stream.shuffle(&mut places);
        let (base, new) =
            (side(row, ends, tasks, &[], &mut stream), side(row, ends, tasks, &places[..count], &mut stream));
        let of = |records| Side { records, agent: "x", is_repeatable: false };
        let comparison = Comparison::asked(&CARD, of(&base), of(&new), *seed);
        !GateVerdict::by_default(&CARD, &comparison).is_open
    };
    (0..SEEDS).into_par_iter().filter(closes).count()
}

#[test]
fn a_gate_closes_for_losses_and_stays_open_for_equal_agents() {
    let ends: Vec<Ends> = played("oracle").into_iter().zip(played("noop")).collect();
    let mut tasks: Vec<&str> = ends.iter().map(|(good, _)| good.task()).collect();
    tasks.dedup();
    assert_eq!(tasks.len(), 16);
    let mut table =
        "| agent | episodes | equal | 1 of 16 broken | 2 | 4 | 8 |\n|---|---|---|---|---|---|---|\n".to_owned();
    let mut wrong = Vec::new();
    for row in &ROWS {
        let extent = if row.is_whole { 112 } else { 16 };
        let trials = if row.trials == 1 { String::new() } else { format!(", {} trials", row.trials) };
        table.push_str(&format!("| `{}` | {extent}{trials} |", row.agent));
        for count in BROKEN {
            let closed = closed(row, &ends, &tasks, count);
            table.push_str(&format!(" {closed} |"));
            let loss = row.percent as f64 / 100.0 * count as f64 / 16.0;
            let is_telling = row.is_whole || row.trials > 1 || row.percent == 100;
            if (loss >= 0.25 && closed < 99) || (count == 0 && is_telling && closed > 5) {
                wrong.push(format!("{} {extent}{trials}, {count} broken: {closed}", row.agent));
            }
        }
        table.push('\n');
    }
    assert!(wrong.is_empty(), "{wrong:?}\n{table}");
    let docs = contents(root().join("docs/SCORING.md"));
    assert!(docs.contains(&table), "docs/SCORING.md has another table:\n{table}");
}
