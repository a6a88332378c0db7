//! Static checks of variants: every behaviour is really there, every reference holds, and nothing is presumed in vain.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::builder::TaskChecker;
use crate::model::task_file::{CallFile, OutcomeFile, Presumption, TaskFile, VariantFile};
use crate::model::variant::{BehaviourMark, Variant};
use crate::task::question::{FactPhrases, questions};
use crate::task::reference::Observations;
use crate::task::text::no_phrase;
use crate::task::{Behaviour, Hold};
use probity_engine::{Effect, Problem, fold, suggest};
use probity_prose::{Answer, Calendar, Phrase};

impl TaskChecker<'_> {
    pub(super) fn variants(&mut self) -> BTreeMap<Variant, Behaviour> {
        let ideal = self.file.variants.get(&Variant::Ideal);
        let mut variants = BTreeMap::new();
        for (variant, behaviour) in &self.file.variants {
            let at = format!("/variants/{variant}");
            let checked = self.variant(behaviour, &at);
            self.check_behaviour(*variant, behaviour, &at);
            if *variant != Variant::Ideal && ideal.is_some_and(|ideal| ideal.turns == behaviour.turns) {
                let message = "this user says the same as the ideal one";
                self.error(format!("{at}/turns"), "same_as_ideal", message, "write what this user would say");
            }
            variants.insert(*variant, checked);
        }
        variants
    }

    fn variant(&mut self, behaviour: &VariantFile, at: &str) -> Behaviour {
        self.check_turns(behaviour, at);
        self.check_withheld(behaviour, at);
        self.check_planted(behaviour, at);
        let accept = self.check_accept(behaviour, at);
        let played = accept.first().and_then(|first| self.file.outcomes.get(*first));
        let segments = self.check_segments(behaviour, played, at);
        let replies = self.check_replies(behaviour, played, at);
        let calls = played.map_or(&[][..], |played| &played.oracle);
        let made: Vec<(&str, u32)> =
            calls.iter().map(|call| call.tool.as_str()).zip(segments.iter().copied()).collect();
        self.check_presumes(behaviour, &OracleDialogue { made, replies: &replies }, at);
        Behaviour {
            turns: behaviour.turns.clone(),
            withheld: behaviour.withheld.clone(),
            planted: behaviour.planted.clone(),
            contradicts: self.check_contradictions(behaviour, at),
            extra_calls: self.check_extra_calls(behaviour, at),
            consents: self.check_consents(behaviour, at),
            accept,
            segments,
            replies,
            presumes: behaviour.presumes.clone(),
            told_words: OnceLock::new(),
            premises: OnceLock::new(),
        }
    }

    fn check_turns(&mut self, behaviour: &VariantFile, at: &str) {
        if behaviour.turns.is_empty() {
            self.error(format!("{at}/turns"), "no_turns", "this user says nothing", "write at least one turn");
        }
        for (i, _) in behaviour.turns.iter().enumerate().filter(|(_, turn)| turn.trim().is_empty()) {
            self.error(format!("{at}/turns/{i}"), "empty_turn", "an empty turn", "write what the user says");
        }
    }

    fn check_withheld(&mut self, behaviour: &VariantFile, at: &str) {
        for (i, name) in behaviour.withheld.iter().enumerate() {
            let at = format!("{at}/withheld/{i}");
            let Some(fact) = self.file.facts.get(name) else {
                let help = suggest::help(name, self.file.facts.keys().map(String::as_str));
                self.error(at, "unknown_fact", format!("there is no fact `{name}`"), help);
                continue;
            };
            let first = behaviour.turns.first().map_or("", String::as_str);
            if let Some(said) = fact.ways().find(|way| Phrase::parse(way).is_ok_and(|phrase| phrase.is_in(first))) {
                let message = format!("`{name}` is withheld, but the first turn says \"{said}\"");
                self.error(at, "not_withheld", message, "leave it out of the first turn");
            }
        }
    }

    fn check_planted(&mut self, behaviour: &VariantFile, at: &str) {
        let said = fold(&behaviour.turns.join(" "));
        for (i, planted) in behaviour.planted.iter().enumerate() {
            let at = format!("{at}/planted/{i}");
            if planted.text.trim().is_empty() || !said.contains(&fold(&planted.text)) {
                let message = format!("no turn says \"{}\"", planted.text);
                self.error(format!("{at}/text"), "not_planted", message, "copy the words from the turn");
            }
            if self.environment.tool(&planted.near).is_none() {
                let names = self.environment.tools().iter().map(|tool| tool.name.as_str());
                let help = suggest::help(&planted.near, names);
                self.error(format!("{at}/near"), "unknown_tool", format!("there is no tool `{}`", planted.near), help);
            }
        }
    }

    /// Each behaviour's own mark must be there: a variant that only carries the name measures nothing.
    fn check_behaviour(&mut self, variant: Variant, behaviour: &VariantFile, at: &str) {
        let missing = match variant.mark() {
            BehaviourMark::Withheld => behaviour.withheld.is_empty().then_some("withheld"),
            BehaviourMark::Planted => behaviour.planted.is_empty().then_some("planted"),
            BehaviourMark::Contradicted => behaviour.contradicts.is_empty().then_some("contradicts"),
            BehaviourMark::Done | BehaviourMark::Drowned | BehaviourMark::Switched | BehaviourMark::Pressed => None,
        };
        if let Some(key) = missing {
            let message = format!("`{variant}` without `{key}` is not that behaviour");
            self.error(at, "behaviour_missing", message, format!("add `{key}`"));
        }
    }

    fn check_accept(&mut self, behaviour: &VariantFile, at: &str) -> Vec<usize> {
        if behaviour.accept.is_empty() {
            self.error(format!("{at}/accept"), "nothing_accepted", "no outcome is accepted", "name one");
        }
        let mut accepted = Vec::new();
        for (i, name) in behaviour.accept.iter().enumerate() {
            match self.file.outcomes.iter().position(|outcome| &outcome.name == name) {
                Some(position) => accepted.push(position),
                // It is what is accepted when nothing is said, and that it is missing has been reported.
                None if name == "base" => {}
                None => {
                    let help = suggest::help(name, self.file.outcomes.iter().map(|outcome| outcome.name.as_str()));
                    let message = format!("there is no outcome `{name}`");
                    self.error(format!("{at}/accept/{i}"), "unknown_outcome", message, help);
                }
            }
        }
        accepted
    }

    fn check_segments(&mut self, behaviour: &VariantFile, played: Option<&OutcomeFile>, at: &str) -> Vec<u32> {
        // A user without turns has been reported: calls cannot be spread over them.
        let Some(played) = played.filter(|_| !behaviour.turns.is_empty()) else { return Vec::new() };
        let own: Vec<u32> = played.oracle.iter().map(|call| call.segment).collect();
        let segments = if behaviour.segments.is_empty() { own } else { behaviour.segments.clone() };
        let turns = u32::try_from(behaviour.turns.len()).unwrap_or(u32::MAX);
        // That an outcome's own segments are out of order has been reported there.
        let is_own = behaviour.segments.is_empty();
        let in_order = (is_own || segments.is_sorted()) && segments.iter().all(|segment| (1..=turns).contains(segment));
        if segments.len() != played.oracle.len() || !in_order {
            let message =
                format!("{} calls are spread over the segments {segments:?} of {turns} turns", played.oracle.len());
            let help = "give each oracle call of the first accepted outcome the turn after which it is made, in order";
            self.error(format!("{at}/segments"), "bad_segments", message, help);
        }
        segments
    }

    fn check_replies(&mut self, behaviour: &VariantFile, played: Option<&OutcomeFile>, at: &str) -> Vec<String> {
        let Some(played) = played else { return behaviour.replies.clone() };
        let replies = if behaviour.replies.is_empty() { played.replies.clone() } else { behaviour.replies.clone() };
        if replies.len() != behaviour.turns.len() && !behaviour.turns.is_empty() {
            let message =
                format!("as many replies as turns are needed: {}, not {}", behaviour.turns.len(), replies.len());
            let help = "write one reply for each turn, here or in the first accepted outcome";
            self.error(format!("{at}/replies"), "wrong_replies", message, help);
        }
        replies
    }

    fn check_contradictions(&mut self, behaviour: &VariantFile, at: &str) -> Vec<Hold> {
        let mut holds = Vec::new();
        for (i, source) in behaviour.contradicts.iter().enumerate() {
            let at = format!("{at}/contradicts/{i}");
            let last = behaviour.turns.len();
            if source.settled_in_turn.is_some_and(|turn| turn < 2 || turn as usize > last) {
                let message = format!("a contradiction is settled in a later turn, 2 to {last}");
                self.error(
                    format!("{at}/settled_in_turn"),
                    "bad_turn",
                    message,
                    "leave it out when it is never settled",
                );
            }
            if source.holds.is_empty() {
                let message = "no call waits for the contradiction to be settled";
                self.error(
                    format!("{at}/holds"),
                    "nothing_held",
                    message,
                    "name the calls that would be acting too early",
                );
            }
            let calls = source.holds.iter().enumerate();
            let calls = calls.filter_map(|(j, p)| self.pattern(p, format!("{at}/holds/{j}"))).collect();
            holds.push(Hold { source: source.clone(), calls });
        }
        holds
    }

    fn check_extra_calls(&mut self, behaviour: &VariantFile, at: &str) -> Vec<CallFile> {
        let mut calls = Vec::new();
        for (i, call) in behaviour.extra_calls.iter().enumerate() {
            let at = format!("{at}/extra_calls/{i}");
            let (arguments, tool) = self.check_one(call, 0, &at);
            if tool.is_some_and(|tool| tool.effect == Effect::Write) {
                let message = format!("`{}` writes; a wandering user only costs reads", call.tool);
                self.error(format!("{at}/tool"), "extra_write", message, "name a read");
            }
            // No call comes before, so there is nothing to refer to and `$$` is just `$`.
            let arguments = Observations::default().fill_map(&arguments).unwrap_or(arguments);
            calls.push(CallFile { tool: call.tool.clone(), arguments });
        }
        calls
    }

    fn check_consents(&mut self, behaviour: &VariantFile, at: &str) -> Vec<(u32, probity_engine::Pattern)> {
        let mut consents = Vec::new();
        for (turn, patterns) in &behaviour.consents {
            let at = format!("{at}/consents/{turn}");
            if *turn == 0 || *turn as usize > behaviour.turns.len() {
                let message = format!("there is no turn {turn}");
                self.error(at.clone(), "bad_turn", message, format!("turns are 1 to {}", behaviour.turns.len()));
            }
            for (i, source) in patterns.iter().enumerate() {
                consents.extend(self.pattern(source, format!("{at}/{i}")).map(|pattern| (*turn, pattern)));
            }
        }
        consents
    }

    /// What a turn takes for granted must be so in the oracle's own dialogue when it is said.
    fn check_presumes(&mut self, behaviour: &VariantFile, dialogue: &OracleDialogue, at: &str) {
        let calendar = Calendar::at(self.initial.clock());
        for (turn, presumed) in &behaviour.presumes {
            let at = format!("{at}/presumes/{turn}");
            let last = behaviour.turns.len();
            if !(2..=last).contains(&(*turn as usize)) {
                let message = format!("no turn {turn} takes anything for granted");
                let help = match last {
                    0 | 1 => "a single turn comes before all that the agent says: remove it".to_owned(),
                    last => format!("turns that come after a reply are 2 to {last}"),
                };
                self.error(at, "bad_turn", message, help);
                continue;
            }
            let replies = dialogue.replies.get(..*turn as usize - 1).unwrap_or(dialogue.replies);
            let before: Vec<&str> = dialogue.made.iter().filter(|(_, of)| of < turn).map(|(tool, _)| *tool).collect();
            for (i, presumption) in presumed.iter().enumerate() {
                let at = format!("{at}/{i}");
                let problem = match presumption {
                    Presumption::Told(told) => told_in_vain(told, *turn, replies, calendar, at),
                    Presumption::Asked(name) => asked_in_vain(name, *turn, replies, self.file, at),
                    Presumption::Made(tool) => made_in_vain(tool, *turn, &before, at),
                };
                self.problems.extend(problem);
            }
        }
    }
}

