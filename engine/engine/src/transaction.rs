//! A transaction: writes journalled over a base state, committed whole or dropped whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::matching::Match;
use super::recall::{self, Look};
use super::state::{Entity, Fields, Key, State, entity_path};
use crate::model::delta::Delta;
use crate::model::environment_file::ChangeKind;

/// Whether writes are let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A write that would change something is refused and remembered.
    ReadOnly,
    /// Writes are journalled.
    Write,
}

/// Writes over a base state. Dropping it is a rollback.
#[derive(Clone, Debug)]
pub struct Transaction {
    base: State,
    /// Writes by part and key; parts that nothing was written to may be missing at the end.
    journal: Vec<BTreeMap<Key, Option<Fields>>>,
    access: Access,
    refused: Option<String>,
}

/// Entities by key.
pub type Entities<'a> = Box<dyn Iterator<Item = (&'a Key, &'a Fields)> + 'a>;

/// One entity that a transaction changed.
#[derive(Clone, Debug)]
pub struct Change {
    /// The part of the state.
    pub slot: usize,
    /// The entity's key.
    pub key: Key,
    /// The entity before, if it was there.
    pub before: Option<Arc<Entity>>,
    /// Its fields after, if it is there.
    pub after: Option<Fields>,
}

impl Change {
    /// Whether the entity was created, updated or deleted.
    pub fn kind(&self) -> ChangeKind {
        match (&self.before, &self.after) {
            (None, _) => ChangeKind::Create,
            (Some(_), Some(_)) => ChangeKind::Update,
            (Some(_), None) => ChangeKind::Delete,
        }
    }
}

impl Transaction {
    /// A transaction over `base`.
    pub fn new(base: State, access: Access) -> Self {
        Transaction { base, journal: Vec::new(), access, refused: None }
    }

    /// The state it started from.
    pub fn base(&self) -> &State {
        &self.base
    }

    /// The state it started from, with no copy.
    pub fn into_base(self) -> State {
        self.base
    }

    /// Lets writes through, or no longer.
    pub fn set_access(&mut self, access: Access) {
        self.access = access;
    }

    /// The first write that was refused, for the author.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// An entity as it stands now.
    pub fn get(&self, slot: usize, key: &str) -> Option<&Fields> {
        self.now(slot, key, || Look::Entity(slot, key.into()))
    }

    /// One field of an entity as it stands now; an outer `None` where there is no such entity.
    pub fn field(&self, slot: usize, key: &str, field: &str) -> Option<Option<&Value>> {
        let fields = self.now(slot, key, || Look::Field(slot, key.into(), field.to_owned()));
        fields.map(|fields| fields.get(field))
    }

    /// Whether an entity is there now.
    pub fn has(&self, slot: usize, key: &str) -> bool {
        self.now(slot, key, || Look::Has(slot, key.into())).is_some()
    }

    fn now(&self, slot: usize, key: &str, look: impl FnOnce() -> Look) -> Option<&Fields> {
        match self.journal.get(slot).and_then(|journal| journal.get(key)) {
            Some(written) => written.as_ref(),
            None => {
                recall::look(slot, look);
                self.base.get(slot, key)
            }
        }
    }

    /// The entities of a part as they stand now, in key order.
    pub fn entities(&self, slot: usize) -> Entities<'_> {
        recall::look(slot, || Look::Part(slot));
        self.merged(slot)
    }

    /// The same for who then looks at the keys alone of those that match, or of all where nothing is asked of them.
    pub fn entities_that(&self, slot: usize, wanted: Option<&Match>) -> Entities<'_> {
        recall::look(slot, || Look::Keys(slot, wanted.cloned()));
        self.merged(slot)
    }

    fn merged(&self, slot: usize) -> Entities<'_> {
        let Some(journal) = self.journal.get(slot).filter(|journal| !journal.is_empty()) else {
            return Box::new(self.base.entities(slot));
        };
        let mut merged: BTreeMap<&Key, &Fields> = self.base.entities(slot).collect();
        for (key, written) in journal {
            match written {
                Some(fields) => merged.insert(key, fields),
                None => merged.remove(key),
            };
        }
        Box::new(merged.into_iter())
    }

    /// How many entities a part holds now.
    pub fn len(&self, slot: usize) -> usize {
        recall::look(slot, || Look::Count(slot));
        let base = self.base.len(slot);
        self.journal.get(slot).into_iter().flatten().fold(base, |count, (key, written)| {
            match (self.base.get(slot, key).is_some(), written.is_some()) {
                (false, true) => count + 1,
                (true, false) => count.saturating_sub(1),
                (true, true) | (false, false) => count,
            }
        })
    }

    /// How many entities of a part were written to.
    pub fn written(&self, slot: usize) -> usize {
        self.journal.get(slot).map_or(0, BTreeMap::len)
    }

    /// Writes one field; a value equal to the old one is no write.
    ///
    /// # Errors
    /// A line for the author when the entity is not there or writes are not let through.
    pub fn set_field(&mut self, slot: usize, key: &str, field: &str, value: Value) -> Result<(), String> {
        let Some(current) = self.get(slot, key) else { return Err(format!("there is no entity `{key}`")) };
        if current.get(field) == Some(&value) {
            return Ok(());
        }
        self.admit(slot, key)?;
        self.open(slot);
        let Some(journal) = self.journal.get_mut(slot) else { return Ok(()) };
        let base = &self.base;
        let written = journal.entry(Key::from(key)).or_insert_with(|| base.get(slot, key).cloned());
        if let Some(fields) = written {
            fields.insert(field.to_owned(), value);
        }
        Ok(())
    }

    /// Puts, replaces or (with `None`) removes a whole entity.
    ///
    /// # Errors
    /// A line for the author when writes are not let through.
    pub fn set(&mut self, slot: usize, key: &str, fields: Option<Fields>) -> Result<(), String> {
        if self.get(slot, key) == fields.as_ref() {
            return Ok(());
        }
        self.admit(slot, key)?;
        self.open(slot);
        if let Some(journal) = self.journal.get_mut(slot) {
            journal.insert(Key::from(key), fields);
        }
        Ok(())
    }

    fn open(&mut self, slot: usize) {
        if slot < self.base.shape().slots.len() && self.journal.len() <= slot {
            self.journal.resize_with(slot + 1, BTreeMap::new);
        }
    }

    fn admit(&mut self, slot: usize, key: &str) -> Result<(), String> {
        if self.access == Access::Write {
            return Ok(());
        }
        let path = self.base.shape().slots.get(slot).map(|shape| entity_path(shape, key)).unwrap_or_default();
        let message = format!("a write to {path} where only reading is allowed");
        self.refused.get_or_insert_with(|| message.clone());
        Err(message)
    }

    /// What the journal changes, in order of part and key; writes that came back to the old value are none.
    pub fn changes(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (slot, journal) in self.journal.iter_mut().enumerate() {
            for (key, after) in std::mem::take(journal) {
                recall::look(slot, || Look::Entity(slot, key.clone()));
                let before = self.base.entity(slot, &key);
                if before.map(|entity| entity.fields()) != after.as_ref() {
                    changes.push(Change { slot, before: before.cloned(), after, key });
                }
            }
        }
        changes
    }
}

