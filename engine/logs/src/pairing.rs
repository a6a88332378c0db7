//! Which result belongs to which call: by id after the call, else by order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Whose call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Agent,
    User,
}

/// What calls without a result are found by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Id(Side, String),
    Tool(Side, String),
    /// Calls that have no id.
    Nameless(Side),
    Any(Side),
}

/// Whose result it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// That of the call at this place.
    Call(usize),
    /// That of a call which has one.
    Again,
    Nobody,
}

/// The calls without a result so far. Calls between which there is neither a result nor a word of the user form a
/// batch; ids may come again in a later one.
#[derive(Default)]
pub(crate) struct Pairing {
    batch: usize,
    is_closed: bool,
    open: BTreeMap<Key, BTreeMap<usize, VecDeque<usize>>>,
    answered: BTreeSet<usize>,
    /// The batch in which each id was last seen.
    ids: BTreeMap<(Side, String), usize>,
}

impl Pairing {
    /// Notes a call, by its place; says whether its batch has another of this id.
    pub(crate) fn call(&mut self, side: Side, at: usize, id: Option<&str>, tool: &str) -> bool {
        if std::mem::take(&mut self.is_closed) {
            self.batch += 1;
        }
        let by_id = id.map_or(Key::Nameless(side), |id| Key::Id(side, id.to_owned()));
        for key in [by_id, Key::Tool(side, tool.to_owned()), Key::Any(side)] {
            self.open.entry(key).or_default().entry(self.batch).or_default().push_back(at);
        }
        id.is_some_and(|id| self.ids.insert((side, id.to_owned()), self.batch) == Some(self.batch))
    }

    /// The user speaks: what is called now is another batch.
    pub(crate) fn turn(&mut self) {
        self.is_closed = true;
    }

    /// Finds the call of a result.
    pub(crate) fn result(&mut self, side: Side, id: Option<&str>, tool: Option<&str>) -> Owner {
        let found = match id {
            Some(id) => {
                let is_known = self.ids.contains_key(&(side, id.to_owned()));
                match self.take(&Key::Id(side, id.to_owned()), true) {
                    None if is_known => return Owner::Again,
                    None => self.take(&Key::Nameless(side), false),
                    found => found,
                }
            }
            None => {
                let by_tool = tool.and_then(|tool| self.take(&Key::Tool(side, tool.to_owned()), false));
                by_tool.or_else(|| self.take(&Key::Any(side), false))
            }
        };
        self.is_closed |= found.is_some();
        found.map_or(Owner::Nobody, Owner::Call)
    }

    /// The first call without a result in the last batch that has one.
    fn take(&mut self, key: &Key, is_any_batch: bool) -> Option<usize> {
        let batches = self.open.get_mut(key)?;
        loop {
            let mut last = batches.last_entry()?;
            if !is_any_batch && *last.key() != self.batch {
                return None;
            }
            match last.get_mut().pop_front() {
                Some(at) if self.answered.insert(at) => return Some(at),
                Some(_) => {}
                None => drop(last.remove()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `c:ID:TOOL` calls, `r:ID:TOOL` has a result, `u` is a word of the user; the places of the calls found.
    fn paired(course: &str) -> Vec<Owner> {
        let (mut pairing, mut found) = (Pairing::default(), Vec::new());
        for (at, step) in course.split(' ').enumerate() {
            let parts: Vec<&str> = step.split(':').collect();
            let part = |n: usize| parts.get(n).copied().filter(|part| !part.is_empty());
            match parts[0] {
                "c" => drop(pairing.call(Side::Agent, at, part(1), part(2).unwrap_or("t"))),
                "r" => found.push(pairing.result(Side::Agent, part(1), part(2))),
                "x" => found.push(pairing.result(Side::User, part(1), part(2))),
                _ => pairing.turn(),
            }
        }
        found
    }

    #[test]
    fn results_find_their_calls() {
        use Owner::{Again, Call, Nobody};
        let cases: [(&str, &[Owner]); 12] = [
            ("c:a c:b r:b r:a", &[Call(1), Call(0)]),
            ("c:a r:a c:a r:a", &[Call(0), Call(2)]),
            ("c:a c:a r:a r:a r:a", &[Call(0), Call(1), Again]),
            ("c:a u c:a r:a", &[Call(2)]),
            ("c:a u c:b r:b r:a", &[Call(2), Call(0)]),
            ("c c r r r", &[Call(0), Call(1), Nobody]),
            ("c u c r", &[Call(2)]),
            ("c::x c::y r::y r::x", &[Call(1), Call(0)]),
            ("c r:a", &[Call(0)]),
            ("c:a r:b", &[Nobody]),
            ("c:a x:a r:a", &[Nobody, Call(0)]),
            ("r", &[Nobody]),
        ];
        for (course, wanted) in cases {
            assert_eq!(paired(course), wanted, "{course}");
        }
    }
}
