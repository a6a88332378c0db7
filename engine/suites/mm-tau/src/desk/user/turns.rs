//! How an agent's message moves a user's wishes, and what the user says to it.

use super::desk_user::{DeskUser, WishProgress, WishState};
use crate::desk::reading::{DeskReading, is_about, tells};
use crate::desk::task::{DeskStage, StageEnd, Until};
use crate::people::phrasebook::Saying;

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
            if self.wishes.get(wish).is_some_and(|wish| wish.is_open()) {
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
                if let Some(progress) = self.wishes.get_mut(wish) {
                    progress.is_refused = true;
                }
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
        if let Some(progress) = self.wishes.get_mut(wish) {
            progress.state = WishState::Over;
        }
    }

    pub(super) fn advance(&mut self, wish: usize) {
        self.has_progress = true;
        self.has_asked = false;
        if let Some(progress) = self.wishes.get_mut(wish) {
            *progress = WishProgress {
                state: WishState::Told,
                stage: progress.stage + 1,
                is_refused: progress.is_refused,
                ..WishProgress::default()
            };
        }
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
            let is_open = self.wishes.get(*wish).is_some_and(|progress| progress.is_open());
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
