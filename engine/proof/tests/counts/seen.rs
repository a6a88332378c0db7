//! What one call did, read from the states before and after it: neither scripts nor the engine's own delta are asked.

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, tz::TimeZone};
use probity_engine::{Fields, State, Stepped, ToolCall};
use serde_json::Value;

/// Fields of entities, arguments and observations. What is not there is nought, or no text.
pub trait Told {
    fn field(&self, name: &str) -> &Value;

    fn n(&self, name: &str) -> i64 {
        self.field(name).as_i64().unwrap_or_default()
    }

    fn s(&self, name: &str) -> &str {
        self.field(name).as_str().unwrap_or_default()
    }

    fn is(&self, name: &str, text: &str) -> bool {
        self.s(name) == text
    }

    fn has(&self, name: &str) -> bool {
        !self.field(name).is_null()
    }

    /// The day of a date or of a moment.
    fn day(&self, name: &str) -> Date {
        let text = self.s(name);
        text.get(..10).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("`{name}` is `{text}`"))
    }

    fn list(&self, name: &str) -> &[Value] {
        self.field(name).as_array().map_or(&[], Vec::as_slice)
    }

    /// Whether a list of texts has this one.
    fn lists(&self, name: &str, text: &str) -> bool {
        self.list(name).iter().any(|one| one == text)
    }
}

impl Told for Fields {
    fn field(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

impl Told for Value {
    fn field(&self, name: &str) -> &Value {
        &self[name]
    }
}

/// Days from one to another; less than nought when the other is earlier.
pub fn days(from: Date, to: Date) -> i64 {
    from.until(to).unwrap().get_days().into()
}

/// An entity with its key.
type Row<'a> = (&'a str, &'a Fields);

/// Entities of one collection.
#[derive(Clone, Default)]
pub struct Rows<'a>(Vec<Row<'a>>);

impl<'a> Rows<'a> {
    pub fn of(&self, field: &str, text: &str) -> Rows<'a> {
        self.having(|row| row.is(field, text))
    }

    pub fn having(&self, holds: impl Fn(&Fields) -> bool) -> Rows<'a> {
        Rows(self.0.iter().copied().filter(|(_, row)| holds(row)).collect())
    }

    pub fn count(&self) -> i64 {
        self.0.len().try_into().unwrap()
    }

    pub fn sum(&self, field: &str) -> i64 {
        self.total(|row| row.n(field))
    }

    pub fn total(&self, value: impl Fn(&'a Fields) -> i64) -> i64 {
        self.iter().map(value).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = &'a Fields> {
        self.0.iter().map(|(_, row)| *row)
    }

    /// What two numbers are for each of them.
    pub fn each(&self, pair: impl Fn(&'a Fields) -> (i64, i64)) -> Vec<Pair> {
        let named = |(key, row): &Row<'a>| {
            let (one, other) = pair(row);
            Pair { what: (*key).to_owned(), one, other }
        };
        self.0.iter().map(named).collect()
    }
}

/// Two numbers that are counted, and of what.
#[derive(Clone)]
pub struct Pair {
    pub what: String,
    pub one: i64,
    pub other: i64,
}

pub fn alone(one: i64, other: i64) -> Vec<Pair> {
    vec![Pair { what: String::new(), one, other }]
}

/// What became of a collection: those that came, went and changed.
#[derive(Default)]
struct Change<'a> {
    new: Rows<'a>,
    gone: Rows<'a>,
    /// As they were and as they are.
    changed: Vec<(Row<'a>, &'a Fields)>,
}

pub struct Seen<'a> {
    before: &'a State,
    after: &'a State,
    pub call: &'a ToolCall,
    /// What the caller got back; nothing where the call was refused.
    pub got: Option<&'a Value>,
    /// Whether something happened by itself before the call.
    pub has_fired: bool,
    changes: Vec<Change<'a>>,
}

impl<'a> Seen<'a> {
    pub fn of(before: &'a State, call: &'a ToolCall, stepped: &'a Stepped) -> Self {
        let after = &stepped.after;
        let changes = (0..after.shape().slots.len()).map(|slot| change(before, after, slot)).collect();
        let got = stepped.result.as_ref().ok().map(|applied| &applied.observation);
        Seen { before, after, call, got, has_fired: !stepped.fired.is_empty(), changes }
    }

    fn slot(&self, collection: &str) -> usize {
        self.after.shape().index(collection).unwrap_or_else(|| panic!("there are no `{collection}`"))
    }

