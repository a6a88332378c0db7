//! Closed classes of words, read once from `lexicon.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::class::WordClass;
use super::lookup::Lookup;
use super::token::stem;
use super::unit::Unit;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerbClass {
    /// Speech, thought, waiting, leaving alone: no act.
    Nothing,
    Check,
    /// Tells a third party.
    Informing,
    /// Writes something down.
    Noting,
    /// Keeps something for somebody.
    Holding,
    /// Sends something.
    Sending,
    /// Passes something on to somebody: `handed it on to`.
    Handing,
    /// Sends a few words: `dropped her a line`.
    Dropping,
    /// Puts something somewhere, which may be a note: `left a remark`.
    Putting,
    /// Holds for somebody without saying for whom.
    Reserving,
    /// Tells somebody who is the subject of its passive: `the desk was informed`.
    Telling,
    /// Tells somebody, or means something else: `called off`.
    Calling,
    /// Goes with a noun of looking: `had a look`.
    Having,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NounClass {
    /// Someone else than the user and the agent.
    Others,
    /// Those of the desk's side whom not every desk has: colleagues, a porter.
    Staff,
    /// Those whom only a house has.
    Household,
    /// A look: `had a look at`.
    Looks,
    /// Names nothing in particular: `it`, `everything`, `a bit`.
    Vague,
    /// Stands for a service of its own that only a call could start.
    Function,
}

pub fn is(class: WordClass, word: &str) -> bool {
    lexicon().entry(word).classes.has(class)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    irregular: BTreeMap<String, String>,
    verbs: BTreeMap<VerbClass, String>,
    same: BTreeMap<String, String>,
    nouns: BTreeMap<NounClass, String>,
    short: BTreeMap<String, String>,
    words: BTreeMap<WordClass, String>,
    units: BTreeMap<Unit, String>,
}

#[derive(Default)]
pub struct Lexicon {
    words: Lookup<CompactString, Entry>,
}

#[derive(Default)]
pub struct Entry {
    pub classes: Classes,
    pub nouns: Nouns,
    /// The unit that it names behind a number.
    pub unit: Option<Unit>,
    /// Whether nouns of two words begin with it.
    pub leads: bool,
    verbs: u16,
    /// A bit for each group of verbs that mean the same.
    same: u64,
    /// The verb whose irregular past form it is.
    irregular: Option<CompactString>,
    /// What it stands for, if it is a short form.
    pub whole: Vec<CompactString>,
}

/// The closed lists that a word stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes([u128; 2]);

impl Classes {
    pub fn has(self, class: WordClass) -> bool {
        let Classes([low, high]) = self;
        let (half, bit) = if (class as u32) < 128 { (low, class as u32) } else { (high, class as u32 - 128) };
        half & (1 << bit) != 0
    }

    fn add(&mut self, class: WordClass) {
        let Classes([low, high]) = self;
        let (half, bit) = if (class as u32) < 128 { (low, class as u32) } else { (high, class as u32 - 128) };
        *half |= 1 << bit;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nouns(u16);

impl Nouns {
    pub fn has(self, class: NounClass) -> bool {
        self.0 & (1 << class as u16) != 0
    }

    pub fn and(self, others: Nouns) -> Nouns {
        Nouns(self.0 | others.0)
    }

    /// Whether a word of these classes may tell what something is about.
    pub fn are_telling(self, word: &str) -> bool {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && word.len() < 3;
        let is_long = word.chars().nth(1).is_some();
        is_long && !is_number && !self.has(NounClass::Function) && !self.has(NounClass::Vague)
    }
}

/// The verbs that a past form may belong to, with the classes of any of them.
#[derive(Clone, Debug, Default)]
pub struct Verbs {
    all: Vec<CompactString>,
    classes: u16,
}

impl Verbs {
    pub fn all(&self) -> &[CompactString] {
        &self.all
    }

    pub fn has(&self, class: VerbClass) -> bool {
        self.classes & (1 << class as u16) != 0
    }
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.toml")).unwrap_or_default());

/// The closed classes of English that the rules use.
pub fn lexicon() -> &'static Lexicon {
    &LEXICON
}

static UNKNOWN: LazyLock<Entry> = LazyLock::new(Entry::default);

impl Lexicon {
    fn read(text: &str) -> Option<Lexicon> {
        let file: File = toml::from_str(text).ok()?;
        let mut lexicon = Lexicon::default();
        let mut each = |words: &str, set: &dyn Fn(&mut Entry)| {
            words.split_whitespace().for_each(|word| set(lexicon.words.make(word.into())));
        };
        file.irregular.iter().for_each(|(verb, forms)| each(forms, &|word| word.irregular = Some(verb.into())));
        file.verbs.iter().for_each(|(class, verbs)| each(verbs, &|verb| verb.verbs |= 1 << *class as u16));
        for (class, nouns) in &file.nouns {
            for noun in nouns.split_whitespace() {
                each(noun, &|noun| noun.nouns.0 |= 1 << *class as u16);
                each(&format!("{noun}s"), &|noun| noun.nouns.0 |= 1 << *class as u16);
                noun.split_once('-').into_iter().for_each(|(first, _)| each(first, &|word| word.leads = true));
            }
        }
        for (short, whole) in &file.short {
            each(short, &|word| word.whole = split(whole));
        }
        file.words.iter().for_each(|(class, words)| each(words, &|word| word.classes.add(*class)));
        file.units.iter().for_each(|(unit, words)| each(words, &|word| word.unit = Some(*unit)));
        file.same.values().enumerate().for_each(|(group, verbs)| each(verbs, &|verb| verb.same |= 1 << group));
        Some(lexicon)
    }

    pub fn entry(&self, word: &str) -> &Entry {
        self.words.get(word).unwrap_or(&UNKNOWN)
    }

    pub fn is_verb(&self, class: VerbClass, verb: &str) -> bool {
        self.entry(verb).verbs & (1 << class as u16) != 0
    }

    /// The classes of a noun, in the singular or the plural.
    pub fn nouns_of(&self, noun: &str) -> Nouns {
        self.entry(noun).nouns
    }

    /// Whether a noun is of a class, in the singular or the plural.
    pub fn is_noun(&self, class: NounClass, noun: &str) -> bool {
        self.nouns_of(noun).has(class)
    }

    /// The verbs that a past form may belong to: `moved` to `move`, `cancelled` to `cancel`, `sent` to `send`. None
    /// for what is no past form.
    pub fn verbs_of(&self, past: &str) -> Verbs {
        self.entry(past).verbs_of(past)
    }

    /// Whether two pieces are a verb in the past that somebody has split: `re-funded`.
    pub fn is_split(&self, piece: &str, rest: &str) -> bool {
        let whole = compact_str::format_compact!("{piece}{rest}");
        let is_verb = |verb: &CompactString| self.entry(verb).same != 0 || self.entry(verb).verbs != 0;
        rest.len() > 2 && !self.verbs_of(&whole).all().is_empty() && self.verbs_of(&whole).all().iter().any(is_verb)
    }

    pub fn means_same(&self, one: &str, other: &str) -> bool {
        one == other || stem(one) == stem(other) || self.entry(one).same & self.entry(other).same != 0
    }
}

fn split(words: &str) -> Vec<CompactString> {
    words.split_whitespace().map(CompactString::new).collect()
}

impl Entry {
    pub fn verbs_of(&self, past: &str) -> Verbs {
        let is_present = self.classes.has(WordClass::NotPast);
        let all = match &self.irregular {
            Some(verb) => vec![verb.clone()],
            None if is_present => Vec::new(),
            None => regular(past),
        };
        let classes = all.iter().map(|verb| lexicon().entry(verb).verbs).fold(0, |all, own| all | own);
        Verbs { all, classes }
    }
}

/// The verbs that a past form in `ed` may belong to.
fn regular(past: &str) -> Vec<CompactString> {
    let Some(root) = past.strip_suffix("ed").filter(|root| root.len() >= 2) else { return Vec::new() };
    let mut verbs = vec![root.into(), compact_str::format_compact!("{root}e")];
    let mut last = root.chars().rev();
    if last.next() == last.next() {
        verbs.extend(root.get(..root.len() - 1).map(CompactString::new));
    }
    verbs.extend(root.strip_suffix('i').map(|root| compact_str::format_compact!("{root}y")));
    // `noted` is no form of `not`.
    verbs.retain(|verb| verb != "not");
    verbs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_read() {
        let lexicon = lexicon();
        assert!(lexicon.is_verb(VerbClass::Check, "verify") && lexicon.is_verb(VerbClass::Nothing, "mention"));
        assert!(lexicon.is_noun(NounClass::Others, "colleagues") && !lexicon.is_noun(NounClass::Others, "room"));
        assert!(lexicon.means_same("move", "switch") && !lexicon.means_same("move", "cancel"));
    }
}
