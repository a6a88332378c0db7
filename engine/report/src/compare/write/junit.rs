//! JUnit XML: one test for each check of the gate.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::compare::comparison::Comparison;
use crate::compare::evidence::{causes, evidence};
use crate::compare::gate::{Check, GateVerdict, Outcome};
use probity_engine::plain::plain_lines;

/// Episodes that are told of a check.
const SHOWN: usize = 20;

/// The gates of a comparison as a report of tests.
///
/// # Errors
/// It cannot be written as XML.
pub fn render(gates: &[(&Comparison, &GateVerdict)]) -> Result<String, String> {
    let mut report = Report::new("probity compare");
    for (comparison, verdict) in gates {
        let mut suite = TestSuite::new(plain(&format!("{} -> {}", comparison.base_agent, comparison.new_agent)));
        for check in &verdict.checks {
            let status = match check.outcome {
                Outcome::Pass => TestCaseStatus::success(),
                Outcome::Fail | Outcome::Undecided => failure(&check.text, &body(check, comparison)),
                Outcome::NotScored => TestCaseStatus::skipped(),
            };
            let mut case = TestCase::new(plain(&check.name), status);
            case.set_classname(
                check.metric.map_or("probity.gate".to_owned(), |metric| format!("probity.gate.{metric}")),
            );
            case.set_system_out(plain(&check.text));
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| error.to_string())
}

fn failure(message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(plain(message)).set_type("gate").set_description(plain(description));
    status
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
    plain_lines(text).replace(['\u{fffe}', '\u{ffff}'], " ")
}
