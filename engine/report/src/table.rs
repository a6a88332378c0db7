//! The report as text for a terminal, in the shape of the paper's table. Knows no terminal: the width is given.

use std::fmt::Write as _;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};

use super::aggregate::{AgentReport, Report, Score, Summary};
use super::judged::Judged;
use super::notes::notes;
use probity_engine::model::ids::Variant;
use probity_engine::model::number::two_digits;
use probity_engine::model::plain::plain;

/// Terminals narrower than this get one block for each agent instead of a table.
pub const MIN_TABLE_WIDTH: usize = 100;

/// What stands below every table.
const LEGEND: &str = "\
SR: mean over scored episodes, beside it the relative change against ideal; - is not scored, never 0.
(rules): found by rules, not by a language model; not the paper's judged quantity, so not comparable with it.
";

/// What stands below a table with a judge's columns.
const JUDGED: &str =
    "(judge): grades of a language model over the best there could be; in none of the other numbers.\n";

/// The report as text: the agents in the order given, then those the order does not name.
pub fn render(report: &Report, order: &[String], width: usize) -> String {
    let agents = ordered(report, order);
    let judged = report.judged.as_ref();
    let mut text = if width < MIN_TABLE_WIDTH { stacked(&agents, judged) } else { table(&agents, judged, width) };
    let note = judged.map(Judged::note).unwrap_or_default();
    let legend = if judged.is_some() { format!("{LEGEND}{JUDGED}") } else { LEGEND.to_owned() };
    for block in [notes(&agents), note, legend, colophon(report)] {
        if !block.is_empty() {
            let _ = write!(text, "\n{block}");
        }
    }
    text
}

fn colophon(report: &Report) -> String {
    let suite = &report.suite;
    let counts = [
        (suite.environments, "environment"),
        (suite.domains, "domain"),
        (suite.tasks, "task"),
        (suite.task_instances, "task instance"),
        (report.episodes, "episode"),
    ];
    let counts = counts.map(|(count, noun)| format!("{count} {noun}{}", if count == 1 { "" } else { "s" }));
    format!("{}\ndigest {}\n", counts.join(", "), report.digest)
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

fn table(agents: &[(String, &AgentReport)], judged: Option<&Judged>, width: usize) -> String {
    let wide = lines(&build(agents, judged, Setting::Wide), Setting::Wide);
    if wide.lines().all(|line| line.chars().count() <= width) {
        return wide;
    }
    let mut narrow = build(agents, judged, Setting::Narrow);
    narrow.set_content_arrangement(ContentArrangement::Dynamic).set_width(u16::try_from(width).unwrap_or(u16::MAX));
    lines(&narrow, Setting::Narrow)
}

/// The table with a rule below its titles.
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

fn build(agents: &[(String, &AgentReport)], judged: Option<&Judged>, setting: Setting) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let titles = Variant::ALL.map(|variant| title(variant, setting));
    let others = match setting {
        Setting::Wide => ["overall", "honesty\n(rules)", "discipline\n(rules)", "scored", "not\nscored"],
        Setting::Narrow => ["over-\nall", "honesty\n(rules)", "disci-\npline\n(rules)", "scored", "not\nscored"],
    };
    let scales = judged.into_iter().flat_map(|judged| &judged.scales).map(|scale| judged_title(scale, setting));
    let titles = ["agent"].into_iter().chain(titles).chain(others).map(str::to_owned);
    table.set_header(titles.chain(scales));
    for (name, agent) in agents {
        table.add_row(row(name, agent, judged, setting));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if setting == Setting::Wide { 2 } else { 1 }));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn title(variant: Variant, setting: Setting) -> &'static str {
    let (wide, narrow) = match variant {
        Variant::Ideal => ("ideal", "ideal"),
        Variant::Underspecification => ("under-\nspecification", "under-\nspecif."),
        Variant::InformationOverload => ("information\noverload", "inform.\noverl."),
        Variant::FabricatedParameters => ("fabricated\nparameters", "fabric.\nparam."),
        Variant::GoalSwitching => ("goal\nswitching", "goal\nswitch."),
        Variant::ContradictoryConstraints => ("contradictory\nconstraints", "contra-\ndictory"),
        Variant::ImpatienceAndHostility => ("impatience\nand hostility", "impat.\nhostil."),
    };
    match setting {
        Setting::Wide => wide,
        Setting::Narrow => narrow,
    }
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

fn row(name: &str, agent: &AgentReport, judged: Option<&Judged>, setting: Setting) -> Vec<Cell> {
    let overall = &agent.overall;
    let separator = match setting {
        Setting::Wide => " ",
        Setting::Narrow => "\n",
    };
    let mut row = vec![name.to_owned()];
    row.extend(Variant::ALL.map(|variant| agent.variants.get(&variant).map_or("-".to_owned(), |s| rate(s, separator))));
    row.extend([overall.sr, overall.honesty, overall.discipline].map(number));
    row.extend([overall.sr.n.to_string(), overall.sr.not_scored.to_string()]);
    row.extend(judged.into_iter().flat_map(|judged| judged.of(name)).map(|(_, mean)| mean.shown()));
    row.into_iter().map(Cell::new).collect()
}

/// SR with its relative change against ideal: `0.62 (-18%)`.
fn rate(summary: &Summary, separator: &str) -> String {
    let change = summary.sr_change.map_or(String::new(), |change| format!("{separator}({})", percent(change)));
    format!("{}{change}", number(summary.sr))
}

/// A relative change in whole percent, with its sign.
fn percent(change: f64) -> String {
    let text = format!("{:+.0}%", change * 100.0);
    if text == "+0%" || text == "-0%" { "0%".to_owned() } else { text }
}

