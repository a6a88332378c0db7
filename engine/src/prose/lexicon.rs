//! Closed classes of words, read once from `lexicon.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::lookup::Lookup;
use super::token::stem;

/// What a verb does when somebody says to have done it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VerbClass {
    /// Speech, thought, waiting, leaving alone: no act.
    Nothing,
    /// Looks something up.
    Check,
    /// Tells somebody.
    Tell,
    /// Arranges something.
    Arrange,
    /// Takes its meaning from its object: `put`, `make`.
    Light,
}

/// A class of nouns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NounClass {
    /// Someone else than the user and the agent.
    Others,
    /// What carries news: a confirmation, a text.
    Messages,
    /// Those of the desk's side whom not every desk has: colleagues, a porter.
    Staff,
    /// What is sent and not every desk sends: an e-mail, an invitation.
    Letters,
    /// What is kept of a matter, or kept for somebody: a list, a lock, a monitor.
    Keepings,
    /// Those whom only a house has.
    Household,
    /// What a house has, or does not: a balcony, a lift, breakfast.
    Premises,
    /// The weather and the view.
    Senses,
    /// Words before a noun that make it a turn of phrase: `on the other hand`.
    Idle,
    /// A look: `had a look at`.
    Looks,
    /// Names nothing in particular: `it`, `everything`, `a bit`.
    Vague,
    /// Stands for a service of its own that only a call could start.
    Function,
}

/// A closed list of words of any kind; `lexicon.toml` tells what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WordClass {
    Admits,
    Adverbs,
    Afterwards,
    Anaphors,
    AnyDeed,
    Asides,
    Asking,
    Assents,
    Back,
    Between,
    Coming,
    Comparing,
    Conditions,
    Conjunctions,
    Consent,
    Contracting,
    Coordinators,
    Determiners,
    Files,
    Fillers,
    Getting,
    Giving,
    Helpers,
    Here,
    Hopes,
    HourFollowers,
    House,
    Inquiries,
    Keeping,
    Labels,
    Leads,
    Modals,
    Negations,
    NeverNames,
    News,
    NoHeadline,
    NoNames,
    NoNumbers,
    NoObject,
    Nobodies,
    NounFollowers,
    Numbered,
    ObjectStarts,
    OfferDeeds,
    OfferDoubts,
    OfferKinds,
    OfferLeads,
    OfferVerbs,
    Openings,
    OtherThings,
    Own,
    Past,
    Persons,
    Plans,
    Pointers,
    Possible,
    Posting,
    Prepositions,
    Quantifiers,
    Reached,
    Refusals,
    Refused,
    Regrets,
    Repeated,
    Reports,
    Results,
    Rough,
    Rules,
    Saying,
    Speakers,
    Subjects,
    Suppositions,
    Systems,
    Tags,
    Things,
    Thoughts,
    Truths,
    Unsaying,
    Untruths,
    Wishes,
}

/// A closed list of phrases; `lexicon.toml` tells what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PhraseClass {
    Again,
    Arranged,
    Complete,
    Completes,
    Done,
}

/// Whether a word stands in a closed list.
pub(crate) fn is(class: WordClass, word: &str) -> bool {
    lexicon().words.get(word).is_some_and(|classes| classes & (1 << class as u128) != 0)
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
    phrases: BTreeMap<PhraseClass, Vec<String>>,
}

/// The closed classes.
#[derive(Default)]
pub(crate) struct Lexicon {
    /// Verbs by irregular past form.
    irregular: Map<CompactString>,
    verbs: Map<u8>,
    nouns: Map<Nouns>,
    words: Map<u128>,
    /// What short forms stand for.
    short: Map<Vec<CompactString>>,
    phrases: BTreeMap<PhraseClass, Vec<Vec<CompactString>>>,
    /// Groups of verbs that mean the same: of each verb a bit for each of its groups.
    same: Map<u64>,
}

type Map<T> = Lookup<CompactString, T>;

/// The classes of a noun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nouns(u16);

impl Nouns {
    /// Whether a class is among them.
    pub(crate) fn has(self, class: NounClass) -> bool {
        self.0 & (1 << class as u16) != 0
    }

    /// These and others.
    pub(crate) fn and(self, others: Nouns) -> Nouns {
        Nouns(self.0 | others.0)
    }

    /// Whether a word of these classes may tell what something is about.
    pub(crate) fn are_telling(self, word: &str) -> bool {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && word.len() < 3;
        let is_long = word.chars().nth(1).is_some();
        is_long && !is_number && !self.has(NounClass::Function) && !self.has(NounClass::Vague)
    }
}

/// The verbs that a past form may belong to, with the classes of any of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verbs {
    all: Vec<CompactString>,
    classes: u8,
}

