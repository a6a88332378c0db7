//! A calibration as text for a terminal.

use super::super::table::{grid, title};
use super::rates::{Calibration, Share};
use probity_engine::number::two_digits;

const LEGEND: &str = "\
Shares of episodes with a fault that are flagged (below the best); in the last row shares of the oracle's that are not.
*: the fault must show there (docs/faults.md). --json gives the 95 % interval (Wilson) and the oracle's share for each fault.
";

pub fn render(calibrations: &[Calibration]) -> String {
    let blocks: Vec<String> = calibrations.iter().map(block).collect();
    format!("{}\n{LEGEND}", blocks.join("\n"))
}

fn block(calibration: &Calibration) -> String {
    let title = calibration.judge.as_ref().map_or_else(|| calibration.rater.clone(), |judge| title(judge, 1));
    let header = std::iter::once("fault".to_owned()).chain(calibration.marks.iter().map(|mark| (*mark).to_owned()));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for fault in &calibration.faults {
        let cells = calibration.marks.iter().map(|mark| {
            fault.marks.get(mark).map_or_else(String::new, |rates| {
                format!("{}{}", share(&rates.sensitivity), if rates.is_expected { "*" } else { " " })
            })
        });
        rows.push(std::iter::once(fault.fault.clone()).chain(cells).collect());
    }
    let cells = calibration.marks.iter().map(|mark| calibration.oracle.get(mark).map_or_else(String::new, share));
    rows.push(std::iter::once("oracle, not flagged".to_owned()).chain(cells.map(|cell| cell + " ")).collect());
    format!("{title}\n{}", grid(header.collect(), rows))
}

fn share(share: &Share) -> String {
    let Share { numerator, denominator, not_scored, .. } = share;
    let missing = if *not_scored > 0 { format!(", {not_scored} not scored") } else { String::new() };
    share.value.map_or_else(
        || format!("-{missing}"),
        |value| format!("{} ({numerator}/{denominator}{missing})", two_digits(value)),
    )
}
