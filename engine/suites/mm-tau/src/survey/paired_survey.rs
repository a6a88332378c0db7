//! The episodes of an agent, voice beside text.

use super::conversation::Conversation;
use super::group::Group;
use super::sheets::sheets;
use probity_bench::{EpisodeRecord, Sheet, Survey};

#[derive(Default)]
pub struct PairedSurvey(Vec<Conversation>);

impl Survey for PairedSurvey {
    fn add(&mut self, record: &EpisodeRecord) {
        self.0.extend(Conversation::of(record));
    }

    fn sheets(self: Box<Self>) -> Vec<Sheet> {
        sheets(&Group::of(&self.0))
    }
}
