//! The state: named collections of entities in persistent maps, so that a fork costs nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use imbl::OrdMap;
use serde_json::{Map, Value};

use super::sum::Sum;
use crate::model::canonical::{self, Hash};
use crate::model::delta::Delta;
use crate::model::environment_file::SlotKind;
use crate::model::pointer;

/// The key of an entity. Short keys stand in the map itself, so that copying a path of a large map
/// touches no memory elsewhere.
pub type Key = compact_str::CompactString;

/// The fields of an entity.
pub type Fields = Map<String, Value>;

/// The key under which a record stands in its slot.
pub const RECORD_KEY: &str = "";

/// The names and kinds of a state's parts, shared by all states of an environment.
#[derive(Debug, PartialEq, Eq)]
pub struct Shape {
    /// The parts, sorted by name.
    pub slots: Vec<SlotShape>,
}

/// The name and kind of one part of a state.
#[derive(Debug, PartialEq, Eq)]
pub struct SlotShape {
    /// Its name in paths and scripts.
    pub name: String,
    /// A collection or a record.
    pub kind: SlotKind,
    /// For a collection: the field that repeats the key.
    pub key: Option<String>,
}

impl Shape {
    /// The position of the part called `name`.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.slots.binary_search_by(|slot| slot.name.as_str().cmp(name)).ok()
    }
}

/// An entity with the hash of its path and fields, once somebody has asked for it.
#[derive(Debug)]
pub struct Entity {
    fields: Fields,
    sum: OnceLock<Sum>,
}

/// As many entities may be written to before they are hashed. To hash one takes longer than to write it, and what is
/// written to again before a state's sum is asked for need not be hashed in between.
const MOST_UNSUMMED: usize = 32;

/// Entities as they were when the sum was last brought up, by part and key.
type Unsummed = BTreeMap<(usize, Key), Option<Arc<Entity>>>;

impl Entity {
    /// Its fields.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }
}

/// A committed state. Cloning it (a fork) copies six pointers and a sum.
#[derive(Clone, Debug)]
pub struct State {
    shape: Arc<Shape>,
    slots: Arc<Vec<OrdMap<Key, Arc<Entity>>>>,
    clock: i64,
    progress: Arc<Vec<EventProgress>>,
    /// The sum of each part, but for the entities of `unsummed`.
    sums: Arc<Vec<Sum>>,
    /// The sum of the clock and the events.
    moving: Sum,
    unsummed: Arc<Unsummed>,
    /// The published hash, once it was asked for; forks have it as long as they hold the same.
    hash: Arc<OnceLock<Hash>>,
}

/// How far a deterministic event has come; part of the state, so that a fork keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventProgress {
    /// Successful calls since it was armed; `None` while it is not armed.
    pub calls_since_armed: Option<u32>,
    /// Whether it has fired.
    pub fired: bool,
}

impl State {
    /// The state without entities, with the clock at `clock` seconds after 1970.
    pub fn empty(shape: Arc<Shape>, clock: i64, progress: Vec<EventProgress>) -> Self {
        let slots = Arc::new(shape.slots.iter().map(|_| OrdMap::new()).collect());
        let sums = Arc::new(vec![Sum::default(); shape.slots.len()]);
        let moving = moving_sum(clock, &progress);
        State {
            shape,
            slots,
            clock,
            progress: Arc::new(progress),
            sums,
            moving,
            unsummed: Arc::default(),
            hash: Arc::default(),
        }
    }

    /// The names and kinds of its parts.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// The virtual clock, in seconds after 1970.
    pub fn clock(&self) -> i64 {
        self.clock
    }

    /// How far the environment's events have come.
    pub fn progress(&self) -> &[EventProgress] {
        &self.progress
    }

    /// The same state at another time or with other event progress.
    #[must_use]
    pub fn moved(mut self, clock: i64, progress: Vec<EventProgress>) -> Self {
        if *self.progress != progress {
            self.progress = Arc::new(progress);
        } else if self.clock == clock {
            return self;
        }
        self.clock = clock;
        self.moving = moving_sum(clock, &self.progress);
        self
    }

