//! `probity-peers bench tau2`: tau2-bench's tasks on our engine, beside what tau2-bench itself takes.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use probity::cli::exit::Exit;
use probity::cli::{Global, Stopped, output};
use probity_engine::foreign;
use probity_local::Failure;
use probity_peers::tau::{Domain, Held, Recording, TauWorlds};

/// What tau2-bench 1.0.1 takes of one core (docs/MM_TAU.md, "Held against recordings"): medians over its base tasks.
struct Reference {
    domain: Domain,
    reset_ms: f64,
    replay_ms: f64,
    calls_per_second: f64,
    evaluate_ms: f64,
}

const REFERENCES: [Reference; 3] = [
    Reference {
        domain: Domain::Retail,
        reset_ms: 51.2,
        replay_ms: 0.91,
        calls_per_second: 5_200.0,
        evaluate_ms: 211.0,
    },
    Reference {
        domain: Domain::Airline,
        reset_ms: 170.0,
        replay_ms: 0.62,
        calls_per_second: 4_070.0,
        evaluate_ms: 578.0,
    },
    Reference {
        domain: Domain::Telecom,
        reset_ms: 5.2,
        replay_ms: 0.44,
        calls_per_second: 14_300.0,
        evaluate_ms: 10.7,
    },
];

/// A timing is the shortest of so many.
const ROUNDS: usize = 10;

/// Measure recorded tasks of another benchmark on our engine, beside what it takes itself.
#[derive(clap::Args)]
pub struct Bench {
    /// Whose tasks
    #[arg(value_enum)]
    subject: Subject,
    /// Recordings of them, JSON lines
    #[arg(required = true, value_name = "FILE")]
    recordings: Vec<PathBuf>,
    /// Where its databases are
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

/// Whose tasks are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Subject {
    /// tau2-bench
    Tau2,
}

impl Bench {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let Subject::Tau2 = self.subject;
        let rows = measure(&global.root, &self.data, &self.recordings)
            .map_err(|what| Failure::new(what, "name tau2-bench's recordings, and with `--data` its databases"))?;
        match global.json {
            true => output::json(&rows),
            false => output::print(&table(&rows)),
        }
        Ok(Exit::Clean)
    }
}

/// Times resets, replays and evaluations of recorded tasks, one thread, a row for each world.
/// An error, a line: a file cannot be read, or holds no recording.
fn measure(root: &Path, data: &Path, files: &[PathBuf]) -> Result<Value, String> {
    let worlds = TauWorlds::new(root, data);
    let mut recordings = Vec::new();
    for file in files {
        let text = foreign::read(file).map_err(|problem| problem.to_string())?;
        let (lines, problems) = foreign::each_line(&file.to_string_lossy(), &text);
        if let Some(problem) = problems.first() {
            return Err(problem.to_string());
        }
        for line in lines {
            // What does not come out as recorded is no measure of anything.
            if let Held::Differs(what) = worlds.hold(&line.value)? {
                return Err(format!("{}: line {}: {what}", file.display(), line.lines_before + 1));
            }
            recordings.push(worlds.recording(&line.value)?);
        }
    }
    let rows = REFERENCES.iter().filter_map(|reference| {
        let own: Vec<&Recording<'_>> = recordings.iter().filter(|own| own.domain() == reference.domain).collect();
        (!own.is_empty()).then(|| row(reference, &worlds, &own))
    });
    rows.collect::<Result<Vec<Value>, String>>().map(Value::Array)
}

fn row(reference: &Reference, worlds: &TauWorlds, recordings: &[&Recording<'_>]) -> Result<Value, String> {
    const FORKS: u32 = 100_000;
    let world = worlds.get(reference.domain)?;
    let reset = timed(|| (0..FORKS).for_each(|_| drop(black_box(world.start().clone())))) / f64::from(FORKS);
    let whole = |own: &Recording<'_>| own.play(own.begin());
    let replay = timed(|| recordings.iter().for_each(|own| drop(black_box(whole(own)))));
    let evaluate = timed(|| {
        let equal = recordings.iter().filter(|own| whole(own).sum() == whole(own).sum()).count();
        black_box(equal);
    });
    let begun: Vec<_> = recordings.iter().map(|own| own.begin()).collect();
    let played =
        timed(|| recordings.iter().zip(&begun).for_each(|(own, begun)| drop(black_box(own.play(begun.clone())))));
    let calls: usize = recordings.iter().map(|own| own.calls()).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of recordings are small")]
    let (count, calls) = (recordings.len() as f64, calls as f64);
    let microseconds = |seconds: f64| (seconds * 1e9).round() / 1e3;
    let times = |theirs_ms: f64, ours: f64| (theirs_ms / 1e3 / ours).round();
    Ok(json!({
        "world": reference.domain.name(),
        "tasks": recordings.len(),
        "reset_us": microseconds(reset),
        "replay_us": microseconds(replay / count),
        "calls_per_second": (calls / played).round(),
        "evaluate_us": microseconds(evaluate / count),
        "reset_times": times(reference.reset_ms, reset),
        "replay_times": times(reference.replay_ms, replay / count),
        "call_times": (calls / played / reference.calls_per_second * 10.0).round() / 10.0,
        "evaluate_times": times(reference.evaluate_ms, evaluate / count),
    }))
}

/// Seconds of this thread's processor in the shortest of the rounds: like the reference's, free of waiting, and of what
/// else the machine does as far as that can be.
fn timed(work: impl Fn()) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let start = clock_gettime(ClockId::ThreadCPUTime);
        work();
        let end = clock_gettime(ClockId::ThreadCPUTime);
        #[expect(clippy::cast_precision_loss, reason = "a round takes seconds, not years")]
        let nanoseconds = (end.tv_nsec - start.tv_nsec) as f64;
        #[expect(clippy::cast_precision_loss, reason = "a round takes seconds, not years")]
        let whole = (end.tv_sec - start.tv_sec) as f64;
        whole + nanoseconds / 1e9
    });
    rounds.fold(f64::INFINITY, f64::min)
}

fn table(rows: &Value) -> String {
    let head =
        ["world", "tasks", "reset us", "times", "replay us", "times", "calls/s", "times", "evaluate us", "times"];
    let keys = [
        "world",
        "tasks",
        "reset_us",
        "reset_times",
        "replay_us",
        "replay_times",
        "calls_per_second",
        "call_times",
        "evaluate_us",
        "evaluate_times",
    ];
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>11}")).collect();
        format!("{}\n", cells.join(" ").trim_end())
    };
    let mut text = line(head.iter().map(|cell| (*cell).to_owned()).collect());
    for row in rows.as_array().into_iter().flatten() {
        let cell = |key: &&str| match row.get(*key) {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        };
        text.push_str(&line(keys.iter().map(cell).collect()));
    }
    text + "times: how many times less than tau2-bench 1.0.1 takes of one core, as recorded (docs/MM_TAU.md)\n"
}
