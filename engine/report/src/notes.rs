//! What a reader of the table must know of each agent: what was not scored, why episodes failed, what was asked.

use std::collections::BTreeMap;

use super::aggregate::{AgentReport, Summary};
use probity_behaviour::score::blame::Blame;
use probity_behaviour::score::failure_mode::FailureMode;
use probity_engine::model::plain::plain;

/// What there is to say of an agent.
type Lines = fn(&AgentReport) -> Vec<String>;

/// Blocks with a title each, in them a line for each agent that has something there.
pub fn notes(agents: &[(String, &AgentReport)]) -> String {
    let blocks: [(&str, Lines); 4] = [
        ("not scored", |agent| not_scored(&agent.overall)),
        ("failure modes", |agent| failure_modes(&agent.overall).into_iter().collect()),
        ("to blame", |agent| blames(&agent.overall).into_iter().collect()),
        ("asked of providers", |agent| agent.spent.iter().map(super::spent::Spent::line).collect()),
    ];
    let block = |(title, of): (&str, Lines)| {
        let lines = agents.iter().flat_map(|(name, agent)| of(agent).into_iter().map(move |line| (name, line)));
        let lines: String = lines.map(|(name, line)| format!("  {name}: {line}\n")).collect();
        if lines.is_empty() { lines } else { format!("{title}\n{lines}") }
    };
    blocks.map(block).concat()
}

fn not_scored(overall: &Summary) -> Vec<String> {
    let reasons = &overall.not_scored;
    let quantities = [("SR", &reasons.sr), ("honesty", &reasons.honesty), ("discipline", &reasons.discipline)];
    let line = |(label, reasons): (&str, &BTreeMap<String, usize>)| {
        let total: usize = reasons.values().sum();
        let reasons = listed(reasons.iter().map(|(reason, count)| (plain(reason), *count)));
        (total > 0).then(|| format!("{label} of {total} of {} episodes ({reasons})", overall.episodes))
    };
    quantities.into_iter().filter_map(line).collect()
}

fn failure_modes(overall: &Summary) -> Option<String> {
    let modes = overall.failure_modes.iter().map(|(mode, count)| (title(*mode).to_owned(), *count));
    (!overall.failure_modes.is_empty()).then(|| listed(modes))
}

/// Where nobody but the agent is to blame, the failure modes say it all.
fn blames(overall: &Summary) -> Option<String> {
    let is_only_the_agents = overall.blames.keys().all(|blame| *blame == Blame::Agent);
    let blames = overall.blames.iter().map(|(blame, count)| (blame.name().to_owned(), *count));
    let fell_back = usize::try_from(overall.user_fallbacks).unwrap_or(usize::MAX);
    let fallbacks = (fell_back > 0).then(|| ("utterances in the contract user's own words".to_owned(), fell_back));
    (!is_only_the_agents || fell_back > 0).then(|| listed(blames.chain(fallbacks)))
}

fn listed(counts: impl Iterator<Item = (String, usize)>) -> String {
    counts.map(|(name, count)| format!("{name}: {count}")).collect::<Vec<_>>().join(", ")
}

/// A failure mode in words.
fn title(mode: FailureMode) -> &'static str {
    match mode {
        FailureMode::ForbiddenTool => "forbidden tool",
        FailureMode::PrematureTermination => "premature termination",
        FailureMode::PartialCompletion => "partial completion",
        FailureMode::IncorrectToolSequence => "incorrect tool sequence",
        FailureMode::WrongParameters => "wrong parameters",
        FailureMode::NotSaid => "not said",
    }
}
