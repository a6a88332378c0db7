//! The report as text for a terminal, in the shape of the paper's table. Knows no terminal: the width is given.

use std::fmt::Write as _;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};

use super::aggregate::{AgentReport, Report, Score, Summary};
use super::cheats;
use super::judged::Judged;
use super::spent::Spent;
use probity_bench::{Card, Factor, Level, Sheet, SheetCell, SheetRow, Tag, Visibility};
use probity_engine::number::two_digits;
use probity_engine::plain::plain;

/// Terminals narrower than this get one block for each agent instead of a table.
pub(crate) const MIN_TABLE_WIDTH: usize = 100;

/// What stands below a table with a judge's columns.
const JUDGED: &str =
    "(judge): grades of a language model over the best there could be; in none of the other numbers.\n";

/// The report as text: the agents in the order given, then those the order does not name.
pub fn render(card: &Card, report: &Report, order: &[String], width: usize) -> String {
    let agents = ordered(report, order);
    let judged = report.judged.as_ref();
    let mut text =
        if width < MIN_TABLE_WIDTH { stacked(card, &agents, judged) } else { table(card, &agents, judged, width) };
    let note = judged.map(Judged::note).unwrap_or_default();
    let legend = if judged.is_some() { format!("{}{JUDGED}", card.legend) } else { card.legend.to_owned() };
    for block in
        [sheets(&agents), notes(card, &agents), cheats::block(card, &report.cheats), note, legend, colophon(report)]
    {
        if !block.is_empty() {
            let _ = write!(text, "\n{block}");
        }
    }
    text
}

fn colophon(report: &Report) -> String {
    let counts = &report.counts;
    let levels = counts.levels.iter().map(|(factor, count)| (*count, factor.as_str()));
    let others = [(counts.tasks, "task"), (counts.task_instances, "task instance"), (report.episodes, "episode")];
    let counts: Vec<String> = levels.chain(others).map(|(number, noun)| count(number, noun)).collect();
    let isolation = report.isolation.iter().map(|how| format!("{}\n", plain(how))).collect::<String>();
    format!("{}\n{isolation}digest {}\n", counts.join(", "), report.digest)
}

fn ordered<'a>(report: &'a Report, order: &[String]) -> Vec<(String, &'a AgentReport)> {
    report.ordered(order).into_iter().map(|(name, agent)| (plain(name), agent)).collect()
}

/// How a table is set: with full titles on wide terminals, with short ones on others.
#[derive(Clone, Copy, PartialEq)]
enum Setting {
    Wide,
    Narrow,
}

fn table(card: &Card, agents: &[(String, &AgentReport)], judged: Option<&Judged>, width: usize) -> String {
    let wide = lines(&build(card, agents, judged, Setting::Wide), Setting::Wide);
    if wide.lines().all(|line| line.chars().count() <= width) {
        return wide;
    }
    let mut narrow = build(card, agents, judged, Setting::Narrow);
    narrow.set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::try_from(width).unwrap_or(u16::MAX));
    lines(&narrow, Setting::Narrow)
}

fn lines(table: &Table, setting: Setting) -> String {
    let mut lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let titles = match setting {
        Setting::Wide => 2,
        Setting::Narrow => 3,
    };
    lines.insert(titles.min(lines.len()), "─".repeat(width));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn build(card: &Card, agents: &[(String, &AgentReport)], judged: Option<&Judged>, setting: Setting) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let titles = columns(card).map(|(_, level)| title(level, setting));
    let overall = match setting {
        Setting::Wide => "overall",
        Setting::Narrow => "over-\nall",
    };
    let metrics = card.in_table().skip(1).map(|metric| metric_title(metric.title, setting));
    let scales = judged.into_iter().flat_map(|judged| &judged.scales).map(|scale| judged_title(scale, setting));
    let titles = ["agent".to_owned()].into_iter().chain(titles).chain([overall.to_owned()]).chain(metrics);
    table.set_header(titles.chain(["scored", "not\nscored"].map(str::to_owned)).chain(scales));
    for (name, agent) in agents {
        table.add_row(row(card, name, agent, judged, setting));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if setting == Setting::Wide { 2 } else { 1 }));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The levels that are columns, with their factor.
fn columns(card: &Card) -> impl Iterator<Item = (&'static Factor, &'static Level)> {
    card.columns().into_iter().flat_map(|factor| factor.levels.iter().map(move |level| (factor, level)))
}

fn title(level: &Level, setting: Setting) -> String {
    match setting {
        Setting::Wide => level.title.join("\n"),
        Setting::Narrow => level.short.join("\n"),
    }
}

/// `Honesty (rules)` in two lines; a long word in two more where it is narrow.
fn metric_title(title: &str, setting: Setting) -> String {
    let title = title.to_lowercase().replace(' ', "\n");
    let broken = |line: &str| match (line.chars().count(), setting) {
        (9.., Setting::Narrow) => {
            let (start, end): (String, String) = (line.chars().take(5).collect(), line.chars().skip(5).collect());
            format!("{start}-\n{end}")
        }
        _ => line.to_owned(),
    };
    title.lines().map(broken).collect::<Vec<_>>().join("\n")
}

