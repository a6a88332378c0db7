//! One page that needs nothing else: differences with their intervals, the gate, and the changed episodes.

use std::io::{Cursor, Result};

use serde::Serialize;

use crate::about::About;
use crate::compare::comparison::Comparison;
use crate::compare::gate::GateVerdict;
use crate::document::{Bundles, embedded, page};
use probity_bench::{Card, EpisodeRecord};

const BODY: &str = include_str!("../../page/compare.html");
const SCRIPTS: [&str; 8] = [
    include_str!("../../page/card.js"),
    include_str!("../../page/compare.js"),
    include_str!("../../page/store.js"),
    include_str!("../../page/value.js"),
    include_str!("../../page/transcript.js"),
    include_str!("../../page/wanted.js"),
    include_str!("../../page/sides.js"),
    include_str!("../../page/changed.js"),
];

/// What the page draws of a pair of agents.
#[derive(Serialize)]
struct Drawn<'a> {
    comparison: &'a Comparison<'a>,
    gate: Option<&'a GateVerdict>,
}

/// Comparisons as a page, with the gates' verdicts where there are any; `runs` are the base and the new one.
pub fn render(
    card: &'static Card,
    comparisons: &[(&Comparison, Option<&GateVerdict>)],
    runs: [&About; 2],
) -> Result<String> {
    let drawn: Vec<Drawn> = comparisons.iter().map(|(comparison, gate)| Drawn { comparison, gate: *gate }).collect();
    let [base, _] = runs;
    let data = [
        ("card", embedded(card)?),
        ("comparisons", embedded(&drawn)?),
        ("runs", embedded(&runs)?),
        ("wanted", base.packed()?),
        ("episodes", episodes(card, comparisons)?),
    ];
    page("probity comparison", BODY, &SCRIPTS, &data)
}

/// Both sides of all changed episodes, packed in their order: the base's, then the new run's.
fn episodes(card: &'static Card, comparisons: &[(&Comparison, Option<&GateVerdict>)]) -> Result<String> {
    let changed = comparisons.iter().flat_map(|(comparison, _)| &comparison.episodes);
    let records: Vec<&EpisodeRecord> = changed.flat_map(|episode| episode.records).collect();
    let (mut bundles, mut packed) = (Bundles::new(card, Cursor::new(Vec::new())), Vec::new());
    bundles.add(&records)?;
    bundles.copy(&mut packed)?;
    String::from_utf8(packed).map_err(std::io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::comparison::Side;
    use crate::sketch::Sketch;
    use probity_behaviour::benchmark::CARD;

    const HOSTILE: &str = "</script><script>alert(1)</script> {{script}} <img src=x>";

    #[test]
    fn text_of_episodes_stays_text_and_nothing_is_loaded() {
        let record = |agent, words: &str, passed| {
            [Sketch { agent, words: words.to_owned(), sr: Some(passed), ..Sketch::default() }.record()]
        };
        let (base, new) = (record("<b>base</b>", "Hello", true), record("<b>base</b>", HOSTILE, false));
        let side = |records| Side { records, agent: "<b>base</b>", is_repeatable: true };
        let comparison = Comparison::of(&CARD, side(&base), side(&new), 0);
        let verdict = GateVerdict::by_default(&CARD, &comparison);
        let about = About { command: HOSTILE.to_owned(), ..About::default() };
        let runs = [&about, &about];
        let page = render(&CARD, &[(&comparison, Some(&verdict))], runs).unwrap();
        let empty = render(&CARD, &[], runs).unwrap();
        for tag in ["<script", "</script", "<img", "<b>", "https:", "{{style", "@import"] {
            assert_eq!(page.matches(tag).count(), empty.matches(tag).count(), "{tag}");
        }
        let data = page.split_once("id=\"data-comparisons\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data[0]["comparison"]["base_agent"], "<b>base</b>");
        assert_eq!(data[0]["gate"]["is_open"], false);
        assert!(
            data[0]["comparison"]["episodes"][0]["first_difference"]["new"].as_str().unwrap().contains("<img src=x>")
        );
    }
}
