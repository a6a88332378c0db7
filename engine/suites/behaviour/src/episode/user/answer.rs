//! What the contract user answers to the questions of a reply: the facts that are asked for, each as often as it is, and
//! how it takes the rest.

use std::collections::BTreeSet;

use compact_str::CompactString;
use probity_bench::MAX_EXTRA_REPLIES;
use probity_prose::{WordClass, lexicon::is};

use super::asked::ASKED;
use super::confirmation::{
    asks_again, asks_for_leave, asks_name, asks_who, named, offers_help, offers_things, points_back, tellings,
};
use super::contract::{ContractUser, Slot, capitalised, is_day, spoken};
use super::decision::Decision;
use super::kept_text::{questions, sentences_of, words};
use super::manner::Line;
use super::recall::{Recall, misheard, recall};
use super::utterance::capitalised as capitalised_words;
use super::wish::{MOST_OF_NAME, without_yes};
use crate::task::fact::ways_to_say as ways;
use crate::task::question::Question;

/// Most words before the value of a thing offered: *or to the sea*.
const MOST_BEFORE_OPTION: usize = 2;
/// Most words of a sentence that is said again, for a fact in it or what it is about.
const MOST_OF_SENTENCE: usize = 40;

/// Most words of a request without a verb.
const MOST_OF_REQUEST: usize = 8;
/// Between two questions of one sentence.
const AND: &str = " and ";

/// What it says to a reply beside its turns.
pub(super) struct Answer<'a> {
    /// What it tells of its facts.
    pub facts: Vec<String>,
    pub decision: Decision<'a>,
    /// What it says of a question that is left beside those that it answers.
    pub open: Option<Line>,
}

/// What a reply asks.
struct Hearing<'q> {
    questions: Vec<Question<'q>>,
    /// Those that ask for its will, each with whether it is about facts.
    sorted: Vec<(Question<'q>, bool)>,
    /// What is said of each fact that is held up.
    held: Vec<Option<Recall>>,
    /// Its name where that is asked to be right.
    named: Option<String>,
    /// Its own values in the place of which others are held up.
    misheard: BTreeSet<String>,
    /// The fact among things offered.
    chosen: Option<usize>,
    /// The facts that are asked for: those that it has said, and those that it has not.
    known: Vec<usize>,
    news: Vec<usize>,
}

