//! `probity show`.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::chosen::Chosen;
use super::exit::Exit;
use super::filter::{Filter, none_selected};
use super::meant::Meant;
use super::moved::Errand;
use super::{Global, judge, output, pager};
use crate::cli::stopped::Stopped;
use probity_behaviour::benchmark::{CARD, instance, record};
use probity_behaviour::episode::play::{self, play_scripted};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::{Task, text};
use probity_bench::render::Length;
use probity_bench::{EpisodeRecord, RunError, Wanted};
use probity_engine::suggest;
use probity_local::Failure;
use probity_report::transcript::{Beyond, goal, transcript};

/// Show an episode, a task or what an agent is told.
///
/// Without a name it lists all tasks. A task's id, or a part of it that no other has, shows the oracle's episodes; a
/// run directory shows the recorded ones, the failed first.
#[derive(clap::Args)]
pub struct Show {
    /// A run directory, or a task's id
    what: Option<String>,
    #[command(flatten)]
    filter: Filter,
    /// Print values whole, each item of a list on a line of its own
    #[arg(long)]
    full: bool,
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
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let is_run = self.what.as_ref().is_some_and(|what| Path::new(what).join("run.json").is_file());
        if self.browse && (!is_run || global.json) {
            let help = "name a run directory, without `--json`";
            return Err(Failure::new("`--browse` is about a run, and for people", help).into());
        }
        match &self.what {
            Some(what) if is_run => self.show_run(global, Path::new(what)),
            Some(what) => Ok(self.show_task(global, what)?),
            None => Ok(self.list_tasks(global)),
        }
    }

    fn show_run(&self, global: &Global, path: &Path) -> Result<Exit, Stopped> {
        if self.prompt {
            let help = "name a task instead of a run directory";
            return Err(Failure::new("`--prompt` is about a task", help).into());
        }
        if self.browse {
            return Ok(self.browser(global, path).hand_on());
        }
        let chosen = Chosen::open(global, path, &self.filter)?;
        match global.json {
            true => output::json(&serde_json::to_value(&chosen.records).map_err(RunError::from)?),
            false => {
                let judgements = judge::known(&chosen.opened, Wording::of(ReplyForm::Sentences));
                let text = |(record, wanted): (&EpisodeRecord, Option<&Wanted>)| {
                    let remarks = || chosen.opened.benchmark.remarks(&record.instance(), &record.trace);
                    let remarks = chosen.played(remarks);
                    let judged = judge::sentences_of(record, &judgements);
                    let told = Beyond { wanted, remarks: &remarks, judged: &judged, length: self.length() };
                    transcript(chosen.card(), record, &told)
                };
                pager::print(chosen.told().map(text), !self.no_pager);
            }
        }
        Ok(if chosen.is_doubtful { Exit::Failed } else { Exit::Clean })
    }

    /// What is asked of the program that browses: the run and the flags that choose its episodes.
    fn browser(&self, global: &Global, path: &Path) -> Errand {
        let what = "a run is browsed in the terminal by".to_owned();
        let mut arguments: Vec<OsString> = self.filter.flags().into_iter().map(OsString::from).collect();
        arguments.extend(global.quiet.then(|| "--quiet".into()));
        arguments.push(path.into());
        Errand { program: "probity-browse", what, arguments }
    }

    fn length(&self) -> Length {
        if self.full { Length::Whole } else { Length::Short }
    }

    fn show_task(&self, global: &Global, name: &str) -> Result<Exit, Failure> {
        let suite = Meant::suite(&[name.to_owned()], &global.root);
        self.filter.levels_are_known(&CARD)?;
        let id = named(name, suite.tasks.keys().map(String::as_str))?;
        let Some(loaded) = suite.tasks.get(id) else { return Ok(Exit::BadInput) };
        let task = &loaded.task;
        if self.prompt {
            print_prompt(global, task)?;
            return Ok(Exit::Clean);
        }
        let is_meant = |variant: &Variant| {
            let factors = instance(task, *variant).factors();
            self.filter.variant.is_none_or(|wanted| wanted == *variant)
                && self.filter.levels.iter().all(|(factor, level)| factors.get(factor) == Some(level))
        };
        let variants = task.variants().keys().copied().filter(is_meant);
        let played: Vec<(Variant, EpisodeRecord)> =
            variants.filter_map(|variant| Some((variant, oracle_record(task, variant)?))).collect();
        if played.is_empty() {
            return Err(none_selected(&format!("`probity show {id}` shows all")));
        }
        match global.json {
            true => {
                let records: Vec<&EpisodeRecord> = played.iter().map(|(_, record)| record).collect();
                output::json(&serde_json::to_value(&records).map_err(RunError::from)?);
            }
            false => {
                let told = Beyond { length: self.length(), ..Beyond::default() };
                // The goal stands above the first of the episodes that share it.
                let mut shown = String::new();
                let episodes = played.iter().map(|(variant, record)| {
                    let own = Wanted { goal: task.goal(*variant).to_owned(), ..Wanted::default() };
                    let head = if own.goal == shown { String::new() } else { format!("{}\n", goal(&own)) };
                    shown = own.goal;
                    head + &transcript(&CARD, record, &told)
                });
                pager::print(episodes, !self.no_pager);
            }
        }
        Ok(Exit::Clean)
    }

    fn list_tasks(&self, global: &Global) -> Exit {
        let suite = Suite::load(&global.root);
        if global.json {
            let ids: Vec<&String> = suite.tasks.keys().collect();
            output::json(&serde_json::json!({"tasks": ids}));
            return Exit::Clean;
        }
        let tasks = suite.tasks.values().map(|loaded| &loaded.task);
        let line = |task: &Arc<Task>| format!("{:<55} {:<7} {}\n", task.id(), task.difficulty(), task.file().goal);
        pager::print(tasks.map(line), !self.no_pager);
        if suite.has_errors() {
            output::note("note: some files have errors and are left out; `probity check` shows them");
        }
        Exit::Clean
    }
}

