//! An audit as text: first what was guessed, then the counts, then the worst, then what was not read.

use std::fmt::Write as _;
use std::path::Path;

use probity_audit::Basis;
use probity_bench::Finding;
use probity_report::AuditedLogs;

use super::summary::{Bad, Summary, share};
use crate::cli::link::encoded;
use crate::cli::output::count;

/// Findings of a dialogue that are shown.
const SHOWN: usize = 4;
/// Names in a row.
const NAMES: usize = 12;

pub fn render(summary: &Summary, page: Option<&Path>, width: usize) -> String {
    let mut text = String::new();
    tools(summary, &mut text);
    unused(summary, &mut text);
    counts(summary, &mut text);
    codes(summary, &mut text);
    worst(summary, page, width, &mut text);
    to_read(summary, width, &mut text);
    not_judged(summary, &mut text);
    unread(summary, &mut text);
    text.push_str("\nRules read English, and what the log shows: not tone, not whether the user was helped, not what nobody looked up.\n");
    text
}

fn names(of: impl Iterator<Item = impl AsRef<str>>) -> String {
    let all: Vec<String> = of.map(|name| name.as_ref().to_owned()).collect();
    let rest = all.len().saturating_sub(NAMES);
    let shown = all.into_iter().take(NAMES).collect::<Vec<_>>().join(", ");
    if rest > 0 { format!("{shown} and {rest} more") } else { shown }
}

/// What is known of tools by their words alone, and of which these tell nothing: a title and the tools.
pub fn guesses(summary: &Summary) -> Vec<(&'static str, String)> {
    let guessed = |changes: bool| {
        names(summary.known_by(Basis::Guess).filter(|(_, nature)| nature.changes == changes).map(|(name, _)| name))
    };
    let unknown = names(summary.known_by(Basis::Unknown).map(|(name, _)| name));
    let all = [("changes", guessed(true)), ("reads", guessed(false)), ("unknown", unknown)];
    all.into_iter().filter(|(_, tools)| !tools.is_empty()).collect()
}

/// What a page says of the reading.
pub(crate) fn of_page(summary: &Summary) -> AuditedLogs {
    let counts = summary.counts;
    let claims = counts.supported + counts.contradicted + counts.unsupported;
    let named = |(title, tools): (&str, String)| match title {
        "unknown" => ("taken for a read, unknown".to_owned(), tools),
        title => (format!("guessed: {title}"), tools),
    };
    let lacks = summary.lacks.iter().map(|(lack, dialogues)| {
        ("not judged".to_owned(), format!("{}, {}", count(*dialogues, "dialogue"), lack.meaning()))
    });
    let unread = (summary.unread_count > 0).then(|| {
        ("not read".to_owned(), format!("{}; the text output has the places", count(summary.unread_count, "thing")))
    });
    AuditedLogs {
        counts: vec![
            (counts.calls, "call".to_owned()),
            (claims, "claim".to_owned()),
            (counts.contradicted, "contradicted claim".to_owned()),
        ],
        facts: guesses(summary).into_iter().map(named).chain(lacks).chain(unread).collect(),
    }
}

fn tools(summary: &Summary, text: &mut String) {
    let guesses = guesses(summary);
    if guesses.is_empty() {
        return;
    }
    text.push_str("guessed from names and descriptions; say otherwise with --changes and --reads\n");
    for (title, tools) in guesses {
        let taken = if title == "unknown" { " (taken for reads)" } else { "" };
        let _ = writeln!(text, "  {title:<9}{tools}{taken}");
    }
    text.push('\n');
}

/// What the caller said and that is about nothing in the logs.
pub fn unused(summary: &Summary, text: &mut String) {
    let overruled = summary.names.overruled();
    for unused in &summary.unused {
        let what = if unused.flag == "--ignore" { "no call has a parameter" } else { "no log has a tool" };
        let _ = writeln!(text, "{}: {what} `{}`; {}", unused.flag, unused.name, unused.help);
    }
    if !overruled.is_empty() {
        let those = names(overruled.iter());
        let _ = writeln!(text, "--tools: the logs define these themselves and are believed: {those}");
    }
    if !summary.unused.is_empty() || !overruled.is_empty() {
        text.push('\n');
    }
}

