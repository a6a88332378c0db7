use super::super::check::Outcome;
use super::super::comparison::Comparison;
use super::super::gate::GateVerdict;
use super::super::write::text;
use super::*;
use crate::sketch::Sketch;
use probity_behaviour::benchmark::CARD;
use probity_bench::{Direction, EpisodeRecord, Usage};
use probity_engine::Stream;
use rayon::prelude::*;

/// Episodes of so many instances, of which those succeed that are said to.
fn run(instances: u32, trials: u32, mut is_good: impl FnMut(u32, u32) -> Option<bool>) -> Vec<EpisodeRecord> {
    let mut records = Vec::new();
    for at in 0..instances {
        let sketch =
            |sr| Sketch { task: format!("travel/front_desk/t{at:05}"), sr, claims: (3, 3), ..Sketch::default() };
        let ends = [None, Some(false), Some(true)].map(|sr| {
            let mut record = sketch(sr).record();
            record.trace.events.clear();
            record
        });
        for trial in 0..trials {
            let end = is_good(at, trial).map_or(0, |is_good| 1 + usize::from(is_good));
            records.push(EpisodeRecord { trial, ..ends[end].clone() });
        }
    }
    records
}

fn side(records: &[EpisodeRecord]) -> Side<'_> {
    Side { records, agent: "oracle", is_repeatable: false }
}

fn of(records: &[EpisodeRecord], drop: f64) -> Detection {
    Detection::of(&CARD, side(records), drop, None).unwrap()
}

fn trials(detection: &Detection) -> u32 {
    detection.trials().unwrap()
}

/// In how many of so many pairs, both played anew, the gate closes because `sr` fell.
fn fell(name: &str, pairs: u64, (instances, trials): (u32, u32), percents: fn(u32) -> [u64; 2]) -> usize {
    let fell = |seed: &u64| {
        let mut stream = Stream::new(*seed, "detection", name);
        let mut played = |of: usize| run(instances, trials, |at, _| Some(stream.chance(percents(at)[of], 100)));
        let (base, new) = (played(0), played(1));
        let verdict = GateVerdict::by_default(&CARD, &Comparison::asked(&CARD, side(&base), side(&new), 0));
        verdict.checks.iter().any(|check| check.metric == Some("sr") && check.outcome == Outcome::Fail)
    };
    (0..pairs).into_par_iter().filter(fell).count()
}

/// What a plan names is what the gate needs: drops are found about four times out of five, and equal agents are let
/// through, for an agent that fails everywhere alike and for one that is good here and bad there.
#[test]
fn the_trials_that_are_named_find_the_drop_and_no_other() {
    const PAIRS: u64 = 60;
    const INSTANCES: u32 = 24;
    const PATCHY: [u64; 4] = [100, 80, 40, 0];
    let agents: [(&str, fn(u32) -> [u64; 2], fn(u32) -> [u64; 2], f64); 2] = [
        ("coin", |_| [90, 80], |_| [90, 90], 0.1),
        ("patchy", |at| [10, 8].map(|of| PATCHY[at as usize % 4] * of / 10), |at| [PATCHY[at as usize % 4]; 2], 0.11),
    ];
    for (name, worse, equal, drop) in agents {
        let mut stream = Stream::new(1, "detection", "base");
        let base = run(INSTANCES, 8, |at, _| Some(stream.chance(equal(at)[0], 100)));
        let named = trials(&of(&base, drop));
        let found = fell(name, PAIRS, (INSTANCES, named), worse);
        let closed = fell(name, PAIRS, (INSTANCES, named), equal);
        assert!((46..=58).contains(&found), "{name}: {named} trials find {found} of {PAIRS}");
        assert!(closed <= 3, "{name}: {named} trials close {closed} of {PAIRS} equal pairs");
    }
}

