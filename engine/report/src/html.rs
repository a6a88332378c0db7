//! The report of a run as one page. Episodes are packed in bundles, so that a page of many opens quickly and a bundle
//! is unpacked when one of its episodes is opened. Nor is a page of many ever whole in memory: its bundles wait in a
//! spool for what stands before them.

use std::borrow::Borrow;
use std::io::{Read, Result, Seek, Write};

use super::about::About;
use super::aggregate::Report;
use super::document::{Bundles, embedded, unfilled, write_page};
use super::rows::Rows;
use probity_bench::{Card, EpisodeRecord};

const BODY: &str = include_str!("page/report.html");
const SCRIPTS: [&str; 17] = [
    include_str!("page/card.js"),
    include_str!("page/sort.js"),
    include_str!("page/report.js"),
    include_str!("page/store.js"),
    include_str!("page/overview.js"),
    include_str!("page/sheet.js"),
    include_str!("page/figure.js"),
    include_str!("page/tier.js"),
    include_str!("page/failure.js"),
    include_str!("page/value.js"),
    include_str!("page/list.js"),
    include_str!("page/filter.js"),
    include_str!("page/transcript.js"),
    include_str!("page/wanted.js"),
    include_str!("page/episode.js"),
    include_str!("page/keys.js"),
    include_str!("page/route.js"),
];

pub struct Page<S> {
    card: &'static Card,
    rows: Rows,
    bundles: Bundles<S>,
}

impl<S: Read + Write + Seek> Page<S> {
    /// A page without episodes; `spool` is empty and holds the packed ones until the page is written.
    pub fn new(card: &'static Card, spool: S) -> Page<S> {
        Page { card, rows: Rows::new(card), bundles: Bundles::new(card, spool) }
    }

    /// Takes in the next episodes in unit order.
    pub fn add<R: Borrow<EpisodeRecord> + Sync>(&mut self, records: &[R]) -> Result<()> {
        records.iter().for_each(|record| self.rows.add(record.borrow()));
        self.bundles.add(records)
    }

    /// Writes the page: the agents in the order of the run, then those it does not name.
    pub fn write(mut self, out: &mut impl Write, report: &Report, about: &About) -> Result<()> {
        write_page(out, "probity report", BODY, &SCRIPTS, |name, out| match name {
            "card" => out.write_all(embedded(self.card)?.as_bytes()),
            "report" => out.write_all(embedded(report)?.as_bytes()),
            "index" => out.write_all(embedded(&self.rows.index(report, &about.agents))?.as_bytes()),
            "about" => out.write_all(embedded(about)?.as_bytes()),
            "wanted" => out.write_all(about.packed()?.as_bytes()),
            "episodes" => self.bundles.copy(out),
            unknown => Err(unfilled(unknown)),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use base64::Engine as _;

    use serde_json::Value;

    use super::*;
    use crate::aggregate::SuiteCounts;
    use crate::document::BUNDLE;
    use crate::sample::{in_order, page as render, report as report_of};
    use crate::sketch::{self, Sketch};
    use probity_behaviour::benchmark::CARD;
    use probity_bench::NamedAgent;

    const HOSTILE: &str = "</script><script>alert(1)</script><!-- {{script}} <img src=x onerror=alert(1)> \"'&";

    fn page(records: &[EpisodeRecord]) -> String {
        let counts = SuiteCounts { tasks: 12, task_instances: 84, ..SuiteCounts::default() };
        render(&CARD, &report_of(&CARD, records, counts), &About::default(), records)
    }

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
        NamedAgent { name: name.to_owned(), agent: name.parse().unwrap(), recorded: None }
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
    }

    #[test]
    fn every_episode_has_a_row_and_a_line() {
        let records = sketch::run(3);
        let page = page(&records);
        let index: Value = serde_json::from_str(content(&page, "data-index")).unwrap();
        assert_eq!(index["rows"].as_array().unwrap().len(), records.len());
        assert_eq!(episodes(&page).len(), records.len());
        assert_eq!(super::tests::page(&records), page);
    }

    #[test]
    fn agents_stand_in_the_order_of_the_run() {
        let records = sketch::run(1);
        let report = report_of(&CARD, &records, SuiteCounts::default());
        let about = About { agents: ["oracle", "noop"].map(named).to_vec(), ..About::default() };
        let page = render(&CARD, &report, &about, &records);
        let index: Value = serde_json::from_str(content(&page, "data-index")).unwrap();
        assert_eq!(index["agents"], serde_json::json!(["oracle", "noop", "heuristic"]));
        assert_eq!(index["groups"], serde_json::json!(["built_in", "built_in", "examined"]));
        let first: Value = serde_json::from_str(&episodes(&page)[0]).unwrap();
        assert_eq!((first["agent"].as_str(), &index["rows"][0]["a"]), (Some("heuristic"), &Value::from(2)));
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
        let records = sketch::run(24);
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
    fn a_page_does_not_depend_on_the_batches_it_came_in() {
        let records = sketch::run(24);
        let report = report_of(&CARD, &records, SuiteCounts::default());
        let whole = render(&CARD, &report, &About::default(), &records);
        for size in [1, BUNDLE - 1, BUNDLE, 2 * BUNDLE + 3] {
            let (mut page, mut out) = (Page::new(&CARD, Cursor::new(Vec::new())), Vec::new());
            records.chunks(size).for_each(|batch| page.add(batch).unwrap());
            page.write(&mut out, &report, &About::default()).unwrap();
            assert!(out == whole.as_bytes(), "batches of {size}");
        }
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

    /// For looking at: `cargo test -p probity-report --lib sample_pages -- --ignored`.
    #[test]
    #[ignore = "writes pages to look at into target/"]
    fn sample_pages() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target");
        let hostile = Sketch { words: HOSTILE.to_owned(), agent: HOSTILE, ..Sketch::default() }.record();
        for (name, records) in [
            ("report", sketch::run(24)),
            ("large", sketch::run(300)),
            ("hostile", vec![hostile]),
            ("empty", Vec::new()),
        ] {
            std::fs::write(format!("{folder}/sample-{name}.html"), page(&records)).unwrap();
        }
    }
}
