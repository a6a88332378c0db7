//! `probity check`.

use serde_json::json;

use super::Global;
use super::exit::Exit;
use super::output;
use crate::check::environment::Explored;
use crate::check::environment::coverage::Coverage;
use crate::check::{check, check_all, update};
use crate::load::suite::Suite;

/// Check environments and tasks: all problems at once, with file, line and column.
///
/// Every schema, script, reference and variant is checked; every accepted outcome's oracle is played
/// under every behaviour and must get full marks from every scorer; what users say is searched for leaks.
///
/// With `--all` every tool of every environment is called in many states as well, with valid and invalid
/// arguments: no call may be a fault of its script, and all that is declared must happen.
#[derive(clap::Args)]
pub struct Check {
    /// Write pinned state hashes and expected deltas into the task files as they are now
    #[arg(long)]
    update: bool,
    /// Explore the environments as well, and say what was reached; takes a few seconds
    #[arg(long)]
    all: bool,
}

impl Check {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let mut suite = Suite::load(&global.root);
        if self.update {
            match update::update(&global.root, &suite) {
                Ok(written) => written.iter().for_each(|path| output::note(&format!("updated {path}"))),
                Err(diagnostic) => {
                    output::note(&diagnostic.to_string());
                    return Exit::BadInput;
                }
            }
            suite = Suite::load(&global.root);
        }
        let Explored { diagnostics, coverage } = self.find(global, &suite);
        let failed = diagnostics.iter().any(crate::model::diagnostic::Diagnostic::is_error);
        if global.json {
            let tasks = suite.tasks.len();
            let mut found =
                json!({"environments": suite.environments.len(), "tasks": tasks, "diagnostics": diagnostics});
            if let (true, Some(found)) = (self.all, found.as_object_mut()) {
                found.insert("coverage".to_owned(), json!(coverage));
            }
            output::json(&found);
        } else {
            let environments = output::count(suite.environments.len(), "environment");
            let tasks = output::count(suite.tasks.len(), "task");
            let coverage: String = coverage.iter().map(Coverage::to_text).collect();
            output::print(&format!("{}{coverage}checked {environments}, {tasks}\n", output::diagnostics(&diagnostics)));
        }
        if failed { Exit::BadInput } else { Exit::Clean }
    }

    fn find(&self, global: &Global, suite: &Suite) -> Explored {
        if !self.all {
            return Explored { diagnostics: check(suite), ..Explored::default() };
        }
        let bar = super::progress(global, suite.environments.len());
        let found = check_all(suite, &|| bar.inc(1));
        bar.finish_and_clear();
        found
    }
}
