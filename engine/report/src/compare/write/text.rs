//! For the terminal: only what changed.

use std::fmt::Write;

use crate::compare::apart::Apart;
use crate::compare::changed::ChangedEpisode;
use crate::compare::check::{Decision, Outcome, chance};
use crate::compare::comparison::{Comparison, LostTask};
use crate::compare::detection::{Bill, Detection, Enough};
use crate::compare::difference::{Difference, GroupName};
use crate::compare::gate::GateVerdict;
pub use crate::table::count;

const CAPTION: &str = "\
p: how often chance makes such a drop on these very tasks, corrected for how many the gate asks; none where it does not ask.
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
    let mut text = format!("{}\n{}", headline(verdict), pairing(comparison));
    text.push_str(&lost(&comparison.lost));
    for check in &verdict.checks {
        let _ = writeln!(text, "  {} {}: {}", mark(check.outcome), check.name, check.text);
    }
    for (code, (base, new), first) in worse(comparison) {
        let said = first.map(|first| format!(", first in {}: {}", first.0, first.1)).unwrap_or_default();
        let _ = writeln!(text, "  found {code} {base} -> {new} times{said}");
    }
    text
}

/// `gate closed: 2 of 7 checks do not hold; noise floor 0.150, drops of sr below 0.235 could not have been found`.
pub fn headline(verdict: &GateVerdict) -> String {
    let (all, closing) = (verdict.checks.len(), verdict.closing().count());
    let skipped = verdict.checks.iter().filter(|check| check.outcome == Outcome::NotScored).count();
    let checks = match verdict.decision {
        Decision::Open if skipped > 0 => {
            format!("{} of {all} checks hold, {skipped} not scored", verdict.held().count())
        }
        Decision::Open => format!("{all} of {all} checks hold"),
        Decision::Closed | Decision::Undecided | Decision::NotMeasured => {
            format!("{closing} of {all} checks {} not hold", if closing == 1 { "does" } else { "do" })
        }
    };
    let limit = limit(verdict).map(|limit| format!("; {limit}")).unwrap_or_default();
    format!("{}: {checks}{limit}", verdict.decision.words())
}

/// Whom a verdict is about, where the names do not say it.
pub fn pairing(comparison: &Comparison) -> String {
    let (base, new) = (&comparison.base_agent, &comparison.new_agent);
    match base == new {
        true => String::new(),
        false => format!("  two names: `{new}` of the new run stands in place of `{base}` of the base\n"),
    }
}

/// How often a gate closes for an agent that did not change, check by check.
pub fn apart(apart: &Apart) -> String {
    let Apart { agent, splits, trials, closed, undecided, not_measured, checks } = apart;
    let mut text =
        format!("{agent} against itself: its trials dealt {splits} times, {trials} and {trials} of each instance\n");
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let share = (closed + undecided + not_measured) as f64 / *splits as f64;
    let _ = writeln!(
        text,
        "  the gate stays closed in {share:.3} of them: {closed} worse, {undecided} undecided, {not_measured} not measured"
    );
    for (name, count) in checks {
        let _ = writeln!(text, "  {count:>4}  {name}");
    }
    text
}

/// How many trials are enough, and what they take.
pub fn detection(detection: &Detection) -> String {
    let Detection { agent, metric, group, drop, base, instances, base_trials, silent, unknown, .. } = detection;
    let drops = format!("drops of {} by {drop}", of(metric, group));
    let mut text = match (detection.enough, detection.is_repeatable) {
        (Enough::Trials(_), true) => {
            format!(
                "{agent}: {drops} are found with one trial of each instance, as any is: it does the same every time\n"
            )
        }
        (Enough::Trials(trials), false) => format!(
            "{agent}: {drops} are found four times out of five with {} of each instance, in the base and in the new run\n",
            count(trials as usize, "trial")
        ),
        (Enough::None(lack), _) => format!("{agent}: there are no trials that are enough for {drops}: {lack}\n"),
    };
    if let Some(base) = base {
        let finds = match detection.base_finds {
            Some(finds) if finds > 0.0 => format!("; as many find drops of {finds:.3}"),
            Some(_) => String::new(),
            None => "; as many find none".to_owned(),
        };
        let trials = count(*base_trials, "trial");
        let _ = writeln!(text, "  base {base:.3} over {}, {trials} each{finds}", count(*instances, "instance"));
    }
    if let Some(run) = &detection.run {
        let _ = writeln!(text, "  a run of them is {}", bill(run));
    }
    if !silent.is_empty() {
        let instances: usize = silent.iter().map(|task| task.settings.len()).sum();
        let whose = format!("{} of {}", count(instances, "instance"), count(silent.len(), "task"));
        let _ = writeln!(text, "  {whose} with nothing to lose in any trial: they tell nothing of a drop");
        if let Some(wasted) = &detection.wasted {
            let _ = writeln!(text, "  of a run they take {}", bill(wasted));
        }
        silent.iter().take(SHOWN).for_each(|task| text.push_str(&format!("     {task}\n")));
        if silent.len() > SHOWN {
            let _ = writeln!(text, "     and {} more: `--json` has them", silent.len() - SHOWN);
        }
    }
    if let Some(first) = unknown.first().filter(|_| *instances > 0) {
        let whose = count(unknown.len(), "instance");
        let _ =
            writeln!(text, "  left out: {whose} of which too few trials were scored to know of chance, first: {first}");
    }
    text
}

/// `336 episodes: 840 requests, 120000 tokens read, 9000 written; cost 0.5000`.
fn bill(Bill { episodes, spent }: &Bill) -> String {
    let line = spent.line();
    let line = if line.is_empty() { line } else { format!(": {line}") };
    format!("{}{line}", count(usize::try_from(*episodes).unwrap_or(usize::MAX), "episode"))
}

/// How much chance does, and what could not have been found for it; nothing where no drop is asked about.
pub fn limit(verdict: &GateVerdict) -> Option<String> {
    let limit = verdict.limit.as_ref()?;
    Some(sureness(&limit.noise, &of(limit.metric, &limit.group), limit.detectable))
}

/// `sr`, `sr ideal`.
fn of(metric: &str, group: &GroupName) -> String {
    match group {
        GroupName::All => metric.to_owned(),
        GroupName::At(_) => format!("{metric} {group}"),
    }
}

fn sureness(noise: &str, of: &str, detectable: f64) -> String {
    match detectable > 0.0 {
        true => format!("{noise}, drops of {of} below {detectable:.3} could not have been found"),
        false => format!("{noise}: any drop of {of} is found"),
    }
}

pub fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "ok ",
        Outcome::Fail => "NO ",
        Outcome::Undecided => "?? ",
        Outcome::NotMeasured => "!! ",
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

/// What so many trials can find.
pub fn detectable(comparison: &Comparison) -> String {
    let asked = comparison.differences.iter().find_map(|difference| Some((difference, difference.detectable?)));
    let said = asked.map(|(difference, detectable)| {
        sureness(&difference.noise_said(), &of(difference.metric, &difference.group), detectable)
    });
    said.map(|said| format!("{said}\n")).unwrap_or_default()
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