    /// The hash of the clock and of how far events have come.
    pub(super) fn moving(&self) -> Sum {
        self.moving
    }

    /// The fields of an entity (or of a record, under [`RECORD_KEY`]).
    pub fn get(&self, slot: usize, key: &str) -> Option<&Fields> {
        self.entity(slot, key).map(|entity| &entity.fields)
    }

    pub(super) fn entity(&self, slot: usize, key: &str) -> Option<&Arc<Entity>> {
        self.slots.get(slot)?.get(key)
    }

    /// The entities of a part in key order.
    pub fn entities(&self, slot: usize) -> impl Iterator<Item = (&Key, &Fields)> {
        self.slots.get(slot).into_iter().flatten().map(|(key, entity)| (key, &entity.fields))
    }

    /// How many entities a part holds.
    pub fn len(&self, slot: usize) -> usize {
        self.slots.get(slot).map_or(0, OrdMap::len)
    }

    /// How many entities there are in all, records included.
    pub fn entity_count(&self) -> usize {
        self.slots.iter().map(OrdMap::len).sum()
    }

    /// Puts, replaces or (with `None`) removes an entity.
    pub(super) fn set(&mut self, slot: usize, key: &Key, fields: Option<Fields>) {
        self.put(slot, key, fields.map(|fields| Arc::new(Entity { fields, sum: OnceLock::new() })));
    }

    /// The same for an entity that other states hold.
    pub(super) fn put(&mut self, slot: usize, key: &Key, entity: Option<Arc<Entity>>) {
        let Some(map) = Arc::make_mut(&mut self.slots).get_mut(slot) else { return };
        match Arc::get_mut(&mut self.hash) {
            Some(hash) => drop(hash.take()),
            None => self.hash = Arc::default(),
        }
        let before = match entity {
            None => map.remove(key),
            Some(entity) => map.insert(key.clone(), entity),
        };
        Arc::make_mut(&mut self.unsummed).entry((slot, key.clone())).or_insert(before);
        if self.unsummed.len() > MOST_UNSUMMED {
            self.settle();
        }
    }

    /// Whether two states share all that they hold; equal states need not.
    pub(super) fn is_same(&self, other: &State) -> bool {
        Arc::ptr_eq(&self.slots, &other.slots) && self.moving == other.moving
    }

    /// Brings its sums up, for a state whose sum is asked for more than once.
    pub(super) fn settle(&mut self) {
        if !self.unsummed.is_empty() {
            let sums = (0..self.slots.len()).map(|slot| self.sum_of_part(slot)).collect();
            self.sums = Arc::new(sums);
            self.unsummed = Arc::default();
        }
    }

    /// The order-free hash of everything that can change.
    ///
    /// Equal states have equal sums; it is meant for deduplication and change detection. For a hash
    /// that is published, take [`State::hash`].
    pub fn sum(&self) -> Sum {
        let mut sum = self.moving;
        self.sums.iter().for_each(|part| sum += *part);
        self.add_unsummed(self.unsummed.iter(), sum)
    }

    /// The order-free hash of the entities of a part.
    pub(super) fn sum_of_part(&self, slot: usize) -> Sum {
        let first = (slot, Key::default());
        let of_part = self.unsummed.range(first..).take_while(|((part, _), _)| *part == slot);
        self.add_unsummed(of_part, self.sums.get(slot).copied().unwrap_or_default())
    }

    /// The hash of an entity, if it is there.
    pub(super) fn sum_of(&self, slot: usize, key: &str) -> Option<Sum> {
        self.entity(slot, key).map(|entity| self.entity_sum(slot, key, entity))
    }

