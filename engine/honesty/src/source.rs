//! What one source of an episode tells: the user's words of a turn, the brief, or an observation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use compact_str::{CompactString, format_compact};
use jiff::civil::Date;
use serde_json::{Map, Value};

use crate::desk::is_telling;
use probity_prose::lexicon::{is, lexicon};
use probity_prose::quantity::quantity_at;
use probity_prose::time::time_at;
use probity_prose::token::{is_cut, name_words, spaced, stem, tokens, word_at};
use probity_prose::{Amount, Calendar, Minutes, Quantity, Shape, Token, Unit, Wanted, WordClass, Words, date};

const MAX_SCALARS: usize = 50_000;
/// The longest text of a field that is kept as it is, in bytes.
const MAX_PLAIN: usize = 48;
/// Most text of one source that is read, in bytes.
const MAX_TEXT: usize = 1 << 20;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceKind {
    /// What the agent was told of the environment: title, summary, policy, tool descriptions.
    Brief,
    /// A turn of the user, with the facts it voices.
    User,
    /// What a call returned, or why it was refused.
    #[default]
    Observation,
}

/// A number, with the object and the field it stood in.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    pub quantity: Quantity,
    /// The innermost object or list around it; a text is one.
    pub place: usize,
    /// Its field, as a number of the source; a text is one.
    pub field: usize,
    /// Whether it stood there so, or is a normalised form of what did.
    pub is_original: bool,
}

impl Figure {
    /// Whether it may be meant by its number with a unit: half a year is no half hour.
    pub fn may_be(&self, unit: Option<Unit>) -> bool {
        self.is_original || unit.is_none() || self.quantity.unit.is_none_or(|own| Some(own) == unit)
    }
}

/// A field, its key read once.
#[derive(Clone, Debug)]
pub struct Field {
    pub key: CompactString,
    /// The key's words.
    pub words: Vec<CompactString>,
    /// Their stems.
    pub stems: Vec<CompactString>,
    /// The same without those that name a unit.
    telling: Vec<CompactString>,
    unit: Option<Unit>,
    is_day_of_month: bool,
}

impl Field {
    /// Whether it may hold amounts of money: `nights` counts something else.
    pub fn may_be_money(&self) -> bool {
        self.unit.is_none_or(|unit| matches!(unit, Unit::Money | Unit::Cents))
    }

    fn of(key: &str, units: &Units) -> Field {
        let words = name_words(key);
        let has = |part: &str| words.iter().any(|word| word == part);
        let stemmed = |word: &CompactString| CompactString::new(stem(word));
        Field {
            key: key.into(),
            stems: words.iter().map(stemmed).collect(),
            telling: words.iter().filter(|word| Unit::of_word(word).is_none()).map(stemmed).collect(),
            unit: units.get(key).copied().unwrap_or_else(|| words.iter().rev().find_map(|word| Unit::of_word(word))),
            is_day_of_month: has("day") && has("month"),
            words,
        }
    }
}

/// What a field has, where that is no object and no list.
#[derive(Clone, Debug)]
pub enum Plain {
    /// A number, or a text that is one.
    Number(Amount),
    /// Nothing in place of more than [`MAX_PLAIN`] bytes.
    Text(CompactString),
    /// `true` or `false`.
    Flag(bool),
}

impl Plain {
    /// The amount that it is, or that its text begins with.
    pub fn amount(&self) -> Option<Amount> {
        match self {
            Plain::Number(value) => Some(*value),
            Plain::Text(text) => quantity_at(&tokens(text), 0).map(|(_, quantity)| quantity.value),
            Plain::Flag(_) => None,
        }
    }

    /// It as it is told to people.
    pub fn text(&self) -> String {
        match self {
            Plain::Number(value) => value.plain(),
            Plain::Text(text) => text.to_string(),
            Plain::Flag(is) => is.to_string(),
        }
    }
}

/// Units of fields that schemas name, where the key does not say them.
pub type Units = Arc<BTreeMap<String, Option<Unit>>>;

