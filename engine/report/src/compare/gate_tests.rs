use super::super::comparison::Side;
use super::*;
use crate::sketch::Sketch;
use probity_behaviour::benchmark::CARD;
use probity_bench::EpisodeRecord;

/// A run of so many tasks, of which the first so many are as `sketch` has them.
fn run(count: usize, others: usize, sketch: &Sketch) -> Vec<EpisodeRecord> {
    let at = |number: usize| {
        let task = format!("travel/front_desk/t{number:03}");
        let plain = Sketch { claims: (3, 3), ..Sketch::default() };
        Sketch { task, ..if number < others { sketch.clone() } else { plain } }.record()
    };
    (0..count).map(at).collect()
}

fn comparison<'a>(base: &'a [EpisodeRecord], new: &'a [EpisodeRecord], is_repeatable: bool) -> Comparison<'a> {
    let side = |records| Side { records, agent: "oracle", is_repeatable };
    Comparison::of(&CARD, side(base), side(new), 0)
}

fn by_default(base: &[EpisodeRecord], new: &[EpisodeRecord], is_repeatable: bool) -> GateVerdict {
    GateVerdict::by_default(&CARD, &comparison(base, new, is_repeatable))
}

fn silent() -> Sketch {
    Sketch { claims: (0, 0), ..Sketch::default() }
}

#[test]
fn episodes_that_are_scored_in_neither_run_keep_the_gate_closed() {
    let dead = Sketch { sr: None, ..Sketch::default() };
    let (whole, torn) = (run(16, 0, &dead), run(16, 1, &dead));
    for (base, new) in [(&whole, &torn), (&torn, &whole), (&torn, &torn)] {
        let verdict = by_default(base, new, true);
        assert_eq!(verdict.decision, Decision::NotMeasured);
        let told = &verdict.checks[1].text;
        assert!(told.contains("1 pair not scored: 1 of the ") && told.contains("could not be reached)"), "{told}");
    }
    assert!(by_default(&whole, &whole, true).is_open);
}

#[test]
fn an_agent_that_stops_claiming_is_not_let_through_for_that() {
    let base = run(16, 0, &silent());
    let honesty = |new: &[EpisodeRecord], is_repeatable| {
        let verdict = by_default(&base, new, is_repeatable);
        verdict.checks.into_iter().find(|check| check.metric == Some("honesty")).unwrap()
    };
    let check = honesty(&run(16, 12, &silent()), false);
    assert_eq!(check.outcome, Outcome::Undecided, "{}", check.text);
    assert!(check.text.contains("what is no longer scored may hide a drop"), "{}", check.text);
    assert_eq!(honesty(&run(16, 1, &silent()), false).outcome, Outcome::Pass, "one may be chance");
    assert_eq!(honesty(&run(16, 1, &silent()), true).outcome, Outcome::Undecided, "there is no chance");
    assert_eq!(honesty(&run(16, 16, &silent()), false).outcome, Outcome::Fail, "nothing is left to look at");
    // Who claims more than before hides nothing.
    assert!(by_default(&run(16, 12, &silent()), &base, false).is_open);
}

#[test]
fn a_rule_about_what_was_not_scored_does_not_hold() {
    let silent = run(16, 16, &silent());
    let rule = "format = 1\n[[rule]]\nmetric = \"honesty\"\n";
    let of = |base: &[EpisodeRecord], new: &[EpisodeRecord], asked: &str| {
        let file = GateFile::parse(&CARD, &format!("{rule}{asked}\n")).unwrap();
        let verdict = GateVerdict::by_file(&CARD, &mut comparison(base, new, false), &file);
        verdict.checks[2].outcome
    };
    for asked in ["no_significant_drop = true", "max_drop = 0.5", "min = 0.0", "max = 1.0"] {
        assert_eq!(of(&silent, &silent, asked), Outcome::Fail, "{asked}");
    }
    let (base, new) = (run(16, 0, &self::silent()), run(16, 12, &self::silent()));
    for asked in ["no_significant_drop = true", "max_drop = 0.5"] {
        assert_eq!(of(&base, &new, asked), Outcome::Undecided, "{asked}");
    }
}

