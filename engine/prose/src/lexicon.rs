//! Closed classes of words, and the words for numbers, days and months, read once from `lexicon.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::lookup::Lookup;
use super::token::stem;
use super::unit::Unit;
use super::verb::{Stand, Verb, of_past};

/// A closed list of words of any kind; `lexicon.toml` tells what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordClass {
    Adverbs,
    Afterwards,
    Anaphors,
    Arrivals,
    Asides,
    Asking,
    Assents,
    Endings,
    Failures,
    Final,
    Between,
    Channels,
    Coming,
    Conditions,
    Conjunctions,
    BoundArticles,
    BoundFollowers,
    Carriers,
    Changes,
    Consent,
    Contracting,
    Courtesies,
    Determiners,
    Fillers,
    FromNow,
    Habits,
    Helpers,
    HourFollowers,
    Inquiries,
    Leads,
    Mails,
    Modals,
    Lookups,
    CountLeads,
    DateJoints,
    Differences,
    Given,
    Holds,
    Indefinite,
    Lasting,
    LookEnds,
    LookPrepositions,
    Negations,
    NeverNames,
    NoNumbers,
    Nobodies,
    NotPast,
    Numbered,
    ObjectStarts,
    OfferDeeds,
    OfferDoubts,
    OfferKinds,
    OfferLeads,
    OfferVerbs,
    OtherThings,
    Own,
    Persons,
    Pointers,
    Corrections,
    Reasons,
    Refusals,
    Rough,
    Saying,
    States,
    Subjects,
    Supposing,
    Suppositions,
    Systems,
    Tags,
    Thoughts,
    Truths,
    Ignored,
    Notes,
    Wired,
    Wires,
    Nows,
    Pending,
    Perfects,
    SpanFollowers,
    Totals,
    WideLooks,
    Untruths,
    Plain,
    PlainLabels,
    NameJoints,
    Common,
    Ordinary,
    Checks,
    OwnDeeds,
    Possible,
    Gains,
    LaterGains,
    Grants,
    OfferStates,
    OfferResults,
    Joints,
    Subordinators,
    Wondering,
    NotNow,
    Openers,
    Told,
    Carried,
    Off,
    On,
    Turning,
    Taps,
    Spots,
    NoNames,
    Dollars,
    Abbreviations,
    ValueStarts,
    NoThings,
    UnitLeads,
    ClauseLeads,
    Pronouns,
    Elsewhere,
    Hypotheses,
    Sweeping,
    DayJoints,
    TimeLeads,
    PointLeads,
    Nearly,
    Bounds,
    Titles,
    PlainOnes,
    DeedLeads,
    PassedOver,
    Hearers,
    NewsDoubts,
    Focus,
    Degrees,
    Products,
    Hedges,
    Inventions,
    Wishes,
    Joins,
    English,
    Foreign,
    Nothing,
    Check,
    Informing,
    Noting,
    Holding,
    Sending,
    Handing,
    Dropping,
    Putting,
    Reserving,
    Telling,
    Calling,
    Having,
    Others,
    Staff,
    Household,
    Looks,
    Vague,
    Function,
    ToolThings,
    ToolPairs,
    ToolCalls,
    ToolMethods,
    ToolEnds,
    CommonStems,
    OfAnother,
    Beliefs,
    Denials,
    Nods,
    Envelope,
    Reports,
    Faults,
    RefusedStates,
    Verdicts,
    HandingIn,
    PlainLooks,
    ToolRecords,
    Trials,
    CallStates,
    CallCodes,
    CallOks,
    Successes,
    Falsehoods,
    Protocols,
    Noes,
    RequestLeads,
    Suspensions,
    Zones,
    Outcomes,
    FeeNames,
    Workdays,
    Drafts,
    Alterations,
}

