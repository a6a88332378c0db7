//! The course held against the paper's loop (Algorithm 1), repaired and written out a second time, and episodes reckoned
//! by hand, the first two of them the paper's Figure 4.

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
struct Played {
    calls: Vec<&'static str>,
    covers: Vec<bool>,
    tokens: u64,
}

#[derive(Clone, Debug)]
struct Ticket {
    needed: Vec<Vec<&'static str>>,
    played: Vec<Vec<Played>>,
    fluent: Vec<Vec<bool>>,
    strict: bool,
    attempts: u32,
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

fn direct(ticket: &Ticket) -> (Figures, Vec<Standing>, u32) {
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
            Next::Over(_) => return (Figures::of(&course), course.standing.to_vec(), course.judged),
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

/// So many checkpoints, of each of which nothing is covered yet; replies of 100 tokens, every query follows.
fn ticket(count: usize) -> Ticket {
    let silent = || Played { calls: Vec::new(), covers: vec![false; count], tokens: 100 };
    Ticket {
        needed: vec![Vec::new(); count],
        played: (0..count).map(|_| vec![silent(), silent()]).collect(),
        fluent: vec![vec![true; count]; count],
        strict: false,
        attempts: 1,
    }
}

impl Ticket {
    fn says(self, at: usize, covers: &[usize], tokens: u64) -> Ticket {
        self.says_at(at, 1, covers, tokens)
    }

    fn says_at(mut self, at: usize, attempt: usize, covers: &[usize], tokens: u64) -> Ticket {
        let played = &mut self.played[at - 1][attempt - 1];
        covers.iter().for_each(|covered| played.covers[covered - 1] = true);
        played.tokens = tokens;
        self
    }

    /// A checkpoint needs a call, and this one is made there.
    fn calls(mut self, at: usize, needed: Option<&'static str>, made: Option<&'static str>) -> Ticket {
        self.strict = true;
        self.needed[at - 1].extend(needed);
        self.played[at - 1][0].calls.extend(made);
        self
    }

    fn by_words(self) -> Ticket {
        Ticket { strict: false, ..self }
    }

    fn twice(self) -> Ticket {
        Ticket { attempts: 2, ..self }
    }

    fn stops(mut self, from: usize, to: usize) -> Ticket {
        self.fluent[from - 1][to - 1] = false;
        self
    }
}

/// `4/10 by 3, 1, 0.33, 2112.0`: covered of all by so many responses, those jumped, NEI, MTL.
fn told(ticket: &Ticket) -> String {
    let (figures, _, _) = direct(ticket);
    let Figures { covered, checkpoints, accepted, lj, nei, mtl, .. } = figures;
    let mtl = mtl.map_or("-".to_owned(), |mtl| format!("{mtl:.1}"));
    format!("{covered}/{checkpoints} by {accepted}, {lj}, {nei:.2}, {mtl}")
}

fn hold<const N: usize>(cases: [(&str, Ticket, &str); N]) {
    for (what, ticket, expected) in cases {
        assert_eq!(told(&ticket), expected, "{what}");
    }
}

#[test]
fn jumps_and_ends_reckoned_by_hand() {
    let figure = ticket(10).says(1, &[1, 2], 2587).says(3, &[3], 3000).says(4, &[4], 2861);
    let gap = ticket(4).says(1, &[1, 3, 4], 100).says(2, &[2, 3], 300).says(4, &[4], 200);
    hold([
        ("Figure 4: 1-2, 3, 4, then 5 is rejected", figure.clone(), "4/10 by 3, 1, 0.33, 2112.0"),
        ("Figure 4, a query does not follow", figure.says(5, &[5], 1).stops(4, 5), "4/10 by 3, 1, 0.33, 2112.0"),
        ("one checkpoint, covered", ticket(1).says(1, &[1], 500), "1/1 by 1, 0, 1.00, 500.0"),
        ("one checkpoint, rejected", ticket(1), "0/1 by 0, 0, 0.00, -"),
        ("one reply covers all five", ticket(5).says(1, &[1, 2, 3, 4, 5], 1000), "5/5 by 1, 4, 1.00, 200.0"),
        (
            "three plain steps",
            ticket(3).says(1, &[1], 200).says(2, &[2], 100).says(3, &[3], 300),
            "3/3 by 3, 0, 0.00, 200.0",
        ),
        (
            "the third is rejected, without its tokens",
            ticket(3).says(1, &[1], 100).says(2, &[2], 200).says(3, &[], 900),
            "2/3 by 2, 0, 0.00, 150.0",
        ),
        ("the second query does not follow", ticket(4).says(1, &[1], 100).stops(1, 2), "1/4 by 1, 0, 1.00, 100.0"),
        (
            "a jump, then a query that does not follow",
            ticket(4).says(1, &[1, 2], 300).stops(1, 3),
            "2/4 by 1, 1, 1.00, 150.0",
        ),
        ("a gap is no jump", gap, "4/4 by 3, 1, 0.33, 150.0"),
    ]);
}

#[test]
fn attempts_and_calls_reckoned_by_hand() {
    let call = Some("check:u1");
    let retried = ticket(2).twice().says(1, &[], 900).says_at(1, 2, &[1], 400).says(2, &[2], 200);
    let both = ticket(3).twice().says_at(1, 2, &[1, 2], 600).says_at(3, 2, &[3], 300);
    let called = |made| ticket(2).calls(1, call, made).says(1, &[1], 107).says(2, &[2], 50);
    hold([
        ("the second attempt counts", retried, "2/2 by 2, 0, 0.00, 300.0"),
        ("both attempts are rejected", ticket(2).twice(), "0/2 by 0, 0, 0.00, -"),
        ("second attempts, one with a jump", both, "3/3 by 2, 1, 0.50, 300.0"),
        ("its own is missed, though the next is covered", ticket(2).says(1, &[2], 100), "0/2 by 0, 0, 0.00, -"),
        ("strict, the right call", called(call), "2/2 by 2, 0, 0.00, 78.5"),
        ("strict, a wrong argument", called(Some("check:u2")), "0/2 by 0, 0, 0.00, -"),
        ("the same by words alone", called(Some("check:u2")).by_words(), "2/2 by 2, 0, 0.00, 78.5"),
        ("strict, a needless call", ticket(1).calls(1, None, call).says(1, &[1], 100), "0/1 by 0, 0, 0.00, -"),
        (
            "strict, no jump without its call",
            ticket(2).calls(2, call, call).says(1, &[1, 2], 100).says(2, &[2], 87),
            "2/2 by 2, 0, 0.00, 93.5",
        ),
        (
            "strict, an own call is in nobody's way",
            ticket(2).calls(1, call, call).says(1, &[1, 2], 107),
            "2/2 by 1, 1, 1.00, 53.5",
        ),
        (
            "jumps from 1 to 3 and from 3 to 6",
            ticket(6).says(1, &[1, 2], 120).says(3, &[3, 4, 5], 240).says(6, &[6], 60),
            "6/6 by 3, 3, 0.60, 70.0",
        ),
        ("a jump to the end", ticket(4).says(1, &[1], 100).says(2, &[2, 3, 4], 300), "4/4 by 2, 2, 0.67, 100.0"),
    ]);
}
