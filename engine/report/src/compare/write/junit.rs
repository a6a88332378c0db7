//! JUnit XML: one test for each check of the gate, and one for each instance.

use super::place::{Place, Sources};
use crate::compare::changed::causes;
use crate::compare::check::{Check, Outcome};
use crate::compare::comparison::Comparison;
use crate::compare::gate::{GateVerdict, evidence};
use crate::compare::pair::Instance;
use probity_bench::Card;
use probity_engine::plain::plain_lines;

/// Episodes that are told of a check.
const SHOWN: usize = 20;

/// The gates of a comparison as a report of tests; the sources say where tasks stand.
pub fn render(card: &Card, gates: &[(&Comparison, &GateVerdict)], sources: &Sources) -> String {
    let suites: Vec<[Suite; 2]> = gates
        .iter()
        .map(|(comparison, verdict)| [gate(comparison, verdict), instances(card, comparison, verdict, sources)])
        .collect();
    whole("probity compare", suites.as_flattened())
}

/// Some test cases under one name, rendered.
struct Suite {
    name: String,
    /// How many there are, how many of them were not scored, and how many keep the gate closed.
    counts: [usize; 3],
    cases: String,
}

fn whole(name: &str, suites: &[Suite]) -> String {
    let [tests, skipped, failures] = suites.iter().fold([0; 3], |sum, suite| {
        let mut each = suite.counts.into_iter();
        sum.map(|count| count + each.next().unwrap_or(0))
    });
    let suites: String = suites.iter().map(Suite::xml).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" failures=\"{failures}\" \
         errors=\"0\">\n{suites}</testsuites>\n"
    )
}

impl Suite {
    fn xml(&self) -> String {
        let (name, [tests, skipped, failures]) = (plain(&self.name), self.counts);
        let head =
            format!("name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" errors=\"0\" failures=\"{failures}\"");
        match self.cases.is_empty() {
            true => format!("    <testsuite {head}/>\n"),
            false => format!("    <testsuite {head}>\n{}    </testsuite>\n", self.cases),
        }
    }
}

/// How many checks there are, how many of them were not scored, and how many keep the gate closed.
fn counts<'a>(checks: impl Iterator<Item = &'a Check>) -> [usize; 3] {
    checks.fold([0; 3], |[tests, skipped, failures], check| {
        let is_failure = check.outcome.closes();
        let is_skipped = matches!(check.outcome, Outcome::NotScored);
        [tests + 1, skipped + usize::from(is_skipped), failures + usize::from(is_failure)]
    })
}

/// Checks of one comparison that knows no episodes.
pub fn render_checks(name: &str, checks: &[Check]) -> String {
    whole("probity audit", &[checks_suite(name.to_owned(), checks, |check| check.text.clone())])
}

fn gate(comparison: &Comparison, verdict: &GateVerdict) -> Suite {
    let name = format!("{} -> {}", comparison.base_agent, comparison.new_agent);
    checks_suite(name, &verdict.checks, |check| body(check, comparison))
}

fn checks_suite(name: String, checks: &[Check], body: impl Fn(&Check) -> String) -> Suite {
    let cases = checks.iter().map(|check| case(check, &body)).collect();
    Suite { name, counts: counts(checks.iter()), cases }
}

/// Each instance as a test of its own: it fails when it stands behind what keeps the gate closed, and is skipped when
/// none of its trials was scored in both runs.
fn instances(card: &Card, comparison: &Comparison, verdict: &GateVerdict, sources: &Sources) -> Suite {
    let behind = verdict.behind(comparison);
    let (mut counts, mut cases) = ([0; 3], String::new());
    for instance in &comparison.instances {
        let name = instance.name();
        let is_measured = instance.pairs.iter().any(|pair| pair.values(card.headline()).is_some());
        let check = behind.get(&name).copied();
        let [tests, skipped, failures] = counts;
        let (is_failure, is_skipped) = (check.is_some(), check.is_none() && !is_measured);
        counts = [tests + 1, skipped + usize::from(is_skipped), failures + usize::from(is_failure)];
        let status = match check {
            Some(check) => failure(&check.name, &divergence(&name, check, comparison)),
            None if is_skipped => "            <skipped message=\"not measured\"/>\n".to_owned(),
            None => String::new(),
        };
        cases.push_str(&instance_case(card, instance, &status, sources.place(instance.task, instance.levels)));
    }
    let name = format!("{} -> {}: instances", comparison.base_agent, comparison.new_agent);
    Suite { name, counts, cases }
}

