//! One page that needs nothing else: differences with their intervals, the gate, and the changed episodes.

use serde::Serialize;

use crate::compare::comparison::Comparison;
use crate::compare::gate::GateVerdict;
use crate::document::{embedded, page};
use probity_bench::Card;

const BODY: &str = include_str!("../../page/compare.html");
const SCRIPTS: [&str; 2] = [include_str!("../../page/compare.js"), include_str!("../../page/changed.js")];

/// What the page draws of a pair of agents.
#[derive(Serialize)]
struct Drawn<'a> {
    comparison: &'a Comparison,
    gate: Option<&'a GateVerdict>,
}

/// Comparisons as a page, with the gates' verdicts where there are any.
pub fn render(card: &Card, comparisons: &[(&Comparison, Option<&GateVerdict>)]) -> String {
    let drawn: Vec<Drawn> = comparisons.iter().map(|(comparison, gate)| Drawn { comparison, gate: *gate }).collect();
    page("probity comparison", BODY, &SCRIPTS, &[("card", embedded(card)), ("comparisons", embedded(&drawn))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::comparison::Side;
    use crate::sample::Sketch;
    use probity_behaviour::benchmark::BehaviourBenchmark;

    const HOSTILE: &str = "</script><script>alert(1)</script> {{script}} <img src=x>";

    #[test]
    fn text_of_episodes_stays_text_and_nothing_is_loaded() {
        let record = |agent, words: &str, passed| {
            [Sketch { agent, words: words.to_owned(), sr: Some(passed), ..Sketch::default() }.record()]
        };
        let (base, new) = (record("<b>base</b>", "Hello", true), record("<b>base</b>", HOSTILE, false));
        let side = |records| Side { records, agent: "<b>base</b>", is_repeatable: true };
        let comparison = Comparison::of(BehaviourBenchmark::CARD, side(&base), side(&new), 0);
        let verdict = GateVerdict::by_default(BehaviourBenchmark::CARD, &comparison);
        let page = render(BehaviourBenchmark::CARD, &[(&comparison, Some(&verdict))]);
        let empty = render(BehaviourBenchmark::CARD, &[]);
        for tag in ["<script", "</script", "<img", "<b>", "http", "{{style", "@import"] {
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
