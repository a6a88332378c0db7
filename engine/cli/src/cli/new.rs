//! `probity new`: files to start from, which pass `check`.

mod calls;
mod lookup;
mod outline;

use std::path::Path;
use std::sync::Arc;

use clap::Subcommand;

use crate::cli::Global;
use crate::cli::exit::Exit;
use probity_behaviour::{benchmark::BehaviourBenchmark, load::lock, model::variant::Variant, suite::Suite};
use probity_bench::{Limits, MAX_MESSAGES};
use probity_engine::Difficulty;
use probity_engine::ids::{split_environment_id, split_task_id};
use probity_engine::write_new;
use probity_local::Failure;
use probity_local::play::draft::draft;
use probity_local::play::save::by_hand;
use probity_local::play::session::{Partner, Session};
use probity_proof::check::update;

/// Start an environment or a task with files that pass `check`.
#[derive(clap::Args)]
pub struct New {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
pub(super) enum What {
    /// An environment with its script and a first task
    Env {
        /// `domain/name`, e.g. shop/counter
        id: String,
        /// Collections to begin with in place of the example, e.g. orders,customers
        #[arg(long, value_delimiter = ',', requires = "tools")]
        collections: Vec<String>,
        /// Tools to begin with, e.g. find_orders,cancel_order; find, get and list begin reads, other words changes
        #[arg(long, value_delimiter = ',', requires = "collections")]
        tools: Vec<String>,
    },
    /// A task of an environment that is there already: a look-up that passes, or the draft of two calls that work
    Task {
        /// `domain/environment/name`, e.g. shop/counter/sell_a_jug
        id: String,
    },
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        let files = match &self.what {
            What::Env { id, collections, tools } => new_environment(global, id, collections, tools),
            What::Task { id } => new_task(global, id),
        }?;
        let wrote = || files.iter().map(|file| format!("wrote {file}\n")).collect();
        global.tell(|| serde_json::json!({"wrote": files}), wrote);
        global.note("now change them step by step, and run `probity check` often (docs/AUTHORING.md)");
        Ok(Exit::Clean)
    }
}

pub(super) fn new_environment(
    global: &Global,
    id: &str,
    collections: &[String],
    tools: &[String],
) -> Result<Vec<String>, Failure> {
    if split_environment_id(id).is_none() {
        return Err(Failure::new(
            format!("`{id}` is not `domain/name`"),
            "lower-case letters, digits and `_`, e.g. shop/counter",
        ));
    }
    if !collections.is_empty() {
        let files = outline::files(id, collections, tools)?;
        // The first task is the author's, but `check` looks for the folder.
        std::fs::create_dir_all(global.root.join("tasks"))
            .map_err(|error| Failure::new(format!("cannot make `tasks`: {error}"), "look at its permissions"))?;
        return write_all(&global.root, files);
    }
    let task = format!("tasks/{id}/sell_two_teapots.json");
    let files = vec![
        (format!("environments/{id}.json"), include_str!("new/environment.json").to_owned()),
        (format!("scripts/{id}.rhai"), include_str!("new/environment.rhai").replace("@ID@", id)),
        (task, include_str!("new/task.json").to_owned()),
    ];
    write_all(&global.root, files)
}

pub(super) fn new_task(global: &Global, id: &str) -> Result<Vec<String>, Failure> {
    let Some((environment, _)) = split_task_id(id) else {
        return Err(Failure::new(
            format!("`{id}` is not `domain/environment/name`"),
            "write three names of lower-case letters, digits and `_`, for example shop/counter/sell_a_jug",
        ));
    };
    let suite = Suite::load(&global.root);
    let Some(environment) = suite.environments.get(environment) else {
        let help = probity_engine::suggest::help(environment, suite.environments.keys().map(String::as_str));
        return Err(Failure::new(format!("there is no environment `{environment}` without errors"), help));
    };
    if let Some(text) = lookup::task(environment) {
        return write_all(&global.root, vec![(format!("tasks/{id}.json"), text)]);
    }
    let file = suite.files.get(environment.id()).map_or("", |file| file.text.as_str());
    let made = by_hand(environment, file, Difficulty::Easy, 0);
    let (of_tools, played) = made.map_err(|what| Failure::new(what, "`probity check` tells more"))?;
    let task = of_tools.tasks.get(&played).map(|loaded| Arc::clone(&loaded.task));
    let (benchmark, limits) = (BehaviourBenchmark::new(of_tools), Limits { max_messages: MAX_MESSAGES });
    let session = task.and_then(|task| Session::new(&benchmark, task, Variant::Ideal, (Partner::Nobody, limits)));
    let mut session = session.ok_or_else(|| Failure::new("it cannot be played", "`probity check` tells why"))?;
    for call in calls::calls(environment, session.task().initial()) {
        session.call(call)?;
    }
    let (text, lock) = lock::split(&draft(&session, id));
    let path = format!("tasks/{id}.json");
    write_all(&global.root, vec![(path.clone(), text), (lock::path_of(&path), lock)])
}

/// Tells git to leave the line ends of authored files, where nothing tells it how to treat files yet. A root in which
/// it cannot be said is none the worse.
fn keep_line_ends(root: &Path) {
    let text = "environments/** text eol=lf\nscripts/** text eol=lf\ntasks/** text eol=lf\n";
    let _ = write_new(root, &[(".gitattributes", text)]);
}

/// Writes files that are not there yet, then pins hashes and deltas.
pub(super) fn write_all(root: &Path, files: Vec<(String, String)>) -> Result<Vec<String>, Failure> {
    let all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    write_new(root, &all).map_err(|unwritten| Failure::unwritten(&unwritten, "choose another name"))?;
    keep_line_ends(root);
    let suite = Suite::load(root);
    update::update(root, &suite).map_err(|diagnostic| Failure::new(diagnostic.to_string(), "mend it and try again"))?;
    // Locks are there already where the same was begun before.
    let locks = files.iter().filter(|(path, _)| path.starts_with("tasks/") && !path.ends_with(lock::ENDING));
    let locks = locks.map(|(path, _)| lock::path_of(path)).filter(|path| root.join(path).is_file());
    let mut wrote: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
    wrote.extend(locks.filter(|path| !wrote.contains(path)).collect::<Vec<_>>());
    Ok(wrote)
}
