//! `probity check`.

use rayon::prelude::*;
use serde_json::json;

use super::exit::Exit;
use super::meant::Meant;
use super::store::Store;
use super::{Global, output};
use crate::cli::stopped::Stopped;
use probity_behaviour::benchmark::NAME;
use probity_behaviour::suite::{LoadedTask, Suite};
use probity_bench::{Registered, census::Census};
use probity_engine::Diagnostic;
use probity_local::Failure;
use probity_proof::certify::certificate::RuleRow;
use probity_proof::certify::rules::{self, RuleLine};
use probity_proof::certify::rules_violated;
use probity_proof::check::dialogue::inference;
use probity_proof::check::environment::{Explored, journey};
use probity_proof::check::{Sheets, check, check_all, sheets, update};
use probity_report::census::text;

/// Check environments and tasks: all problems at once, with file, line and column.
///
/// Every schema, script, reference and variant is checked; every accepted outcome's oracle is played
/// under every behaviour and must get full marks from every scorer; what users say is searched for leaks.
///
/// With `--all` every tool of every environment is called in many states as well, with valid and invalid
/// arguments: no call may be a fault of its script, and all that is declared must happen. And every dialogue
/// is read as an agent hears it: all that an oracle needs must be told by then, and every user must be what the
/// behaviour says. And for every rule of a policy the table says what it is bound to and in how many tasks some
/// slip violates that.
///
/// With `--explore N` chains of random calls are made from many populated states: what the state and earlier
/// observations offer, the extremes of what schemas allow, and the same call again. No call may be a fault of its
/// script, break a schema or go beyond its effects, and every invariant must hold after each. The same N gives the
/// same result with any number of threads.
#[derive(clap::Args)]
pub struct Check {
    /// Environments and tasks: ids, starts of ids, or files and folders; everything when none is given. An environment
    /// is checked with its tasks, a task alone
    #[arg(value_name = "PATHS")]
    paths: Vec<String>,
    /// The suite: the behaviour suite has environments and tasks, and all the flags below; of another its own files
    /// are checked
    #[arg(long, default_value = NAME, value_name = "NAME")]
    suite: String,
    /// Print what the suite holds: its tasks and instances by the levels of each factor, and its own figures
    #[arg(long, conflicts_with_all = ["update", "all", "explain", "explore", "no_cache", "verbose", "paths"])]
    stats: bool,
    /// Write pinned state hashes and expected deltas as they are now into the tasks' lock files
    #[arg(long)]
    update: bool,
    /// Explore the environments and read the dialogues as well, and say what was reached; takes a while, unless little has changed
    #[arg(long)]
    all: bool,
    /// Print for every task what its oracles need to know and where it can be known from; implies --all
    #[arg(long)]
    explain: bool,
    /// Exit with an error on warnings too
    #[arg(long)]
    deny_warnings: bool,
    /// Check everything again instead of taking what was found clean and has not changed from .probity/checked
    #[arg(long)]
    no_cache: bool,
    /// Print for every environment which fields calls have written; without it only where something was not reached
    #[arg(long)]
    verbose: bool,
    /// Make N random calls over all environments, from many populated states, and report every fault of an author
    /// with the shortest way to it; exit 1 if there is one
    #[arg(long, value_name = "N")]
    explore: Option<u64>,
}

#[derive(Default)]
struct Found {
    explored: Explored,
    sheets: Sheets,
    policy: Vec<RuleLine>,
    calls: Option<u64>,
}

/// Makes random calls and adds what they show; how many faults there are.
fn travel(global: &Global, suite: &Suite, calls: u64, found: &mut Found) -> usize {
    let units = usize::try_from(journey::units(suite, calls)).unwrap_or(usize::MAX);
    let bar = super::global::progress(global, units);
    let journeys = journey::travel(suite, calls, &|| bar.inc(1));
    bar.finish_and_clear();
    found.calls = Some(journeys.calls);
    let known = &found.explored.diagnostics;
    let new: Vec<_> = journeys.diagnostics.into_iter().filter(|fault| !known.contains(fault)).collect();
    let faults = new.len();
    found.explored.diagnostics.extend(new);
    found.explored.diagnostics.sort();
    faults
}

