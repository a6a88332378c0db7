//! What an agent proposes to a user of a desk, and whether the user says yes to it.

use super::desk_phrases::Phrases;
use super::desk_user::DeskUser;
use super::progress::{WishProgress, WishState, stage_of};
use crate::desk::reading::{CONFIRMING, DeskReading, is_about, names_any, tells};
use crate::desk::task::{DeskField, DeskStage, StageEnd, Until, names_means};
use crate::measures::Consent;
use crate::people::understanding::phrase::has;

impl DeskUser {
    /// Open wishes with a call.
    fn callable(&self) -> Vec<usize> {
        let is_open = |at: &usize| self.wishes.get(*at).is_some_and(|wish| wish.is_open());
        let has_call = |at: &usize| self.stage(*at).is_some_and(|stage| stage.file.call.is_some());
        (0..self.wishes.len()).filter(is_open).filter(has_call).collect()
    }

    /// Whether a message speaks of the deed that a wish asks for.
    fn is_about_it(&self, wish: usize, reading: &DeskReading) -> bool {
        let call = self.stage(wish).and_then(|stage| stage.file.call);
        call.is_some_and(|call| is_about(&reading.words, &call.tool))
    }

    /// Whether a message says all that a proposal of a wish must not have wrong.
    fn is_spelled_out(&self, wish: usize, reading: &DeskReading) -> bool {
        let named = self.stage(wish).map(|stage| stage.file.named).unwrap_or_default();
        !named.is_empty() && named.iter().all(|named| names_any(&reading.words, &named.is))
    }

    /// Takes notice of what a message says about wishes, whether it proposes them or not.
    pub(super) fn notice(&mut self, reading: &DeskReading) {
        let callable = self.callable();
        let is_only = callable.len() == 1;
        for wish in callable {
            let is_about = self.is_about_it(wish, reading) || self.is_spelled_out(wish, reading);
            let cost = self.stage(wish).and_then(|stage| stage.cost);
            let Some(progress) = self.wishes.get_mut(wish) else { continue };
            progress.is_described |= is_about;
            let Some(cost) = cost.filter(|_| is_about || is_only) else { continue };
            if !reading.amounts.is_empty() {
                progress.is_doubted = !cost.is_right(&reading.amounts);
            }
            if names_means(&reading.words) && !reading.asks.contains(&DeskField::Payment) {
                progress.is_misdirected = cost.names_other_means(&reading.words);
            }
        }
    }

    /// The wishes whose call a message proposes.
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
        let is_meant = |wish: &usize| self.is_about_it(*wish, reading) || self.is_spelled_out(*wish, reading);
        let meant: Vec<usize> = open.iter().copied().filter(is_meant).collect();
        // A bare "shall I go ahead?" proposes what the agent spoke of before.
        let is_bare = !reading.hands_over && reading.words.len() < 12 && has(&reading.words, CONFIRMING);
        match (meant.is_empty(), open.as_slice()) {
            (true, [only]) if is_bare && self.wishes.get(*only).is_some_and(|wish| wish.is_described) => vec![*only],
            _ => meant,
        }
    }

    /// Whether a proposal of a wish has a detail, the amount or the means of payment wrong.
    pub(super) fn is_misstated(&self, wish: usize, reading: &DeskReading) -> bool {
        let progress = self.wishes.get(wish).copied().unwrap_or(WishProgress::new());
        self.has_wrong_detail(wish, reading) || progress.is_misdirected || progress.is_doubted
    }

    fn has_wrong_detail(&self, wish: usize, reading: &DeskReading) -> bool {
        let named = self.stage(wish).map(|stage| stage.file.named).unwrap_or_default();
        named.iter().any(|named| !names_any(&reading.words, &named.is) && names_any(&reading.words, &named.not))
    }

    /// Answers a proposal of a wish's call.
    pub(super) fn consent(&mut self, wish: usize, reading: &DeskReading, text: &str) {
        let Some(DeskStage { file, key: Some(key), .. }) = self.stage(wish) else { return };
        let Some(progress) = self.wishes.get(wish).copied() else { return };
        let asks = file.asks.filter(|_| !self.has_asked);
        match file.until {
            _ if self.has_wrong_detail(wish, reading) => {
                self.decline(key, self.phrases.no);
                self.say_stage(wish);
            }
            // What comes midway comes with the proposal at the latest.
            Some(Until::Proposed | Until::Called(_)) => {
                self.speech.replies.push((key, Consent::No));
                self.advance(wish);
            }
            _ if progress.is_misdirected => {
                self.decline(key, self.phrases.no);
                match self.fact(DeskField::Payment) {
                    Some(fact) => self.tell(fact, false),
                    None => self.say(self.phrases.doubts_means),
                }
            }
            _ if progress.is_doubted => self.decline(key, self.phrases.doubts_amount),
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

    fn decline(&mut self, key: String, phrases: Phrases) {
        self.speech.replies.push((key, Consent::No));
        self.say(phrases);
    }

    /// Answers a proposal of something that was not asked for, or of nothing that it names.
    pub(super) fn consent_to_other(&mut self, reading: &DeskReading) {
        let wants_person = self.wishes.iter().enumerate().any(|(at, wish)| {
            wish.is_open()
                && stage_of(&self.task, at, *wish).is_some_and(|stage| stage.file.ends == StageEnd::HandedOver)
        });
        if reading.hands_over && wants_person {
            self.has_progress |= self.told.insert(usize::MAX - 1, 1).is_none();
            self.say(self.phrases.yes);
        } else if reading.words.len() < 12 && has(&reading.words, CONFIRMING) && !reading.hands_over {
            self.say(self.phrases.puzzled);
            self.restate();
        } else {
            self.say(self.phrases.declines);
            self.restate();
        }
    }
}
