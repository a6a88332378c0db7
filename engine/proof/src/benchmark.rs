//! The behaviour suite as programs open it: of an episode that failed it says the point of no return.

use std::sync::Arc;

use crate::certify::no_return::no_return;
use probity_behaviour::benchmark::{BehaviourBenchmark, NAME};
use probity_behaviour::folder::read_all;
use probity_behaviour::score::success::Success;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::{Files, Loaded, Registered, Trace};
use probity_engine::Diagnostic;

pub const REGISTERED: Registered = Registered::new(NAME, read_all, open);

fn open(files: Files, refused: Vec<Diagnostic>) -> Loaded {
    let mut suite = Suite::from_files(files, refused);
    let diagnostics = std::mem::take(&mut suite.diagnostics);
    Loaded { benchmark: Arc::new(benchmark(Arc::new(suite))), diagnostics }
}

/// A suite that is opened already.
pub fn benchmark(suite: Arc<Suite>) -> BehaviourBenchmark {
    BehaviourBenchmark::new(suite).with_remark(lost)
}

fn lost(task: &Task, trace: &Trace, scored: &Success) -> Option<String> {
    no_return(task, trace, scored).map(|lost| format!("point of no return: step {}, {}", lost.step, lost.by))
}
