//! A trace with the states its calls were made in: those of the episode as it was played, or else found by replaying it;
//! and what of its replies counts.

use std::cell::OnceCell;
use std::sync::Arc;

use compact_str::CompactString;

use crate::model::variant::Variant;
use crate::task::matching::MadeCall;
use crate::task::oracle::Position;
use crate::task::{Behaviour, Task};
use probity_bench::{Event, Move, Rollout, Step, StepOutcome, Trace};
use probity_engine::{Delta, Played, State};
use probity_prose::{Calendar, Reply, token::words};

pub struct Replayed<'a> {
    pub task: &'a Task,
    pub behaviour: &'a Behaviour,
    pub variant: Variant,
    pub trace: &'a Trace,
    pub steps: Vec<ReplayedStep<'a>>,
    pub last: State,
    /// Why nothing can be scored, if so: a pattern of the task that stops with an error, or a trace that
    /// is not what its calls do.
    pub fault: Option<String>,
    read: OnceCell<Vec<Reply>>,
    heard: OnceCell<Vec<UserUtterance>>,
    changed: OnceCell<Delta>,
}

pub struct UserUtterance {
    pub text: String,
    pub words: Vec<CompactString>,
    steps: usize,
}

pub struct ReplayedStep<'a> {
    pub step: &'a Step,
    pub before: State,
    /// What the state machine made of it.
    pub made: Arc<Move>,
    /// The user's turn it was made after, from 1.
    pub turn: u32,
}

impl<'a> Replayed<'a> {
    /// An episode with what its world made of its calls; where that is not known they are made again. `None` when the
    /// task has no such variant.
    pub fn of(task: &'a Task, played: &'a Rollout) -> Option<Replayed<'a>> {
        match played.moves.len() == played.trace.steps().count() {
            true => Replayed::with(task, &played.trace, &played.moves, None),
            false => Replayed::new(task, &played.trace),
        }
    }

    /// Replays a trace; `None` when the task has no such variant.
    pub fn new(task: &'a Task, trace: &'a Trace) -> Option<Replayed<'a>> {
        let mut position = Position::start(task);
        let (mut moves, mut parting) = (Vec::new(), None);
        for step in trace.steps() {
            let (played, made) = position.play(task, &step.call(), step.actor, step.message);
            if parting.is_none() && !is_as_recorded(&played, step) {
                parting = Some(moves.len());
            }
            moves.push(Arc::new(made));
        }
        Replayed::with(task, trace, &moves, parting)
    }

    /// `parting` is the place of the first step that gives something else than the trace says.
    fn with(task: &'a Task, trace: &'a Trace, moves: &[Arc<Move>], parting: Option<usize>) -> Option<Replayed<'a>> {
        let variant = crate::model::variant::Variant::of(&trace.header.levels)?;
        let behaviour = task.behaviour(variant)?;
        let mut moves = moves.iter();
        let (mut steps, mut turn_now, mut last) = (Vec::new(), 0, task.initial().clone());
        let mut fault = None;
        for event in &trace.events {
            match event {
                Event::User { turn, .. } => turn_now = *turn,
                Event::Step(step) => {
                    let Some(made) = moves.next().cloned() else { continue };
                    let before = std::mem::replace(&mut last, made.after.clone());
                    // A refused call did nothing that a pattern could mean.
                    if step.is_ok() {
                        fault = fault.or_else(|| task.pattern_fault(&before, &step.tool, &made.arguments));
                    }
                    if parting == Some(steps.len()) {
                        fault.get_or_insert_with(|| format!("step {} does not give what the trace says", step.step));
                    }
                    steps.push(ReplayedStep { step, before, made, turn: turn_now });
                }
                Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
            }
        }
        Some(Replayed {
            task,
            behaviour,
            variant,
            trace,
            steps,
            last,
            fault,
            read: OnceCell::new(),
            heard: OnceCell::new(),
            changed: OnceCell::new(),
        })
    }

    pub fn made(&self) -> Vec<MadeCall<'_>> {
        self.steps
            .iter()
            .filter_map(|step| {
                Some(MadeCall {
                    step: step.step.step,
                    tool: &step.step.tool,
                    arguments: &step.made.arguments,
                    observation: step.step.observation()?,
                })
            })
            .collect()
    }

    /// The agent's words, with the message they stood in; asides included.
    pub fn replies(&self) -> impl Iterator<Item = (u32, &'a str)> {
        self.trace.events.iter().filter_map(Event::reply)
    }

    /// The agent's words, read for what they answer.
    pub fn read_replies(&self) -> &[Reply] {
        let calendar = Calendar::at(self.task.initial().clock());
        self.read.get_or_init(|| {
            let mut read: Vec<Reply> = self.replies().map(|(_, text)| Reply::read(text, &calendar)).collect();
            self.size().set_aside(&mut read);
            read
        })
    }

    /// How much may be said in answer to what this task asks.
    fn size(&self) -> AnswerSize {
        let accepted = self.behaviour.accept.iter().filter_map(|index| self.task.outcomes().get(*index));
        let groups = accepted.map(|outcome| outcome.must_say.len()).max().unwrap_or_default();
        let replies = &self.behaviour.replies;
        AnswerSize::of(groups, self.behaviour.told_words(), replies.len())
    }

    pub fn heard_before(&self, step: u32) -> impl Iterator<Item = &UserUtterance> {
        let until = self.steps.iter().position(|made| made.step.step == step).unwrap_or(self.steps.len());
        self.heard().iter().take_while(move |heard| heard.steps <= until)
    }

    pub fn heard(&self) -> &[UserUtterance] {
        self.heard.get_or_init(|| {
            let mut steps = 0;
            let mut found = Vec::new();
            for event in &self.trace.events {
                match event {
                    Event::User { text, .. } => {
                        found.push(UserUtterance { text: text.clone(), words: words(text), steps })
                    }
                    Event::Step(_) => steps += 1,
                    Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
                }
            }
            found
        })
    }

    /// What the episode changed, from its first state to its last.
    pub fn changed(&self) -> &Delta {
        self.changed.get_or_init(|| self.task.initial().changes_to(&self.last))
    }

    pub fn before(&self, step: u32) -> impl Iterator<Item = &'a Event> {
        let is_it = move |event: &&Event| matches!(event, Event::Step(made) if made.step == step);
        self.trace.events.iter().take_while(move |event| !is_it(event))
    }
}

