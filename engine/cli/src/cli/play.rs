//! `probity play`.

mod hand;
mod lines;
mod user;

use std::path::Path;
use std::slice;
use std::sync::Arc;

use crate::cli::Global;
use crate::cli::exit::Exit;
use crate::cli::isolate::IsolationFlags;
use crate::cli::meant::Meant;
use crate::cli::provider::ProviderFlags;
use hand::Hand;
use probity_behaviour::{model::variant::Variant, suite::Suite, task::Task};
use probity_bench::{Limits, MAX_MESSAGES, MAX_SEED, RunDirectory};
use probity_engine::{Actor, Diagnostic, Difficulty, suggest};
use probity_local::Failure;
use probity_local::play::save::{Saved, by_hand};
use probity_local::play::session::{Partner, Session};
use probity_proof::benchmark::benchmark;

/// Play by hand: an environment's tools, or one side of a task's dialogue.
///
/// On an environment you call tools and see what they return, change and break; `undo` and `fork` cost
/// nothing. On a task you are the agent of a scripted user, or with `--as user` the user of an agent.
/// On a terminal, Tab completes; elsewhere each line of standard input is a command. `help` lists them.
#[derive(clap::Args)]
pub struct Play {
    /// An environment (domain/name), or a task (its id or the last part of it)
    what: String,
    /// Of an environment: how large its state is [default: easy]
    #[arg(long)]
    size: Option<Difficulty>,
    /// Of an environment: the seed of its state [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: Option<u64>,
    /// Of a task: how its user behaves [default: ideal]
    #[arg(long)]
    variant: Option<Variant>,
    /// Of a task: whose side you play, agent or user [default: agent]
    #[arg(long = "as", value_name = "SIDE", value_parser = side)]
    side: Option<Actor>,
    /// With --as user: the agent that answers you [default: oracle]
    #[arg(long, value_name = "AGENT")]
    pub(super) agent: Option<String>,
    /// Of a task: agent messages at most [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MESSAGES)))]
    max_messages: Option<u32>,
    #[command(flatten)]
    pub(super) isolation: IsolationFlags,
    #[command(flatten)]
    pub(super) provider: ProviderFlags,
}

impl Play {
    pub(crate) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        let suite = Meant::suite(slice::from_ref(&self.what), &global.root);
        if suite.environments.contains_key(&self.what) {
            return self.play_environment(global, &suite);
        }
        let wanted = self.what.as_str();
        let named = |task: &&Arc<Task>| task.id() == wanted || task.id().rsplit('/').next() == Some(wanted);
        let Some(task) = suite.tasks.values().map(|loaded| &loaded.task).find(named).cloned() else {
            let known = suite.environments.keys().chain(suite.tasks.keys()).map(String::as_str);
            let near = suggest::nearest(wanted, known).map(|near| format!("did you mean `{near}`?"));
            let help =
                near.unwrap_or_else(|| "`probity show` lists all tasks; `probity check` tells of errors".to_owned());
            return Err(Failure::new(format!("`{wanted}` is neither an environment nor a task without errors"), help));
        };
        self.play_task(global, Arc::new(suite), task)
    }

    fn play_environment(&self, global: &Global, suite: &Suite) -> Result<Exit, Failure> {
        let of_a_task = [
            ("--variant", self.variant.is_some()),
            ("--as", self.side.is_some()),
            ("--agent", self.agent.is_some()),
            ("--max-messages", self.max_messages.is_some()),
        ];
        refuse_given(&of_a_task, "is about a task", "name a task, or leave it out")?;
        let (environment, file) = (suite.environments.get(&self.what), suite.files.get(&self.what));
        let Some((environment, file)) = environment.zip(file) else {
            return Err(Failure::new(format!("`{}` cannot be played", self.what), "`probity check` tells why"));
        };
        let size = self.size.unwrap_or(Difficulty::Easy);
        let made = by_hand(environment, &file.text, size, self.seed.unwrap_or(0));
        let (suite, id) = made.map_err(|what| Failure::new(what, "`probity check` tells more"))?;
        let limits = Limits { max_messages: MAX_MESSAGES };
        let task = suite.tasks.get(&id).map(|loaded| Arc::clone(&loaded.task));
        let benchmark = benchmark(Arc::clone(&suite));
        let session = task.and_then(|task| Session::new(&benchmark, task, Variant::Ideal, (Partner::Nobody, limits)));
        let session =
            session.ok_or_else(|| Failure::new(format!("`{id}` cannot be played"), "`probity check` tells why"))?;
        Ok(Hand::new(global, (suite, &benchmark), session).play())
    }

    fn play_task(&self, global: &Global, suite: Arc<Suite>, task: Arc<Task>) -> Result<Exit, Failure> {
        let of_an_environment = [("--size", self.size.is_some()), ("--seed", self.seed.is_some())];
        refuse_given(&of_an_environment, "is about an environment", "a task has a state of its own; leave it out")?;
        let variant = self.variant.unwrap_or(Variant::Ideal);
        if task.behaviour(variant).is_none() {
            let names: Vec<&str> = task.variants().keys().map(|variant| variant.name()).collect();
            return Err(Failure::new(
                format!("the task has no variant `{variant}`"),
                format!("known: {}", names.join(", ")),
            ));
        }
        let limits = self.max_messages.map_or_else(Limits::default, |max_messages| Limits { max_messages });
        if self.side == Some(Actor::User) {
            return user::play(self, global, &suite, &task, (variant, limits));
        }
        refuse_given(
            &[("--agent", self.agent.is_some())],
            "needs `--as user`",
            "else you are the agent; leave it out",
        )?;
        let benchmark = benchmark(Arc::clone(&suite));
        let session = Session::new(&benchmark, task, variant, (Partner::User, limits));
        let session = session.ok_or_else(|| Failure::new("the task cannot be played", "`probity check` tells why"))?;
        Ok(Hand::new(global, (suite, &benchmark), session).play())
    }
}

pub(super) fn refuse_given(flags: &[(&str, bool)], why: &str, help: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::new(format!("`{flag}` {why}"), help)),
        None => Ok(()),
    }
}

pub(in crate::cli) fn write_run(global: &Global, path: &Path, saved: &Saved) -> Result<(), Failure> {
    // A run whose inputs do not load could never be opened again.
    let opened = global.suite(&saved.config.suite)?.open(saved.files.clone());
    if opened.diagnostics.iter().any(Diagnostic::is_error) {
        let help = "`probity check` tells which; `probity check --update` pins a state that has drifted";
        return Err(Failure::new("the task has errors, so a run of it could not be read", help));
    }
    let made = RunDirectory::create(path, &saved.config, &saved.files, std::slice::from_ref(&saved.line));
    let written = made.and_then(|directory| directory.append_all(std::slice::from_ref(&saved.record)));
    written.map_err(|error| Failure::new(error.to_string(), "choose another directory, below one you may write to"))
}

/// The side that is played.
fn side(text: &str) -> Result<Actor, String> {
    match text {
        "agent" => Ok(Actor::Agent),
        "user" => Ok(Actor::User),
        other => Err(format!("`{other}` is no side; one of agent, user")),
    }
}
