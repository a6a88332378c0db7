//! The flags of `probity certify`, and what it proves.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::json;

use super::cache::Cache;
use super::meant::Meant;
use crate::cli::exit::Exit;
use crate::cli::program::progress;
use crate::cli::{Global, output};
use crate::failure::Failure;
use probity_behaviour::certify::certificate::Certificate;
use probity_behaviour::certify::minimality::Effort;
use probity_behaviour::certify::{certify, suite, text};
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_engine::suggest;

/// Prove tasks sound: the oracle solves, nothing less does, every check can fail, no shorter way exists.
///
/// A trace solves an outcome when it satisfies state and compliance and every value that must be said occurs in
/// what it observed or was told. All accepted outcomes of all variants are looked at.
#[derive(clap::Args)]
pub struct Certify {
    /// Tasks: ids, starts of ids, names of environments, or files and folders below tasks/; all when none is given
    #[arg(value_name = "PATHS")]
    paths: Vec<String>,
    /// Prove everything again instead of taking unchanged certificates from .probity/certificates
    #[arg(long)]
    no_cache: bool,
}

impl Certify {
    pub(crate) fn run(&self, global: &Global) -> Exit {
        let suite = Suite::load(&global.root);
        if suite.has_errors() {
            match global.json {
                true => output::json(&json!({"certificates": [], "diagnostics": suite.diagnostics})),
                false => output::print(&output::diagnostics(&suite.diagnostics)),
            }
            output::error("nothing is certified while files have errors", "mend them; `probity check` shows more");
            return Exit::BadInput;
        }
        let tasks = match self.tasks(&suite, &global.root) {
            Ok(tasks) => tasks,
            Err(failure) => {
                return output::fail(&failure);
            }
        };
        let cache = Cache::open(&global.root, !self.no_cache);
        let (certificates, speed) = prove(&tasks, &cache, global);
        let diagnostics = suite::diagnostics(&suite, &certificates);
        let clean = diagnostics.is_empty();
        if global.json {
            output::json(&json!({"certificates": certificates, "diagnostics": diagnostics}));
        } else {
            let texts: Vec<String> = certificates.iter().map(text::text).collect();
            let certified = certificates.iter().filter(|certificate| certificate.is_clean()).count();
            output::print(&texts.join("\n"));
            output::print(&format!("\n{}", output::diagnostics(&diagnostics)));
            output::print(&format!("certified {certified} of {}\n", output::count(certificates.len(), "task")));
        }
        if !global.quiet {
            output::note(&speed);
        }
        if clean { Exit::Clean } else { Exit::Failed }
    }

    /// The tasks that the paths mean.
    fn tasks(&self, suite: &Suite, root: &Path) -> Result<Vec<Arc<Task>>, Failure> {
        let all = || suite.tasks.values().map(|loaded| &loaded.task);
        let mut meant = Vec::new();
        for path in &self.paths {
            let Some(wanted) = Meant::of(path, root) else {
                let help =
                    "name a task, an environment, or a file or folder below tasks/; no name at all means every task";
                return Err(Failure::new(format!("`{path}` names no task"), help));
            };
            if !all().any(|task| wanted.is(task.id())) {
                let help = suggest::help(path, all().map(|task| task.id()));
                return Err(Failure::new(format!("no task is called `{path}`, nor lies below it"), help));
            }
            meant.push(wanted);
        }
        let chosen = |task: &&Arc<Task>| meant.is_empty() || meant.iter().any(|wanted| wanted.is(task.id()));
        Ok(all().filter(chosen).map(Arc::clone).collect())
    }
}

/// Certifies in parallel; the certificates stand in the order of the tasks.
#[expect(clippy::disallowed_methods, reason = "the speed is told to the user and stands in no result")]
pub(super) fn prove(tasks: &[Arc<Task>], cache: &Cache, global: &Global) -> (Vec<Certificate>, String) {
    let bar = progress(global, tasks.len());
    let start = std::time::Instant::now();
    let proved: Vec<(Certificate, Option<Effort>)> = tasks
        .par_iter()
        .map(|task| {
            let found = cache.find(task).map(|certificate| (certificate, None)).unwrap_or_else(|| {
                let (certificate, effort) = certify(task);
                cache.keep(task, &certificate);
                (certificate, Some(effort))
            });
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