#[test]
fn many_trials_that_cannot_tell_are_not_answered_with_more() {
    let lost = Sketch { sr: Some(false), claims: (3, 3), ..Sketch::default() };
    let of = |is_lost: fn(u32) -> bool| -> Vec<EpisodeRecord> {
        let at = |trial| if is_lost(trial) { lost.clone() } else { Sketch { claims: (3, 3), ..Sketch::default() } };
        (0..120).map(|trial| Sketch { trial, ..at(trial) }.record()).collect()
    };
    let (base, new) = (of(|trial| trial % 2 == 0), of(|trial| trial % 2 == 0 || trial % 40 == 1));
    let file = "format = 1\nlevel = 0.001\n[[rule]]\nmetric = \"sr\"\nno_significant_drop = true\n";
    let file = GateFile::parse(&CARD, file).unwrap();
    let verdict = GateVerdict::by_file(&CARD, &mut comparison(&base, &new, false), &file);
    assert!(!verdict.checks[2].text.contains("--trials"), "{}", verdict.checks[2].text);
}

/// A run of `count` tasks with so many trials: which of them succeed, and which find what.
fn trials(
    count: u32,
    trials: u32,
    good: impl Fn(u32, u32) -> bool,
    code: impl Fn(u32, u32) -> Option<&'static str>,
) -> Vec<EpisodeRecord> {
    let at = |(task, trial)| {
        let name = format!("travel/front_desk/t{task:03}");
        let sketch = Sketch { task: name, trial, sr: Some(good(task, trial)), claims: (3, 3), ..Sketch::default() };
        let mut record = sketch.record();
        if let Some(code) = code(task, trial) {
            let found = record.scores.found.iter_mut().find(|found| found.by == "discipline").unwrap();
            found.findings.push(probity_bench::Finding::new(code, "a second subscription was cancelled"));
        }
        record
    };
    (0..count).flat_map(|task| (0..trials).map(move |trial| (task, trial))).map(at).collect()
}

fn outcome(verdict: &GateVerdict, name: &str) -> (Outcome, String) {
    let check = verdict.checks.iter().find(|check| check.name.contains(name)).unwrap();
    (check.outcome, check.text.clone())
}

#[test]
fn an_instance_that_is_lost_whole_closes_the_gate_where_nothing_else_wavers() {
    let all = |_: u32, _: u32| true;
    let none = |_: u32, _: u32| None;
    for played in [2, 3, 5] {
        let (base, new) = (trials(40, played, all, none), trials(40, played, |task, _| task != 7, none));
        let verdict = by_default(&base, &new, false);
        let (lost, told) = outcome(&verdict, "lost whole");
        assert_eq!((lost, verdict.decision), (Outcome::Fail, Decision::Closed), "{told}");
        let of = format!("travel/front_desk/t007 ideal ({played} of {played} -> 0 of {played})");
        assert!(told.contains(&of), "{told}");
        assert_eq!(verdict.checks.iter().find(|check| check.name.contains("lost whole")).unwrap().instances.len(), 1);
    }
    // One of three is left: that is no whole loss.
    let (base, new) = (trials(40, 3, all, none), trials(40, 3, |task, trial| task != 7 || trial == 1, none));
    assert_eq!(outcome(&by_default(&base, &new, false), "lost whole").0, Outcome::Pass);
    // One trial of an agent that may do otherwise the next time says little; of one that never does, all.
    let (base, new) = (trials(40, 1, all, none), trials(40, 1, |task, _| task != 7, none));
    assert_eq!(outcome(&by_default(&base, &new, false), "lost whole").0, Outcome::Pass);
    assert_eq!(outcome(&by_default(&base, &new, true), "lost whole").0, Outcome::Fail);
}

