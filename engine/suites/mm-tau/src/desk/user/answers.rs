//! What a user of a desk answers: values that are asked for, values that are repeated, proposals.

use super::desk_user::DeskUser;
use super::progress::{WishState, stage_of};
use crate::desk::reading::{CONFIRMING, DeskReading, is_about, names_any, tells};
use crate::desk::task::{DeskField, DeskStage, StageEnd, Until};
use crate::measures::{AgentAct, Consent, FieldKind, FieldMention};
use crate::people::understanding::phrase::has;
use crate::telecom::Persona;

impl DeskUser {
    /// What a message does, as the measures count it.
    pub(super) fn acts_of(&self, reading: &DeskReading) -> Vec<AgentAct> {
        let named = |field: &DeskField| {
            let fact = self.fact(*field).and_then(|at| self.task.facts.get(at));
            fact.map_or_else(|| field.name().to_owned(), |fact| fact.name.clone())
        };
        let asked = reading.asks.iter().map(|field| AgentAct::Clarify { field: Some(named(field)) });
        let backs = reading.read_back.iter().filter(|_| reading.asks_right);
        let repeated = backs.filter_map(|back| self.task.facts.get(back.fact)).map(|fact| fact.name.clone());
        let problem = reading.asks_problem.then_some(AgentAct::Clarify { field: None });
        let proposed = self.proposed(reading);
        let keys = proposed.iter().filter_map(|wish| self.stage(*wish)?.key);
        let confirmed = keys.map(|key| AgentAct::Confirm { key: Some(key) });
        let unnamed = (proposed.is_empty() && reading.asks_consent).then_some(AgentAct::Confirm { key: None });
        let handed = reading.hands_over.then_some(AgentAct::TransferNotice);
        let all = asked.chain(repeated.map(|field| AgentAct::Clarify { field: Some(field) })).chain(problem);
        let mut acts: Vec<AgentAct> = Vec::new();
        for act in all.chain(confirmed).chain(unnamed).chain(handed) {
            if !acts.contains(&act) {
                acts.push(act);
            }
        }
        acts
    }

    /// The place of the fact about a field that holds now.
    pub(super) fn fact(&self, field: DeskField) -> Option<usize> {
        let mut open = self.wishes.iter().enumerate().filter(|(_, wish)| wish.is_open());
        let at = open.next_back().map_or((0, 0), |(wish, progress)| (wish, progress.stage));
        let fact = self.task.fact(field, at)?;
        self.task.facts.iter().position(|known| known == fact)
    }

    /// The wishes whose call a message proposes.
    pub(super) fn proposed(&self, reading: &DeskReading) -> Vec<usize> {
        if !reading.asks_consent && !reading.asks_right {
            return Vec::new();
        }
        let open = |at: &usize| self.wishes.get(*at).is_some_and(|wish| wish.is_open());
        let call = |wish: usize| self.stage(wish).and_then(|stage| stage.file.call);
        let open: Vec<usize> = (0..self.wishes.len()).filter(open).filter(|wish| call(*wish).is_some()).collect();
        let is_spelled_out = |wish: &usize| {
            let named = self.stage(*wish).map(|stage| stage.file.named).unwrap_or_default();
            !named.is_empty() && named.iter().all(|named| names_any(&reading.words, &named.is))
        };
        let is_about_it = |wish: &usize| call(*wish).is_some_and(|call| is_about(&reading.words, &call.tool));
        if !reading.asks_consent {
            // A plain "is that right?" proposes what it spells out.
            return open.into_iter().filter(|wish| is_about_it(wish) && is_spelled_out(wish)).collect();
        }
        let meant: Vec<usize> = open.iter().copied().filter(|wish| is_about_it(wish) || is_spelled_out(wish)).collect();
        match (meant.is_empty(), open.as_slice()) {
            (true, [only]) if !reading.hands_over && reading.words.len() < 12 && has(&reading.words, CONFIRMING) => {
                vec![*only]
            }
            _ => meant,
        }
    }

