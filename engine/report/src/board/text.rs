//! The board as text for a terminal.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::data::{Board, SuiteBoard};
use super::entry::{BoardAgent, BoardRun, BoardScore, Rank};
use crate::table::count;
use probity_bench::{AgentGroup, Metric};
use probity_engine::number::two_digits;
use probity_engine::plain::{brief, plain};

/// Characters of a name that a table shows.
const NAME: usize = 40;

/// Where an agent of a run stands, and what it is called.
const TIERS: [&str; 5] = ["examined agents", "not ranked", "built-in agents", "planted faults", "cheats"];

struct Line<'a> {
    tier: usize,
    run: &'a BoardRun,
    agent: &'a BoardAgent,
}

impl Board {
    /// A table for each suite, below it why what is not ranked is not.
    pub fn text(&self, width: usize) -> String {
        let mut blocks: Vec<String> = self.suites.iter().map(|suite| suite.text(width)).collect();
        let unread = self.unread.iter().map(|unread| format!("  {}: {}\n", named(&unread.run), plain(&unread.why)));
        blocks.push(block("no run that can be counted", unread));
        blocks.retain(|block| !block.is_empty());
        blocks.join("\n")
    }
}

impl SuiteBoard {
    fn text(&self, width: usize) -> String {
        let lines = self.lines();
        let table = self.table(&lines);
        let is_wide = table.lines().all(|line| line.chars().count() <= width);
        let numbers = if is_wide { table } else { self.stacked(&lines) };
        let of_runs = |of: fn(&BoardRun) -> &[String]| {
            let lines = self.runs.iter().flat_map(move |run| of(run).iter().map(move |what| (run, what)));
            lines.map(|(run, what)| format!("  {}: {}\n", named(&run.run), plain(what))).collect::<Vec<_>>()
        };
        let agents = self.runs.iter().flat_map(|run| run.agents.iter().map(move |agent| (run, agent)));
        let of_agents = agents.flat_map(|(run, agent)| {
            let name = of(run, agent);
            agent.not_ranked.iter().map(move |what| format!("  {name}: {}\n", plain(what)))
        });
        let title = self.card.metrics.first().map_or("", |metric| metric.title);
        let rankless = lines.iter().filter(|line| line.tier == 0).filter_map(|Line { run, agent, .. }| {
            let Some(Rank::No(why)) = agent.ranks.first() else { return None };
            Some(format!("  {}: {why}\n", of(run, agent)))
        });
        let blocks = [
            block(&format!("no rank by {title}"), rankless),
            block("not ranked", of_runs(|run| &run.not_ranked).into_iter().chain(of_agents)),
            block("to know", of_runs(|run| &run.remarks).into_iter()),
            self.terms(),
            self.legend(),
        ];
        let blocks = blocks.into_iter().filter(|block| !block.is_empty());
        let blocks: String = blocks.map(|block| format!("\n{block}")).collect();
        format!("{}: {}\n{numbers}{blocks}", self.card.name, count(self.runs.len(), "run"))
    }