/// What the fields of some tools are counted in, as their schemas name it.
pub fn units<'n>(named: impl IntoIterator<Item = (&'n String, &'n String)>) -> Units {
    Arc::new(named.into_iter().map(|(key, unit)| (key.clone(), Unit::named(unit))).collect())
}

#[derive(Clone, Debug, Default)]
pub struct Source {
    pub origin: SourceKind,
    /// All folded words, one blank around each, texts apart.
    pub text: String,
    /// The same as a set, with neighbours joined: `check out` is also `checkout`.
    pub words: Words,
    pub stems: Words,
    /// The keys' words: a name is known by them, an action is not.
    pub key_stems: Words,
    /// The numbers and their normalised forms.
    pub figures: Vec<Figure>,
    /// The days, with the object they stood in.
    pub dates: Vec<(Date, usize)>,
    /// Months named without a day.
    pub months: BTreeSet<(i16, i8)>,
    /// The times of day, with the object they stood in.
    pub times: Vec<(Minutes, usize)>,
    /// The lengths of its lists.
    pub counts: BTreeSet<i64>,
    /// Runs of at least six digits, whatever divides them: phone and card numbers.
    pub digits: BTreeSet<String>,
    /// Its numbers, short texts and truth values, each with the number of its field.
    pub plains: Vec<(usize, Plain)>,
    /// Whether it goes on behind what was read of it.
    pub is_cut: bool,
    /// Whether it tells of another zone than that of its times: `times are UTC; it is 10:30 (UTC+2)`, `CEST .. UTC`.
    pub has_zones: bool,
    /// The stems of the texts of each place.
    place_stems: Vec<Words>,
    places: usize,
    numbers: BTreeMap<CompactString, usize>,
    /// The fields, in the order of their numbers.
    fields: Vec<Arc<Field>>,
    scalars: usize,
    units: Units,
}

impl Source {
    pub fn new(origin: SourceKind) -> Source {
        Source { origin, text: " ".to_owned(), place_stems: vec![Words::default()], ..Source::default() }
    }

    /// What a call showed, of whose fields some have a unit.
    pub fn of_call(units: &Units) -> Source {
        Source { units: Arc::clone(units), ..Source::new(SourceKind::Observation) }
    }

