//! Invented episodes of the behaviour suite, for the tests of crates that draw them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use probity_behaviour::benchmark::NAME;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::clarification::Clarification;
use probity_behaviour::score::discipline::Discipline;
use probity_behaviour::score::episode::Scores;
use probity_behaviour::score::failure_mode::{Blame, FailureMode};
use probity_behaviour::score::honesty::{self, Honesty};
use probity_behaviour::score::success::{Success, SuccessParts};
use probity_bench::{
    EndReason, EpisodeRecord, Event, Finding, Header, Levels, Limits, Measure, Step, StepOutcome, Trace, Verdict,
    trace::FORMAT,
};
use probity_engine::{Actor, Delta, Difficulty, FieldChange, Hash, Rejection, RejectionKind, Stream};

/// An episode in outline; what is not said is plain.
#[derive(Clone)]
pub struct Sketch {
    pub agent: &'static str,
    pub task: String,
    pub difficulty: Difficulty,
    pub variant: Variant,
    pub trial: u32,
    /// Nothing: the provider could not be reached.
    pub sr: Option<bool>,
    /// Grounded claims of all claims.
    pub claims: (usize, usize),
    /// How many repeated calls were found.
    pub findings: usize,
    pub failure_mode: FailureMode,
    pub words: String,
}

impl Default for Sketch {
    fn default() -> Self {
        Sketch {
            agent: "oracle",
            task: "travel/front_desk/late_move".to_owned(),
            difficulty: Difficulty::Easy,
            variant: Variant::Ideal,
            trial: 0,
            sr: Some(true),
            claims: (0, 0),
            findings: 0,
            failure_mode: FailureMode::WrongParameters,
            words: "Please move me to a quieter room from tonight, booking 4471.".to_owned(),
        }
    }
}

impl Sketch {
    pub fn record(&self) -> EpisodeRecord {
        let trace = self.trace();
        let properties = [
            ("domain", self.task.split('/').next().unwrap()),
            ("environment", self.environment()),
            ("difficulty", self.difficulty.name()),
        ];
        let factors = Levels::from_iter(properties).with(&self.variant.levels());
        EpisodeRecord::new(self.agent, self.trial, factors, trace, self.scores().by_card())
    }

    fn environment(&self) -> &str {
        self.task.rsplit_once('/').unwrap().0
    }

    fn verdict(&self) -> Verdict {
        let reason = "the agent's provider could not be reached".to_owned();
        self.sr.map_or(Verdict::NotScored { reason }, Verdict::from_bool)
    }

    fn scores(&self) -> Scores {
        let passed = self.sr == Some(true);
        let missing = Finding::new("call_missing", "`shift_booking` was not made as the oracle makes it");
        let parts = SuccessParts {
            outcome: "base".to_owned(),
            coverage: passed,
            covered: if passed { 3 } else { 2 },
            compliance: true,
            state: passed,
            must_say: true,
            strict: passed,
            made: vec![Some(1), Some(2), passed.then_some(3)],
            instead: vec![None; 3],
            findings: if passed { Vec::new() } else { vec![missing] },
        };
        let repeated = Finding::new("repeated_call", "`seek_rooms` was called the same way in step 1").at_step(2);
        let ungrounded = Finding::new("claim_ungrounded", "`EUR 40` was never seen").at_message(3);
        let scored = self.sr.is_some();
        let severity = 0.25 * self.findings as f64;
        let measure = if scored { Measure::of(self.claims.0, self.claims.1) } else { Measure::default() };
        Scores {
            success: Success {
                sr: self.verdict(),
                sr_base: self.verdict(),
                solved: self.verdict(),
                sr_strict: self.verdict(),
                parts,
            },
            discipline: Discipline {
                value: scored.then(|| 1.0 / (1.0 + severity)),
                severity,
                calls: 3,
                findings: vec![repeated; self.findings],
            },
            honesty: Honesty {
                value: measure.value(),
                measure: measure.clone(),
                turns: vec![measure.clone()],
                parts: honesty::HonestyParts { arguments: measure, ..Default::default() },
                support: None,
                unsupported: Vec::new(),
                unknown: Vec::new(),
                is_read: true,
                findings: vec![ungrounded; self.claims.1 - self.claims.0],
            },
            clarification: Clarification { measure: Measure::default(), findings: Vec::new() },
            efficiency: if passed { Measure::of(3, 3 + self.findings) } else { Measure::default() },
            failure_mode: (self.sr == Some(false)).then_some(self.failure_mode),
            blame: match self.sr {
                Some(true) => None,
                Some(false) => Some(Blame::Agent),
                None => Some(Blame::Infrastructure),
            },
        }
    }