#[test]
fn a_smaller_drop_fewer_instances_and_more_chance_take_more_trials() {
    let coin = |instances: u32, of: u32| run(instances, 4, move |at, trial| Some((at + trial) % 4 < of));
    let named = |instances, of, drop| trials(&self::of(&coin(instances, of), drop));
    assert!(named(100, 3, 0.02) > named(100, 3, 0.05) && named(100, 3, 0.05) > named(100, 3, 0.1));
    assert!(named(20, 3, 0.1) > named(100, 3, 0.1));
    assert!(named(100, 2, 0.05) > named(100, 4, 0.05));
    // What the base finds lies where its own trials would be enough.
    let base = coin(100, 3);
    let finds = self::of(&base, 0.05).base_finds.unwrap();
    assert!(trials(&self::of(&base, finds)) <= 4 && trials(&self::of(&base, finds - 0.001)) > 4);
}

#[test]
fn what_is_not_known_has_no_number() {
    let lack = |records: &[EpisodeRecord], drop: f64| match of(records, drop) {
        Detection { enough: Enough::None(lack), run: None, wasted: None, .. } => lack,
        other => panic!("{other:?}"),
    };
    let good = |_: u32, _: u32| Some(true);
    assert_eq!(lack(&[], 0.05), Lack::NotScored);
    assert_eq!(lack(&run(30, 3, |_, _| None), 0.05), Lack::NotScored);
    assert_eq!(lack(&run(30, 1, good), 0.05), Lack::OneTrialEach);
    assert_eq!(lack(&run(30, 3, |_, trial| (trial == 1).then_some(true)), 0.05), Lack::OneTrialEach);
    assert_eq!(lack(&run(30, 3, |_, _| Some(false)), 0.05), Lack::LessToLose);
    assert_eq!(lack(&run(30, 3, |at, _| Some(at == 0)), 0.05), Lack::LessToLose);
    assert_eq!(lack(&run(1, 2, |_, trial| Some(trial == 0)), 0.001), Lack::MoreThanARunHas);
    // A drop that the metric cannot have is no question.
    for drop in [0.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
        assert!(Detection::of(&CARD, side(&[]), drop, None).unwrap_err().contains("`sr` goes from 0 to 1"), "{drop}");
    }
}

#[test]
fn instances_with_nothing_to_lose_and_those_not_known_are_named() {
    let played = |at: u32, trial: u32| match at {
        0..4 => Some(false),
        4 => (trial == 0).then_some(false),
        5 => None,
        _ => Some((at + trial) % 3 > 0),
    };
    let base = run(30, 3, played);
    let detection = of(&base, 0.1);
    assert_eq!((detection.instances, detection.base_trials), (28, 3));
    assert_eq!(detection.silent.len(), 4);
    assert_eq!(detection.silent[0].to_string(), "travel/front_desk/t00000: ideal");
    assert_eq!(detection.unknown, ["travel/front_desk/t00004 ideal", "travel/front_desk/t00005 ideal"]);
    // They neither help nor harm: the loss is the same, and so are the trials that tell it.
    let rest: Vec<EpisodeRecord> =
        base.into_iter().filter(|record| record.task() > "travel/front_desk/t00003").collect();
    let drop = 0.1 * 28.0 / 24.0;
    assert_eq!(trials(&of(&rest, drop)), trials(&detection));
    let text = text::detection(&detection);
    assert!(text.contains("4 instances of 4 tasks with nothing to lose in any trial"), "{text}");
    assert!(text.contains("left out: 2 instances of which too few trials were scored"), "{text}");
}

#[test]
fn an_agent_that_does_the_same_every_time_needs_one_trial() {
    let base = run(10, 1, |at, _| Some(at > 0));
    let side = Side { is_repeatable: true, ..side(&base) };
    let detection = Detection::of(&CARD, side, 0.05, None).unwrap();
    assert_eq!((trials(&detection), detection.base_finds, detection.silent.len()), (1, Some(0.0), 1));
    assert!(text::detection(&detection).contains("with one trial of each instance, as any is"));
}

