//! What a suite holds, as text for a terminal.

use super::table::count;
use probity_bench::census::{Census, Summary};
use probity_engine::number::two_digits;

/// The census as text: a block for each factor, then the suite's own figures.
pub fn text(census: &Census) -> String {
    let mut text = String::new();
    for counted in &census.factors {
        let title = counted.title;
        text.push_str(&format!("{title:<28} {:>7} {:>11} {:>7}\n", "tasks", "instances", "share"));
        // What has no such level, as a whole dialogue has no kind of reply, is in no share.
        let all: usize = counted.levels.iter().map(|level| level.instances).sum();
        for level in &counted.levels {
            let share = 100.0 * level.instances as f64 / all as f64;
            let row = (&level.level, level.tasks, level.instances);
            text.push_str(&format!("  {:<26} {:>7} {:>11} {share:>5.1} %\n", row.0, row.1, row.2));
        }
        text.push('\n');
    }
    if !census.figures.is_empty() {
        let has_paper = census.figures.iter().any(|figure| figure.paper.is_some());
        text.push_str(&figures(&census.figures, has_paper));
    }
    format!("{text}{}, {}\n", count(census.tasks, "task"), count(census.instances, "instance"))
}

/// A row for each figure; a column of the paper's means where it has any.
fn figures(figures: &[Summary], has_paper: bool) -> String {
    let row = |name: &str, count: &str, numbers: [String; 4], paper: String| {
        let numbers: String = numbers.iter().map(|number| format!(" {number:>9}")).collect();
        let paper = if has_paper { format!(" {paper:>9}") } else { String::new() };
        format!("{name:<36} {count:>5}{numbers}{paper}").trim_end().to_owned() + "\n"
    };
    let head = ["mean", "least", "median", "most"].map(str::to_owned);
    let rows = figures.iter().map(|Summary { name, count, mean, paper, least, median, most }| {
        let paper = paper.map(two_digits).unwrap_or_default();
        row(name, &count.to_string(), [*mean, *least, *median, *most].map(two_digits), paper)
    });
    std::iter::once(row("", "n", head, "paper".to_owned())).chain(rows).collect()
}
