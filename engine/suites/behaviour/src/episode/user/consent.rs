//! How the contract user takes what asks for its yes: by its next turn, by a yes, on the condition that it is its wish,
//! or not.

use compact_str::CompactString;
use probity_engine::{CallPattern, Tool};

use super::asked::{ASKED, denies};
use super::confirmation::{
    adds, asks_for_leave, asks_if_as_asked, has_anaphor, is_as_asked, leaves_alone, named, names_another,
    offers_things, points_back, shared_of, shares, speaks_of, stem, tellings,
};
use super::contract::ContractUser;
use super::decision::{Decision, Leave};
use super::kept_text::{clauses, kept, questions, sentences_of, words};
use super::manner::Line;
use super::proposal::Proposal;
use crate::model::task_file::Planted;
use crate::task::Task;
use crate::task::question::Question;

impl<'a> ContractUser<'a> {
    /// Yes from what the user has agreed to by now, and from what it came for; what the next turn speaks of is answered
    /// there, and so is what needs no yes.
    pub(super) fn consent(&self, question: &Question) -> Decision<'a> {
        let (now, next) = (self.turns_said, self.turns_said + 1);
        let proposal = self.proposal(question);
        let mut deeds = self.asked_deeds(question);
        let announced = proposal.parts.iter().flat_map(|part| &part.deeds).copied();
        let mut announced: Vec<&'a Tool> = announced.filter(|_| proposal.is_before).collect();
        if self.upcoming().is_none() && !announced.is_empty() {
            announced.sort_by_key(|tool| tool.name.as_str());
            announced.dedup_by_key(|tool| tool.name.as_str());
            deeds = announced;
        }
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
        match all(0, now) && self.agrees_to(question, &proposal, &deeds) {
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
            false if all(0, now) && self.may_be_wish(question, &proposal, &deeds) => {
                Decision::Leave(self.leave(question, &proposal))
            }
            false => Decision::Wish,
        }
    }

    /// Whether a question is no more than what it wants, with a word for wanting it: *Is it the card that you want frozen?*
    pub(super) fn is_held_up(&self, question: &Question) -> bool {
        let is_plain = || {
            !question.is_choice()
                && !ASKED.inquires(question.text)
                && !ASKED.is_open(question.text)
                && ASKED.will.are_in(question.text)
        };
        question.is_marked && self.upcoming().is_none() && is_plain() && {
            let (proposal, deeds) = (self.proposal(question), self.asked_deeds(question));
            let is_told = tellings(&proposal.text(), &self.wish("").unwrap_or_default()).0 > 0;
            (is_told || asks_if_as_asked(question.text)) && self.agrees_to(question, &proposal, &deeds)
        }
    }

    /// Whether a question for leave may be to what it ordered: each call is open, and no value is another than its own.
    fn may_be_wish(&self, question: &Question, proposal: &Proposal, deeds: &[&Tool]) -> bool {
        let asked = [question.before, question.text].join(" ");
        let is_open = |tool: &&Tool| self.wants(tool) && !self.is_done(&tool.name);
        let is_plain = !self.is_torn() && !offers_things(question) && deeds.iter().all(is_open);
        if proposal.is_before && !proposal.parts.is_empty() {
            let text = proposal.text();
            let is_told = !deeds.is_empty() || tellings(&text, &self.wish(&text).unwrap_or_default()).0 > 1;
            let is_open = !deeds.is_empty() || !self.has_more_to_agree_to();
            return is_plain && is_open && is_told && !adds(&text) && self.may_be_ordered(proposal);
        }
        // Not: *It cannot be taken back: shall I cancel it, yes or no?*
        let text = question.text.split_once(": ").map(|(_, leave)| leave).filter(|leave| asks_for_leave(leave));
        let text = text.unwrap_or(question.text);
        let clauses = clauses(text);
        let clauses = clauses.iter().skip_while(|clause| !asks_for_leave(clause));
        let leave = clauses.filter(|clause| !is_yes_or_no(clause)).map(String::as_str).collect::<Vec<_>>().join(", ");
        asks_for_leave(question.text)
            && is_plain
            && !deeds.iter().any(|tool| self.names_sibling(&asked, tool))
            && (!deeds.is_empty() || tellings(text, &self.wish(text).unwrap_or_default()).0 > 1)
            && !adds(&asked)
            && !self.is_against_wish(&leave, "")
    }

    fn leave(&self, question: &Question, proposal: &Proposal) -> Leave {
        match proposal.is_before && self.is_ordered_alone(proposal) {
            _ if self.is_declined(question) => Leave::Without,
            true => Leave::Beside,
            false => Leave::IfOrdered,
        }
    }

    /// Whether something that it asked for is denied before a question, or was earlier.
    fn is_declined(&self, question: &Question) -> bool {
        let told = [self.heard.as_str(), question.context, question.before, question.text].join("\n");
        let told = sentences_of(&told);
        let is_denied = |planted: &Planted| {
            let tells_all = |said: &str| {
                let (shared, all) = tellings(&planted.text, said);
                shared == all && all > 0
            };
            told.iter().any(|(said, _)| denies(said) && tells_all(said))
        };
        self.behaviour.planted.iter().any(is_denied)
    }

    /// Whether it has ordered nothing yet, or says yes to something in a later turn: leave that names nothing may be taken for
    /// that.
    fn has_more_to_agree_to(&self) -> bool {
        !self.has_ordered() || self.behaviour.consents.iter().any(|(turn, _)| *turn as usize > self.turns_said)
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
    fn agrees_to(&self, question: &Question, proposal: &Proposal, deeds: &[&Tool]) -> bool {
        let is_wanted = |tool: &&Tool| self.wants(tool) && self.ordered_by_now(&tool.name).count() < 2;
        // Of two orders of one kind each may be meant for what the other is about.
        let is_one = || self.ordered_by_now("").all(|call| self.ordered_by_now(&call.tool).count() < 2);
        let has_agreed = || self.behaviour.consents.iter().any(|(turn, _)| *turn as usize <= self.turns_said);
        let is_meant = || match proposal.is_before {
            true => has_agreed() || !asks_for_leave(question.text) || is_as_asked(question.text),
            false => true,
        };
        deeds.iter().all(is_wanted)
            && (!deeds.is_empty() || (is_meant() && !self.has_more_to_agree_to()))
            && (!deeds.is_empty() || is_one() || is_as_asked(question.text))
            // *Is that all right?* may be of what it has set right.
            && !(question.context.trim().is_empty() && proposal.is_before && self.slots.iter().any(|slot| slot.is_corrected))
            && !self.is_torn()
            && !offers_things(question)
            && !adds(question.text)
            && !adds(&proposal.text())
            && self.is_ordered(proposal)
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
        let deeds = if own.is_empty() && is_of_before { named(question.before, self.task) } else { own };
        self.meant(deeds, &[question.before, question.text].join(" "))
    }

    /// Those of some calls that words mean, which name them by their verbs: `Shall I book it?` of who ordered no booking may
    /// mean what it ordered.
    pub(super) fn meant(&self, mut deeds: Vec<&'a Tool>, asked: &str) -> Vec<&'a Tool> {
        if self.wish("").is_some() {
            let asked = kept(asked);
            let is_asked = |word: &CompactString| asked.tellings().has_stem(&stem(word));
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
