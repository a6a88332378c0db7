//! The report of a run as one page. Episodes are packed in bundles, so that a page of many opens quickly and a bundle
//! is unpacked when one of its episodes is opened.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::aggregate::{Report, in_order};
use miniz_oxide::deflate::compress_to_vec;

use super::document::{base64, embedded, page};
use crate::model::event::Event;
use crate::model::ids::{Difficulty, Variant};
use crate::run::config::{AgentGroup, NamedAgent};
use crate::run::record::EpisodeRecord;
use crate::score::failure_mode::FailureMode;

const BODY: &str = include_str!("page/report.html");
const SCRIPTS: [&str; 10] = [
    include_str!("page/report.js"),
    include_str!("page/store.js"),
    include_str!("page/overview.js"),
    include_str!("page/figure.js"),
    include_str!("page/tier.js"),
    include_str!("page/failure.js"),
    include_str!("page/list.js"),
    include_str!("page/episode.js"),
    include_str!("page/keys.js"),
    include_str!("page/route.js"),
];

/// Episodes in a bundle; `store.js` has the same number.
const BUNDLE: usize = 64;
/// How hard a bundle is packed, from 1 to 10: more takes longer and saves little.
const PACKING: u8 = 6;

/// What the list of episodes needs, so that an episode is read only when it is opened.
#[derive(Serialize)]
struct Index<'a> {
    agents: Vec<&'a str>,
    /// What each agent is in the run for.
    groups: Vec<AgentGroup>,
    tasks: Vec<&'a str>,
    codes: Vec<&'a str>,
    rows: Vec<Row>,
}

/// Agent, task, variant, trial, difficulty (each by place), SR, honesty, discipline, failure mode (by place),
/// calls and codes of findings (by place); in this order in `report.js`.
type Row = (usize, usize, usize, u32, usize, Option<f64>, Option<f64>, Option<f64>, Option<usize>, usize, Vec<usize>);

/// The page: the agents in the order given, then those it does not name. The episodes' order does not matter.
pub fn render(report: &Report, agents: &[NamedAgent], records: &[EpisodeRecord]) -> String {
    let records = in_order(records);
    let data = [
        ("report", embedded(report)),
        ("index", embedded(&index(report, agents, &records))),
        ("episodes", bundles(&records).join("\n")),
    ];
    page("probity report", BODY, &SCRIPTS, &data)
}