impl<'a> ContractUser<'a> {
    /// What it tells of the facts after a reply, and how it takes the rest.
    ///
    /// After *Is 4402 7719 0356 right, and shall I pay 350?* that the number is right, and the turn that says yes.
    pub(super) fn answer(&mut self, reply: &str) -> Answer<'a> {
        self.slots.iter_mut().for_each(|slot| slot.is_judged = false);
        let Hearing { questions, sorted, held, named, misheard, chosen, mut known, news } = self.hear(reply);
        if questions.is_empty() {
            return Answer { facts: Vec::new(), decision: Decision::Nothing, open: None };
        }
        let is_wrong = held.contains(&Some(Recall::Other)) || !misheard.is_empty();
        let mut facts = self.judge(&held);
        let unsaid = misheard.into_iter().filter(|own| !facts.iter().any(|fact| fact.contains(own.as_str())));
        let unsaid: Vec<String> = unsaid.collect();
        facts.extend(unsaid.iter().map(|own| self.line_of(Line::Wrong, own)));
        // A yes waits until what is wrong has been put right, and none stands beside it.
        let held_back = |decision: Decision<'a>| match decision {
            Decision::Turn if is_wrong && self.agrees_in_next() => Decision::Nothing,
            Decision::Provided if is_wrong => Decision::Wish,
            Decision::Said(_) if is_wrong && self.wish("").is_some() => Decision::Wish,
            Decision::Said(_) if is_wrong => Decision::Nothing,
            decision => decision,
        };
        let ((taken, mut open), turn) = (self.take(&sorted), held_back(Decision::Turn));
        let mut decision = held_back(taken);
        facts.extend(named.map(|own| self.line_of(Line::Right, &own)));
        // The next turn chooses for itself.
        facts.extend(chosen.filter(|_| decision != Decision::Turn).and_then(|at| self.choose(at)));
        let is_told = !(known.is_empty() && news.is_empty() && facts.is_empty());
        // Before it goes it has said once more what it still wants.
        if decision == Decision::Nothing && is_told && self.is_last_word() {
            decision = Decision::Wish;
        }
        if matches!(decision, Decision::Wish | Decision::Provided | Decision::NotThat(_))
            && !questions.iter().any(|question| asks_again(question.text))
        {
            known = self.not_in_wish(&known, reply);
        }
        let told = if news.is_empty() { Some(Vec::new()).filter(|_| !self.settles_next()) } else { self.tell(&news) };
        match told {
            Some(told) => facts.extend(told),
            None => decision = turn.clone(),
        }
        // What else is asked of what it has spoken of is told beside the facts.
        let mut about = Vec::new();
        if let Decision::Inquiry(inquired) = &decision
            && !(known.is_empty() && facts.is_empty())
        {
            about.extend(inquired.lines().filter_map(|asked| self.sentence_about(asked)));
            let is_told = !about.is_empty() || inquired.lines().all(|asked| tellings(asked, "").1 == 0);
            if !is_told && self.upcoming().is_none() {
                open = open.or(Some(Line::Rest));
            }
            decision = if is_told || self.upcoming().is_none() { Decision::Nothing } else { turn };
        }
        let again = self.tell_again(&known, about, &questions, decision == Decision::Turn);
        // What it told holds no more.
        if !known.is_empty() && again.is_empty() && facts.is_empty() && decision == Decision::Nothing {
            decision = Decision::Wish;
        }
        facts.extend(again);
        Answer { facts, decision, open }
    }

    /// What a reply asks, before anything is told, which makes facts known.
    fn hear<'q>(&self, reply: &'q str) -> Hearing<'q> {
        let questions = asked_in(reply);
        let named = questions.iter().find_map(|question| self.named_right(question));
        let is_strange = questions.iter().any(|question| self.is_named_strangely(question));
        let is_settled_name = |slot: &Slot| slot.is_name && (named.is_some() || is_strange);
        let held = |slot: &Slot| self.held_up(slot, &questions).filter(|_| !is_settled_name(slot));
        let held: Vec<Option<Recall>> = self.slots.iter().map(held).collect();
        let chosen = self.own_option(&questions);
        // Nothing withheld is told to what no scorer takes for a question.
        let plain = plain_questions(reply);
        let is_asked = |slot: &Slot| {
            let mut asked = if slot.is_said { &questions } else { &plain }.iter();
            asked.any(|question| self.is_asked_for(slot, question) && !self.is_put_to_it(question))
        };
        let slots = (0..).zip(self.slots.iter().zip(&held)).filter(|(at, (slot, held))| {
            held.is_none() && chosen != Some(*at) && !is_settled_name(slot) && is_asked(slot)
        });
        let (known, news): (Vec<_>, Vec<_>) = slots.partition(|(_, (slot, _))| slot.is_said);
        let [known, news] = [known, news].map(|asked| asked.into_iter().map(|(at, _)| at).collect::<Vec<usize>>());
        let misheard = |asked: &Question| {
            misheard(asked, self.said(), self.task.initial().clock()).or_else(|| self.misnamed(asked))
        };
        // One of two that was chosen as a fact is not chosen once more, and nothing is said yes to beside what is wrong.
        let is_settled = |asked: &&Question| {
            let mut held = self.slots.iter().filter_map(|slot| self.held_up(slot, &[**asked]));
            held.any(|held| held != Recall::Same) || misheard(asked).is_some()
        };
        // `Which waybill? Say it again, please.` asks for one thing.
        let of_facts: Vec<bool> = questions.iter().map(|question| self.is_of_facts(question, chosen)).collect();
        let is_echo = |at: usize, asked: &Question| {
            let before = at.checked_sub(1).and_then(|at| of_facts.get(at));
            before == Some(&true) && asks_again(asked.text) && points_back(asked.text)
        };
        let sorted = (0..).zip(&questions).zip(&of_facts).filter(|((_, asked), _)| !is_settled(asked));
        let sorted = sorted.map(|((at, asked), is_of_facts)| (*asked, *is_of_facts || is_echo(at, asked))).collect();
        let misheard: BTreeSet<String> = questions.iter().filter_map(misheard).collect();
        Hearing { sorted, held, named, misheard, chosen, known, news, questions }
    }

    /// Whether a question asks for a fact that it can tell.
    fn is_asked_for(&self, slot: &Slot, question: &Question) -> bool {
        let is_of_user = || words(question.text).iter().any(|word| word == "your");
        let is_of_other = || slot.is_who && self.names_somebody(question.text) && !is_of_user();
        // `Shall I book waybill 602418?` knows it.
        let is_known = || {
            slot.is_said
                && asks_for_leave(question.text)
                && slot.voice.ways.are_in(question.text)
                && !asks_again(question.text)
        };
        self.is_answered(slot) && slot.is_asked_in(question) && !is_of_other() && !is_known()
    }

    /// Whether a question is about facts, or chooses the one that was chosen as a fact.
    fn is_of_facts(&self, question: &Question, chosen: Option<usize>) -> bool {
        let is_strange = self.is_named_strangely(question);
        let is_held = |slot: &Slot| !(is_strange && slot.is_name) && self.held_up(slot, &[*question]).is_some();
        self.slots.iter().any(|slot| self.is_asked_for(slot, question) || is_held(slot))
            || (chosen.is_some() && self.own_option(&[*question]) == chosen)
            || self.named_right(question).is_some()
    }

    /// What a reply asks for once more when it can answer nothing else beside its turns.
    pub(super) fn told_again(&mut self, reply: &str) -> Vec<String> {
        let questions = asked_in(reply);
        let is_asked = |slot: &Slot| slot.is_said && questions.iter().any(|question| slot.is_asked_in(question));
        let asked = (0..).zip(&self.slots).filter(|(_, slot)| is_asked(slot)).map(|(at, _)| at);
        let asked: Vec<usize> = asked.filter(|_| self.upcoming().is_some()).collect();
        self.tell_again(&asked, Vec::new(), &questions, true)
    }

    fn choose(&mut self, at: usize) -> Option<String> {
        let own = spoken(self.slots.get(at)?.fact);
        Some(capitalised(&self.line_of(Line::Choice, &own)))
    }

    /// Says once more what it has said of these facts, as often as they are asked for: who it is by the values, the rest
    /// in the sentence that told it. In front of a turn only who it is, and what is asked for *again*.
    fn tell_again(
        &mut self,
        asked: &[usize],
        about: Vec<String>,
        questions: &[Question],
        is_before_turn: bool,
    ) -> Vec<String> {
        let turn = self.upcoming().filter(|_| is_before_turn).map_or("", String::as_str);
        let is_for_name = questions.iter().any(|question| asks_who(question.text) || asks_name(question.text));
        let is_again = questions.iter().any(|question| asks_again(question.text));
        let (mut values, mut sentences) = (Vec::<String>::new(), about);
        for at in asked {
            let Some(slot) = self.slots.get(*at) else { continue };
            let is_left_to_turn = is_before_turn && ((!slot.is_who && !is_again) || slot.voice.ways.are_in(turn));
            if is_left_to_turn || !self.still_holds(slot) {
                continue;
            }
            let name = self.own_name().filter(|_| slot.is_name && is_for_name);
            let sentence = if slot.is_who || is_again { None } else { self.sentence_with(slot) };
            match sentence {
                Some(sentence) => sentences.push(sentence),
                None => values.push(name.unwrap_or_else(|| spoken(slot.fact))),
            }
        }
        asked.iter().for_each(|at| {
            if let Some(slot) = self.slots.get_mut(*at) {
                slot.is_judged = true;
            }
        });
        let mut said = BTreeSet::new();
        values.retain(|value| said.insert(value.clone()));
        sentences.retain(|sentence| said.insert(sentence.clone()));
        match (values.is_empty(), sentences.is_empty()) {
            (true, true) => Vec::new(),
            (true, false) => vec![self.line_of(Line::Wish, &sentences.join(" "))],
            (false, _) => [vec![self.line_of(Line::Repeat, &values.join(", and "))], sentences].concat(),
        }
    }

    /// The last sentence of its standing turns that tells a fact and is no question, where that is short.
    fn sentence_with(&self, slot: &Slot) -> Option<String> {
        let standing = self.standing();
        let last = standing.len().saturating_sub(1);
        let is_it = |said: &str, is_question: bool, is_last: bool| {
            let is_plain = || {
                !is_question
                    || is_last
                        && self.slots.iter().filter(|slot| !slot.is_who && slot.voice.ways.are_in(said)).count() > 1
            };
            slot.voice.ways.are_in(said) && !self.tells_who(said) && words(said).len() <= MOST_OF_SENTENCE && is_plain()
        };
        standing.iter().enumerate().rev().find_map(|(at, turn)| {
            let told = sentences_of(turn);
            let mut told = told.iter().filter(|(said, is_question)| is_it(said, *is_question, at == last));
            told.find_map(|(said, _)| without_yes(said))
        })
    }

    /// The sentence of its standing turns that has most in common with what is asked, where any has something.
    pub(super) fn sentence_about(&self, asked: &str) -> Option<String> {
        let told = self.standing_sentences().into_iter();
        let is_who = |said: &str| self.tells_who(said) && words(said).len() <= MOST_OF_NAME;
        let is_of_other = self.names_somebody(asked);
        let is_about = |said: &str| !is_who(said) && !(is_of_other && self.tells_who(said));
        let told = told.filter(|(said, _)| is_about(said) && words(said).len() <= MOST_OF_SENTENCE);
        let shared = told.map(|(said, is_question)| ((tellings(asked, &said).0, !is_question), said));
        // What it asked itself only where it has told nothing of it.
        let shared = shared.filter(|((shared, _), _)| *shared > 0);
        let most = shared.reduce(|most, next| if next.0 >= most.0 { next } else { most });
        most.and_then(|(_, said)| without_yes(&said))
    }

    /// Whether this is the last that it may say beside its turns, none of them is left, and what it wants is not said.
    pub(super) fn is_last_word(&self) -> bool {
        let is_last = self.extras + 1 == MAX_EXTRA_REPLIES && self.upcoming().is_none() && !self.is_wish_told;
        is_last && self.wish("").is_some()
    }

    /// Which of its facts are not said with its wish, which tells them together with the rest.
    fn not_in_wish(&self, asked: &[usize], reply: &str) -> Vec<usize> {
        let wish = self.wish(reply).unwrap_or_default();
        let is_in_wish = |at: &usize| {
            let slot = self.slots.get(*at);
            slot.is_some_and(|slot| slot.is_said && !slot.is_who && slot.voice.ways.are_in(&wish))
        };
        asked.iter().copied().filter(|at| !is_in_wish(at)).collect()
    }

    /// Whether it has an answer to what asks for a fact: what a later turn says is not told before it.
    fn is_answered(&self, slot: &Slot) -> bool {
        let is_next = || self.upcoming().is_some_and(|turn| slot.voice.ways.are_in(turn));
        slot.is_said || slot.is_withheld || self.is_own_and_silent(slot) || is_next() || self.is_in_waiting(slot)
    }

    /// The one of its facts that questions offer to choose, as it stands: *the sea, or the garden?*
    pub(super) fn own_option(&self, questions: &[Question]) -> Option<usize> {
        let is_plain = |question: &&Question| offers_things(question) && named(question.text, self.task).is_empty();
        let ends_with = |(at, piece): (usize, &str), slot: &Slot| {
            let said = words(piece);
            // *Monday* may be another Monday.
            let is_told =
                |way: &String| !way.is_empty() && (!is_day(slot.fact) || way.contains(|c: char| c.is_ascii_digit()));
            ways(slot.fact).filter(is_told).any(|way| {
                let way = words(&way);
                let before = said.get(..said.len().saturating_sub(way.len())).unwrap_or_default();
                let telling = before.iter().filter(|word| !ASKED.is_small(word) && !is(WordClass::Common, word));
                said.ends_with(&way) && (at == 0 || telling.count() <= MOST_BEFORE_OPTION)
            })
        };
        let is_open = self.upcoming().is_some() || self.wish("").is_some();
        let is_offered = |slot: &Slot| {
            let pieces = |question: &Question| -> Vec<(usize, String)> {
                let pieces = question.text.split(" or ").map(|piece| piece.trim_end_matches([',', '?']).to_owned());
                pieces.enumerate().collect()
            };
            let pieces: Vec<(usize, String)> = questions.iter().filter(is_plain).flat_map(pieces).collect();
            let texts: Vec<&str> = pieces.iter().map(|(_, piece)| piece.as_str()).collect();
            is_open
                && slot.is_said
                && self.still_holds(slot)
                && (pieces.iter().any(|(at, piece)| ends_with((*at, piece), slot)) || is_one_of(slot, &texts))
        };
        // Who speaks of the other thing as well does not choose.
        let own = self.standing().join("\n");
        let is_among_own = |slot: &Slot| {
            let value = spoken(slot.fact);
            let offered =
                questions.iter().filter(is_plain).flat_map(|question| question.text.split(" or ").enumerate());
            // `Would you like to have the sea`: only the end of what stands first is a thing offered.
            let things = offered.map(|(at, piece)| if at == 0 { last_words(piece, MOST_BEFORE_OPTION) } else { piece });
            let mut others = things.filter(|piece| !slot.voice.ways.are_in(piece));
            others.any(|piece| is_new_in(piece, &value, &own))
        };
        let offered = (0..).zip(&self.slots).filter(|(_, slot)| is_offered(slot) && !is_among_own(slot));
        let mut offered = offered.map(|(at, _)| at);
        offered.next().filter(|_| offered.next().is_none())
    }

    /// What questions say of a fact that was said; of a withheld one only that they have it right.
    fn held_up(&self, slot: &Slot, questions: &[Question]) -> Option<Recall> {
        let now = self.task.initial().clock();
        // `Is it Mr Grieve, badge 33120?` is of somebody else's.
        let mut own = questions.iter().filter(|question| !(slot.is_who && self.names_somebody(question.text)));
        let recalled = own.find_map(|question| recall(question, slot.voice, slot.fact, slot.is_who, now));
        recalled.filter(|recall| slot.is_said || (slot.is_withheld && *recall == Recall::Same))
    }

    /// Says of each fact that is held up whether it is right.
    fn judge(&mut self, held: &[Option<Recall>]) -> Vec<String> {
        let judge = |(slot, held): (&mut Slot, &Option<Recall>)| {
            slot.is_judged = held.is_some();
            slot.is_said |= slot.is_judged;
            let lines = match held.as_ref()? {
                Recall::Same => Line::Right,
                Recall::Other => Line::Wrong,
                Recall::Either => Line::Choice,
            };
            Some((lines, spoken(slot.fact)))
        };
        let mut judged: Vec<(Line, String)> = self.slots.iter_mut().zip(held).filter_map(judge).collect();
        self.own.take();
        // Beside what is wrong nothing is confirmed.
        if judged.iter().any(|(line, _)| *line == Line::Wrong) {
            judged.retain(|(line, _)| *line != Line::Right);
        }
        judged.into_iter().map(|(lines, value)| self.line_of(lines, &value)).collect()
    }

    /// Reveals what was withheld; nothing when the next turn tells it.
    fn tell(&mut self, asked: &[usize]) -> Option<Vec<String>> {
        let slots = || asked.iter().filter_map(|at| self.slots.get(*at)).filter(|slot| !slot.is_said);
        let turn = self.upcoming().map_or("", String::as_str);
        if slots().all(|slot| slot.voice.ways.are_in(turn)) {
            return None;
        }
        let is_in_turn = slots().any(|slot| slot.voice.ways.are_in(turn));
        let is_told = |slot: &Slot| {
            !slot.is_said && (slot.is_withheld || self.is_own_and_silent(slot) || self.is_in_waiting(slot))
        };
        let told: Vec<usize> = asked.iter().copied().filter(|at| self.slots.get(*at).is_some_and(is_told)).collect();
        let mut values = Vec::new();
        for at in told {
            if let Some(slot) = self.slots.get_mut(at) {
                slot.is_said = true;
                values.push(spoken(slot.fact));
            }
        }
        self.own.take();
        match values.is_empty() {
            false => Some(vec![self.line_of(Line::Reveal, &values.join(", and "))]),
            true if is_in_turn => None,
            true => Some(Vec::new()),
        }
    }

    /// Whether a fact is as true as when it was said: who has changed its mind keeps to who it is, and to what it says
    /// after that.
    pub(super) fn still_holds(&self, slot: &Slot) -> bool {
        let has_switched = self.is_switching && self.turns_said > 1;
        let is_said_since = || self.said().last().is_some_and(|turn| slot.voice.ways.are_in(turn));
        !has_switched || is_said_since() || slot.is_who
    }

    /// Whether the turn that waits would tell a fact, which is told before it.
    fn is_in_waiting(&self, slot: &Slot) -> bool {
        let value = spoken(slot.fact);
        // One that is withheld may be told in the same words, and has not been asked for.
        let is_held_back = |other: &Slot| other.is_withheld && !other.is_said && other.voice.ways.are_in(&value);
        self.waiting().is_some_and(|turn| slot.voice.ways.are_in(turn))
            && (slot.is_withheld || !self.slots.iter().any(is_held_back))
    }

    /// Whether a fact is who somebody is, and no turn says it: *And your birth date?* is answered all the same.
    fn is_own_and_silent(&self, slot: &Slot) -> bool {
        !self.behaviour.turns.iter().any(|turn| slot.voice.ways.are_in(turn)) && slot.is_who
    }
}

