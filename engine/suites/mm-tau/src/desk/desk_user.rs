//! The user of a desk, a state machine that reads an agent's words and answers in the words of a persona: what they have
//! said and heard, and what they say next.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::desk::desk_play::TRANSFER;
use crate::desk::reading::read;
use crate::desk::task::{AmountTold, DeskStage, DeskTask, StageEnd};
use crate::measures::{AgentAct, FieldKind, FieldMention, is_heard};
use crate::people::phrasebook::{Phrasebook, Saying};
use crate::people::{Parting, Temper, UserMove, UserSpeech};
use crate::score::Person;
use crate::telecom::Persona;
use probity_bench::{Event, reply_in};

/// How many messages of an agent a user listens to at most.
const LISTENS: u32 = 60;

#[derive(Clone)]
pub struct DeskUser {
    pub(super) task: Arc<DeskTask>,
    phrases: Phrasebook,
    pub(super) temper: Temper,
    pub(super) persona: Persona,
    pub(super) wishes: Vec<WishProgress>,
    /// How often each fact was told, by its place.
    pub(super) told: BTreeMap<usize, u32>,
    pub(super) speech: UserSpeech,
    pub(super) acts: Vec<AgentAct>,
    /// Turns in a row without progress.
    idle: u32,
    listens: u32,
    pub(super) has_progress: bool,
    pub(super) has_asked: bool,
}

impl DeskUser {
    pub fn new(task: &Arc<DeskTask>, persona: Persona) -> DeskUser {
        DeskUser {
            phrases: Phrasebook::new("desk", persona, format!("{}[PERSONA:{persona}]", task.id)),
            temper: Temper::of(persona),
            persona,
            wishes: vec![WishProgress::default(); task.wishes.len()],
            task: task.clone(),
            told: BTreeMap::new(),
            speech: UserSpeech::default(),
            acts: Vec::new(),
            idle: 0,
            listens: 0,
            has_progress: false,
            has_asked: false,
        }
    }

    fn move_on(&mut self, parting: Option<Parting>) -> UserMove {
        self.idle = if self.has_progress { 0 } else { self.idle + 1 };
        let patience = self.task.file.patience.unwrap_or(self.temper.patience);
        let is_worn_out = self.idle >= patience || self.listens >= LISTENS;
        let parting = parting.or(is_worn_out.then_some(Parting::GaveUp));
        let Some(parting) = parting else {
            if self.speech.text.is_empty() {
                self.say(Saying::Puzzled);
                self.restate();
            }
            return UserMove::Say(self.spoken());
        };
        self.say(match parting {
            Parting::Content => Saying::Content,
            Parting::HandedOver => Saying::HandedOver,
            Parting::GaveUp => Saying::GivesUp,
        });
        UserMove::Leave(self.spoken())
    }

    fn spoken(&mut self) -> UserSpeech {
        let mut said = std::mem::take(&mut self.speech);
        for fact in self.task.facts.iter().filter(|fact| fact.is_critical) {
            let is_known = said.mentions.iter().any(|mention| mention.field == fact.name);
            let is_long = fact.kind != FieldKind::Digits || fact.value.len() > 4;
            if !is_known && is_long && is_heard(fact.kind, &fact.value, &said.text) {
                said.mentions.push(FieldMention { field: fact.name.clone(), value: fact.value.clone() });
            }
        }
        said
    }

    fn open(&mut self) {
        self.has_progress = true;
        self.say(Saying::Greets);
        let persona = Persona::ALL.iter().position(|known| *known == self.persona).unwrap_or_default();
        let openings = self.task.file.opening.len().max(1);
        let opening = self.task.file.opening.get(persona % openings).cloned().unwrap_or_default();
        self.speech.add(&opening);
        if let Some(first) = self.wishes.first_mut() {
            first.state = WishState::Told;
        }
        let identity = self.task.facts.iter().find(|fact| fact.field.is_identity() && fact.is_critical);
        if self.phrases.has(Saying::Volunteers)
            && let Some(value) = identity.map(|fact| fact.value.clone())
        {
            self.say_with(Saying::Volunteers, &value);
        }
    }

