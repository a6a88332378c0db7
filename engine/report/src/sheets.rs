//! The tables that a benchmark makes of an agent's episodes, as text.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::aggregate::AgentReport;
use probity_bench::{Sheet, SheetCell, SheetRow, Visibility};
use probity_engine::{number::two_digits, plain::plain};

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
