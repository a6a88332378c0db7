//! Questions that ask for the user's yes or choice, and which calls they are about.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::asked::ASKED;
use super::kept_text::{kept, whole_words, words};
use crate::task::question::Question;
use crate::task::{Task, ToolWords};
use probity_engine::{CallPattern, Tool};
use probity_prose::token;
use probity_prose::{Mention, Vocabulary, WordClass, lexicon::is};

/// Letters by which forms of a word are the same.
const SHORTEST_STEM: usize = 3;
const LONGEST_STEM: usize = 6;

/// What a question asks of the user's will; the vocabulary says what each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum QuestionCue {
    Yes,
    Tag,
    Priority,
    Offer,
    Address,
    Blanket,
    Anything,
    Ordinary,
    Leave,
    Inquiry,
    Closing,
    Alone,
    Extra,
    Identity,
    Name,
    Courtesy,
    Aside,
    Any,
    Again,
    Repeat,
    AsAsked,
}

pub(super) static CUES: LazyLock<Vocabulary<QuestionCue>> = LazyLock::new(|| Vocabulary::of("question"));

fn has(text: &str, cue: QuestionCue) -> bool {
    kept(text).cues().has(cue)
}

/// Whether words ask for a yes by their form.
pub(super) fn is_for_yes(text: &str) -> bool {
    let (text_kept, words) = (kept(text), whole_words(text));
    let heard = text_kept.cues();
    let is_tag = |mention: &Mention<_>| *mention.list == QuestionCue::Tag && mention.at + mention.length == words.len();
    let word = |at: usize| words.get(at).map_or("", CompactString::as_str);
    // `May I edit the booking?`, but not `May I ask ..?`.
    let is_leave = matches!((word(0), word(1)), ("may" | "can" | "could", "i" | "we"))
        && !heard.iter().any(|mention| *mention.list == QuestionCue::Inquiry && mention.at == 2);
    (heard.has(QuestionCue::Yes) && !ASKED.is_open(text))
        || is_leave
        || says_okay_to(text)
        || (text.trim_end().ends_with('?') && heard.iter().any(is_tag))
}

/// Whether a question is put to the user: *Found it? Look at the app* goes on without an answer.
pub(super) fn asks_somebody(question: &Question) -> bool {
    question.is_marked && (question.is_choice() || question.is_last || has(question.text, QuestionCue::Address))
}

/// Whether words ask for a yes: by their form, or by beginning with what a tool does (*Cancel tomorrow?*).
pub(super) fn asks_for_yes(text: &str, is_marked: bool, task: &Task) -> bool {
    let words = words(text);
    let first = words.first().map_or("", CompactString::as_str);
    is_for_yes(text) || (is_marked && task.writes().any(|(_, write)| write.verb() == first))
}

/// Whether a question asks which of two wishes should give way: *which matters more?*, *would you rather ..?*
pub(super) fn asks_what_matters(question: &Question) -> bool {
    question.is_marked && has(question.text, QuestionCue::Priority)
}

/// Whether words speak of one of these calls: by its verb, or with a word of their own that a question has.
pub(super) fn speaks_of(turn: &str, deeds: &[&Tool], question: &str, task: &Task) -> bool {
    let said = kept(turn);
    let is_named = |tool: &&Tool| task.words_of(&tool.name).is_some_and(|words| words.is_named_in(said.vocabulary()));
    deeds.iter().any(is_named) || shares(turn, question)
}

/// Whether two texts have a word in common that tells what they are about.
pub(super) fn shares(one: &str, other: &str) -> bool {
    let (one, other) = (kept(one), kept(other));
    one.tellings().long.iter().any(|word| other.vocabulary().contains(word))
}

/// How many of the words that tell what a text is about another has, and how many there are.
pub(super) fn shared_of(text: &str, other: &str) -> (usize, usize) {
    let (text, other) = (kept(text), kept(other));
    let own = &text.tellings().about;
    (own.iter().filter(|begin| other.tellings().begins(begin)).count(), own.len())
}

/// A word without the endings of its forms: *leave* and *leaving*.
pub(super) fn stem(word: &str) -> String {
    let plain = word.trim_end_matches('s');
    let base = ["ing", "ed", "e"].iter().find_map(|ending| plain.strip_suffix(ending)).unwrap_or(plain);
    let base = if base.chars().count() < SHORTEST_STEM { plain } else { base };
    base.chars().take(LONGEST_STEM).collect()
}