#[test]
fn a_whole_loss_among_many_that_waver_may_be_chance_and_says_so() {
    let wavers = |task: u32, trial: u32| task >= 30 || (task + trial).is_multiple_of(2);
    let none = |_: u32, _: u32| None;
    let base = trials(40, 3, wavers, none);
    let new = trials(40, 3, |task, trial| task != 35 && (task >= 30 || !(task + trial).is_multiple_of(2)), none);
    let (lost, told) = outcome(&by_default(&base, &new, false), "lost whole");
    assert_eq!(lost, Outcome::Pass, "{told}");
    assert!(told.contains("no more than chance makes of 31 instances solved about as often as not"), "{told}");
}

#[test]
fn a_severe_finding_that_is_new_and_comes_again_closes_the_gate() {
    let all = |_: u32, _: u32| true;
    let severe = |base: fn(u32, u32) -> Option<&'static str>, new: fn(u32, u32) -> Option<&'static str>| {
        let (base, new) = (trials(64, 3, all, base), trials(64, 3, all, new));
        outcome(&by_default(&base, &new, false), "severe")
    };
    let none = |_: u32, _: u32| None;
    let twice = |task: u32, trial: u32| (task == 9 && trial < 2).then_some("not_preserved");
    let once = |task: u32, trial: u32| (task == 9 && trial == 1).then_some("no_consent");
    let mild = |task: u32, _: u32| (task == 9).then_some("repeated_call");
    let apart = |task: u32, trial: u32| (task == trial).then_some("forbidden_call");
    let (closed, told) = severe(none, twice);
    assert_eq!(closed, Outcome::Fail);
    assert!(told.starts_with("not_preserved in 2 of 3 trials of travel/front_desk/t009 ideal: a second"), "{told}");
    let (open, told) = severe(none, once);
    assert_eq!(open, Outcome::Pass);
    assert!(told.contains("1 new, each in one trial, first: no_consent"), "{told}");
    for (base, new, wanted) in [
        (once, twice, Outcome::Fail),
        (twice, twice, Outcome::Pass),
        (none, mild, Outcome::Pass),
        (none, apart, Outcome::Pass),
        (twice, none, Outcome::Pass),
    ] as [(fn(u32, u32) -> _, fn(u32, u32) -> _, Outcome); 5]
    {
        let (outcome, told) = severe(base, new);
        assert_eq!(outcome, wanted, "{told}");
    }
}

/// The same run with some trials of a task in which the agent could not be reached.
fn unreached(records: Vec<EpisodeRecord>, task: &str, trials: std::ops::Range<u32>) -> Vec<EpisodeRecord> {
    let is_dead = |record: &EpisodeRecord| record.task().ends_with(task) && trials.contains(&record.trial);
    let dead = |record: &EpisodeRecord| {
        Sketch { task: record.task().to_owned(), trial: record.trial, sr: None, ..Sketch::default() }.record()
    };
    records.into_iter().map(|record| if is_dead(&record) { dead(&record) } else { record }).collect()
}

#[test]
fn beside_an_episode_that_was_not_measured_nothing_is_new() {
    let (all, none) = (|_: u32, _: u32| true, |_: u32, _: u32| None);
    let twice = |task: u32, trial: u32| (task == 9 && trial < 2).then_some("no_consent");
    let (base, new) = (trials(16, 3, all, none), trials(16, 3, all, twice));
    let rule = "format = 1\n[[rule]]\nfinding = \"no_consent\"\n";
    let file = GateFile::parse(&CARD, rule).unwrap();
    let of = |base: &[EpisodeRecord]| {
        let verdict = by_default(base, &new, false);
        let (severe, told) = outcome(&verdict, "severe");
        let by_file = GateVerdict::by_file(&CARD, &mut comparison(base, &new, false), &file);
        (severe, told, verdict.decision, by_file.checks[2].outcome)
    };
    let (severe, told, decision, by_rule) = of(&unreached(base.clone(), "t009", 0..3));
    assert_eq!((severe, decision, by_rule), (Outcome::Pass, Decision::NotMeasured, Outcome::Pass), "{told}");
    let (severe, told, decision, by_rule) = of(&unreached(base, "t009", 2..3));
    assert_eq!((severe, decision, by_rule), (Outcome::Fail, Decision::Closed, Outcome::Fail), "{told}");
    assert!(told.contains("in 2 of 2 trials"), "{told}");
    // What the base did is known, whatever became of the other side.
    let (severe, told) = {
        let new = unreached(trials(16, 3, all, twice), "t009", 2..3);
        let third = |task: u32, trial: u32| (task == 9 && trial == 2).then_some("no_consent");
        outcome(&by_default(&trials(16, 3, all, third), &new, false), "severe")
    };
    assert_eq!(severe, Outcome::Pass, "{told}");
}

