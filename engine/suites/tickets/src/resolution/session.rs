//! What happened at each checkpoint of a ticket, and the ticket's numbers (paper, A.2).

use serde::Serialize;

use super::course::{Course, Goal};
use crate::judge::Verdict;
use crate::recording::Coverage;
use probity_engine::ToolCall;

/// What an agent did between a query and its reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// The reply; nothing where it came to none.
    pub reply: Option<String>,
    pub calls: Vec<ToolCall>,
    /// Output tokens of all its messages; nothing where they are not known.
    pub tokens: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// Response reliability: whether it conveys what the recorded reply does.
    pub rr: Verdict,
    #[serde(flatten)]
    pub coverage: Coverage,
}

/// An attempt at a checkpoint, with its marks and whether it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    pub attempt: Attempt,
    pub marks: Marks,
    pub accepted: bool,
}

/// A checkpoint that was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its number, from 1.
    pub checkpoint: usize,
    pub behind: usize,
    /// Attempts that did not count, in order.
    pub earlier: Vec<Tried>,
    pub last: Tried,
    /// The first checkpoint that is not covered after it.
    pub next: usize,
}

impl Session {
    pub fn tried(&self) -> impl Iterator<Item = &Tried> {
        self.earlier.iter().chain([&self.last])
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The checkpoint whose query it is, from 1.
    pub checkpoint: usize,
    pub reply: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    Answered,
    /// An earlier response covered it.
    Jumped,
    Failed,
    Unreached,
}

/// Why a ticket's resolution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    Resolved,
    Rejected,
    /// The next query does not follow from what was said.
    NotFluent,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    pub covered: usize,
    pub checkpoints: usize,
    pub accepted: usize,
    /// Logical jumps: checkpoints covered by a response to an earlier one.
    pub lj: usize,
    /// Normalised efficiency index: jumps over the checkpoints that could have been jumped. 1 for a single covered
    /// checkpoint whatever happens next, 0 for none.
    pub nei: f64,
    /// Task progress rate: covered over all.
    pub tpr: f64,
    /// Mean tokens for a covered checkpoint, accepted responses alone.
    pub mtl: Option<f64>,
    /// Mean tokens of an accepted response.
    pub mtl_per_response: Option<f64>,
    /// The mean as the paper's algorithm prints it: with the response that was rejected at the end.
    pub mtl_alg1: Option<f64>,
    /// Resolved, with the first attempt everywhere.
    pub pass_at_1: bool,
    /// Resolved, where two attempts were allowed.
    pub pass_at_2: Option<bool>,
}

impl Figures {
    pub fn of<G: Goal>(course: &Course<G>) -> Figures {
        let sessions = &course.sessions;
        let accepted = sessions.iter().filter(|session| session.last.accepted).count();
        let (covered, checkpoints) = (course.open - 1, course.standing.len());
        let lj = covered - accepted;
        let is_resolved = course.end == Some(Termination::Resolved);
        let tokens = tokens(sessions.iter().filter(|session| session.last.accepted));
        let all = tokens.and_then(|_| self::tokens(sessions.iter()));
        let mean = |tokens: Option<u64>, over: usize| Some(tokens? as f64 / over as f64).filter(|_| over > 0);
        Figures {
            covered,
            checkpoints,
            accepted,
            lj,
            nei: match covered {
                0 => 0.0,
                1 => 1.0,
                more => lj as f64 / (more - 1) as f64,
            },
            tpr: covered as f64 / checkpoints as f64,
            mtl: mean(tokens, covered),
            mtl_per_response: mean(tokens, accepted),
            mtl_alg1: mean(all, covered),
            pass_at_1: is_resolved && sessions.iter().all(|session| session.earlier.is_empty()),
            pass_at_2: (course.rules.attempts > 1).then_some(is_resolved),
        }
    }
}

fn tokens<'a>(mut sessions: impl Iterator<Item = &'a Session>) -> Option<u64> {
    sessions.try_fold(0_u64, |sum, session| sum.checked_add(session.last.attempt.tokens?))
}
