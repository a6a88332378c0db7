//! `probity export`.

use std::io::ErrorKind;
use std::path::PathBuf;

use serde_json::json;

use super::audit::unwritable;
use super::exit::Exit;
use super::filter::{Filter, none_selected};
use super::opened::Opened;
use super::overwrite::refuse_inside;
use super::proof::Doubts;
use super::stopped::Stopped;
use super::{Global, output};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_bench::run::execute::threads;
use probity_bench::{EpisodeRecord, RunError};
use probity_engine::suggest;
use probity_export::{FORMS, Form, Source, Written, export};
use probity_local::Failure;

/// Write the episodes of a run in a form that other programs open.
///
/// `inspect` is a log that `inspect view` opens (a file that ends in `.eval` or `.json`), `atif` trajectories for Harbor
/// (a new folder with a file for each, or lines in a file that ends in `.jsonl`), `otel` spans for what reads
/// OpenTelemetry (lines of OTLP JSON). Scores are made anew from the traces; what was not scored has no score there.
/// The same run makes the same bytes.
#[derive(clap::Args)]
pub struct Export {
    /// atif, inspect or otel
    #[arg(value_parser = form)]
    form: &'static Form,
    /// The run directory
    run: PathBuf,
    /// Where to write, outside of the run; what stands there stays
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    filter: Filter,
}

fn form(name: &str) -> Result<&'static Form, String> {
    let help = || suggest::help(name, FORMS.iter().map(|form| form.name));
    FORMS.iter().find(|form| form.name == name).ok_or_else(|| format!("there is no such form; {}", help()))
}

impl Export {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let mut opened = Opened::open(global, &self.run)?;
        let is_damaged = opened.is_damaged();
        let (units, _) = opened.note_gaps()?;
        opened.episodes.entries.retain(|entry| self.filter.may_be_wanted(entry));
        let mut doubts = Doubts::default();
        let written = self.refused(&opened).and_then(|()| {
            // What is wanted at an instance may take the stack of such a thread.
            threads(0)?.install(|| {
                self.write(&opened, doubts.proved(&units, opened.benchmark.as_ref(), opened.episodes.batches())?)
            })
        });
        doubts.say(opened.directory.path());
        self.say(global, &written?, is_judged(&opened));
        Ok(if is_damaged || !doubts.is_empty() { Exit::Failed } else { Exit::Clean })
    }

    fn refused(&self, opened: &Opened) -> Result<(), Failure> {
        self.filter.levels_are_known(opened.benchmark.card())?;
        refuse_inside(&self.out, opened.directory.path())?;
        match (self.form.refusal)(&self.out) {
            Some(help) => Err(Failure::new(format!("`{}` cannot hold this form", self.out.display()), help)),
            None => Ok(()),
        }
    }

    fn write(
        &self,
        opened: &Opened,
        batches: impl Iterator<Item = Result<Vec<EpisodeRecord>, RunError>>,
    ) -> Result<Written, Failure> {
        let (benchmark, config) = (opened.benchmark.as_ref(), &opened.config);
        let wanted = |records: Vec<EpisodeRecord>| {
            records.into_iter().filter(|record| self.filter.is_wanted(benchmark.card(), record)).collect::<Vec<_>>()
        };
        let batches = batches.map(|batch| batch.map(wanted));
        let mut agents: Vec<String> = opened.episodes.entries.iter().map(|entry| entry.agent.clone()).collect();
        agents.dedup();
        let source = Source { benchmark, config, agents: &agents };
        match export(self.form, &self.out, source, batches) {
            Ok(Written { episodes: 0, .. }) => Err(none_selected("without a filter all are written")),
            Ok(written) => Ok(written),
            Err(error) => Err(match error.downcast::<RunError>() {
                Ok(error) => error.into(),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    let message = format!("`{}` exists already, and is not what would be written", self.out.display());
                    Failure::new(message, "name another file, or take it away: an export overwrites nothing")
                }
                Err(error) => unwritable(&self.out, &error),
            }),
        }
    }

    fn say(&self, global: &Global, written: &Written, is_judged: bool) {
        let Written { episodes, messages, calls, .. } = *written;
        let mut notes = notes(self.form, written);
        notes.extend(is_judged.then(|| "what judges said: left out, `probity report` shows it".to_owned()));
        if global.json {
            return output::json(&json!({
                "form": self.form.name, "out": self.out.display().to_string(), "episodes": episodes,
                "messages": messages, "calls": calls, "no_place": notes,
            }));
        }
        let counts = [(episodes, "episode"), (messages, "message"), (calls, "call")];
        let counts = counts.map(|(count, of)| output::count(count, of)).join(", ");
        output::print(&format!("{}: {counts}\n", self.out.display()));
        notes.iter().for_each(|note| output::print(&format!("no place for {note}\n")));
    }
}

/// Whether judges have said something of the run.
fn is_judged(opened: &Opened) -> bool {
    let files = [ReplyForm::Grades, ReplyForm::Sentences].map(|form| Wording::of(form).file());
    files.iter().any(|file| opened.directory.file(file).metadata().is_ok_and(|file| file.len() > 0))
}

/// What the form has no place for, in general and of these episodes.
fn notes(form: &Form, written: &Written) -> Vec<String> {
    let counted = [
        (written.user_calls, "call of the user's own", "in the metadata, as `user_calls`"),
        (written.wrapped, "call with arguments that are no object", "they stand under `arguments`"),
        (written.untold, "brief that is not the one that was played with", "left out, with the tools"),
    ];
    let counted = counted.into_iter().filter(|(count, ..)| *count > 0);
    let counted = counted.map(|(count, of, place)| format!("{}: {place}", output::count(count, of)));
    form.no_place.iter().map(|note| (*note).to_owned()).chain(counted).collect()
}
