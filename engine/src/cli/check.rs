//! `probity check`.

use std::collections::BTreeMap;

use serde_json::json;

use super::Global;
use super::exit::Exit;
use super::output;
use crate::check::dialogue::explain;
use crate::check::{check, check_dialogues, update};
use crate::load::suite::Suite;

/// Check environments and tasks: all problems at once, with file, line and column.
///
/// Every schema, script, reference and variant is checked; every accepted outcome's oracle is played
/// under every behaviour and must get full marks from every scorer; what users say is searched for leaks.
///
/// With `--all` every dialogue is read as an agent hears it: all that an oracle needs must be told by then,
/// and every user must be what the behaviour says.
#[derive(clap::Args)]
pub struct Check {
    /// Write pinned state hashes and expected deltas into the task files as they are now
    #[arg(long)]
    update: bool,
    /// Ask of every dialogue as well what an agent can know by it
    #[arg(long)]
    all: bool,
    /// Print for every task what its oracles need to know and where it can be known from; implies --all
    #[arg(long)]
    explain: bool,
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
        let (diagnostics, sheets) = match self.all || self.explain {
            true => check_dialogues(&suite),
            false => (check(&suite), BTreeMap::new()),
        };
        let failed = diagnostics.iter().any(crate::model::diagnostic::Diagnostic::is_error);
        if global.json {
            let tasks = suite.tasks.len();
            let mut found =
                json!({"environments": suite.environments.len(), "tasks": tasks, "diagnostics": diagnostics});
            if let (true, Some(found)) = (self.explain, found.as_object_mut()) {
                found.insert("explain".to_owned(), json!(sheets));
            }
            output::json(&found);
        } else {
            let environments = output::count(suite.environments.len(), "environment");
            let tasks = output::count(suite.tasks.len(), "task");
            if self.explain {
                let tables: Vec<String> = sheets.iter().map(|(task, sheets)| explain::text(task, sheets)).collect();
                output::print(&format!("{}\n", tables.join("\n")));
            }
            output::print(&format!("{}checked {environments}, {tasks}\n", output::diagnostics(&diagnostics)));
        }
        if failed { Exit::BadInput } else { Exit::Clean }
    }
}
