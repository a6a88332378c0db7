//! A benchmark of another shape than ours: a dial that is to be turned to a number, fast or slowly.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use probity::cli::exit::Exit;
use probity_bench::{
    Agent, AgentEntry, AgentFault, AgentMessage, AgentName, Benchmark, Brief, Card, Dialogue, EndReason, Extent, Files,
    Header, Heard, Instance, Limits, Loaded, Measure, Move, Options, Reading, Registered, Rollout, Scores,
    ScriptedUser, Setting, Step, StepOutcome, Trace, Wanted, Words, World, dialogue, trace::FORMAT,
};
use probity_engine::{Actor, Delta, Diagnostic, Hash, ToolCall};

pub const REGISTERED: Registered = Registered::new("dial", nothing, |_, _| loaded(Ok));
/// The same with a scorer that gives up on one number, and one that says what is no number of the card for another.
pub const CROOKED: Registered = Registered::new("dial", nothing, |_, _| loaded(crooked));
/// The same with a card that cannot be drawn.
pub const MISNAMED: Registered = Registered::new("dial", nothing, |_, _| misnamed());

/// The program with this benchmark alone.
pub fn probity(arguments: &[&str]) -> Exit {
    probity_of(&[REGISTERED], arguments)
}

/// The same with such ones.
pub fn probity_of(suites: &'static [Registered], arguments: &[&str]) -> Exit {
    probity::cli::run(["probity", "--quiet"].iter().chain(arguments).map(OsString::from), suites)
}

fn nothing(_: &Path) -> (Files, Vec<Diagnostic>) {
    Default::default()
}

type Bend = fn(Scores) -> Result<Scores, ()>;

fn loaded(bend: Bend) -> Loaded {
    Loaded { benchmark: Arc::new(Dials { bend, card: &CARD }), diagnostics: Vec::new() }
}

fn crooked(mut scores: Scores) -> Result<Scores, ()> {
    match scores.metrics["turns"].value() {
        Some(0.0..0.51) => scores.metrics.insert("hit".to_owned(), Reading::new(Some(f64::NAN), "")),
        _ => return Err(()),
    };
    Ok(scores)
}

fn misnamed() -> Loaded {
    static EMPTY: LazyLock<Card> = LazyLock::new(|| Card { metrics: &[], ..CARD.clone() });
    Loaded { benchmark: Arc::new(Dials { bend: Ok, card: &EMPTY }), diagnostics: Vec::new() }
}

static CARD: LazyLock<Card> = LazyLock::new(|| Card::read("dial", include_str!("card.toml"), &[]));

#[derive(Clone)]
struct Dial {
    shown: i64,
    steps: u32,
}

impl World for Dial {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Option<Move>) {
        self.steps += 1;
        self.shown += call.arguments["by"].as_i64().unwrap_or_default();
        let outcome = StepOutcome::Ok { observation: json!(self.shown), delta: Delta::default() };
        let state_hash = self.fingerprint().hex();
        let (fired, prints) = (Vec::new(), Vec::new());
        let ToolCall { tool, arguments, .. } = call;
        (Step { step: self.steps, message, actor: by, tool, arguments, outcome, state_hash, fired, prints }, None)
    }

    fn fingerprint(&self) -> Hash {
        Hash::of(&json!(self.shown))
    }
}

/// Turns the dial by so much at once, until it has gone the way.
struct Turner {
    left: i64,
    most: i64,
}

impl Agent for Turner {
    fn respond(&mut self, _: &Heard) -> Result<AgentMessage, AgentFault> {
        let by = self.left.min(self.most);
        self.left -= by;
        Ok(match by {
            0 => AgentMessage::reply("It is set."),
            by => AgentMessage::call(ToolCall::new("turn".to_owned(), json!({"by": by}))),
        })
    }
}

fn told() -> Brief {
    Brief { system: "Set the dial.".to_owned(), tools: json!([]), history: Vec::new() }
}

pub struct Dials {
    bend: Bend,
    card: &'static Card,
}

impl Dials {
    fn number(at: &Instance) -> i64 {
        at.task.trim_start_matches("dial/to_").parse().unwrap()
    }
}

