//! What the best cheats of a run got: the floor below which a number says nothing of an agent.

use serde::{Deserialize, Serialize};

use super::aggregate::Report;
use probity_bench::{AgentName, Card, Direction, NamedAgent};
use probity_engine::{number::two_digits, plain::plain};

/// What the best cheats got of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheatFloor {
    pub metric: String,
    /// The best of those that know what any agent knows; nothing where none was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blind: Option<BestCheat>,
    /// The best of those that are given the oracle's calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub informed: Option<BestCheat>,
}

/// A cheat and what it got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestCheat {
    /// Its name in the report.
    pub agent: String,
    /// The metric's value over its episodes.
    pub value: f64,
    /// How many of them were scored.
    pub n: usize,
}

/// The floors of all metrics of the table that are better high.
pub(super) fn floors(card: &Card, report: &Report, agents: &[NamedAgent]) -> Vec<CheatFloor> {
    let cheats = agents.iter().filter_map(|named| match &named.agent {
        AgentName::Cheat(cheat) => Some((named.name.as_str(), *cheat)),
        _ => None,
    });
    let cheats: Vec<_> = cheats.collect();
    let floor = |metric: &str| {
        let best = |is_informed: bool| {
            let of_kind = cheats.iter().filter(|(_, cheat)| cheat.is_informed() == is_informed);
            let scored = of_kind.filter_map(|(name, _)| {
                let score = report.agents.get(*name)?.overall.score(metric);
                Some(BestCheat { agent: (*name).to_owned(), value: score.value?, n: score.n })
            });
            // Of equals the first.
            scored.reduce(|best, other| if other.value > best.value { other } else { best })
        };
        CheatFloor { metric: metric.to_owned(), blind: best(false), informed: best(true) }
    };
    let metrics = card.in_table().filter(|metric| metric.direction == Direction::Up && !cheats.is_empty());
    metrics.map(|metric| floor(metric.name)).collect()
}

/// The floors as lines; nothing without cheats.
pub(super) fn block(card: &Card, floors: &[CheatFloor]) -> String {
    let told = |best: &Option<BestCheat>, kind: &str| {
        best.as_ref().map(|best| format!("{} {kind} ({})", two_digits(best.value), plain(&best.agent)))
    };
    let line = |floor: &CheatFloor| {
        let told = [told(&floor.blind, "without the work"), told(&floor.informed, "with the right calls")];
        let told: Vec<String> = told.into_iter().flatten().collect();
        let title = card.metric(&floor.metric).map_or(floor.metric.as_str(), |metric| metric.title);
        (!told.is_empty()).then(|| format!("  {title}: {}\n", told.join(", ")))
    };
    let lines: String = floors.iter().filter_map(line).collect();
    if lines.is_empty() { lines } else { format!("the best of the cheats\n{lines}") }
}