/// The same of all words that tell anything, however short they are.
pub(super) fn tellings(text: &str, other: &str) -> (usize, usize) {
    let (text, other) = (kept(text), kept(other));
    let own = &text.tellings().stems;
    (own.iter().filter(|stem| other.tellings().has_stem(stem)).count(), own.len())
}

/// Words of any request and any answer.
pub(super) fn is_usual(word: &str) -> bool {
    is(WordClass::Modals, word)
        || is(WordClass::Negations, word)
        || is(WordClass::Helpers, word)
        || CUES.heard(&token::whole_words(word)).iter().next().is_some()
}

/// Whether a question asks for leave to do anything at all: *May I do whatever I like?*
pub(super) fn asks_for_anything(question: &str) -> bool {
    let (asked, words) = (kept(question), whole_words(question));
    let heard = asked.cues();
    let word = |at: usize| words.get(at).map_or("", CompactString::as_str);
    // `May I do whatever I like?`, but not `Is there anything I like?`.
    let is_leave = |at: usize| matches!((word(at), word(at + 1)), ("shall" | "may" | "can" | "could", "i" | "we"));
    let is_asked = |mention: &Mention<_>| {
        let before = mention.at.checked_sub(1).map_or("", word);
        matches!(before, "do" | "make") && (0..mention.at).any(is_leave)
    };
    heard.has(QuestionCue::Blanket)
        || heard.iter().any(|mention| *mention.list == QuestionCue::Anything && is_asked(mention))
}

/// Whether a question only offers more help, which needs no answer: not *Shall I file it, or is there more?* and not *Is
/// that so of the lamp and anything else?*
pub(super) fn offers_help(question: &str) -> bool {
    let (asked, words) = (kept(question), whole_words(question));
    let heard = asked.cues();
    let word = |at: usize| words.get(at).map_or("", |word| word.as_str());
    let is_choice = |at: usize| {
        let leaves = heard.iter().filter(|mention| *mention.list == QuestionCue::Leave);
        leaves.into_iter().any(|leave| (at.min(leave.at)..at.max(leave.at)).any(|between| word(between) == "or"))
    };
    heard.place(QuestionCue::Offer).is_some_and(|at| !is_choice(at) && (at == 0 || word(at - 1) != "and"))
}

/// Whether a question only asks whether the matter is closed: *Will that do?*, *Is that clear so?*
pub(super) fn is_closing(question: &Question) -> bool {
    question.is_marked && closes(question.text)
}

pub(super) fn closes(text: &str) -> bool {
    // `Is that all right?` is another question than `Is that all?`
    has(&text.replace("all right", "alright"), QuestionCue::Closing)
}

pub(super) fn leaves_alone(question: &str) -> bool {
    has(question, QuestionCue::Alone)
}

/// Whether a question says what it is about by *it* or *that*: *Shall I enter it?*
pub(super) fn points_back(question: &str) -> bool {
    let (_, own) = shared_of(question, "");
    own == 0 || (own == 1 && has_anaphor(question))
}

pub(super) fn has_anaphor(question: &str) -> bool {
    words(question).iter().any(|word| ASKED.anaphor.has(word))
}

pub(super) fn asks_who(question: &str) -> bool {
    has(question, QuestionCue::Identity)
}

/// Whether a question asks for a name and does not say of what: *What is your name?*, not *the name of the medicine*.
pub(super) fn asks_name(question: &str) -> bool {
    let words = whole_words(question);
    let is_of = |mention: &Mention<_>| words.get(mention.at + mention.length).is_some_and(|word| word == "of");
    // `Should it stand before your name?`
    let is_place = |mention: &Mention<_>| {
        let before = mention.at.checked_sub(1).and_then(|at| words.get(at));
        words.get(mention.at).is_some_and(|word| word == "your") && before.is_some_and(|word| ASKED.place.has(word))
    };
    let named = kept(question);
    let mut named = named.cues().iter().filter(|mention| *mention.list == QuestionCue::Name);
    named.any(|mention| !is_of(mention) && !is_place(mention))
}

