//! What a user of a desk answers: values that are asked for, and values that are repeated.

use super::desk_user::DeskUser;
use super::proposals::is_bare;
use crate::desk::reading::{DeskReading, is_about};
use crate::desk::task::{DeskField, Until, means_name};
use crate::measures::{AgentAct, FieldKind, FieldMention};
use crate::people::phrasebook::Saying;
use crate::telecom::Persona;

impl DeskUser {
    pub(super) fn acts_of(&self, reading: &DeskReading) -> Vec<AgentAct> {
        let named = |field: &DeskField| {
            let fact = self.fact(*field).and_then(|at| self.task.facts.get(at));
            fact.map_or_else(|| field.name().to_owned(), |fact| fact.name.clone())
        };
        let asked = reading.asks.iter().map(|field| AgentAct::Clarify { field: Some(named(field)) });
        let proposed = self.proposed(reading);
        // What is spelled out in a proposal is not read back.
        let is_proposal = reading.asks_consent && !proposed.is_empty();
        let backs = reading.read_back.iter().filter(|_| reading.asks_right && !is_proposal);
        let repeated = backs.filter_map(|back| self.task.facts.get(back.fact)).map(|fact| fact.name.clone());
        // Who misstates a call asks for no yes to it.
        let key = |wish: &usize| {
            let stage = self.stage(*wish)?;
            Some(stage.key.filter(|_| !self.is_misstated(*wish, reading)))
        };
        let confirmed = proposed.iter().filter_map(key).map(|key| AgentAct::Confirm { key });
        let is_deed =
            is_bare(reading) || self.task.environment.tools().iter().any(|tool| is_about(&reading.words, &tool.name));
        let is_unnamed = proposed.is_empty() && reading.asks_consent && is_deed && !reading.hands_over;
        let unnamed = is_unnamed.then_some(AgentAct::Confirm { key: None });
        let handed = reading.hands_over.then_some(AgentAct::TransferNotice);
        let all = asked.chain(repeated.map(|field| AgentAct::Clarify { field: Some(field) }));
        let mut acts: Vec<AgentAct> = Vec::new();
        for act in all.chain(confirmed).chain(unnamed).chain(handed) {
            if !acts.contains(&act) {
                acts.push(act);
            }
        }
        acts
    }

    pub(super) fn fact(&self, field: DeskField) -> Option<usize> {
        let mut open = self.wishes.iter().enumerate().filter(|(_, wish)| wish.is_open());
        let at = open.next_back().map_or((0, 0), |(wish, progress)| (wish, progress.stage));
        let fact = self.task.fact(field, at)?;
        self.task.facts.iter().position(|known| known == fact)
    }

    /// Corrects what was repeated wrongly; whether anything was.
    pub(super) fn correct(&mut self, reading: &DeskReading) -> bool {
        let Some(wrong) = reading.read_back.iter().find(|back| !back.is_right) else { return false };
        let Some(fact) = self.task.facts.get(wrong.fact).cloned() else { return false };
        let value = spelled(fact.kind, &fact.value);
        self.say_with(Saying::Wrong, &value);
        let speech = &mut self.speech;
        speech.corrects.push(fact.name.clone());
        speech.spelled = value != fact.value;
        speech.mentions.push(FieldMention { field: fact.name, value: fact.value });
        true
    }

    /// Tells what was asked for: all of it, or the first of it.
    pub(super) fn answer(&mut self, reading: &DeskReading) {
        let most = if self.persona == Persona::Hard { 1 } else { reading.asks.len() };
        let known: Vec<(DeskField, usize)> =
            reading.asks.iter().filter_map(|field| Some((*field, self.fact(*field)?))).collect();
        for (field, fact) in known.iter().take(most) {
            self.tell(*fact, reading.is_spelled);
            self.turn_by_answer(*field);
        }
        let is_left_open = |field: &DeskField| self.fact(*field).is_none() && !is_number(*field);
        let wants_more = most > 1 && reading.asks.iter().any(is_left_open);
        if reading.asks.contains(&DeskField::Payment) && self.fact(DeskField::Payment).is_none() && self.tell_means() {
            return;
        }
        if !known.is_empty() && wants_more {
            self.restate();
        }
        if known.is_empty() {
            let is_identity = reading.asks.iter().all(|field| is_number(*field));
            if is_identity {
                self.say(Saying::Lacks);
                self.has_progress |= self.told.insert(usize::MAX, 1).is_none();
            } else {
                self.restate();
            }
        }
    }

    /// Tells by what the call of the current stage is paid; whether it is by anything.
    fn tell_means(&mut self) -> bool {
        let mut open = (0..self.wishes.len()).filter(|wish| self.wishes.get(*wish).is_some_and(|wish| wish.is_open()));
        let stage = open.next_back().and_then(|wish| self.stage(wish));
        let cost = stage.and_then(|stage| stage.cost);
        let Some(name) = cost.and_then(|cost| cost.means.last().and_then(|means| means_name(means))) else {
            return false;
        };
        self.has_progress |= self.told.insert(usize::MAX - 2, 1).is_none();
        self.say_with(Saying::TellsMeans, name);
        true
    }

    pub(super) fn tell(&mut self, at: usize, is_spelled: bool) {
        let Some(fact) = self.task.facts.get(at).cloned() else { return };
        let times = self.told.entry(at).or_default();
        *times += 1;
        let times = *times;
        self.has_progress |= times == 1;
        let value = if is_spelled { spelled(fact.kind, &fact.value) } else { fact.value.clone() };
        let place = usize::try_from(times - 1).unwrap_or_default().min(fact.say.len().saturating_sub(1));
        match fact.say.get(place) {
            Some(say) => self.speech.add(&say.replace("{}", &value)),
            None if times > 1 => self.say_with(Saying::Again, &value),
            None if fact.kind == FieldKind::Name => self.say_with(Saying::TellsName, &value),
            None => self.say_with(Saying::Tells, &value),
        }
        self.speech.spelled |= is_spelled && value != fact.value;
        if fact.is_critical {
            self.speech.mentions.push(FieldMention { field: fact.name, value: fact.value });
        }
    }

    pub(super) fn turn_by_answer(&mut self, field: DeskField) {
        for wish in 0..self.wishes.len() {
            let is_turned = self.wishes.get(wish).is_some_and(|progress| progress.is_open())
                && self.stage(wish).is_some_and(|stage| stage.file.until == Some(Until::Answered(field)));
            if is_turned {
                self.advance(wish);
            }
        }
    }
}

/// Whether a field is one of the user's own, or the number of an order.
fn is_number(field: DeskField) -> bool {
    field.is_identity() || field == DeskField::OrderId
}

fn spelled(kind: FieldKind, value: &str) -> String {
    match kind {
        // A word is said more clearly than its letters are.
        FieldKind::Email | FieldKind::Name => value.to_owned(),
        FieldKind::Digits | FieldKind::Id => {
            let signs = value.chars().filter(|sign| sign.is_alphanumeric()).map(String::from);
            signs.collect::<Vec<_>>().join(" ")
        }
    }
}
