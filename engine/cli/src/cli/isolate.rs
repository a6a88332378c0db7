//! The flags that keep agents in a process apart from everything else, and what becomes of them on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Global;
use super::withheld::Withheld;
use probity_bench::{AgentName, Barrier, Caller, Isolation, Quarters};
use probity_local::Failure;

/// When agents in a process get a barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Isolate {
    /// Where `bwrap` works.
    #[default]
    Auto,
    /// Or there is no run.
    Always,
    /// They reach all that their user can.
    Never,
}

/// How agents in a process are kept apart.
#[derive(clap::Args)]
#[command(next_help_heading = "Agents in a process (exec:CMD)")]
pub struct IsolationFlags {
    /// Keep agents from files, processes and networks with bubblewrap: where it works, always, or never
    #[arg(long, default_value = "auto", value_name = "WHEN", hide_possible_values = true)]
    isolate: Isolate,
    /// A folder that agents work in and read as their own, in place of an empty one
    #[arg(long, value_name = "DIR")]
    agent_dir: Option<PathBuf>,
    /// A variable that agents get beside PATH, HOME and LANG: NAME takes our value, NAME=VALUE is written into run.json; may be repeated
    #[arg(long = "agent-env", value_name = "NAME", value_parser = variable)]
    agent_env: Vec<String>,
    /// Let isolated agents use the network
    #[arg(long)]
    agent_network: bool,
}

impl IsolationFlags {
    /// Where the agents of a new run, in its directory if it has one, live; nothing where none is a process.
    pub(super) fn quarters<'a>(
        &self,
        global: &Global,
        mut agents: impl Iterator<Item = &'a AgentName>,
        run: Option<&Path>,
    ) -> Result<Option<Arc<Quarters>>, Failure> {
        if !agents.any(|agent| matches!(agent, AgentName::Exec(_))) {
            return Ok(None);
        }
        let dir = self.agent_dir.as_ref().map(|dir| folder(dir)).transpose()?;
        let with = |barrier| {
            let (dir, env) = (dir.clone(), self.agent_env.clone());
            // A run that goes on elsewhere must know what not to show.
            let suite = global.root.canonicalize().ok().filter(|_| barrier != Barrier::None && run.is_some());
            let isolation = Isolation { barrier, dir, suite, env, network: self.agent_network, masked: Vec::new() };
            quarters(isolation, global, run)
        };
        if self.isolate == Isolate::Never {
            return with(Barrier::None).map(Some);
        }
        let isolated = with(Barrier::Bubblewrap)?;
        match isolated.try_out() {
            Ok(()) => Ok(Some(isolated)),
            Err(what) if self.isolate == Isolate::Always => Err(no_barrier(&what)),
            Err(what) => {
                global.note(&format!("note: agents in a process are not isolated: {what}"));
                with(Barrier::None).map(Some)
            }
        }
    }
}

/// Where the agents of a run live that goes on: as its `run.json` says, or not at all.
pub(super) fn recorded_quarters(isolation: &Isolation, global: &Global, run: &Path) -> Result<Arc<Quarters>, Failure> {
    let quarters = quarters(isolation.clone(), global, Some(run))?;
    match isolation.barrier {
        Barrier::None => Ok(quarters),
        Barrier::Bubblewrap => quarters.try_out().map(|()| quarters).map_err(|what| no_barrier(&what)),
    }
}

/// Agents are given some of the caller's surroundings; no result knows them.
#[expect(clippy::disallowed_methods, reason = "what agents get of the machine is not a result's business")]
fn quarters(isolation: Isolation, global: &Global, run: Option<&Path>) -> Result<Arc<Quarters>, Failure> {
    shut_our_memory();
    let lookup = |name: &str| -> Option<OsString> { std::env::var_os(name) };
    let folder = std::env::current_dir().map_err(|error| {
        Failure::new(format!("the current folder cannot be used: {error}"), "call probity from another folder")
    })?;
    let mut hidden = out_of_sight(&folder, &global.root, run);
    let isolation = withhold(isolation, &folder, global, run, &mut hidden)?;
    let help = "set it to such a text, or give its value as `--agent-env NAME=VALUE` (which is written into run.json)";
    let caller = Caller { folder, temp: std::env::temp_dir(), lookup: &lookup };
    Quarters::new(isolation, &hidden, caller).map(Arc::new).map_err(|what| Failure::new(what, help))
}

/// Keeps from agents behind a barrier what they must not see of the folder that they are given, or refuses the folder.
fn withhold(
    isolation: Isolation,
    folder: &Path,
    global: &Global,
    run: Option<&Path>,
    hidden: &mut Vec<PathBuf>,
) -> Result<Isolation, Failure> {
    if isolation.barrier == Barrier::None {
        return Ok(isolation);
    }
    let roots = [Some(&global.root), isolation.suite.as_ref()].into_iter().flatten();
    let roots: Vec<PathBuf> = roots.filter_map(|root| folder.join(root).canonicalize().ok()).collect();
    let run = run.map(|run| folder.join(run));
    let withheld = Withheld::of(&roots, run.as_deref(), isolation.dir.as_deref());
    let masked = match &isolation.dir {
        Some(dir) => withheld.refuse(dir).map(|()| withheld.within(dir))?,
        None => Vec::new(),
    };
    hidden.extend_from_slice(withheld.places());
    // What a run began with stays what it says: `run.json` is not written again.
    let masked = if isolation.masked.is_empty() { masked } else { isolation.masked };
    Ok(Isolation { masked, ..isolation })
}

/// What agents must not see: the suite, the run, and what lies beside it, which are earlier runs.
fn out_of_sight(folder: &Path, root: &Path, run: Option<&Path>) -> Vec<PathBuf> {
    let run = run.map(|run| folder.join(run));
    let beside = run.as_deref().and_then(Path::parent).filter(|beside| beside.parent().is_some());
    [Some(folder.join(root)), beside.map(Path::to_owned), run.clone()].into_iter().flatten().collect()
}

/// Keeps other processes of the same user from our environment, open files and memory; root is not kept from them.
fn shut_our_memory() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

fn no_barrier(what: &str) -> Failure {
    let help =
        "install bubblewrap (`apt-get install bubblewrap`) and allow user namespaces, or choose `--isolate never`";
    Failure::new(format!("agents in a process cannot be isolated: {what}"), help)
}

fn folder(path: &Path) -> Result<PathBuf, Failure> {
    let help = "name a folder with `--agent-dir`";
    let real = path.canonicalize();
    let real = real.map_err(|error| Failure::new(format!("`{}`: {error}", path.display()), help))?;
    match real.is_dir() {
        true => Ok(real),
        false => Err(Failure::new(format!("`{}` is no folder", path.display()), help)),
    }
}

/// `NAME` or `NAME=VALUE`.
fn variable(text: &str) -> Result<String, String> {
    let name = text.split('=').next().unwrap_or_default();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_name && !text.contains('\0') {
        true => Ok(text.to_owned()),
        false => Err("write it as NAME or NAME=VALUE".to_owned()),
    }
}
