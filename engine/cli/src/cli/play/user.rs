//! `probity play TASK --as user`: you type the turns, an agent answers.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::json;

use super::Play;
use super::lines::{LineInput, Lines};
use super::write_run;
use crate::cli::exit::Exit;
use crate::cli::provider::unrecorded;
use crate::cli::recorded::recorded as recorded_episodes;
use crate::cli::{Global, output};
use probity_behaviour::benchmark::{BehaviourBenchmark, CARD, TYPED, instance, record};
use probity_behaviour::episode::play::{Setting, play as play_episode};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::run::config::DEFAULT_AGENT_TIMEOUT;
use probity_bench::{
    Agent, AgentName, AgentSpec, Benchmark as _, Interrupt, Limits, ModelName, Trace, render::short, run::episodes,
};
use probity_local::Failure;
use probity_local::play::save::{recorded, unit};
use probity_local::play::typed::{Overheard, Told, TypedUser};
use probity_report::transcript::{Beyond, transcript};

/// Stack of the thread that plays: tool scripts may nest 32 calls deep.
const STACK: usize = 16 << 20;
/// Seconds that an agent in a process has for each message.
const AGENT_TIMEOUT: u64 = DEFAULT_AGENT_TIMEOUT;

const HELP: &str = "what you type is said; /save DIR keeps the dialogue as a run once it has ended, /quit ends it\n";

pub(super) fn play(
    flags: &Play,
    global: &Global,
    suite: &Arc<Suite>,
    task: &Arc<Task>,
    (variant, limits): (Variant, Limits),
) -> Result<Exit, Failure> {
    let name = flags.agent.clone().unwrap_or_else(|| "oracle".to_owned());
    let benchmark = BehaviourBenchmark::new(Arc::clone(suite));
    let spec = spec(global, &benchmark, &name, flags)?;
    let cannot = || Failure::new(format!("`{name}` has nothing to play there"), "name another agent or variant");
    let unit = unit(suite, &name, task.id(), variant, limits).ok_or_else(cannot)?;
    let agent = spec.create(&benchmark, &instance(task, variant), unit.episode_seed()).ok_or_else(cannot)?;
    let unit = unit.of_user(TYPED);
    let setting = Setting { task, variant, seed: unit.episode_seed(), limits, user: TYPED };
    let mut lines = Lines::open(None);
    global.note(&format!("{}; your goal: {}\n{HELP}", task.id(), task.goal(variant)));
    let (trace, wish) = talk(global, &mut lines, setting, agent)?;
    let not_scored = || Failure::new("the dialogue cannot be scored", "`probity check` tells why");
    let record = record(&name, 0, task, trace.into()).ok_or_else(not_scored)?;
    match global.json {
        true => output::json_line(&json!({"record": record})),
        false => output::print(&format!("\n{}", transcript(&CARD, &record, &Beyond::default()))),
    }
    let exit = if record.is_unreached() { Exit::Infrastructure } else { Exit::Clean };
    let saved = recorded(suite.files_of(&[task.id().to_owned()]), 0, record).ok_or_else(not_scored)?;
    if let Some(path) = wish.or_else(|| asked_path(&mut lines)) {
        write_run(global, Path::new(&path), &saved)?;
        match global.json {
            true => output::json_line(&json!({"wrote": path})),
            false => output::print(&format!("wrote {path}; `probity show {path}` shows it\n")),
        }
    }
    Ok(exit)
}

fn spec(global: &Global, benchmark: &BehaviourBenchmark, name: &str, flags: &Play) -> Result<AgentSpec, Failure> {
    let interrupt = Arc::new(Interrupt::default());
    let known = || "`probity run --list-agents` shows all".to_owned();
    let agent = name.parse::<AgentName>().map_err(|what| Failure::new(what, known()))?;
    benchmark.knows(&agent).map_err(|what| Failure::new(what, known()))?;
    match agent {
        AgentName::Replay(run) => {
            let episodes = episodes::read(recorded_episodes(&run)?.as_bytes());
            let episodes = episodes.map_err(|error| Failure::new(error.to_string(), known()))?;
            Ok(AgentSpec::Replay(Arc::new(episodes.records.into_iter().map(|record| record.trace).collect())))
        }
        AgentName::Model(ModelName { form, model }) => {
            let client = unrecorded(&flags.provider, form, &interrupt)?;
            Ok(AgentSpec::Chat { name: name.to_owned(), model, client, system: None })
        }
        other => {
            let quarters = flags.isolation.quarters(global, std::iter::once(&other), None)?;
            let time = Duration::from_secs(AGENT_TIMEOUT);
            let spec = AgentSpec::plain(other, time, quarters.as_ref(), &interrupt);
            spec.ok_or_else(|| Failure::new(format!("`{name}` cannot be made"), known()))
        }
    }
}

