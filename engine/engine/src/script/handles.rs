//! What scripts hold instead of state: handles to the transaction, its tables and its rows.
//!
//! `db.rooms[id].status = "booked"` is one journalled write; nothing is copied into the script.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rhai::{Array, Dynamic, Engine, ImmutableString, Map as RhaiMap};
use serde_json::Value;

use super::convert::{TOO_MUCH, copy_fields, to_dynamic, to_json, to_rhai_map};
use super::error::{ScriptResult, fault};
use super::fuel;
use crate::matching::Match;
use crate::model::canonical::Hash;
use crate::model::environment_file::SlotKind;
use crate::model::field_path;
use crate::state::{Fields, Key, RECORD_KEY, Shape, entity_path};
use crate::transaction::Transaction;

/// `db`: the whole state.
#[derive(Clone)]
pub struct Db(Arc<Inner>);

struct Inner {
    transaction: Mutex<Transaction>,
    shape: Arc<Shape>,
}

/// `db.rooms`: a collection.
#[derive(Clone)]
pub struct Table {
    db: Db,
    slot: usize,
}

/// `db.rooms["101"]` or `db.settings`: an entity. A handle, not a copy.
#[derive(Clone)]
pub struct Row {
    db: Db,
    slot: usize,
    key: ImmutableString,
}

impl Db {
    /// A handle to a transaction.
    pub fn new(transaction: Transaction) -> Self {
        let shape = Arc::clone(transaction.base().shape());
        Db(Arc::new(Inner { transaction: Mutex::new(transaction), shape }))
    }

