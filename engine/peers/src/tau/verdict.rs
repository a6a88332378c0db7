//! Recordings of tau2-bench's program, held against our worlds: texts, errors, assertions and final databases.

use serde_json::Value;

use super::domain::Domain;
use super::line::{Asserted, Line, RecordedCall};
use super::world::{Content, Session, TauWorld, TauWorlds};
use probity_engine::{Hash, State};

/// What a recording turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// All of it came out as recorded.
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
    /// Its name in tables and docs.
    pub fn name(self) -> &'static str {
        match self {
            Divergence::SpelledNumber => "spelled_number",
        }
    }
}

/// A recorded task or sequence in its world.
pub struct Recording<'w> {
    world: &'w TauWorld,
    line: Line,
}

impl Recording<'_> {
    /// The world it was recorded in.
    pub fn domain(&self) -> Domain {
        self.line.domain
    }

    /// How many calls of both sides it has.
    pub fn calls(&self) -> usize {
        self.line.calls.len()
    }

    /// The state in which it begins.
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
    ///
    /// # Errors
    /// A line: it is no such recording, or its world cannot be opened.
    pub fn recording(&self, line: &Value) -> Result<Recording<'_>, String> {
        let line: Line = serde_json::from_value(line.clone()).map_err(|error| error.to_string())?;
        Ok(Recording { world: self.get(line.domain)?, line })
    }

    /// Holds a line of recordings, of a task or of a sequence of calls.
    ///
    /// # Errors
    /// A line: it is no such recording, or its world cannot be opened.
    pub fn hold(&self, line: &Value) -> Result<Held, String> {
        let Recording { world, line } = self.recording(line)?;
        if line.lax {
            return Ok(Held::Lax);
        }
        Ok(match held(&line, &mut world.session()) {
            Ok(()) => Held::Agrees,
            Err(Difference::Spelling) => Held::Diverges(Divergence::SpelledNumber),
            Err(Difference::At(what)) => Held::Differs(what),
        })
    }
}

/// What differs first.
enum Difference {
    /// Nothing but how a number is spelled.
    Spelling,
    At(String),
}

fn held(line: &Line, session: &mut Session<'_>) -> Result<(), Difference> {
    let at = Difference::At;
    for (index, call) in line.initialization_actions.iter().enumerate() {
        session.own(call).map_err(|why| at(format!("initialization {index}: {why}")))?;
    }
    for (side, recorded, ours) in [
        ("agent", &line.initial_agent_db_sha256, Some(session.agent_hash())),
        ("user", &line.initial_user_db_sha256, session.user_hash()),
    ] {
        if recorded.is_some() && *recorded != ours.map(|hash| hash.hex()) {
            return Err(at(format!("the {side}'s database before the first call")));
        }
    }
    let before: Vec<bool> = line.assertions.iter().map(|asserted| met(asserted, session)).collect::<Result<_, _>>()?;
    if before != line.assertions_before_fix {
        return Err(at(format!("assertions before the first call: {before:?}")));
    }
    let mut is_spelled = false;
    for (index, call) in line.calls.iter().enumerate() {
        let content = session.call(call);
        let place = format!("call {index}, {}", call.name);
        is_spelled |= is_spelled_otherwise(call, &content).map_err(|what| at(format!("{place}: {what}")))?;
    }
    for asserted in &line.assertions {
        if met(asserted, session)? != asserted.met {
            return Err(at(format!("`{}` after the last call", asserted.call.func_name)));
        }
    }
    let hashes = [
        ("agent", Some(&line.final_agent_db_sha256), Some(session.agent_hash())),
        ("user", line.final_user_db_sha256.as_ref(), session.user_hash()),
    ];
    let differs = |recorded: Option<&String>, ours: Option<Hash>| recorded.cloned() != ours.map(|hash| hash.hex());
    match hashes.into_iter().find(|(_, recorded, ours)| differs(*recorded, *ours)) {
        Some(_) if is_spelled => Err(Difference::Spelling),
        Some((side, ..)) => Err(at(format!("the {side}'s database after the last call"))),
        None if is_spelled => Err(Difference::Spelling),
        None => Ok(()),
    }
}

fn met(asserted: &Asserted, session: &mut Session<'_>) -> Result<bool, Difference> {
    let value = session.own(&asserted.call).map_err(Difference::At)?;
    Ok(value == Value::Bool(asserted.assert_value))
}

/// Whether a content differs from the recorded one, and in nothing but how numbers are spelled.
///
/// # Errors
/// Where it differs otherwise. Texts of errors count where they are the tool's own, and of calls that fit the schema.
fn is_spelled_otherwise(call: &RecordedCall, content: &Content) -> Result<bool, String> {
    if content.is_error != call.error {
        return Err(format!("`{}`, recorded: `{}`", shortened(&content.text), shortened(&call.result)));
    }
    let is_contract = call.error_kind.as_deref() == Some("domain") && !content.is_malformed;
    if call.error && !(is_contract && (call.schema_valid || content.is_unknown_tool)) {
        return Ok(false);
    }
    if content.text == call.result {
        return Ok(false);
    }
    match respelled(&content.text) == respelled(&call.result) {
        true => Ok(true),
        false => Err(first_difference(&content.text, &call.result)),
    }
}

/// A text with its whole numbers without a point.
fn respelled(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once(".0") {
        out.push_str(before);
        let is_whole =
            before.ends_with(|c: char| c.is_ascii_digit()) && !after.starts_with(|c: char| c.is_ascii_digit());
        if !is_whole {
            out.push_str(".0");
        }
        rest = after;
    }
    out + rest
}

fn shortened(text: &str) -> String {
    text.chars().take(160).collect()
}

fn first_difference(ours: &str, recorded: &str) -> String {
    let same = ours.chars().zip(recorded.chars()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| text.chars().skip(same.saturating_sub(20)).take(80).collect::<String>();
    format!("from letter {same} on `{}`, recorded: `{}`", rest(ours), rest(recorded))
}
