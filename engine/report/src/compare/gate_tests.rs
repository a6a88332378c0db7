use super::super::comparison::Side;
use super::*;
use crate::sketch::Sketch;
use probity_behaviour::benchmark::BehaviourBenchmark;
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
    Comparison::of(BehaviourBenchmark::CARD, side(base), side(new), 0)
}

fn by_default(base: &[EpisodeRecord], new: &[EpisodeRecord], is_repeatable: bool) -> GateVerdict {
    GateVerdict::by_default(BehaviourBenchmark::CARD, &comparison(base, new, is_repeatable))
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
        assert!(!verdict.is_open);
        let told = &verdict.checks[0].text;
        assert!(told.contains("1 episode could not be scored in the base run, the new one or both"), "{told}");
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
        let file = GateFile::parse(BehaviourBenchmark::CARD, &format!("{rule}{asked}\n")).unwrap();
        let verdict = GateVerdict::by_file(BehaviourBenchmark::CARD, &comparison(base, new, false), &file);
        verdict.checks[1].outcome
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
    let file = GateFile::parse(BehaviourBenchmark::CARD, file).unwrap();
    let verdict = GateVerdict::by_file(BehaviourBenchmark::CARD, &comparison(&base, &new, false), &file);
    assert!(!verdict.checks[1].text.contains("--trials"), "{}", verdict.checks[1].text);
}
