//! What a reader of the table should know beside it: agents that broke off, faults of authors, an oracle that fails.

use std::collections::BTreeMap;

use super::exit::Exit;
use super::output::count;
use probity_bench::{AgentName, Barrier, Card, EndReason, EpisodeRecord, Event, NamedAgent, RunConfig};
use probity_engine::plain::plain;
use probity_report::Report;

/// How often something happened, and what was said of it first.
#[derive(Default)]
struct Repeated {
    times: usize,
    first: String,
}

impl Repeated {
    fn add(&mut self, detail: &str) {
        if self.times == 0 {
            detail.lines().next().unwrap_or_default().clone_into(&mut self.first);
        }
        self.times += 1;
    }
}

/// What is worth a remark, while the episodes of a run are read.
#[derive(Default)]
pub struct Remarks {
    episodes: BTreeMap<String, usize>,
    /// Episodes in which an agent never said anything.
    unstarted: BTreeMap<String, usize>,
    /// How they ended, if otherwise than by the user having nothing left to say.
    ends: BTreeMap<(String, EndReason), Repeated>,
    /// Episodes that could not be scored, by agent.
    unscorable: BTreeMap<String, Repeated>,
    /// Calls that were refused by a fault of the environment, not of the agent, by environment and tool.
    author_faults: BTreeMap<(String, String), Repeated>,
}

impl Remarks {
    /// Reads the next episode in unit order.
    pub fn add(&mut self, record: &EpisodeRecord) {
        *self.episodes.entry(record.agent.clone()).or_default() += 1;
        if record.is_unstarted() {
            *self.unstarted.entry(record.agent.clone()).or_default() += 1;
        }
        if let Some(why) = &record.scores.unscorable {
            self.unscorable.entry(record.agent.clone()).or_default().add(why);
        }
        if let Some((reason, detail)) = record.trace.end().filter(|(reason, _)| *reason != EndReason::Completed) {
            // What a process says last is most often why.
            let said = record.agent_errors.iter().flat_map(|said| said.lines()).rfind(|line| !line.trim().is_empty());
            let said = said.map(|line| format!(" (`{}`)", plain(line.trim()))).unwrap_or_default();
            self.ends
                .entry((record.agent.clone(), reason))
                .or_default()
                .add(&format!("{}{said}", detail.unwrap_or_default()));
        }
        let task = record.trace.header.task.as_str();
        let environment = task.rsplit_once('/').map_or(task, |(environment, _)| environment);
        for event in &record.trace.events {
            let Event::Step(step) = event else { continue };
            let Some(rejection) = step.rejection().filter(|rejection| rejection.kind.is_author_fault()) else {
                continue;
            };
            let detail = rejection.detail.as_deref().unwrap_or(&rejection.message);
            self.author_faults.entry((environment.to_owned(), step.tool.clone())).or_default().add(detail);
        }
    }

    /// How a run ends with such episodes.
    pub fn exit(&self) -> Exit {
        match self.never_started().next().is_some() || self.ends.keys().any(|(_, reason)| reason.is_unreached()) {
            true => Exit::Infrastructure,
            false if !self.unscorable.is_empty() => Exit::Failed,
            false => Exit::Clean,
        }
    }

    /// Agents that said nothing in any episode.
    fn never_started(&self) -> impl Iterator<Item = &str> {
        let is_all = |(agent, times): &(&String, &usize)| self.episodes.get(*agent) == Some(*times);
        self.unstarted.iter().filter(is_all).map(|(agent, _)| agent.as_str())
    }

    /// What is said even where nothing else is.
    pub fn warnings(&self) -> Vec<String> {
        let warning = |agent: &str| {
            let first = self.ends.get(&(agent.to_owned(), EndReason::AgentFailed)).map(|found| found.first.as_str());
            let why = first.filter(|why| !why.is_empty()).map(|why| format!(", first: {why}")).unwrap_or_default();
            let all = self.episodes.get(agent).copied().unwrap_or_default();
            format!("{agent} never started: none of its {} is scored{why}", count(all, "episode"))
        };
        self.never_started().map(warning).collect()
    }

    /// Agents that failed in every episode: nothing but that was measured.
    fn broken(&self) -> impl Iterator<Item = &str> {
        let failed = self.ends.iter().filter(|((_, reason), _)| *reason == EndReason::AgentFailed);
        let failed = failed.filter(|((agent, _), _)| !self.never_started().any(|silent| silent == agent));
        let is_all = |agent: &str, times: usize| self.episodes.get(agent) == Some(&times);
        failed.filter(move |((agent, _), found)| is_all(agent, found.times)).map(|((agent, _), _)| agent.as_str())
    }

    /// Whether some process failed behind a barrier, which may be in its way.
    pub fn is_barred(&self, config: &RunConfig) -> bool {
        let has_barrier = config.isolation.as_ref().is_some_and(|isolation| isolation.barrier == Barrier::Bubblewrap);
        let mut processes = config.agents.iter().filter(|named| matches!(named.agent, AgentName::Exec(_)));
        has_barrier && processes.any(|named| self.ends.contains_key(&(named.name.clone(), EndReason::AgentFailed)))
    }

    pub fn lines(&self, card: &Card, report: &Report, agents: &[NamedAgent]) -> Vec<String> {
        let mut lines = self.broken_off();
        lines.extend(self.broken().map(|agent| {
            format!(
                "{agent} failed in every episode, so nothing was measured: mend its command before the numbers are used"
            )
        }));
        lines.extend(self.unscorable.iter().map(|(agent, Repeated { times, first })| {
            format!("{} of {agent} could not be scored, first: {first}", count(*times, "episode"))
        }));
        lines.extend(self.author_faults.iter().map(|((environment, tool), Repeated { times, first })| {
            format!("{environment} is at fault in {} of `{tool}`, first: {first}", count(*times, "call"))
        }));
        // Any agent may be called `oracle`: what it was asked to be tells.
        let oracles = agents.iter().filter(|agent| agent.agent == AgentName::Oracle);
        let oracles = oracles.filter_map(|agent| report.agents.get(&agent.name));
        let mut values = oracles.filter_map(|oracle| {
            let sure = card.sure.map_or(Some(&oracle.overall), |(factor, level)| oracle.at(factor, level));
            sure?.score(card.headline()).value
        });
        if values.any(|sr| sr < 1.0) {
            lines.push("the oracle does not reach 1.00, so a task is wrong: `probity check` says which".to_owned());
        }
        lines
    }

    fn broken_off(&self) -> Vec<String> {
        let line = |((agent, reason), Repeated { times, first }): (&(String, EndReason), &Repeated)| {
            let all = self.episodes.get(agent).copied().unwrap_or_default();
            let what = match reason {
                EndReason::Completed => "completed",
                EndReason::MaxMessages => "used up its messages",
                EndReason::AgentFailed => "failed",
                EndReason::ContextOverflow => "could not read so long a dialogue",
                EndReason::ProviderUnreachable => "could not be reached",
                EndReason::UserUnreachable => "had a user whose model or programs could not be reached",
            };
            let why = if first.is_empty() { String::new() } else { format!(", first: {first}") };
            format!("{agent} {what} in {times} of {}{why}", count(all, "episode"))
        };
        self.ends.iter().map(line).collect()
    }
}