/// Whether one of several things is named by a fact, and the others share another name with it: *Olan Grieve in design, or
/// Owen Grieve?*
fn is_one_of(slot: &Slot, things: &[&str]) -> bool {
    let (named, others): (Vec<&&str>, Vec<&&str>) = things.iter().partition(|thing| slot.voice.ways.are_in(thing));
    let names = |thing: &str| capitalised_words(thing).collect::<BTreeSet<String>>();
    let [named] = named.as_slice() else { return false };
    let own = names(named);
    !slot.is_who && !others.is_empty() && others.iter().all(|other| !names(other).is_disjoint(&own))
}

/// The end of a text.
fn last_words(text: &str, most: usize) -> &str {
    let start = text.trim_end().rmatch_indices(' ').map(|(at, _)| at).nth(most.saturating_sub(1));
    start.and_then(|at| text.get(at..)).unwrap_or(text)
}

/// Whether words have something of a text beside a value of it.
fn is_new_in(piece: &str, value: &str, text: &str) -> bool {
    let (said, value) = (words(piece), words(value));
    let rest: Vec<&str> = said.iter().filter(|word| !value.contains(word)).map(CompactString::as_str).collect();
    tellings(&rest.join(" "), text).0 > 0
}

/// What a reply asks, each thing for itself, and what it asks for without a verb: *And your name, please.*
fn asked_in(reply: &str) -> Vec<Question<'_>> {
    let mut asked: Vec<Question> = plain_questions(reply).into_iter().flat_map(parts_of).collect();
    let bare = reply.split_inclusive(['.', '!', '?', '\n']).map(str::trim).filter(|text| is_bare_request(text));
    let is_new = |text: &&str| !asked.iter().any(|question| question.text.contains(*text));
    let bare: Vec<&str> = bare.filter(is_new).collect();
    let question = |text| Question { text, before: "", context: "", is_marked: false, is_last: false };
    asked.extend(bare.into_iter().map(question));
    asked
}

