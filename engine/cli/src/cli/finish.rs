//! What every command does with the episodes of a run: write the report, print the table, set the exit code.

use std::collections::BTreeMap;
use std::io::IsTerminal;

use super::exit::Exit;
use super::proof::Doubts;
use super::remarks::Remarks;
use super::{Global, output};
use probity_bench::run::config::MAX_EPISODES;
use probity_bench::run::execute::threads;
use probity_bench::{Benchmark, EpisodeRecord, RunConfig, RunDirectory, RunError, Spool, Units};
use probity_report::transcript::JudgedWords;
use probity_report::{About, Judged, Page, Report, SuiteCounts, Tally, table};

pub(super) const PAGE: &str = "report.html";

pub struct PlayedRun<'a> {
    pub directory: &'a RunDirectory,
    pub config: &'a RunConfig,
    pub benchmark: &'a dyn Benchmark,
    /// What its own judge says of its episodes.
    pub judged: Option<Judged>,
    /// What judges say of sentences of reading lists, by the digests of episodes.
    pub judged_words: BTreeMap<String, Vec<JudgedWords>>,
}

impl PlayedRun<'_> {
    /// A run of which no judge says anything.
    pub fn of<'a>(directory: &'a RunDirectory, config: &'a RunConfig, benchmark: &'a dyn Benchmark) -> PlayedRun<'a> {
        PlayedRun { directory, config, benchmark, judged: None, judged_words: BTreeMap::new() }
    }

    pub fn report(&self, tally: Tally<'_>) -> Report {
        Report { judged: self.judged.clone(), ..tally.report(self.counts()).of_run(self.benchmark.card(), self.config) }
    }

    fn counts(&self) -> SuiteCounts {
        let instances = self.config.selection.of(self.benchmark.instances());
        SuiteCounts::of(self.benchmark.card(), &instances)
    }

    /// The report as a table, agents in the order of the run.
    pub fn table(&self, report: &Report) -> String {
        table::render(self.benchmark.card(), report, &self.agents(), width())
    }

    fn agents(&self) -> Vec<String> {
        self.config.agents.iter().map(|agent| agent.name.clone()).collect()
    }
}

/// Writes `report.json` and `report.html`, prints, and says how the run ended. Its episodes are read once, batch by
/// batch.
/// An error: the episodes cannot be read, or the directory cannot be written; in that case the numbers have been
/// printed.
pub fn finish(
    global: &Global,
    finished: &PlayedRun,
    batches: impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>>,
    not_played: usize,
) -> Result<Exit, RunError> {
    let Read { tally, remarks, page } = read(finished, batches)?;
    let report = finished.report(tally);
    let value = serde_json::to_value(&report)?;
    global.tell(|| value.clone(), || finished.table(&report));
    if not_played > 0 {
        let rollouts = output::count(not_played, "rollout");
        global.note(&format!("{rollouts} not played: the agent has nothing to play there"));
    }
    remarks.warnings().iter().for_each(|warning| output::note(warning));
    if !global.quiet {
        let lines = remarks.lines(finished.benchmark.card(), &report, &finished.config.agents);
        lines.iter().for_each(|remark| output::note(remark));
        let barred = "agents behind the barrier see the system's programs, the files that `exec:` names, and the virtual environment or packages that those lie in: give them other files (modules beside a script) with `--agent-dir`, a network with `--agent-network`; `--isolate never` shows whether the barrier is in the way";
        remarks.is_barred(finished.config).then(|| output::note(barred));
    }
    let text = serde_json::to_string_pretty(&value)?;
    finished.directory.write("report.json", &format!("{text}\n"))?;
    let Some(page) = page? else {
        output::note(&format!("note: of more than {MAX_EPISODES} episodes no page is written"));
        return Ok(remarks.exit());
    };
    let mut about = about(finished.config, finished.benchmark)?;
    about.judged_words.clone_from(&finished.judged_words);
    finished.directory.write_with(PAGE, |file| page.write(file, &report, &about))?;
    global.note(&format!("report: {}", finished.directory.file(PAGE).display()));
    Ok(remarks.exit())
}

/// [`finish`] of episodes that were played before or elsewhere: they are scored anew, and what others say fails it.
pub fn finish_proved(
    global: &Global,
    finished: &PlayedRun,
    units: &Units,
    batches: impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>>,
    not_played: usize,
) -> Result<Exit, RunError> {
    let mut doubts = Doubts::default();
    let exit = finish(global, finished, doubts.proved(units, finished.benchmark, batches)?, not_played)?;
    doubts.say(finished.directory.path());
    Ok(if doubts.is_empty() { exit } else { Exit::Failed })
}

/// What pages say of a run. An oracle is played for it, which takes the stack of such a thread.
/// An error: there is no such thread.
pub fn about(config: &RunConfig, benchmark: &dyn Benchmark) -> Result<About, RunError> {
    Ok(threads(0)?.install(|| About::of(config, benchmark)))
}

struct Read<'a> {
    tally: Tally<'a>,
    remarks: Remarks,
    /// Nothing of more episodes than one command plays: a page has a row for each.
    page: Result<Option<Page<Spool>>, RunError>,
}

fn read<'a>(
    finished: &PlayedRun<'a>,
    batches: impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>>,
) -> Result<Read<'a>, RunError> {
    let page = finished.directory.spool(PAGE).map(|spool| Some(Page::new(finished.benchmark.card(), spool)));
    let mut episodes = 0;
    let mut read = Read { tally: Tally::new(finished.benchmark), remarks: Remarks::default(), page };
    for batch in batches {
        let batch = batch?;
        for record in &batch {
            read.tally.add(record);
            read.remarks.add(record);
        }
        episodes += batch.len();
        read.page = read.page.and_then(|page| {
            let Some(mut page) = page.filter(|_| episodes <= MAX_EPISODES) else { return Ok(None) };
            page.add(&batch).map_err(|error| finished.directory.failed(PAGE, &error))?;
            Ok(Some(page))
        });
    }
    Ok(read)
}

/// The width of the terminal in columns; what is piped is wide.
pub fn width() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), _)) if std::io::stdout().is_terminal() => usize::from(columns).max(40),
        Some(_) | None => 160,
    }
}