impl Check {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        if self.suite == NAME && !self.stats {
            return self.check(global);
        }
        if self.update || self.is_all() || self.explore.is_some() || self.verbose || !self.paths.is_empty() {
            let message = format!("of the suite `{}` nothing but its files is checked", self.suite);
            return Err(Failure::new(message, "leave out the paths and all flags but `--stats`").into());
        }
        Ok(census(global, global.suite(&self.suite)?, self.stats, self.deny_warnings))
    }

    fn check(&self, global: &Global) -> Result<Exit, Stopped> {
        let mut suite = if self.update { Suite::load(&global.root) } else { Meant::suite(&self.paths, &global.root) };
        if self.update {
            let updated = update::update(&global.root, &suite).map_err(|diagnostic| {
                output::note(&diagnostic.to_string());
                Exit::BadInput
            })?;
            updated.written.iter().for_each(|path| output::note(&format!("updated {path}")));
            let unknown = updated.unknown.iter();
            unknown.for_each(|(path, what)| output::note(&format!("not updated in {path}: {what}")));
            suite = Suite::load(&global.root);
        }
        let meant = Meant::all_of(&self.paths, &global.root, &suite)?;
        if !meant.is_empty() {
            suite.narrow(|id| meant.iter().any(|one| one.is_environment(id)), |id| meant.iter().any(|one| one.is(id)));
        }
        let mut found = self.find(global, &suite);
        let faults = self.explore.map(|calls| travel(global, &suite, calls, &mut found)).unwrap_or_default();
        match global.json {
            true => self.print_json(&suite, &found),
            false => self.print_text(&suite, &found),
        }
        let counts = |found: &&probity_engine::Diagnostic| self.deny_warnings || found.is_error();
        let failed = found.explored.diagnostics.iter().filter(counts).count();
        Ok(match (failed, faults) {
            (0, _) => Exit::Clean,
            // Nothing is wrong but what the journeys found.
            (failed, faults) if failed == faults => Exit::Failed,
            _ => Exit::BadInput,
        })
    }

    fn is_all(&self) -> bool {
        self.all || self.explain
    }

    fn print_json(&self, suite: &Suite, Found { explored, sheets, policy, calls }: &Found) {
        let (environments, tasks) = (suite.environments.len(), suite.tasks.len());
        let diagnostics = &explored.diagnostics;
        let mut found = json!({
            "environments": environments, "tasks": tasks, "not_looked_at": waiting(suite), "diagnostics": diagnostics
        });
        if self.is_all() {
            found["coverage"] = json!(explored.coverage);
            found["policy"] = json!(policy);
        }
        if self.explain {
            found["explain"] = json!(sheets);
        }
        if let Some(calls) = calls {
            found["explored_calls"] = json!(calls);
        }
        output::json(&found);
    }

    fn print_text(&self, suite: &Suite, Found { explored, sheets, policy, calls }: &Found) {
        if self.explain {
            let tables: Vec<String> = sheets.iter().map(|(task, sheets)| inference::text(task, sheets)).collect();
            output::print(&format!("{}\n", tables.join("\n")));
        }
        let environments = output::count(suite.environments.len(), "environment");
        let tasks = output::count(suite.tasks.len(), "task");
        let coverage: String = explored.coverage.iter().map(|coverage| coverage.to_text(self.verbose)).collect();
        let diagnostics = output::diagnostics(&explored.diagnostics);
        let policy = rules::text(policy);
        let waiting = match waiting(suite) {
            0 => String::new(),
            1 => "1 task not looked at: its environment has errors\n".to_owned(),
            waiting => format!("{waiting} tasks not looked at: their environment has errors\n"),
        };
        let calls = calls.map(|calls| format!("explored by {calls} calls\n")).unwrap_or_default();
        output::print(&format!("{diagnostics}{policy}{coverage}{calls}checked {environments}, {tasks}\n{waiting}"));
    }

    fn find(&self, global: &Global, suite: &Suite) -> Found {
        let store = Store::open(&global.root, "checked", !self.no_cache);
        if !self.is_all() {
            let explored = Explored { diagnostics: check(suite, &store), ..Explored::default() };
            return Found { explored, ..Found::default() };
        }
        let tasks: Vec<&LoadedTask> = suite.tasks.values().filter(|loaded| !loaded.has_drifted).collect();
        let bar = super::global::progress(global, suite.environments.len() + tasks.len());
        let mut explored = check_all(suite, &store, &|| bar.inc(1));
        let sheets = if self.explain { sheets(suite) } else { Sheets::new() };
        let violated: Vec<(&str, Vec<RuleRow>)> = tasks
            .par_iter()
            .with_max_len(1)
            .map(|loaded| {
                let rows = rules_violated(&loaded.task, &store);
                bar.inc(1);
                (loaded.task.id(), rows)
            })
            .collect();
        bar.finish_and_clear();
        let violations = violated.iter().map(|(task, rows)| (*task, rows.as_slice())).collect();
        let unviolated = rules::never_violated(suite, &violations);
        // Where a task cannot be played no slip of it violates anything: what is in its way is told, and that is enough.
        let has_cause = |found: &Diagnostic| {
            let id = found.file.strip_prefix("environments/").and_then(|file| file.strip_suffix(".json"));
            let tasks = format!("tasks/{}/", id.unwrap_or_default());
            let is_of = |other: &&Diagnostic| other.file == found.file || other.file.starts_with(&tasks);
            explored.diagnostics.iter().filter(is_of).any(Diagnostic::is_error)
        };
        let alone: Vec<Diagnostic> = unviolated.into_iter().filter(|found| !has_cause(found)).collect();
        explored.diagnostics.extend(alone);
        explored.diagnostics.sort();
        Found { explored, sheets, policy: rules::table(suite, &violations), calls: None }
    }
}

/// How many tasks wait for their environment to be mended.
fn waiting(suite: &Suite) -> usize {
    suite.left_out.iter().filter(|left| left.is_waiting).count()
}

/// Loads a suite, tells all that is wrong with it, and what it holds if that is asked for.
fn census(global: &Global, registered: &Registered, has_stats: bool, denies_warnings: bool) -> Exit {
    let loaded = registered.load(&global.root);
    let census = Census::of(loaded.benchmark.as_ref());
    let diagnostics = &loaded.diagnostics;
    match (global.json, has_stats) {
        (true, true) => output::json(&json!({"diagnostics": diagnostics, "stats": census})),
        (true, false) => {
            output::json(&json!({"tasks": census.tasks, "instances": census.instances, "diagnostics": diagnostics}))
        }
        (false, true) => output::print(&format!("{}\n{}", text(&census), output::diagnostics(diagnostics))),
        (false, false) => {
            let [tasks, instances] =
                [(census.tasks, "task"), (census.instances, "instance")].map(|(n, what)| output::count(n, what));
            output::print(&format!("{}checked {tasks}, {instances}\n", output::diagnostics(diagnostics)));
        }
    }
    match diagnostics.iter().any(|found| denies_warnings || found.is_error()) {
        true => Exit::BadInput,
        false => Exit::Clean,
    }
}
