//! `probity judge` on a run of the MM-tau suite: labels of messages and conversations, what they come to for each judge,
//! agent, domain and exposure, and how far judges agree.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::judges::{JudgeFlags, end};
use super::subjects::{read_labels, whole};
use crate::cli::exit::Exit;
use crate::cli::opened::Opened;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_bench::Interrupt;
use probity_mm_tau::labels::{
    ConversationLabels, JudgedColumn, JudgedRow, LabelAgreement, LabelSet, agreements, judged_block, judged_episode,
};
use probity_ruling::journal::Journal;
use probity_ruling::session::Round;

/// The labels of a run's models, in its directory.
const FILE: &str = "labels.jsonl";

/// Has the episodes of a run labelled by the judges that are named, and prints what all labels come to.
pub(super) fn judge(
    global: &Global,
    opened: &Opened,
    (labels, judges): (Option<&Path>, &JudgeFlags),
) -> Result<Exit, Stopped> {
    judges.refuse_wording("here", "leave it out: judges of this suite are asked for the labels of its measures")?;
    let mut records = opened.episodes.load()?;
    // What was cut off is played again when the run goes on.
    records.retain(|record| !record.is_unreached());
    let _lock = opened.directory.lock()?;
    let episodes: BTreeMap<_, _> =
        records.iter().filter_map(|record| Some((record.name(), judged_episode(record)?))).collect();
    let mut set = LabelSet::new(episodes);
    if let Some(path) = labels {
        let help = "name a file of labels (docs/MM_TAU.md)";
        set = read_labels(global, (path, help), |name, text| set.with_file(name, text))?;
    }
    let journal: Journal<ConversationLabels> = whole(Journal::open(opened.directory.file(FILE))?)?;
    let lost = set.take(&journal.records);
    if !lost.is_empty() {
        let lines = output::count(lost.len(), "line");
        output::note(&format!("note: {lines} of {FILE} are of no episode as it is now, and are passed over"));
    }
    let interrupt = Arc::new(Interrupt::default());
    let mut exit = Exit::Clean;
    if let Some((models, way)) =
        judges.way(Some(opened.directory.file(Wording::of(ReplyForm::Grades).cassette())), &interrupt)?
    {
        let size = (models.len() * records.len(), judges.jobs());
        let ask = |round: Round| set.ask((&models, &way.client), &records, (journal, &lost), round);
        let asked = way.ask(global, size, &interrupt, ask, |asked| asked.usage)?;
        exit = end(&interrupt, asked.fault);
    }
    print(global, &set);
    Ok(exit)
}

fn print(global: &Global, set: &LabelSet) {
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
            let row = |row: &JudgedRow| format!("  {:<10}{:>8}\n", row.name, number(row.value));
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
