//! How the contract user takes what asks for its will: its next turn, a yes to its own wish as it stands, or that wish
//! once more in its own words.
//!
//! It never answers in the words of a question. What it half understands gets its wish, which holds whatever was asked.

use compact_str::CompactString;

use super::asked::ASKED;
use super::confirmation::{
    asks_again, asks_for_leave, asks_for_yes, asks_name, asks_somebody, asks_to_be_told, asks_what_matters, asks_who,
    asks_wish_again, closes, has_anaphor, is_aside, is_closing, is_courtesy, leaves_alone, named, offers_things,
    points_back, shares, tellings,
};
use super::contract::{ContractUser, Slot};
use super::kept_text::{clauses, sentences_of, words};
use super::manner::Line;
use crate::task::question::Question;
use probity_engine::Tool;
use probity_prose::WordClass;
use probity_prose::lexicon::is;

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
    Leave(Leave),
    /// It has ordered nothing yet, and wants its answers first.
    Asking,
    /// It is put to a choice between two wishes that stand, beside a question about its wish or not.
    Pressed {
        is_beside: bool,
    },
    /// Its next turn was written as the reaction.
    Turn,
}

/// How far what is asked for may be done, where that may be what it ordered and no yes answers all that is said there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// Without something that it asked for and that there is not.
    Without,
    /// All of it is its own, and only what is told beside that is not.
    Beside,
    /// If it is what it ordered, which it says again.
    IfOrdered,
}

impl Decision<'_> {
    fn rank(&self) -> usize {
        match self {
            Decision::Nothing | Decision::Waiting => 0,
            Decision::Courtesy => 1,
            Decision::Unknown => 2,
            Decision::Inquiry(_) => 3,
            Decision::Closing => 4,
            Decision::Said(_) | Decision::Leave(Leave::Without) => 5,
            Decision::No(_) | Decision::Other(_) | Decision::NotThat(_) => 6,
            Decision::Wish | Decision::Asking => 7,
            Decision::Leave(Leave::Beside | Leave::IfOrdered) => 8,
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
        let is_beside = is_any(|decision| matches!(decision, Decision::Wish | Decision::Leave(_) | Decision::Said(_)));
        let is_yes = is_any(|decision| matches!(decision, Decision::Said(Line::Yes | Line::AsWished)));
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
            Decision::No(_) | Decision::Other(_) | Decision::NotThat(_) | Decision::Wish
                if is_yes && self.wish("").is_some() =>
            {
                (Decision::Leave(Leave::IfOrdered), unknown)
            }
            Decision::Unknown | Decision::Courtesy if has_facts => (Decision::Nothing, unknown),
            Decision::Inquiry(_) => (Decision::Inquiry(inquired), unknown),
            Decision::Unknown | Decision::Nothing | Decision::Waiting | Decision::Courtesy => (decision, None),
            Decision::Said(_) | Decision::Leave(Leave::Without) | Decision::Closing => {
                (decision, unknown.or(spoken_of))
            }
            Decision::Wish
            | Decision::Asking
            | Decision::Leave(Leave::Beside | Leave::IfOrdered)
            | Decision::No(_)
            | Decision::Other(_)
            | Decision::NotThat(_) => (decision, unknown),
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
            // `Is 0356 right?` is about a fact.
            true if is_of_facts && ends_in_check(question.text) => Decision::Nothing,
            true => self.consent(question),
            false if is_of_facts => Decision::Nothing,
            // Nobody of this desk is known by a name.
            false if self.is_asked_in_vain(question.text) => Decision::Unknown,
            false if question.is_marked && is_courtesy(question.text) => Decision::Courtesy,
            false if question.is_marked && is_aside(question.text) => Decision::Unknown,
            false if self.is_held_up(question) => Decision::Said(Line::AsWished),
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
        let is_of_price = || words(question.text).iter().any(|word| ASKED.price.has(word));
        let is_of_will = || ASKED.will.are_in(question.text) || points_back(question.text) || is_of_price();
        match self.agrees_in_next() {
            true => is_of_will(),
            false => self.is_known_of(question.text),
        }
    }

    /// Whether who it is is asked of a user of whom the task does not tell that, or what is nobody's business.
    fn is_asked_in_vain(&self, question: &str) -> bool {
        ((asks_name(question) || asks_who(question)) && !self.slots.iter().any(|slot| slot.is_whole))
            || (ASKED.asks_private(question) && !self.upcoming().is_some_and(|turn| shares(turn, question)))
    }

    /// How it takes what is no matter of its next turn: what is asked of its will by its wish, what it has not spoken of
    /// as what it does not know.
    fn inquiry(&self, question: &Question) -> Decision<'a> {
        if question.is_choice() || ASKED.will.are_in(question.text) {
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
            let mut facts = self.slots.iter().flat_map(|slot| slot.fact.ways().chain(slot.fact.cues.iter().cloned()));
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
}

/// Whether a question only asks at its end whether what it says is right.
fn ends_in_check(question: &str) -> bool {
    words(question).last().is_some_and(|word| matches!(word.as_str(), "right" | "correct")) && !asks_for_leave(question)
}

impl ContractUser<'_> {
    /// Whether it is asked to choose between two wishes that both still stand; a plain choice of something else is none.
    pub(super) fn is_put_to_it(&self, question: &Question) -> bool {
        let is_open = |turn: Option<u32>| turn.is_none_or(|turn| turn as usize > self.turns_said);
        let named = named(question.text, self.task);
        let is_choice = offers_things(question) || asks_what_matters(question);
        let mut open = self.behaviour.contradicts.iter().filter(|hold| is_open(hold.source.settled_in_turn));
        is_choice
            && !asks_again(question.text)
            && (asks_what_matters(question) || self.own_option(&[*question]).is_none())
            && open.any(|hold| {
                let is_held = |tool: &&Tool| hold.source.holds.iter().any(|call| call.tool == tool.name);
                let is_of = |wish: &str| shares(wish, question.text) || shares(wish, question.before);
                asks_what_matters(question)
                    || named.iter().any(is_held)
                    || is_of(&hold.source.wish)
                    || is_of(&hold.source.against)
            })
    }

    /// Its own words that all may stay as it is where its wish cannot be had, when that is offered.
    pub(super) fn way_out(&self, asked: &str) -> Option<String> {
        let is_condition = |word: &CompactString| is(WordClass::Conditions, word);
        let is_way_out = |said: &String| leaves_alone(said) && words(said).iter().any(is_condition);
        let way_out = |turn: &String| {
            let said = sentences_of(turn);
            said.iter().map(|(said, _)| said).find(|said| is_way_out(said)).cloned()
        };
        self.said().iter().find_map(way_out).filter(|_| leaves_alone(asked))
    }

    /// Whether two wishes still stand that no later turn settles.
    pub(super) fn is_torn(&self) -> bool {
        self.behaviour.contradicts.iter().any(|hold| hold.source.settled_in_turn.is_none())
    }

    pub(super) fn settles_next(&self) -> bool {
        let next = self.turns_said + 1;
        self.awaited.is_none()
            && self
                .behaviour
                .contradicts
                .iter()
                .any(|hold| hold.source.settled_in_turn.is_some_and(|turn| turn as usize == next))
    }
}
