//! JUnit XML: one test for each check of the gate.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::compare::comparison::Comparison;
use crate::compare::gate::{GateVerdict, Outcome};
use probity_engine::plain::plain_lines;

/// The gates of a comparison as a report of tests.
///
/// # Errors
/// It cannot be written as XML.
pub fn render(gates: &[(&Comparison, &GateVerdict)]) -> Result<String, String> {
    let mut report = Report::new("probity compare");
    for (comparison, verdict) in gates {
        let mut suite = TestSuite::new(plain(&format!("{} -> {}", comparison.base_agent, comparison.new_agent)));
        suite.add_test_case(comparable(verdict));
        for check in &verdict.checks {
            let status = match check.outcome {
                Outcome::Pass => TestCaseStatus::success(),
                Outcome::Fail => failure(&check.text, &evidence(comparison)),
                Outcome::NotScored => TestCaseStatus::skipped(),
            };
            let mut case = TestCase::new(plain(&check.name), status);
            case.set_classname(format!("probity.gate.{}", check.metric));
            case.set_system_out(plain(&check.text));
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| error.to_string())
}

fn comparable(verdict: &GateVerdict) -> TestCase {
    let status = match verdict.obstacles.first() {
        None => TestCaseStatus::success(),
        Some(first) => failure(first, &verdict.obstacles.join("\n")),
    };
    let mut case = TestCase::new("the runs can be compared", status);
    case.set_classname("probity.gate");
    case
}

fn failure(message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(plain(message)).set_type("gate").set_description(plain(description));
    status
}

/// The findings that are new, and the first episodes that changed.
fn evidence(comparison: &Comparison) -> String {
    let findings = comparison.findings.iter().filter(|(_, (base, new))| new > base);
    let mut lines: Vec<String> =
        findings.map(|(code, (base, new))| format!("finding {code}: {base} -> {new}")).collect();
    lines.extend(comparison.episodes.iter().take(10).map(|episode| format!("episode {}", episode.episode)));
    lines.join("\n")
}

/// Names of agents and texts of findings may hold anything; XML may not.
fn plain(text: &str) -> String {
    plain_lines(text).replace(['\u{fffe}', '\u{ffff}'], " ")
}
