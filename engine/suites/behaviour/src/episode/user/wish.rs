//! What the contract user wants, in its own words: the sentences of its turns that order what is not done yet.

use std::collections::BTreeSet;

use super::asked::{ASKED, denies};
use super::confirmation::{asks_for_leave, is_usual, named, shared_of, stem, tellings};
use super::contract::{ContractUser, OwnWords, Slot, capitalised, spoken};
use super::kept_text::{begin, clauses, kept, sentences_of, values, whole_words, words};
use crate::model::task_file::Contradiction;
use crate::task::OracleCall;
use compact_str::CompactString;
use probity_engine::{Tool, within};
use probity_prose::quantity::small_number;
use probity_prose::token::spaced;
use probity_prose::{Amount, MONTHS, WordClass, lexicon::is};

use serde_json::Value;

/// From so many orders on only those that are asked about are said again, and no more than these.
const MOST_SAID_AGAIN: usize = 5;
/// Most sentences before an order that are said with it, where it points back to them.
const MOST_BEFORE: usize = 2;
/// Words of a sentence that does no more than to say who somebody is.
pub(super) const MOST_OF_NAME: usize = 8;
/// Words of an order so short that its *that* points back.
const SHORT: usize = 4;

impl ContractUser<'_> {
    /// The turns whose wishes still stand: who has changed its mind, or chosen against one of two wishes, says nothing of
    /// before again.
    pub(super) fn standing(&self) -> &[String] {
        let said = self.said();
        let given_up = self.settled().filter(|(hold, _)| !self.is_had(hold)).map(|(_, turn)| turn).max();
        let turned = (1..said.len()).rev().find(|at| said.get(*at).is_some_and(|turn| ASKED.turning.are_in(turn)));
        let from = match self.is_switching {
            true => turned.unwrap_or(said.len().saturating_sub(1)),
            false => given_up.map_or(0, |turn| turn.saturating_sub(1)),
        };
        said.get(from..).unwrap_or_default()
    }

    /// The contradictions that its turns so far have settled, with the turn that did.
    fn settled(&self) -> impl Iterator<Item = (&Contradiction, usize)> {
        let all = self.behaviour.contradicts.iter().map(|hold| &hold.source);
        let all = all.filter_map(|hold| Some((hold, hold.settled_in_turn? as usize)));
        all.filter(|(_, turn)| *turn <= self.said().len())
    }

    /// Whether the wish that was held back for another is what it ordered in the end.
    fn is_had(&self, hold: &Contradiction) -> bool {
        hold.holds.iter().any(|call| self.ordered_by_now(&call.tool).next().is_some())
    }

    /// Whether a sentence of a turn stands after what its later turns settled: it speaks neither for what was given up
    /// nor of leaving something as it is.
    fn still_stands(&self, said: &str, turn: usize) -> bool {
        self.settled()
            .filter(|(_, settled)| turn < *settled)
            .all(|(hold, _)| !is_rest(said) && shared_of(said, &hold.wish).0 >= shared_of(said, &hold.against).0)
    }

    /// What its standing turns order, each with the sentences before it to which it points back, and with its turn.
    pub(super) fn orders(&self) -> &[(usize, String)] {
        &self.own_words().orders
    }

    /// All that is its own: its wish, the facts that it told, and what they order.
    pub(super) fn own(&self) -> &str {
        &self.own_words().all
    }

    fn own_words(&self) -> &OwnWords {
        self.own.get_or_init(|| {
            let orders = self.ordered_sentences();
            OwnWords { all: self.all_own(&orders), orders }
        })
    }

    fn ordered_sentences(&self) -> Vec<(usize, String)> {
        let writes = self.ordered_by_now("").filter(|call| self.is_write(call));
        let is_who = |text: &str| self.tells_who(text);
        let arguments: BTreeSet<&str> = named_in(writes).filter(|text| !is_who(text)).collect();
        let is_verb = |word: &str| self.task.writes().any(|(_, words)| words.verb() == word);
        let orders = |said: &str, is_question: bool| {
            let told = kept(said);
            let named_by = arguments.iter().filter(|text| told.has_run(&words(text))).count();
            ASKED.orders(said, is_question)
                || named_by > usize::from(is_question)
                || (!is_question && ASKED.begins(said, is_verb))
                || (self.is_switching && words(said).len() > SHORT && ASKED.turning.are_in(said))
        };
        // *Philippa Carrow, card ending 9153.*
        let is_name = |said: &str| {
            is_who(said) && (words(said).len() <= MOST_OF_NAME || greets(said)) && !ASKED.orders(said, false)
        };
        let mut found: Vec<(usize, String)> = Vec::new();
        let standing = self.standing();
        for (at, turn) in standing.iter().enumerate() {
            let all = sentences_of(turn);
            let is_old = at + 1 < standing.len();
            let number = self.said().len() - standing.len() + at + 1;
            let is_order = |(said, is_question): &(String, bool)| {
                orders(said, *is_question) && !is_name(said) && !(is_old && self.is_past(said))
            };
            let is_order: Vec<bool> = all.iter().map(is_order).collect();
            // Who orders without a word for it says what is the matter.
            let is_silent = !all.iter().any(|(said, is_question)| orders(said, *is_question) && !is_name(said));
            let mut unsaid: Vec<&str> = Vec::new();
            for ((said, is_question), is_order) in all.iter().zip(is_order) {
                let is_aside = || greets(said) || is_who(said) || (is_old && self.is_past(said));
                let tells_facts = || self.tells_facts(said, standing.get(at + 1..).unwrap_or_default());
                let is_beside = !is_question && !is_aside() && tells_facts();
                match is_order || is_beside || (is_silent && !is_question && !is_who(said) && shared_of(said, "").1 > 1)
                {
                    true => {
                        let most = if points_before(said) { MOST_BEFORE } else { 0 };
                        let before = unsaid.get(unsaid.len().saturating_sub(most)..).unwrap_or_default();
                        if let Some(said) = without_yes(said).filter(|said| self.still_stands(said, number)) {
                            found.push((at, [before, &[said.as_str()]].concat().join(" ")));
                        }
                        unsaid.clear();
                    }
                    // `Thank you.` is nothing to point back to.
                    false if *is_question || is_who(said) || tellings(said, "").1 == 0 || words(said).len() == 1 => {
                        unsaid.clear()
                    }
                    false => unsaid.push(said),
                }
            }
        }
        let is_taken_back = |(at, said): &(usize, String)| {
            let mut later = found.iter().filter(|(other, _)| other > at);
            later.any(|(_, other)| {
                (is_rest(said) && !is_rest(other) && shared_of(said, other).0 > 0) || self.replaces_count(other, said)
            })
        };
        let first = self.said().len() - standing.len() + 1;
        found.iter().filter(|order| !is_taken_back(order)).map(|(at, said)| (first + at, said.clone())).collect()
    }

    /// Whether an order tells how many, as it is ordered in the end, where one before it told another number.
    fn replaces_count(&self, order: &str, before: &str) -> bool {
        let now = self.task.initial().clock();
        let count = |said: &str| values(said, now).only_count();
        let is_ordered = |count: Amount| {
            let writes = self.ordered_by_now("").filter(|call| self.is_write(call));
            let mut values = writes.flat_map(|call| call.arguments.values());
            values.any(|value| value.as_number().and_then(Amount::of) == Some(count))
        };
        let counts = count(order).zip(count(before));
        counts.is_some_and(|(new, old)| is_ordered(new) && !is_ordered(old))
    }

    /// The sentences of its standing turns that are not over, and whether each is a question; what an earlier turn asked
    /// is over.
    pub(super) fn standing_sentences(&self) -> Vec<(String, bool)> {
        let standing = self.standing();
        let first = self.said().len() - standing.len() + 1;
        let all = standing.iter().enumerate().flat_map(|(at, turn)| {
            let said = sentences_of(turn);
            said.iter().map(|(said, is_question)| (at, said.clone(), *is_question)).collect::<Vec<_>>()
        });
        let is_over =
            |at: usize, said: &str, is_question: bool| at + 1 < standing.len() && (is_question || self.is_past(said));
        let standing = all
            .filter(|(at, said, is_question)| !is_over(*at, said, *is_question) && self.still_stands(said, first + at));
        standing.map(|(_, said, is_question)| (said, is_question)).collect()
    }

    /// Whether a sentence of a turn after which it has said another is over with that: it asked to be told something or to
    /// wait, or ordered what it orders no more.
    fn is_past(&self, said: &str) -> bool {
        let named = named(said, self.task);
        let is_ordered = |tool: &&Tool| self.ordered.iter().any(|call| call.is_by(&tool.name));
        let writes = self.ordered_by_now("").filter(|call| self.is_write(call));
        let told = kept(said);
        let is_told = |text: &str| !self.tells_who(text) && told.has_run(&words(text));
        !named.iter().any(is_ordered)
            && !named_in(writes).any(is_told)
            && (!named.is_empty() || ASKED.knowing.are_in(said) || ASKED.pausing.are_in(said))
    }

    /// What it wants and is not done, in its own words: where that is much, what is about the question.
    pub(super) fn wish(&self, asked: &str) -> Option<String> {
        let writes: Vec<&OracleCall> = self.ordered_by_now("").filter(|call| self.is_write(call)).collect();
        // Who waits for an answer may have ordered in words alone.
        let is_early = writes.is_empty() && self.waiting().is_some();
        let calls = if writes.is_empty() { self.ordered_by_now("").collect() } else { writes };
        if !self.is_torn() && !is_early && calls.iter().all(|call| self.is_done(&call.tool)) {
            return None;
        }
        let is_over = |said: &String| {
            let tools = calls.iter().map(|call| &call.tool).filter(|tool| self.speaks_by_name(said, tool));
            let tools: Vec<&String> = tools.collect();
            !tools.is_empty() && tools.iter().all(|tool| self.is_done(tool))
        };
        let is_open = |turn: usize| !self.is_replaced(turn) && !self.is_finished(turn);
        let open = self.orders().iter().filter(|(turn, said)| is_open(*turn) && !is_over(said));
        self.worded_wish(asked, open.map(|(_, said)| said.clone()).collect())
    }

    /// What it ordered of what it is asked once more about, done or not.
    pub(super) fn old_wish(&self, asked: &str) -> Option<String> {
        let orders = self.orders().iter().filter(|(turn, _)| !self.is_replaced(*turn));
        let orders: Vec<String> = orders.map(|(_, said)| said.clone()).collect();
        let shared = |said: &String| (shared_of(asked, said).0, said.clone());
        let most = orders.iter().map(shared).filter(|(shared, _)| *shared > 0).max_by_key(|(shared, _)| *shared);
        most.map(|(_, said)| said).or_else(|| (!orders.is_empty()).then(|| last_of(&orders).join(" ")))
    }

    fn worded_wish(&self, asked: &str, orders: Vec<String>) -> Option<String> {
        let is_named = |said: &str| named(asked, self.task).iter().any(|tool| self.speaks_by_name(said, &tool.name));
        let is_about = |said: &&String| shared_of(asked, said).0 > 0 || is_named(said);
        let about: Vec<&String> = orders.iter().filter(is_about).collect();
        let mut said: Vec<String> = match about.is_empty() || orders.len() < MOST_SAID_AGAIN {
            true => last_of(&orders).to_vec(),
            false => last_of(&about).iter().map(|said| (*said).clone()).collect(),
        };
        // What it is asked about may be told in words that order nothing.
        let first = self.said().len() - self.standing().len() + 1;
        let told = (first..).zip(self.standing());
        let mut told = told.filter(|(turn, _)| !self.is_replaced(*turn) && !self.is_finished(*turn));
        let is_new = |one: &String| !self.tells_who(one) && !said.iter().any(|order| order.contains(one.as_str()));
        let told_in = |turn: &String| {
            let told = sentences_of(turn);
            let told = told.iter().filter(|(one, is_question)| !is_question && shared_of(asked, one).0 > 1);
            told.filter_map(|(one, _)| without_yes(one)).find(is_new)
        };
        let more: Option<String> = told.find_map(|(_, turn)| told_in(turn));
        said.extend(more);
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// Whether words tell what it wants it with: facts that it has said, and not who it is, nor what it has said again.
    fn tells_facts(&self, text: &str, later: &[String]) -> bool {
        let told = kept(text);
        let is_told = |way: String| way.len() > 2 && told.has_run(&words(&way));
        let is_again = |slot: &Slot| later.iter().any(|turn| slot.voice.ways.are_in(turn));
        let mut own = self.slots.iter().filter(|slot| slot.is_said && !slot.is_who && !is_again(slot));
        own.any(|slot| slot.fact.ways().any(is_told))
    }

    /// Whether words tell who the user is.
    pub(super) fn tells_who(&self, text: &str) -> bool {
        self.slots.iter().any(|slot| slot.is_who && slot.voice.ways.are_in(text))
    }

    pub(super) fn speaks_by_name(&self, said: &str, tool: &str) -> bool {
        let said = kept(said);
        let words = self.task.words_of(tool);
        words.is_some_and(|words| words.forms.iter().any(|form| said.tellings().has_stem(&stem(form))))
    }

    fn all_own(&self, orders: &[(usize, String)]) -> String {
        let mut own: Vec<String> = orders.iter().map(|(_, said)| said.clone()).collect();
        own.extend(self.slots.iter().filter(|slot| slot.is_said).map(|slot| spoken(slot.fact)));
        for call in self.ordered_by_now("") {
            own.extend(call.arguments.values().filter_map(Value::as_str).map(str::to_owned));
            let words = self.task.words_of(&call.tool);
            own.extend(words.into_iter().flat_map(|words| &words.forms).map(ToString::to_string));
            own.extend(words.map(|words| words.name.join(" ")));
        }
        let by_now = self.behaviour.consents.iter().filter(|(turn, _)| *turn as usize <= self.turns_said);
        own.extend(by_now.map(|(_, call)| spaced(&call.source.to_string()).replace('_', " ")));
        own.join("\n")
    }

    /// Whether words take something else than it wants: they deny, turn away, take more, or tell a value otherwise than it
    /// has told it, was told it, or than its orders are `recorded`.
    pub(super) fn is_against_wish(&self, text: &str, recorded: &str) -> bool {
        let own = self.own();
        // *Shall I file it with these words: ..* tells what is filed behind its colon, and not what is done.
        let deed = text.split_once(": ").map(|(deed, _)| deed).filter(|deed| asks_for_leave(deed)).unwrap_or(text);
        departs(deed, own) || self.is_told_otherwise(text, recorded)
    }

    /// Whether words tell a value in the place of its own, or of one that it was told.
    fn is_told_otherwise(&self, text: &str, own: &str) -> bool {
        let now = self.task.initial().clock();
        let known = values(&[self.own(), own, self.heard.as_str()].join("\n"), now);
        match values(text, now) {
            // What is wanted by Friday may well be there on Thursday.
            told if ASKED.limiting.are_in(self.own()) => told.contradicts_beside_times(&known),
            told => told.contradicts(&known),
        }
    }

    /// Whether words are not against its wish and offer nothing beyond what is its `own`, but for sums that it has been
    /// told; `set` is what its calls are made with, in the place of which nothing else may stand.
    pub(super) fn is_within(&self, text: &str, own: &str, set: &str) -> bool {
        let now = self.task.initial().clock();
        let (told, own_values) = (values(text, now), values(own, now));
        !departs(text, own)
            && !self.is_told_otherwise(text, own)
            && told.are_own(&own_values, &values(&self.heard_told(), now))
            && !told.says_another(&own_values)
            && !told.says_another(&values(set, now))
            && is_worded_in(&told.taken_from(text), own)
    }

    /// Whether each sum of a text is among what is `recorded`, or was told before.
    pub(super) fn has_told_sums(&self, text: &str, recorded: &str) -> bool {
        let now = self.task.initial().clock();
        let known = values(&[self.own(), recorded, &self.heard_told()].join("\n"), now);
        values(text, now).has_only_sums_of(&known)
    }

    /// What it was told before the last reply; what was asked was not told.
    fn heard_told(&self) -> String {
        let heard = sentences_of(&self.heard);
        let heard = heard.iter().filter(|(_, is_question)| !is_question);
        heard.map(|(said, _)| said.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// Whether words deny, leave things as they are, pick another, or take more than a text, which may deny the same.
fn departs(text: &str, own: &str) -> bool {
    denies_more(text, own) || ASKED.turns_from(text, own) || ASKED.takes_more(text, own)
}

/// Whether words deny what a text does not: *and no new one* is said of who wants no new one.
fn denies_more(text: &str, own: &str) -> bool {
    let own: Vec<Vec<CompactString>> = clauses(own).iter().filter_map(|clause| denied(clause)).collect();
    let tells = |word: &&CompactString| !ASKED.small.has(word) && !ASKED.opening.has(word) && !is_usual(word);
    let is_own = |denied: &Vec<CompactString>| {
        denied.iter().any(|word| tells(&word))
            && own.iter().any(|own| denied.iter().filter(tells).all(|word| own.contains(word)))
    };
    clauses(text).iter().any(|clause| denies(clause) && !denied(clause).is_some_and(|denied| is_own(&denied)))
}

/// What stands behind the word by which a clause denies.
fn denied(clause: &str) -> Option<Vec<CompactString>> {
    let said = whole_words(clause);
    let at = said.iter().position(|word| denies(word))?;
    said.get(at + 1..).map(<[CompactString]>::to_vec).filter(|_| denies(clause))
}

/// *Good morning, Noor Haddad here.*
fn greets(said: &str) -> bool {
    words(said).first().is_some_and(|word| matches!(word.as_str(), "good" | "dear" | "hello" | "hi" | "morning"))
}

/// Whether a sentence leaves something as it is: *Leave tomorrow alone for now*.
fn is_rest(said: &str) -> bool {
    denies(said) || ASKED.turns_from(said, said)
}

/// Whether each word that tells something, and each number, stands in a text; a number beside a word as it does there.
fn is_worded_in(text: &str, own: &str) -> bool {
    let known = kept(own);
    let (said, own) = (words(text), words(own));
    let number = |word: &CompactString| small_number(word).or_else(|| word.parse().ok());
    let count = |pair: &[CompactString]| match pair {
        [count, of] => number(count).map(|count| (count, begin(of))),
        _ => None,
    };
    let numbers: BTreeSet<i64> = own.iter().filter_map(number).collect();
    let counts: BTreeSet<(i64, CompactString)> = own.windows(2).filter_map(count).collect();
    let is_other = |(number, of): (i64, CompactString)| {
        !counts.contains(&(number, of.clone())) && counts.iter().any(|(_, other)| *other == of)
    };
    let is_in = |word: &CompactString| match number(word) {
        Some(number) => number == 1 || numbers.contains(&number),
        None => {
            let is_plain =
                ASKED.small.has(word) || ASKED.opening.has(word) || is_usual(word) || is(WordClass::Common, word);
            is_plain || MONTHS.contains(&word.as_str()) || known.tellings().begins(&begin(word))
        }
    };
    said.iter().all(is_in) && !said.windows(2).filter_map(count).any(is_other)
}

/// As many of these as are said again.
fn last_of<T>(all: &[T]) -> &[T] {
    all.get(all.len().saturating_sub(MOST_SAID_AGAIN)..).unwrap_or_default()
}

/// An order without the yes that is given with it, which would answer another question; nothing where it is no more.
pub(super) fn without_yes(said: &str) -> Option<String> {
    let said =
        ["Yes, ", "Yes: ", "yes, "].iter().find_map(|yes| said.strip_prefix(yes)).map_or(said.to_owned(), capitalised);
    let said = match said.split_once("yes: ") {
        Some((_, order)) => capitalised(order),
        None => said.replace("so yes, ", "so ").replace("So yes, ", "So ").replace(", yes, ", ", "),
    };
    let end = said.trim_end_matches(['.', '!']);
    let said = match end.strip_suffix(", yes") {
        Some(order) => [order, said.get(end.len()..).unwrap_or_default()].concat(),
        None => said,
    };
    let all = words(&said);
    let all = all.get(all.iter().take_while(|word| is_item_number(word)).count()..).unwrap_or_default();
    let agrees = all.windows(2).any(|pair| matches!(pair, [i, agree] if i == "i" && agree == "agree"));
    let is_yes = all.first().is_none_or(|word| word == "yes") || agrees;
    (!is_yes).then_some(said)
}

/// Whether a word numbers what stands in a list: *2) Yes to that.*
fn is_item_number(word: &str) -> bool {
    word.parse::<u8>().is_ok()
}

/// Whether an order points to what stands before it: *please report both*, *enter that, please*.
fn points_before(order: &str) -> bool {
    let said = words(order);
    let is_that = |pair: &[CompactString]| matches!(pair, [deed, that] if that == "that" && ASKED.deed.has(deed));
    said.iter().any(|word| ASKED.bare.has(word) || (said.len() <= SHORT && word == "that"))
        || said.windows(2).any(is_that)
        || (said.windows(3)).any(|three| matches!(three, [_, that, place] if that == "that" && place == "in"))
}

/// The texts with which some calls are made, each of more than two letters.
fn named_in<'a>(calls: impl Iterator<Item = &'a OracleCall>) -> impl Iterator<Item = &'a str> {
    let texts = calls.flat_map(|call| call.arguments.values()).flat_map(within::texts);
    texts.filter(|text| text.len() > 2 && !text.contains('$'))
}
