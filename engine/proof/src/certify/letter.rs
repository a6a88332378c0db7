//! The calls of an alphabet, each with what a search finds out about it once, whatever state it is made in.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::alphabet::Letters;
use probity_engine::recall::RepeatedCall;
use probity_engine::{Actor, Environment, Fields, Sum, ToolCall};

pub(super) struct Letter {
    pub(super) tool: String,
    /// Its arguments, defaults filled in.
    pub(super) arguments: Fields,
    /// The patterns of the graph that mean it, where no predicate decides that by the state.
    pub(super) matches: OnceCell<Rc<[usize]>>,
    /// It, with what came of it in the states met so far.
    pub(super) repeated: RefCell<RepeatedCall>,
}

/// All letters met so far: the same call is one letter, whatever list it stands in.
pub(super) struct Lexicon<'a> {
    environment: &'a Environment,
    by_call: BTreeMap<Sum, Rc<Letter>>,
    /// By the number of their list.
    known: BTreeMap<u32, Rc<Vec<Rc<Letter>>>>,
}

impl<'a> Lexicon<'a> {
    pub(super) fn new(environment: &'a Environment) -> Self {
        Lexicon { environment, by_call: BTreeMap::new(), known: BTreeMap::new() }
    }

    /// The letters of a list, in its order.
    pub(super) fn known(&mut self, letters: &Letters) -> Rc<Vec<Rc<Letter>>> {
        if let Some(known) = self.known.get(&letters.number) {
            return Rc::clone(known);
        }
        let known: Rc<Vec<Rc<Letter>>> = Rc::new(letters.calls.iter().map(|call| self.letter(call)).collect());
        self.known.insert(letters.number, Rc::clone(&known));
        known
    }

    pub(super) fn letter(&mut self, call: &ToolCall) -> Rc<Letter> {
        let new = || {
            let repeated = RefCell::new(RepeatedCall::new(self.environment, call.clone(), Actor::Agent));
            let arguments = self.environment.complete(call).unwrap_or_default();
            Rc::new(Letter { tool: call.tool.clone(), arguments, matches: OnceCell::new(), repeated })
        };
        let sum = Sum::of(&format!("{} {}", call.tool, call.arguments));
        Rc::clone(self.by_call.entry(sum).or_insert_with(new))
    }
}