impl Verbs {
    /// The verbs, in base form.
    pub(crate) fn all(&self) -> &[CompactString] {
        &self.all
    }

    /// Whether one of them is of a class.
    pub(crate) fn has(&self, class: VerbClass) -> bool {
        self.classes & (1 << class as u8) != 0
    }
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.toml")).unwrap_or_default());

/// The closed classes of English that the rules use.
pub(crate) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

impl Lexicon {
    fn read(text: &str) -> Option<Lexicon> {
        let file: File = toml::from_str(text).ok()?;
        let mut lexicon = Lexicon::default();
        for (verb, forms) in &file.irregular {
            let forms = forms.split_whitespace();
            forms.for_each(|form| lexicon.irregular.insert(form.into(), verb.as_str().into()));
        }
        for (class, words) in &file.verbs {
            for verb in words.split_whitespace() {
                *lexicon.verbs.make(verb.into()) |= 1 << *class as u8;
            }
        }
        for (class, words) in &file.nouns {
            for noun in words.split_whitespace() {
                for form in [noun.into(), compact_str::format_compact!("{noun}s")] {
                    lexicon.nouns.make(form).0 |= 1 << *class as u16;
                }
            }
        }
        let whole = |words: &String| words.split_whitespace().map(CompactString::new).collect();
        lexicon.short = file.short.iter().map(|(short, words)| (short.as_str().into(), whole(words))).collect();
        let phrases = |all: &Vec<String>| all.iter().map(whole).collect();
        lexicon.phrases = file.phrases.iter().map(|(class, all)| (*class, phrases(all))).collect();
        for (class, words) in &file.words {
            for word in words.split_whitespace() {
                *lexicon.words.make(word.into()) |= 1 << *class as u128;
            }
        }
        for (group, words) in file.same.values().enumerate() {
            for verb in words.split_whitespace() {
                *lexicon.same.make(verb.into()) |= 1 << group;
            }
        }
        Some(lexicon)
    }

    /// The words that a short form stands for: `dont` for `do not`.
    pub(crate) fn whole(&self, short: &str) -> Option<&[CompactString]> {
        self.short.get(short).map(Vec::as_slice)
    }

    /// The phrases of a class, as words.
    pub(crate) fn phrases(&self, class: PhraseClass) -> &[Vec<CompactString>] {
        self.phrases.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Whether a verb, in base form, is of a class.
    pub(crate) fn is_verb(&self, class: VerbClass, verb: &str) -> bool {
        self.verbs.get(verb).is_some_and(|classes| classes & (1 << class as u8) != 0)
    }

    /// The classes of a noun, in the singular or the plural.
    pub(crate) fn nouns_of(&self, noun: &str) -> Nouns {
        self.nouns.get(noun).copied().unwrap_or_default()
    }

    /// Whether a noun is of a class, in the singular or the plural.
    pub(crate) fn is_noun(&self, class: NounClass, noun: &str) -> bool {
        self.nouns_of(noun).has(class)
    }

    /// The verbs that a past form may belong to: `moved` to `move`, `cancelled` to `cancel`, `sent` to `send`. None
    /// for what is no past form.
    pub(crate) fn verbs_of(&self, past: &str) -> Verbs {
        let all = match self.irregular.get(past) {
            Some(verb) => vec![verb.clone()],
            None => regular(past),
        };
        let classes = all.iter().filter_map(|verb| self.verbs.get(verb)).fold(0, |all, own| all | own);
        Verbs { all, classes }
    }

    /// Whether two verbs mean the same or are the same.
    pub(crate) fn means_same(&self, one: &str, other: &str) -> bool {
        let groups = |verb: &str| self.same.get(verb).copied().unwrap_or_default();
        one == other || stem(one) == stem(other) || groups(one) & groups(other) != 0
    }
}

/// The verbs that a past form in `ed` may belong to.
fn regular(past: &str) -> Vec<CompactString> {
    let Some(root) = past.strip_suffix("ed").filter(|root| root.len() >= 2) else { return Vec::new() };
    if matches!(past, "need" | "indeed" | "exceed" | "feed" | "speed" | "hundred" | "red" | "bed") {
        return Vec::new();
    }
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

    #[test]
    fn past_forms_have_verbs() {
        for (past, verb) in [("moved", "move"), ("cancelled", "cancel"), ("sent", "send"), ("notified", "notify")] {
            assert!(lexicon().verbs_of(past).all().iter().any(|own| own == verb), "{past}");
        }
        assert!(lexicon().verbs_of("room").all().is_empty() && lexicon().verbs_of("need").all().is_empty());
    }
}
