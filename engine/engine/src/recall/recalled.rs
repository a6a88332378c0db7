//! What came of calls and expressions, by what was looked at for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::look::{Answer, Committed, Look, Looked, looking};
use crate::model::rejection::Rejection;
use crate::state::{EventProgress, State};
use crate::stepped::{Applied, Fired, Stepped};

/// Bytes kept at most, by a rough count.
const MOST_BYTES: usize = 256 << 20;
/// Roughly the bytes of an outcome, of an entity that it wrote, of a look, and of a byte of what came back.
const OUTCOME: usize = 512;
const WRITTEN: usize = 1024;
const LOOKED: usize = 64;
const RETURNED: usize = 16;

/// Recalls what came of calls in the states they were made in. It knows the looks of all its calls by number, and their
/// answers in the state that was asked last.
#[derive(Default)]
pub struct Recall {
    looks: Vec<Look>,
    numbers: BTreeMap<Look, usize>,
    asked: Option<State>,
    /// How often the state changed that is asked, and when each answer was found.
    turn: u64,
    answers: Vec<Option<(u64, Answer)>>,
    bytes: usize,
}

impl Recall {
    fn answer(&mut self, number: usize, state: &State) -> Option<Answer> {
        if !self.asked.as_ref().is_some_and(|asked| asked.is_same(state)) {
            self.asked = Some(state.clone());
            self.turn += 1;
        }
        if self.answers.len() <= number {
            self.answers.resize(self.looks.len(), None);
        }
        let known = self.answers.get_mut(number)?;
        if let Some((_, answer)) = known.filter(|(turn, _)| *turn == self.turn) {
            return Some(answer);
        }
        let answer = self.looks.get(number)?.answer(state);
        *known = Some((self.turn, answer));
        Some(answer)
    }

    fn number(&mut self, look: Look) -> usize {
        let next = self.looks.len();
        let number = *self.numbers.entry(look.clone()).or_insert(next);
        if number == next {
            self.looks.push(look);
        }
        number
    }
}

/// What came of one question in all states met so far: a tree of looks, with an outcome for each way down.
pub struct Outcomes<T> {
    nodes: Vec<Branch<T>>,
    /// Whether two ways that began alike looked at different things next: then what was looked at does not decide it.
    is_undecided: bool,
}

enum Branch<T> {
    Outcome(Arc<T>),
    Look(usize, BTreeMap<Answer, usize>),
}

impl<T> Default for Outcomes<T> {
    fn default() -> Self {
        Outcomes { nodes: Vec::new(), is_undecided: false }
    }
}

impl<T> Outcomes<T> {
    /// What came of it in a state that showed the same.
    pub fn find(&self, recall: &mut Recall, state: &State) -> Option<Arc<T>> {
        let mut at = 0;
        loop {
            match self.nodes.get(at)? {
                Branch::Outcome(outcome) => return Some(Arc::clone(outcome)),
                Branch::Look(look, answers) => at = *answers.get(&recall.answer(*look, state)?)?,
            }
        }
    }

    /// Keeps an outcome, of roughly so many bytes, under what was looked at for it, where that decides it.
    pub fn keep(&mut self, recall: &mut Recall, looked: Looked, outcome: Arc<T>, bytes: usize) -> Arc<T> {
        let bytes = bytes + LOOKED * looked.looks.len();
        if looked.decides() && !self.is_undecided && recall.bytes + bytes <= MOST_BYTES {
            recall.bytes += bytes;
            if self.add(recall, looked.looks, Arc::clone(&outcome)).is_none() {
                self.nodes.clear();
                self.is_undecided = true;
            }
        }
        outcome
    }

    /// Adds the outcome of one way. What is looked at next follows from the answers so far; nothing where it does not.
    fn add(&mut self, recall: &mut Recall, looks: Vec<(Look, Answer)>, outcome: Arc<T>) -> Option<()> {
        let mut at = 0;
        for (look, answer) in looks {
            match self.nodes.get(at) {
                None => self.nodes.push(Branch::Look(recall.number(look), BTreeMap::new())),
                Some(Branch::Look(known, _)) if recall.looks.get(*known) == Some(&look) => {}
                Some(Branch::Look(..) | Branch::Outcome(_)) => return None,
            }
            let end = self.nodes.len();
            let Some(Branch::Look(_, answers)) = self.nodes.get_mut(at) else { return None };
            at = *answers.entry(answer).or_insert(end);
        }
        (at == self.nodes.len()).then(|| self.nodes.push(Branch::Outcome(outcome)))
    }
}

/// What came of a call, to be done again to a state that shows the same.
pub struct Made {
    /// What the caller gets back and what changed, or why the call was refused.
    pub result: Result<Applied, Rejection>,
    fired: Vec<Fired>,
    prints: Vec<String>,
    writes: Vec<Committed>,
    /// The clock and the events afterwards, where they moved.
    moved: Option<(i64, Vec<EventProgress>)>,
}

impl Made {
    /// Runs a call; what came of it, with what it looked at.
    pub fn of(before: State, run: impl FnOnce(State) -> Stepped) -> (Made, Looked) {
        let start = before.clone();
        let (stepped, mut looked) = looking(&start, || run(before));
        let Stepped { after, result, fired, prints } = stepped;
        let moved = (after.moving() != start.moving()).then(|| (after.clock(), after.progress().to_vec()));
        let writes = std::mem::take(&mut looked.writes);
        (Made { result, fired, prints, writes, moved }, looked)
    }

    /// Roughly the bytes it keeps.
    pub fn bytes(&self) -> usize {
        let returned = self.result.as_ref().map_or(0, |applied| applied.observation.to_string().len());
        let printed: usize = self.prints.iter().map(String::len).sum();
        OUTCOME + RETURNED * returned + WRITTEN * self.writes.len() + printed
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

    /// The step that it is in a state that shows the same.
    pub fn again(&self, state: State) -> Stepped {
        let Made { result, fired, prints, .. } = self;
        Stepped { after: self.after(state), result: result.clone(), fired: fired.clone(), prints: prints.clone() }
    }
}