pub fn is(class: WordClass, word: &str) -> bool {
    lexicon().entry(word).classes.has(class)
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    irregular: BTreeMap<String, String>,
    verbs: BTreeMap<WordClass, String>,
    same: BTreeMap<String, String>,
    nouns: BTreeMap<WordClass, String>,
    short: BTreeMap<String, String>,
    words: BTreeMap<WordClass, String>,
    units: BTreeMap<Unit, String>,
    numbers: BTreeMap<String, i8>,
    scales: BTreeMap<String, i64>,
    ordinals: BTreeMap<String, i8>,
    months: BTreeMap<String, i8>,
    weekdays: BTreeMap<String, i8>,
    short_weekdays: BTreeMap<String, i8>,
    tools: BTreeMap<Stand, BTreeMap<Verb, String>>,
    participles: BTreeMap<String, String>,
    currencies: BTreeMap<String, String>,
}

#[derive(Default)]
pub struct Lexicon {
    words: Lookup<CompactString, Entry>,
}

#[derive(Default)]
pub struct Entry {
    pub classes: Classes,
    /// The unit that it names behind a number.
    pub unit: Option<Unit>,
    /// Whether nouns of two words begin with it.
    pub leads: bool,
    is_verb: bool,
    /// A bit for each group of verbs that mean the same.
    same: u64,
    /// The verb whose irregular past form it is.
    irregular: Option<CompactString>,
    /// What it stands for, if it is a short form.
    pub whole: Vec<CompactString>,
    /// A number up to twenty, or a round ten.
    pub number: Option<i64>,
    /// `hundred`, `thousand`, `million`.
    pub scale: Option<i64>,
    /// `twelfth`.
    pub ordinal: Option<i8>,
    pub month: Option<i8>,
    /// The day of the week from Monday, 1, on; and whether it may be another word.
    pub weekday: Option<(i8, bool)>,
    /// What it does in a tool's name, and where it is a verb there.
    pub tool: Option<(Verb, Stand)>,
    /// Its participle, where that does not follow from it.
    pub participle: Option<String>,
    /// The code of the currency that it is.
    pub currency: Option<CompactString>,
}

/// The closed lists that a word stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes([u128; 2]);

impl Classes {
    pub fn has(self, class: WordClass) -> bool {
        let (half, bit) = Classes::place(class);
        self.0.get(half).is_some_and(|own| own & bit != 0)
    }

    fn add(&mut self, class: WordClass) {
        let (half, bit) = Classes::place(class);
        self.0.get_mut(half).into_iter().for_each(|own| *own |= bit);
    }

    fn place(class: WordClass) -> (usize, u128) {
        (class as usize / 128, 1 << (class as usize % 128))
    }

    pub fn and(self, Classes([low, high]): Classes) -> Classes {
        Classes([self.0[0] | low, self.0[1] | high])
    }

    /// Whether a word of these classes may tell what something is about.
    pub fn are_telling(self, word: &str) -> bool {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && word.len() < 3;
        let is_long = word.chars().nth(1).is_some();
        is_long && !is_number && !self.has(WordClass::Function) && !self.has(WordClass::Vague)
    }
}

static FILE: LazyLock<File> = LazyLock::new(|| toml::from_str(include_str!("lexicon.toml")).unwrap_or_default());
static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(&FILE));

/// The names of the months, in small letters.
pub static MONTHS: LazyLock<Vec<&'static str>> = LazyLock::new(|| names(&FILE.months, 12));
/// The English words for 0 to 20, each at its number.
pub static SMALL_IN_WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| names(&FILE.numbers, 20));

/// The closed classes of English that the rules use.
pub fn lexicon() -> &'static Lexicon {
    &LEXICON
}

static UNKNOWN: LazyLock<Entry> = LazyLock::new(Entry::default);

/// The longest word of each number up to `most`.
fn names(counted: &BTreeMap<String, i8>, most: i8) -> Vec<&str> {
    let of = |number: i8| {
        let words = counted.iter().filter(move |(_, own)| **own == number);
        words.map(|(word, _)| word.as_str()).max_by_key(|word| word.len())
    };
    (0..=most).filter_map(of).collect()
}