/// The title of a judge's column, in two lines or in three.
fn judged_title(scale: &str, setting: Setting) -> String {
    match setting {
        Setting::Wide => format!("{scale}\n(judge)"),
        Setting::Narrow => {
            let half = scale.chars().count() / 2;
            let (start, end): (String, String) =
                (scale.chars().take(half).collect(), scale.chars().skip(half).collect());
            format!("{start}-\n{end}\n(judge)")
        }
    }
}

fn row(card: &Card, name: &str, agent: &AgentReport, judged: Option<&Judged>, setting: Setting) -> Vec<Cell> {
    let overall = &agent.overall;
    let headline = overall.score(card.headline());
    let separator = match setting {
        Setting::Wide => " ",
        Setting::Narrow => "\n",
    };
    let mut row = vec![name.to_owned()];
    row.extend(columns(card).map(|(factor, level)| {
        agent.at(factor.name, level.name).map_or("-".to_owned(), |s| rate(&s.score(card.headline()), separator, FEWEST))
    }));
    row.extend(card.in_table().map(|metric| number(&overall.score(metric.name))));
    row.extend([headline.n.to_string(), headline.not_scored.to_string()]);
    row.extend(judged.into_iter().flat_map(|judged| judged.of(name)).map(|(_, mean)| mean.shown()));
    row.into_iter().map(Cell::new).collect()
}

/// Episodes below which a change in percent says nothing, where the number of episodes does not stand beside it.
const FEWEST: usize = 20;

/// The first metric with its relative change against the baseline, where that is of enough episodes: `0.62 (-18%)`.
fn rate(score: &Score, separator: &str, fewest: usize) -> String {
    let change = score
        .change
        .filter(|_| score.n >= fewest)
        .map_or(String::new(), |change| format!("{separator}({})", percent(change)));
    format!("{}{change}", number(score))
}

fn percent(change: f64) -> String {
    let text = format!("{:+.0}%", change * 100.0);
    if text == "+0%" || text == "-0%" { "0%".to_owned() } else { text }
}

/// Two digits; 0.00 and 1.00 only for what is 0 and 1; `-` for what is not scored.
fn number(score: &Score) -> String {
    score.value.map_or("-".to_owned(), two_digits)
}

fn stacked(card: &Card, agents: &[(String, &AgentReport)], judged: Option<&Judged>) -> String {
    let mut text = String::new();
    for (index, (name, agent)) in agents.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}{name}");
        for (factor, level) in columns(card) {
            let score =
                agent.at(factor.name, level.name).map(|summary| summary.score(card.headline())).unwrap_or_default();
            stacked_line(&mut text, level.name, &rate(&score, " ", 0), &score);
        }
        for (place, metric) in card.in_table().enumerate() {
            let score = agent.overall.score(metric.name);
            let label = if place == 0 { "overall".to_owned() } else { metric.title.to_lowercase() };
            stacked_line(&mut text, &label, &number(&score), &score);
        }
        for (scale, mean) in judged.into_iter().flat_map(|judged| judged.of(name)) {
            let _ = writeln!(text, "  {:<25} {:<12} n {}", format!("{scale} (judge)"), mean.shown(), mean.graded);
        }
    }
    text
}

fn stacked_line(text: &mut String, label: &str, value: &str, score: &Score) {
    let missing = if score.not_scored > 0 { format!(", {} not scored", score.not_scored) } else { String::new() };
    let _ = writeln!(text, "  {label:<25} {value:<12} n {}{missing}", score.n);
}

/// `1 task`, `3 tasks`, `2 categories`.
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

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

pub(super) fn sheets(agents: &[(String, &AgentReport)]) -> String {
    let printed = agents.iter().flat_map(|(name, agent)| {
        agent.sheets.iter().filter(|sheet| sheet.place == Visibility::Table).map(move |sheet| one(name, sheet))
    });
    printed.collect::<Vec<_>>().join("\n")
}

fn one(agent: &str, sheet: &Sheet) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(std::iter::once(String::new()).chain(sheet.columns.iter().map(|title| broken(title))));
    for SheetRow { name, cells } in &sheet.rows {
        table.add_row(std::iter::once(plain(name)).chain(cells.iter().map(cell)));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if index == 0 { 2 } else { 0 }, 2));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: String = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    format!("{agent}: {}\n{lines}  {}\n", plain(&sheet.title), plain(&sheet.note))
}

fn broken(title: &str) -> String {
    plain(title).replace(' ', "\n")
}

/// `0.62`, and below it what to make of it; `-` for what is undefined.
fn cell(cell: &SheetCell) -> String {
    let value = cell.value.map_or("-".to_owned(), signed);
    cell.remark.iter().fold(value, |value, remark| format!("{value} ({})", plain(remark)))
}