impl Benchmark for Dials {
    fn card(&self) -> &'static Card {
        self.card
    }

    fn instances(&self) -> Vec<Instance> {
        let at = |(number, pace): (i64, &'static str)| Instance {
            task: format!("dial/to_{number}"),
            setting: [("pace", pace)].into_iter().collect(),
            properties: [("make", if number < 5 { "brass" } else { "steel" })].into_iter().collect(),
        };
        [2, 4, 6, 8].into_iter().flat_map(|number| ["slow", "fast"].map(|pace| (number, pace))).map(at).collect()
    }

    fn users(&self) -> &'static [&'static str] {
        &["scripted"]
    }

    fn agents(&self) -> Vec<AgentEntry> {
        vec![AgentEntry::plain("hasty", "turns one number too far, unless it is slow")]
    }

    fn agent(&self, name: &AgentName, at: &Instance, _seed: u64) -> Option<Box<dyn Agent>> {
        let is_hasty = *name != AgentName::Oracle && at.setting.get("pace") == Some("fast");
        let most = if is_hasty { 1 } else { 2 };
        Some(Box::new(Turner { left: Self::number(at) + i64::from(is_hasty), most }))
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        let hash = Hash::of(&json!(at.task));
        Some(Header {
            format: FORMAT,
            engine: "0.1.0".to_owned(),
            benchmark: CARD.name.to_owned(),
            environment: "dial".to_owned(),
            environment_hash: hash,
            scripts: BTreeMap::new(),
            task: at.task.clone(),
            task_hash: hash,
            levels: at.setting.clone(),
            seed: setting.seed,
            limits: setting.limits,
            options: setting.options.clone(),
            user: setting.user.to_owned(),
            prompt: Hash::of_serialized(&told()),
        })
    }

    fn open<'a>(&'a self, at: &Instance, setting: &Setting, _: Words<'a>) -> Option<Dialogue<'a>> {
        let user = ScriptedUser::new(vec![format!("Set it to {}, {}.", Self::number(at), at.setting)]);
        let dial = Dial { shown: 0, steps: 0 };
        Some(Dialogue::new(self.header(at, setting)?, (told(), Extent::Episode), dial, Box::new(user)))
    }

    fn score(&self, at: &Instance, Rollout { trace, .. }: &Rollout) -> Option<Scores> {
        let (asked, turns) = (Self::number(at), trace.steps().count());
        let shown = trace.steps().last().and_then(|step| step.observation()?.as_i64()).unwrap_or_default();
        let hit = Reading::new(Some(if shown == asked { 1.0 } else { 0.0 }), "");
        let parts = Measure::new(turns as f64, asked as f64);
        let metrics = [("hit", hit), ("turns", Reading::new(parts.value(), "nothing to turn").made_of(&parts))];
        let metrics = metrics.map(|(name, reading)| (name.to_owned(), reading)).into();
        (self.bend)(Scores { metrics, details: Value::Null, ..Scores::default() }).ok()
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        Some(Wanted { goal: format!("The dial shows {}.", Self::number(at)), ..Wanted::default() })
    }

    fn remarks(&self, at: &Instance, _: &Trace) -> Vec<String> {
        vec![format!("it was to show {}", Self::number(at))]
    }

    fn files(&self, _: &[String]) -> Files {
        Files::new()
    }
}

/// How an episode ends in which the user says these things, and each turn of the dial shows so much.
fn ended(said: Vec<String>, agent: &mut Turner, shown: usize) -> (EndReason, String) {
    let dials = Dials { bend: Ok, card: &CARD };
    let at = dials.instances().remove(0);
    let setting =
        Setting { seed: 0, limits: Limits::default(), options: &Options::new(), user: "scripted", next: None };
    let brief = Brief { system: String::new(), tools: json!([]), history: Vec::new() };
    let (user, dial) = (Box::new(ScriptedUser::new(said)), Chatty { dial: Dial { shown: 0, steps: 0 }, shown });
    let header = dials.header(&at, &setting).unwrap();
    let trace = Dialogue::new(header, (brief, Extent::Episode), dial, user).play(agent).trace;
    let (reason, detail) = trace.end().unwrap();
    (reason, detail.unwrap_or_default().to_owned())
}

/// A dial that says a lot.
#[derive(Clone)]
struct Chatty {
    dial: Dial,
    shown: usize,
}

impl World for Chatty {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Option<Move>) {
        let (step, made) = self.dial.call(call, by, message);
        let outcome = StepOutcome::Ok { observation: json!("x".repeat(self.shown)), delta: Delta::default() };
        (Step { outcome, ..step }, made)
    }

    fn fingerprint(&self) -> Hash {
        self.dial.fingerprint()
    }
}

#[test]
fn a_user_who_says_too_much_is_no_fault_of_the_agent() {
    let mut silent = Turner { left: 0, most: 1 };
    for said in [vec!["x".repeat(dialogue::MAX_EVENTS)], vec!["x".repeat(dialogue::MAX_EVENTS / 2); 2]] {
        let (reason, detail) = ended(said, &mut silent, 0);
        assert_eq!(reason, EndReason::UserUnreachable);
        assert!(detail.starts_with("the episode is longer than"), "{detail:?}");
    }
}

#[test]
fn an_agent_that_fills_an_episode_is_not_excused_by_what_the_user_says_next() {
    let said = vec!["Turn it.".to_owned(), "x".repeat(2048)];
    let mut full = Turner { left: 1, most: 1 };
    let (reason, detail) = ended(said, &mut full, dialogue::MAX_EVENTS - 1024);
    assert_eq!(
        (reason, detail.starts_with("the episode is longer than")),
        (EndReason::AgentFailed, true),
        "{detail:?}"
    );
}
