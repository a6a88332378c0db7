//! What every command does with the episodes of a run: write the report, print the table, set the exit code.

use std::io::IsTerminal;

use super::exit::Exit;
use super::remarks::remarks;
use super::{Global, output};
use crate::load::suite::Suite;
use crate::report::aggregate::{Report, SuiteCounts, digest_of};
use crate::report::judged::Judged;
use crate::report::{html, table};
use crate::run::config::RunConfig;
use crate::run::directory::{RunDirectory, RunError};
use crate::run::plan::instances;
use crate::run::record::EpisodeRecord;

/// A run with all its episodes.
pub struct Finished<'a> {
    /// Where it is.
    pub directory: &'a RunDirectory,
    /// What it was asked to do.
    pub config: &'a RunConfig,
    /// What it was played on.
    pub suite: &'a Suite,
    /// Its episodes, in unit order.
    pub records: &'a [EpisodeRecord],
    /// What its own judge says of them.
    pub judged: Option<Judged>,
}

impl Finished<'_> {
    /// The report of the run.
    pub fn report(&self) -> Report {
        let report = Report::of(self.records, self.counts(), digest_of(self.records).to_string()).priced(self.config);
        Report { judged: self.judged.clone(), ..report }
    }

    fn counts(&self) -> SuiteCounts {
        let chosen = instances(self.suite, &self.config.selection);
        let distinct = |name: &dyn Fn(&crate::task::Task) -> String| {
            chosen.iter().map(|(task, _)| name(task)).collect::<std::collections::BTreeSet<_>>().len()
        };
        SuiteCounts {
            environments: distinct(&|task| task.environment().id().to_owned()),
            domains: distinct(&|task| task.domain().to_owned()),
            tasks: distinct(&|task| task.id().to_owned()),
            task_instances: chosen.len(),
        }
    }

    /// The report as a table, agents in the order of the run.
    pub fn table(&self, report: &Report) -> String {
        table::render(report, &self.agents(), width())
    }

    /// The agents' names in the order of the run.
    fn agents(&self) -> Vec<String> {
        self.config.agents.iter().map(|agent| agent.name.clone()).collect()
    }
}

/// Writes `report.json` and `report.html`, prints, and says how the run ended.
///
/// # Errors
/// The directory cannot be written; the numbers have been printed by then.
pub fn finish(global: &Global, finished: &Finished, not_played: usize) -> Result<Exit, RunError> {
    let report = finished.report();
    let value = serde_json::to_value(&report).unwrap_or_default();
    if global.json {
        output::json(&value);
    } else {
        output::print(&finished.table(&report));
    }
    if !global.quiet && not_played > 0 {
        output::note(&format!(
            "{} not played: the agent has nothing to play there",
            output::count(not_played, "rollout")
        ));
    }
    if !global.quiet {
        remarks(&report, finished.records).iter().for_each(|remark| output::note(remark));
    }
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    finished.directory.write("report.json", &format!("{text}\n"))?;
    finished.directory.write("report.html", &html::render(&report, &finished.config.agents, finished.records))?;
    if !global.quiet {
        output::note(&format!("report: {}", finished.directory.file("report.html").display()));
    }
    let unreachable = finished.records.iter().any(EpisodeRecord::is_unreached);
    Ok(if unreachable { Exit::Infrastructure } else { Exit::Clean })
}

/// The width of the terminal in columns; what is piped is wide.
pub fn width() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), _)) if std::io::stdout().is_terminal() => usize::from(columns).max(40),
        Some(_) | None => 160,
    }
}