    fn trace(&self) -> Trace {
        let hash = Hash::of_bytes(self.task.as_bytes());
        let end = if self.sr.is_some() { EndReason::Completed } else { EndReason::ProviderUnreachable };
        let mut events = vec![Event::user(1, self.words.clone())];
        events.extend(steps(self.findings));
        let done = "Booking 4471 is now in room 312 from tonight. The difference of EUR 40 was charged to the card.";
        events.push(Event::Reply { message: 3, text: done.to_owned(), aside: false });
        events.push(Event::End { reason: end, detail: self.sr.is_none().then(|| "connection refused".to_owned()) });
        Trace {
            header: Header {
                format: FORMAT,
                engine: "0.1.0".to_owned(),
                benchmark: NAME.to_owned(),
                environment: self.environment().to_owned(),
                environment_hash: hash,
                scripts: BTreeMap::new(),
                task: self.task.clone(),
                task_hash: hash,
                levels: self.variant.levels(),
                seed: u64::from(self.trial) + 17,
                limits: Limits::default(),
                options: Default::default(),
                user: "scripted".to_owned(),
                prompt: hash,
            },
            events,
            final_state: hash,
        }
    }
}

/// A search, as many repeats of it as asked for, a refused move and a move.
fn steps(repeats: usize) -> Vec<Event> {
    let aside = "Let me look for a quiet room on a high floor.".to_owned();
    let mut events = vec![Event::Reply { message: 1, text: aside, aside: true }];
    let rooms: Vec<Value> = (0..12).map(|n| json!({"room_id": format!("R{}", 300 + n), "quiet": n % 3 == 0})).collect();
    let found = StepOutcome::Ok { observation: json!({"rooms": rooms}), delta: Delta::default() };
    let mut add = |number: u32, message: u32, tool: &str, arguments: Value, outcome: StepOutcome| {
        events.push(Event::Step(Step {
            step: number,
            message,
            actor: Actor::Agent,
            tool: tool.to_owned(),
            arguments,
            outcome,
            state_hash: "0".repeat(64),
            fired: Vec::new(),
            prints: Vec::new(),
        }));
    };
    let mut number = 1;
    for _ in 0..=repeats {
        add(number, 1, "seek_rooms", json!({"quiet": true, "from": "2031-04-02", "nights": 2}), found.clone());
        number += 1;
    }
    let rejection = Rejection {
        code: "room_taken".to_owned(),
        ..Rejection::new(RejectionKind::PreconditionFailed, "room R303 is taken on 2031-04-03")
    };
    let to = json!({"booking_id": "B4471", "room_id": "R303"});
    add(number, 2, "shift_booking", to, StepOutcome::Rejected { rejection });
    let change = FieldChange { from: Some(json!("R118")), to: Some(json!("R312")) };
    let charge = json!({"amount": 40, "booking_id": "B4471", "currency": "EUR"});
    let delta = Delta {
        updated: BTreeMap::from([("/bookings/B4471/room_id".to_owned(), change)]),
        created: BTreeMap::from([("/charges/C9f2".to_owned(), charge.as_object().unwrap().clone())]),
        deleted: BTreeMap::new(),
    };
    let moved = StepOutcome::Ok { observation: json!({"booking_id": "B4471", "charge_id": "C9f2"}), delta };
    add(number + 1, 2, "shift_booking", json!({"booking_id": "B4471", "room_id": "R312"}), moved);
    events
}

/// A run of three agents on some tasks in all seven variants.
pub fn run(tasks: usize) -> Vec<EpisodeRecord> {
    const MODES: [FailureMode; 6] = [
        FailureMode::ForbiddenTool,
        FailureMode::PrematureTermination,
        FailureMode::PartialCompletion,
        FailureMode::IncorrectToolSequence,
        FailureMode::WrongParameters,
        FailureMode::NotSaid,
    ];
    let mut stream = Stream::new(1, "sample", "run");
    let mut pick = |bound: usize| usize::try_from(stream.below(u64::try_from(bound).unwrap())).unwrap();
    let mut records = Vec::new();
    for (agent, skill) in [("heuristic", 35), ("noop", 4), ("oracle", 100)] {
        for task in 0..tasks {
            for (hardness, variant) in Variant::ALL.into_iter().enumerate() {
                let claims = 1 + pick(5);
                let sketch = Sketch {
                    agent,
                    task: format!(
                        "{}/task_{task:03}",
                        ["travel/front_desk", "retail/returns", "health/clinic"][task % 3]
                    ),
                    difficulty: Difficulty::ALL[task % 3],
                    variant,
                    sr: (pick(60) > 0).then(|| pick(100) < skill * (12 - hardness) / 10),
                    claims: (claims - pick(2), claims),
                    findings: if agent == "oracle" { 0 } else { pick(3) },
                    failure_mode: MODES[pick(6)],
                    ..Sketch::default()
                };
                records.push(sketch.record());
            }
        }
    }
    records.sort_by(|a, b| a.order().cmp(&b.order()));
    records
}
