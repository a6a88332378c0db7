//! What a script looks at, and what it finds there.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::sync::Arc;

use crate::matching::Match;
use crate::script::fuel;
use crate::state::{Entity, Key, State};
use crate::sum::Sum;

/// Of what looks at more than this nothing is kept.
pub const MOST_LOOKS: usize = 128;
/// Looks at one entity, beyond which all its fields count.
const FIELDS: usize = 3;
/// Looks into one part of the state, beyond which all of it counts.
const ENTITIES: usize = 24;

thread_local! {
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
    static LOOKED: RefCell<Option<Looked>> = const { RefCell::new(None) };
}

/// Something of a state that decides what a script does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
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
pub enum Answer {
    Nothing,
    Count(usize),
    Sum(Sum),
}

impl Look {
    pub fn answer(&self, state: &State) -> Answer {
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
            Look::Moving | Look::Has(..) | Look::Field(..) | Look::Keys(..) | Look::Count(_) => self == other,
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
            // A key may hold anything: its length tells where it ends.
            let _ = write!(text, "{} {key} ", key.len());
        }
    }
    Sum::of(&text)
}

/// The looks of what runs now, and what it writes.
pub struct Looked {
    start: State,
    pub looks: Vec<(Look, Answer)>,
    /// The parts that are looked at whole: no further look into them says more.
    whole: Vec<usize>,
    pub writes: Vec<Committed>,
}

/// An entity after a commit.
pub type Committed = (usize, Key, Option<Arc<Entity>>);

impl Looked {
    fn of(start: &State, looks: Vec<(Look, Answer)>) -> Looked {
        Looked { start: start.clone(), looks, whole: Vec::new(), writes: Vec::new() }
    }

    /// Whether a look into a part can still say something.
    fn is_open(&self, slot: usize) -> bool {
        self.looks.len() <= MOST_LOOKS && !self.whole.contains(&slot)
    }

    fn note(&mut self, look: Look) {
        let mut look = look;
        if self.covers(&look) {
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
        if let Look::Part(slot) = look {
            self.whole.push(slot);
        }
        let answer = look.answer(&self.start);
        self.looks.push((look, answer));
    }

    fn covers(&self, look: &Look) -> bool {
        self.looks.iter().any(|(known, _)| known.covers(look))
    }
}

/// Notes that what runs now looks into a part of the state; free while nobody keeps anything.
pub fn look(slot: usize, look: impl FnOnce() -> Look) {
    if IS_LOOKING.get() {
        LOOKED.with_borrow_mut(|looked| {
            looked.as_mut().filter(|looked| looked.is_open(slot)).map(|looked| looked.note(look()))
        });
    }
}

/// Notes that an entity was committed.
pub fn wrote(state: &State, slot: usize, key: &Key) {
    if IS_LOOKING.get() {
        let write = (slot, key.clone(), state.entity(slot, key).cloned());
        LOOKED.with_borrow_mut(|looked| looked.as_mut().map(|looked| looked.writes.push(write)));
    }
}

/// Whether something runs whose looks are noted.
pub fn is_looking() -> bool {
    IS_LOOKING.get()
}

/// Runs `work` and tells what it looked at and wrote.
pub fn looking<T>(start: &State, work: impl FnOnce() -> T) -> (T, Looked) {
    struct Stop;
    impl Drop for Stop {
        fn drop(&mut self) {
            IS_LOOKING.set(false);
        }
    }
    let moving = (Look::Moving, Look::Moving.answer(start));
    LOOKED.set(Some(Looked::of(start, vec![moving])));
    fuel::watch();
    IS_LOOKING.set(true);
    let stop = Stop;
    let done = work();
    drop(stop);
    (done, LOOKED.take().unwrap_or_else(|| Looked::of(start, Vec::new())))
}

impl Looked {
    /// Whether what was run comes to the same wherever all this is found: it looked at little, and spent so little that
    /// a state that is somewhat larger would not have stopped it.
    pub fn decides(&self) -> bool {
        self.looks.len() <= MOST_LOOKS && fuel::was_ample()
    }
}
