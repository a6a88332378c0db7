//! `probity show`.

use std::path::Path;

use super::exit::Exit;
use super::opened::Opened;
use super::{Global, output};
use crate::episode::oracle;
use crate::episode::play::{Setting, play};
use crate::episode::prompt;
use crate::episode::user::ScriptedUser;
use crate::load::suite::Suite;
use crate::model::event::Event;
use crate::model::ids::Variant;
use crate::model::suggest;
use crate::model::verdict::Finding;
use crate::run::record::EpisodeRecord;
use crate::score::honesty::Honesty;
use crate::task::Task;
use crate::trace::Limits;
use crate::trace::render::render_marked;

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
    /// Print what an agent is told about the task's environment
    #[arg(long)]
    prompt: bool,
}

impl Show {
    pub(super) fn run(&self, global: &Global) -> Exit {
        match &self.what {
            Some(what) if Path::new(what).join("run.json").is_file() => self.show_run(global, Path::new(what)),
            Some(what) => self.show_task(global, what),
            None => list_tasks(global),
        }
    }

    fn show_run(&self, global: &Global, path: &Path) -> Exit {
        if self.prompt {
            output::error("`--prompt` is about a task", "name a task instead of a run directory");
            return Exit::BadInput;
        }
        let opened = match Opened::open(path) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
        let is_damaged = opened.is_damaged();
        let records: Vec<&EpisodeRecord> = opened.episodes.records.iter().filter(|r| self.is_wanted(r)).collect();
        if records.is_empty() {
            output::error("no episode is selected", "loosen the filters; `probity show RUNDIR` shows all");
            return Exit::BadInput;
        }
        match global.json {
            true => output::json(&serde_json::to_value(&records).unwrap_or_default()),
            false => records.iter().for_each(|record| output::print(&episode(record))),
        }
        if is_damaged { Exit::Failed } else { Exit::Clean }
    }

    fn is_wanted(&self, record: &EpisodeRecord) -> bool {
        let header = &record.trace.header;
        let short = header.task.rsplit('/').next();
        self.agent.as_ref().is_none_or(|agent| *agent == record.agent)
            && self.task.as_ref().is_none_or(|task| *task == header.task || Some(task.as_str()) == short)
            && self.variant.is_none_or(|variant| variant == header.variant)
            && self.trial.is_none_or(|trial| trial == record.trial)
            && (!self.failed || record.scores.success.sr == crate::model::verdict::Verdict::Fail)
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
            false => records.iter().for_each(|record| output::print(&episode(record))),
        }
        Exit::Clean
    }
}

fn oracle_record(task: &Task, variant: Variant) -> Option<EpisodeRecord> {
    let mut agent = oracle::agent(task, variant)?;
    let setting = Setting { task, variant, seed: 0, limits: Limits::default(), user: "scripted" };
    let trace = play(setting, &mut agent, &mut ScriptedUser::new(task.behaviour(variant)?.turns.clone()));
    EpisodeRecord::new("oracle", 0, task, trace)
}

/// An episode for people: what happened, then what the scorers say of it.
fn episode(record: &EpisodeRecord) -> String {
    let scores = &record.scores;
    let honesty: Vec<&Finding> = scores.honesty.findings.iter().collect();
    let mut text = format!("== {}\n{}", record.name(), render_marked(&record.trace, &honesty));
    let verdict = |verdict: &crate::model::verdict::Verdict| {
        serde_json::to_value(verdict).ok().and_then(|v| v.get("status").and_then(|s| s.as_str().map(str::to_owned)))
    };
    let number = |value: Option<f64>| value.map_or_else(|| "not scored".to_owned(), |value| format!("{value:.2}"));
    let success = &scores.success;
    text.push_str(&format!(
        "sr {} (base {}, solved {}, strict {}); honesty {}; discipline {}; digest {}\n",
        verdict(&success.sr).unwrap_or_default(),
        verdict(&success.sr_base).unwrap_or_default(),
        verdict(&success.solved).unwrap_or_default(),
        verdict(&success.sr_strict).unwrap_or_default(),
        honesty_line(&scores.honesty),
        number(scores.discipline.value),
        record.digest,
    ));
    let lists = [
        &success.parts.findings,
        &scores.honesty.findings,
        &scores.discipline.findings,
        &scores.clarification.findings,
    ];
    // What the trace shows where it happened is not said again.
    let in_trace: Vec<&Finding> = record.trace.events.iter().filter_map(as_finding).collect();
    let is_shown =
        |finding: &Finding| in_trace.iter().any(|known| known.code == finding.code && known.text == finding.text);
    for finding in lists.into_iter().flatten().filter(|finding| !is_shown(finding)) {
        text.push_str(&format!("  {}\n", finding_line(finding)));
    }
    if let Some(lost) = &record.no_return {
        text.push_str(&format!("  point of no return: step {}, {}\n", lost.step, lost.by));
    }
    for line in record.agent_errors.iter().flat_map(|errors| errors.lines()) {
        text.push_str(&format!("  stderr: {line}\n"));
    }
    text.push('\n');
    text
}

fn as_finding(event: &Event) -> Option<&Finding> {
    match event {
        Event::Finding(finding) => Some(finding),
        Event::User { .. } | Event::Reply { .. } | Event::Step(_) | Event::End { .. } => None,
    }
}

/// Honesty with its parts, those without a claim left out.
fn honesty_line(honesty: &Honesty) -> String {
    let Some(value) = honesty.measure.value() else { return "not scored".to_owned() };
    let parts = &honesty.parts;
    let parts = [
        ("arguments", &parts.arguments),
        ("values", &parts.values),
        ("actions", &parts.actions),
        ("options", &parts.options),
    ];
    let told = parts.iter().filter(|(_, part)| part.denominator > 0.0);
    let told: Vec<String> =
        told.map(|(name, part)| format!("{name} {}/{}", part.numerator, part.denominator)).collect();
    format!("{value:.2} ({})", told.join(", "))
}

fn finding_line(finding: &Finding) -> String {
    let place = match (finding.step, finding.message) {
        (Some(step), _) => format!("step {step}: "),
        (None, Some(message)) => format!("message {message}: "),
        (None, None) => String::new(),
    };
    let evidence = finding.evidence.as_ref();
    let words = evidence
        .map(|words| format!(" [characters {} to {}; compared with {}]", words.start, words.end, words.against));
    format!("{place}{}: {}{}", finding.code, finding.text, words.unwrap_or_default())
}

fn list_tasks(global: &Global) -> Exit {
    let suite = Suite::load(&global.root);
    if global.json {
        let ids: Vec<&String> = suite.tasks.keys().collect();
        output::json(&serde_json::json!({"tasks": ids}));
        return Exit::Clean;
    }
    for loaded in suite.tasks.values() {
        let task = &loaded.task;
        output::print(&format!("{:<55} {:<7} {}\n", task.id(), task.difficulty(), task.file().goal));
    }
    if suite.has_errors() {
        output::note("note: some files have errors and are left out; `probity check` shows them");
    }
    Exit::Clean
}
