//! A world of tau2-bench on our engine: calls of both sides, their texts, and the hashes of both databases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::domain::Domain;
use super::layout::Layouts;
use super::line::{OwnCall, RecordedCall};
use super::start::Start;
use super::text::{KeyOrders, Writer, object};
use probity_engine::{
    Actor, Environment, Hash, RECORD_KEY, Rejection, RejectionKind, Session, SlotKind, State, ToolCall, foreign,
    pointer, read,
};

/// The three worlds, each opened when it is first asked for.
pub struct TauWorlds {
    root: PathBuf,
    data: PathBuf,
    opened: [OnceLock<Result<TauWorld, String>>; 3],
}

impl TauWorlds {
    /// The tools of `mm-tau` below `root`, with all switches on, and the peer's databases below `data`.
    pub fn new(root: &Path, data: &Path) -> TauWorlds {
        TauWorlds { root: root.join("mm-tau"), data: data.to_owned(), opened: Default::default() }
    }

    /// A world.
    /// An error, a line: what cannot be read.
    pub fn get(&self, domain: Domain) -> Result<&TauWorld, String> {
        let place = self.opened.get(domain as usize).ok_or("there is no such world")?;
        let opened = place.get_or_init(|| TauWorld::open(domain, &self.root, &self.data));
        opened.as_ref().map_err(Clone::clone)
    }
}

/// A world of tau2-bench with the peer's databases.
pub struct TauWorld {
    domain: Domain,
    environment: Environment,
    start: Start,
    layouts: Layouts,
    orders: KeyOrders,
}

impl TauWorld {
    fn open(domain: Domain, root: &Path, data: &Path) -> Result<TauWorld, String> {
        let id = domain.environment();
        let path = format!("environments/{id}.json");
        let text = read::read(root, &path).map_err(|problem| problem.to_string())?;
        let environment =
            Environment::load(root, &id).map_err(|found| found.first().map(ToString::to_string).unwrap_or_default())?;
        let layouts = Layouts::of(&path, &text)?;
        let start = Start::read(domain, &environment, data)?;
        let orders = if domain.has_lists() { KeyOrders::default() } else { orders(domain, data)? };
        Ok(TauWorld { domain, environment, start, layouts, orders })
    }

    pub fn start(&self) -> &State {
        &self.start.state
    }

    pub(super) fn session(&self) -> TauSession<'_> {
        self.session_from(self.start.state.clone())
    }

    pub(super) fn session_from(&self, state: State) -> TauSession<'_> {
        TauSession { world: self, played: Session::new(&self.environment, state), created: BTreeMap::new() }
    }

    fn writer(&self) -> Writer<'_> {
        Writer { domain: self.domain, layouts: &self.layouts, orders: &self.orders }
    }
}

fn orders(domain: Domain, data: &Path) -> Result<KeyOrders, String> {
    let path = data.join(domain.name()).join("db.json");
    let text = foreign::read(&path).map_err(|problem| problem.to_string())?;
    KeyOrders::of(&text).map_err(|error| format!("{}: {error}", path.display()))
}

pub(super) struct TauSession<'w> {
    world: &'w TauWorld,
    played: Session<&'w Environment>,
    /// The entities of each part that came to be, in order.
    created: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) text: String,
    pub(super) is_error: bool,
    /// Whether that side has no such tool.
    pub(super) is_unknown_tool: bool,
}

impl TauSession<'_> {
    /// A call of the task itself: of a tool of any side.
    /// An error, a line: there is no such tool, or it refuses.
    pub(super) fn own(&mut self, call: &OwnCall) -> Result<Value, String> {
        let tool = self.world.environment.tool(&call.func_name);
        let tool = tool.ok_or_else(|| format!("there is no `{}`", call.func_name))?;
        let of_side = tool.actor == Actor::Task || tool.actor == call.env_type;
        if !of_side {
            return Err(format!("`{}` is the other side's", call.func_name));
        }
        let made = self.step(&call.func_name, &call.arguments, tool.actor);
        made.map_err(|refused| format!("`{}`: {}", call.func_name, refused.message))
    }

    pub(super) fn call(&mut self, call: &RecordedCall) -> Content {
        let made = self.step(&call.name, &call.arguments, call.requestor);
        match made {
            Ok(observation) => {
                let text = self.world.writer().message(&call.name, &observation);
                Content { text, is_error: false, is_unknown_tool: false }
            }
            Err(refused) => Content {
                text: format!("Error: {}", self.refusal(call, &refused)),
                is_error: true,
                is_unknown_tool: refused.kind == RejectionKind::UnknownTool,
            },
        }
    }

    pub(super) fn into_state(self) -> State {
        self.played.into_state()
    }

    fn step(&mut self, tool: &str, arguments: &Map<String, Value>, actor: Actor) -> Result<Value, Rejection> {
        let applied = self.played.call(&ToolCall::new(tool, Value::Object(arguments.clone())), actor).result?;
        for path in applied.delta.created.keys() {
            if let Some([part, key]) = pointer::split(path).as_deref() {
                self.created.entry(part.clone()).or_default().push(key.clone());
            }
        }
        Ok(applied.observation)
    }

    fn refusal(&self, call: &RecordedCall, refused: &Rejection) -> String {
        match refused.kind {
            RejectionKind::UnknownTool
                if call.requestor == Actor::User && self.world.domain.user_parts().is_empty() =>
            {
                "User tools not available".to_owned()
            }
            RejectionKind::UnknownTool => format!("Tool '{}' not found.", call.name),
            _ => refused.message.clone(),
        }
    }

    /// SHA-256 over the canonical text of the agent's database.
    pub(super) fn agent_hash(&self) -> Hash {
        self.hash(self.world.domain.agent_parts())
    }

    /// The same of the user's, if there is one.
    pub(super) fn user_hash(&self) -> Option<Hash> {
        let parts = self.world.domain.user_parts();
        (!parts.is_empty()).then(|| self.hash(parts))
    }

    pub(super) fn agent_database(&self) -> Value {
        serde_json::from_str(&self.text(self.world.domain.agent_parts())).unwrap_or_default()
    }

    fn hash(&self, parts: &[&'static str]) -> Hash {
        Hash::of_bytes(self.text(parts).as_bytes())
    }

    fn text(&self, parts: &[&'static str]) -> String {
        object(parts.iter().map(|part| (*part, self.part(part))).collect())
    }

    fn part(&self, part: &str) -> String {
        let (writer, state) = (self.world.writer(), self.played.state());
        let shape = state.shape();
        let Some(slot) = shape.index(part) else { return "null".to_owned() };
        let mut out = String::new();
        if shape.slots.get(slot).is_some_and(|shape| shape.kind == SlotKind::Record) {
            state.get(slot, RECORD_KEY).into_iter().for_each(|fields| writer.entity(part, fields, &mut out));
            return out;
        }
        let is_list = self.world.domain.has_lists();
        let keys: Vec<String> = match is_list {
            true => {
                let lists = [&self.world.start.listed, &self.created];
                lists.into_iter().filter_map(|list| list.get(part)).flatten().cloned().collect()
            }
            false => state.entities(slot).map(|(key, _)| key.to_string()).collect(),
        };
        let (open, close) = if is_list { ('[', ']') } else { ('{', '}') };
        out.push(open);
        for (index, key) in keys.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            if !is_list {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
            }
            state.get(slot, key).into_iter().for_each(|fields| writer.entity(part, fields, &mut out));
        }
        out.push(close);
        out
    }
}
