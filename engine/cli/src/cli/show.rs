//! `probity show`.

use std::path::Path;

use super::exit::Exit;
use super::opened::Opened;
use super::{Global, browse, output, pager};
use probity_behaviour::benchmark::{BehaviourBenchmark, record};
use probity_behaviour::episode::play::play_scripted;
use probity_behaviour::episode::{oracle, prompt};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::{Card, EpisodeRecord, run::execute::threads};
use probity_engine::suggest;
use probity_report::transcript::{has_failed, transcript};

/// Show an episode, a task or what an agent is told.
///
/// Without a name it lists all tasks. A task's id shows the oracle's episodes; a run directory shows the
/// recorded ones.
#[derive(clap::Args)]
pub struct Show {
    /// A run directory, or a task's id
    what: Option<String>,
    /// Only this agent's episodes
    #[arg(long)]
    agent: Option<String>,
    /// Only this task's episodes
    #[arg(long)]
    task: Option<String>,
    /// Only this user behaviour
    #[arg(long)]
    variant: Option<Variant>,
    /// Only this repetition, from 0
    #[arg(long)]
    trial: Option<u32>,
    /// Only episodes that failed
    #[arg(long)]
    failed: bool,
    /// Browse the run in the terminal
    #[arg(long)]
    browse: bool,
    /// Print at once, also what is longer than the screen
    #[arg(long)]
    no_pager: bool,
    /// Print what an agent is told about the task's environment
    #[arg(long)]
    prompt: bool,
}

impl Show {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let is_run = self.what.as_ref().is_some_and(|what| Path::new(what).join("run.json").is_file());
        if self.browse && (!is_run || global.json) {
            output::error("`--browse` is about a run, and for people", "name a run directory, without `--json`");
            return Exit::BadInput;
        }
        match &self.what {
            Some(what) if is_run => self.show_run(global, Path::new(what)),
            Some(what) => self.show_task(global, what),
            None => self.list_tasks(global),
        }
    }

    fn show_run(&self, global: &Global, path: &Path) -> Exit {
        if self.prompt {
            output::error("`--prompt` is about a task", "name a task instead of a run directory");
            return Exit::BadInput;
        }
        let opened = match Opened::open(global, path) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
        let (card, is_damaged) = (opened.benchmark.card(), opened.is_damaged());
        let proved = opened.coverage().and_then(|(units, _)| opened.load_proved(&units));
        let (all, doubts) = match proved {
            Ok(proved) => proved,
            Err(exit) => return exit,
        };
        doubts.say(opened.directory.path());
        let records: Vec<&EpisodeRecord> = all.iter().filter(|r| self.is_wanted(card, r)).collect();
        if records.is_empty() {
            output::error("no episode is selected", "loosen the filters; `probity show RUNDIR` shows all");
            return Exit::BadInput;
        }
        if self.browse {
            return browse::browse(card, &records);
        }
        // A remark may play calls again, which takes the stack of such a thread.
        let threads = threads(0).ok();
        match global.json {
            true => output::json(&serde_json::to_value(&records).unwrap_or_default()),
            false => pager::print(
                records.iter().map(|record| {
                    let remarks = || opened.benchmark.remarks(&record.instance(), &record.trace);
                    let remarks = threads.as_ref().map(|threads| threads.install(remarks)).unwrap_or_default();
                    transcript(card, record, &remarks)
                }),
                !self.no_pager,
            ),
        }
        if is_damaged || !doubts.is_empty() { Exit::Failed } else { Exit::Clean }
    }

    fn is_wanted(&self, card: &Card, record: &EpisodeRecord) -> bool {
        let header = &record.trace.header;
        let short = header.task.rsplit('/').next();
        self.agent.as_ref().is_none_or(|agent| *agent == record.agent)
            && self.task.as_ref().is_none_or(|task| *task == header.task || Some(task.as_str()) == short)
            && self.variant.is_none_or(|wanted| Variant::of(&header.levels) == Some(wanted))
            && self.trial.is_none_or(|trial| trial == record.trial)
            && (!self.failed || has_failed(card, record))
    }

    fn show_task(&self, global: &Global, id: &str) -> Exit {
        let suite = Suite::load(&global.root);
        let found = suite
            .tasks
            .values()
            .find(|loaded| loaded.task.id() == id || loaded.task.id().rsplit('/').next() == Some(id));
        let Some(loaded) = found else {
            let help = suggest::help(id, suite.tasks.keys().map(String::as_str));
            output::error(&format!("`{id}` is neither a run directory nor a task that can be played"), &help);
            return Exit::BadInput;
        };
        let task = &loaded.task;
        if self.prompt {
            let brief = prompt::brief(task.environment(), task.initial());
            let hash = prompt::hash(&brief);
            if global.json {
                let (system, tools) = (brief.system, brief.tools);
                output::json(
                    &serde_json::json!({"version": prompt::VERSION, "hash": hash, "system": system, "tools": tools}),
                );
                return Exit::Clean;
            }
            let tools = serde_json::to_string_pretty(&brief.tools).unwrap_or_default();
            output::print(&format!("{}\nprompt version {}, {hash}\n\n{tools}\n", brief.system, prompt::VERSION));
            return Exit::Clean;
        }
        let variants = task.variants().keys().filter(|v| self.variant.is_none_or(|wanted| wanted == **v));
        let records: Vec<EpisodeRecord> = variants.filter_map(|variant| oracle_record(task, *variant)).collect();
        match global.json {
            true => output::json(&serde_json::to_value(&records).unwrap_or_default()),
            false => pager::print(
                records.iter().map(|record| transcript(BehaviourBenchmark::CARD, record, &[])),
                !self.no_pager,
            ),
        }
        Exit::Clean
    }

    fn list_tasks(&self, global: &Global) -> Exit {
        let suite = Suite::load(&global.root);
        if global.json {
            let ids: Vec<&String> = suite.tasks.keys().collect();
            output::json(&serde_json::json!({"tasks": ids}));
            return Exit::Clean;
        }
        let tasks = suite.tasks.values().map(|loaded| &loaded.task);
        let line =
            |task: &std::sync::Arc<Task>| format!("{:<55} {:<7} {}\n", task.id(), task.difficulty(), task.file().goal);
        pager::print(tasks.map(line), !self.no_pager);
        if suite.has_errors() {
            output::note("note: some files have errors and are left out; `probity check` shows them");
        }
        Exit::Clean
    }
}

fn oracle_record(task: &Task, variant: Variant) -> Option<EpisodeRecord> {
    let mut agent = oracle::agent(task, variant)?;
    record("oracle", 0, task, play_scripted(task, variant, 0, &mut agent)?)
}
