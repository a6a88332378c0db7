//! How an agent's message moves a user's wishes, and what the user says to it: to questions, and to values that are
//! repeated.

use super::desk_user::{DeskUser, WishProgress, WishState};
use super::proposals::is_bare;
use crate::desk::reading::{DeskReading, is_about, tells};
use crate::desk::task::{DeskField, DeskStage, StageEnd, Until, means_name};
use crate::measures::{AgentAct, FieldKind, FieldMention};
use crate::people::phrasebook::Saying;
use crate::telecom::Persona;

impl DeskUser {
    pub(super) fn take_in(&mut self, reading: &DeskReading, text: &str, called: &[&str]) {
        if self.correct(reading) {
            return;
        }
        let proposed = self.proposed(reading);
        let before = self.wishes.clone();
        for wish in 0..self.wishes.len() {
            self.turn(wish, reading, text, called);
        }
        let is_same =
            |wish: &usize| self.wishes.get(*wish).map(|now| now.stage) == before.get(*wish).map(|was| was.stage);
        let (still, turned): (Vec<usize>, Vec<usize>) = proposed.iter().copied().partition(is_same);
        let moved = (0..before.len()).filter(|wish| !is_same(wish)).collect::<Vec<_>>();
        moved.into_iter().for_each(|wish| self.agree_at_once(wish, reading));
        self.take_back(&proposed);
        let rights = reading.read_back.iter().any(|back| back.is_right);
        if reading.asks_right && rights && still.is_empty() {
            self.confirm_values(reading);
        }
        if !reading.asks.is_empty() && still.is_empty() {
            self.answer(reading);
        }
        for wish in still.iter().copied() {
            if self.progress(wish).is_open() {
                self.consent(wish, reading, text);
            }
        }
        if self.speech.text.is_empty() && turned.is_empty() {
            self.answer_the_rest(reading, still.is_empty());
        }
        self.tell_next();
    }

    fn confirm_values(&mut self, reading: &DeskReading) {
        for back in &reading.read_back {
            // The first time it is settled, which is progress.
            let settled = usize::MAX / 2 + back.fact;
            self.has_progress |= self.told.insert(settled, 1).is_none();
        }
        self.say(Saying::Right);
    }

    fn turn(&mut self, wish: usize, reading: &DeskReading, text: &str, called: &[&str]) {
        let Some(progress) = self.wishes.get(wish).copied().filter(|progress| progress.is_open()) else { return };
        let Some(DeskStage { file, .. }) = self.stage(wish) else { return };
        let tool = file.call.as_ref().map(|call| call.tool.as_str());
        let is_done = tool.is_some_and(|tool| {
            called.contains(&tool)
                || (progress.state == WishState::Agreed
                    && !reading.asks_consent
                    && !reading.refuses
                    && reading.claims.iter().any(|words| is_about(words, tool)))
        });
        let refuses = reading.refuses && reading.asks.iter().all(|field| !field.is_identity()) && !is_done;
        match &file.until {
            _ if is_done => self.finish(wish),
            Some(Until::Called(tool)) if called.contains(&tool.as_str()) => self.advance(wish),
            Some(Until::Told(values)) if !reading.is_doubtful && values.iter().all(|value| tells(text, value)) => {
                self.advance(wish)
            }
            Some(Until::Refused | Until::Told(_)) if refuses => self.advance(wish),
            Some(Until::Refused) if self.proposes_next(wish, reading) => self.advance(wish),
            None if file.ends == StageEnd::Refused && refuses => {
                self.finish(wish);
                self.change(wish, |progress| progress.is_refused = true);
                self.say(Saying::Accepts);
            }
            None if file.ends == StageEnd::Told
                && !reading.is_doubtful
                && file.tells.iter().all(|value| tells(text, value)) =>
            {
                self.finish(wish)
            }
            _ if refuses && !reading.asks_consent && !reading.hands_over => {
                self.say(Saying::Insists);
                self.say_stage(wish);
            }
            _ => {}
        }
    }

    fn finish(&mut self, wish: usize) {
        self.has_progress = true;
        self.change(wish, |progress| progress.state = WishState::Over);
    }

    pub(super) fn advance(&mut self, wish: usize) {
        self.has_progress = true;
        self.has_asked = false;
        self.change(wish, |progress| {
            let (stage, is_refused) = (progress.stage + 1, progress.is_refused);
            *progress = WishProgress { state: WishState::Told, stage, is_refused, ..WishProgress::default() };
        });
        self.say_stage(wish);
    }

    /// Answers what is neither about values nor a proposal of what was wanted.
    fn answer_the_rest(&mut self, reading: &DeskReading, is_other: bool) {
        let is_over = self.wishes.iter().all(|wish| !wish.is_open());
        let has_untold = self.wishes.iter().any(|wish| wish.state == WishState::Untold);
        if is_over {
            return;
        }
        if reading.offers_choice && !reading.asks_else && !reading.hands_over {
            self.restate();
        } else if reading.asks_consent && is_other && !reading.asks_else {
            self.consent_to_other(reading);
        } else if reading.asks_else && has_untold {
            self.tell_untold();
        } else if reading.asks_else {
            let agreed: Vec<usize> = self.agreed();
            agreed.iter().for_each(|wish| self.finish(*wish));
            if agreed.is_empty() && !self.add_constraint() {
                self.say(Saying::OnlyThat);
                self.restate();
            }
        } else if reading.waits || reading.hands_over {
            self.say(Saying::Waits);
        } else if reading.asks_problem || reading.asks_open {
            self.restate();
        }
    }

    /// Adds the constraint that would come later, once the agent asks whether there is more; whether there is one.
    fn add_constraint(&mut self) -> bool {
        let comes_later = |wish: &usize| {
            let is_open = self.progress(*wish).is_open();
            let until = self.stage(*wish).and_then(|stage| stage.file.until);
            is_open && matches!(until, Some(Until::Called(_) | Until::Answered(_)))
        };
        let next = (0..self.wishes.len()).find(comes_later);
        next.into_iter().for_each(|wish| self.advance(wish));
        next.is_some()
    }

    fn agreed(&self) -> Vec<usize> {
        let all = self.wishes.iter().enumerate();
        all.filter(|(_, wish)| wish.state == WishState::Agreed).map(|(at, _)| at).collect()
    }

    /// Tells the next wish, once nothing is open.
    fn tell_next(&mut self) {
        if self.wishes.iter().all(|wish| !wish.is_open()) {
            self.tell_untold();
        }
    }

    fn tell_untold(&mut self) {
        let next = self.wishes.iter().position(|wish| wish.state == WishState::Untold);
        if let Some(wish) = next {
            self.has_progress = true;
            self.say(Saying::Next);
            self.say_stage(wish);
        }
    }
}

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
        let mut open = (0..self.wishes.len()).filter(|wish| self.progress(*wish).is_open());
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
            let is_turned = self.progress(wish).is_open()
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