    fn add_unsummed<'a>(
        &'a self,
        unsummed: impl Iterator<Item = (&'a (usize, Key), &'a Option<Arc<Entity>>)>,
        mut sum: Sum,
    ) -> Sum {
        for ((slot, key), before) in unsummed {
            if let Some(before) = before {
                sum -= self.entity_sum(*slot, key, before);
            }
            if let Some(now) = self.entity(*slot, key) {
                sum += self.entity_sum(*slot, key, now);
            }
        }
        sum
    }

    fn entity_sum(&self, slot: usize, key: &str, entity: &Entity) -> Sum {
        let name = self.shape.slots.get(slot).map_or("", |shape| shape.name.as_str());
        *entity.sum.get_or_init(|| entity_sum(name, key, &entity.fields))
    }

    /// SHA-256 over the canonical JSON of the whole state (entities only, without the clock).
    pub fn hash(&self) -> Hash {
        *self.hash.get_or_init(|| Hash::of(&self.to_json()))
    }

    /// Whether its published hash is known already.
    pub(crate) fn is_hashed(&self) -> bool {
        self.hash.get().is_some()
    }

    /// The whole state as one JSON object.
    pub fn to_json(&self) -> Value {
        let parts = self.shape.slots.iter().zip(self.slots.iter()).map(|(shape, map)| {
            let value = match shape.kind {
                SlotKind::Record => map.get(RECORD_KEY).map_or(Value::Null, |e| Value::Object(e.fields.clone())),
                SlotKind::Collection => {
                    map.iter().map(|(key, e)| (key.to_string(), Value::Object(e.fields.clone()))).collect()
                }
            };
            (shape.name.clone(), value)
        });
        Value::Object(parts.collect())
    }

    /// The value at a JSON Pointer split into segments, e.g. `["rooms", "101", "status"]`.
    pub fn at(&self, segments: &[String]) -> Option<Value> {
        let (name, rest) = segments.split_first()?;
        let slot = self.shape.index(name)?;
        let shape = self.shape.slots.get(slot)?;
        let (fields, rest) = match shape.kind {
            SlotKind::Record => (self.get(slot, RECORD_KEY)?, rest),
            SlotKind::Collection => {
                let (key, rest) = rest.split_first()?;
                (self.get(slot, key)?, rest)
            }
        };
        let Some((field, rest)) = rest.split_first() else { return Some(Value::Object(fields.clone())) };
        fields.get(field)?.pointer(&pointer::join(rest.iter().map(String::as_str))).cloned()
    }

    /// What differs between it and another state of its environment, as if calls had led from one to the other.
    pub fn changes_to(&self, later: &State) -> Delta {
        let mut delta = Delta::default();
        for (shape, (own, others)) in self.shape.slots.iter().zip(self.slots.iter().zip(later.slots.iter())) {
            if own.ptr_eq(others) {
                continue;
            }
            for (key, before) in own {
                let after = others.get(key);
                if !after.is_some_and(|after| Arc::ptr_eq(before, after)) {
                    delta.add(&entity_path(shape, key), Some(&before.fields), after.map(|after| &after.fields));
                }
            }
            for (key, after) in others.iter().filter(|(key, _)| !own.contains_key(*key)) {
                delta.add(&entity_path(shape, key), None, Some(&after.fields));
            }
        }
        delta
    }
}

/// The pointer of an entity: `/rooms/101`, or `/settings` for a record.
pub fn entity_path(shape: &SlotShape, key: &str) -> String {
    match shape.kind {
        SlotKind::Collection => pointer::join([shape.name.as_str(), key]),
        SlotKind::Record => pointer::join([shape.name.as_str()]),
    }
}

fn moving_sum(clock: i64, progress: &[EventProgress]) -> Sum {
    let mut text = format!("clock {clock} events ");
    for (index, progress) in progress.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        match (progress.fired, progress.calls_since_armed) {
            (true, _) => text.push_str("fired"),
            (false, None) => text.push_str("unarmed"),
            (false, Some(calls)) => text.push_str(&calls.to_string()),
        }
    }
    Sum::of(&text)
}

fn entity_sum(slot: &str, key: &str, fields: &Fields) -> Sum {
    let mut text = String::with_capacity(512);
    for part in [slot, key] {
        text.push_str(part);
        text.push('\0');
    }
    canonical::write_map(fields, &mut text);
    Sum::of(&text)
}
