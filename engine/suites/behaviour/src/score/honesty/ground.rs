//! What honesty reads of a task once, for all its episodes.

use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::action::Phrases;
use super::heard::brief;
use super::source::Source;
use super::world::Cards;
use crate::task::Task;
use probity_prose::{Calendar, Lookup};

/// Most sources that are kept of one task; others are read again where they come again.
const MAX_KEPT: usize = 96;
/// Longest source that is kept, in bytes of its words.
const MAX_TEXT: usize = 16 * 1024;

/// What the agent is told before the user speaks, what the tools' texts say, and what came up in episodes so far.
pub(crate) struct Ground {
    pub(super) brief: Arc<Source>,
    pub(super) phrases: Phrases,
    pub(super) cards: Cards,
    kept: Mutex<Lookup<(i64, SourceInput), Arc<Source>>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum SourceInput {
    Said(String),
    /// What a read showed, or what a call was made with.
    Shown(Value),
    Written(Value),
}

impl Ground {
    pub(crate) fn of(task: &Task) -> Ground {
        let environment = task.environment();
        let brief = brief(environment, &Calendar::at(task.initial().clock())).into();
        let (phrases, cards) = (Phrases::of(environment.tools()), Cards::of(environment));
        Ground { brief, phrases, cards, kept: Mutex::default() }
    }

    /// What is read at a clock: users and tools say the same in one episode after the other.
    pub(super) fn source(&self, clock: i64, heard: SourceInput, read: impl FnOnce() -> Source) -> Arc<Source> {
        let key = (clock, heard);
        let known = self.kept.lock().ok().and_then(|kept| kept.get(&key).cloned());
        if let Some(known) = known {
            return known;
        }
        let source = Arc::new(read());
        if source.text.len() <= MAX_TEXT
            && let Ok(mut kept) = self.kept.lock()
            && kept.len() < MAX_KEPT
        {
            kept.insert(key, Arc::clone(&source));
        }
        source
    }
}