fn instance_case(card: &Card, instance: &Instance, status: &str, place: Option<Place>) -> String {
    let place = place.map(|Place { file, line }| {
        let file = plain(&file);
        format!(
            "            <properties>\n                <property name=\"file\" value=\"{file}\"/>\n                \
             <property name=\"line\" value=\"{line}\"/>\n            </properties>\n"
        )
    });
    let (base, new) = instance.trials(card);
    let solved = format!("{} of {} -> {} of {}", base.successes, base.n, new.successes, new.n);
    format!(
        "        <testcase name=\"{}\" classname=\"probity.instance.{}\">\n{}{status}            \
         <system-out>{solved}</system-out>\n        </testcase>\n",
        plain(&instance.name()),
        plain(&instance.task.replace('/', ".")),
        place.unwrap_or_default()
    )
}

/// Where the first of an instance's changed trials parts from the base's, and what was found there.
fn divergence(instance: &str, check: &Check, comparison: &Comparison) -> String {
    let mut changed = comparison.episodes.iter().filter(|episode| episode.instance() == instance);
    let first = changed.find(|episode| evidence(check, comparison).any(|behind| behind.episode == episode.episode));
    let told = first.map(|episode| format!("{}\n  {}\n", episode.episode, causes(episode).join("\n  ")));
    format!("{}: {}\n{}", check.name, check.text, told.unwrap_or_default())
}

fn failure(message: &str, body: &str) -> String {
    format!("            <failure message=\"{}\" type=\"gate\">{}</failure>\n", plain(message), plain(body))
}

fn case(check: &Check, body: &impl Fn(&Check) -> String) -> String {
    let (name, text) = (plain(&check.name), plain(&check.text));
    let class = check.metric.map_or_else(|| "probity.gate".to_owned(), |metric| format!("probity.gate.{metric}"));
    let status = match check.outcome {
        Outcome::Pass => String::new(),
        Outcome::Fail | Outcome::Undecided | Outcome::NotMeasured => failure(&check.text, &body(check)),
        Outcome::NotScored => "            <skipped/>\n".to_owned(),
    };
    let class = plain(&class);
    format!(
        "        <testcase name=\"{name}\" classname=\"{class}\">\n{status}            \
         <system-out>{text}</system-out>\n        </testcase>\n"
    )
}

/// The episodes behind a check, with what was found in them.
fn body(check: &Check, comparison: &Comparison) -> String {
    let mut text = format!("{}\n", check.text);
    let episodes: Vec<_> = evidence(check, comparison).collect();
    for episode in episodes.iter().take(SHOWN) {
        text.push_str(&format!("{}\n", episode.episode));
        causes(episode).iter().for_each(|cause| text.push_str(&format!("  {cause}\n")));
    }
    if episodes.len() > SHOWN {
        text.push_str(&format!("and {} more\n", episodes.len() - SHOWN));
    }
    text
}

/// Names of agents and texts of findings may hold anything; XML may not.
fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in plain_lines(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\'' => safe.push_str("&apos;"),
            '"' => safe.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn nothing_that_an_agent_is_called_is_markup() {
        assert_eq!(
            plain("</testcase> & \"a\" 'b'\u{1b}[31m\u{ffff}\n"),
            "&lt;/testcase&gt; &amp; &quot;a&quot; &apos;b&apos; [31m \n"
        );
    }
}