/// What a reply asks, but for offers of help.
fn plain_questions(reply: &str) -> Vec<Question<'_>> {
    let mut questions = questions(reply);
    // `If you tell me that it is fine, I do it` asks for nothing.
    let is_told = |words: &[CompactString]| matches!(words, [tell, _, that] if tell == "tell" && that == "that");
    let is_request = |question: &Question| {
        let words = words(question.text);
        question.is_marked || words.first().is_none_or(|word| word != "if") || !words.windows(3).any(is_told)
    };
    questions.retain(|question| !offers_help(question.text) && is_request(question));
    questions
}

/// The questions of one sentence: *What is your name, and when were you born?*
fn parts_of(question: Question<'_>) -> Vec<Question<'_>> {
    let text = question.text;
    let begins = |at: &usize| {
        let behind = text.get(at + AND.len()..).unwrap_or_default();
        let is_apart = text.get(..*at).is_some_and(|before| before.ends_with(','));
        let begins_anew = |word: &str| ASKED.inquires(word) || (is_apart && ASKED.asks(word));
        behind.split(|c: char| !c.is_alphabetic()).next().is_some_and(begins_anew)
    };
    let place = text.match_indices(AND).map(|(at, _)| at).find(begins).filter(|_| question.is_marked);
    let parts = place.and_then(|at| Some((text.get(..at)?, text.get(at + AND.len()..)?)));
    match parts {
        Some((first, second)) => {
            let first = Question { text: first, is_last: false, ..question };
            let second = Question { text: second, before: first.text, ..question };
            std::iter::once(first).chain(parts_of(second)).collect()
        }
        None => vec![question],
    }
}

/// Whether a sentence asks for something without a verb.
fn is_bare_request(text: &str) -> bool {
    let said = words(text);
    let first = said.iter().find(|word| !matches!(word.as_str(), "and" | "also" | "then" | "now"));
    let is_verb = |word: &CompactString| is(WordClass::Helpers, word) || is(WordClass::Modals, word) || word == "is";
    said.len() <= MOST_OF_REQUEST
        && first.is_some_and(|word| matches!(word.as_str(), "your" | "the"))
        && said.iter().any(|word| word == "please")
        && !said.iter().any(is_verb)
}