    /// The agents in their tiers: the ranked best first, the others in the order given.
    fn lines(&self) -> Vec<Line<'_>> {
        let agents = self.runs.iter().flat_map(|run| run.agents.iter().map(move |agent| (run, agent)));
        let mut lines: Vec<Line> = agents.map(|(run, agent)| Line { tier: tier(run, agent), run, agent }).collect();
        let sign = self.card.metrics.first().map_or(1.0, |metric| metric.direction.sign());
        let value = |line: &Line| {
            let value = line.agent.overall.first().and_then(|score| score.value).filter(|_| line.tier == 0)?;
            Some(sign * value)
        };
        let place = |line: &Line| line.agent.ranks.first().and_then(Rank::place).unwrap_or(usize::MAX);
        lines.sort_by(|a, b| {
            let by_value = value(b).unwrap_or(f64::MIN).total_cmp(&value(a).unwrap_or(f64::MIN));
            a.tier.cmp(&b.tier).then(place(a).cmp(&place(b))).then(by_value)
        });
        lines
    }

    fn table(&self, lines: &[Line]) -> String {
        let mut table = Table::new();
        table.load_style(NOTHING);
        let titles = self.card.in_table().map(|metric| metric.title.to_owned());
        let ends = ["scored", "not scored"].map(str::to_owned);
        table.set_header(["rank", "agent", "run"].map(str::to_owned).into_iter().chain(titles).chain(ends));
        let mut last = None;
        for line in lines {
            if last.replace(line.tier) != Some(line.tier) {
                table.add_row(["", TIERS.get(line.tier).copied().unwrap_or_default()]);
            }
            let headline = line.agent.overall.first();
            let sizes = headline.map_or([0, 0], |score| [score.n, score.not_scored]).map(|size| size.to_string());
            let names = [rank(line.agent), format!("  {}", called(line.agent)), named(&line.run.run)];
            table.add_row(names.into_iter().chain(line.agent.overall.iter().map(score)).chain(sizes));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if index != 1 && index != 2 {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    fn stacked(&self, lines: &[Line]) -> String {
        let mut text = String::new();
        let mut last = None;
        for line in lines {
            if last.replace(line.tier) != Some(line.tier) {
                text.push_str(&format!("{}\n", TIERS.get(line.tier).copied().unwrap_or_default()));
            }
            let (name, run) = (called(line.agent), named(&line.run.run));
            text.push_str(&format!("{:>4}  {name}, run {run}\n", rank(line.agent)));
            let scores = self.card.in_table().zip(&line.agent.overall);
            let told = |(metric, own): (&Metric, &BoardScore)| format!("        {:<24} {}\n", metric.title, score(own));
            text.extend(scores.map(told));
        }
        text
    }

    /// What stands below the table of a run, but for its first line: that explains a column with changes in it.
    fn legend(&self) -> String {
        self.card.legend.lines().skip(1).map(|line| format!("{line}\n")).collect()
    }

    /// What ranked runs have in common, and what a rank is.
    fn terms(&self) -> String {
        let Some(usual) = &self.usual else { return "No agent is ranked.\n".to_owned() };
        let (all, headline) = (self.runs.len(), self.card.metrics.first().map_or("", |metric| metric.title));
        let instances = count(usual.task_instances, "task instance");
        format!(
            "Ranked are runs that were played as most were ({} of {all}, the first is run {}): probity {}, {instances}, user {}.\nRank by {headline}: one more than there are ranked agents whose 95 % interval is wholly better, each by its last run; `probity compare` tells two of them apart better.\n",
            usual.runs,
            usual.first,
            plain(&usual.engine),
            plain(&usual.user),
        )
    }
}

fn tier(run: &BoardRun, agent: &BoardAgent) -> usize {
    match agent.group {
        AgentGroup::Examined if run.not_ranked.is_empty() && agent.is_ranked() => 0,
        AgentGroup::Examined => 1,
        AgentGroup::BuiltIn => 2,
        AgentGroup::PlantedFault => 3,
        AgentGroup::Cheat => 4,
    }
}

/// Its name, and what stands behind it where that is something else.
fn called(agent: &BoardAgent) -> String {
    let name = brief(&agent.agent, NAME);
    if agent.what == agent.agent { name } else { format!("{name} ({})", brief(&agent.what, NAME)) }
}

fn of(run: &BoardRun, agent: &BoardAgent) -> String {
    format!("{}, {}", named(&run.run), brief(&agent.agent, NAME))
}

fn named(run: &super::RunName) -> String {
    format!("#{} {}", run.number, brief(&run.label, NAME))
}

fn block(title: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("{title}\n{lines}") }
}

fn rank(agent: &BoardAgent) -> String {
    agent.ranks.first().and_then(Rank::place).map_or("-".to_owned(), |rank| rank.to_string())
}

/// `0.88 [0.75, 0.97]`; what is not scored says so.
fn score(score: &BoardScore) -> String {
    let value = score.value.map_or("not scored".to_owned(), two_digits);
    let ends = score.interval.filter(|_| score.value.is_some());
    ends.map_or(value.clone(), |(low, high)| format!("{value} [{}, {}]", two_digits(low), two_digits(high)))
}
