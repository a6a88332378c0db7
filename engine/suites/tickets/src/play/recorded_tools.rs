//! The tools of a ticket as a world: what was recorded answers, and nothing else.

use serde_json::json;

use super::brief::Mode;
use crate::model::Ticket;
use crate::recording::{Miss, RecordedCall, Replay};
use probity_bench::{Move, Step, StepOutcome, World};
use probity_engine::{Actor, Delta, Hash, Rejection, RejectionKind, ToolCall};

/// Calls in a row without an answer, after which a turn is over.
const MOST_MISSES: u32 = 4;

#[derive(Clone)]
pub struct RecordedTools {
    records: Vec<RecordedCall>,
    replay: Replay,
    /// As it was when the turn began.
    before: Replay,
    steps: u32,
}

impl RecordedTools {
    /// Nothing has been called but what was recorded before the first checkpoint that is asked.
    pub fn new(ticket: &Ticket, mode: Mode, replay: Replay) -> RecordedTools {
        let before = ticket.checkpoints.iter().take(mode.first() - 1).map(|asked| asked.calls.len()).sum();
        let replay = replay.after(before);
        RecordedTools { records: ticket.records(), before: replay.clone(), replay, steps: 0 }
    }
}

impl World for RecordedTools {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Option<Move>) {
        self.steps += 1;
        let answer = self.replay.answer(&self.records, &call);
        let answer = answer.map(|at| self.records.get(at).map(|record| record.result.clone()).unwrap_or_default());
        let outcome = match answer {
            Ok(observation) => StepOutcome::Ok { observation, delta: Delta::default() },
            Err(miss) => StepOutcome::Rejected { rejection: rejection(miss, &call) },
        };
        let ToolCall { tool, arguments, .. } = call;
        let state_hash = self.fingerprint().hex();
        let (fired, prints) = (Vec::new(), Vec::new());
        (Step { step: self.steps, message, actor: by, tool, arguments, outcome, state_hash, fired, prints }, None)
    }

    fn turn(&mut self, is_again: bool) {
        match is_again {
            true => self.replay = self.before.clone(),
            false => {
                self.replay.begin_turn();
                self.before = self.replay.clone();
            }
        }
    }

    fn is_turn_over(&self) -> bool {
        self.replay.misses >= MOST_MISSES
    }

    fn fingerprint(&self) -> Hash {
        Hash::of(&json!({"answered": self.replay.used, "misses": self.replay.misses}))
    }
}

fn rejection(miss: Miss, call: &ToolCall) -> Rejection {
    match miss {
        Miss::UnknownTool => {
            let name: String = call.tool.chars().take(64).collect();
            Rejection::new(RejectionKind::UnknownTool, format!("nothing is known of `{name}`"))
        }
        Miss::InvalidArguments => Rejection::new(RejectionKind::InvalidArguments, "the arguments are no JSON object"),
        Miss::ArgumentMismatch => Rejection {
            code: miss.name().to_owned(),
            ..Rejection::new(RejectionKind::PreconditionFailed, "nothing is known for these arguments")
        },
    }
}
