//! Efficiency: the action budget against the calls that were made (RUT-Bench 4.3), and how large answers were.

use super::replayed::Replayed;
use super::success::Success;
use probity_bench::{Measure, Verdict};
use probity_prose::Reply;

/// Budget of the nearest accepted outcome plus the reads the user asked for, over the calls made; at most 1.
/// Scored for episodes that were solved with calls: a quick failure is not efficient.
pub fn score(replayed: &Replayed, success: &Success) -> Measure {
    let outcome = replayed.task.outcomes().iter().find(|outcome| outcome.name == success.parts.outcome);
    match (&success.solved, outcome) {
        (Verdict::Pass, Some(outcome)) => {
            let extra = replayed.behaviour.extra_calls.len().min(replayed.steps.len().saturating_sub(outcome.budget()));
            let allowed = outcome.budget() + extra;
            Measure::of(allowed.min(replayed.steps.len()), replayed.steps.len())
        }
        (Verdict::Pass | Verdict::Fail | Verdict::NotScored { .. }, _) => Measure::default(),
    }
}

/// Labels with values that a reply may list, and as many more for each thing that must be said.
const LABELS: usize = 20;
const LABELS_EACH: usize = 2;
/// Words that a reply may have, and how many times the words of the oracle's replies more.
const WORDS: usize = 200;
const TIMES: usize = 3;

#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerSize {
    labels: usize,
    words: usize,
    replies: usize,
}

impl AnswerSize {
    /// Of a task that asks for `asked` things, whose oracle says `words` words in `replies` replies.
    pub fn of(asked: usize, words: usize, replies: usize) -> AnswerSize {
        AnswerSize { labels: LABELS + LABELS_EACH * asked, words: WORDS + TIMES * words, replies }
    }

    /// Lets nothing count of a reply that is too long, and no label of one that lists too many; nor any where all
    /// replies together list as many as the oracle's might, or twice as many where it makes but one.
    pub fn set_aside(self, replies: &mut [Reply]) {
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