    /// Corrects what was repeated wrongly; whether anything was.
    pub(super) fn correct(&mut self, reading: &DeskReading) -> bool {
        let Some(wrong) = reading.read_back.iter().find(|back| !back.is_right) else { return false };
        let Some(fact) = self.task.facts.get(wrong.fact).cloned() else { return false };
        let value = spelled(fact.kind, &fact.value);
        self.say_with(self.phrases.wrong, &value);
        let speech = &mut self.speech.speech;
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
        if known.is_empty() {
            let is_identity = reading.asks.iter().all(|field| field.is_identity() || *field == DeskField::OrderId);
            if is_identity {
                self.say(self.phrases.lacks);
                self.has_progress |= self.told.insert(usize::MAX, 1).is_none();
            } else {
                self.restate();
            }
        }
    }

    fn tell(&mut self, at: usize, is_spelled: bool) {
        let Some(fact) = self.task.facts.get(at).cloned() else { return };
        let times = self.told.entry(at).or_default();
        *times += 1;
        let times = *times;
        self.has_progress |= times == 1;
        let value = if is_spelled { spelled(fact.kind, &fact.value) } else { fact.value.clone() };
        let place = usize::try_from(times - 1).unwrap_or_default().min(fact.say.len().saturating_sub(1));
        match fact.say.get(place) {
            Some(say) => self.speech.speech.add(&say.replace("{}", &value)),
            None if times > 1 => self.say_with(self.phrases.again, &value),
            None if fact.kind == FieldKind::Name => self.say_with(self.phrases.tells_name, &value),
            None => self.say_with(self.phrases.tells, &value),
        }
        self.speech.speech.spelled |= is_spelled && value != fact.value;
        if fact.is_critical {
            self.speech.speech.mentions.push(FieldMention { field: fact.name, value: fact.value });
        }
    }

    /// What was asked for may be what turns a wish.
    fn turn_by_answer(&mut self, field: DeskField) {
        for wish in 0..self.wishes.len() {
            let is_turned = self.wishes.get(wish).is_some_and(|progress| progress.is_open())
                && self.stage(wish).is_some_and(|stage| stage.file.until == Some(Until::Answered(field)));
            if is_turned {
                self.advance(wish);
            }
        }
    }

    /// Answers a proposal of a wish's call.
    pub(super) fn consent(&mut self, wish: usize, reading: &DeskReading, text: &str) {
        let Some(DeskStage { file, key: Some(key) }) = self.stage(wish) else { return };
        let is_wrong = file
            .named
            .iter()
            .any(|named| !names_any(&reading.words, &named.is) && names_any(&reading.words, &named.not));
        let asks = file.asks.filter(|_| !self.has_asked);
        match file.until {
            _ if is_wrong => {
                self.speech.replies.push((key, Consent::No));
                self.say(self.phrases.no);
                self.say_stage(wish);
            }
            // What comes midway comes with the proposal at the latest.
            Some(Until::Proposed | Until::Called(_)) => {
                self.speech.replies.push((key, Consent::No));
                self.advance(wish);
            }
            Some(Until::Told(values)) if !values.iter().all(|value| tells(text, value)) && asks.is_some() => {
                self.has_asked = true;
                self.has_progress = true;
                self.speech.speech.add(&asks.unwrap_or_default());
            }
            _ => {
                self.speech.replies.push((key, Consent::Yes));
                let progress = self.wishes.get_mut(wish);
                if let Some(progress) = progress {
                    self.has_progress |= progress.state != WishState::Agreed;
                    progress.state = WishState::Agreed;
                }
                if !self.speech.replies.iter().rev().skip(1).any(|(_, answer)| *answer == Consent::Yes) {
                    self.say(self.phrases.yes);
                }
            }
        }
    }

    /// Answers a proposal of something that was not asked for.
    pub(super) fn consent_to_other(&mut self, reading: &DeskReading) {
        let wants_person = self.wishes.iter().enumerate().any(|(at, wish)| {
            wish.is_open()
                && stage_of(&self.task, at, *wish).is_some_and(|stage| stage.file.ends == StageEnd::HandedOver)
        });
        if reading.hands_over && wants_person {
            self.has_progress |= self.told.insert(usize::MAX - 1, 1).is_none();
            self.say(self.phrases.yes);
        } else {
            self.say(self.phrases.declines);
            self.restate();
        }
    }
}

/// A value sign by sign, where that helps.
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