fn signed(value: f64) -> String {
    if value < 0.0 { format!("-{}", two_digits(-value)) } else { two_digits(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::{Digest, SuiteCounts};
    use crate::sketch::Sketch;
    use probity_behaviour::benchmark::CARD;
    use probity_behaviour::model::variant::Variant;
    use probity_bench::EpisodeRecord;

    fn records() -> Vec<EpisodeRecord> {
        let mut records = Vec::new();
        for variant in Variant::ALL {
            for trial in 0..if variant == Variant::Underspecification { 6 } else { 20 } {
                records.push(Sketch { variant, claims: (2, 2), trial, ..Sketch::default() }.record());
            }
            let is_ideal = variant == Variant::Ideal;
            for trial in 0..30 {
                let sr = if variant == Variant::GoalSwitching { None } else { Some(is_ideal || trial % 3 > 0) };
                let sketch = Sketch { agent: "heuristic", trial, sr, variant, findings: 1, ..Sketch::default() };
                records.push(sketch.record());
            }
        }
        records
    }

    fn shown(width: usize) -> String {
        let levels = [("domain".to_owned(), 1), ("environment".to_owned(), 1)].into();
        let counts = SuiteCounts { levels, tasks: 1, task_instances: 7 };
        let digest = Digest::default().hash().to_string();
        let report = Report { digest, ..crate::sample::report(&CARD, &records(), counts) };
        render(&CARD, &report, &["oracle".to_owned(), "heuristic".to_owned()], width)
    }

    #[test]
    fn wide_terminals_get_the_papers_table() {
        insta::assert_snapshot!(shown(160), @r"
        agent      ideal         under-  information   fabricated       goal  contradictory     impatience  overall  honesty  discipline  scored     not
                          specification     overload   parameters  switching    constraints  and hostility           (rules)     (rules)          scored
        ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        oracle      1.00           1.00    1.00 (0%)    1.00 (0%)  1.00 (0%)      1.00 (0%)      1.00 (0%)     1.00     1.00        1.00     126       0
        heuristic   1.00    0.67 (-33%)  0.67 (-33%)  0.67 (-33%)          -    0.67 (-33%)    0.67 (-33%)     0.72        -        0.80     180      30

        not scored
          heuristic: SR of 30 of 210 episodes (the agent's provider could not be reached: 30)
          heuristic: honesty of 210 of 210 episodes (no claim was made: 180, the agent's provider could not be reached: 30)
          heuristic: discipline of 30 of 210 episodes (the agent's provider could not be reached: 30)
        failure modes
          heuristic: wrong parameters: 50
        to blame
          heuristic: agent: 50, infrastructure: 30

        SR: mean over scored episodes, beside it the relative change against ideal, of 20 episodes or more; - is not scored, never 0.
        (rules): found by rules, not by a language model; not the paper's judged quantity, so not comparable with it.

        1 domain, 1 environment, 1 task, 7 task instances, 336 episodes
        digest sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945
        ");
    }

    #[test]
    fn narrower_ones_get_short_titles_and_changes_below() {
        let text = shown(100);
        assert!(text.lines().take(8).all(|line| line.chars().count() <= 100), "{text}");
        insta::assert_snapshot!(text.split("\n\n").next().unwrap(), @r"
        agent     ideal  under- inform. fabric.    goal contra-  impat. over- honesty  disci- scored    not
                        specif.  overl.  param. switch. dictory hostil.   all (rules)   pline        scored
                                                                                      (rules)
        ───────────────────────────────────────────────────────────────────────────────────────────────────
        oracle     1.00    1.00    1.00    1.00    1.00    1.00    1.00  1.00    1.00    1.00    126      0
                                   (0%)    (0%)    (0%)    (0%)    (0%)
        heuristic  1.00    0.67    0.67    0.67       -    0.67    0.67  0.72       -    0.80    180     30
                         (-33%)  (-33%)  (-33%)          (-33%)  (-33%)
        ");
    }

    #[test]
    fn narrow_ones_get_one_block_for_each_agent() {
        insta::assert_snapshot!(shown(60).split("\n\n").nth(1).unwrap(), @r"
        heuristic
          ideal                     1.00         n 30
          underspecification        0.67 (-33%)  n 30
          information_overload      0.67 (-33%)  n 30
          fabricated_parameters     0.67 (-33%)  n 30
          goal_switching            -            n 0, 30 not scored
          contradictory_constraints 0.67 (-33%)  n 30
          impatience_and_hostility  0.67 (-33%)  n 30
          overall                   0.72         n 180, 30 not scored
          honesty (rules)           -            n 0, 210 not scored
          discipline (rules)        0.80         n 180, 30 not scored
        ");
    }

    #[test]
    fn rounding_never_claims_all_or_nothing() {
        let score = |value| Score { value, n: 1000, ..Score::default() };
        let shown = [Some(0.999), Some(1.0), Some(0.001), Some(0.0), None].map(|value| number(&score(value)));
        assert_eq!(shown, ["0.99", "1.00", "0.01", "0.00", "-"]);
        assert_eq!([percent(-0.001), percent(-0.181), percent(0.5)], ["0%", "-18%", "+50%"]);
    }
}
