//! What an agent proposes to a user of a desk, and whether the user says yes to it.

use super::desk_user::{DeskUser, WishProgress, WishState};
use crate::desk::reading::{DeskReading, is_about, is_about_others, names_any, names_others, tells};
use crate::desk::task::{AmountTold, DeskField, DeskStage, NamedFile, StageEnd, Until, named_means};
use crate::measures::{AgentAct, Consent};
use crate::people::phrasebook::Saying;
use crate::people::understanding::words::words;

impl DeskUser {
    fn callable(&self) -> Vec<usize> {
        let is_open = |at: &usize| self.progress(*at).is_open();
        let has_call = |at: &usize| self.stage(*at).is_some_and(|stage| stage.file.call.is_some());
        (0..self.wishes.len()).filter(is_open).filter(has_call).collect()
    }

    /// Whether a message speaks of the deed that a wish asks for.
    fn is_about_it(&self, wish: usize, reading: &DeskReading) -> bool {
        let call = self.stage(wish).and_then(|stage| stage.file.call);
        call.is_some_and(|call| is_about(&reading.words, &call.tool))
    }

    /// Whether a message speaks of another deed than a wish asks for, or against that.
    fn is_about_another(&self, wish: usize, reading: &DeskReading) -> bool {
        let call = self.stage(wish).and_then(|stage| stage.file.call);
        call.is_some_and(|call| is_about_others(&reading.words, &call.tool))
    }

    /// Whether a message says all that a proposal of a wish must not have wrong.
    fn is_spelled_out(&self, wish: usize, reading: &DeskReading) -> bool {
        self.stage(wish).is_some_and(|stage| is_spelled_out(&stage, reading))
    }

    /// Whether a message names other means of payment than a wish's call takes, or, where the world refuses that, than
    /// the user would like; nothing where it names none.
    fn names_other_means(&self, wish: usize, reading: &DeskReading) -> Option<bool> {
        let named = named_means(&reading.words);
        let cost = self.stage(wish)?.cost.filter(|cost| !cost.means.is_empty());
        if named.is_empty() {
            return None;
        }
        let Some(cost) = cost else {
            let fact = self.task.facts.get(self.fact(DeskField::Payment)?)?;
            let wanted = named_means(&words(&[vec![fact.value.clone()], fact.say.clone()].concat().join(" ")));
            return (!wanted.is_empty()).then(|| !named.iter().any(|name| wanted.contains(name)));
        };
        Some(cost.names_other_means(&reading.words))
    }

    /// Takes a proposal of what the user would have said later for what it is: the stage or the wish begins unsaid.
    pub(super) fn foresee(&mut self, reading: &DeskReading) {
        if !reading.asks_consent {
            return;
        }
        let is_busy = self.wishes.iter().any(|wish| wish.state == WishState::Told);
        for wish in 0..self.wishes.len() {
            let progress = self.progress(wish);
            let stages = self.task.wishes.get(wish).cloned().unwrap_or_default();
            let at = match (progress.state, stages.get(progress.stage).and_then(|stage| stage.file.until.clone())) {
                (WishState::Untold, None) if !is_busy => progress.stage,
                (WishState::Told, Some(Until::Proposed | Until::Called(_) | Until::Answered(_))) => progress.stage + 1,
                _ => continue,
            };
            let next = stages.get(at).filter(|stage| stage.file.until.is_none() && !stage.file.named.is_empty());
            if next.is_some_and(|stage| fits(stage, reading)) {
                let begun = WishProgress { state: WishState::Told, stage: at, ..WishProgress::default() };
                self.change(wish, |known| *known = begun);
            }
        }
    }

    /// Whether a message proposes the next stage of a wish in place of what it is now: who does so refuses that.
    pub(super) fn proposes_next(&self, wish: usize, reading: &DeskReading) -> bool {
        let next = self.wishes.get(wish).map(|progress| progress.stage + 1);
        let next = next.and_then(|at| self.task.wishes.get(wish)?.get(at));
        let is_now = self.stage(wish).is_some_and(|stage| fits(&stage, reading));
        reading.asks_consent && !is_now && next.is_some_and(|stage| fits(stage, reading))
    }

