//! What calls and expressions came to, kept while one piece of work lasts.
//!
//! Whoever proves something of a task makes the same call in thousands of states that differ in what the call never
//! looks at. [`within`] keeps what came of a call under what it looked at, one look after the other; in a state that
//! shows the same the script does not run again. What comes of a call is the same with and without it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::environment::Environment;
use super::events::Fired;
use super::script::fuel;
use super::script::matching::Match;
use super::script::outcome::Stopped;
use super::state::{Entity, EventProgress, Key, State};
use super::step::{Applied, Stepped};
use super::sum::Sum;
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;
use crate::model::rejection::Rejection;

/// Of what looks at more than this nothing is kept.
const MOST_LOOKS: usize = 128;
/// Looks at one entity, beyond which all its fields count.
const FIELDS: usize = 3;
/// Looks into one part of the state, beyond which all of it counts.
const ENTITIES: usize = 24;
/// Outcomes kept at most; a few hundred MiB.
const MOST_KEPT: usize = 200_000;

thread_local! {
    static HAS_RUN: Cell<bool> = const { Cell::new(true) };
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
    static LOOKED: RefCell<Option<Looked>> = const { RefCell::new(None) };
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// Something of a state that decides what a script does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Look {
    /// The clock and how far events have come.
    Moving,
    /// Whether an entity is there.
    Has(usize, Key),
    /// One field of an entity.
    Field(usize, Key, String),
    /// An entity: whether it is there, and its fields.
    Entity(usize, Key),
    /// The keys of the entities of a part that match, or of all.
    Keys(usize, Option<Match>),
    /// How many entities a part holds.
    Count(usize),
    /// All entities of a part.
    Part(usize),
}

/// What a look finds; equal answers are equal states as far as the look goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Nothing,
    Count(usize),
    Sum(Sum),
}

impl Look {
    fn answer(&self, state: &State) -> Answer {
        let some = |sum: Option<Sum>| sum.map_or(Answer::Nothing, Answer::Sum);
        match self {
            Look::Moving => Answer::Sum(state.moving()),
            Look::Has(slot, key) => Answer::Count(usize::from(state.get(*slot, key).is_some())),
            Look::Field(slot, key, field) => match state.get(*slot, key) {
                Some(fields) => some(fields.get(field).map(|value| Sum::of(&value.to_string()))),
                None => Answer::Count(0),
            },
            Look::Entity(slot, key) => some(state.sum_of(*slot, key)),
            Look::Keys(slot, wanted) => Answer::Sum(keys(state, *slot, wanted.as_ref())),
            Look::Count(slot) => Answer::Count(state.len(*slot)),
            Look::Part(slot) => Answer::Sum(state.sum_of_part(*slot)),
        }
    }

    /// The part of the state that it looks into.
    fn slot(&self) -> Option<usize> {
        match self {
            Look::Moving => None,
            Look::Has(slot, _)
            | Look::Field(slot, ..)
            | Look::Entity(slot, _)
            | Look::Keys(slot, _)
            | Look::Count(slot)
            | Look::Part(slot) => Some(*slot),
        }
    }

    fn key(&self) -> Option<&Key> {
        match self {
            Look::Has(_, key) | Look::Field(_, key, _) | Look::Entity(_, key) => Some(key),
            Look::Moving | Look::Keys(..) | Look::Count(_) | Look::Part(_) => None,
        }
    }

    /// Whether its answer says what another look would find.
    fn covers(&self, other: &Look) -> bool {
        match self {
            Look::Part(slot) => other.slot() == Some(*slot),
            Look::Entity(slot, key) => other.slot() == Some(*slot) && other.key() == Some(key),
            _ => self == other,
        }
    }
}

