//! An episode that a client plays: where it stands, and what led there.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use imbl::Vector;
use probity_bench::{
    Agent, AgentFault, AgentMessage, Benchmark, Brief, Dialogue, EndReason, EpisodeRecord, Event, Heard, Instance,
    Past, Step,
};
use probity_engine::{Actor, Environment, State};
use serde_json::{Value, json};

use super::Refusal;

/// An episode. A clone is a fork: both go on from here, each for itself.
#[derive(Clone)]
pub struct Episode<'a> {
    benchmark: &'a dyn Benchmark,
    agent: Arc<str>,
    at: Arc<Instance>,
    trial: u32,
    now: Arc<Moment<'a>>,
    /// Whether moments are kept to go back to.
    is_undone: bool,
    ways: Ways,
    /// The moments before it, for those who go back.
    past: Vector<Arc<Moment<'a>>>,
}

/// What a client is told beside what its agent hears.
#[derive(Clone, Copy)]
pub(crate) struct Ways {
    /// How far it has come, with each answer.
    pub is_shaped: bool,
    /// What an episode is worth: nothing where tools alone are tried.
    pub is_rewarded: bool,
}

/// Where it stands, and what the agent hears there.
struct Moment<'a> {
    dialogue: Dialogue<'a>,
    heard: Option<Heard>,
    told: Told,
    /// How many events there were before what led here.
    before: usize,
    held: Held,
}

/// Bytes that a moment holds, which its client's count knows until it is forgotten.
struct Held {
    bytes: usize,
    all: Arc<AtomicUsize>,
}

impl Held {
    fn new(bytes: usize, all: &Arc<AtomicUsize>) -> Held {
        all.fetch_add(bytes, Ordering::Relaxed);
        Held { bytes, all: Arc::clone(all) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// What a moment holds beside its events, and an episode beside its brief, in bytes, roughly.
const MOMENT: usize = 4 << 10;
/// How many bytes of memory a byte of events takes, as JSON.
const PER_BYTE: usize = 2;

/// What an agent at the other end is told beside what it hears. It is asked nothing: it says its messages itself.
#[derive(Default)]
struct Told {
    context: Option<String>,
    history: Option<Vec<Past>>,
}

impl Agent for Told {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        self.history = Some(brief.history.clone()).filter(|history| !history.is_empty());
        Ok(())
    }

    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Err(AgentFault::Failed("it is not asked".to_owned()))
    }

    fn learn(&mut self, context: &str) {
        self.context = Some(context.to_owned());
    }
}

impl<'a> Episode<'a> {
    pub(crate) fn begin(
        benchmark: &'a dyn Benchmark,
        (agent, ways): (&str, Ways),
        (at, trial): (Arc<Instance>, u32),
        mut dialogue: Dialogue<'a>,
        all: &Arc<AtomicUsize>,
    ) -> Episode<'a> {
        let mut told = Told::default();
        let heard = dialogue.begin(&mut told);
        let brief = dialogue.brief();
        let bytes = MOMENT + PER_BYTE * (dialogue.bytes() + brief.system.len() * 2);
        let now = Arc::new(Moment { dialogue, heard, told, before: 0, held: Held::new(bytes, all) });
        Episode { benchmark, agent: agent.into(), at, trial, now, is_undone: true, ways, past: Vector::new() }
    }

    /// Takes a message of the agent.
    ///
    /// # Errors
    /// The episode is over.
    pub fn step(&mut self, message: AgentMessage) -> Result<(), Refusal> {
        self.take(Ok(message))
    }

    /// The agent gives up, or is gone.
    ///
    /// # Errors
    /// The episode is over.
    pub fn end(&mut self, why: &str) -> Result<(), Refusal> {
        self.take(Err(AgentFault::Failed(why.to_owned())))
    }

