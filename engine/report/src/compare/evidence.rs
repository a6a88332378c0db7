//! What stands behind a check: the changed episodes of its metric and group, with what was found there.

use std::collections::BTreeMap;

use super::changed::ChangedEpisode;
use super::check::Check;
use super::comparison::Comparison;
use super::gate::GateVerdict;

/// The episodes behind a check, in unit order: those of its instances, or those in which its metric got worse.
pub fn evidence<'a>(check: &'a Check, comparison: &'a Comparison) -> impl Iterator<Item = &'a ChangedEpisode<'a>> {
    let of = check.metric.and_then(|metric| comparison.difference(metric, &check.group));
    let sign = of.map_or(1.0, |difference| difference.direction.sign());
    let is_worse = move |episode: &&ChangedEpisode| match check.metric.and_then(|metric| episode.metrics.get(metric)) {
        Some((Some(base), Some(new))) => sign * (new - base) < 0.0,
        Some((Some(_), None)) => true,
        Some((None, _)) | None => check.instances.contains(&episode.instance()),
    };
    comparison.episodes.iter().filter(|episode| check.group.holds(&episode.factors)).filter(is_worse)
}

/// The instances that keep the gate closed, each with the first check that it stands behind.
pub fn behind<'a>(verdict: &'a GateVerdict, comparison: &'a Comparison) -> BTreeMap<String, &'a Check> {
    let mut behind = BTreeMap::new();
    for check in verdict.closing() {
        let episodes = evidence(check, comparison).map(ChangedEpisode::instance);
        for instance in check.instances.iter().cloned().chain(episodes) {
            behind.entry(instance).or_insert(check);
        }
    }
    behind
}

/// What changed in an episode, a line each: its new findings in words, then the first event that differs.
pub fn causes(episode: &ChangedEpisode) -> Vec<String> {
    let at = |step: Option<u32>| step.map(|step| format!(" at step {step}")).unwrap_or_default();
    let mut lines: Vec<String> = episode
        .new_findings
        .iter()
        .map(|finding| format!("{}{}: {}", finding.code, at(finding.step), finding.text))
        .collect();
    if let Some(first) = &episode.first_difference {
        let side = |line: &Option<String>| line.clone().unwrap_or_else(|| "(ended)".to_owned());
        lines.push(format!("event {}, base  {}", first.event, side(&first.base)));
        lines.push(format!("event {}, new   {}", first.event, side(&first.new)));
    }
    lines
}
