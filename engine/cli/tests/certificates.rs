//! The certificates of all tasks as text a person can review, in `snapshots/certificates/`: a change of one is seen
//! before it lands.

use std::sync::OnceLock;

use rayon::prelude::*;

use crate::support::{SAMPLED, sampled_suite, snapshots};
use probity_behaviour::suite::Suite;
use probity_proof::certify::certificate::{self, Certificate};
use probity_proof::certify::rules::{self, Violations};
use probity_proof::certify::{certify, diagnosis};

/// Shipped environments and the certificate of each of their tasks.
fn certified() -> &'static (&'static Suite, Vec<Certificate>) {
    static CERTIFIED: OnceLock<(&Suite, Vec<Certificate>)> = OnceLock::new();
    CERTIFIED.get_or_init(|| {
        let loaded = sampled_suite();
        assert!(!loaded.tasks.is_empty(), "{:?}", loaded.diagnostics);
        let tasks: Vec<_> = loaded.tasks.values().collect();
        let certificates = tasks.par_iter().map(|loaded| certify(&loaded.task).0).collect();
        (loaded, certificates)
    })
}

#[test]
fn all_tasks_are_certified() {
    let (loaded, certificates) = certified();
    for certificate in certificates {
        if !SAMPLED.iter().any(|id| certificate.task.starts_with(id)) {
            continue;
        }
        snapshots("certificates")
            .bind(|| insta::assert_snapshot!(certificate.task.replace('/', "__"), certificate::text(certificate)));
    }
    assert_eq!(diagnosis::diagnostics(loaded, certificates), []);
}

/// Every rule of a policy says what checks it, and each check is violated by some slip.
#[test]
fn every_rule_has_a_check_that_some_slip_violates() {
    let (loaded, certificates) = certified();
    assert_eq!(probity_proof::check::policy::check(loaded), []);
    let of_task = |certificate: &'static Certificate| (certificate.task.as_str(), certificate.rules.as_slice());
    let violations: Violations = certificates.iter().map(of_task).collect();
    let table = rules::table(loaded, &violations);
    for line in &table {
        assert!(line.bound_to.is_some() || line.unscored.is_some(), "{line:?}");
        assert!(line.bound_to.is_none() || line.violated_in > 0, "{line:?}");
        assert_eq!(line.slip.is_some(), line.violated_in > 0, "{line:?}");
    }
    assert!(loaded.environments.keys().all(|id| table.iter().any(|line| line.environment == *id)));
    assert_eq!(rules::never_violated(loaded, &violations), []);
    let sampled: Vec<_> = table.iter().filter(|line| SAMPLED.contains(&line.environment.as_str())).cloned().collect();
    for lines in sampled.chunk_by(|one, next| one.environment == next.environment) {
        let name = lines[0].environment.replace('/', "__");
        snapshots("policy").bind(|| insta::assert_snapshot!(name, rules::text(lines)));
    }
}
