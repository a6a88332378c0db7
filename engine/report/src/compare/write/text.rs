//! For the terminal: only what changed.

use std::fmt::Write;

use crate::compare::changed::ChangedEpisode;
use crate::compare::comparison::Comparison;
use crate::compare::difference::{Difference, GroupName};
use crate::compare::gate::{GateVerdict, Outcome, chance};
use crate::compare::lost::LostTask;
use crate::compare::noise::Noise;

const CAPTION: &str = "\
p: how often chance makes such a drop on these very tasks, each number by itself; a gate corrects for how many it asks.
interval: what other tasks of this kind would show; none from fewer than 5 tasks.
";

/// Episodes that are listed unless all are asked for.
const SHOWN: usize = 20;

/// A comparison in words and numbers; all changed episodes with `all`, else the first twenty.
pub fn comparison(comparison: &Comparison, all: bool) -> String {
    let mut text = format!("{} -> {}: {}\n", comparison.base_agent, comparison.new_agent, extent(comparison));
    for (what, list) in comparison.gaps() {
        if let Some(first) = list.first() {
            let _ = writeln!(text, "not compared: {} {what}, first: {first}", list.len());
        }
    }
    let moved =
        comparison.differences.iter().filter(|difference| difference.change.is_some_and(|change| change != 0.0));
    let (moved, of_groups): (Vec<&Difference>, Vec<&Difference>) =
        moved.partition(|difference| all || difference.group == GroupName::All);
    let of_groups = of_groups.len();
    match (moved.as_slice(), of_groups) {
        ([], 0) => text.push_str("no number changed\n"),
        ([], _) => {}
        (moved, _) => text.push_str(&format!("\n{}{CAPTION}", table(moved))),
    }
    for difference in
        comparison.differences.iter().filter(|difference| difference.group == GroupName::All && difference.lost > 0)
    {
        let _ = writeln!(text, "{}: {} no longer scored", difference.metric, count(difference.lost, "episode"));
    }
    if of_groups > 0 && !all {
        let _ = writeln!(text, "{} changed too: `--all` shows them", count(of_groups, "number") + " of groups");
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

/// A verdict of the gate: tasks that are lost, then each check in a line, then what was found that is new.
pub fn gate(verdict: &GateVerdict, comparison: &Comparison) -> String {
    let mut text = format!("{}\n", headline(verdict));
    text.push_str(&lost(&comparison.lost));
    for check in &verdict.checks {
        let _ = writeln!(text, "  {} {}: {}", mark(check.outcome), check.name, check.text);
    }
    for (code, (base, new), first) in worse(comparison) {
        let said = first.map(|first| format!(", first in {}: {}", first.0, first.1)).unwrap_or_default();
        let _ = writeln!(text, "  found {code} {base} -> {new} times{said}");
    }
    text.push_str(&detectable(comparison));
    text
}

/// `gate closed: 2 of 4 checks do not hold`.
pub fn headline(verdict: &GateVerdict) -> String {
    let (all, closing) = (verdict.checks.len(), verdict.closing().count());
    let skipped = verdict.checks.iter().filter(|check| check.outcome == Outcome::NotScored).count();
    match verdict.is_open {
        true if skipped > 0 => {
            format!("gate open: {} of {all} checks hold, {skipped} not scored", verdict.held().count())
        }
        true => format!("gate open: {all} of {all} checks hold"),
        false => {
            format!("gate closed: {closing} of {all} checks {} not hold", if closing == 1 { "does" } else { "do" })
        }
    }
}

pub fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "ok ",
        Outcome::Fail => "NO ",
        Outcome::Undecided => "?? ",
        Outcome::NotScored => "-  ",
    }
}

fn lost(tasks: &[LostTask]) -> String {
    if tasks.is_empty() {
        return String::new();
    }
    let instances: usize = tasks.iter().map(|task| task.settings.len()).sum();
    let mut text = format!(
        "  solved by the base and no longer: {} in {}\n",
        count(instances, "instance"),
        count(tasks.len(), "task")
    );
    tasks.iter().take(SHOWN).for_each(|task| text.push_str(&format!("     {task}\n")));
    if tasks.len() > SHOWN {
        let _ = writeln!(text, "     and {} more", tasks.len() - SHOWN);
    }
    text
}

/// `1 task`, `3 tasks`, `2 categories`.
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// Findings that are new or more often, those first that rose most: the code, how often in both runs, and the first
/// episode with what it says.
pub fn worse<'a>(
    comparison: &'a Comparison,
) -> impl Iterator<Item = (&'a str, (usize, usize), Option<(&'a str, &'a str)>)> {
    let mut risen: Vec<_> = comparison.findings.iter().filter(|(_, (base, new))| new > base).collect();
    risen.sort_by_key(|(_, (base, new))| std::cmp::Reverse(new - base));
    risen.into_iter().map(|(code, counts)| {
        let first = comparison.episodes.iter().find_map(|episode| {
            let finding = episode.new_findings.iter().find(|finding| finding.code == *code)?;
            Some((episode.episode.as_str(), finding.text.as_str()))
        });
        (code.as_str(), *counts, first)
    })
}

/// `112 episodes of both, at least 3 trials of each instance`.
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
        Some((Noise::Trials(_), Some(0.0), _)) => {
            "the trials of each instance came out alike: chance shows nothing here, and more of them will not\n"
                .to_owned()
        }
        Some((Noise::Trials(_), Some(floor), Some(least))) => format!(
            "noise floor of {metric} {floor:.3}; a drop of {least:.3} would be found four times out of five; more trials lower both\n"
        ),
        Some(_) => "how much chance alone does is not known: play both runs with `--trials 3` or more\n".to_owned(),
        None => String::new(),
    }
}

fn table(moved: &[&Difference]) -> String {
    let mut text = format!(
        "{:<16} {:<26} {:>6} {:>6} {:>7}  {:<17} {:>6} {:>9} {:>5}\n",
        "metric", "episodes", "base", "new", "change", "95 % interval", "floor", "p", "n"
    );
    for difference in moved {
        let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        let change = difference.change.map_or_else(|| "-".to_owned(), |change| format!("{change:+.3}"));
        let interval = difference.interval.map(|(low, high)| format!("[{low:+.3}, {high:+.3}]")).unwrap_or_default();
        let _ = writeln!(
            text,
            "{:<16} {:<26} {:>6} {:>6} {change:>7}  {interval:<17} {:>6} {:>9} {:>5}",
            difference.metric,
            difference.group.to_string(),
            number(difference.base),
            number(difference.new),
            number(difference.noise_floor),
            difference.p.map_or_else(|| "-".to_owned(), |p| chance(p).trim_start_matches("= ").to_owned()),
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
