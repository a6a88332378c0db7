//! The report as one page that needs nothing else: no network, no other file.
//!
//! Numbers and traces are embedded as JSON and drawn by the page's script. Text of models and users can break out
//! neither here, where `<` is escaped, nor there, where it is only ever set as text; and the page's policy lets no
//! script run but its own.

use serde::Serialize;
use serde_json::Value;

use super::aggregate::{Report, in_order};
use crate::model::canonical::Hash;
use crate::model::ids::{Difficulty, Variant};
use crate::run::record::EpisodeRecord;
use crate::score::failure_mode::FailureMode;

const PAGE: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");
/// The script in parts; the last one starts the page.
const SCRIPTS: [&str; 6] = [
    include_str!("page/report.js"),
    include_str!("page/metric.js"),
    include_str!("page/overview.js"),
    include_str!("page/list.js"),
    include_str!("page/episode.js"),
    include_str!("page/route.js"),
];

/// What the list of episodes needs, so that an episode is read only when it is opened.
#[derive(Serialize)]
struct Index<'a> {
    agents: Vec<&'a str>,
    tasks: Vec<&'a str>,
    rows: Vec<Row>,
}

/// Agent, task, variant, trial, difficulty (each by place), SR, honesty, discipline, failure mode (by place),
/// calls and findings; in this order in `report.js`.
type Row = (usize, usize, usize, u32, usize, Option<f64>, Option<f64>, Option<f64>, Option<usize>, usize, usize);

/// The page: the agents in the order given, then those it does not name. The episodes' order does not matter.
pub fn render(report: &Report, order: &[String], records: &[EpisodeRecord]) -> String {
    let agents = report.ordered(order).into_iter().map(|(name, _)| name).collect();
    let records = in_order(records);
    let script = SCRIPTS.concat();
    let episodes: Vec<String> = records.iter().map(|record| embedded(&shown(record))).collect();
    let index = embedded(&index(agents, &records));
    fill(PAGE, |name| match name {
        "policy" => policy(&script),
        "style" => STYLE.to_owned(),
        "report" => embedded(report),
        "index" => index.clone(),
        "episodes" => episodes.join("\n"),
        "script" => script.clone(),
        _ => String::new(),
    })
}

/// Replaces each `{{name}}` of the template, and nothing in what is put there.
fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut pieces = template.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once("}}") {
            Some((name, rest)) => page.extend([value(name).as_str(), rest]),
            None => page.extend(["{{", piece]),
        }
    }
    page
}

/// JSON on one line that cannot end the element it stands in; in JSON `<` occurs in strings only.
fn embedded(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c")
}

/// An episode without the hashes that no one reads on a page.
fn shown(record: &EpisodeRecord) -> Value {
    let mut value = serde_json::to_value(record).unwrap_or_default();
    if let Some(header) = value.pointer_mut("/trace/header").and_then(Value::as_object_mut) {
        header.remove("scripts");
    }
    let events = value.pointer_mut("/trace/events").and_then(Value::as_array_mut);
    for step in events.into_iter().flatten().filter_map(Value::as_object_mut) {
        step.remove("state_hash");
    }
    value
}

