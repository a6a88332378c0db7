//! What calls and expressions come to, kept by a thread while one piece of work lasts.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::look::{is_looking, looking};
use super::recalled::{Made, Outcomes, Recall};
use crate::model::canonical::Hash;
use crate::script::outcome::Stopped;
use crate::state::State;
use crate::stepped::Stepped;
use crate::sum::Sum;

thread_local! {
    static HAS_RUN: Cell<bool> = const { Cell::new(true) };
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// By who is asked and what.
type Question = (u64, Sum);

#[derive(Default)]
struct Kept {
    recall: Recall,
    calls: BTreeMap<Question, Outcomes<Made>>,
    expressions: BTreeMap<Question, Outcomes<Result<bool, Stopped>>>,
    /// Published hashes, by whose state it is and its sum.
    hashes: BTreeMap<Question, Hash>,
}

/// Keeps what calls and expressions come to while `work` lasts, on this thread, and forgets it then. What they come to
/// is the same as without.
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

/// Whether the last call of this thread ran, and was not one whose outcome was known.
pub fn has_run() -> bool {
    HAS_RUN.get()
}

/// Runs whatever `work` calls, known or not.
pub fn afresh<T>(work: impl FnOnce() -> T) -> T {
    struct Restore(Option<Kept>);
    impl Drop for Restore {
        fn drop(&mut self) {
            KEPT.set(self.0.take());
        }
    }
    let _restore = Restore(KEPT.take());
    work()
}

/// A number that nothing else of the process has, for who is asked.
pub fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The question, where answers are kept and none is being found out.
fn question(who: u64, what: &impl Serialize) -> Option<Question> {
    let is_kept = !is_looking() && KEPT.with_borrow(Option::is_some);
    if is_kept { Some((who, Sum::of(&serde_json::to_string(what).ok()?))) } else { None }
}

/// What comes of a call: what came of it in a state that shows the same, or else of `run`.
pub fn call(who: u64, what: &impl Serialize, before: State, run: impl FnOnce(State) -> Stepped) -> Stepped {
    HAS_RUN.set(true);
    let Some(question) = question(who, what) else { return run(before) };
    if let Some(made) = find(question, &before, |kept| &mut kept.calls) {
        HAS_RUN.set(false);
        return made.again(before);
    }
    let (made, looked) = Made::of(before.clone(), run);
    let stepped = made.again(before);
    let bytes = made.bytes();
    with(|kept| drop(kept.calls.entry(question).or_default().keep(&mut kept.recall, looked, Arc::new(made), bytes)));
    stepped
}

/// Whether an expression holds: as it did in a state that shows the same, or else as `run` says.
pub fn holds(
    who: u64,
    what: &impl Serialize,
    state: &State,
    run: impl FnOnce() -> Result<bool, Stopped>,
) -> Result<bool, Stopped> {
    let Some(question) = question(who, what) else { return run() };
    if let Some(known) = find(question, state, |kept| &mut kept.expressions) {
        return (*known).clone();
    }
    let (held, looked) = looking(state, run);
    let outcome = Arc::new(held.clone());
    with(|kept| drop(kept.expressions.entry(question).or_default().keep(&mut kept.recall, looked, outcome, 0)));
    held
}

/// The published hash of a state: that of an equal one, or else its own.
pub fn hash(who: u64, state: &State) -> Hash {
    if state.is_hashed() || KEPT.with_borrow(Option::is_none) {
        return state.hash();
    }
    let question = (who, state.sum());
    let known = KEPT.with_borrow(|kept| kept.as_ref().and_then(|kept| kept.hashes.get(&question).copied()));
    known.unwrap_or_else(|| {
        let hash = state.hash();
        with(|kept| {
            kept.hashes.insert(question, hash);
        });
        hash
    })
}

fn with(work: impl FnOnce(&mut Kept)) {
    KEPT.with_borrow_mut(|kept| kept.as_mut().map(work));
}

fn find<T>(
    question: Question,
    state: &State,
    of: fn(&mut Kept) -> &mut BTreeMap<Question, Outcomes<T>>,
) -> Option<Arc<T>> {
    KEPT.with_borrow_mut(|kept| {
        let kept = kept.as_mut()?;
        let mut recall = std::mem::take(&mut kept.recall);
        let known = of(kept).get(&question).and_then(|known| known.find(&mut recall, state));
        kept.recall = recall;
        known
    })
}