/// What the oracle does and says in a variant: its tools with the turns after which they are called, and its replies.
struct OracleDialogue<'a> {
    made: Vec<(&'a str, u32)>,
    replies: &'a [String],
}

fn in_vain(at: String, message: String, help: impl Into<String>) -> Option<Problem> {
    Some(Problem::error(at, "presumed_in_vain", message).help(help))
}

fn told_in_vain(told: &[String], turn: u32, replies: &[String], calendar: Calendar, at: String) -> Option<Problem> {
    let read = told.iter().map(|told| Answer::parse(told, calendar).map_err(|what| (told, what)));
    let read: Vec<Answer> = match read.collect() {
        Ok(read) => read,
        Err((told, what)) => return Some(no_phrase(at, told, &what)),
    };
    if read.is_empty() {
        return in_vain(at, "no answer is named that must have been told".to_owned(), "name one, or remove it");
    }
    if replies.iter().any(|reply| read.iter().any(|told| told.is_in(reply))) {
        return None;
    }
    let named: Vec<String> = read.iter().map(|told| format!("\"{}\"", told.source)).collect();
    let named = named.join(" or ");
    let message = format!("turn {turn} presumes that {named} was told, and no reply of the oracle tells it before");
    in_vain(at, message, "name what an earlier reply says, or let it say this")
}

fn asked_in_vain(name: &str, turn: u32, replies: &[String], file: &TaskFile, at: String) -> Option<Problem> {
    let Some(fact) = file.facts.get(name) else {
        let help = suggest::help(name, file.facts.keys().map(String::as_str));
        return Some(Problem::error(at, "unknown_fact", format!("there is no fact `{name}`")).help(help));
    };
    let voice = FactPhrases::of(name, fact);
    let is_asked = |reply: &String| questions(reply).iter().any(|question| voice.is_asked_in(question));
    if replies.iter().any(is_asked) {
        return None;
    }
    let message = format!("turn {turn} presumes that `{name}` was asked for, and no reply of the oracle asks before");
    in_vain(at, message, "let an earlier reply ask for it by one of its `cues`")
}

fn made_in_vain(tool: &str, turn: u32, before: &[&str], at: String) -> Option<Problem> {
    if before.contains(&tool) {
        return None;
    }
    let message = format!("turn {turn} presumes a call of `{tool}`, and the oracle makes none before");
    in_vain(at, message, suggest::help(tool, before.iter().copied()))
}