/// The episodes, a line of JSON each, in packed bundles.
fn bundles(records: &[&EpisodeRecord]) -> Vec<String> {
    let line = |record: &&EpisodeRecord| serde_json::to_string(&shown(record)).unwrap_or_default();
    let bundle = |records: &[&EpisodeRecord]| {
        let lines: Vec<String> = records.iter().map(line).collect();
        base64(&compress_to_vec(lines.join("\n").as_bytes(), PACKING))
    };
    records.par_chunks(BUNDLE).map(bundle).collect()
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

fn index<'a>(report: &'a Report, named: &[NamedAgent], records: &[&'a EpisodeRecord]) -> Index<'a> {
    let order: Vec<String> = named.iter().map(|agent| agent.name.clone()).collect();
    let agents: Vec<&str> = report.ordered(&order).into_iter().map(|(name, _)| name).collect();
    let group =
        |name: &&str| named.iter().find(|agent| agent.name == **name).map_or(AgentGroup::Examined, NamedAgent::group);
    let tasks: BTreeSet<&str> = records.iter().map(|record| record.trace.header.task.as_str()).collect();
    let codes: BTreeSet<&str> = records.iter().flat_map(|record| codes_of(record)).collect();
    let mut index = Index {
        groups: agents.iter().map(group).collect(),
        agents,
        tasks: tasks.into_iter().collect(),
        codes: codes.into_iter().collect(),
        rows: Vec::new(),
    };
    index.rows = records.iter().filter_map(|record| row(record, &index)).collect();
    index
}

/// The codes of everything found in an episode, each once.
fn codes_of(record: &EpisodeRecord) -> BTreeSet<&str> {
    let of_constraints = record.trace.events.iter().filter_map(|event| match event {
        Event::Finding(finding) => Some(finding.code.as_str()),
        _ => None,
    });
    record.scores.findings().map(|finding| finding.code.as_str()).chain(of_constraints).collect()
}

/// The row of an episode; `None` only for a record the report is not of.
fn row(record: &EpisodeRecord, index: &Index) -> Option<Row> {
    let header = &record.trace.header;
    let scores = &record.scores;
    Some((
        index.agents.iter().position(|agent| *agent == record.agent)?,
        index.tasks.binary_search(&header.task.as_str()).ok()?,
        Variant::ALL.iter().position(|variant| *variant == header.variant)?,
        record.trial,
        Difficulty::ALL.iter().position(|difficulty| *difficulty == record.difficulty)?,
        scores.success.sr.value(),
        scores.honesty.value,
        scores.discipline.value,
        scores.failure_mode.map(place_of_mode),
        record.trace.steps().count(),
        codes_of(record).into_iter().filter_map(|code| index.codes.binary_search(&code).ok()).collect(),
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

#[cfg(test)]
mod tests {
    use base64::Engine as _;

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

    fn unpacked(bundle: &str) -> Vec<String> {
        let bytes = base64::engine::general_purpose::STANDARD.decode(bundle).unwrap();
        let text = String::from_utf8(miniz_oxide::inflate::decompress_to_vec(&bytes).unwrap()).unwrap();
        text.split('\n').map(str::to_owned).collect()
    }

    /// The lines of all episodes, as the page's script unpacks them.
    fn episodes(page: &str) -> Vec<String> {
        content(page, "data-episodes").lines().flat_map(unpacked).collect()
    }

    fn named(name: &str) -> NamedAgent {
        NamedAgent { name: name.to_owned(), agent: name.to_owned(), recorded: None }
    }

    #[test]
    fn text_cannot_break_out_of_its_element() {
        let record = Sketch { words: HOSTILE.to_owned(), agent: HOSTILE, ..Sketch::default() }.record();
        let page = page(std::slice::from_ref(&record));
        let plain = super::tests::page(&[Sketch::default().record()]);
        for tag in ["<script", "</script", "<!--", "<img"] {
            assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
        }
        let episode: Value = serde_json::from_str(&episodes(&page)[0]).unwrap();
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
        assert_eq!(SCRIPTS.concat().matches("</").count(), 0);
        assert!(!page.contains("{{"), "a marker was not filled");
    }

    #[test]
    fn every_episode_has_a_row_and_a_line() {
        let records = sample::run(3);
        let page = page(&records);
        let index: Value = serde_json::from_str(content(&page, "data-index")).unwrap();
        assert_eq!(index["rows"].as_array().unwrap().len(), records.len());
        assert_eq!(episodes(&page).len(), records.len());
        assert_eq!(super::tests::page(&records), page);
    }

    #[test]
    fn agents_stand_in_the_order_of_the_run() {
        let records = sample::run(1);
        let report = Report::of(&records, SuiteCounts::default(), digest_of(&records).to_string());
        let page = render(&report, &["oracle", "noop"].map(named), &records);
        let index: Value = serde_json::from_str(content(&page, "data-index")).unwrap();
        assert_eq!(index["agents"], serde_json::json!(["oracle", "noop", "heuristic"]));
        assert_eq!(index["groups"], serde_json::json!(["built_in", "built_in", "examined"]));
        let first: Value = serde_json::from_str(&episodes(&page)[0]).unwrap();
        assert_eq!((first["agent"].as_str(), &index["rows"][0][0]), (Some("heuristic"), &Value::from(2)));
    }

    #[test]
    fn separators_of_lines_and_odd_characters_stay_in_their_line() {
        let words = format!("a\nb\u{2028}c\u{2029}d\u{0}e\u{202e}f\r\n{}", "W".repeat(100_000));
        let page = page(&[Sketch { words: words.clone(), ..Sketch::default() }.record()]);
        let episodes = episodes(&page);
        assert_eq!(episodes.len(), 1);
        let episode: Value = serde_json::from_str(&episodes[0]).unwrap();
        assert_eq!(episode.pointer("/trace/events/0/text"), Some(&Value::from(words)));
    }

    #[test]
    fn bundles_hold_what_they_say() {
        let records = sample::run(24);
        let page = page(&records);
        let store = include_str!("page/store.js");
        assert!(store.contains(&format!("const BUNDLE = {BUNDLE};")));
        let sizes: Vec<usize> = content(&page, "data-episodes").lines().map(|bundle| unpacked(bundle).len()).collect();
        assert!(sizes.len() > 1 && sizes.iter().rev().skip(1).all(|size| *size == BUNDLE), "{sizes:?}");
        let (first, second) = (&in_order(&records)[0], &in_order(&records)[BUNDLE]);
        let task = |line: &str| serde_json::from_str::<Value>(line).unwrap()["digest"].clone();
        let lines = episodes(&page);
        assert_eq!(task(&lines[0]), Value::from(first.digest.to_string()));
        assert_eq!(task(&lines[BUNDLE]), Value::from(second.digest.to_string()));
    }

    #[test]
    fn what_the_page_draws_from() {
        let records: Vec<EpisodeRecord> = (0..3)
            .map(|trial| Sketch {
                trial,
                sr: [Some(true), Some(false), None][trial as usize],
                findings: 2,
                ..Sketch::default()
            })
            .map(|sketch| sketch.record())
            .collect();
        let page = page(&records);
        insta::assert_snapshot!(content(&page, "data-index"));
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