    /// An argument of the call.
    pub fn asked(&self) -> &'a Value {
        &self.call.arguments
    }

    /// All as they are after the call.
    pub fn all(&self, collection: &str) -> Rows<'a> {
        rows(self.after, self.slot(collection))
    }

    /// All as they were before.
    pub fn earlier(&self, collection: &str) -> Rows<'a> {
        rows(self.before, self.slot(collection))
    }

    pub fn added(&self, collection: &str) -> Rows<'a> {
        self.changes[self.slot(collection)].new.clone()
    }

    pub fn gone(&self, collection: &str) -> Rows<'a> {
        self.changes[self.slot(collection)].gone.clone()
    }

    /// Those that changed or came, as they are.
    pub fn touched(&self, collection: &str) -> Rows<'a> {
        let Change { new, changed, .. } = &self.changes[self.slot(collection)];
        Rows(changed.iter().map(|((key, _), now)| (*key, *now)).chain(new.0.iter().copied()).collect())
    }

    /// What two numbers are for each that changed, as it was and as it is.
    pub fn changed(&self, collection: &str, pair: impl Fn(&'a Fields, &'a Fields) -> (i64, i64)) -> Vec<Pair> {
        let named = |((key, was), now): &(Row<'a>, &'a Fields)| {
            let (one, other) = pair(was, now);
            Pair { what: (*key).to_owned(), one, other }
        };
        self.changes[self.slot(collection)].changed.iter().map(named).collect()
    }

    /// Those whose field says this now and did not before.
    pub fn turned(&self, collection: &str, field: &str, text: &str) -> Rows<'a> {
        let mut turned = self.became(collection, |row| row.is(field, text));
        turned.0.extend(self.added(collection).of(field, text).0);
        turned
    }

    /// Those that changed, of which something holds now that did not before.
    pub fn became(&self, collection: &str, holds: impl Fn(&Fields) -> bool) -> Rows<'a> {
        let changed = self.changes[self.slot(collection)].changed.iter();
        let became = changed.filter(|((_, was), now)| holds(now) && !holds(was));
        Rows(became.map(|((key, _), now)| (*key, *now)).collect())
    }

    /// Those whose field said this before and does not now.
    pub fn left(&self, collection: &str, field: &str, text: &str) -> Rows<'a> {
        let Change { gone, changed, .. } = &self.changes[self.slot(collection)];
        let left = changed.iter().filter(|((_, was), now)| was.is(field, text) && !now.is(field, text));
        Rows(left.map(|(was, _)| *was).chain(gone.of(field, text).0).collect())
    }

    /// One as it is.
    pub fn one(&self, collection: &str, key: &str) -> &'a Fields {
        self.after.get(self.slot(collection), key).unwrap_or_else(|| panic!("`{collection}` has no `{key}`"))
    }

    /// One as it was.
    pub fn was(&self, collection: &str, key: &str) -> &'a Fields {
        self.before.get(self.slot(collection), key).unwrap_or_else(|| panic!("`{collection}` had no `{key}`"))
    }

    /// By how much a field of one has grown: nought where it did not change.
    pub fn grown(&self, collection: &str, key: &str, field: &str) -> i64 {
        let mut changed = self.changes[self.slot(collection)].changed.iter();
        changed.find(|((one, _), _)| *one == key).map_or(0, |((_, was), now)| now.n(field) - was.n(field))
    }

    /// How many have changed or gone of a collection that is only added to.
    pub fn tampered(&self, collection: &str) -> Vec<Pair> {
        let Change { gone, changed, .. } = &self.changes[self.slot(collection)];
        alone(gone.count() + i64::try_from(changed.len()).unwrap(), 0)
    }

    /// How many entities came, went or changed in all.
    pub fn differences(&self) -> i64 {
        let of = |change: &Change| change.new.0.len() + change.gone.0.len() + change.changed.len();
        self.changes.iter().map(of).sum::<usize>().try_into().unwrap()
    }

    /// The clock, in seconds after 1970.
    pub fn now(&self) -> i64 {
        self.after.clock()
    }

    /// The day of the clock.
    pub fn today(&self) -> Date {
        Timestamp::from_second(self.now()).unwrap().to_zoned(TimeZone::UTC).date()
    }
}

/// The seconds after 1970 of a moment; on the last day of the calendar as well.
pub fn moment(text: &str) -> i64 {
    let local = text.trim_end_matches('Z').parse::<DateTime>().unwrap_or_else(|error| panic!("{text}: {error}"));
    local.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_secs()
}

fn rows(state: &State, slot: usize) -> Rows<'_> {
    Rows(state.entities(slot).map(|(key, row)| (key.as_str(), row)).collect())
}

fn change<'a>(before: &'a State, after: &'a State, slot: usize) -> Change<'a> {
    let mut change = Change::default();
    for (key, now) in rows(after, slot).0 {
        match before.get(slot, key) {
            None => change.new.0.push((key, now)),
            Some(was) if std::ptr::eq(was, now) || was == now => {}
            Some(was) => change.changed.push(((key, was), now)),
        }
    }
    // What is there once and not twice is looked for only where the numbers say that there is such.
    if after.len(slot) != before.len(slot) + change.new.0.len() {
        change.gone = rows(before, slot);
        change.gone.0.retain(|(key, _)| after.get(slot, key).is_none());
    }
    change
}