/// Whether a question only asks how the user is.
pub(super) fn is_courtesy(question: &str) -> bool {
    has(question, QuestionCue::Courtesy)
}

/// Whether a question is about what has nothing to do with any matter: the time, the weather.
pub(super) fn is_aside(question: &str) -> bool {
    has(question, QuestionCue::Aside)
}

/// Whether words that are no question ask to be told something by name: *I need your address*, not *if it is fine*.
pub(super) fn asks_to_be_told(request: &str) -> bool {
    let words = words(request);
    let is_open =
        |word: &CompactString| is(WordClass::Conditions, word) || word == "whether" || has(word, QuestionCue::Any);
    let is_for_all = asks_again(request) || !words.iter().any(is_open);
    is_for_all && words.iter().any(|word| word == "your" || ASKED.inquires(word))
}

/// Whether a question asks to be told once more what is wanted.
pub(super) fn asks_wish_again(question: &str) -> bool {
    has(question, QuestionCue::Again)
}

/// Whether a question is about what the user has said, whatever that was: *Shall I do it as you wrote?*
pub(super) fn is_as_asked(question: &str) -> bool {
    has(question, QuestionCue::AsAsked)
}

/// Whether a question is whether something is what the user has said: *Is that what you want?*
pub(super) fn asks_if_as_asked(question: &str) -> bool {
    let is_it = |four: &[CompactString]| {
        matches!(four, [is, that, what, you]
            if matches!(is.as_str(), "is" | "was") && matches!(that.as_str(), "that" | "this" | "it")
                && matches!(what.as_str(), "what" | "how" | "as") && you == "you")
    };
    whole_words(question).windows(4).any(is_it)
}

/// Whether a question asks for a value once more.
pub(super) fn asks_again(question: &str) -> bool {
    has(question, QuestionCue::Repeat)
}

/// Whether a question offers things to choose from, and not only yes or no: *Is it the sea, yes or no?*
pub(super) fn offers_things(question: &Question) -> bool {
    let all = words(question.text);
    let is_answer = |word: Option<&CompactString>| word.is_some_and(|word| matches!(word.as_str(), "no" | "not"));
    let mut offers = (0..all.len()).filter(|at| all.get(*at).is_some_and(|word| word == "or")).peekable();
    let is_bare = offers.peek().is_some() && offers.all(|at| is_answer(all.get(at + 1)));
    question.is_choice() && !is_bare
}

/// Whether a question speaks of one thing more.
pub(super) fn adds(question: &str) -> bool {
    has(question, QuestionCue::Extra)
}

/// The writing calls that words name by their verb.
pub(super) fn named<'a>(text: &str, task: &'a Task) -> Vec<&'a Tool> {
    let said = kept(text);
    let is_named = |(_, words): &(&Tool, &ToolWords)| words.is_named_in(said.vocabulary());
    task.writes().filter(is_named).map(|(tool, _)| tool).collect()
}

/// Whether a question asks for leave to act, and not only whether something is right.
pub(super) fn asks_for_leave(question: &str) -> bool {
    has(question, QuestionCue::Leave) || says_okay_to(question)
}

/// *OK to stop it?*
fn says_okay_to(question: &str) -> bool {
    let is_okay = |pair: &[CompactString]| matches!(pair, [okay, to] if matches!(okay.as_str(), "ok" | "okay" | "alright" | "fine") && matches!(to.as_str(), "to" | "if"));
    question.trim_end().ends_with('?') && whole_words(question).windows(2).any(is_okay)
}

/// Whether a question names ids like those that the user agreed to, and none of them. *U15* is none like *B12*.
pub(super) fn names_another(question: &str, agreed: &CallPattern) -> bool {
    let is_id =
        |word: &CompactString| word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic);
    let letters = |word: &CompactString| word.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let known: Vec<CompactString> = words(&agreed.to_string()).iter().filter(|word| is_id(word)).cloned().collect();
    let is_like = |word: &CompactString| is_id(word) && known.iter().any(|known| letters(known) == letters(word));
    let asked: Vec<CompactString> = words(question).iter().filter(|word| is_like(word)).cloned().collect();
    !asked.is_empty() && !asked.iter().any(|id| known.contains(id))
}
