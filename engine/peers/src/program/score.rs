//! `probity-peers score`: the peer's verdicts beside ours.

use std::collections::BTreeMap;
use std::path::PathBuf;

use probity::cli::exit::Exit;
use probity::cli::output::{self, count};
use probity::cli::{Global, Stopped};
use probity_engine::plain::plain;
use probity_peers::{Audit, PeerFiles, PeerPaths, Rate, Reason, Row};

/// Score runs of another benchmark: its verdicts beside ours, with the reason for every difference.
#[derive(clap::Args)]
pub struct Score {
    /// Whose runs
    #[arg(long, value_enum)]
    format: Format,
    /// Its samples
    #[arg(long, value_name = "FILE")]
    samples: PathBuf,
    /// Its environments and tasks
    #[arg(long, value_name = "FILE")]
    blueprints: PathBuf,
    /// Its runs
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
}

/// Whose files are scored.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// RUT-Bench
    RutBench,
}

impl Score {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let Format::RutBench = self.format;
        let Score { samples, blueprints, results, .. } = self;
        let files = PeerFiles::read(PeerPaths { samples, blueprints, results: Some(results) })
            .map_err(|problems| output::refuse(global.json, &problems))?;
        if !global.quiet {
            files.warnings.iter().for_each(|warning| output::note(&warning.to_string()));
        }
        let audit = Audit::of(&files);
        global.tell(|| serde_json::to_value(&audit).unwrap_or_default(), || table(&audit));
        Ok(Exit::Clean)
    }
}

/// One line for each sample, what is behind it, and the totals.
fn table(audit: &Audit) -> String {
    let width = audit.samples.iter().map(|row| row.sample_id.chars().count()).max().unwrap_or(0).max(6) + 2;
    let mut text = format!(
        "{:<width$}{:<10}{:<10}{:<12}{:<12}{}\n",
        "sample", "relaxed", "semantic", "efficiency", "ours", "mode"
    );
    for row in &audit.samples {
        text.push_str(&line(row, width));
    }
    text.push('\n');
    for (name, rate) in [
        ("peer, relaxed (its headline)", audit.peer_relaxed),
        ("peer, semantic", audit.peer_semantic),
        ("ours", audit.ours),
    ] {
        text.push_str(&format!("SR {name:<30}{}\n", shown(rate)));
    }
    let unscored: usize = audit.not_scored.values().sum();
    text.push_str(&format!("{}, {unscored} not scored by us\n", count(audit.samples.len(), "sample")));
    text.push_str(&reasons("not scored", &audit.not_scored));
    text.push_str(&reasons("ours is not the peer's semantic verdict", &audit.differs_from_semantic));
    text.push_str(&reasons("ours is not the peer's relaxed verdict", &audit.differs_from_relaxed));
    text
}

fn shown(rate: Rate) -> String {
    match rate.value() {
        Some(value) => format!("{value:.4} ({} of {})", rate.passed, rate.n),
        None => "- (0 scored)".to_owned(),
    }
}

fn line(row: &Row, width: usize) -> String {
    let word = |passes: bool| if passes { "pass" } else { "fail" };
    let id = plain(&row.sample_id);
    let (relaxed, semantic, efficiency, mode) = match &row.peer {
        Some(peer) => {
            let mode = peer.failure.map(|failure| failure.failure_mode).unwrap_or_default();
            (word(peer.relaxed), word(peer.semantic), format!("{:.4}", peer.efficiency), mode)
        }
        None => ("-", "-", "-".to_owned(), ""),
    };
    let ours = if row.ours == "not_scored" { "not scored" } else { row.ours };
    let text = format!("{id:<width$}{relaxed:<10}{semantic:<10}{efficiency:<12}{ours:<12}{mode}");
    let mut text = format!("{}\n", text.trim_end());
    for finding in &row.findings {
        text.push_str(format!("    {} {}", finding.code.code(), plain(&finding.about)).trim_end());
        text.push('\n');
    }
    for (what, against) in [("semantic", &row.against_semantic), ("relaxed", &row.against_relaxed)] {
        if !against.is_empty() {
            let codes: Vec<&str> = against.iter().map(|reason| reason.code()).collect();
            text.push_str(&format!("    differs from {what}: {}\n", codes.join(", ")));
        }
    }
    text
}

fn reasons(title: &str, counts: &BTreeMap<&'static str, usize>) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{title}, by reason:\n");
    for (code, line) in Reason::ALL.iter().map(|reason| reason.words()) {
        if let Some(times) = counts.get(code) {
            text.push_str(&format!("{times:>6}  {code:<22}{line}\n"));
        }
    }
    text
}
