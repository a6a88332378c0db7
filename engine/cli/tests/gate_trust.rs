//! Whether a gate without a file can be trusted: how often it closes for agents that lost tasks and for equal ones, a severe
//! finding that comes again is always kept out, and no seed decides. With `PROBITY_ALL=1` over all tasks, and with as many pairs as the documents say.

use std::sync::OnceLock;

use probity_behaviour::benchmark::CARD;
use probity_bench::{EpisodeRecord, Finding, Found, Reading};
use probity_engine::Stream;
use probity_report::{Comparison, Decision, Detection, GateVerdict, Outcome, Side};
use rayon::prelude::*;

use crate::support::{SAMPLED, code, contents, episodes, is_all, light, root, run, scratch};

/// An episode of the oracle and of the agent that does nothing, at one instance.
type Ends = (EpisodeRecord, EpisodeRecord);

/// Both ends of every instance, played once for all tests.
fn ends() -> &'static [Ends] {
    static ENDS: OnceLock<Vec<Ends>> = OnceLock::new();
    let played = |agent: &str| {
        let directory = scratch(&format!("trust-{agent}")).join("run");
        assert_eq!(code(&run(&directory, &["--agent", agent, "--as", "x"])), 0);
        light(episodes(&directory))
    };
    ENDS.get_or_init(|| played("oracle").into_iter().zip(played("noop")).collect())
}

/// Pairs of runs: few, or as many as are asked for.
fn pairs(few: u64, many: u64) -> u64 {
    if is_all() { many } else { few }
}

/// A run of a coin agent: of 100 episodes so many are the oracle's.
fn coin(ends: &[Ends], percent: u64, trials: u32, stream: &mut Stream) -> Vec<EpisodeRecord> {
    coin_without(&[], ends, percent, trials, stream)
}

/// The same by one that always fails at some tasks.
fn coin_without(broken: &[&str], ends: &[Ends], percent: u64, trials: u32, stream: &mut Stream) -> Vec<EpisodeRecord> {
    let mut records = Vec::new();
    for (good, bad) in ends {
        for trial in 0..trials {
            let is_good = stream.chance(percent, 100) && !broken.contains(&good.task());
            records.push(EpisodeRecord { trial, ..if is_good { good } else { bad }.clone() });
        }
    }
    records
}

fn verdict(base: &[EpisodeRecord], new: &[EpisodeRecord], seed: u64) -> GateVerdict {
    let of = |records| Side { records, agent: "x", is_repeatable: false };
    let comparison = Comparison::asked(&CARD, of(base), of(new), seed);
    GateVerdict::by_default(&CARD, &comparison)
}

/// How often the gate closes, of so many pairs whose new run is made by `new`.
fn closed(pairs: u64, name: &str, make: impl Fn(&mut Stream) -> [Vec<EpisodeRecord>; 2] + Sync) -> u64 {
    let closes = |seed: u64| {
        let [base, new] = make(&mut Stream::new(seed, "gate trust", name));
        u64::from(!verdict(&base, &new, 0).is_open)
    };
    (0..pairs).into_par_iter().map(closes).sum()
}

