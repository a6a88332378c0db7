//! `probity conform`.

mod vectors;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::exit::Exit;
use super::{Global, output};
use probity_engine::Diagnostic;
use probity_peers::{Counts, Failure, Family, Tally};
use vectors::Vectors;

/// Hold our scorers against vectors of another benchmark's.
///
/// A vector is a line of JSON: an input and what the other scorer said to it. Quirks are vectors that hang on an
/// oddity of the other program; agreement is counted with and without them. What cannot be read is named with file
/// and line and counts as failed.
#[derive(clap::Args)]
pub struct Conform {
    /// Whose vectors
    #[arg(value_enum)]
    family: Family,
    /// Files of vectors, JSON lines
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write what failed to this file, JSON lines
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
}

impl Conform {
    pub(super) fn run(&self, global: &Global) -> Exit {
        if let Some(path) = self.failures.as_ref().filter(|path| self.files.iter().any(|file| is_same(file, path))) {
            let message = format!("{} is one of the files to read and would be overwritten", path.display());
            output::error(&message, "name another file for the failures");
            return Exit::BadInput;
        }
        let vectors = Vectors::read(&self.files, self.family);
        let mut tally = Tally { unreadable: vectors.unreadable, ..Tally::default() };
        for case in &vectors.cases {
            tally.check(case, self.family);
        }
        if let Some(path) = &self.failures
            && let Err(error) = std::fs::write(path, lines(&tally))
        {
            output::error(&format!("cannot write {}: {error}", path.display()), "name a file that can be written");
            return Exit::BadInput;
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
        match tally.total().failed {
            _ if is_unread => Exit::BadInput,
            0 => Exit::Clean,
            _ => Exit::Failed,
        }
    }
}

/// Whether two paths lead to one file that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some_and(|file| real(other) == Some(file))
}

fn lines(tally: &Tally) -> String {
    tally.failures.iter().map(|failure| format!("{}\n", failure.to_value())).collect()
}

fn as_value(tally: &Tally, found: &[Diagnostic]) -> Value {
    let failures: Vec<Value> = tally.failures.iter().map(Failure::to_value).collect();
    let (total, unreadable) = (tally.total(), tally.unreadable);
    json!({"kinds": tally.kinds, "total": total, "unreadable": unreadable, "skipped": tally.skipped, "failures": failures, "diagnostics": found})
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
    let skipped = tally
        .skipped
        .iter()
        .map(|(kind, count)| format!("skipped: {count} of {kind}, which tells what the other program does\n"));
    text.extend(skipped);
    text.push_str(&format!("{} passed, {} failed\n", total.passed, total.failed));
    text
}
