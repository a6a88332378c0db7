//! The board of `probity report`: many runs on one page.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::finish::{PAGE, width};
use super::global::progress;
use super::link;
use super::opened::Opened;
use super::overwrite::refuse_inside;
use super::proof::Doubts;
use super::stopped::Stopped;
use super::{Global, output};
use probity_engine::plain::plain;
use probity_engine::write_out;
use probity_local::Failure;
use probity_report::{Board, BoardDraft, Conditions, HEAD_BYTES, ReadRun, RunName, Tally, is_board};

/// What a board is asked for.
pub(super) struct BoardRequest<'a> {
    pub runs: &'a [PathBuf],
    /// What to call them, in their order; nothing for their paths.
    pub labels: &'a [String],
    pub out: Option<&'a Path>,
}

/// A run that was counted.
struct Counted<'a> {
    run: RunName,
    page: Option<String>,
    path: &'a Path,
}

impl BoardRequest<'_> {
    /// Prints the board and writes its page. What is no run has a row that says so and spoils no other's.
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        self.check()?;
        let (board, is_sound) = self.read(global);
        if board.suites.is_empty() {
            return Err(none(&board).into());
        }
        global.tell(|| serde_json::json!(board), || board.text(width()));
        if let Some(out) = self.out {
            write_out(out, |file| board.write(file)).map_err(|error| {
                let help = "name a file in a directory that can be written";
                Failure::new(format!("`{}`: {error}", out.display()), help)
            })?;
            global.note(&format!("board: {}", out.display()));
        }
        Ok(if is_sound { Exit::Clean } else { Exit::Failed })
    }

    fn check(&self) -> Result<(), Failure> {
        let (runs, labels) = (self.named().count(), self.labels.len());
        if labels != 0 && labels != runs {
            let message = format!("{} for {}", output::count(labels, "label"), output::count(runs, "run"));
            return Err(Failure::new(message, "give one `--label` for each run, in their order, or none"));
        }
        let Some(out) = self.out else { return Ok(()) };
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        if let Some(folder) = folder {
            let message = format!("`{}`: there is no folder `{}`", out.display(), folder.display());
            return Err(Failure::new(message, "make it first, or name a file elsewhere"));
        }
        self.runs.iter().filter(|run| run.is_dir()).try_for_each(|run| refuse_inside(out, run))?;
        match is_foreign(out) {
            true => Err(Failure::new(
                format!("`{}` is there and is no board: it stays as it is", out.display()),
                "name another file to write to, or take it away",
            )),
            false => Ok(()),
        }
    }

    /// The runs, without the board itself where it stands among them.
    fn named(&self) -> impl Iterator<Item = &Path> {
        let out = self.out.and_then(|out| out.canonicalize().ok());
        let is_out = move |run: &Path| out.is_some() && run.canonicalize().ok() == out;
        self.runs.iter().map(PathBuf::as_path).filter(move |run| !is_out(run))
    }

    /// Reads one run after the other, and none is kept; also whether all of them can be believed.
    fn read(&self, global: &Global) -> (Board, bool) {
        let (mut draft, mut is_sound) = (BoardDraft::default(), true);
        let mut known: BTreeMap<PathBuf, usize> = BTreeMap::new();
        let bar = progress(global, self.named().count());
        for (at, path) in self.named().enumerate() {
            let label = self.labels.get(at).cloned().unwrap_or_else(|| path.display().to_string());
            let run = RunName { number: at + 1, label, path: path.display().to_string() };
            bar.set_message(plain(&run.path));
            match path.canonicalize().ok().map(|real| *known.entry(real).or_insert(run.number)) {
                // A link to the newest run often stands beside the runs.
                Some(first) if first != run.number => {
                    let why = format!("it is the directory of run {first}, which is counted once");
                    draft.add_unread(run, why);
                }
                Some(_) | None => {
                    let counted = Counted { run: run.clone(), page: self.page(path), path };
                    match counted.add(global, &mut draft) {
                        Ok(is_believed) => is_sound &= is_believed,
                        Err(failure) => {
                            is_sound = false;
                            draft.add_unread(run, format!("{}; {}", failure.message, failure.help));
                        }
                    }
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        (draft.board(), is_sound)
    }

    /// How the board leads to the page of a run, if there is one.
    fn page(&self, run: &Path) -> Option<String> {
        let page = run.join(PAGE);
        let above = self.out?.parent().filter(|above| !above.as_os_str().is_empty());
        let folder = above.unwrap_or(Path::new(".")).canonicalize().ok()?;
        page.is_file().then(|| link::between(&folder, &page.canonicalize().ok()?)).flatten()
    }
}

impl Counted<'_> {
    /// Counts its episodes as `report` does, and tells whether its records can be believed.
    /// An error: it is no run, or none of its episodes can be counted.
    fn add(self, global: &Global, draft: &mut BoardDraft) -> Result<bool, Failure> {
        let opened = Opened::open(global, self.path)?;
        let (units, coverage) = opened.coverage()?;
        if let Some(doubled) = opened.doubled(&coverage) {
            return Err(doubled);
        }
        let mut faults = Vec::new();
        if let Some((line, what)) = opened.episodes.damaged.first() {
            let lines = output::count(opened.episodes.damaged.len(), "line");
            faults.push(format!("{lines} of episodes.jsonl cannot be read, first: line {line}: {what}"));
        }
        if opened.episodes.is_torn {
            faults.push("the last line of episodes.jsonl is cut off".to_owned());
        }
        if !coverage.missing.is_empty() {
            faults.push(format!("not complete: {}", opened.progress(&coverage)));
        }
        let benchmark = opened.benchmark.as_ref();
        let (mut doubts, mut tally) = (Doubts::default(), Tally::new(benchmark));
        for batch in doubts.proved(&units, benchmark, opened.episodes.batches())? {
            batch?.iter().for_each(|record| tally.add(record));
        }
        let is_readable = opened.episodes.damaged.is_empty() && !opened.episodes.is_torn;
        let is_believed = doubts.is_empty() && is_readable;
        faults.extend(doubts.line());
        let report = opened.finished().report(tally);
        let conditions = Conditions::of(&opened.config, &units);
        let read = ReadRun { run: self.run, page: self.page, config: &opened.config, report: &report, faults };
        draft.add(benchmark.card(), conditions, read);
        Ok(is_believed)
    }
}

/// Whether a file stands there that no board was written to.
fn is_foreign(out: &Path) -> bool {
    let is_file = std::fs::metadata(out).is_ok_and(|file| file.is_file() && file.len() > 0);
    let head = File::open(out).and_then(|file| {
        let mut head = Vec::new();
        file.take(HEAD_BYTES).read_to_end(&mut head)?;
        Ok(head)
    });
    is_file && !head.is_ok_and(|head| is_board(&head))
}

/// That nothing could be read, and why: the first few.
fn none(board: &Board) -> Failure {
    let first =
        board.unread.iter().take(3).map(|unread| format!("\n  {}: {}", plain(&unread.run.path), plain(&unread.why)));
    let message = format!("no run among {}{}", output::count(board.unread.len(), "path"), first.collect::<String>());
    Failure::new(message, "name directories that `probity run` wrote")
}
