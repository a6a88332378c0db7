//! Dialogues from elsewhere, opened for a command: read strictly, and replayed on the tasks below the root.

use std::path::Path;
use std::sync::Arc;

use super::exit::Exit;
use super::{Global, output};
use probity_behaviour::dialogue::file;
use probity_behaviour::dialogue::file::{Dialogue, MAX_BYTES};
use probity_behaviour::dialogue::replay::trace;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::Trace;
use probity_engine::read::read_named;

/// Most errors of a file of dialogues that people are told.
const MAX_ERRORS: usize = 20;
/// What to do about dialogues that do not replay.
pub(super) const ON_OTHER_TASKS: &str =
    "  help: dialogues are replayed on the tasks below --root; name the folder whose tasks they were held on\n";

/// What a dialogue replays as.
pub(super) struct Replayed {
    pub task: Arc<Task>,
    pub trace: Trace,
}

/// A dialogue, and what it replays as or why it does not.
pub(super) type Held = (Dialogue, Result<Replayed, String>);

/// The dialogues of a file, in its order; an error has been printed when this gives an exit code.
pub(super) fn open(global: &Global, path: &Path) -> Result<Vec<Held>, Exit> {
    let suite = Suite::load(&global.root);
    if suite.has_errors() {
        output::note(&output::diagnostics(&suite.diagnostics));
        output::error("the environments or tasks have errors", "mend what stands above; `probity check` shows all");
        return Err(Exit::BadInput);
    }
    let text = read_named(path, MAX_BYTES).map_err(|message| {
        output::error(
            &format!("`{}`: {message}", path.display()),
            "name a file of dialogues (docs/FORMATS.md, section \"Dialogues\")",
        );
        Exit::BadInput
    })?;
    let dialogues = file::read(&path.display().to_string(), &text)
        .map_err(|found| output::refuse_lines(global.json, &found, MAX_ERRORS))?;
    Ok(dialogues.into_iter().map(|dialogue| replay(&suite, dialogue)).collect())
}

fn replay(suite: &Suite, dialogue: Dialogue) -> Held {
    let replayed = match suite.tasks.get(&dialogue.task) {
        Some(loaded) => trace(&loaded.task, &dialogue).map(|trace| Replayed { task: Arc::clone(&loaded.task), trace }),
        None => Err(format!("there is no task `{}` below the root", dialogue.task)),
    };
    (dialogue, replayed)
}
