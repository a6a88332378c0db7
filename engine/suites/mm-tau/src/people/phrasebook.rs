//! The words of users, read from `phrases.toml`, and which of several wordings comes next.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::telecom::Persona;
use probity_engine::Stream;
use serde::Deserialize;

/// A thing to say; the first are said by users with a phone, those behind `GivesUp` at a desk alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Saying {
    Data,
    Service,
    Mms,
    Abroad,
    Home,
    NoWifi,
    Number,
    NumberAgain,
    Name,
    UnknownField,
    Right,
    Wrong,
    Yes,
    No,
    Amount,
    DoubtsPrice,
    NoPlan,
    OtherAmount,
    Puzzled,
    WhereIs,
    Waits,
    Holds,
    Did,
    Looked,
    Already,
    PutBack,
    OneThing,
    StillBad,
    Alternative,
    Impatient,
    Content,
    HandedOver,
    GivesUp,
    Greets,
    Volunteers,
    Tells,
    TellsName,
    TellsMeans,
    Again,
    Lacks,
    AsksAmount,
    DoubtsAmount,
    DoubtsMeans,
    Declines,
    Insists,
    Accepts,
    Next,
    OnlyThat,
}

type Book = BTreeMap<Saying, Vec<String>>;

/// By where the user is, and by persona.
static BOOKS: LazyLock<BTreeMap<String, BTreeMap<String, Book>>> =
    LazyLock::new(|| toml::from_str(include_str!("phrases.toml")).unwrap_or_default());
static NOTHING: Book = Book::new();

/// A persona's words in the mouth of one user.
#[derive(Clone)]
pub(crate) struct Phrasebook {
    book: &'static Book,
    /// What settles the wordings.
    pub(crate) name: String,
    /// How often each thing was said, by the wordings' first.
    uses: BTreeMap<&'static str, u64>,
}

impl Phrasebook {
    /// The words of a user `of` the section `phone` or `desk`.
    pub(crate) fn new(of: &str, persona: Persona, name: String) -> Phrasebook {
        let book = BOOKS.get(of).and_then(|books| books.get(persona.name())).unwrap_or(&NOTHING);
        Phrasebook { book, name, uses: BTreeMap::new() }
    }

    pub(crate) fn has(&self, saying: Saying) -> bool {
        self.book.contains_key(&saying)
    }

    /// The wording that comes next: the first by the user's name, then in turn.
    pub(crate) fn wording(&mut self, saying: Saying) -> &'static str {
        let wordings = self.book.get(&saying).map(Vec::as_slice).unwrap_or_default();
        let Some(first) = wordings.first() else { return "" };
        let uses = self.uses.entry(first).or_default();
        let count = wordings.len() as u64;
        let start = Stream::new(0, "wording", &format!("{}\0{first}", self.name)).below(count);
        let at = (start + *uses) % count;
        *uses += 1;
        usize::try_from(at).ok().and_then(|at| wordings.get(at)).unwrap_or(first)
    }

    pub(crate) fn with(&mut self, saying: Saying, value: &str) -> String {
        self.wording(saying).replace("{}", value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{FieldKind, canonical};

    #[test]
    fn every_persona_has_words_for_everything() {
        let personas: Vec<&str> = Persona::ALL.iter().map(|persona| persona.name()).collect();
        for (of, only) in [("phone", None), ("desk", Some(Saying::Volunteers))] {
            assert_eq!(BOOKS[of].keys().collect::<Vec<_>>().len(), personas.len());
            let sayings = |persona: &&str| {
                let all = BOOKS[of][*persona].iter().filter(|(saying, _)| Some(**saying) != only);
                all.map(|(saying, words)| (*saying, words.is_empty())).collect::<Vec<_>>()
            };
            let all: Vec<_> = personas.iter().map(sayings).collect();
            assert!(all.iter().all(|sayings| *sayings == all[0] && sayings.iter().all(|(_, is_empty)| !is_empty)));
        }
        let known = BOOKS.values().flat_map(|books| books.values()).flat_map(BTreeMap::keys);
        assert_eq!(known.collect::<std::collections::BTreeSet<_>>().len(), Saying::OnlyThat as usize + 1);
    }

    #[test]
    fn what_goes_with_a_number_has_no_digit_of_its_own() {
        use Saying::{Mms, Name, Number, NumberAgain, Puzzled, Right, Wrong};
        for book in BOOKS["phone"].values() {
            for wording in
                [Number, NumberAgain, Name, Right, Wrong, Puzzled, Mms].iter().flat_map(|saying| &book[saying])
            {
                assert_eq!(canonical(FieldKind::Digits, wording), "", "{wording}");
            }
        }
    }
}
