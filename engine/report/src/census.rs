//! What a suite holds, as text for a terminal.

use super::compare::write::text::count;
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
        text.push_str(&format!("{:<34} {:>5} {:>9} {:>9} {:>9} {:>9}\n", "", "n", "mean", "least", "median", "most"));
    }
    for Summary { name, count, mean, least, median, most } in &census.figures {
        let numbers = [*mean, *least, *median, *most].map(|number| format!(" {:>9}", two_digits(number)));
        text.push_str(&format!("{name:<34} {count:>5}{}\n", numbers.concat()));
    }
    format!("{text}{}, {}\n", count(census.tasks, "task"), count(census.instances, "instance"))
}
