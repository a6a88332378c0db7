//! `probity certify`.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::json;

use super::exit::Exit;
use super::global::progress;
use super::meant::Meant;
use super::store::Store;
use super::{Global, output};
use probity_behaviour::suite::{LoadedTask, Suite};
use probity_behaviour::task::Task;
use probity_engine::Diagnostic;
use probity_local::Failure;
use probity_proof::certify::certificate::{Certificate, text};
use probity_proof::certify::certify;
use probity_proof::certify::diagnosis;
use probity_proof::certify::minimality::Effort;
use probity_proof::check::check_one;
use probity_proof::store::{kept, key};

/// Prove tasks sound: the oracle solves, nothing less does, every check can fail, no shorter way exists.
///
/// A trace solves an outcome when it satisfies state and compliance and every value that must be said occurs in
/// what it observed or was told. All accepted outcomes of all variants are looked at.
#[derive(clap::Args)]
pub struct Certify {
    /// Tasks: ids, starts of ids, names of environments, or files and folders below tasks/; all when none is given
    #[arg(value_name = "PATHS")]
    paths: Vec<String>,
    /// One task, by itself: what only all tasks of its environment together can show is not asked for
    #[arg(long, value_name = "TASK", conflicts_with = "paths")]
    only: Option<String>,
    /// Prove everything again instead of taking unchanged certificates from .probity/certificates
    #[arg(long)]
    no_cache: bool,
}

impl Certify {
    pub(crate) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        let (suite, meant) = self.suite(global)?;
        if suite.has_errors() {
            global.tell(
                || json!({"certificates": [], "diagnostics": suite.diagnostics}),
                || output::diagnostics(&suite.diagnostics),
            );
            let help = "mend them; `probity check` shows more";
            return Err(Failure::new("nothing is certified while files have errors", help));
        }
        let chosen = |loaded: &&LoadedTask| meant.is_empty() || meant.iter().any(|wanted| wanted.is(loaded.task.id()));
        let chosen = suite.tasks.values().filter(chosen).collect::<Vec<_>>();
        if chosen.is_empty() {
            return Err(Failure::new("no task is meant", "name a task, or an environment that has some"));
        }
        let tasks: Vec<Arc<Task>> = chosen.iter().map(|loaded| Arc::clone(&loaded.task)).collect();
        let refused = self.refused(&suite, &chosen, global);
        let store = Store::open(&global.root, "certificates", !self.no_cache);
        let (certificates, speed) = prove(&tasks, &store, global);
        let mut diagnostics = diagnosis::of_tasks(&suite, &certificates);
        let own = diagnostics.len();
        if self.only.is_none() {
            diagnostics = diagnosis::diagnostics(&suite, &certificates);
        }
        let others = diagnostics.len().saturating_sub(own);
        diagnostics.extend(refused.values().flatten().cloned());
        diagnostics.sort();
        diagnostics.dedup();
        let clean = diagnostics.is_empty();
        if global.json {
            output::json(&json!({"certificates": certificates, "diagnostics": diagnostics}));
        } else {
            let is_certified =
                |certificate: &&Certificate| certificate.is_clean() && !refused.contains_key(&certificate.task);
            let shown = |certificate: &Certificate| match refused.contains_key(&certificate.task) {
                true => format!("{}: not certified, for `check` refuses it\n", certificate.task),
                false => text(certificate),
            };
            let texts: Vec<String> = certificates.iter().map(shown).collect();
            let certified = certificates.iter().filter(is_certified).count();
            output::print(&texts.join("\n"));
            output::print(&format!("\n{}", output::diagnostics(&diagnostics)));
            let of_environments = match others {
                0 => String::new(),
                others => format!("; their environments have {}", output::count(others, "error")),
            };
            let tasks = output::count(chosen.len(), "task");
            output::print(&format!("certified {certified} of {tasks}{of_environments}\n"));
        }
        global.note(&speed);
        Ok(if clean { Exit::Clean } else { Exit::Failed })
    }

    /// The suite as far as it is meant, and what is; what is wrong elsewhere is no matter of what is named.
    fn suite(&self, global: &Global) -> Result<(Suite, Vec<Meant>), Failure> {
        let paths = self.only.as_ref().map_or(self.paths.clone(), |only| vec![only.clone()]);
        let mut suite = Meant::suite(&paths, &global.root);
        let meant = Meant::all_of(&paths, &global.root, &suite)?;
        if self.only.is_none() && !meant.is_empty() {
            let is_of = |id: &str, task: &str| task.rsplit_once('/').is_some_and(|(of, _)| of == id);
            let tasks: Vec<String> =
                suite.task_ids().filter(|id| meant.iter().any(|one| one.is(id))).map(str::to_owned).collect();
            let is_meant =
                |id: &str| meant.iter().any(|one| one.is_environment(id)) || tasks.iter().any(|task| is_of(id, task));
            suite.narrow(is_meant, |_| false);
        }
        if let Some(only) = &self.only {
            suite.narrow(|_| false, |id| meant.iter().any(|one| one.is(id)));
            if suite.task_ids().count() != 1 {
                let ids: Vec<&str> = suite.task_ids().collect();
                let help = format!("name one of them: {}", ids.join(", "));
                return Err(Failure::new(format!("`{only}` is not one task"), help));
            }
        }
        Ok((suite, meant))
    }

    /// What `check` finds wrong with tasks, by their ids: these are not certified, whatever is proved of them.
    fn refused(&self, suite: &Suite, chosen: &[&LoadedTask], global: &Global) -> BTreeMap<String, Vec<Diagnostic>> {
        let store = Store::open(&global.root, "checked", !self.no_cache);
        let found = chosen.par_iter().with_max_len(1).map(|loaded| {
            let found = check_one(suite, loaded, &store);
            (loaded.task.id().to_owned(), found.into_iter().filter(Diagnostic::is_error).collect::<Vec<_>>())
        });
        found.filter(|(_, found)| !found.is_empty()).collect()
    }
}

/// Certifies in parallel; the certificates stand in the order of the tasks.
#[expect(clippy::disallowed_methods, reason = "the speed is told to the user and stands in no result")]
fn prove(tasks: &[Arc<Task>], store: &Store, global: &Global) -> (Vec<Certificate>, String) {
    let bar = progress(global, tasks.len());
    let start = std::time::Instant::now();
    let proved: Vec<(Certificate, Option<Effort>)> = tasks
        .par_iter()
        .with_max_len(1)
        .map(|task| {
            let mut effort = None;
            let certificate = kept(store, &key("certificate", task.environment(), &[task]), || {
                let (certificate, made) = certify(task);
                effort = Some(made);
                (certificate, true)
            });
            let found = (certificate, effort);
            bar.set_message(task.id().to_owned());
            bar.inc(1);
            found
        })
        .collect();
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let cached = proved.iter().filter(|(_, effort)| effort.is_none()).count();
    let (nodes, steps) = proved
        .iter()
        .filter_map(|(_, effort)| *effort)
        .fold((0, 0), |(n, s), effort| (n + effort.nodes, s + effort.steps));
    #[expect(clippy::cast_precision_loss, reason = "a speed for people")]
    let speed = format!(
        "searched {nodes} states with {steps} tool calls in {seconds:.1} s: {:.0} states/s, {:.0} calls/s{}",
        nodes as f64 / seconds.max(1e-9),
        steps as f64 / seconds.max(1e-9),
        if cached > 0 { format!("; {cached} certificates from the cache") } else { String::new() }
    );
    (proved.into_iter().map(|(certificate, _)| certificate).collect(), speed)
}