/// Whatever a base holds: one pass over it, and the same few sums for each number of trials.
#[test]
fn bases_of_any_shape_are_answered() {
    let large = run(10_000, 8, |at, trial| Some((at * 7 + trial * 3) % 10 > 0));
    assert_eq!(trials(&of(&large, 0.01)), 2);
    assert!(trials(&of(&large, 2e-4)) > 1000);
    assert_eq!(of(&large, 1e-9).enough, Enough::None(Lack::MoreThanARunHas));
    let one = |trials, good| run(1, trials, move |_, trial| Some(trial < good));
    assert!(trials(&of(&one(2, 2), 0.3)) > trials(&of(&one(50, 50), 0.3)));
    assert!(trials(&of(&one(8, 5), 0.3)) < 200);
    // All alike: nothing varies, and it could.
    let alike = run(100, 3, |_, _| Some(true));
    let detection = of(&alike, 0.05);
    assert!(trials(&detection) == 2 && detection.base_finds.unwrap() > 0.0);
    assert_eq!(detection, of(&alike, 0.05));
}

#[test]
fn a_metric_may_fall_upwards_or_without_an_end() {
    let sr = CARD.metric("sr").unwrap();
    let values = |at: u32| [at % 5, at % 3, at % 7].map(f64::from);
    let of = |range, direction, drop| {
        let metric = Metric { range, direction, ..sr.clone() };
        let mut outlook = Outlook::new(&metric);
        (0..60).for_each(|at| outlook.add(&values(at)));
        (outlook.trials(drop, 0.02), outlook.smallest(0.02), outlook.most())
    };
    let (up, down) = (of((0.0, 6.0), Direction::Up, 0.5), of((0.0, 6.0), Direction::Down, 0.5));
    assert!(up.0.is_some() && down.0.is_some() && up.2.unwrap() < down.2.unwrap(), "{up:?} {down:?}");
    let (trials, finds, most) = of((0.0, f64::INFINITY), Direction::Down, 0.5);
    assert!(trials.is_some_and(|trials| trials < 20) && finds.is_some_and(f64::is_finite) && most.is_none());
    assert!(of((0.0, f64::INFINITY), Direction::Up, 0.5).2.is_some());
}

#[test]
fn the_first_question_of_a_file_is_asked() {
    let base = run(60, 4, |at, trial| Some((at + trial) % 4 > 0));
    let asked = |rules: &str| {
        let file = GateFile::parse(&CARD, &format!("format = 1\n{rules}")).unwrap();
        Detection::of(&CARD, side(&base), 0.1, Some(&file))
    };
    let rule = |more: &str| format!("[[rule]]\nmetric = \"sr\"\nno_significant_drop = true\n{more}");
    let alone = asked(&rule("")).unwrap();
    assert!(trials(&alone) < trials(&of(&base, 0.1)), "three questions share the level");
    assert!(trials(&asked(&format!("level = 0.001\n{}", rule(""))).unwrap()) > trials(&alone));
    let none = asked(&rule("variant = \"goal_switching\"\n")).unwrap();
    assert_eq!((none.enough, none.group.to_string()), (Enough::None(Lack::NotScored), "goal_switching".to_owned()));
    assert!(asked("[[rule]]\nlost_instances = 0\n").unwrap_err().contains("no_significant_drop"));
}

#[test]
fn what_trials_take_is_what_they_took() {
    let mut base = run(30, 2, |at, trial| Some(at > 0 && (at + trial) % 4 > 0));
    let usage = Usage { requests: 5, retries: 1, prompt_tokens: 1001, completion_tokens: 100, ..Usage::default() };
    base.iter_mut().for_each(|record| record.usage = Some(usage));
    let detection = of(&base, 0.2);
    let (trials, run) = (u64::from(trials(&detection)), detection.run.unwrap());
    let asked = run.spent.agent.unwrap();
    assert_eq!((run.episodes, asked.requests, asked.retries), (30 * trials, 120 * trials, 0));
    assert_eq!((asked.prompt_tokens, asked.completion_tokens), (30 * 1001 * trials, 3000 * trials));
    assert_eq!((run.spent.user, run.spent.cost), (None, None));
    assert_eq!(detection.wasted.unwrap().spent.agent.unwrap().prompt_tokens, 1001 * trials);
    // As many as there are numbers for.
    base.iter_mut().for_each(|record| record.usage = Some(Usage { prompt_tokens: u64::MAX, ..usage }));
    assert_eq!(of(&base, 0.2).run.unwrap().spent.agent.unwrap().prompt_tokens, u64::MAX);
}
