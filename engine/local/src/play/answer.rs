//! Commands carried out: what a player is shown, as text and as JSON.

use serde_json::{Value, json};

use super::command::{Command, agent_tools};
use super::session::Session;
use super::view;
use crate::failure::Failure;
use probity_behaviour::task::text;
use probity_engine::suggest;

#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    pub json: Value,
}

impl Answer {
    pub fn new(text: impl Into<String>, json: Value) -> Self {
        Answer { text: text.into(), json }
    }
}

/// A command that needs more than the session: files, or the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    SaveTrace(String),
    SaveTask(String),
    Quit,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    Answered(Answer),
    /// The caller has to do it.
    Wished(Wish),
}

/// Carries a command out.
/// An error: it cannot be done; the session is as it was.
pub fn answer(session: &mut Session, command: Command) -> Result<Done, Failure> {
    let wish = match command {
        Command::SaveTrace(path) => Wish::SaveTrace(path),
        Command::SaveTask(id) => Wish::SaveTask(id),
        Command::Quit => Wish::Quit,
        other => return answered(session, other).map(Done::Answered),
    };
    Ok(Done::Wished(wish))
}

fn answered(session: &mut Session, command: Command) -> Result<Answer, Failure> {
    Ok(match command {
        Command::Call(call) => {
            session.call(call)?;
            moment(session)
        }
        Command::Say(text) => {
            session.say(&text)?;
            moment(session)
        }
        Command::Undo(count) => {
            let undone = session.undo(count)?;
            let Answer { text, json } = standing(session);
            let lines: String = undone.iter().map(|events| view::undone(events)).collect();
            Answer::new(format!("{lines}{text}"), json)
        }
        Command::Redo(count) => {
            session.redo(count)?;
            moment(session)
        }
        Command::Fork(name) => {
            session.fork(&name)?;
            standing(session)
        }
        Command::Switch(name) => {
            session.switch(&name)?;
            standing(session)
        }
        Command::Forks => forks(session),
        Command::Diff(from, to) => {
            let delta = session.diff(&from, &to)?;
            let text = if delta.is_empty() { "nothing differs\n".to_owned() } else { view::delta(&delta) };
            Answer::new(text, json!({"delta": delta}))
        }
        Command::State(path) => state(session, &path)?,
        Command::Log => log(session),
        Command::Brief => brief(session),
        Command::Tools => {
            let environment = session.task().environment();
            Answer::new(view::tools(environment), json!({"tools": environment.functions(probity_engine::Actor::Agent)}))
        }
        Command::Tool(name) => tool(session, &name)?,
        Command::Help | Command::SaveTrace(_) | Command::SaveTask(_) | Command::Quit => {
            Answer::new(view::help(), json!({"help": super::command::USAGE}))
        }
    })
}

/// Where a play stands, by what its last message brought.
pub fn moment(session: &Session) -> Answer {
    let events: Vec<_> = session.latest().cloned().collect();
    let json = json!({"events": events, "state_hash": session.state().sum().to_string()});
    Answer::new(view::events(&events), json)
}

fn standing(session: &Session) -> Answer {
    let messages = session.messages();
    let noun = if messages == 1 { "message" } else { "messages" };
    let hash = session.state().sum().to_string();
    let json = json!({"line": session.name(), "messages": messages, "state_hash": hash});
    Answer::new(format!("{} after {messages} {noun}\n", session.name()), json)
}

fn forks(session: &Session) -> Answer {
    let mark = |name: &str| if name == session.name() { '*' } else { ' ' };
    let lines = session.lines();
    let text =
        lines.iter().map(|(name, messages)| format!("{} {name:<20} {messages}\n", mark(name))).collect::<String>();
    Answer::new(text, json!({"line": session.name(), "lines": lines}))
}

fn state(session: &Session, path: &[String]) -> Result<Answer, Failure> {
    let state = session.state();
    let nothing = || {
        let parts = state.shape().slots.iter().map(|slot| slot.name.as_str());
        let help = match path.first().filter(|part| state.shape().index(part).is_none()) {
            Some(part) => suggest::help(part, parts),
            None => "`state /PART` lists what is there".to_owned(),
        };
        Failure::new(format!("there is nothing at /{}", path.join("/")), help)
    };
    let text = view::state(state, path).ok_or_else(nothing)?;
    let is_cut = path.len() == 1 && text.contains('…');
    let hint = if is_cut { format!("`state /{}/KEY` shows one whole\n", path.concat()) } else { String::new() };
    let text = format!("{text}{hint}");
    let whole = state.to_json();
    let pointer = probity_engine::pointer::join(path.iter().map(String::as_str));
    Ok(Answer::new(text, json!({"state": whole.pointer(&pointer), "hash": state.hash().to_string()})))
}

fn log(session: &Session) -> Answer {
    let events: Vec<_> = session.events().cloned().collect();
    let mut text = String::new();
    events.iter().for_each(|event| probity_bench::render::render_event(event, &[], &mut text));
    Answer::new(text, json!({"events": events}))
}

fn brief(session: &Session) -> Answer {
    let brief = text::brief(session.task().environment(), session.state());
    Answer::new(brief.system.clone(), json!({"brief": brief.system}))
}

fn tool(session: &Session, name: &str) -> Result<Answer, Failure> {
    let environment = session.task().environment();
    let found = agent_tools(environment).find(|tool| tool.name == name);
    let tool = found.ok_or_else(|| {
        let help = suggest::help(name, agent_tools(environment).map(|tool| tool.name.as_str()));
        Failure::new(format!("there is no tool `{name}`"), help)
    })?;
    Ok(Answer::new(view::tool(tool), tool.to_function()))
}