/// Plays the dialogue on a thread of its own and tells of it here, where lines are read; where to save it, if so.
fn talk(
    global: &Global,
    lines: &mut Lines,
    setting: Setting,
    agent: Box<dyn Agent>,
) -> Result<(Trace, Option<String>), Failure> {
    let (tell, told) = channel();
    let (say, turns) = channel();
    let mut agent = Overheard::new(agent, tell.clone());
    let user = TypedUser::new(tell, turns);
    let failed = || Failure::new("the dialogue cannot be played", "this is a bug; please tell it");
    std::thread::scope(|scope| {
        let played = std::thread::Builder::new().stack_size(STACK);
        // The thread owns both sides, so that the channel closes with the dialogue.
        let played = played.spawn_scoped(scope, move || play_episode(setting, &mut agent, user));
        let played = played.map_err(|error| Failure::new(error.to_string(), "free some memory"))?;
        let wish = hear(global, lines, &told, say);
        played.join().map(|trace| (trace, wish)).map_err(|_| failed())
    })
}

/// Prints what goes on and says what is typed, until either side ends it.
fn hear(global: &Global, lines: &mut Lines, told: &Receiver<Told>, say: Sender<String>) -> Option<String> {
    let mut say = Some(say);
    let mut wish = None;
    while let Ok(told) = told.recv() {
        match &told {
            Told::Turn => match turn(lines) {
                Turn::Said(words) => {
                    let sent = say.as_ref().is_some_and(|say| say.send(words).is_ok());
                    if !sent {
                        break;
                    }
                }
                // Without a sender the user has nothing left to say.
                Turn::Quit => drop(say.take()),
                Turn::Saved(path) => {
                    wish = Some(path);
                    drop(say.take());
                }
            },
            Told::Message(_) | Told::Observations(_) if global.json => output::json_line(&as_json(&told)),
            Told::Message(_) | Told::Observations(_) => output::print(&as_text(&told)),
        }
    }
    wish
}

enum Turn {
    Said(String),
    Saved(String),
    Quit,
}

fn turn(lines: &mut Lines) -> Turn {
    loop {
        let line = match lines.next("you> ") {
            LineInput::Line(line) => line.trim().to_owned(),
            LineInput::Unfit(what) => {
                output::error(&what, "give one turn a line");
                continue;
            }
            LineInput::Dropped => continue,
            LineInput::End => return Turn::Quit,
        };
        match line.strip_prefix('/').map(|command| command.split_once(' ').unwrap_or((command, ""))) {
            None if line.is_empty() => {}
            None => return Turn::Said(line),
            Some(("quit", "")) => return Turn::Quit,
            Some(("save", path)) if !path.trim().is_empty() => return Turn::Saved(path.trim().to_owned()),
            Some(_) => output::note(HELP.trim_end()),
        }
    }
}

/// Where to save a dialogue that has ended: the next line, if it is `/save DIR`.
fn asked_path(lines: &mut Lines) -> Option<String> {
    if lines.is_typed() {
        output::note("the dialogue is over: /save DIR keeps it, /quit leaves");
    }
    match turn(lines) {
        Turn::Saved(path) => Some(path),
        Turn::Said(_) | Turn::Quit => None,
    }
}

fn as_json(told: &Told) -> serde_json::Value {
    match told {
        Told::Message(message) => json!({"message": message}),
        Told::Observations(values) => json!({"observations": values}),
        Told::Turn => json!({"turn": null}),
    }
}

fn as_text(told: &Told) -> String {
    match told {
        Told::Message(message) => {
            let label = if message.calls.is_empty() { "reply" } else { "aside" };
            let words = message.text.iter().map(|text| format!("{label}  {text}\n"));
            let calls = message.calls.iter().map(|call| format!("call   {} {}\n", call.tool, short(&call.arguments)));
            words.chain(calls).collect()
        }
        Told::Observations(values) => values.iter().map(|value| format!("    -> {}\n", short(value))).collect(),
        Told::Turn => String::new(),
    }
}