    pub(super) fn progress(&self, wish: usize) -> WishProgress {
        self.wishes.get(wish).copied().unwrap_or_default()
    }

    pub(super) fn change(&mut self, wish: usize, with: impl FnOnce(&mut WishProgress)) {
        if let Some(progress) = self.wishes.get_mut(wish) {
            with(progress);
        }
    }

    pub(super) fn stage(&self, wish: usize) -> Option<DeskStage> {
        self.task.stage(wish, self.wishes.get(wish)?.stage).cloned()
    }

    /// Says what the current stage of a wish is, in the words that come next.
    pub(super) fn say_stage(&mut self, wish: usize) {
        let Some(stage) = self.stage(wish) else { return };
        let Some(progress) = self.wishes.get_mut(wish) else { return };
        let words = stage.file.says.get(progress.said.min(stage.file.says.len().saturating_sub(1)));
        progress.said += 1;
        if progress.state == WishState::Untold {
            progress.state = WishState::Told;
        }
        self.speech.add(words.map_or("", String::as_str));
    }

    pub(super) fn restate(&mut self) {
        let open = self.wishes.iter().position(|wish| wish.is_open());
        if let Some(wish) = open {
            self.say_stage(wish);
        }
    }

    pub(super) fn say(&mut self, saying: Saying) {
        let wording = self.phrases.wording(saying);
        self.speech.add(wording);
    }

    pub(super) fn say_with(&mut self, saying: Saying, value: &str) {
        let sentence = self.phrases.with(saying, value);
        self.speech.add(&sentence);
    }
}

impl Person for DeskUser {
    fn next_move(&mut self, since: &[Event]) -> UserMove {
        let made = since.iter().filter_map(Event::step).filter(|step| step.is_ok());
        let called: Vec<&str> = made.map(|step| step.tool.as_str()).collect();
        let is_handed_over = called.contains(&TRANSFER);
        self.acts.clear();
        self.has_progress = false;
        self.listens += 1;
        if self.listens == 1 {
            self.open();
            return self.move_on(None);
        }
        if let Some(text) = reply_in(since) {
            let reading = read(text, &self.task);
            self.foresee(&reading);
            self.notice(&reading);
            self.acts = self.acts_of(&reading);
            if !is_handed_over {
                self.take_in(&reading, text, &called);
            }
        }
        let parting = match () {
            () if is_handed_over => Some(Parting::HandedOver),
            () if self.wishes.iter().all(|wish| wish.state == WishState::Over) => Some(Parting::Content),
            () => None,
        };
        self.move_on(parting)
    }

    fn conversation(&self) -> &str {
        &self.phrases.name
    }

    fn reads(&self, _text: &str) -> Option<Vec<AgentAct>> {
        None
    }

    fn acts(&self) -> Vec<AgentAct> {
        if self.acts.is_empty() { vec![AgentAct::Inform] } else { self.acts.clone() }
    }

    /// Whether a wish that ends with a refusal has not come to it.
    fn is_unrefused(&self) -> bool {
        let mut wishes = self.task.wishes.iter().zip(&self.wishes);
        wishes.any(|(stages, progress)| {
            stages.last().is_some_and(|stage| stage.file.ends == StageEnd::Refused) && !progress.is_refused
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WishState {
    #[default]
    Untold,
    Told,
    Agreed,
    Over,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WishProgress {
    pub state: WishState,
    pub stage: usize,
    pub said: usize,
    /// Whether the user was told that it cannot be had, and took that for the end of it.
    pub is_refused: bool,
    /// Whether the agent spoke of the call of this stage.
    pub is_described: bool,
    /// How the last amounts that it told with it stand to what the call costs.
    pub amount: AmountTold,
    /// Whether the last means of payment that it named with it are others than the call takes.
    pub is_misdirected: bool,
}

impl WishProgress {
    pub fn is_open(self) -> bool {
        matches!(self.state, WishState::Told | WishState::Agreed)
    }
}
