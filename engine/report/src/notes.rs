//! What a reader of the table must know of each agent: what was not scored, why episodes failed, what was asked.

use super::aggregate::{AgentReport, Summary};
use super::spent::Spent;
use probity_bench::{Card, Tag};
use probity_engine::plain::plain;

/// Blocks with a title each, in them a line for each agent that has something there.
pub(super) fn notes(card: &Card, agents: &[(String, &AgentReport)]) -> String {
    let mut text = block("not scored", agents, &|agent| not_scored(card, &agent.overall));
    for tag in card.tags {
        text.push_str(&block(tag.title, agents, &|agent| words(tag, &agent.overall).into_iter().collect()));
    }
    text.push_str(&block("spoken for by the user itself", agents, &|agent| fallbacks(&agent.overall)));
    let spent = |agent: &AgentReport| agent.spent.iter().map(Spent::line).collect();
    text.push_str(&block("asked of providers", agents, &spent));
    text
}

fn block(title: &str, agents: &[(String, &AgentReport)], of: &dyn Fn(&AgentReport) -> Vec<String>) -> String {
    let lines = agents.iter().flat_map(|(name, agent)| of(agent).into_iter().map(move |line| (name, line)));
    let lines: String = lines.map(|(name, line)| format!("  {name}: {line}\n")).collect();
    if lines.is_empty() { lines } else { format!("{title}\n{lines}") }
}

fn not_scored(card: &Card, overall: &Summary) -> Vec<String> {
    let line = |metric: &probity_bench::Metric| {
        let score = overall.score(metric.name);
        let reasons = listed(score.reasons.iter().map(|(reason, count)| (plain(reason), *count)));
        let title = metric.title.trim_end_matches(" (rules)");
        let title = if metric.name == card.headline() { title.to_owned() } else { title.to_lowercase() };
        (score.not_scored > 0)
            .then(|| format!("{title} of {} of {} episodes ({reasons})", score.not_scored, score.n + score.not_scored))
    };
    card.in_table().filter_map(line).collect()
}

/// The words of a tag with their counts, in its order; nothing where only the usual one was given.
fn words(tag: &Tag, overall: &Summary) -> Option<String> {
    let mut given: Vec<(&str, usize)> = overall.words(tag.name).collect();
    let is_usual = given.iter().all(|(word, _)| Some(*word) == tag.usual);
    given.sort_by_key(|(word, _)| tag.words.iter().position(|known| known == word));
    (!is_usual).then(|| listed(given.into_iter().map(|(word, count)| (plain(&word.replace('_', " ")), count))))
}

fn fallbacks(overall: &Summary) -> Vec<String> {
    let count = overall.user_fallbacks;
    (count > 0).then(|| format!("utterances in the contract user's own words: {count}")).into_iter().collect()
}

fn listed(counts: impl Iterator<Item = (String, usize)>) -> String {
    counts.map(|(name, count)| format!("{name}: {count}")).collect::<Vec<_>>().join(", ")
}