    pub fn has_stem<'a>(&self, stem: impl Into<Wanted<'a>>) -> bool {
        self.stems.contains(stem)
    }

    /// The same, or one of its keys' words.
    pub fn has_any_stem<'a>(&self, stem: impl Into<Wanted<'a>>) -> bool {
        let stem = stem.into();
        self.stems.contains(stem) || self.key_stems.contains(stem)
    }

    /// The field with a number; nothing for a text.
    pub fn field(&self, number: usize) -> Option<&Arc<Field>> {
        self.fields.get(number.checked_sub(1)?)
    }

    /// Whether some words speak of the field of a number, or of the object it stands in.
    pub fn names(&self, figure: &Figure, stems: &[CompactString]) -> bool {
        self.field(figure.field).is_some_and(|field| field.telling.iter().any(|own| stems.contains(own)))
            || self.is_about(figure.place, stems)
    }

    /// Whether some words speak of an object of it and of few others.
    pub fn is_about(&self, place: usize, stems: &[CompactString]) -> bool {
        let Some(here) = self.place_stems.get(place) else { return false };
        let places = |own: Wanted| self.place_stems.iter().filter(|place| place.contains(own)).count();
        let is_rare = |own: Wanted| places(own) <= 1 + self.place_stems.len() / 4;
        stems.iter().map(Wanted::from).any(|own| here.contains(own) && is_rare(own))
    }

    fn new_place(&mut self) -> usize {
        self.places += 1;
        self.place_stems.resize_with(self.places + 1, Words::default);
        self.places
    }

    pub fn shown(value: &Value, calendar: &Calendar, units: &Units) -> Source {
        let mut source = Source::of_call(units);
        source.add_value("", value, calendar);
        source
    }

    pub fn add_text(&mut self, text: &str, calendar: &Calendar) {
        self.read(text, calendar, 0, 0);
    }

    /// Adds a value with everything in it; `key` names it, if anything does.
    pub fn add_value(&mut self, key: &str, value: &Value, calendar: &Calendar) {
        self.walk(value, key, self.places, calendar);
    }

    fn walk(&mut self, value: &Value, key: &str, place: usize, calendar: &Calendar) {
        if self.scalars >= MAX_SCALARS || self.text.len() >= MAX_TEXT {
            self.is_cut = true;
            return;
        }
        self.scalars += 1;
        match value {
            Value::Object(map) => self.walk_object(map, calendar),
            Value::Array(items) => {
                self.counts.extend(i64::try_from(items.len()));
                self.add_totals(items, key);
                items.iter().for_each(|item| self.walk(item, key, place, calendar));
            }
            Value::String(text) => {
                let (field, unit, _) = self.number(key);
                self.read(text, calendar, place, field);
                let number = Amount::decimal(text.trim());
                if let Some(value) = number {
                    self.add_figure(Quantity::new(value, unit), place, field);
                }
                let short = if text.len() <= MAX_PLAIN { text.as_str() } else { "" };
                self.plains.push((field, number.map_or_else(|| Plain::Text(short.into()), Plain::Number)));
            }
            Value::Number(number) => {
                let (field, unit, is_day_of_month) = self.number(key);
                self.add_words(&tokens(&number.to_string()));
                if let Some(value) = Amount::of(number) {
                    self.add_figure(Quantity::new(value, unit), place, field);
                    self.plains.push((field, Plain::Number(value)));
                }
                // `day_of_month: 1` is the first of this month or the next.
                let day = number.as_i64().and_then(|day| i8::try_from(day).ok());
                if let Some(day) = day.filter(|day| (1..=31).contains(day) && is_day_of_month) {
                    self.dates.extend(calendar.day_of_month(day).into_iter().map(|date| (date, place)));
                }
            }
            Value::Bool(is) => {
                let (field, ..) = self.number(key);
                self.plains.push((field, Plain::Flag(*is)));
            }
            Value::Null => {}
        }
    }

    fn walk_object(&mut self, map: &Map<String, Value>, calendar: &Calendar) {
        let place = self.new_place();
        for (key, value) in map {
            let (number, ..) = self.number(key);
            let field = self.field(number).cloned();
            self.key_stems.extend(field.iter().flat_map(|field| field.stems.iter().cloned()));
            // A key may be an id or a day, so it tells what a text would tell; `"cancelled": false` tells the contrary.
            if value != &Value::Bool(false) {
                self.read(&spaced(key), calendar, place, 0);
            }
            self.walk(value, key, place, calendar);
        }
    }

    /// The total of each field over a list of objects, and of a list of numbers.
    fn add_totals(&mut self, items: &[Value], key: &str) {
        let mut totals: BTreeMap<&str, (Amount, usize)> = BTreeMap::new();
        let mut add = |name, value: Option<Amount>| {
            if let Some(value) = value {
                let total = totals.entry(name).or_insert((Amount::whole(0), 0));
                *total = (total.0.plus(value), total.1 + 1);
            }
        };
        for item in items.iter().take(MAX_SCALARS) {
            match item {
                Value::Object(map) => {
                    map.iter().for_each(|(name, value)| add(name, value.as_number().and_then(Amount::of)))
                }
                Value::Number(number) => add(key, Amount::of(number)),
                Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) => {}
            }
        }
        let place = self.new_place();
        for (name, (total, count)) in totals {
            // A field that some items lack has no total.
            if count == items.len() && count > 1 {
                let (field, unit, _) = self.number(name);
                self.add_figure(Quantity::new(total, unit), place, field);
            }
        }
    }

    /// The number of a field, with its unit, and whether it names a day of the month.
    fn number(&mut self, key: &str) -> (usize, Option<Unit>, bool) {
        let number = self.numbers.get(key).copied().unwrap_or_else(|| {
            self.fields.push(Arc::new(Field::of(key, &self.units)));
            self.numbers.insert(key.into(), self.fields.len());
            self.fields.len()
        });
        let field = self.field(number);
        (number, field.and_then(|field| field.unit), field.is_some_and(|field| field.is_day_of_month))
    }

    fn read(&mut self, text: &str, calendar: &Calendar, place: usize, field: usize) {
        self.is_cut |= is_cut(text);
        let tokens = tokens(text);
        let zones = tokens.iter().map(|token| token.folded.as_str()).filter(|word| is(WordClass::Zones, word));
        self.has_zones |= zones.collect::<BTreeSet<_>>().len() > 1 || text.contains("UTC+") || text.contains("UTC-");
        self.add_words(&tokens);
        self.add_digits(&tokens);
        if let Some(stems) = self.place_stems.get_mut(place).filter(|_| field > 0) {
            let telling = tokens.iter().filter(|token| is_telling(&token.folded));
            stems.extend(telling.map(|token| CompactString::new(stem(&token.folded))));
        }
        let mut read = 0;
        for at in 0..tokens.len() {
            // The hour in `half an hour` is not read again; days and times may share words.
            if let Some((taken, quantity)) = quantity_at(&tokens, at).filter(|_| at >= read) {
                read = at + taken;
                // `one` and `a` in the brief count nothing that an agent could take a value from.
                if self.origin != SourceKind::Brief || !is(WordClass::PlainOnes, word_at(&tokens, at)) {
                    self.add_figure(quantity, place, field);
                }
            }
            if let Some(days) = date::days_at(&tokens, at, calendar) {
                self.dates.extend(days.dates.iter().map(|date| (*date, place)));
                self.dates
                    .extend(days.months.iter().flat_map(|month| date::month_ends(*month)).map(|date| (date, place)));
                self.months.extend(days.months);
            }
            if let Some(year) = tokens.get(at).and_then(|token| date::year_number(&token.folded)) {
                self.dates.extend(date::year_ends(year).into_iter().map(|date| (date, place)));
            }
            if let Some((_, times)) = time_at(&tokens, at) {
                self.times.extend(times.iter().map(|time| (*time, place)));
            }
        }
    }

    fn add_words(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            self.text.push_str(&token.folded);
            self.text.push(' ');
            self.words.insert(token.folded.clone());
            self.stems.insert(stem(&token.folded).into());
            let joins = |next: &&Token| {
                next.gap.chars().count() == 1 && (next.shape != Shape::Number || token.shape != Shape::Number)
            };
            if let Some(next) = tokens.get(at + 1).filter(joins) {
                self.words.insert(format_compact!("{}{}", token.folded, next.folded));
            }
            let sign = |c: char| token.gap.trim_end().ends_with(c) || token.after.trim_start().starts_with(c);
            let codes = [('€', "eur"), ('$', "usd"), ('£', "gbp"), ('¥', "jpy")];
            self.words.extend(codes.iter().filter(|(c, _)| sign(*c)).map(|(_, code)| CompactString::const_new(code)));
            self.words.extend(lexicon().entry(&token.folded).currency.clone());
        }
        self.text.push_str("| ");
    }

    fn add_digits(&mut self, tokens: &[Token]) {
        let mut run = String::new();
        for token in tokens {
            let divides =
                token.gap.len() <= 2 && token.gap.chars().all(|c| matches!(c, ' ' | '-' | '.' | '/' | '(' | ')' | '+'));
            if token.shape != Shape::Number || !divides {
                self.add_run(&std::mem::take(&mut run));
            }
            if token.shape == Shape::Number {
                run.extend(token.folded.chars().filter(char::is_ascii_digit));
            }
        }
        self.add_run(&run);
    }

    fn add_run(&mut self, run: &str) {
        let digits = run.trim_start_matches('0');
        if digits.len() >= 6 {
            self.digits.insert(digits.to_owned());
        }
    }

    fn add_figure(&mut self, quantity: Quantity, place: usize, field: usize) {
        let original = quantity;
        let forms = quantity.forms().map(|quantity| (quantity, quantity == original));
        self.figures.extend(forms.map(|(quantity, is_original)| Figure { quantity, place, field, is_original }));
    }
}