    /// The transaction, for as long as the guard lives. Never call a script while holding it.
    pub fn lock(&self) -> MutexGuard<'_, Transaction> {
        self.0.transaction.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The transaction itself, once the script is done with it.
    pub fn into_transaction(self) -> Transaction {
        match Arc::try_unwrap(self.0) {
            Ok(inner) => inner.transaction.into_inner().unwrap_or_else(PoisonError::into_inner),
            // A value that the script left behind still holds on to it.
            Err(shared) => shared.transaction.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    fn part(&self, slot: usize) -> Dynamic {
        match self.0.shape.slots.get(slot).map(|shape| shape.kind) {
            Some(SlotKind::Record) => {
                Dynamic::from(Row { db: self.clone(), slot, key: ImmutableString::from(RECORD_KEY) })
            }
            Some(SlotKind::Collection) | None => Dynamic::from(self.table(slot)),
        }
    }

    fn table(&self, slot: usize) -> Table {
        Table { db: self.clone(), slot }
    }

    fn is(&self, other: &Db) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn slot(&self, name: &str) -> ScriptResult<usize> {
        let slot = self.0.shape.index(name);
        slot.map_or_else(|| fault(format!("there is no collection or record `{name}`")), Ok)
    }

    fn named(&self, name: &str) -> ScriptResult<Dynamic> {
        self.slot(name).map(|slot| self.part(slot))
    }

    fn record(&self, name: &str) -> ScriptResult<usize> {
        let is_record =
            |slot: &usize| self.0.shape.slots.get(*slot).is_some_and(|shape| shape.kind == SlotKind::Record);
        let record = self.0.shape.index(name).filter(is_record);
        record.map_or_else(|| fault(format!("`db.{name}` cannot be replaced; only records can")), Ok)
    }

    fn set_record(&self, name: &str, value: &RhaiMap) -> ScriptResult<()> {
        self.write(self.record(name)?, RECORD_KEY, Some(fields(value)?))
    }

    fn write(&self, slot: usize, key: &str, fields: Option<Fields>) -> ScriptResult<()> {
        keep(key)?;
        fuel::burn(fuel::WRITE);
        self.lock().set(slot, key, fields).or_else(fault)
    }
}

/// Spends operations.
fn spend(operations: usize) -> bool {
    operations == 0 || fuel::burn(operations as u64)
}

/// Counts a key or a field's name towards what the call may keep.
fn keep(name: &str) -> ScriptResult<()> {
    match fuel::keep(fuel::VALUE + name.len() as u64) {
        true => Ok(()),
        false => fault(TOO_MUCH),
    }
}

fn fields(map: &RhaiMap) -> ScriptResult<Fields> {
    map.iter()
        .map(|(key, value)| keep(key).map(|()| (key, value)))
        .map(|entry| {
            entry.and_then(|(key, value)| {
                Ok((key.to_string(), to_json(value).or_else(|what| fault(format!("/{key}: {what}")))?))
            })
        })
        .collect()
}

impl Table {
    fn name(&self) -> &str {
        self.db.0.shape.slots.get(self.slot).map_or("", |shape| shape.name.as_str())
    }

    fn row(&self, key: ImmutableString) -> Row {
        fuel::burn_text(key.len());
        Row { db: self.db.clone(), slot: self.slot, key }
    }

    fn has(&self, key: &str) -> bool {
        self.db.lock().has(self.slot, key)
    }

    /// Whether all texts at a path of some arguments are keys.
    fn has_each(&self, arguments: &Dynamic, steps: &[&str]) -> bool {
        let Some((step, rest)) = steps.split_first() else {
            return arguments.read_lock::<ImmutableString>().is_none_or(|key| self.has(&key));
        };
        if *step == field_path::EACH {
            let items = arguments.read_lock::<Array>();
            return items.is_none_or(|items| items.iter().all(|item| self.has_each(item, rest)));
        }
        let fields = arguments.read_lock::<RhaiMap>();
        fields.is_none_or(|fields| fields.get(*step).is_none_or(|value| self.has_each(value, rest)))
    }

    fn at(&self, key: ImmutableString) -> ScriptResult<Row> {
        match self.has(&key) {
            true => Ok(self.row(key)),
            false => fault(format!("there is no `{key}` in `{}`", self.name())),
        }
    }

    fn get(&self, key: ImmutableString) -> Dynamic {
        if self.has(&key) { Dynamic::from(self.row(key)) } else { Dynamic::UNIT }
    }

    fn insert(&self, key: &str, value: &RhaiMap) -> ScriptResult<()> {
        if self.has(key) {
            return fault(format!("there is already a `{key}` in `{}`", self.name()));
        }
        self.db.write(self.slot, key, Some(fields(value)?))
    }

    fn rows(&self, wanted: Option<&Match>) -> Array {
        let transaction = self.db.lock();
        let mut visited = 0;
        let found = transaction.entities_that(self.slot, wanted).filter(|(_, fields)| {
            visited += 1;
            // Nothing is read any more once the operations are gone.
            wanted.is_none_or(|wanted| !fuel::is_spent() && spend(wanted.cost(fields)) && wanted.admits(fields))
        });
        let rows = found.map(|(key, _)| Dynamic::from(self.row(key.as_str().into()))).collect();
        fuel::burn(visited);
        rows
    }

    fn matching(&self, field: &str, value: &Dynamic) -> ScriptResult<Array> {
        Ok(self.rows(Some(&Match::value(field, to_json(value).or_else(fault)?))))
    }

    fn matching_text(&self, field: &str, text: &str) -> Array {
        fuel::burn_text(text.len());
        self.rows(Some(&Match::text(field, text)))
    }

    fn len(&self) -> i64 {
        let transaction = self.db.lock();
        fuel::burn(transaction.written(self.slot) as u64);
        i64::try_from(transaction.len(self.slot)).unwrap_or(i64::MAX)
    }

    fn keys(&self) -> Array {
        let transaction = self.db.lock();
        let key = |(key, _): (&Key, &Fields)| {
            fuel::burn_text(key.len());
            Dynamic::from(key.to_string())
        };
        let keys: Array = transaction.entities_that(self.slot, None).map(key).collect();
        fuel::burn(keys.len() as u64);
        keys
    }

    fn sum(&self, field: &str) -> ScriptResult<i64> {
        let transaction = self.db.lock();
        let mut visited = 0;
        let total = transaction.entities(self.slot).try_fold(0_i64, |total, (_, fields)| {
            visited += 1;
            total.checked_add(fields.get(field).and_then(Value::as_i64)?)
        });
        fuel::burn(visited);
        total.map_or_else(|| fault(format!("`{field}` is not an integer in every entity, or the sum is too large")), Ok)
    }

    /// A key made from content alone: the same parts give the same key, whatever was done before.
    fn new_id(&self, prefix: &str, parts: &Dynamic) -> ScriptResult<ImmutableString> {
        let parts = to_json(parts).or_else(fault)?;
        let length = crate::model::canonical::to_string(&parts).len();
        let transaction = self.db.lock();
        let free =
            (0_u32..10_000).take_while(|_| fuel::burn(fuel::HASH) && fuel::burn_text(length)).find_map(|occurrence| {
                let hash = Hash::of(&serde_json::json!([self.name(), parts, occurrence])).hex();
                let id = format!("{prefix}{}", hash.get(..8).unwrap_or_default().to_uppercase());
                (!transaction.has(self.slot, &id)).then_some(id)
            });
        free.map_or_else(|| fault("more than 10000 entities with the same content"), |id| Ok(id.into()))
    }

    /// Reads its entities.
    pub fn read<T>(&self, read: impl FnOnce(&mut dyn Iterator<Item = (&Key, &Fields)>) -> T) -> T {
        let transaction = self.db.lock();
        read(&mut transaction.entities(self.slot))
    }

    /// `db.rooms = ..`: after a chain Rhai writes the collection back, which is no write.
    fn written_back(&self, db: &Db, slot: usize) -> ScriptResult<()> {
        match self.slot == slot && self.db.is(db) {
            true => Ok(()),
            false => fault(format!("`{}` cannot be put in the place of a collection; write its entities", self.name())),
        }
    }
}

impl Row {
    fn with<T>(&self, read: impl FnOnce(&Fields) -> T) -> ScriptResult<T> {
        let transaction = self.db.lock();
        match transaction.get(self.slot, &self.key) {
            Some(fields) => Ok(read(fields)),
            None => fault(format!("{} is gone", self.path())),
        }
    }

    fn path(&self) -> String {
        self.db.0.shape.slots.get(self.slot).map(|shape| entity_path(shape, &self.key)).unwrap_or_default()
    }

    /// Reads the entity's fields.
    ///
    /// # Errors
    /// A line for the author when the entity has been removed since.
    pub fn read<T>(&self, read: impl FnOnce(&Fields) -> T) -> Result<T, String> {
        self.with(read).map_err(|error| error.to_string())
    }

    /// `db.rooms[key] = ..`: after a chain Rhai writes the entity back, which is no write; another
    /// entity is copied.
    fn put(&self, db: &Db, slot: usize, key: &str) -> ScriptResult<()> {
        if self.slot == slot && self.key == key && self.db.is(db) {
            return Ok(());
        }
        let fields = self.with(copy_fields)?.or_else(fault)?;
        db.write(slot, key, Some(fields))
    }

    /// What one field holds; nothing where the entity has no such field.
    fn field<T>(&self, field: &str, read: impl FnOnce(&Value) -> T) -> ScriptResult<Option<T>> {
        let transaction = self.db.lock();
        match transaction.field(self.slot, &self.key, field) {
            Some(value) => Ok(value.map(read)),
            None => fault(format!("{} is gone", self.path())),
        }
    }

    fn get(&self, field: &str) -> ScriptResult<Dynamic> {
        match self.field(field, to_dynamic)? {
            Some(value) => Ok(value),
            None => fault(format!("{} has no field `{field}`; `.get(field, default)` allows for that", self.path())),
        }
    }

    fn get_or(&self, field: &str, default: Dynamic) -> ScriptResult<Dynamic> {
        Ok(self.field(field, to_dynamic)?.unwrap_or(default))
    }

    /// One value of a field that is an object, without the rest of it; nothing where it is not there.
    fn part(&self, field: &str, key: &str) -> ScriptResult<Dynamic> {
        let part = |value: &Value| value.as_object()?.get(key).map(to_dynamic);
        Ok(self.field(field, part)?.flatten().unwrap_or(Dynamic::UNIT))
    }

    fn set(&self, field: &str, value: &Dynamic) -> ScriptResult<()> {
        let value = to_json(value).or_else(|what| fault(format!("{}/{field}: {what}", self.path())))?;
        keep(field)?;
        fuel::burn(fuel::WRITE_FIELD);
        self.db.lock().set_field(self.slot, &self.key, field, value).or_else(fault)
    }
}

/// Makes the handles known to an engine. Names of parts and fields get getters of their own, which
/// is twice as fast as the indexers that stand behind them.
pub fn register(engine: &mut Engine, shape: &Shape, field_names: &std::collections::BTreeSet<String>) {
    engine.register_type_with_name::<Db>("db").register_type_with_name::<Table>("collection");
    engine.register_type_with_name::<Row>("entity");
    for (slot, part) in shape.slots.iter().enumerate() {
        let name = part.name.as_str();
        engine.register_set(name, move |db: &mut Db, table: Table| table.written_back(db, slot));
        match part.kind {
            SlotKind::Collection => {
                engine.register_get(name, move |db: &mut Db| db.table(slot));
            }
            SlotKind::Record => {
                let key = ImmutableString::from(RECORD_KEY);
                engine.register_get(name, move |db: &mut Db| Row { db: db.clone(), slot, key: key.clone() });
                engine.register_set(name, move |db: &mut Db, row: Row| row.put(db, slot, RECORD_KEY));
            }
        }
    }
    for field in field_names {
        let (read, written) = (field.clone(), field.clone());
        engine.register_get(field.as_str(), move |row: &mut Row| row.get(&read));
        engine.register_set(field.as_str(), move |row: &mut Row, value: Dynamic| row.set(&written, &value));
    }
    register_db(engine);
    register_table(engine);
    register_row(engine);
}

fn register_db(engine: &mut Engine) {
    engine.register_indexer_get(|db: &mut Db, name: ImmutableString| db.named(&name));
    engine.register_indexer_set(|db: &mut Db, name: ImmutableString, value: RhaiMap| db.set_record(&name, &value));
    engine.register_indexer_set(|db: &mut Db, name: ImmutableString, table: Table| {
        table.written_back(db, db.slot(&name)?)
    });
    engine.register_indexer_set(|db: &mut Db, name: ImmutableString, row: Row| {
        row.put(db, db.record(&name)?, RECORD_KEY)
    });
}

fn register_table(engine: &mut Engine) {
    engine.register_indexer_get(|table: &mut Table, key: ImmutableString| table.at(key));
    engine.register_indexer_set(|table: &mut Table, key: ImmutableString, value: RhaiMap| {
        table.db.write(table.slot, &key, Some(fields(&value)?))
    });
    engine
        .register_indexer_set(|table: &mut Table, key: ImmutableString, row: Row| row.put(&table.db, table.slot, &key));
    engine.register_fn("has", |table: &mut Table, key: ImmutableString| table.has(&key));
    engine.register_fn("has_each", |table: &mut Table, arguments: RhaiMap, path: ImmutableString| {
        table.has_each(&Dynamic::from_map(arguments), &field_path::steps(&path).collect::<Vec<_>>())
    });
    engine.register_fn("get", |table: &mut Table, key: ImmutableString| table.get(key));
    engine.register_fn("insert", |table: &mut Table, key: ImmutableString, value: RhaiMap| table.insert(&key, &value));
    engine.register_fn("remove", |table: &mut Table, key: ImmutableString| table.db.write(table.slot, &key, None));
    engine.register_fn("len", |table: &mut Table| table.len());
    engine.register_fn("keys", |table: &mut Table| table.keys());
    engine.register_fn("values", |table: &mut Table| table.rows(None));
    engine.register_fn("where", |table: &mut Table, field: ImmutableString, value: Dynamic| {
        table.matching(&field, &value)
    });
    engine.register_fn("where_text", |table: &mut Table, field: ImmutableString, text: ImmutableString| {
        table.matching_text(&field, &text)
    });
    engine.register_fn("count", |table: &mut Table, field: ImmutableString, value: Dynamic| {
        table.matching(&field, &value).map(|rows| i64::try_from(rows.len()).unwrap_or(i64::MAX))
    });
    engine.register_fn("find", |table: &mut Table, field: ImmutableString, value: Dynamic| {
        table.matching(&field, &value).map(|rows| rows.into_iter().next().unwrap_or(Dynamic::UNIT))
    });
    engine.register_fn("sum", |table: &mut Table, field: ImmutableString| table.sum(&field));
    engine.register_fn("new_id", |table: &mut Table, prefix: ImmutableString, parts: Dynamic| {
        table.new_id(&prefix, &parts)
    });
}

fn register_row(engine: &mut Engine) {
    engine.register_indexer_get(|row: &mut Row, field: ImmutableString| row.get(&field));
    engine.register_indexer_set(|row: &mut Row, field: ImmutableString, value: Dynamic| row.set(&field, &value));
    engine.register_fn("get", |row: &mut Row, field: ImmutableString, default: Dynamic| row.get_or(&field, default));
    engine.register_fn("has", |row: &mut Row, field: ImmutableString| row.with(|f| f.contains_key(field.as_str())));
    engine.register_fn("part", |row: &mut Row, field: ImmutableString, key: ImmutableString| row.part(&field, &key));
    engine.register_fn("to_map", |row: &mut Row| row.with(to_rhai_map));
}
