//! A world of tau2-bench: its tools, the state in which its tasks begin, and its policy.

use serde_json::{Map, Value};

use super::protocol::Mode;
use crate::model::{OwnCall, WorldFile};
use probity_bench::Brief;
use probity_engine::{Actor, Environment, Hash, Problem, Session, State};

/// The record of a world's switches between what is right and what tau2-bench does.
const SWITCHES: &str = "compat";

/// Whether a world has tau2-bench's defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fidelity {
    /// It does what tau2-bench does.
    AsThere,
    Corrected,
}

pub struct Tau2World {
    pub environment: Environment,
    as_there: State,
    corrected: State,
    /// Of the state's file.
    pub hash: Hash,
    rules: String,
    solo_rules: Option<String>,
}

impl Tau2World {
    /// A world with its state, the hash of the file that has it, and its policies, the second for an agent alone.
    /// An error, a line: the state is none of this environment's.
    pub fn new(
        environment: Environment,
        file: &WorldFile,
        hash: Hash,
        rules: String,
        solo_rules: Option<String>,
    ) -> Result<Tau2World, String> {
        let state = environment.state_of(&file.state, file.clock)?;
        let switched = |is_on: bool| {
            let known = file.state.get(SWITCHES).and_then(Value::as_object).into_iter().flatten();
            let switches: Map<String, Value> = known.map(|(name, _)| (name.clone(), Value::Bool(is_on))).collect();
            let patch = Map::from_iter([(SWITCHES.to_owned(), Value::Object(switches))]);
            environment.patch(&state, &patch).map_err(|found| Problem::lines(&found))
        };
        let (as_there, corrected) = (switched(true)?, switched(false)?);
        Ok(Tau2World { environment, as_there, corrected, hash, rules, solo_rules })
    }

    /// Whether an agent can do everything alone: the user has tools, and there is a policy for that.
    pub(crate) fn has_solo(&self) -> bool {
        self.solo_rules.is_some() && self.environment.tools().iter().any(|tool| tool.actor == Actor::User)
    }

    /// The policy; nothing where an agent cannot be alone.
    pub fn policy(&self, is_solo: bool) -> Option<&str> {
        if is_solo { self.solo_rules.as_deref() } else { Some(&self.rules) }
    }

    /// The state in which a task begins.
    /// An error, a line: a call that makes the start is refused.
    pub fn beginning(&self, start: &[OwnCall], fidelity: Fidelity) -> Result<State, String> {
        let made = match fidelity {
            Fidelity::AsThere => self.as_there.clone(),
            Fidelity::Corrected => self.corrected.clone(),
        };
        let mut session = Session::new(&self.environment, made);
        for (index, own) in start.iter().enumerate() {
            session.call_as_owner(&own.call()).map_err(|refused| {
                format!("call {} of the start, `{}`, is refused: {}", index + 1, own.tool, refused.message)
            })?;
        }
        Ok(session.into_state())
    }
}

const WITH_A_USER: &str = include_str!("with_a_user.txt").trim_ascii_end();

const ALONE: &str = include_str!("alone.txt").trim_ascii_end();

/// What an agent is told; nothing where it cannot be played so.
pub fn brief(world: &Tau2World, mode: Mode) -> Option<Brief> {
    let policy = world.policy(mode == Mode::Solo)?;
    let rules = if mode == Mode::Solo { ALONE } else { WITH_A_USER };
    let mut tools = world.environment.functions(Actor::Agent);
    if mode == Mode::Solo
        && let (Value::Array(own), Value::Array(users)) = (&mut tools, world.environment.functions(Actor::User))
    {
        own.extend(users);
    }
    Some(Brief {
        system: format!("{rules}\n\n<policy>\n{}\n</policy>\n", policy.trim_end()),
        tools,
        history: Vec::new(),
    })
}
