//! Dialogues from elsewhere, opened for a command: read strictly, and replayed on the tasks they were held on: those
//! below the root, or an earlier version of them that is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::from_log::{TaskMap, placed};
use super::meant::Meant;
use super::stopped::{Stopped, sound};
use super::{Global, output};
use probity_behaviour::dialogue::file;
use probity_behaviour::dialogue::file::{Dialogue, MAX_BYTES};
use probity_behaviour::dialogue::replay::played;
use probity_behaviour::score::episode::{Scorer, Scores};
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::Rollout;
use probity_engine::read::read_named;
use probity_local::Failure;
use probity_logs::Reader;

/// Most errors of a file of dialogues that people are told.
const MAX_ERRORS: usize = 20;
/// Where earlier versions of tasks are kept: beside a file of dialogues, and below the root.
const KEPT_BESIDE: &str = "suite";
const KEPT_BELOW: &str = "labels/suite";
pub(super) const ON_OTHER_TASKS: &str =
    "  help: dialogues are replayed on the tasks below --root; name the folder whose tasks they were held on\n";

pub(super) struct Replayed {
    pub task: Arc<Task>,
    pub played: Rollout,
}

/// A scorer for each task that dialogues were held on; versions of a task have one name, and each its own scorer.
#[derive(Default)]
pub(super) struct Scorers(BTreeMap<*const Task, Scorer<Arc<Task>>>);

impl Scorers {
    pub(super) fn score(&mut self, Replayed { task, played }: &Replayed) -> Result<Scores, String> {
        let scorer = self.0.entry(Arc::as_ptr(task)).or_insert_with(|| Scorer::new(Arc::clone(task)));
        scorer.score(played).ok_or_else(|| "it is not a trace of this task".to_owned())
    }
}

/// A dialogue, and what it replays as or why it does not.
pub(super) type ReplayedDialogue = (Dialogue, Result<Replayed, String>);

/// The dialogues of a file of ours, in its order, or those of any log that were held on tasks of ours, with what `map` says
/// of them.
pub(super) fn open(global: &Global, path: &Path, map: &TaskMap) -> Result<Vec<ReplayedDialogue>, Stopped> {
    let text = read_named(path, MAX_BYTES).map_err(|message| {
        let help = "name a file of dialogues (docs/FORMATS.md, section \"Dialogues\")";
        Failure::new(format!("`{}`: {message}", path.display()), help)
    })?;
    let kept = path.parent().map(|folder| folder.join(KEPT_BESIDE));
    let kept = kept.into_iter().chain([global.root.join(KEPT_BELOW)]).filter(|kept| kept.is_dir());
    let name = path.display().to_string();
    if !is_ours(&text) {
        let suites = readable(Suite::load(&global.root), kept.map(|kept| Suite::load(&kept)))?;
        return Ok(of_log(&name, &text, &suites, map));
    }
    let dialogues = file::read(&name, &text).map_err(|found| output::refuse_lines(global.json, &found, MAX_ERRORS))?;
    let tasks: BTreeSet<String> = dialogues.iter().map(|dialogue| dialogue.task.clone()).collect();
    let named: Vec<Meant> = tasks.iter().cloned().map(Meant::Named).collect();
    let suite = Meant::suite(&tasks.into_iter().collect::<Vec<_>>(), &global.root);
    let suites = readable(suite, kept.map(|kept| Meant::part(&named, &kept)))?;
    Ok(dialogues.into_iter().map(|dialogue| replay(&suites, dialogue)).collect())
}

/// A suite without errors, and those that are kept: these may be of a format that this version no longer reads.
fn readable(suite: Suite, kept: impl Iterator<Item = Suite>) -> Result<Vec<Suite>, Stopped> {
    Ok(std::iter::once(sound(suite)?).chain(kept.filter(|kept| !kept.has_errors())).collect())
}

/// Whether a file has dialogues in our form: its first line says of which task it is, or is no JSON at all.
fn is_ours(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match serde_json::from_str::<Value>(first) {
        Ok(line) => line.get("task").is_some() || line.get("variant").is_some(),
        Err(_) => !text.trim_start().starts_with(['[', '{']),
    }
}

/// The dialogues of a log; what cannot be read of it is told, and the rest is read.
fn of_log(name: &str, text: &str, suites: &[Suite], map: &TaskMap) -> Vec<ReplayedDialogue> {
    let mut held = Vec::new();
    for read in Reader::new(name, text.as_bytes(), None) {
        match read {
            Ok(log) => {
                let (dialogue, is_placed) = placed(&log, suites, map);
                held.push(match is_placed {
                    Ok(()) => replay(suites, dialogue),
                    Err(why) => (dialogue, Err(why)),
                });
            }
            Err(unread) => output::note(&format!("not read: {unread}")),
        }
    }
    held
}

/// Replays a dialogue on the task whose user begins as this one did, or else on the first on which it replays.
fn replay(suites: &[Suite], dialogue: Dialogue) -> ReplayedDialogue {
    let mut tasks: Vec<&Arc<Task>> =
        suites.iter().filter_map(|suite| Some(&suite.tasks.get(&dialogue.task)?.task)).collect();
    let said = dialogue.events.iter().find_map(|event| event.user.as_ref());
    let is_of = |task: &Task| task.behaviour(dialogue.variant).and_then(|user| user.turns.first()) == said;
    tasks.sort_by_key(|task| !is_of(task));
    let mut why = format!("there is no task `{}` below the root", dialogue.task);
    for (at, task) in tasks.into_iter().enumerate() {
        match played(task, &dialogue) {
            Ok(played) => return (dialogue, Ok(Replayed { task: Arc::clone(task), played })),
            Err(found) if at == 0 => why = found,
            Err(_) => {}
        }
    }
    (dialogue, Err(why))
}