    fn take(&mut self, message: Result<AgentMessage, AgentFault>) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::new("over", "the episode is over", "`undo`, `score` or `close` it"));
        }
        let (mut dialogue, mut told) = (self.now.dialogue.clone(), Told::default());
        let heard = dialogue.say(message, &mut told);
        let bytes = MOMENT + PER_BYTE * dialogue.bytes().saturating_sub(self.now.dialogue.bytes());
        let (before, held) = (self.now.dialogue.count(), Held::new(bytes, &self.now.held.all));
        let before = std::mem::replace(&mut self.now, Arc::new(Moment { dialogue, heard, told, before, held }));
        if self.is_undone {
            self.past.push_back(before);
        }
        Ok(())
    }

    /// The same for a client that never goes back: what came before is not kept.
    #[must_use]
    pub fn onward(self) -> Episode<'a> {
        Episode { is_undone: false, ..self }
    }

    /// Takes the last messages back.
    ///
    /// # Errors
    /// There are not so many.
    pub fn undo(&mut self, count: usize) -> Result<(), Refusal> {
        let there = self.past.len();
        let left = there.checked_sub(count).ok_or_else(|| {
            let message = format!("{count} messages cannot be taken back");
            Refusal::new("nothing_to_undo", message, format!("there are {there}"))
        })?;
        if let Some(moment) = self.past.get(left).cloned() {
            self.now = moment;
            self.past.truncate(left);
        }
        Ok(())
    }

    /// Whether nobody speaks any more.
    pub fn is_over(&self) -> bool {
        self.now.dialogue.is_over()
    }

    /// What the agent is told before the dialogue starts.
    pub fn brief(&self) -> &Brief {
        self.now.dialogue.brief()
    }

    /// What the agent hears; nothing once it is over.
    pub fn heard(&self) -> Option<&Heard> {
        self.now.heard.as_ref()
    }

    /// What it is told beside that from here on.
    pub fn context(&self) -> Option<&str> {
        self.now.told.context.as_deref()
    }

    /// What counts as said so far, where the agent begins anew.
    pub fn history(&self) -> Option<&[Past]> {
        self.now.told.history.as_deref()
    }

    /// How many messages the agent has said.
    pub fn messages(&self) -> u32 {
        self.now.dialogue.messages()
    }

    /// What is played.
    pub fn instance(&self) -> &Instance {
        &self.at
    }

    /// What it is played in.
    pub fn benchmark(&self) -> &'a dyn Benchmark {
        self.benchmark
    }

    /// The state machine that it is played in, where there is one.
    pub fn environment(&self) -> Option<&'a Environment> {
        self.benchmark.environment(&self.at)
    }

    /// The last thing that happened, its end aside.
    pub fn last_event(&self) -> Option<&Event> {
        self.events().rev().find(|event| !matches!(event, Event::End { .. }))
    }

    /// What happened, in order.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.now.dialogue.events()
    }

    /// What came of the last message; before one, what it begins with.
    pub fn latest(&self) -> impl Iterator<Item = &Event> {
        self.events().skip(self.now.before)
    }

    /// The agent's first call of its last message.
    pub fn latest_step(&self) -> Option<&Step> {
        self.latest().filter_map(Event::step).find(|step| step.actor == Actor::Agent)
    }

    /// Where the state machine stands that it is played in, where there is one.
    pub fn state(&self) -> Option<&State> {
        self.now.dialogue.state()
    }

    /// Why it is over, with what is known of that.
    pub fn ended(&self) -> Option<(EndReason, Option<&str>)> {
        self.now.dialogue.ended()
    }

    /// Where it stands, as clients are told it.
    pub fn told(&self) -> Value {
        let Moment { dialogue, heard, told, .. } = &*self.now;
        let mut said = json!({"heard": heard, "done": dialogue.is_over(), "state_hash": dialogue.fingerprint()});
        let Some(map) = said.as_object_mut() else { return said };
        if let Some((reason, detail)) = self.ended() {
            map.insert("end".to_owned(), json!(reason));
            map.extend(detail.map(|detail| ("detail".to_owned(), json!(detail))));
        }
        if self.ways.is_shaped {
            map.insert("potential".to_owned(), json!(self.potential()));
        }
        map.extend(told.context.as_ref().map(|context| ("context".to_owned(), json!(context))));
        map.extend(told.history.as_ref().map(|history| ("history".to_owned(), json!(history))));
        said
    }

    /// The share of the wanted calls that were made, by the way that it came nearest to; 0 once it is over, so that what
    /// is added to rewards by it changes no policy; nothing where the suite pairs no calls.
    fn potential(&self) -> Option<f64> {
        let steps = self.benchmark.score(&self.at, &self.now.dialogue.so_far())?.paired?.steps;
        let made = if self.is_over() { 0 } else { steps.iter().flatten().count() };
        (!steps.is_empty()).then(|| made as f64 / steps.len() as f64)
    }

    /// The record of it, scored, as a run keeps it.
    ///
    /// # Errors
    /// It is not over.
    pub fn record(&self) -> Result<EpisodeRecord, Refusal> {
        if !self.is_over() {
            return Err(Refusal::new("not_over", "the episode is not over", "play it to its end, or `end` it"));
        }
        Ok(self.benchmark.record(&self.agent, self.trial, &self.at, self.now.dialogue.so_far()))
    }

    /// What training goes by: the first number of the suite's card; nothing where the episode is not scored.
    pub fn reward(&self, record: &EpisodeRecord) -> Option<f64> {
        if !self.ways.is_rewarded {
            return None;
        }
        self.benchmark.card().metrics.first().and_then(|metric| record.scores.value(metric.name))
    }
}
