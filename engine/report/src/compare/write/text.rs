//! For the terminal: only what changed.

use std::fmt::Write;

use crate::compare::changed::ChangedEpisode;
use crate::compare::comparison::Comparison;
use crate::compare::difference::Difference;
use crate::compare::gate::{GateVerdict, Outcome};
use crate::compare::noise::Noise;

/// Episodes that are listed unless all are asked for.
const SHOWN: usize = 20;

/// A comparison in words and numbers; all changed episodes with `all`, else the first twenty.
pub fn comparison(comparison: &Comparison, all: bool) -> String {
    let mut text = format!("{} -> {}: {}\n", comparison.base_agent, comparison.new_agent, extent(comparison));
    for (list, what) in [
        (&comparison.only_base, "only in the base run"),
        (&comparison.only_new, "only in the new run"),
        (&comparison.unlike, "played on another version of the task, under other limits or with another user"),
    ] {
        if let Some(first) = list.first() {
            let _ = writeln!(text, "not compared: {} {what}, first: {first}", list.len());
        }
    }
    let moved: Vec<&Difference> = comparison.differences.iter().filter(|difference| is_moved(difference)).collect();
    if moved.is_empty() {
        text.push_str("no number changed\n");
    } else {
        text.push('\n');
        text.push_str(&table(&moved));
    }
    if !comparison.findings.is_empty() {
        text.push_str("\nfindings\n");
        for (code, (base, new)) in &comparison.findings {
            let _ = writeln!(text, "  {code:<28} {base} -> {new}");
        }
    }
    text.push_str(&episodes(&comparison.episodes, all));
    text
}

/// A verdict of the gate, with every check that does not hold.
pub fn gate(verdict: &GateVerdict, comparison: &Comparison) -> String {
    let failed = verdict.failed().count();
    let mut text = match verdict.is_open {
        true => format!("gate open: {} checks hold\n", verdict.held().count()),
        false if failed == 0 => "gate closed: the runs cannot be compared\n".to_owned(),
        false => format!("gate closed: {failed} of {} checks do not hold\n", verdict.checks.len()),
    };
    for obstacle in &verdict.obstacles {
        let _ = writeln!(text, "  {obstacle}");
    }
    for check in verdict.failed() {
        let _ = writeln!(text, "  {}: {}", check.name, check.text);
    }
    let skipped = verdict.checks.iter().filter(|check| check.outcome == Outcome::NotScored).count();
    if skipped > 0 {
        let _ = writeln!(text, "  {skipped} checks have nothing to look at: the base did not score it either");
    }
    if !verdict.is_open {
        let worse: Vec<String> = comparison
            .findings
            .iter()
            .filter(|(_, (base, new))| new > base)
            .map(|(code, (base, new))| format!("{code} {base} -> {new}"))
            .collect();
        if !worse.is_empty() {
            let _ = writeln!(text, "  findings that are new: {}", worse.join(", "));
        }
    }
    text.push_str(&detectable(comparison));
    text
}

/// `112 episodes, 3 trials of each instance`.
pub fn extent(comparison: &Comparison) -> String {
    let trials = match comparison.trials {
        1 => "one trial of each instance".to_owned(),
        trials => format!("at least {trials} trials of each instance"),
    };
    format!("{} episodes of both, {trials}", comparison.pairs)
}

/// What so many trials can find, and what to do when nothing is known of chance.
pub fn detectable(comparison: &Comparison) -> String {
    let first = comparison.differences.first();
    let metric = first.map_or("", |difference| difference.metric);
    match first.map(|difference| (difference.noise, difference.noise_floor, difference.detectable)) {
        Some((Noise::None, ..)) => "both agents do the same every time: any change is a change\n".to_owned(),
        Some((Noise::Trials(_), Some(floor), Some(least))) => format!(
            "noise floor of {metric} {floor:.3}; a drop of {least:.3} would be found four times out of five; more trials lower both\n"
        ),
        Some(_) => "how much chance alone does is not known: play both runs with `--trials 3` or more\n".to_owned(),
        None => String::new(),
    }
}

fn is_moved(difference: &Difference) -> bool {
    difference.change.is_some_and(|change| change != 0.0) || difference.lost > 0
}

fn table(moved: &[&Difference]) -> String {
    let mut text = format!(
        "{:<14} {:<26} {:>6} {:>6} {:>7}  {:<17} {:>6} {:>7} {:>5}\n",
        "metric", "episodes", "base", "new", "change", "95 % interval", "floor", "p", "n"
    );
    for difference in moved {
        let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        let change = difference.change.map_or_else(|| "-".to_owned(), |change| format!("{change:+.3}"));
        let interval = difference.interval.map(|(low, high)| format!("[{low:+.3}, {high:+.3}]")).unwrap_or_default();
        let _ = writeln!(
            text,
            "{:<14} {:<26} {:>6} {:>6} {change:>7}  {interval:<17} {:>6} {:>7} {:>5}",
            difference.metric,
            difference.group.to_string(),
            number(difference.base),
            number(difference.new),
            number(difference.noise_floor),
            difference.p_adjusted.or(difference.p).map_or_else(|| "-".to_owned(), |p| format!("{p:.4}")),
            difference.n,
        );
    }
    text
}

fn episodes(changed: &[ChangedEpisode], all: bool) -> String {
    if changed.is_empty() {
        return "no episode changed\n".to_owned();
    }
    let mut text = format!("\n{} changed episodes\n", changed.len());
    let shown = if all { changed.len() } else { SHOWN };
    for episode in changed.iter().take(shown) {
        let _ = writeln!(text, "  {}: {}", episode.episode, moves(episode));
        if let Some(first) = &episode.first_difference {
            let _ = writeln!(text, "    first differing event {}, {}", first.event, first.path);
            let side = |line: &Option<String>| line.clone().unwrap_or_else(|| "(ended)".to_owned());
            let _ = writeln!(text, "      base  {}\n      new   {}", side(&first.base), side(&first.new));
        }
    }
    if changed.len() > shown {
        let _ = writeln!(text, "  and {} more: `--all` lists them", changed.len() - shown);
    }
    text
}

/// `sr 1.00 -> 0.00, precondition_failed at step 3`.
fn moves(episode: &ChangedEpisode) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "not scored".to_owned(), |value| format!("{value:.2}"));
    let metrics =
        episode.metrics.iter().map(|(metric, (base, new))| format!("{metric} {} -> {}", number(*base), number(*new)));
    let findings = episode.new_findings.iter().map(|finding| match finding.step {
        Some(step) => format!("{} at step {step}", finding.code),
        None => finding.code.clone(),
    });
    metrics.chain(findings).collect::<Vec<_>>().join(", ")
}