fn counts(summary: &Summary, text: &mut String) {
    let counts = summary.counts;
    let claims = counts.supported + counts.contradicted + counts.unsupported;
    let _ = writeln!(
        text,
        "{} in {}, {}, {}",
        count(summary.dialogues, "dialogue"),
        count(summary.files.len(), "file"),
        count(counts.calls, "call"),
        count(claims, "claim")
    );
    if summary.unread_count > 0 {
        let _ = writeln!(
            text,
            "  {} could not be read and is not counted; see the end",
            count(summary.unread_count, "thing")
        );
    }
    for (name, part) in
        [("supported", counts.supported), ("contradicted", counts.contradicted), ("unsupported", counts.unsupported)]
    {
        let share = share(part, &counts).map_or("-".to_owned(), |share| format!("{share:.1} %"));
        let _ = writeln!(text, "  {name:<14}{part:>7}  {share:>7}");
    }
    let _ = writeln!(
        text,
        "  {} with a contradicted claim, {} with a finding of discipline; {} on the reading list",
        count(summary.dishonest, "dialogue"),
        summary.undisciplined,
        count(summary.listed, "sentence")
    );
}

fn codes(summary: &Summary, text: &mut String) {
    if summary.by_code.is_empty() {
        text.push_str("\nnothing found\n");
        return;
    }
    text.push_str("\nfindings\n");
    let mut codes: Vec<(&String, &usize)> = summary.by_code.iter().collect();
    codes.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), *code));
    for (code, count) in codes {
        let _ = writeln!(text, "  {code:<22}{count:>6}");
    }
}

fn worst(summary: &Summary, page: Option<&Path>, width: usize, text: &mut String) {
    if summary.worst.is_empty() {
        return;
    }
    text.push_str("\nthe worst\n");
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    for bad in &summary.worst {
        let (honesty, discipline) = (shown(bad.honesty), shown(bad.discipline));
        let place = format!("{}:{}", bad.file, bad.line);
        let _ = writeln!(text, "  {}  ({place})  honesty {honesty}, discipline {discipline}", bad.id);
        for (is_said, finding) in bad.findings.iter().take(SHOWN) {
            let verdict = if *is_said { "contradicted, " } else { "" };
            let at = finding.message.map_or(String::new(), |message| format!(" in message {message}"));
            let line = format!("    {verdict}{}{at}: {}", finding.code, finding.text);
            let _ = writeln!(text, "{}", cut(&line, width.max(80) * 2));
        }
        if bad.findings.len() > SHOWN {
            let _ = writeln!(text, "    and {} more", bad.findings.len() - SHOWN);
        }
        if let Some(page) = page {
            let _ = writeln!(text, "    {}", link(page, bad));
        }
    }
}

/// Sentences that nothing known speaks for, and nothing against: they are no findings.
fn to_read(summary: &Summary, width: usize, text: &mut String) {
    if summary.to_read.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nto read (no findings; {} in all, --json and --html have them)", summary.listed);
    for (id, finding) in &summary.to_read {
        let at = finding.message.map_or(String::new(), |message| format!(", message {message}"));
        let _ = writeln!(text, "{}", cut(&format!("  {id}{at}: {}", finding.text), width.max(80) * 2));
    }
}

fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}..", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Where a dialogue stands in the page, at its first finding.
fn link(page: &Path, bad: &Bad) -> String {
    let part = |text: &str| encoded(text.as_bytes());
    let place = |finding: &Finding| match (finding.step, finding.message) {
        (Some(step), _) => format!("?at=step-{step}"),
        (None, Some(message)) => format!("?at=message-{message}"),
        (None, None) => String::new(),
    };
    let at = bad.findings.first().map_or(String::new(), |(_, finding)| place(finding));
    format!("{}#/episode/{}/-/{}/{}{at}", page.display(), part(&bad.file), bad.trial, part(&bad.id))
}

fn not_judged(summary: &Summary, text: &mut String) {
    if summary.lacks.is_empty() {
        return;
    }
    text.push_str("\nnot judged\n");
    for (lack, dialogues) in &summary.lacks {
        let _ = writeln!(text, "  {:<15}{}", count(*dialogues, "dialogue"), lack.meaning());
    }
}

fn unread(summary: &Summary, text: &mut String) {
    if !summary.remarks.is_empty() {
        text.push_str("\nread with care\n");
        for (remark, count) in &summary.remarks {
            let _ = writeln!(text, "  {count:<6} {}", remark.what());
        }
    }
    if summary.unread_count == 0 {
        return;
    }
    let _ = writeln!(text, "\nnot read: {}", count(summary.unread_count, "thing"));
    for unread in &summary.unread {
        let _ = writeln!(text, "  {unread}");
    }
    if summary.unread_count > summary.unread.len() {
        let _ = writeln!(text, "  and {} more", summary.unread_count - summary.unread.len());
    }
}