fn index<'a>(agents: Vec<&'a str>, records: &[&'a EpisodeRecord]) -> Index<'a> {
    let mut tasks: Vec<&str> = records.iter().map(|record| record.trace.header.task.as_str()).collect();
    tasks.sort_unstable();
    tasks.dedup();
    let rows = records.iter().filter_map(|record| row(record, &agents, &tasks)).collect();
    Index { agents, tasks, rows }
}

/// The row of an episode; `None` only for a record the report is not of.
fn row(record: &EpisodeRecord, agents: &[&str], tasks: &[&str]) -> Option<Row> {
    let header = &record.trace.header;
    let scores = &record.scores;
    let parts = &scores.success.parts.findings;
    let others = [&scores.discipline.findings, &scores.honesty.findings, &scores.clarification.findings];
    Some((
        agents.iter().position(|agent| *agent == record.agent)?,
        tasks.binary_search(&header.task.as_str()).ok()?,
        Variant::ALL.iter().position(|variant| *variant == header.variant)?,
        record.trial,
        Difficulty::ALL.iter().position(|difficulty| *difficulty == record.difficulty)?,
        scores.success.sr.value(),
        scores.honesty.measure.value(),
        scores.discipline.value,
        scores.failure_mode.map(place_of_mode),
        record.trace.steps().count(),
        parts.len() + others.iter().map(|findings| findings.len()).sum::<usize>(),
    ))
}

/// The place of a failure mode in the list of `report.js`.
fn place_of_mode(mode: FailureMode) -> usize {
    match mode {
        FailureMode::ForbiddenTool => 0,
        FailureMode::PrematureTermination => 1,
        FailureMode::PartialCompletion => 2,
        FailureMode::IncorrectToolSequence => 3,
        FailureMode::WrongParameters => 4,
        FailureMode::NotSaid => 5,
    }
}

/// Nothing is loaded, and no script runs but this one.
fn policy(script: &str) -> String {
    let hash = base64(Hash::of_bytes(script.as_bytes()).bytes());
    let own = format!("script-src 'sha256-{hash}'; style-src 'unsafe-inline'");
    format!("default-src 'none'; {own}; base-uri 'none'; form-action 'none'")
}

/// Base64 with padding (RFC 4648), as policies write hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * place) & 63) as usize).filter(|_| place <= chunk.len());
            text.push(digit.map_or('=', |digit| char::from(*digit)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::aggregate::{SuiteCounts, digest_of};
    use crate::report::sample::{self, Sketch};

    const HOSTILE: &str = "</script><script>alert(1)</script><!-- {{script}} <img src=x onerror=alert(1)> \"'&";

    fn page(records: &[EpisodeRecord]) -> String {
        let suite = SuiteCounts { environments: 3, domains: 3, tasks: 12, task_instances: 84 };
        render(&Report::of(records, suite, digest_of(records).to_string()), &[], records)
    }

    /// What stands in the element of an id.
    fn content<'a>(page: &'a str, id: &str) -> &'a str {
        let start = page.split_once(&format!("id=\"{id}\">")).unwrap().1;
        start.split_once("</script>").unwrap().0
    }

    #[test]
    fn text_cannot_break_out_of_its_element() {
        let record = Sketch { words: HOSTILE.to_owned(), agent: HOSTILE, ..Sketch::default() }.record();
        let page = page(std::slice::from_ref(&record));
        let plain = super::tests::page(&[Sketch::default().record()]);
        for tag in ["<script", "</script", "<!--", "<img"] {
            assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
        }
        let episode: Value = serde_json::from_str(content(&page, "data-episodes")).unwrap();
        assert_eq!(episode.pointer("/trace/events/0/text"), Some(&Value::from(HOSTILE)));
        let report: Report = serde_json::from_str(content(&page, "data-report")).unwrap();
        assert!(report.agents.contains_key(HOSTILE));
    }

    #[test]
    fn the_page_loads_nothing_and_sets_text_only_as_text() {
        let page = page(&[]);
        for outside in
            ["http:", "https:", "@import", "url(", " src=", "innerHTML", "insertAdjacentHTML", "document.write"]
        {
            let allowed = page.matches("http://www.w3.org/2000/svg").count();
            let expected = if outside == "http:" { allowed } else { 0 };
            assert_eq!(page.matches(outside).count(), expected, "{outside}");
        }
        assert_eq!(SCRIPTS.concat().matches("</").count() + STYLE.matches("</").count(), 0);
        assert!(!page.contains("{{"), "a marker was not filled");
    }

    #[test]
    fn every_episode_has_a_row_and_a_line() {
        let records = sample::run(3);
        let page = page(&records);
        let index: Value = serde_json::from_str(content(&page, "data-index")).unwrap();
        assert_eq!(index["rows"].as_array().unwrap().len(), records.len());
        assert_eq!(content(&page, "data-episodes").lines().count(), records.len());
        assert_eq!(super::tests::page(&records), page);
    }

    #[test]
    fn agents_stand_in_the_order_of_the_run() {
        let records = sample::run(1);
        let report = Report::of(&records, SuiteCounts::default(), digest_of(&records).to_string());
        let page = render(&report, &["oracle".to_owned(), "noop".to_owned()], &records);
        let index: Value = serde_json::from_str(content(&page, "data-index")).unwrap();
        assert_eq!(index["agents"], serde_json::json!(["oracle", "noop", "heuristic"]));
        let first: Value = serde_json::from_str(content(&page, "data-episodes").lines().next().unwrap()).unwrap();
        assert_eq!((first["agent"].as_str(), &index["rows"][0][0]), (Some("heuristic"), &Value::from(2)));
    }

    #[test]
    fn separators_of_lines_and_odd_characters_stay_in_their_line() {
        let words = format!("a\nb\u{2028}c\u{2029}d\u{0}e\u{202e}f\r\n{}", "W".repeat(100_000));
        let page = page(&[Sketch { words: words.clone(), ..Sketch::default() }.record()]);
        let episodes: Vec<&str> = content(&page, "data-episodes").split('\n').collect();
        assert_eq!(episodes.len(), 1);
        let episode: Value = serde_json::from_str(episodes[0]).unwrap();
        assert_eq!(episode.pointer("/trace/events/0/text"), Some(&Value::from(words)));
    }

    #[test]
    fn base64_is_that_of_the_rfc() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    /// For looking at: `cargo test -p probity --lib sample_pages -- --ignored`.
    #[test]
    #[ignore = "writes pages to look at into target/"]
    fn sample_pages() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../target");
        let hostile = Sketch { words: HOSTILE.to_owned(), agent: HOSTILE, ..Sketch::default() }.record();
        for (name, records) in [
            ("report", sample::run(24)),
            ("large", sample::run(300)),
            ("hostile", vec![hostile]),
            ("empty", Vec::new()),
        ] {
            std::fs::write(format!("{folder}/sample-{name}.html"), page(&records)).unwrap();
        }
    }
}