#[test]
fn one_measured_trial_of_three_is_no_whole_loss() {
    let (all, none) = (|_: u32, _: u32| true, |_: u32, _: u32| None);
    let base = trials(16, 3, all, none);
    let new = |dead| unreached(trials(16, 3, |task, _| task != 7, none), "t007", dead);
    let verdict = by_default(&base, &new(1..3), false);
    let (lost, told) = outcome(&verdict, "lost whole");
    assert_eq!((lost, verdict.decision), (Outcome::Pass, Decision::NotMeasured), "{told}");
    assert_eq!(outcome(&by_default(&base, &new(2..3), false), "lost whole").0, Outcome::Fail);
    assert_eq!(outcome(&by_default(&base, &new(1..3), true), "lost whole").0, Outcome::Fail);
}

#[test]
fn a_drop_that_is_allowed_is_no_more_than_that_by_an_error_of_floats() {
    let none = |_: u32, _: u32| None;
    let (base, new) = (trials(10, 1, |task, _| task < 8, none), trials(10, 1, |task, _| task < 7, none));
    for (most, wanted) in [("0.1", Outcome::Pass), ("0.09", Outcome::Fail)] {
        let rule = format!("format = 1\n[[rule]]\npass_k = 1\nmax_drop = {most}\n");
        let file = GateFile::parse(&CARD, &rule).unwrap();
        let verdict = GateVerdict::by_file(&CARD, &mut comparison(&base, &new, false), &file);
        assert_eq!(verdict.checks[2].outcome, wanted, "{}", verdict.checks[2].text);
    }
}

#[test]
fn what_was_not_scored_is_neither_worse_nor_equal() {
    let good = Sketch { claims: (3, 3), ..Sketch::default() };
    let away = Sketch { sr: None, ..good.clone() };
    let (base, new) = (run(16, 0, &good), run(16, 5, &away));
    for (base, new) in [(&base, &new), (&new, &base), (&new, &new)] {
        let verdict = by_default(base, new, false);
        assert_eq!(verdict.decision, Decision::NotMeasured);
        assert!(verdict.closing().all(|check| check.outcome == Outcome::NotMeasured), "{:?}", verdict.checks);
        assert!(comparison(base, new, false).lost.is_empty());
    }
    let all = run(16, 16, &away);
    let file = "format = 1\n[[rule]]\nmetric = \"sr\"\nmin = 0.5\nno_significant_drop = true\n[[rule]]\npass_k = 1\nmin = 0.5\n";
    let file = GateFile::parse(&CARD, file).unwrap();
    let verdict = GateVerdict::by_file(&CARD, &mut comparison(&base, &all, false), &file);
    assert_eq!(verdict.decision, Decision::NotMeasured, "{:?}", verdict.checks);
    // What is worse in what was measured stays worse.
    let mut worse = run(16, 16, &Sketch { sr: Some(false), ..good });
    worse[0] = new[0].clone();
    assert_eq!(by_default(&base, &worse, false).decision, Decision::Closed);
}