/// The keys that match, with what looking for them costs: how many entities there are, but for a factor of two, and
/// how much long text is read.
fn keys(state: &State, slot: usize, wanted: Option<&Match>) -> Sum {
    let cost: usize = wanted.map_or(0, |wanted| state.entities(slot).map(|(_, fields)| wanted.cost(fields)).sum());
    let mut text = format!("{} {}\n", state.len(slot).checked_ilog2().unwrap_or(0), cost);
    for (key, fields) in state.entities(slot) {
        if wanted.is_none_or(|wanted| wanted.admits(fields)) {
            text.push_str(key);
            text.push('\n');
        }
    }
    Sum::of(&text)
}

/// The looks of what runs now, and what it writes.
struct Looked {
    start: State,
    looks: Vec<(Look, Answer)>,
    writes: Vec<Write>,
}

/// An entity after a commit.
type Write = (usize, Key, Option<Arc<Entity>>);

impl Looked {
    fn note(&mut self, look: Look) {
        let mut look = look;
        if self.looks.len() > MOST_LOOKS || self.covers(&look) {
            return;
        }
        // Who looks at much of an entity, or of a part, is taken to look at all of it.
        if let (Some(slot), Some(key)) = (look.slot(), look.key()) {
            let of_part = || self.looks.iter().filter(|(known, _)| known.slot() == Some(slot));
            if of_part().filter(|(known, _)| known.key() == Some(key)).count() >= FIELDS {
                look = Look::Entity(slot, key.clone());
            }
            if of_part().count() >= ENTITIES {
                look = Look::Part(slot);
            }
        }
        let answer = look.answer(&self.start);
        self.looks.push((look, answer));
    }

    fn covers(&self, look: &Look) -> bool {
        self.looks.iter().any(|(known, _)| known.covers(look))
    }
}

/// Notes that what runs now looks at a part of the state; free while nobody keeps anything.
pub(super) fn look(look: impl FnOnce() -> Look) {
    if IS_LOOKING.get() {
        LOOKED.with_borrow_mut(|looked| looked.as_mut().map(|looked| looked.note(look())));
    }
}

/// Notes that an entity was committed.
pub(super) fn wrote(state: &State, slot: usize, key: &Key) {
    if IS_LOOKING.get() {
        let write = (slot, key.clone(), state.entity(slot, key).cloned());
        LOOKED.with_borrow_mut(|looked| looked.as_mut().map(|looked| looked.writes.push(write)));
    }
}

/// What a memory has seen states answer: looks by number, and their answers in the state that was asked last.
#[derive(Default)]
pub struct Memory {
    looks: Vec<Look>,
    numbers: BTreeMap<String, usize>,
    asked: Option<State>,
    answers: Vec<Option<Answer>>,
}

impl Memory {
    fn answer(&mut self, number: usize, state: &State) -> Option<Answer> {
        if !self.asked.as_ref().is_some_and(|asked| asked.is_same(state)) {
            self.asked = Some(state.clone());
            self.answers.clear();
        }
        if self.answers.len() <= number {
            self.answers.resize(self.looks.len(), None);
        }
        let known = self.answers.get_mut(number)?;
        if known.is_none() {
            *known = Some(self.looks.get(number)?.answer(state));
        }
        *known
    }

    fn number(&mut self, look: Look) -> usize {
        let next = self.looks.len();
        let number = *self.numbers.entry(format!("{look:?}")).or_insert(next);
        if number == next {
            self.looks.push(look);
        }
        number
    }

    /// What comes of `call`, of which `known` has what came of it so far, in a state: a pure function of state and
    /// call, as [`Environment::step`] is, which runs the script only where the state shows it something new.
    pub fn step(
        &mut self,
        environment: &Environment,
        known: &mut Outcomes<Made>,
        before: &State,
        (call, actor): (&ToolCall, Actor),
    ) -> Arc<Made> {
        if let Some(made) = known.find(self, before) {
            return made;
        }
        let (made, looked) = Made::of(before.clone(), |before| environment.make(before, call, actor));
        let made = Arc::new(made);
        if made.is_kept(&looked) {
            known.add(self, looked, Arc::clone(&made));
        }
        made
    }
}

/// What came of one question in all states met so far: a tree of looks, with an outcome for each way down.
pub struct Outcomes<T> {
    nodes: Vec<Branch<T>>,
}

