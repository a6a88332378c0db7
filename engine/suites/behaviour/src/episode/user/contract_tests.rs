//! What the contract user says to replies, as whole sentences of tasks of the suite: most of it stands in
//! `contract_cases.txt`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use compact_str::CompactString;
use strum::IntoEnumIterator;

use super::Variant::{Ideal, Underspecification};
use super::*;
use crate::case::{Meets, Reader, hold};
use crate::suite::Suite;
use probity_prose::token::words;

static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(Path::new("../../..")));

fn task(name: &str) -> &'static Task {
    let mut tasks = SUITE.tasks.values().map(|loaded| &loaded.task);
    tasks.find(|task| task.id().ends_with(name)).unwrap_or_else(|| panic!("no task {name}"))
}

/// What a user says to replies; nothing where it does not answer each of them.
struct Answered {
    text: String,
    manner: &'static Manner,
}

impl Answered {
    /// Of a case: *mislaid_card underspecification: Your name? | And your name again?*
    fn of(case: &str, choose: fn(Vec<String>) -> String) -> Answered {
        let (who, replies) = case.split_once(": ").unwrap();
        let (task, variant) = who.split_once(' ').unwrap_or((who, "ideal"));
        let (task, variant) = (self::task(&format!("/{task}")), variant.parse().unwrap());
        let mut user = ContractUser::new(task, variant).unwrap();
        user.next(None).unwrap();
        let said = replies.split(" | ").map(|reply| user.next(Some(reply)).map(|utterance| utterance.text));
        let text = said.collect::<Option<Vec<String>>>().map_or_else(String::new, choose);
        Answered { text, manner: Manner::of(variant) }
    }

    /// Whether it is as one term says: `silent`, `yes` (it begins so), `no yes` (no word of it is one), `neither yes nor
    /// no`; or it has, is, begins or ends with some words or any wording of a line: `"12 June"`, `is Closing`, `not begins
    /// Provided`.
    fn is_as(&self, term: &str) -> bool {
        let has_yes = || words(&self.text).iter().any(|word| word == "yes");
        match term {
            "silent" => return self.text.is_empty(),
            // Who says nothing keeps nothing to itself.
            _ if self.text.is_empty() => return false,
            "yes" => return self.text.starts_with("Yes"),
            "no yes" => return !has_yes(),
            "neither yes nor no" => return !has_yes() && !self.text.starts_with("No,"),
            _ => {}
        }
        let (wanted, term) = term.strip_prefix("not ").map_or((true, term), |term| (false, term));
        let (how, what) = term.split_once(' ').filter(|(how, _)| !how.starts_with('"')).unwrap_or(("has", term));
        let is_so = |text: &str| match how {
            "has" => self.text.contains(text),
            "is" => self.text == text,
            "begins" => self.text.starts_with(text),
            "ends" => self.text.ends_with(text),
            _ => panic!("`{how}` is no expectation"),
        };
        let found = match what.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(text) => is_so(text),
            None => {
                let line = Line::iter().find(|line| format!("{line:?}") == what);
                let line = line.unwrap_or_else(|| panic!("there is no line `{what}`"));
                self.manner.wordings(line).iter().any(|text| is_so(text))
            }
        };
        found == wanted
    }
}

impl Meets for Answered {
    fn meets(&self, expected: &str) -> bool {
        expected.split("; ").all(|term| self.is_as(term))
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Its answer to the last reply, and all of its answers.
const READERS: [(&str, Reader<Answered>); 2] = [
    ("answer", |case| Answered::of(case, |mut said| said.pop().unwrap_or_default())),
    ("answers", |case| Answered::of(case, |said| said.join("\n"))),
];

#[test]
fn it_answers_as_the_cases_say() {
    hold(include_str!("contract_cases.txt"), &READERS);
}

#[test]
fn leave_for_what_was_done_without_a_word_is_given() {
    let mut user = ContractUser::new(task("/mislaid_card"), Ideal).unwrap();
    user.next(None).unwrap();
    user.made = user.ordered.iter().collect();
    let said = user.next(Some("Shall I freeze the credit card?")).unwrap().text;
    assert!(said.starts_with("Yes"), "{said}");
}

#[test]
fn it_does_not_call_what_is_not_its_own_unknown_to_it() {
    for variant in Variant::ALL {
        let mut lines =
            [Line::Unknown, Line::NoMore, Line::Open].into_iter().flat_map(|line| Manner::of(variant).wordings(line));
        assert!(!lines.any(|line| line.to_lowercase().contains("don't know")), "{variant}");
    }
}

/// Whatever is asked, each word that it says stands in a turn that it has said, in a fact, or in a line of its manner.
#[test]
fn it_speaks_only_words_of_its_own() {
    let replies = [
        "Shall I polish the zinnober teapot, or would you rather have a quibbling parrot? Anything else?",
        "So that is forty-one marzipan ducks on Whitsun, right? Shall I send them to Zanzibar at 3:17, yes or no?",
        "A) hand it to Ottokar, or B) wait for the snow? Why do you ask, and may I lift the curtain for 77.77 EUR?",
        "I have drowned the piano, and you will get a voucher. Is everything as you meant it?",
    ];
    for loaded in SUITE.tasks.values().step_by(9) {
        for (variant, behaviour) in loaded.task.variants() {
            let lines = Line::iter().flat_map(|line| Manner::of(*variant).wordings(line)).cloned();
            let facts = loaded.task.file().facts.values().flat_map(|fact| fact.ways().chain([spoken(fact)]));
            let own: Vec<String> = lines.chain(facts).chain(behaviour.turns.iter().cloned()).collect();
            let own: BTreeSet<CompactString> = own.iter().flat_map(|text| words(text).to_vec()).collect();
            for reply in replies {
                let mut user = ContractUser::new(&loaded.task, *variant).unwrap();
                let mut said = vec![user.next(None).unwrap().text];
                said.extend(std::iter::from_fn(|| user.next(Some(reply))).map(|utterance| utterance.text));
                let strange = said.iter().flat_map(|text| words(text).to_vec()).find(|word| !own.contains(word));
                assert_eq!(strange, None, "{} {variant}: {reply} {said:?}", loaded.task.id());
            }
        }
    }
}

/// What is certain from the words of turns: sums that are agreed to and not named, days of replies, what was withheld.
#[test]
fn what_turns_take_for_granted_is_read_from_them() {
    let all = |name: &str, variant: Variant| {
        let task = task(name);
        let premises = task.behaviour(variant).unwrap().premises(task, variant);
        premises.iter().map(|(turn, premise)| format!("{turn} {premise:?}")).collect::<Vec<_>>()
    };
    let has = |task: &str, variant: Variant, turn: &str, what: &str| {
        let all = all(task, variant);
        assert!(all.iter().any(|known| known.starts_with(turn) && known.contains(what)), "{task} {what}: {all:?}");
    };
    has("/late_move", Ideal, "2 Value", "Money");
    has("/one_more_night", Underspecification, "2 Asked", "extra_nights");
    has("/storm_on_monday", Ideal, "3 Made", "move_booking");
    assert!(all("/mislaid_card", Ideal).is_empty());
}
