//! JUnit XML: one test for each check of the gate.

use crate::compare::comparison::Comparison;
use crate::compare::evidence::{causes, evidence};
use crate::compare::gate::{Check, GateVerdict, Outcome};
use probity_engine::plain::plain_lines;

/// Episodes that are told of a check.
const SHOWN: usize = 20;

/// The gates of a comparison as a report of tests.
pub fn render(gates: &[(&Comparison, &GateVerdict)]) -> String {
    let [tests, skipped, failures] = counts(gates.iter().flat_map(|(_, verdict)| &verdict.checks));
    let suites: String = gates.iter().map(|(comparison, verdict)| suite(comparison, verdict)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"probity compare\" tests=\"{tests}\" skipped=\"{skipped}\" failures=\"{failures}\" \
         errors=\"0\">\n{suites}</testsuites>\n"
    )
}

/// How many checks there are, how many of them were not scored, and how many keep the gate closed.
fn counts<'a>(checks: impl Iterator<Item = &'a Check>) -> [usize; 3] {
    checks.fold([0; 3], |[tests, skipped, failures], check| {
        let is_failure = matches!(check.outcome, Outcome::Fail | Outcome::Undecided);
        let is_skipped = matches!(check.outcome, Outcome::NotScored);
        [tests + 1, skipped + usize::from(is_skipped), failures + usize::from(is_failure)]
    })
}

/// Checks of one comparison that knows no episodes.
pub fn render_checks(name: &str, checks: &[Check]) -> String {
    let [tests, skipped, failures] = counts(checks.iter());
    let suite = cases(name, checks, |check| check.text.clone());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"probity audit\" tests=\"{tests}\" skipped=\"{skipped}\" failures=\"{failures}\" \
         errors=\"0\">\n{suite}</testsuites>\n"
    )
}

fn suite(comparison: &Comparison, verdict: &GateVerdict) -> String {
    let name = format!("{} -> {}", comparison.base_agent, comparison.new_agent);
    cases(&name, &verdict.checks, |check| body(check, comparison))
}

fn cases(name: &str, checks: &[Check], body: impl Fn(&Check) -> String) -> String {
    let name = plain(name);
    let [tests, skipped, failures] = counts(checks.iter());
    let head = format!("name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" errors=\"0\" failures=\"{failures}\"");
    if checks.is_empty() {
        return format!("    <testsuite {head}/>\n");
    }
    let cases: String = checks.iter().map(|check| case(check, &body)).collect();
    format!("    <testsuite {head}>\n{cases}    </testsuite>\n")
}

fn case(check: &Check, body: &impl Fn(&Check) -> String) -> String {
    let (name, text) = (plain(&check.name), plain(&check.text));
    let class = check.metric.map_or_else(|| "probity.gate".to_owned(), |metric| format!("probity.gate.{metric}"));
    let status = match check.outcome {
        Outcome::Pass => String::new(),
        Outcome::Fail | Outcome::Undecided => {
            let body = plain(&body(check));
            format!("            <failure message=\"{text}\" type=\"gate\">{body}</failure>\n")
        }
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