impl Lexicon {
    fn of(file: &File) -> Lexicon {
        let mut lexicon = Lexicon::default();
        let mut each = |words: &str, set: &dyn Fn(&mut Entry)| {
            words.split_whitespace().for_each(|word| set(lexicon.words.make(word.into())));
        };
        file.irregular.iter().for_each(|(verb, forms)| each(forms, &|word| word.irregular = Some(verb.into())));
        for (class, verbs) in &file.verbs {
            each(verbs, &|verb| verb.classes.add(*class));
            each(verbs, &|verb| verb.is_verb = true);
        }
        for (class, nouns) in &file.nouns {
            for noun in nouns.split_whitespace() {
                each(&format!("{noun} {noun}s"), &|noun| noun.classes.add(*class));
                noun.split_once('-').into_iter().for_each(|(first, _)| each(first, &|word| word.leads = true));
            }
        }
        file.short.iter().for_each(|(short, whole)| {
            each(short, &|word| word.whole = whole.split_whitespace().map(CompactString::new).collect())
        });
        file.words.iter().for_each(|(class, words)| each(words, &|word| word.classes.add(*class)));
        file.units.iter().for_each(|(unit, words)| each(words, &|word| word.unit = Some(*unit)));
        file.same.values().enumerate().for_each(|(group, verbs)| each(verbs, &|verb| verb.same |= 1 << group));
        file.numbers.iter().for_each(|(word, number)| each(word, &|word| word.number = Some(i64::from(*number))));
        file.scales.iter().for_each(|(word, scale)| each(word, &|word| word.scale = Some(*scale)));
        file.ordinals.iter().for_each(|(word, day)| each(word, &|word| word.ordinal = Some(*day)));
        file.months.iter().for_each(|(word, month)| each(word, &|word| word.month = Some(*month)));
        file.weekdays.iter().for_each(|(word, day)| each(word, &|word| word.weekday = Some((*day, false))));
        file.short_weekdays.iter().for_each(|(word, day)| each(word, &|word| word.weekday = Some((*day, true))));
        for (stand, verbs) in &file.tools {
            verbs.iter().for_each(|(verb, words)| each(words, &|word| word.tool = Some((*verb, *stand))));
        }
        file.currencies.iter().for_each(|(code, words)| each(words, &|word| word.currency = Some(code.into())));
        file.participles.iter().for_each(|(verb, own)| each(verb, &|verb| verb.participle = Some(own.clone())));
        lexicon
    }

    pub fn entry(&self, word: &str) -> &Entry {
        self.words.get(word).unwrap_or(&UNKNOWN)
    }

    /// The verbs that a past form may belong to: `moved` to `move`, `cancelled` to `cancel`, `sent` to `send`. None
    /// for what is no past form.
    pub fn verbs_of(&self, past: &str) -> Vec<CompactString> {
        self.entry(past).verbs_of(past)
    }

    /// Whether two pieces are a verb in the past that somebody has split: `re-funded`.
    pub fn is_split(&self, piece: &str, rest: &str) -> bool {
        let whole = compact_str::format_compact!("{piece}{rest}");
        let is_verb = |verb: &CompactString| self.entry(verb).same != 0 || self.entry(verb).is_verb;
        rest.len() > 2 && self.verbs_of(&whole).iter().any(is_verb)
    }

    pub fn means_same(&self, one: &str, other: &str) -> bool {
        one == other || stem(one) == stem(other) || self.entry(one).same & self.entry(other).same != 0
    }
}

impl Entry {
    /// Whether a number, a day or a time may begin with it.
    pub fn opens_value(&self) -> bool {
        let is_day = self.ordinal.is_some() || self.month.is_some() || self.weekday.is_some();
        is_day || self.number.is_some() || self.scale.is_some() || self.classes.has(WordClass::ValueStarts)
    }

    pub fn verbs_of(&self, past: &str) -> Vec<CompactString> {
        match &self.irregular {
            Some(verb) => vec![verb.clone()],
            None if self.classes.has(WordClass::NotPast) => Vec::new(),
            None => of_past(past),
        }
    }
}

#[cfg(test)]
pub(super) fn verbs_of_tools(stand: &str) -> std::collections::BTreeSet<&'static str> {
    let lists = FILE.tools.iter().filter(|(own, _)| format!("{own:?}") == stand).flat_map(|(_, lists)| lists.values());
    lists.flat_map(|words| words.split_whitespace()).collect()
}