/// Whether a recorded step says the same of a call: its number, what came back, what changed, why it was refused.
fn is_as_recorded(played: &Played, step: &Step) -> bool {
    let is_same = match (&played.result, &step.outcome) {
        (Ok(applied), StepOutcome::Ok { observation, delta }) => {
            applied.observation == *observation && applied.delta == *delta
        }
        (Err(refused), StepOutcome::Rejected { rejection }) => {
            (refused.kind, &refused.code) == (rejection.kind, &rejection.code)
        }
        (Ok(_), StepOutcome::Rejected { .. }) | (Err(_), StepOutcome::Ok { .. }) => false,
    };
    is_same && played.step == step.step
}

/// Labels with values that a reply may list, and as many more for each thing that must be said.
const LABELS: usize = 20;
const LABELS_EACH: usize = 2;
/// Words that a reply may have, and how many times the words of the oracle's replies more.
const WORDS: usize = 200;
const TIMES: usize = 3;

#[derive(Clone, Copy, Debug)]
struct AnswerSize {
    labels: usize,
    words: usize,
    replies: usize,
}

impl AnswerSize {
    /// Of a task that asks for `asked` things, whose oracle says `words` words in `replies` replies.
    fn of(asked: usize, words: usize, replies: usize) -> AnswerSize {
        AnswerSize { labels: LABELS + LABELS_EACH * asked, words: WORDS + TIMES * words, replies }
    }

    /// Lets nothing count of a reply that is too long, and no label of one that lists too many; nor any where all
    /// replies together list as many as the oracle's might, or twice as many where it makes but one.
    fn set_aside(self, replies: &mut [Reply]) {
        let counts: Vec<usize> = replies.iter().map(|reply| reply.text().label_count()).collect();
        let is_spread = counts.iter().sum::<usize>() > self.replies.max(2) * self.labels;
        for (reply, labels) in replies.iter_mut().zip(counts) {
            if reply.text().tokens.len() > self.words {
                reply.set_all_aside();
            } else if labels > self.labels || is_spread {
                reply.set_labels_aside();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_prose::{Answer, Calendar};

    /// Whether any of `count` replies with `each` labels still says one, where the oracle makes `replies`.
    fn counts(count: usize, each: usize, replies: usize) -> bool {
        let text: String = (0..each).map(|at| format!("k{at} is v{at}q. ")).collect();
        let calendar = Calendar::at(0);
        let mut said: Vec<Reply> = (0..count).map(|_| Reply::read(&text, &calendar)).collect();
        AnswerSize::of(0, 1_000, replies).set_aside(&mut said);
        let answer = Answer::parse("v1q", calendar).unwrap();
        said.iter().any(|reply| answer.said_by(reply).is_some())
    }

    #[test]
    fn what_replies_may_list_together_grows_with_those_of_the_oracle() {
        assert!(counts(1, 20, 1) && counts(2, 20, 1) && counts(4, 20, 4));
        assert!(!counts(1, 21, 4) && !counts(3, 20, 1) && !counts(5, 20, 4));
    }
}
