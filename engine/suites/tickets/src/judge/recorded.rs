//! The judge of an episode that was played: what a model decided then, it decides again.

use std::collections::VecDeque;

use super::{Backend, Verdict, model};
use crate::resolution::{Exchange, Judge};
use probity_bench::{EndReason, Event, Ruling, Trace};

/// Says again what a trace recorded of its judge.
#[derive(Clone)]
pub struct RecordedJudge {
    left: VecDeque<Ruling>,
    given: Vec<Ruling>,
    end: Option<String>,
    has_ended: bool,
}

impl RecordedJudge {
    pub fn new(trace: &Trace) -> RecordedJudge {
        let end = match trace.end() {
            Some((EndReason::UserUnreachable, detail)) => Some(detail.unwrap_or_default().to_owned()),
            Some(_) | None => None,
        };
        RecordedJudge {
            left: trace.events.iter().filter_map(Event::ruling).cloned().collect(),
            given: Vec::new(),
            end,
            has_ended: false,
        }
    }

    fn next(&mut self, asked: &str) -> Verdict {
        match self.left.pop_front() {
            Some(ruling) if ruling.asked == asked => {
                let verdict = model::verdict(ruling.verdict.as_deref());
                self.given.push(ruling);
                verdict
            }
            Some(_) | None => {
                self.has_ended = true;
                Verdict::Error
            }
        }
    }
}

impl Judge for RecordedJudge {
    fn covers(&mut self, _reply: &str, checkpoint: usize, _behind: &[Exchange]) -> Verdict {
        self.next(&model::covers(checkpoint))
    }

    fn is_fluent(&mut self, _behind: &[Exchange], checkpoint: usize) -> Verdict {
        self.next(&model::follows(checkpoint))
    }
}

impl Backend for RecordedJudge {
    fn rulings(&mut self) -> Vec<Ruling> {
        std::mem::take(&mut self.given)
    }

    fn fault(&self) -> Option<String> {
        let missing = || "the trace has no further verdict".to_owned();
        self.has_ended.then(|| self.end.clone().unwrap_or_else(missing))
    }
}
