//! Recordings of tau2-bench's program, held against our worlds: texts, errors, assertions and final databases.

use serde_json::{Map, Value};

use super::domain::Domain;
use super::line::{Asserted, Line, RecordedCall, leads_to, respelled};
use super::world::{Content, TauSession, TauWorld, TauWorlds};
use probity_engine::State;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    Agrees,
    /// It came out otherwise by a rule that the docs name.
    Diverges(Divergence),
    /// The peer took what its own schema forbids, or kept changes of a call that failed.
    Lax,
    /// Where it came out otherwise first.
    Differs(String),
}

/// A deliberate difference (docs/MM_TAU.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Divergence {
    /// The peer writes a number as it was spelled, `2` or `2.0`; numbers have one form here.
    SpelledNumber,
}

impl Divergence {
    pub fn name(self) -> &'static str {
        match self {
            Divergence::SpelledNumber => "spelled_number",
        }
    }
}

pub struct Recording<'w> {
    world: &'w TauWorld,
    line: Line,
}

impl Recording<'_> {
    pub fn domain(&self) -> Domain {
        self.line.domain
    }

    pub fn calls(&self) -> usize {
        self.line.calls.len()
    }

    pub fn begin(&self) -> State {
        let mut session = self.world.session();
        for call in &self.line.initialization_actions {
            // What is refused changes nothing, as it does when it is held.
            drop(session.own(call));
        }
        session.into_state()
    }

    /// Plays all calls from a state on, each answered with its text: the state afterwards.
    pub fn play(&self, from: State) -> State {
        let mut session = self.world.session_from(from);
        for call in &self.line.calls {
            drop(session.call(call));
        }
        session.into_state()
    }
}

impl TauWorlds {
    /// A line of recordings, in its world.
    /// An error, a line: it is no such recording, or its world cannot be opened.
    pub fn recording(&self, line: &Value) -> Result<Recording<'_>, String> {
        let line: Line = serde_json::from_value(line.clone()).map_err(|error| error.to_string())?;
        Ok(Recording { world: self.get(line.domain)?, line })
    }

    /// Holds a line of recordings, of a task or of a sequence of calls.
    /// An error, a line: it is no such recording, or its world cannot be opened.
    pub fn hold(&self, line: &Value) -> Result<Held, String> {
        let recording = self.recording(line)?;
        if recording.line.lax {
            return Ok(Held::Lax);
        }
        Ok(match recording.held() {
            Ok(()) => Held::Agrees,
            Err(Difference::Spelling) => Held::Diverges(Divergence::SpelledNumber),
            Err(Difference::At(what)) => Held::Differs(what),
        })
    }
}

enum Difference {
    /// Nothing but how a number is spelled.
    Spelling,
    At(String),
}

impl Recording<'_> {
    fn held(&self) -> Result<(), Difference> {
        let (line, at) = (&self.line, Difference::At);
        let mut session = self.begun().map_err(at)?;
        for (side, recorded, ours) in [
            ("agent", &line.initial_agent_db_sha256, Some(session.agent_hash())),
            ("user", &line.initial_user_db_sha256, session.user_hash()),
        ] {
            if recorded.is_some() && *recorded != ours.map(|hash| hash.hex()) {
                return Err(at(format!("the {side}'s database before the first call")));
            }
        }
        let before: Vec<bool> =
            line.assertions.iter().map(|asserted| met(asserted, &mut session)).collect::<Result<_, _>>()?;
        if before != line.assertions_before_fix {
            return Err(at(format!("assertions before the first call: {before:?}")));
        }
        let (mut may_differ, mut is_spelled) = (false, false);
        for (index, call) in line.calls.iter().enumerate() {
            // What was spelled once is echoed by later calls.
            may_differ |= may_be_spelled(&call.arguments);
            let content = session.call(call);
            let spelled = is_spelled_otherwise(call, &content, may_differ);
            is_spelled |= spelled.map_err(|what| at(format!("call {index}, {}: {what}", call.name)))?;
        }
        for asserted in &line.assertions {
            if met(asserted, &mut session)? != asserted.met {
                return Err(at(format!("`{}` after the last call", asserted.call.func_name)));
            }
        }
        if line.final_user_db_sha256 != session.user_hash().map(|hash| hash.hex()) {
            return Err(at("the user's database after the last call".to_owned()));
        }
        let is_same = line.final_agent_db_sha256 == session.agent_hash().hex();
        match (is_same, is_spelled) {
            (true, false) => Ok(()),
            (true, true) => Err(Difference::Spelling),
            (false, true) if self.changes_as_recorded(&session) => Err(Difference::Spelling),
            (false, _) => Err(at("the agent's database after the last call".to_owned())),
        }
    }

    /// A conversation after the task's own calls.
    fn begun(&self) -> Result<TauSession<'_>, String> {
        let mut session = self.world.session();
        for (index, call) in self.line.initialization_actions.iter().enumerate() {
            session.own(call).map_err(|why| format!("initialization {index}: {why}"))?;
        }
        Ok(session)
    }

    /// Whether the agent's database changed as recorded, however numbers are spelled in it.
    fn changes_as_recorded(&self, after: &TauSession<'_>) -> bool {
        let Some(diff) = &self.line.diff else { return false };
        self.begun().is_ok_and(|before| leads_to(&before.agent_database(), diff, &after.agent_database()))
    }
}

fn met(asserted: &Asserted, session: &mut TauSession<'_>) -> Result<bool, Difference> {
    match session.own(&asserted.call).map_err(Difference::At)? {
        Value::Bool(value) => Ok(value == asserted.assert_value),
        other => Err(Difference::At(format!("`{}` answers {other}", asserted.call.func_name))),
    }
}

/// Whether a content differs from the recorded one, and in nothing but how numbers are spelled.
/// An error: where it differs otherwise. Texts of errors count where they are the tool's own, and of calls that fit the
/// schema.
fn is_spelled_otherwise(call: &RecordedCall, content: &Content, may_differ: bool) -> Result<bool, String> {
    if content.is_error != call.error {
        return Err(format!("`{}`, recorded: `{}`", shortened(&content.text), shortened(&call.result)));
    }
    let is_contract = call.error_kind.as_deref() == Some("domain");
    if call.error && !(is_contract && (call.schema_valid || content.is_unknown_tool)) {
        return Ok(false);
    }
    if content.text == call.result {
        return Ok(false);
    }
    match may_differ && respelled(&content.text) == respelled(&call.result) {
        true => Ok(true),
        false => Err(first_difference(&content.text, &call.result)),
    }
}

/// Whether a call brings a whole number that a text may echo; of nothing the sum is a whole number, too.
fn may_be_spelled(arguments: &Map<String, Value>) -> bool {
    arguments.values().any(|value| match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.fract() == 0.0),
        Value::Array(items) => items.is_empty(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_) => false,
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(160).collect()
}

fn first_difference(ours: &str, recorded: &str) -> String {
    let same = ours.chars().zip(recorded.chars()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| text.chars().skip(same.saturating_sub(20)).take(80).collect::<String>();
    format!("from letter {same} on `{}`, recorded: `{}`", rest(ours), rest(recorded))
}
