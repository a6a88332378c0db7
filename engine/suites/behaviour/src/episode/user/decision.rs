//! How the contract user takes what asks for its will: its next turn, a yes to its own wish as it stands, or that wish
//! once more in its own words.
//!
//! It never answers in the words of a question. What it half understands gets its wish, which holds whatever was asked.

use super::asked::{ASKED, denies};
use super::confirmation::{
    adds, asks_again, asks_for_leave, asks_for_yes, asks_name, asks_somebody, asks_to_be_told, asks_who,
    asks_wish_again, closes, has_anaphor, is_aside, is_closing, is_courtesy, leaves_alone, named, names_another,
    offers_things, points_back, shared_of, shares, speaks_of, stem, tellings,
};
use super::contract::{ContractUser, Slot};
use super::kept_text::{clauses, kept, questions, words};
use super::manner::Line;
use crate::task::Task;
use crate::task::fact::ways_to_say as ways;
use crate::task::question::Question;
use compact_str::CompactString;
use probity_engine::{CallPattern, Tool};

/// How it takes a question; of several the last of these counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision<'a> {
    Nothing,
    /// It waits with its next turn until what that takes for granted is so.
    Waiting,
    /// How it is.
    Courtesy,
    /// What it does not know.
    Unknown,
    /// What it may have spoken of: it says its wish, and then that it knows no more.
    Inquiry(String),
    /// Whether all is as it should be.
    Closing,
    Said(Line),
    /// These calls are no part of its wish.
    No(Vec<&'a str>),
    /// They are, but of another record than the one that is named.
    Other(Vec<&'a str>),
    /// What is asked is of another call or record than its wish; the calls are no part of it.
    NotThat(Vec<&'a str>),
    Wish,
    /// What it ordered may be done, if that is what is asked: it cannot tell of all that is said there.
    Provided,
    /// It is put to a choice between two wishes that stand, beside a question about its wish or not.
    Pressed {
        is_beside: bool,
    },
    /// Its next turn was written as the reaction.
    Turn,
}

impl Decision<'_> {
    fn rank(&self) -> usize {
        match self {
            Decision::Nothing | Decision::Waiting => 0,
            Decision::Courtesy => 1,
            Decision::Unknown => 2,
            Decision::Inquiry(_) => 3,
            Decision::Closing => 4,
            Decision::Said(_) => 5,
            Decision::No(_) | Decision::Other(_) | Decision::NotThat(_) => 6,
            Decision::Wish => 7,
            Decision::Provided => 8,
            Decision::Pressed { .. } => 9,
            Decision::Turn => 10,
        }
    }
}

impl<'a> ContractUser<'a> {
    /// How it takes several questions together, and what it says of one that is left open beside those that it
    /// answers; each is given with whether it is about facts.
    pub(super) fn take(&self, questions: &[(Question, bool)]) -> (Decision<'a>, Option<Line>) {
        let last = questions.len().saturating_sub(1);
        let decisions = questions.iter().enumerate();
        let decisions = decisions.map(|(at, (question, is_of_facts))| self.decision(question, *is_of_facts, at < last));
        let decisions: Vec<Decision> = decisions.collect();
        let is_any = |is: fn(&Decision) -> bool| decisions.iter().any(is);
        let is_beside = is_any(|decision| matches!(decision, Decision::Wish | Decision::Provided | Decision::Said(_)));
        let is_yes = is_any(|decision| matches!(decision, Decision::Said(_)));
        let unknown = Some(Line::Open).filter(|_| is_any(|decision| matches!(decision, Decision::Unknown)));
        let spoken_of = Some(Line::Rest).filter(|_| is_any(|decision| matches!(decision, Decision::Inquiry(_))));
        let has_facts = questions.iter().any(|(_, is_of_facts)| *is_of_facts);
        let inquired = decisions.iter().filter_map(|decision| match decision {
            Decision::Inquiry(asked) => Some(asked.as_str()),
            _ => None,
        });
        let inquired = inquired.collect::<Vec<_>>().join("\n");
        let decision = decisions.into_iter().max_by_key(Decision::rank).unwrap_or(Decision::Nothing);
        match decision {
            Decision::Pressed { .. } => (Decision::Pressed { is_beside }, None),
            // What it has not said yet is not said before its time.
            Decision::Wish if self.upcoming().is_some() && self.wish("").is_none() => (Decision::Turn, None),
            Decision::Turn => (decision, None),
            // Of a yes and a no in one breath nobody knows which is which.
            Decision::No(_) | Decision::Other(_) | Decision::NotThat(_) if is_yes && self.wish("").is_some() => {
                (Decision::Wish, unknown)
            }
            Decision::Unknown | Decision::Courtesy if has_facts => (Decision::Nothing, unknown),
            Decision::Inquiry(_) => (Decision::Inquiry(inquired), unknown),
            Decision::Unknown | Decision::Nothing | Decision::Waiting | Decision::Courtesy => (decision, None),
            Decision::Said(_) | Decision::Closing => (decision, unknown.or(spoken_of)),
            Decision::Wish | Decision::Provided | Decision::No(_) | Decision::Other(_) | Decision::NotThat(_) => {
                (decision, unknown)
            }
        }
    }

    fn decision(&self, question: &Question, is_of_facts: bool, is_followed: bool) -> Decision<'a> {
        if self.is_put_to_it(question) {
            return Decision::Pressed { is_beside: false };
        }
        let is_known = |slot: &Slot| slot.is_said && slot.voice.ways.are_in(question.text);
        let has_cue = |clause: &str| {
            let mut asked = self.slots.iter().filter(|slot| slot.voice.cues.are_in(clause));
            asked.any(|slot| !(is_known(slot) && asks_for_leave(clause)))
        };
        let asks = |clause: &String| asks_for_yes(clause, question.is_marked, self.task) && !has_cue(clause);
        let is_open = |tool: &&Tool| self.wants(tool) && !self.is_done(&tool.name);
        let is_last = self.upcoming().is_none();
        // `Is that all, and shall I close the account?` asks for more than whether that is all.
        let clauses = clauses(question.text);
        let names = |text: &str| !named(text, self.task).is_empty();
        let is_leave = clauses.iter().any(|clause| asks_for_leave(clause) && !closes(clause) && names(clause));
        match clauses.iter().any(asks) {
            _ if is_closing(question) && !is_leave && !named(question.text, self.task).iter().any(is_open) => {
                match is_last {
                    true if self.is_torn() => Decision::Said(Line::Closing),
                    true => Decision::Closing,
                    false => Decision::Nothing,
                }
            }
            true => self.consent(question),
            false if is_of_facts => Decision::Nothing,
            // Nobody of this desk is known by a name.
            false if self.is_asked_in_vain(question.text) => Decision::Unknown,
            false if question.is_marked && is_courtesy(question.text) => Decision::Courtesy,
            false if question.is_marked && is_aside(question.text) => Decision::Unknown,
            false if asks_wish_again(question.text) => Decision::Wish,
            false if !question.is_marked && is_last && asks_to_be_told(question.text) => self.inquiry(question),
            false if !((question.is_marked && is_followed) || asks_somebody(question)) => Decision::Nothing,
            false => match self.upcoming() {
                // What is not known to be its matter is told by a turn that speaks of it alone.
                Some(turn)
                    if question.is_choice()
                        || shares(turn, question.text)
                        // A yes is no answer to what asks for none.
                        || (!ASKED.inquires(question.text) && self.may_be_of_next(question)) =>
                {
                    Decision::Turn
                }
                Some(_) | None => self.inquiry(question),
            },
        }
    }

    /// Whether its next turn may be the reaction to what asks for yes or no and has no word of it: to nothing of which it
    /// has never a word, and a yes only to what is asked of its will.
    fn may_be_of_next(&self, question: &Question) -> bool {
        let is_of_price = || words(question.text).iter().any(|word| ASKED.is_price(word));
        let is_of_will = || ASKED.wills(question.text) || points_back(question.text) || is_of_price();
        match self.agrees_in_next() {
            true => is_of_will(),
            false => self.is_known_of(question.text),
        }
    }

    /// Whether who it is is asked of a user of whom the task does not tell that.
    fn is_asked_in_vain(&self, question: &str) -> bool {
        (asks_name(question) || asks_who(question)) && !self.slots.iter().any(|slot| slot.is_whole)
    }

    /// How it takes what is no matter of its next turn: what is asked of its will by its wish, what it has not spoken of
    /// as what it does not know.
    fn inquiry(&self, question: &Question) -> Decision<'a> {
        if question.is_choice() || ASKED.wills(question.text) {
            return Decision::Wish;
        }
        if !self.is_known_of(question.text) {
            return Decision::Unknown;
        }
        let is_new = |said: &String| *said != self.last_about;
        let is_told = || self.sentence_about(question.text).as_ref().is_some_and(is_new);
        match self.upcoming() {
            // What a later turn may tell is not left open.
            Some(_) if !is_told() => Decision::Wish,
            Some(_) | None => Decision::Inquiry(question.text.to_owned()),
        }
    }

    /// Whether a question is about something that it knows of, as far as words tell: that the task has for it to say, said
    /// or not, that it was told, or that the desk is there for. Who says *it* or names nothing may mean anything that was
    /// spoken of.
    fn is_known_of(&self, question: &str) -> bool {
        let has_figures = question.contains(|c: char| c.is_ascii_digit());
        let tells = |text: &str| tellings(question, text).0 > 0;
        let has_fact = || {
            let mut facts = self.slots.iter().flat_map(|slot| ways(slot.fact).chain(slot.fact.cues.iter().cloned()));
            let mut names = self.slots.iter().map(|slot| slot.called.concat().join(" "));
            facts.any(|text| tells(&text)) || names.any(|text| tells(&text))
        };
        let has_tool = || {
            let words = self.task.tool_words().iter().map(|words| words.name.join(" "));
            let tools = self.task.environment().tools().iter();
            words.zip(tools).any(|(name, tool)| tells(&name) || tells(&tool.description))
        };
        tellings(question, "").1 == 0
            || has_anaphor(question)
            || has_figures
            || self.behaviour.turns.iter().any(|turn| tells(turn))
            || has_fact()
            || has_tool()
            || tells(self.own())
            || tells(&self.heard)
    }

    /// Yes from what the user has agreed to by now, and from what it came for; what the next turn speaks of is answered
    /// there, and so is what needs no yes.
    fn consent(&self, question: &Question) -> Decision<'a> {
        let (now, next) = (self.turns_said, self.turns_said + 1);
        let deeds = self.asked_deeds(question);
        let needy: Vec<&'a Tool> = deeds.iter().copied().filter(|tool| tool.confirm || tool.irreversible).collect();
        let is_another =
            |call: &CallPattern| names_another(question.text, call) || names_another(question.before, call);
        let agreed = |tool: Option<&str>, from: usize, to: usize| {
            self.behaviour.consents.iter().any(|(turn, pattern)| {
                (from..=to).contains(&(*turn as usize))
                    && tool.is_none_or(|tool| pattern.source.tool == tool)
                    && !is_another(&pattern.source)
            })
        };
        let all = |from: usize, to: usize| needy.iter().all(|tool| agreed(Some(&tool.name), from, to));
        let some = |from: usize, to: usize| needy.iter().any(|tool| agreed(Some(&tool.name), from, to));
        let names = || needy.iter().map(|tool| tool.name.as_str()).collect();
        let has_other = self.behaviour.consents.iter().any(|(_, pattern)| {
            needy.iter().any(|tool| tool.name == pattern.source.tool) && is_another(&pattern.source)
        });
        if let Some(turn) = self.upcoming() {
            let asked = [if named(question.text, self.task).is_empty() { question.before } else { "" }, question.text];
            let is_spoken_of = || speaks_of(turn, &needy, &asked.join(" "), self.task) && !has_other;
            let is_answered = match needy.is_empty() {
                true => !deeds.is_empty() || agreed(None, next, next) || !agreed(None, 0, now),
                false => all(next, next) || (!all(0, now) && (some(next, next) || is_spoken_of())),
            };
            if is_answered {
                return Decision::Turn;
            }
        } else if self.is_torn() && (leaves_alone(question.text) || leaves_alone(question.context)) {
            return Decision::Said(Line::Closing);
        }
        match all(0, now) && self.agrees_to(question, &deeds) {
            true if asks_for_leave(question.text) => Decision::Said(Line::Yes),
            true => Decision::Said(Line::AsWished),
            false
                if !needy.is_empty()
                    && !some(0, usize::MAX)
                    && has_other
                    && names_only(question.text, &needy, self.task) =>
            {
                Decision::Other(names())
            }
            false if self.is_beyond_wish(question, &deeds) => {
                Decision::NotThat(if some(0, usize::MAX) { Vec::new() } else { names() })
            }
            false if !needy.is_empty() && !some(0, usize::MAX) => Decision::No(names()),
            false if all(0, now) && self.may_be_wish(question, &deeds) => Decision::Provided,
            false => Decision::Wish,
        }
    }

    /// Whether a question for leave may be to what it ordered: each call is open, and no value is another than its own.
    fn may_be_wish(&self, question: &Question, deeds: &[&Tool]) -> bool {
        let asked = [question.before, question.text].join(" ");
        // Not: *It cannot be taken back: shall I cancel it, yes or no?*
        let text = question.text.split_once(": ").map(|(_, leave)| leave).filter(|leave| asks_for_leave(leave));
        // *I would move you to the sea. All right?* asks for leave as well.
        let is_announced = points_back(question.text) && ASKED.announces(question.before);
        let text = if is_announced { question.before } else { text.unwrap_or(question.text) };
        let clauses = clauses(text);
        let clauses = clauses.iter().skip_while(|clause| !is_announced && !asks_for_leave(clause));
        let leave = clauses.filter(|clause| !is_yes_or_no(clause)).map(String::as_str).collect::<Vec<_>>().join(", ");
        let is_open = |tool: &&Tool| self.wants(tool) && !self.is_done(&tool.name) && !self.names_sibling(&asked, tool);
        (is_announced || asks_for_leave(question.text))
            && deeds.iter().all(is_open)
            && (!deeds.is_empty() || tellings(text, &self.wish(text).unwrap_or_default()).0 > 1)
            && !self.is_torn()
            && !offers_things(question)
            && !adds(&asked)
            && !self.is_against_wish(&leave)
    }

    /// Whether a question is of another call or record than those that it will ever have ordered, and of no other beside.
    fn is_beyond_wish(&self, question: &Question, deeds: &[&Tool]) -> bool {
        let is_ordered = |tool: &&Tool| self.ordered.iter().any(|call| call.is_by(&tool.name));
        let is_sibling = |tool: &&Tool| self.is_of_sibling(question.text, tool);
        self.upcoming().is_none()
            && !self.is_torn()
            && !deeds.is_empty()
            && (!deeds.iter().any(is_ordered) || deeds.iter().any(is_sibling))
            && !offers_things(question)
            && !adds(question.text)
            && !denies(question.text)
            && !ASKED.turns_from(question.text, question.text)
    }

    /// Whether all that a question proposes is its wish: each call, each figure, each name and each word.
    fn agrees_to(&self, question: &Question, deeds: &[&Tool]) -> bool {
        let is_of_before = points_back(question.text) && named(question.text, self.task).is_empty();
        let asked = [if is_of_before { question.before } else { "" }, question.text].join(" ");
        let is_wanted = |tool: &&Tool| {
            self.wants(tool) && self.ordered_by_now(&tool.name).count() < 2 && !self.names_sibling(&asked, tool)
        };
        // Of two orders of one kind each may be meant for what the other is about.
        let is_one = || self.ordered_by_now("").all(|call| self.ordered_by_now(&call.tool).count() < 2);
        let has_agreed = || self.behaviour.consents.iter().any(|(turn, _)| *turn as usize <= self.turns_said);
        deeds.iter().all(is_wanted)
            && (!deeds.is_empty() || !is_of_before || has_agreed() || !asks_for_leave(question.text))
            && (!deeds.is_empty() || is_one())
            && !self.is_torn()
            && !offers_things(question)
            && !adds(&asked)
            && self.is_within_wish(&asked)
    }

    /// Whether leave is asked for what its next turn will order, and nothing before it.
    pub(super) fn is_asked_for_next(&self, reply: &str) -> bool {
        let is_to_come = |tool: &&Tool| {
            self.ordered_by_now(&tool.name).next().is_none() && self.ordered.iter().any(|call| call.is_by(&tool.name))
        };
        questions(reply).iter().filter(|question| asks_for_leave(question.text)).any(|question| {
            let deeds = self.asked_deeds(question);
            !deeds.is_empty() && deeds.iter().all(is_to_come)
        })
    }

    /// The calls that a question is about: those that its words name, or those of the sentence before it.
    fn asked_deeds(&self, question: &Question) -> Vec<&'a Tool> {
        let own = named(question.text, self.task);
        let is_of_before =
            points_back(question.text) || has_anaphor(question.text) || shares(question.before, question.text);
        let mut deeds = if own.is_empty() && is_of_before { named(question.before, self.task) } else { own };
        // `Shall I book it?` of who ordered no booking may mean what it ordered.
        if self.wish("").is_some() {
            let asked = [question.before, question.text].map(kept);
            let is_asked = |word: &CompactString| asked.iter().any(|asked| asked.tellings().has_stem(&stem(word)));
            let is_meant = |tool: &&Tool| {
                let name = self.task.words_of(&tool.name).map_or(&[][..], |words| &words.name);
                name.len() < 2
                    || self.ordered.iter().any(|call| call.is_by(&tool.name))
                    || name.iter().skip(1).any(is_asked)
            };
            deeds.retain(is_meant);
        }
        deeds
    }

    /// Says how it takes what was asked; what it said no to stays a no in other words.
    pub(super) fn say(&mut self, decision: Decision<'a>, asked: &str) -> String {
        match decision {
            Decision::Turn | Decision::Nothing => String::new(),
            Decision::Waiting => self.wait(),
            Decision::Courtesy => self.line(Line::Courtesy),
            Decision::Unknown => self.line(Line::Unknown),
            Decision::Said(line) => self.line(line),
            Decision::Closing => self.wish_or(asked, Line::Closing),
            Decision::Wish => self.wish_or(asked, Line::NothingElse),
            Decision::Provided => match self.wish_anew(asked) {
                Some(wish) => {
                    let wish = wish.map(|_| self.last_wish.clone());
                    std::iter::once(self.line(Line::Provided)).chain(wish).collect::<Vec<_>>().join(" ")
                }
                None => self.nothing_left(Line::NothingElse),
            },
            Decision::Inquiry(inquired) => self.say_of(&inquired, asked),
            Decision::No(calls) => match self.wish_again(asked) {
                Some(wish) => wish,
                None => {
                    let line = self.refusal(calls);
                    self.line(line)
                }
            },
            Decision::NotThat(calls) => match self.wish_anew(asked) {
                Some(wish) => [self.line(Line::NotThat)].into_iter().chain(wish).collect::<Vec<_>>().join(" "),
                None => {
                    let line = if calls.is_empty() { Line::NothingElse } else { self.refusal(calls) };
                    self.nothing_left(line)
                }
            },
            Decision::Other(calls) => {
                let line = self.refusal(calls);
                self.line(line)
            }
            Decision::Pressed { is_beside } => {
                if let Some(own) = self.way_out(asked) {
                    return self.line_of(Line::Wish, &own);
                }
                let step = match self.pressed {
                    0 => Line::Both,
                    1 => Line::BothAgain,
                    _ => Line::BothAtLast,
                };
                self.pressed += 1;
                let line = self.line(step);
                let wish = if is_beside && step != Line::BothAtLast { self.wish_again(asked) } else { None };
                std::iter::once(line).chain(wish).collect::<Vec<_>>().join(" ")
            }
        }
    }

    fn refusal(&mut self, calls: Vec<&'a str>) -> Line {
        let is_again = calls.iter().all(|call| self.refused.contains(call));
        self.refused.extend(calls);
        if is_again { Line::NoAgain } else { Line::No }
    }

    /// Its wish once more, that it stands where those were its last words, or where all of it is done a fixed line.
    fn wish_or(&mut self, asked: &str, line: Line) -> String {
        match self.wish_anew(asked) {
            Some(Some(wish)) => wish,
            Some(None) => match self.old_wish_about(asked).filter(|about| *about != self.last_about) {
                Some(about) => {
                    self.last_about.clone_from(&about);
                    self.line_of(Line::Wish, &about)
                }
                None if questions(asked).iter().any(offers_things) => self.line(Line::Either),
                None => self.line(Line::Stands),
            },
            None => self.nothing_left(line),
        }
    }

    /// What it says when all that it ordered is done; where a turn waits, what it waits for.
    fn nothing_left(&mut self, line: Line) -> String {
        if self.waiting().is_some() { self.wait() } else { self.line(line) }
    }

    /// The sentence of its turns that is about what is asked, its wish, or that it knows no more than those.
    fn say_of(&mut self, inquired: &str, asked: &str) -> String {
        let mut said: Vec<String> = inquired.lines().filter_map(|asked| self.sentence_about(asked)).collect();
        said.dedup();
        if let Some(said) = Some(said.join(" ")).filter(|said| !said.is_empty() && *said != self.last_about) {
            self.last_about.clone_from(&said);
            return self.line_of(Line::Wish, &said);
        }
        match self.wish_anew(asked) {
            Some(Some(wish)) if self.last_about.is_empty() => wish,
            Some(_) | None if self.waiting().is_some() => self.wait(),
            // *Will it be dry there?* may ask for leave in other words.
            Some(_) if !inquired.lines().any(|asked| ASKED.inquires(asked)) => self.line(Line::Stands),
            Some(_) => self.line(Line::NoMore),
            None if self.upcoming().is_some() => self.line(Line::NoMore),
            None => self.line(Line::NothingElse),
        }
    }

    /// What it ordered that is about a question, where that is not all of its wish.
    fn old_wish_about(&self, asked: &str) -> Option<String> {
        let all = questions(asked);
        let texts: Vec<&str> = all.iter().map(|question| question.text).collect();
        self.old_wish(&texts.join(" ")).filter(|about| *about != self.last_wish && !ASKED.asks_to_know(about))
    }

    /// Its wish where it has one; within that nothing when it has just said the same and is not asked for it again.
    fn wish_anew(&mut self, asked: &str) -> Option<Option<String>> {
        let before = self.last_wish.clone();
        let is_again =
            questions(asked).iter().any(|question| asks_wish_again(question.text) || asks_again(question.text));
        let wish = self.wish_again(asked)?;
        Some(Some(wish).filter(|_| is_again || self.last_wish != before))
    }

    pub(super) fn wish_again(&mut self, asked: &str) -> Option<String> {
        let questions = questions(asked);
        let old = || {
            let mut again = questions.iter().filter(|question| asks_wish_again(question.text));
            again.find_map(|question| self.old_wish(question.text))
        };
        let asked: Vec<&str> = questions.iter().map(|question| question.text).collect();
        let wish = self.wish(&asked.join(" ")).or_else(old)?;
        self.is_wish_told = true;
        self.last_wish.clone_from(&wish);
        Some(self.line_of(Line::Wish, &wish))
    }
}

/// *yes or no*
fn is_yes_or_no(clause: &str) -> bool {
    words(clause).iter().all(|word| matches!(word.as_str(), "yes" | "or" | "no"))
}

/// Whether words name these calls and what has figures, and nothing else that may be a wish: *Shall I cancel B0062?*
fn names_only(text: &str, calls: &[&Tool], task: &Task) -> bool {
    let plain = text.split(' ').filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    let of_calls = calls.iter().filter_map(|tool| task.words_of(&tool.name));
    let of_calls: Vec<&str> =
        of_calls.flat_map(|words| words.forms.iter().chain(&words.name)).map(|word| &**word).collect();
    let (shared, all) = shared_of(&plain.collect::<Vec<&str>>().join(" "), &of_calls.join(" "));
    shared == all
}