/// The task of a name: its id, its last part, or a part of it that no other has.
fn named<'a>(name: &str, ids: impl Iterator<Item = &'a str> + Clone) -> Result<&'a str, Failure> {
    if let Some(id) = ids.clone().find(|id| *id == name || id.rsplit('/').next() == Some(name)) {
        return Ok(id);
    }
    let near: Vec<&str> = ids.clone().filter(|id| !name.is_empty() && id.contains(name)).collect();
    let message = format!("`{name}` is neither a run directory nor a task that can be played");
    match near.as_slice() {
        [only] => Ok(only),
        [] => Err(Failure::new(message, suggest::help(name, ids))),
        many => {
            let some: Vec<String> = many.iter().map(|id| format!("`{id}`")).collect();
            Err(Failure::new(message, format!("did you mean {}?", some.join(" or "))))
        }
    }
}

fn print_prompt(global: &Global, task: &Task) -> Result<(), RunError> {
    let (brief, hash) = (task.brief(), task.prompt());
    if global.json {
        let (system, tools) = (&brief.system, &brief.tools);
        output::json(&serde_json::json!({"version": text::VERSION, "hash": hash, "system": system, "tools": tools}));
        return Ok(());
    }
    let tools = serde_json::to_string_pretty(&brief.tools)?;
    output::print(&format!("{}\nprompt version {}, {hash}\n\n{tools}\n", brief.system, text::VERSION));
    Ok(())
}

fn oracle_record(task: &Task, variant: Variant) -> Option<EpisodeRecord> {
    let mut agent = play::agent(task, variant)?;
    record("oracle", 0, task, play_scripted(task, variant, 0, &mut agent)?)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_part_of_a_name_is_enough_where_no_other_task_has_it() {
        let ids = ["a/b/one_way", "a/b/two_ways", "a/c/lamp"];
        let of = |name: &str| named(name, ids.into_iter());
        assert!(matches!((of("lamp"), of("a/c/lamp"), of("lam")), (Ok(a), Ok(b), Ok(c)) if [a, b, c] == [ids[2]; 3]));
        assert!(matches!((of("way"), of("zzz")), (Err(several), Err(_)) if several.help.contains("`a/b/two_ways`")));
    }
}