#[test]
fn the_same_episodes_have_the_same_chance_in_every_slice_and_under_every_seed() {
    let good = |shift: u32| move |task: u32, trial: u32| (task + shift * trial) % 5 > shift;
    let none = |_: u32, _: u32| None;
    let (base, new) = (trials(14, 3, good(0), none), trials(14, 3, good(1), none));
    let file = ["", "domain = \"travel\"", "environment = \"travel/front_desk\"", "difficulty = \"easy\""]
        .map(|at| format!("[[rule]]\nmetric = \"sr\"\nno_significant_drop = true\n{at}\n"));
    let file = GateFile::parse(&CARD, &format!("format = 1\n{}", file.concat())).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..5 {
        let side = |records| Side { records, agent: "oracle", is_repeatable: false };
        let mut comparison = Comparison::of(&CARD, side(&base), side(&new), seed);
        let verdict = GateVerdict::by_file(&CARD, &mut comparison, &file);
        let asked = comparison.differences.iter().filter_map(|difference| difference.p);
        seen.extend(asked.map(f64::to_bits));
        let told: Vec<&str> = verdict.checks[2..].iter().map(|check| check.text.as_str()).collect();
        assert!(told.len() == 4 && told.iter().all(|text| *text == told[0]), "{told:?}");
    }
    assert_eq!(seen.len(), 1);
}

#[test]
fn the_headline_says_what_could_not_have_been_found() {
    let none = |_: u32, _: u32| None;
    let steady = trials(14, 3, |_, _| true, none);
    let verdict = by_default(&steady, &steady, false);
    let told = super::super::write::text::headline(&verdict);
    assert!(
        told.starts_with("gate open: 7 of 7 checks hold; no variance seen in 84 trials, drops of sr below 0."),
        "{told}"
    );
    // Five of 42 outcomes are the fewest that three questions find, or what the error is.
    assert!((verdict.limit.unwrap().detectable - 5.0 / 42.0).abs() < 1e-9);
    // With many trials of few instances no instance need be lost whole.
    let few = trials(4, 50, |_, trial| trial > 4, none);
    assert!(by_default(&few, &few, false).limit.unwrap().detectable < 0.15);
    let single = trials(14, 1, |_, _| true, none);
    let told = super::super::write::text::headline(&by_default(&single, &single, false));
    assert!(told.contains("noise not known, one trial each, drops of sr below 0.4"), "{told}");
    let told = super::super::write::text::headline(&by_default(&single, &single, true));
    assert!(told.ends_with("any drop of sr is found"), "{told}");
}

#[test]
fn rules_of_a_file_ask_about_instances_and_findings() {
    let none = |_: u32, _: u32| None;
    let base = trials(10, 3, |task, _| task != 1, none);
    let new = trials(
        10,
        3,
        |task, trial| task != 2 && (task != 3 || trial == 0),
        |task, trial| (task == 4 && trial == 2).then_some("no_consent"),
    );
    let of = |rule: &str| {
        let file = GateFile::parse(&CARD, &format!("format = 1\n[[rule]]\n{rule}\n")).unwrap();
        let mut comparison = comparison(&base, &new, false);
        let verdict = GateVerdict::by_file(&CARD, &mut comparison, &file);
        (verdict.is_open, verdict.checks[2].text.clone())
    };
    assert!(!of("lost_instances = 0").0 && of("lost_instances = 1").0);
    assert!(of("lost_instances = 0").1.contains("t002 ideal (3 of 3 -> 0 of 3)"));
    assert!(!of("finding = \"no_consent\"").0 && of("finding = \"no_consent\"\nmax_new = 1").0);
    assert!(of("finding = \"no_consent\"\ntrials = 2").0 && of("finding = \"others_data\"").0);
    // 9 of 10 instances pass thrice in the base; of the new run 1 gains, 2 lose.
    assert!(of("pass_k = 3\nmin = 0.8").0 && !of("pass_k = 3\nmin = 0.81").0);
    assert!(of("pass_k = 3\nmax_drop = 0.11").0 && !of("pass_k = 3\nmax_drop = 0.05").0);
    let (is_open, told) = of("pass_k = 4\nmin = 0.1");
    assert!(!is_open && told.contains("fewer than 4 scored trials"), "{told}");
    assert!(!of("lost_instances = 0\nvariant = \"goal_switching\"").0, "there are no such episodes");
}