    /// Says yes at once to what was proposed in the message that turned a wish to it.
    pub(super) fn agree_at_once(&mut self, wish: usize, reading: &DeskReading) {
        let Some(stage) = self.stage(wish) else { return };
        let Some(key) = stage.key.clone().filter(|_| stage.file.until.is_none()) else { return };
        if !reading.asks_consent || !fits(&stage, reading) {
            return;
        }
        self.acts.retain(|act| *act != AgentAct::Confirm { key: None });
        self.acts.push(AgentAct::Confirm { key: Some(key.clone()) });
        self.speech.replies.push((key, Consent::Yes));
        self.change(wish, |progress| progress.state = WishState::Agreed);
        self.say(Saying::Yes);
    }

    /// Takes notice of what a message says about wishes, whether it proposes them or not.
    pub(super) fn notice(&mut self, reading: &DeskReading) {
        let callable = self.callable();
        let is_only = callable.len() == 1;
        for wish in callable {
            // Who asks whether a value is right speaks of no deed yet.
            let is_told = self.is_spelled_out(wish, reading) && !reading.asks_right;
            let is_about = (self.is_about_it(wish, reading) || is_told) && !self.is_about_another(wish, reading);
            let cost = self.stage(wish).and_then(|stage| stage.cost);
            let is_other_means = self.names_other_means(wish, reading);
            let Some(progress) = self.wishes.get_mut(wish) else { continue };
            progress.is_described |= is_about;
            if !(is_about || is_only) {
                continue;
            }
            if let Some(cost) = cost.filter(|_| !reading.amounts.is_empty()) {
                progress.amount = cost.judge(&reading.amounts);
            }
            let asks_means = reading.offers_choice || reading.asks.contains(&DeskField::Payment);
            if let Some(is_other) = is_other_means.filter(|_| !asks_means) {
                progress.is_misdirected = is_other;
            }
        }
    }

    pub(super) fn proposed(&self, reading: &DeskReading) -> Vec<usize> {
        if !reading.asks_consent && !reading.asks_right {
            return Vec::new();
        }
        let open = self.callable();
        if !reading.asks_consent {
            // A plain "is that right?" proposes what it spells out.
            let is_meant = |wish: &usize| self.is_about_it(*wish, reading) && self.is_spelled_out(*wish, reading);
            return open.into_iter().filter(is_meant).collect();
        }
        let is_named = |wish: &usize| self.is_about_it(*wish, reading) || self.is_spelled_out(*wish, reading);
        let is_meant = |wish: &usize| is_named(wish) && !self.is_about_another(*wish, reading);
        let meant: Vec<usize> = open.iter().copied().filter(is_meant).collect();
        // A bare "shall I go ahead?" proposes what the agent spoke of before.
        let is_bare = is_bare(reading) && open.iter().all(|wish| !self.is_about_another(*wish, reading));
        match (meant.is_empty(), open.as_slice()) {
            (true, [only]) if is_bare && self.progress(*only).is_described => vec![*only],
            _ => meant,
        }
    }

    /// Whether a proposal of a wish has a detail, the amount or the means of payment wrong.
    pub(super) fn is_misstated(&self, wish: usize, reading: &DeskReading) -> bool {
        let progress = self.progress(wish);
        self.has_wrong_detail(wish, reading) || progress.is_misdirected || progress.amount == AmountTold::Wrong
    }

    fn has_wrong_detail(&self, wish: usize, reading: &DeskReading) -> bool {
        self.stage(wish).is_some_and(|stage| has_wrong_detail(&stage, reading))
    }

