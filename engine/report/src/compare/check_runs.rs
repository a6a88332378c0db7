//! The checks before any number: whether the runs can be compared, and whether all of it was measured.

use super::check::{Check, Outcome};
use super::comparison::Comparison;
use crate::table::count;
use probity_bench::{Card, EpisodeRecord, Reading};

pub(super) fn checks(card: &Card, comparison: &Comparison) -> Vec<Check> {
    vec![comparable(obstacles(comparison), comparison), measured(card, comparison)]
}

fn obstacles(comparison: &Comparison) -> Vec<String> {
    let mut obstacles = Vec::new();
    if comparison.pairs == 0 {
        obstacles.push("no episode of the new run was played on the same thing as one of the base".to_owned());
    }
    obstacles.extend(comparison.broken.iter().map(|run| {
        let agent = if *run == "base" { &comparison.base_agent } else { &comparison.new_agent };
        format!("`{agent}` failed in every episode of the {run} run, so that it says nothing: mend its command and play again")
    }));
    for (what, list) in comparison.gaps() {
        obstacles.extend(list.first().map(|first| format!("{} {what}, first: {first}", list.len())));
    }
    obstacles
}

fn comparable(obstacles: Vec<String>, comparison: &Comparison) -> Check {
    if !obstacles.is_empty() {
        return hindered(obstacles);
    }
    let (base, new) = (&comparison.base_agent, &comparison.new_agent);
    let text = match base == new {
        true => "same agents, tasks and trials".to_owned(),
        false => format!("same tasks and trials; `{new}` in place of `{base}`"),
    };
    Check { outcome: Outcome::Pass, text, ..hindered(Vec::new()) }
}

pub(super) fn hindered(obstacles: Vec<String>) -> Check {
    Check::whole("the runs can be compared", Outcome::Fail, obstacles.join("; "))
}

/// What could not be scored is neither worse nor equal: a provider was away, or a task is at fault.
fn measured(card: &Card, comparison: &Comparison) -> Check {
    const NAME: &str = "every episode was measured";
    let pairs = || comparison.instances.iter().flat_map(|instance| &instance.pairs);
    let unmeasured = pairs().filter(|pair| pair.values(card.headline()).is_none()).count();
    if unmeasured == 0 {
        return Check::whole(NAME, Outcome::Pass, count(comparison.pairs, "pair"));
    }
    let why = |record: &EpisodeRecord| match record.scores.metrics.get(card.headline()) {
        Some(Reading::NotScored { reason }) => Some(reason.clone()),
        Some(Reading::Scored { .. }) | None => None,
    };
    let side = |name: &str, of: &dyn Fn(&super::pair::Pair) -> Option<(String, String)>| {
        let all: Vec<(String, String)> = pairs().filter_map(of).collect();
        let (episode, reason) = all.first()?;
        Some(format!("{} of the {name} run, first: {episode} ({reason})", all.len()))
    };
    let told = |record: &EpisodeRecord| Some((record.instance_name(), why(record)?));
    let sides = [side("base", &|pair| told(pair.base)), side("new", &|pair| told(pair.new))];
    let sides = sides.into_iter().flatten().collect::<Vec<_>>().join("; ");
    let all = if unmeasured == comparison.pairs { "no episode is scored in both runs: " } else { "" };
    let text = format!(
        "{all}{} not scored: {sides}; `probity run --resume` plays what was not reached",
        count(unmeasured, "pair")
    );
    Check::whole(NAME, Outcome::NotMeasured, text)
}