#[test]
fn equal_agents_are_kept_out_at_most_once_in_twenty_times() {
    let (ends, pairs) = (ends(), pairs(100, 400));
    let mut wrong = Vec::new();
    for (percent, trials) in [(98, 3), (95, 3), (90, 3), (70, 3), (50, 3), (95, 2), (80, 2), (90, 5), (95, 1), (70, 1)]
    {
        let name = format!("coin:{percent}, {trials} trials");
        let closed = closed(pairs, &name, |stream| [(); 2].map(|()| coin(ends, percent, trials, stream)));
        eprintln!("{name} of {} instances: closed {closed} of {pairs} equal pairs", ends.len());
        // So many of a hundred are once in a hundred times more than five; of four hundred they may be five in a hundred.
        if closed * 20 > pairs && (is_all() || closed > 11) {
            wrong.push(format!("{name}: {closed} of {pairs}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn something_severe_that_comes_again_is_never_let_through() {
    let (ends, pairs) = (ends(), pairs(60, 400));
    let closed = closed(pairs, "severe", |stream| {
        let base = coin(ends, 95, 3, stream);
        let mut new = coin(ends, 95, 3, stream);
        let at = stream.below(ends.len() as u64) as usize;
        for record in &mut new[3 * at..3 * at + 2] {
            // Whether it succeeds or not: it is the deed that counts.
            let findings = vec![Finding::new("not_preserved", "a second subscription was cancelled")];
            record.scores.found.push(Found { by: "sr".to_owned(), findings });
        }
        [base, new]
    });
    eprintln!("severe at one of {} instances: closed {closed} of {pairs}", ends.len());
    assert_eq!(closed, pairs);
}

#[test]
fn an_instance_of_a_steady_agent_is_never_lost_unseen() {
    let (ends, pairs) = (ends(), pairs(40, 400));
    for trials in [2, 3] {
        let closed = closed(pairs, "lost", |stream| {
            let base = coin(ends, 100, trials, stream);
            let mut new = base.clone();
            let at = stream.below(ends.len() as u64) as usize;
            for trial in 0..trials {
                new[at * trials as usize + trial as usize] = EpisodeRecord { trial, ..ends[at].1.clone() };
            }
            [base, new]
        });
        assert_eq!(closed, pairs, "{trials} trials");
    }
}

/// Values on no grid, so that swaps must be drawn: runs whose drop is about as rare as the level.
#[test]
fn no_seed_decides_outside_the_zone_that_is_named() {
    let (ends, pairs) = (ends(), pairs(60, 1000));
    let some = &ends[..40];
    let odd = |worse: f64, stream: &mut Stream| {
        let mut records = coin(some, 95, 2, stream);
        for record in &mut records {
            let value = 1.0 / (1.0 + 0.013 * stream.below(60) as f64 + worse);
            record.scores.metrics.insert("discipline".to_owned(), Reading::Scored { value, of: None });
        }
        records
    };
    let is_near = |verdict: &GateVerdict| {
        verdict
            .checks
            .iter()
            .any(|check| check.outcome == Outcome::Undecided && check.text.contains("too near to call"))
    };
    let judged: Vec<(bool, bool)> = (0..pairs)
        .into_par_iter()
        .map(|seed| {
            let mut stream = Stream::new(seed, "gate trust", "seed");
            let (base, new) = (odd(0.0, &mut stream), odd(0.08, &mut stream));
            let all: Vec<GateVerdict> = [0, 1 + seed].into_iter().map(|seed| verdict(&base, &new, seed)).collect();
            let decisions: Vec<Decision> = all.iter().map(|verdict| verdict.decision).collect();
            (all.iter().any(is_near), decisions.windows(2).all(|two| two[0] == two[1]))
        })
        .collect();
    let near = judged.iter().filter(|(is_near, _)| *is_near).count();
    let moved = judged.iter().filter(|(is_near, is_same)| !is_near && !is_same).count();
    eprintln!("two seeds, {pairs} pairs: {near} too near to call, {moved} of the others decided otherwise");
    assert_eq!(moved, 0);
    assert!(near * 5 < judged.len(), "{near}");
}

/// The power that three trials have against a loss of five points over all.
#[test]
fn a_loss_of_five_points_is_found_as_often_as_is_said() {
    let (ends, pairs) = (ends(), pairs(60, 400));
    for percent in [95, 90, 75] {
        let name = format!("coin:{percent} to coin:{}", percent - 5);
        let closed =
            closed(pairs, &name, |stream| [coin(ends, percent, 3, stream), coin(ends, percent - 5, 3, stream)]);
        let mut stream = Stream::new(0, "gate trust", &name);
        let [base, new] = [percent, percent - 5].map(|percent| coin(ends, percent, 3, &mut stream));
        let detectable = verdict(&base, &new, 0).limit.unwrap().detectable;
        eprintln!(
            "{name}, 3 trials of {} instances: closed {closed} of {pairs}; detectable {detectable:.3}",
            ends.len()
        );
        if detectable <= 0.05 {
            assert!(closed * 4 >= pairs * 3, "{name}: {closed} of {pairs}");
        }
    }
}

/// The trials that `plan --detect` names, from a base of three, are those the gate needs: drops of that size are found
/// about four times out of five, and equal agents are let through.
#[test]
fn the_trials_that_a_plan_names_find_the_drop() {
    let (ends, pairs) = (ends(), pairs(40, 200));
    for (percent, points) in [(90, 5), (75, 5), (98, 10), (50, 10)] {
        let name = format!("coin:{percent}, a drop of {points} points");
        let base = coin(ends, percent, 3, &mut Stream::new(0, "detection", &name));
        let side = Side { records: &base, agent: "x", is_repeatable: false };
        let trials = Detection::of(&CARD, side, points as f64 / 100.0, None).unwrap().trials().unwrap();
        let both = |new: u64| {
            closed(pairs, &name, |stream| [coin(ends, percent, trials, stream), coin(ends, new, trials, stream)])
        };
        let (found, equal) = (both(percent - points), both(percent));
        eprintln!(
            "{name}, {} instances: {trials} trials; closed for {found} of {pairs} drops and {equal} of {pairs} equal pairs",
            ends.len()
        );
        // Of forty, so few are once in a hundred times fewer than four fifths.
        let (least, most) = if is_all() { (pairs * 76 / 100, pairs / 20) } else { (pairs * 65 / 100, pairs / 8) };
        assert!(found >= least && equal <= most, "{name}: {trials} trials, {found} and {equal} of {pairs}");
    }
}

/// Agents of the table: of 100 episodes, how many they do not spoil by chance; whether all behaviours are played or the
/// ideal user alone; trials.
const ROWS: [(&str, u64, bool, u32); 7] = [
    ("steady", 100, true, 1),
    ("steady", 100, false, 1),
    ("coin:90", 90, true, 1),
    ("coin:70", 70, true, 1),
    ("coin:90", 90, true, 3),
    ("coin:90", 90, false, 5),
    ("coin:90", 90, false, 1),
];
/// How many of the 16 tasks are broken.
const BROKEN: [usize; 5] = [0, 1, 2, 4, 8];

#[test]
fn a_gate_closes_for_losses_and_stays_open_for_equal_agents() {
    // Sixteen tasks, so that the table says what small suites get; of their scores numbers alone decide.
    let is_sampled = |ends: &&Ends| SAMPLED.contains(&ends.0.trace.header.environment.as_str());
    let mut all: Vec<Ends> = ends().iter().filter(is_sampled).cloned().collect();
    all.iter_mut().flat_map(|(good, bad)| [good, bad]).for_each(|record| record.scores.found.clear());
    let is_ideal = |ends: &&Ends| ends.0.trace.header.levels.to_string() == "ideal";
    let ideal: Vec<Ends> = all.iter().filter(is_ideal).cloned().collect();
    let mut tasks: Vec<&str> = all.iter().map(|(good, _)| good.task()).collect();
    tasks.dedup();
    assert_eq!(tasks.len(), 16);
    let mut table =
        "| agent | episodes | equal | 1 of 16 broken | 2 | 4 | 8 |\n|---|---|---|---|---|---|---|\n".to_owned();
    let mut wrong = Vec::new();
    for (agent, percent, is_whole, trials) in ROWS {
        let ends = if is_whole { &all } else { &ideal };
        let more = if trials == 1 { String::new() } else { format!(", {trials} trials") };
        table.push_str(&format!("| `{agent}` | {}{more} |", ends.len()));
        for count in BROKEN {
            let closes = |seed: &u64| {
                let mut stream = Stream::new(*seed, "gate power", agent);
                let mut broken = tasks.clone();
                stream.shuffle(&mut broken);
                let base = coin(ends, percent, trials, &mut stream);
                let new = coin_without(&broken[..count], ends, percent, trials, &mut stream);
                !verdict(&base, &new, *seed).is_open
            };
            let closed = (0..100).into_par_iter().filter(closes).count();
            table.push_str(&format!(" {closed} |"));
            let loss = percent as f64 / 100.0 * count as f64 / 16.0;
            let is_telling = is_whole || trials > 1 || percent == 100;
            if (loss >= 0.25 && closed < 99) || (count == 0 && is_telling && closed > 5) {
                wrong.push(format!("{agent} {}{more}, {count} broken: {closed}", ends.len()));
            }
        }
        table.push('\n');
    }
    assert!(wrong.is_empty(), "{wrong:?}\n{table}");
    let docs = contents(root().join("docs/SCORING.md"));
    assert!(docs.contains(&table), "docs/SCORING.md has another table:\n{table}");
}
