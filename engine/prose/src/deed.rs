//! What the words of a tool's name and description tell of what it does. Words that tell nothing tell nothing.

use std::borrow::Cow;

use compact_str::CompactString;

use crate::WordClass;
use crate::lexicon::{is, lexicon};
use crate::token::{name_words, words};
use crate::verb::{Stand, Verb, regular_participle};

/// The words of a tool's own name, without the server that `mcp__SERVER__NAME` names before it.
pub fn own_name(name: &str) -> &str {
    name.rsplit("__").find(|part| !part.is_empty()).unwrap_or(name)
}

/// What a verb does, as it begins a name.
pub fn verb(word: &str) -> Option<Verb> {
    lexicon().entry(word).tool.map(|(verb, _)| verb)
}

/// Whether a word is a verb and no thing, wherever it stands in a name.
pub fn is_mere_verb(word: &str) -> bool {
    lexicon().entry(word).tool.is_some_and(|(_, stand)| stand != Stand::First) && !is(WordClass::ToolThings, word)
}

/// What two words are as one verb, although the first alone only looks: `check in`.
pub fn pair(first: &str, second: &str) -> Option<Verb> {
    is(WordClass::ToolPairs, &format!("{first}_{second}")).then_some(Verb::Update)
}

/// How many words at the beginning of a name only say that a call is made: `api` and `post` of `API-post-search`.
pub fn before<T: AsRef<str>>(words: &[T]) -> usize {
    let word = |at: usize| words.get(at).map_or("", AsRef::as_ref);
    let start = usize::from(words.len() > 1 && is(WordClass::ToolCalls, word(0)));
    start + usize::from(is(WordClass::ToolMethods, word(start)) && verb(word(start + 1)) == Some(Verb::List))
}

/// `cancelled` of `cancel`: by what an agent says that it was done.
pub fn participle(verb: &str) -> String {
    lexicon().entry(verb).participle.clone().unwrap_or_else(|| regular_participle(verb))
}

/// Whether a tool changes something, and the word that tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// It changes something; else it only looks.
    pub changes: bool,
    /// The word.
    pub word: String,
    /// Whether it stands in the name; else the description begins with it.
    pub is_named: bool,
}

impl Deed {
    /// As far as a tool's words tell; nothing where they tell nothing.
    pub fn of(name: &str, description: &str) -> Option<Deed> {
        let (name, described) = (name_words(own_name(name)), words(description));
        let name = name.get(before(&name)..).unwrap_or_default();
        let (first, last) = (name.first().map_or("", |word| word), name.last().map_or("", |word| word));
        let told = described.first().map_or("", |word| word);
        let is_of = |class: WordClass, word: &str| forms(word).any(|form| is(class, &form));
        let named = |changes: bool, word: &str| Some(Deed { changes, word: word.to_owned(), is_named: true });
        let describes = |changes: bool| Some(Deed { changes, word: told.to_owned(), is_named: false });
        let second = name.get(1).map_or("", |word| word);
        if stands(first, Stand::Changes) || pair(first, second).is_some() {
            return named(true, first);
        }
        if stands(first, Stand::Reads) || is_of(WordClass::Lookups, first) {
            return named(false, first);
        }
        if is_of(WordClass::Lookups, last) || forms(last).any(|form| is(WordClass::ToolEnds, &form)) {
            return named(false, last);
        }
        // `log_firing` with *Reads the log of a firing*: a word that is a thing as well is none that changes.
        if is(WordClass::PlainLooks, told) && !goes_on(&described) {
            return describes(false);
        }
        if stands(first, Stand::First) || is_of(WordClass::Changes, first) {
            return named(true, first);
        }
        if stands(told, Stand::Reads) || is_of(WordClass::Lookups, told) {
            return describes(false);
        }
        // `customer_order` with *Orders of a customer*.
        let is_record = name.len() > 1 && is_thing(last);
        if is_record && is_named_thing(&described) {
            return describes(false);
        }
        let is_told = [Stand::Changes, Stand::First].into_iter().any(|stand| stands(told, stand));
        if is_told || is_of(WordClass::Changes, told) {
            return describes(true);
        }
        if is_record && is(WordClass::ToolRecords, last) {
            return named(false, last);
        }
        let other = name.iter().find(|word| is(WordClass::Changes, word)).map(|word| word.as_ref());
        other.or(Some(last).filter(|last| stands(last, Stand::Changes))).and_then(|word| named(true, word))
    }
}

/// Whether a description that begins with a look goes on with a change: *Shows the slots and books one*.
fn goes_on(described: &[CompactString]) -> bool {
    let is_change = |word: &CompactString| {
        [Stand::Changes, Stand::First].into_iter().any(|stand| stands(word, stand)) || is(WordClass::Changes, word)
    };
    let joined = described.windows(2).filter(|pair| pair.first().is_some_and(|word| word == "and" || word == "then"));
    joined.filter_map(|pair| pair.last()).any(is_change)
}

/// Whether a word that changes something at the beginning is a thing here.
fn is_thing(word: &str) -> bool {
    stands(word, Stand::First) || !stands(word, Stand::Changes)
}

/// Whether a description names a thing and tells no deed: *Temperatures of a transport box*, but neither *Booking of a
/// berth* nor *Cancels it*.
fn is_named_thing(described: &[CompactString]) -> bool {
    let is_deed = |word: &CompactString| {
        stands(word, Stand::Changes)
            || DEED_ENDINGS.iter().any(|ending| word.ends_with(ending))
            || matches!(word.as_str(), "to" | "you" | "will" | "can")
    };
    let word = |at: usize| described.get(at).map_or("", |word| word);
    let is_joined = match word(1) {
        // No verb of a deed goes with it but `dispose`, which is nothing else.
        "of" => true,
        "for" | "in" | "at" | "and" => lexicon().entry(word(0)).tool.is_none() && !stands(word(0), Stand::First),
        _ => false,
    };
    is_joined && word(0).ends_with('s') && !described.iter().any(is_deed)
}

/// How nouns of deeds end.
const DEED_ENDINGS: [&str; 4] = ["ing", "tion", "ment", "sal"];

fn stands(word: &str, stand: Stand) -> bool {
    forms(word).any(|form| lexicon().entry(&form).tool.is_some_and(|(_, own)| own == stand))
}

/// A verb as it stands, and as it is without the ending of `redirects`, `pushes` and `notifies`.
fn forms(word: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let plain = ["", "s", "es"].into_iter().filter_map(move |ending| word.strip_suffix(ending)).map(Cow::Borrowed);
    let of_y = word.strip_suffix("ies").map(|form| Cow::Owned(format!("{form}y")));
    plain.chain(of_y).filter(|form| form.len() > 1)
}