/// Two digits; 0.00 and 1.00 only for what is 0 and 1; `-` for what is not scored.
fn number(score: Score) -> String {
    score.value.map_or("-".to_owned(), two_digits)
}

fn stacked(agents: &[(String, &AgentReport)], judged: Option<&Judged>) -> String {
    let mut text = String::new();
    for (index, (name, agent)) in agents.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}{name}");
        for variant in Variant::ALL {
            let summary = agent.variants.get(&variant).cloned().unwrap_or_default();
            stacked_line(&mut text, variant.name(), &rate(&summary, " "), summary.sr);
        }
        let overall = &agent.overall;
        stacked_line(&mut text, "overall", &number(overall.sr), overall.sr);
        stacked_line(&mut text, "honesty (rules)", &number(overall.honesty), overall.honesty);
        stacked_line(&mut text, "discipline (rules)", &number(overall.discipline), overall.discipline);
        for (scale, mean) in judged.into_iter().flat_map(|judged| judged.of(name)) {
            let _ = writeln!(text, "  {:<25} {:<12} n {}", format!("{scale} (judge)"), mean.shown(), mean.graded);
        }
    }
    text
}

fn stacked_line(text: &mut String, label: &str, value: &str, score: Score) {
    let missing = if score.not_scored > 0 { format!(", {} not scored", score.not_scored) } else { String::new() };
    let _ = writeln!(text, "  {label:<25} {value:<12} n {}{missing}", score.n);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::{Digest, SuiteCounts};
    use probity_behaviour::run::record::EpisodeRecord;
    use probity_behaviour::run::sample::Sketch;

    fn records() -> Vec<EpisodeRecord> {
        let mut records = Vec::new();
        for variant in Variant::ALL {
            let oracle = Sketch { variant, claims: (2, 2), ..Sketch::default() };
            records.push(oracle.record());
            let is_ideal = variant == Variant::Ideal;
            for trial in 0..3 {
                let sr = if variant == Variant::GoalSwitching { None } else { Some(is_ideal || trial > 0) };
                let sketch = Sketch { agent: "heuristic", trial, sr, variant, findings: 1, ..Sketch::default() };
                records.push(sketch.record());
            }
        }
        records
    }

    fn shown(width: usize) -> String {
        let suite = SuiteCounts { environments: 1, domains: 1, tasks: 1, task_instances: 7 };
        let digest = Digest::default().hash().to_string();
        let report = Report { digest, ..Report::of(&records(), suite) };
        render(&report, &["oracle".to_owned(), "heuristic".to_owned()], width)
    }

    #[test]
    fn wide_terminals_get_the_papers_table() {
        insta::assert_snapshot!(shown(160), @r"
        agent      ideal         under-  information   fabricated       goal  contradictory     impatience  overall  honesty  discipline  scored     not
                          specification     overload   parameters  switching    constraints  and hostility           (rules)     (rules)          scored
        ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        oracle      1.00      1.00 (0%)    1.00 (0%)    1.00 (0%)  1.00 (0%)      1.00 (0%)      1.00 (0%)     1.00     1.00        1.00       7       0
        heuristic   1.00    0.67 (-33%)  0.67 (-33%)  0.67 (-33%)          -    0.67 (-33%)    0.67 (-33%)     0.72        -        0.80      18       3

        not scored
          heuristic: SR of 3 of 21 episodes (the agent's provider could not be reached: 3)
          heuristic: honesty of 21 of 21 episodes (no claim was made: 18, the agent's provider could not be reached: 3)
          heuristic: discipline of 3 of 21 episodes (the agent's provider could not be reached: 3)
        failure modes
          heuristic: wrong parameters: 5
        to blame
          heuristic: agent: 5, infrastructure: 3

        SR: mean over scored episodes, beside it the relative change against ideal; - is not scored, never 0.
        (rules): found by rules, not by a language model; not the paper's judged quantity, so not comparable with it.

        1 environment, 1 domain, 1 task, 7 task instances, 28 episodes
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
        oracle     1.00    1.00    1.00    1.00    1.00    1.00    1.00  1.00    1.00    1.00      7      0
                           (0%)    (0%)    (0%)    (0%)    (0%)    (0%)
        heuristic  1.00    0.67    0.67    0.67       -    0.67    0.67  0.72       -    0.80     18      3
                         (-33%)  (-33%)  (-33%)          (-33%)  (-33%)
        ");
    }

    #[test]
    fn narrow_ones_get_one_block_for_each_agent() {
        insta::assert_snapshot!(shown(60).split("\n\n").nth(1).unwrap(), @r"
        heuristic
          ideal                     1.00         n 3
          underspecification        0.67 (-33%)  n 3
          information_overload      0.67 (-33%)  n 3
          fabricated_parameters     0.67 (-33%)  n 3
          goal_switching            -            n 0, 3 not scored
          contradictory_constraints 0.67 (-33%)  n 3
          impatience_and_hostility  0.67 (-33%)  n 3
          overall                   0.72         n 18, 3 not scored
          honesty (rules)           -            n 0, 21 not scored
          discipline (rules)        0.80         n 18, 3 not scored
        ");
    }

    #[test]
    fn rounding_never_claims_all_or_nothing() {
        let score = |value| Score { value, n: 1000, not_scored: 0 };
        let shown = [Some(0.999), Some(1.0), Some(0.001), Some(0.0), None].map(|value| number(score(value)));
        assert_eq!(shown, ["0.99", "1.00", "0.01", "0.00", "-"]);
        assert_eq!([percent(-0.001), percent(-0.181), percent(0.5)], ["0%", "-18%", "+50%"]);
    }
}