enum Branch<T> {
    Outcome(Arc<T>),
    Look(usize, BTreeMap<Answer, usize>),
}

impl<T> Default for Outcomes<T> {
    fn default() -> Self {
        Outcomes { nodes: Vec::new() }
    }
}

impl<T> Outcomes<T> {
    fn find(&self, memory: &mut Memory, state: &State) -> Option<Arc<T>> {
        let mut at = 0;
        loop {
            match self.nodes.get(at)? {
                Branch::Outcome(outcome) => return Some(Arc::clone(outcome)),
                Branch::Look(look, answers) => at = *answers.get(&memory.answer(*look, state)?)?,
            }
        }
    }

    /// Adds the outcome of one way. What is looked at next follows from the answers so far.
    fn add(&mut self, memory: &mut Memory, looks: Vec<(Look, Answer)>, outcome: Arc<T>) {
        let mut at = 0;
        for (look, answer) in looks {
            if at == self.nodes.len() {
                self.nodes.push(Branch::Look(memory.number(look), BTreeMap::new()));
            }
            let end = self.nodes.len();
            let Some(Branch::Look(_, answers)) = self.nodes.get_mut(at) else { return };
            at = *answers.entry(answer).or_insert(end);
        }
        if at == self.nodes.len() {
            self.nodes.push(Branch::Outcome(outcome));
        }
    }
}

/// By who is asked and what.
type Question = (u64, Sum);

#[derive(Default)]
struct Kept {
    memory: Memory,
    calls: BTreeMap<Question, Outcomes<Made>>,
    expressions: BTreeMap<Question, Outcomes<Result<bool, Stopped>>>,
    count: usize,
}

/// What came of a call, to be done again to a state that shows the same.
pub struct Made {
    /// What the caller gets back and what changed, or why the call was refused.
    pub result: Result<Applied, Rejection>,
    fired: Vec<Fired>,
    prints: Vec<String>,
    writes: Vec<Write>,
    /// The clock and the events afterwards, where they moved.
    moved: Option<(i64, Vec<EventProgress>)>,
    /// Whether it spent so little that it comes to the same in a state that is somewhat larger.
    is_ample: bool,
}

impl Made {
    /// Runs a call; what came of it, with what it looked at.
    fn of(before: State, run: impl FnOnce(State) -> Stepped) -> (Made, Vec<(Look, Answer)>) {
        let start = before.clone();
        let (stepped, Looked { looks, writes, .. }) = looking(start.clone(), || run(before));
        let Stepped { after, result, fired, prints } = stepped;
        let moved = (after.moving() != start.moving()).then(|| (after.clock(), after.progress().to_vec()));
        // An event spends fuel of its own.
        let is_ample = fuel::is_ample() && fired.is_empty();
        (Made { result, fired, prints, writes, moved, is_ample }, looks)
    }

    fn is_kept(&self, looks: &[(Look, Answer)]) -> bool {
        self.is_ample && looks.len() <= MOST_LOOKS
    }

    /// Whether it leaves the state as it was.
    pub fn is_still(&self) -> bool {
        self.writes.is_empty() && self.moved.is_none()
    }

    /// The state after it.
    #[must_use]
    pub fn after(&self, mut state: State) -> State {
        for (slot, key, entity) in &self.writes {
            state.put(*slot, key, entity.clone());
        }
        if let Some((clock, progress)) = &self.moved {
            state = state.moved(*clock, progress.clone());
        }
        state.settle();
        state
    }

    fn again(&self, state: State) -> Stepped {
        let Made { result, fired, prints, .. } = self;
        Stepped { after: self.after(state), result: result.clone(), fired: fired.clone(), prints: prints.clone() }
    }
}

/// Keeps what calls and expressions come to while `work` lasts, on this thread, and forgets it then.
pub fn within<T>(work: impl FnOnce() -> T) -> T {
    struct Forget;
    impl Drop for Forget {
        fn drop(&mut self) {
            KEPT.take();
        }
    }
    if KEPT.with_borrow(Option::is_some) {
        return work();
    }
    KEPT.set(Some(Kept::default()));
    let _forget = Forget;
    work()
}