/// The state after `changes`.
pub fn written(mut state: State, changes: Vec<Change>) -> State {
    changes.into_iter().for_each(|change| state.set(change.slot, &change.key, change.after));
    state
}

/// The state after `changes`, and the delta between the two.
pub fn commit(mut state: State, changes: Vec<Change>) -> (State, Delta) {
    let shape = Arc::clone(state.shape());
    let mut delta = Delta::default();
    for change in changes {
        if let Some(shape) = shape.slots.get(change.slot) {
            let before = change.before.as_ref().map(|entity| entity.fields());
            delta.add(&entity_path(shape, &change.key), before, change.after.as_ref());
        }
        state.set(change.slot, &change.key, change.after);
        recall::wrote(&state, change.slot, &change.key);
    }
    (state, delta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::environment_file::SlotKind;
    use crate::state::{Shape, SlotShape};
    use proptest::prelude::*;
    use serde_json::json;

    fn empty() -> State {
        let slot =
            |name: &str| SlotShape { name: name.to_owned(), kind: SlotKind::Collection, key: Some("id".to_owned()) };
        State::empty(Arc::new(Shape { slots: vec![slot("a"), slot("b")] }), 0, Vec::new())
    }

    fn fields(n: i64) -> Fields {
        json!({"n": n}).as_object().unwrap().clone()
    }

    #[test]
    fn a_dropped_transaction_changes_nothing_and_a_write_back_is_no_change() {
        let base = empty();
        let mut transaction = Transaction::new(base.clone(), Access::Write);
        transaction.set(0, "x", Some(fields(1))).unwrap();
        assert_eq!(transaction.len(0), 1);
        transaction.set(0, "x", None).unwrap();
        assert_eq!(transaction.len(0), 0);
        assert!(transaction.changes().is_empty());
        assert_eq!(base.entity_count(), 0);
    }

    #[test]
    fn a_read_only_transaction_remembers_the_first_real_write() {
        let mut transaction = Transaction::new(empty(), Access::ReadOnly);
        transaction.set(0, "x", None).unwrap();
        assert_eq!(transaction.refused(), None);
        assert!(transaction.set(0, "x", Some(fields(1))).is_err());
        assert_eq!(transaction.refused(), Some("a write to /a/x where only reading is allowed"));
    }

    proptest! {
        /// The delta of the journal is that of a full comparison.
        #[test]
        fn the_journal_agrees_with_a_full_comparison(writes in prop::collection::vec((0_u8..4, prop::option::of(0_i64..3)), 0..8), more in prop::collection::vec((0_u8..4, prop::option::of(0_i64..3)), 0..8)) {
            let apply = |state: &State, writes: &[(u8, Option<i64>)]| {
                let mut transaction = Transaction::new(state.clone(), Access::Write);
                for (key, n) in writes {
                    transaction.set(0, &key.to_string(), n.map(fields)).unwrap();
                }
                commit(state.clone(), transaction.changes())
            };
            let (start, _) = apply(&empty(), &writes);
            let (end, delta) = apply(&start, &more);
            prop_assert_eq!(start.changes_to(&end), delta);
        }

        /// The incremental sum equals the sum of the same entities written at once in another order.
        #[test]
        fn the_sum_depends_on_content_alone(writes in prop::collection::vec((0_usize..2, 0_u8..5, prop::option::of(0_i64..3)), 0..24)) {
            let mut state = empty();
            let mut plain: BTreeMap<(usize, String), i64> = BTreeMap::new();
            for (slot, key, n) in writes {
                let key = key.to_string();
                let mut transaction = Transaction::new(state.clone(), Access::Write);
                transaction.set(slot, &key, n.map(fields)).unwrap();
                let changes = transaction.changes();
                state = commit(state, changes).0;
                match n {
                    Some(n) => plain.insert((slot, key), n),
                    None => plain.remove(&(slot, key)),
                };
            }
            let mut fresh = empty();
            for ((slot, key), n) in plain.iter().rev() {
                fresh.set(*slot, &Key::from(key.as_str()), Some(fields(*n)));
            }
            prop_assert_eq!(state.sum(), fresh.sum());
            prop_assert_eq!(state.to_json(), fresh.to_json());
        }
    }
}
