//! The table of `--explain`: for each task what its oracles need to know and where it can be known from.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::inference::{Need, Row, Sheet};
use super::origin::Origin;
use probity_behaviour::model::variant::Variant;

/// Most characters of a value that are shown.
const SHOWN: usize = 34;
/// Most sources of a value that are shown.
const SOURCES: usize = 3;

/// A row's place in the table: argument or phrase, and which of those that read the same.
type RowKey = (Need, usize);

/// The table of one task: what holds for most behaviours once, then what is different under each.
pub fn text(task: &str, sheets: &[Sheet]) -> String {
    let mut text = format!("{task}\n");
    let mut outcomes: Vec<&str> = Vec::new();
    for sheet in sheets {
        if !outcomes.contains(&sheet.outcome.as_str()) {
            outcomes.push(&sheet.outcome);
        }
    }
    for outcome in outcomes {
        let of_outcome: Vec<&Sheet> = sheets.iter().filter(|sheet| sheet.outcome == outcome).collect();
        text.push_str(&outcome_text(outcome, &of_outcome));
    }
    text
}

fn outcome_text(outcome: &str, sheets: &[&Sheet]) -> String {
    let keyed: Vec<(Variant, Vec<(RowKey, &Row)>)> =
        sheets.iter().map(|sheet| (sheet.variant, keyed(&sheet.rows))).collect();
    let mut usual: BTreeMap<RowKey, &Row> = BTreeMap::new();
    let mut order: Vec<RowKey> = Vec::new();
    for key in keyed.iter().flat_map(|(_, rows)| rows.iter().map(|(key, _)| key)) {
        if !usual.contains_key(key) {
            order.push(key.clone());
            usual.extend(most_frequent(key, &keyed).map(|row| (key.clone(), row)));
        }
    }
    order.sort();
    let names: Vec<&str> = keyed.iter().map(|(variant, _)| variant.name()).collect();
    let mut text = format!("\n  {outcome}, under {}\n", names.join(", "));
    let rows: Vec<&Row> = order.iter().filter_map(|key| usual.get(key).copied()).collect();
    text.push_str(&block(&rows));
    for (variant, rows) in &keyed {
        let differs = |(key, row): &&(RowKey, &Row)| usual.get(key).is_some_and(|usual| said(usual) != said(row));
        let other: Vec<&Row> = rows.iter().filter(differs).map(|(_, row)| *row).collect();
        if !other.is_empty() {
            let _ = write!(text, "\n  {outcome}, otherwise under {variant}\n{}", block(&other));
        }
    }
    text
}

/// Rows by need; the reply in which something is said may be another under each behaviour.
fn keyed(rows: &[Row]) -> Vec<(RowKey, &Row)> {
    let mut keyed: Vec<(RowKey, &Row)> = Vec::new();
    for row in rows {
        let need = match &row.need {
            Need::MustSay { group, .. } => Need::MustSay { group: *group, reply: 0 },
            Need::Argument { .. } => row.need.clone(),
        };
        let same = keyed.iter().filter(|((known, _), _)| *known == need).count();
        keyed.push(((need, same), row));
    }
    keyed
}

fn most_frequent<'a>(key: &RowKey, keyed: &[(Variant, Vec<(RowKey, &'a Row)>)]) -> Option<&'a Row> {
    let rows: Vec<&Row> =
        keyed.iter().filter_map(|(_, rows)| rows.iter().find(|(k, _)| k == key).map(|(_, row)| *row)).collect();
    let times = |row: &Row| rows.iter().filter(|other| said(other) == said(row)).count();
    let most = rows.iter().map(|row| times(row)).max()?;
    rows.iter().find(|row| times(row) == most).copied()
}

/// What a line of the table says beside its place.
fn said(row: &Row) -> (String, String, String) {
    let reply = match &row.need {
        Need::MustSay { reply, .. } => reply.to_string(),
        Need::Argument { .. } => String::new(),
    };
    (reply, row.value.clone(), sources(row))
}

fn sources(row: &Row) -> String {
    let named = |origins: &[Origin]| -> String {
        let shown: Vec<String> = origins.iter().take(SOURCES).map(Origin::to_string).collect();
        let more = origins.len().saturating_sub(SOURCES);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        format!("{}{more}", shown.join("; "))
    };
    match (row.known_from.as_slice(), row.only_later.as_slice()) {
        ([], []) => "NOTHING tells it".to_owned(),
        ([], later) => format!("ONLY LATER: {}", named(later)),
        (known, _) => named(known),
    }
}

fn block(rows: &[&Row]) -> String {
    let width = |text: fn(&Row) -> String| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or_default();
    let (places, values) = (width(place), width(value));
    let mut text = String::new();
    let mut heading = String::new();
    for row in rows {
        let next = head(row);
        if next != heading {
            let _ = writeln!(text, "    {next}");
            heading = next;
        }
        let _ = writeln!(text, "      {:places$}  {:values$}  {}", place(row), value(row), sources(row));
    }
    text
}

fn head(row: &Row) -> String {
    match &row.need {
        Need::Argument { call, tool, .. } => format!("call {call}: {tool}"),
        Need::MustSay { .. } => "must say".to_owned(),
    }
}

fn place(row: &Row) -> String {
    match &row.need {
        Need::Argument { at, .. } => at.clone(),
        Need::MustSay { reply, .. } => format!("in reply {reply}"),
    }
}

fn value(row: &Row) -> String {
    match row.value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}..", row.value.get(..end).unwrap_or_default()),
        None => row.value.clone(),
    }
}
