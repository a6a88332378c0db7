//! `probity-peers conform`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Value, json};

use probity::cli::exit::Exit;
use probity::cli::{Global, Stopped, output, refuse_overwrite};
use probity_bench::run::execute::threads;
use probity_engine::{Diagnostic, Located, Severity, foreign, write_out};
use probity_peers::tau::{RecordingKind, TauWorlds};
use probity_peers::{Case, Counts, Examiner, Failure, Family, LAX, Tally};

/// Hold our scorers and worlds against vectors of another benchmark's.
///
/// A vector is a line of JSON: an input and what the other scorer said to it, or a recording of calls and what came of
/// them. Quirks are vectors that hang on an oddity of the other program; agreement is counted with and without them.
/// What cannot be read is named with file and line and counts as failed.
#[derive(clap::Args)]
pub struct Conform {
    /// Whose vectors
    #[arg(value_enum)]
    whose: Whose,
    /// Files of vectors, JSON lines
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write what failed to this file, JSON lines
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Where tau2-bench's databases are
    #[arg(long, value_name = "DIR", required_if_eq_any([("whose", "tau2-gold"), ("whose", "tau2-adversarial")]))]
    data: Option<PathBuf>,
}

/// Whose vectors are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Whose {
    /// RUT-Bench
    Rut,
    /// CirrusBench
    Cirrus,
    /// MM-tau-p2
    #[value(name = "mmtau")]
    MmTau,
    /// tau2-bench: the calls that solve its tasks
    #[value(name = "tau2-gold")]
    Tau2Gold,
    /// tau2-bench: calls of all kinds
    #[value(name = "tau2-adversarial")]
    Tau2Adversarial,
}

impl Conform {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        refuse_overwrite(self.failures.as_deref(), &self.files)?;
        let examiner = self.examiner(global);
        let vectors = Vectors::read(&self.files, &examiner);
        let mut tally = Tally { unreadable: vectors.unreadable, ..Tally::default() };
        let outcomes: Vec<_> =
            threads(0)?.install(|| vectors.cases.par_iter().map(|case| examiner.examine(case)).collect());
        vectors.cases.iter().zip(outcomes).for_each(|(case, outcome)| tally.add(case, outcome));
        if let Some(path) = &self.failures {
            write_out(path, |file| file.write_all(lines(&tally).as_bytes())).map_err(|error| {
                probity_local::Failure::new(
                    format!("cannot write {}: {error}", path.display()),
                    "name a file that can be written",
                )
            })?;
        }
        let is_unread = vectors.found.iter().any(Diagnostic::is_error);
        match global.json {
            true => output::json(&as_value(&tally, &vectors.found)),
            false => {
                if !vectors.found.is_empty() && (is_unread || !global.quiet) {
                    output::note(output::diagnostics(&vectors.found).trim_end());
                }
                output::print(&table(&tally, self.failures.is_some()));
            }
        }
        Ok(match tally.total().failed {
            _ if is_unread => Exit::BadInput,
            // Where nothing was asked, nothing was held.
            0 if tally.total().cases > 0 => Exit::Clean,
            _ => Exit::Failed,
        })
    }
}

impl Conform {
    fn examiner(&self, global: &Global) -> Examiner {
        match (self.whose, &self.data) {
            (Whose::Rut, _) => Examiner::Scorers(Family::Rut),
            (Whose::Cirrus, _) => Examiner::Scorers(Family::Cirrus),
            (Whose::MmTau, _) => Examiner::Scorers(Family::MmTau),
            (Whose::Tau2Gold, data) => worlds(global, data.as_deref(), RecordingKind::Gold),
            (Whose::Tau2Adversarial, data) => worlds(global, data.as_deref(), RecordingKind::Adversarial),
        }
    }
}

fn worlds(global: &Global, data: Option<&Path>, kind: RecordingKind) -> Examiner {
    Examiner::Worlds(Box::new(TauWorlds::new(&global.root, data.unwrap_or(Path::new("")))), kind)
}

fn lines(tally: &Tally) -> String {
    tally.failures.iter().map(|failure| format!("{}\n", failure.to_value())).collect()
}

fn as_value(tally: &Tally, found: &[Diagnostic]) -> Value {
    let failures: Vec<Value> = tally.failures.iter().map(Failure::to_value).collect();
    let (total, unreadable) = (tally.total(), tally.unreadable);
    json!({"kinds": tally.kinds, "total": total, "unreadable": unreadable, "skipped": tally.skipped, "diverged": tally.diverged, "failures": failures, "diagnostics": found})
}