    pub(super) fn consent(&mut self, wish: usize, reading: &DeskReading, text: &str) {
        let Some(DeskStage { file, key: Some(key), .. }) = self.stage(wish) else { return };
        let progress = self.progress(wish);
        let asks = file.asks.filter(|_| !self.has_asked);
        match file.until {
            _ if self.has_wrong_detail(wish, reading) => {
                self.decline(key, Saying::No);
                self.say_stage(wish);
            }
            // What comes midway comes with the proposal at the latest.
            Some(Until::Proposed | Until::Called(_)) => {
                self.speech.replies.push((key, Consent::No));
                self.advance(wish);
            }
            _ if progress.is_misdirected => {
                self.decline(key, Saying::No);
                match self.fact(DeskField::Payment) {
                    Some(fact) => {
                        self.tell(fact, false);
                        self.turn_by_answer(DeskField::Payment);
                    }
                    None => self.say(Saying::DoubtsMeans),
                }
            }
            _ if progress.amount == AmountTold::Wrong => self.decline(key, Saying::DoubtsAmount),
            _ if progress.amount == AmountTold::Beside => self.say(Saying::AsksAmount),
            Some(Until::Told(values)) if !values.iter().all(|value| tells(text, value)) && asks.is_some() => {
                self.has_asked = true;
                self.has_progress = true;
                self.speech.add(&asks.unwrap_or_default());
            }
            _ => {
                self.speech.replies.push((key, Consent::Yes));
                self.has_progress |= progress.state != WishState::Agreed;
                self.change(wish, |progress| progress.state = WishState::Agreed);
                if !self.speech.replies.iter().rev().skip(1).any(|(_, answer)| *answer == Consent::Yes) {
                    self.say(Saying::Yes);
                }
            }
        }
    }

    /// Takes back the yes to calls that are not made yet, where the agent now tells another amount or other means.
    pub(super) fn take_back(&mut self, proposed: &[usize]) {
        for wish in (0..self.wishes.len()).filter(|wish| !proposed.contains(wish)) {
            let progress = self.progress(wish);
            let is_wrong = progress.is_misdirected || progress.amount == AmountTold::Wrong;
            let Some(key) = self.stage(wish).and_then(|stage| stage.key) else { continue };
            if progress.state == WishState::Agreed && is_wrong {
                self.change(wish, |known| known.state = WishState::Told);
                self.decline(key, if progress.is_misdirected { Saying::DoubtsMeans } else { Saying::DoubtsAmount });
            }
        }
    }

    fn decline(&mut self, key: String, saying: Saying) {
        self.speech.replies.push((key, Consent::No));
        self.say(saying);
    }

    /// Answers a proposal of something that was not asked for, or of nothing that it names.
    pub(super) fn consent_to_other(&mut self, reading: &DeskReading) {
        let wants_person = self.wishes.iter().enumerate().any(|(at, wish)| {
            wish.is_open()
                && self.task.stage(at, wish.stage).is_some_and(|stage| stage.file.ends == StageEnd::HandedOver)
        });
        if reading.hands_over && wants_person {
            self.has_progress |= self.told.insert(usize::MAX - 1, 1).is_none();
            self.say(Saying::Yes);
        } else if is_bare(reading) {
            self.say(Saying::Puzzled);
            self.restate();
        } else {
            self.say(Saying::Declines);
            self.restate();
        }
    }
}

/// Whether a message says all that a proposal of a stage must not have wrong.
fn is_spelled_out(stage: &DeskStage, reading: &DeskReading) -> bool {
    let named = &stage.file.named;
    !named.is_empty() && named.iter().all(|named| names_any(&reading.words, &named.is))
}

fn has_wrong_detail(stage: &DeskStage, reading: &DeskReading) -> bool {
    let file = &stage.file;
    let is_wrong = |named: &NamedFile| !names_any(&reading.words, &named.is) && names_any(&reading.words, &named.not);
    file.call.as_ref().is_some_and(|call| names_others(&reading.written, &call.arguments))
        || file.named.iter().any(is_wrong)
}

/// Whether a message proposes what a wish is at a stage, and nothing that is wrong there.
fn fits(stage: &DeskStage, reading: &DeskReading) -> bool {
    let Some((call, cost)) = stage.file.call.as_ref().zip(stage.cost.as_ref()) else { return false };
    let amount = cost.judge(&reading.amounts);
    let is_it = is_about(&reading.words, &call.tool) && amount == AmountTold::Right;
    (is_spelled_out(stage, reading) || is_it)
        && matches!(amount, AmountTold::Right | AmountTold::Nothing)
        && !has_wrong_detail(stage, reading)
        && !cost.names_other_means(&reading.words)
}

/// Whether a message asks for a yes and little else.
pub(super) fn is_bare(reading: &DeskReading) -> bool {
    reading.words.len() < 12 && reading.is_confirming && !reading.hands_over
}
