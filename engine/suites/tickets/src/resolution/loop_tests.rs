//! The course held against the paper's loop (Algorithm 1), repaired and written out a second time.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::judge::Verdict;
use crate::recording::{Hits, Matching, RecordedCall};
use probity_engine::ToolCall;

struct Plain(Vec<RecordedCall>);

impl Goal for Plain {
    fn calls(&self) -> &[RecordedCall] {
        &self.0
    }
}

/// What an agent does at a checkpoint in an attempt, and which checkpoints its reply covers.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub calls: Vec<&'static str>,
    pub covers: Vec<bool>,
    pub tokens: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub needed: Vec<Vec<&'static str>>,
    pub played: Vec<Vec<Played>>,
    pub fluent: Vec<Vec<bool>>,
    pub strict: bool,
    pub attempts: u32,
}

impl Ticket {
    fn at(&self, checkpoint: usize, attempt: u32) -> &Played {
        &self.played[checkpoint - 1][attempt as usize - 1]
    }

    fn attempt(&self, checkpoint: usize, attempt: u32) -> Attempt {
        let played = self.at(checkpoint, attempt);
        let calls = played.calls.iter().map(|call| named(call)).collect();
        Attempt { reply: Some(format!("{checkpoint}.{attempt}")), calls, tokens: Some(played.tokens) }
    }
}

struct Table<'a>(&'a Ticket);

impl Judge for Table<'_> {
    fn covers(&mut self, reply: &str, checkpoint: usize, _: &[Exchange]) -> Verdict {
        let (at, attempt) = reply.split_once('.').unwrap();
        let played = self.0.at(at.parse().unwrap(), attempt.parse().unwrap());
        if played.covers[checkpoint - 1] { Verdict::Yes } else { Verdict::No }
    }

    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict {
        let from = behind.last().unwrap().checkpoint;
        if self.0.fluent[from - 1][checkpoint - 1] { Verdict::Yes } else { Verdict::No }
    }
}

/// `tool` or `tool:argument`.
fn named(call: &str) -> ToolCall {
    let (tool, of) = call.split_once(':').unwrap_or((call, ""));
    ToolCall::new(tool, json!({"of": of}))
}

pub(super) fn direct(ticket: &Ticket) -> (Figures, Vec<Standing>, u32) {
    let record = |call: &&str| {
        let ToolCall { tool, arguments, .. } = named(call);
        RecordedCall { tool, arguments: serde_json::from_value(arguments).unwrap(), result: json!(0) }
    };
    let goals: std::sync::Arc<[Plain]> =
        ticket.needed.iter().map(|calls| Plain(calls.iter().map(record).collect())).collect();
    let policy = if ticket.strict { Policy::Strict } else { Policy::Reply };
    let mut course = Course::new(&goals, Rules { policy, attempts: ticket.attempts, ..Rules::default() });
    let (mut open, mut attempt) = (1, 1);
    loop {
        match course.take(ticket.attempt(open, attempt), &mut Table(ticket)) {
            Next::Ask(next) => (open, attempt) = (next, 1),
            Next::Again(_) => attempt += 1,
            Next::Over(_) => return (Figures::of(&course), course.standing().to_vec(), course.judged()),
        }
    }
}

/// The shape of the paper's Algorithm 1: one counter, one flag for each session, the latency summed inside.
fn looped(ticket: &Ticket) -> (usize, usize, u64, u64, bool, u32) {
    let all = ticket.needed.len();
    let (mut k, mut responses, mut latency, mut rejected, mut first_only, mut judged) = (1, 0, 0_u64, 0_u64, true, 0);
    let mut is_fluent = true;
    while k <= all && is_fluent {
        let mut has_passed = false;
        let mut attempt = 0;
        while attempt < ticket.attempts && !has_passed {
            attempt += 1;
            let played = ticket.at(k, attempt);
            let has = |tools: &[&str]| tools.iter().all(|tool| played.calls.contains(tool));
            let mut i = k;
            let mut go_on = true;
            while i <= all && go_on {
                judged += 1;
                let needed = &ticket.needed[i - 1];
                let tools = match (ticket.strict, i == k) {
                    (false, _) => true,
                    (true, true) => needed.is_empty() == played.calls.is_empty() && has(needed),
                    (true, false) => needed.is_empty() || has(needed),
                };
                match played.covers[i - 1] && tools {
                    true => i += 1,
                    false => go_on = false,
                }
            }
            if i > k {
                has_passed = true;
                responses += 1;
                latency += played.tokens;
                first_only &= attempt == 1;
                if i <= all {
                    is_fluent = ticket.fluent[k - 1][i - 1];
                }
                k = i;
            } else {
                rejected = played.tokens;
            }
        }
        if !has_passed {
            return (k - 1, responses, latency, rejected, false, judged);
        }
    }
    (k - 1, responses, latency, 0, first_only && k > all, judged)
}

fn tickets() -> impl Strategy<Value = Ticket> {
    const TOOLS: [&str; 2] = ["a", "b"];
    let tools = || proptest::sample::subsequence(TOOLS.to_vec(), 0..=1);
    (1_usize..6, any::<bool>(), 1_u32..3).prop_flat_map(move |(all, strict, attempts)| {
        let played = (tools(), proptest::collection::vec(proptest::bool::weighted(0.7), all), 1_u64..900)
            .prop_map(|(calls, covers, tokens)| Played { calls, covers, tokens });
        (
            proptest::collection::vec(tools(), all),
            proptest::collection::vec(proptest::collection::vec(played, attempts as usize), all),
            proptest::collection::vec(proptest::collection::vec(proptest::bool::weighted(0.8), all), all),
        )
            .prop_map(move |(needed, played, fluent)| Ticket { needed, played, fluent, strict, attempts })
    })
}

proptest! {
    #[test]
    fn the_course_is_the_papers_loop_repaired(ticket in tickets()) {
        let (figures, standing, judged) = direct(&ticket);
        let (covered, responses, latency, rejected, pass_at_1, asked) = looped(&ticket);
        prop_assert_eq!((figures.covered, figures.accepted, judged), (covered, responses, asked));
        prop_assert_eq!(figures.pass_at_1, pass_at_1);
        let mean = |tokens: u64| (covered > 0).then(|| tokens as f64 / covered as f64);
        prop_assert_eq!((figures.mtl, figures.mtl_alg1), (mean(latency), mean(latency + rejected)));
        prop_assert_eq!(figures.lj, covered - responses);
        prop_assert!((0.0..=1.0).contains(&figures.nei) && (0.0..=1.0).contains(&figures.tpr));
        let done = standing.iter().filter(|s| matches!(s, Standing::Answered | Standing::Jumped)).count();
        prop_assert_eq!(done, covered);
    }
}

#[test]
fn a_call_of_ones_own_is_no_call_too_many_elsewhere() {
    let made = [ToolCall::new("a".to_owned(), json!({}))];
    let coverage = Hits::count(&[], &made, Matching::Exact).coverage();
    assert!(!coverage.is_whole() && coverage.is_enough());
}