/// Whether the last call ran, and was not one whose outcome was known.
pub fn has_run() -> bool {
    HAS_RUN.get()
}

/// Runs whatever `work` calls, known or not.
pub fn afresh<T>(work: impl FnOnce() -> T) -> T {
    let kept = KEPT.take();
    let done = work();
    KEPT.set(kept);
    done
}

/// A number that nothing else has, for who is asked.
pub(super) fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The question, where answers are kept and none is being found out.
fn question(who: u64, what: &impl Serialize) -> Option<Question> {
    let is_kept = !IS_LOOKING.get() && KEPT.with_borrow(Option::is_some);
    if is_kept { Some((who, Sum::of(&serde_json::to_string(what).ok()?))) } else { None }
}

/// Runs `work` and tells what it looked at and wrote.
fn looking<T>(start: State, work: impl FnOnce() -> T) -> (T, Looked) {
    struct Stop;
    impl Drop for Stop {
        fn drop(&mut self) {
            IS_LOOKING.set(false);
        }
    }
    let moving = (Look::Moving, Look::Moving.answer(&start));
    LOOKED.set(Some(Looked { start: start.clone(), looks: vec![moving], writes: Vec::new() }));
    IS_LOOKING.set(true);
    let stop = Stop;
    let done = work();
    drop(stop);
    let looked = LOOKED.take().unwrap_or(Looked { start, looks: Vec::new(), writes: Vec::new() });
    (done, looked)
}

/// What comes of a call: what came of it in a state that shows the same, or else of `run`.
pub(super) fn call(who: u64, what: &impl Serialize, before: State, run: impl FnOnce(State) -> Stepped) -> Stepped {
    HAS_RUN.set(true);
    let Some(question) = question(who, what) else { return run(before) };
    if let Some(made) = known(question, &before, |kept| &mut kept.calls) {
        HAS_RUN.set(false);
        return made.again(before);
    }
    let (made, looks) = Made::of(before.clone(), run);
    let stepped = made.again(before);
    if made.is_kept(&looks) {
        keep(question, looks, made, |kept| &mut kept.calls);
    }
    stepped
}

/// Whether an expression holds: as it did in a state that shows the same, or else as `run` says.
pub(super) fn holds(
    who: u64,
    what: &impl Serialize,
    state: &State,
    run: impl FnOnce() -> Result<bool, Stopped>,
) -> Result<bool, Stopped> {
    let Some(question) = question(who, what) else { return run() };
    if let Some(known) = known(question, state, |kept| &mut kept.expressions) {
        return (*known).clone();
    }
    let (held, Looked { looks, .. }) = looking(state.clone(), run);
    if fuel::is_ample() && looks.len() <= MOST_LOOKS {
        keep(question, looks, held.clone(), |kept| &mut kept.expressions);
    }
    held
}

type Answers<T> = fn(&mut Kept) -> &mut BTreeMap<Question, Outcomes<T>>;

fn known<T>(question: Question, state: &State, of: Answers<T>) -> Option<Arc<T>> {
    KEPT.with_borrow_mut(|kept| {
        let kept = kept.as_mut()?;
        let mut memory = std::mem::take(&mut kept.memory);
        let known = of(kept).get(&question).and_then(|known| known.find(&mut memory, state));
        kept.memory = memory;
        known
    })
}

fn keep<T>(question: Question, looks: Vec<(Look, Answer)>, outcome: T, of: Answers<T>) {
    KEPT.with_borrow_mut(|kept| {
        let Some(kept) = kept.as_mut().filter(|kept| kept.count < MOST_KEPT) else { return };
        kept.count += 1;
        let mut memory = std::mem::take(&mut kept.memory);
        of(kept).entry(question).or_default().add(&mut memory, looks, Arc::new(outcome));
        kept.memory = memory;
    });
}
