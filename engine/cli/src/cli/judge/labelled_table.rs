//! What labels come to: a column for each judge, agent, domain and exposure, and how far judges agree.

use serde_json::{Value, json};

use crate::cli::{Global, output};
use probity_mm_tau::labels::{JudgedColumn, LabelAgreement, LabelSet, agreements, judged_block};

pub(super) fn print(global: &Global, set: &LabelSet) {
    let (columns, agreements) = (judged_block(set), agreements(set));
    if global.json {
        let columns: Vec<Value> = columns.iter().map(as_value).collect();
        return output::json(&json!({"judged": columns, "agreement": agreements}));
    }
    if columns.is_empty() {
        return output::note("no label yet; name a judge with `--judge openai:MODEL`, or `--labels FILE`");
    }
    columns.iter().for_each(|column| output::print(&block(column)));
    if !agreements.is_empty() {
        output::print(&table(&agreements));
    }
}

fn as_value(column: &JudgedColumn) -> Value {
    let rows = column.rows.as_ref();
    json!({
        "judge": column.judge, "agent": column.agent, "domain": column.domain, "exposure": column.exposure,
        "voice_conversations": column.voice_conversations, "text_conversations": column.text_conversations,
        "unreadable_conversations": column.unreadable_conversations, "messages": column.messages,
        "unreadable_messages": column.unreadable_messages, "unpaired": column.unpaired,
        "unlabelled": column.unlabelled, "rows": rows.ok(), "why_not": rows.err().map(ToString::to_string),
    })
}

fn block(column: &JudgedColumn) -> String {
    let JudgedColumn { judge, agent, domain, exposure, .. } = column;
    let voice = output::count(usize::try_from(column.voice_conversations).unwrap_or(usize::MAX), "voice conversation");
    let lost = [
        (column.unreadable_messages, "messages without a label"),
        (column.unreadable_conversations, "conversations without a label of the whole"),
        (column.unpaired, "conversations without the other channel"),
        (column.unlabelled, "conversations not labelled"),
    ];
    let lost = lost.into_iter().filter(|(count, _)| *count > 0);
    let lost: String = lost.map(|(count, what)| format!(", {count} {what}")).collect();
    let rows = match &column.rows {
        Ok(rows) => {
            let row = |row: &probity_mm_tau::labels::JudgedRow| format!("  {:<10}{:>8}\n", row.name, number(row.value));
            rows.iter().map(row).collect()
        }
        Err(why) => format!("  no numbers: {why}\n"),
    };
    format!("{judge} (judge) of {agent}, {domain} {exposure}: {voice}{lost}\n{rows}")
}

fn table(agreements: &[LabelAgreement]) -> String {
    let head = format!("{:<60}{:>6}{:>8}{:>8}\n", "between judges", "n", "equal", "kappa");
    let line = |of: &LabelAgreement| {
        let name = format!("{} and {}: {}", of.left, of.right, of.metric);
        format!("  {name:<58}{:>6}{:>8}{:>8}\n", of.n, number(of.equal), number(of.kappa))
    };
    std::iter::once(head).chain(agreements.iter().map(line)).collect()
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.3}"))
}