/// Counts by kind, the first failures, and the line that sums up.
fn table(tally: &Tally, is_told_elsewhere: bool) -> String {
    const SHOWN: usize = 10;
    let row = |kind: &str, counts: &Counts| {
        let Counts { cases, passed, failed, plain_cases, plain_passed } = counts;
        let plain = format!("{plain_passed} of {plain_cases}");
        format!("{kind:<18}{cases:>8}{passed:>8}{failed:>8}{plain:>18}\n")
    };
    let mut text = format!("{:<18}{:>8}{:>8}{:>8}{:>18}\n", "kind", "cases", "passed", "failed", "without quirks");
    text.extend(tally.kinds.iter().map(|(kind, counts)| row(kind, counts)));
    if tally.unreadable > 0 {
        text.push_str(&row("unreadable", &Tally::failed(tally.unreadable)));
    }
    let total = tally.total();
    text.push_str(&row("all", &total));
    if !is_told_elsewhere {
        let failures = tally.failures.iter().take(SHOWN);
        text.extend(failures.map(|failure| format!("failed: {} {}\n", failure.case.id, failure.reason)));
        if tally.failures.len() > SHOWN {
            text.push_str("all of them: `--failures FILE`\n");
        }
    }
    let skipped = tally.skipped.iter().map(|(kind, count)| match kind.as_str() {
        LAX => format!("skipped: {count} of {kind}: the other program took what its own schema forbids\n"),
        _ => format!("skipped: {count} of {kind}, which tells what the other program does\n"),
    });
    text.extend(skipped);
    let diverged = tally.diverged.iter();
    text.extend(diverged.map(|(rule, count)| format!("otherwise by the rule {rule}: {count} (docs/MM_TAU.md)\n")));
    text.push_str(&format!("{} passed, {} failed\n", total.passed, total.failed));
    text
}

#[derive(Default)]
pub(super) struct Vectors {
    /// In the order of the files.
    pub(super) cases: Vec<Case>,
    /// What could not be read, and what was given twice.
    pub(super) found: Vec<Diagnostic>,
    /// Vectors that could not be read; a whole file counts as one.
    pub(super) unreadable: usize,
    /// The case of each id, and where it was given first.
    known: BTreeMap<String, (usize, String)>,
}

impl Vectors {
    pub(super) fn read(files: &[PathBuf], examiner: &Examiner) -> Self {
        let mut vectors = Vectors::default();
        let mut given = BTreeSet::new();
        for file in files {
            match file.canonicalize().is_ok_and(|real| !given.insert(real)) {
                true => vectors.found.push(given_twice(&file.to_string_lossy(), 0, "the file was given before")),
                false => vectors.read_file(file, examiner),
            }
        }
        vectors
    }

    fn read_file(&mut self, path: &Path, examiner: &Examiner) {
        let file = path.to_string_lossy();
        let text = match foreign::read(path) {
            Ok(text) => text,
            Err(problem) => return self.refuse([problem]),
        };
        let (lines, problems) = foreign::each_line(&file, &text);
        problems.into_iter().for_each(|problem| self.refuse([problem]));
        for line in lines {
            let number = line.lines_before + 1;
            match case(&file, line, examiner) {
                Ok(case) => self.add(case, &file, number),
                Err(problems) => self.refuse(problems),
            }
        }
    }

    fn refuse(&mut self, problems: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(problems);
        self.unreadable += 1;
    }

    /// Adds a vector, unless its id was given before.
    fn add(&mut self, case: Case, file: &str, line: usize) {
        let Some((index, place)) = self.known.get(&case.id) else {
            self.known.insert(case.id.clone(), (self.cases.len(), format!("{file}:{line}")));
            return self.cases.push(case);
        };
        let what = format!("`{}` was given before, at {place}", case.id);
        if self.cases.get(*index) == Some(&case) {
            return self.found.push(given_twice(file, line, &what));
        }
        let problem = Diagnostic::file(file, "duplicate_id", format!("{what}, and says something else"));
        self.refuse([Diagnostic { line, column: 1, ..problem.help("give each vector an id of its own") }]);
    }
}

fn case(file: &str, line: Located, examiner: &Examiner) -> Result<Case, Vec<Diagnostic>> {
    let number = line.lines_before + 1;
    let on_line = |problem: Diagnostic| vec![Diagnostic { line: number, column: 1, ..problem }];
    if let Some(pointer) = line.wide.first() {
        let message = format!("the integer at `{pointer}` is beyond 64 bits, which we cannot hold exactly");
        return Err(on_line(Diagnostic::file(file, "wide_integer", message).help("leave this vector out")));
    }
    examiner.read(file, number, line.value)
}

fn given_twice(file: &str, line: usize, what: &str) -> Diagnostic {
    let found = Diagnostic::file(file, "given_twice", format!("{what}; it counts once")).help("leave one of them out");
    let column = usize::from(line > 0);
    Diagnostic { line, column, severity: Severity::Warning, ..found }
}
