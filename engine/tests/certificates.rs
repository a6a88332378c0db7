//! The certificates of all tasks as text a person can review, in `snapshots/certificates/`: a change of one is seen
//! before it lands.

use std::path::Path;

use probity::certify::{certify, suite, text};
use probity::load::suite::Suite;
use rayon::prelude::*;

#[test]
fn all_tasks_are_certified() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let loaded = Suite::load(&root);
    assert!(!loaded.tasks.is_empty(), "{:?}", loaded.diagnostics);
    let tasks: Vec<_> = loaded.tasks.values().collect();
    let certificates: Vec<_> = tasks.par_iter().map(|loaded| certify(&loaded.task).0).collect();
    for certificate in &certificates {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../snapshots/certificates");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(certificate.task.replace('/', "__"), text::text(certificate)));
    }
    assert_eq!(suite::diagnostics(&loaded, &certificates), []);
}
