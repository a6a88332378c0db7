//! `probity judge` on a run of the MM-tau suite: labels of messages and conversations, and the numbers that rest on them
//! alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::asking::Asker;
use super::judges::{Connected, JudgeFlags, finish, tell};
use super::labelled_table;
use super::stopped::Stopped;
use crate::cli::exit::Exit;
use crate::cli::opened::Opened;
use crate::cli::program::progress;
use crate::cli::{Global, output, signals};
use crate::failure::Failure;
use probity_behaviour::judge::prompt::Wording;
use probity_bench::{EpisodeRecord, Interrupt, Usage};
use probity_engine::{MAX_FILE_BYTES, read::read_named};
use probity_mm_tau::labels::{
    ConversationLabels, JudgePrompt, LabelCounts, LabelSet, LabelledMessage, ReplyRefusal, conversation_prompt,
    critical_fields, judged_episode, message_prompt, read_conversation, read_message, transcript,
};

/// The labels of a run's models, in its directory.
const FILE: &str = "labels.jsonl";

/// Has the episodes of a run labelled by the judges that are named, and prints what all labels come to.
pub(super) fn judge(
    global: &Global,
    opened: &Opened,
    (labels, judges): (Option<&Path>, &JudgeFlags),
) -> Result<Exit, Stopped> {
    if judges.has_wording() {
        let help = "leave it out: judges of this suite are asked for the labels of its measures";
        return Err(Failure::new("`--wording` means nothing here", help).into());
    }
    let mut records = opened.load().map_err(Stopped::Told)?;
    // What was cut off is played again when the run goes on.
    records.retain(|record| !record.is_unreached());
    let _lock = opened.directory.lock().map_err(|error| Failure::new(error.to_string(), error.help()))?;
    let episodes: BTreeMap<_, _> =
        records.iter().filter_map(|record| Some((record.name(), judged_episode(record)?))).collect();
    let mut set = LabelSet::new(episodes);
    let kept = opened.directory.file(FILE);
    if let Some(path) = labels {
        set = with_file(set, path)?;
    }
    if kept.exists() {
        set = with_kept(set, &kept)?;
    }
    let interrupt = Arc::new(Interrupt::default());
    let mut exit = Exit::Clean;
    if let Some(connected) = judges.way(Some(opened.directory.file(Wording::Reliability.cassette())), &interrupt)? {
        signals::stop(&interrupt);
        exit = ask(global, (&records, &kept), &mut set, &connected, judges.jobs())?;
        if interrupt.is_set() {
            exit = Exit::Interrupted;
        }
    }
    labelled_table::print(global, &set);
    Ok(exit)
}

/// The labels that this command has kept. Lines that are of no episode any more, or were cut off, are told and passed
/// over: their episodes are labelled again.
fn with_kept(set: LabelSet, path: &Path) -> Result<LabelSet, Stopped> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("`{}`: {error}", path.display()), "look at the file, or take it away"))?;
    let Err(problems) = set.clone().with_file(&text) else { return with_lines(set, &text) };
    let lost: BTreeSet<usize> = problems.iter().map(|problem| problem.line).filter(|line| *line > 0).collect();
    if !lost.is_empty() {
        let lines = output::count(lost.len(), "line");
        output::note(&format!("note: {lines} of {FILE} are of no episode as it is now, and are passed over"));
    }
    let whole = text.lines().zip(1..).filter(|(_, number)| !lost.contains(number));
    with_lines(set, &whole.map(|(line, _)| format!("{line}\n")).collect::<String>())
}

fn with_lines(set: LabelSet, text: &str) -> Result<LabelSet, Stopped> {
    if text.trim().is_empty() {
        return Ok(set);
    }
    let problem = |problems: Vec<_>| problems.first().map(ToString::to_string).unwrap_or_default();
    set.with_file(text)
        .map_err(|found| Failure::new(format!("{FILE}: {}", problem(found)), "take the file away").into())
}

fn with_file(set: LabelSet, path: &Path) -> Result<LabelSet, Stopped> {
    let name = path.display().to_string();
    let text = read_named(path, MAX_FILE_BYTES)
        .map_err(|what| Failure::new(format!("`{name}`: {what}"), "name a file of labels (docs/MM_TAU.md)"))?;
    set.with_file(&text).map_err(|problems| {
        problems
            .iter()
            .take(super::command::MAX_ERRORS)
            .for_each(|problem| output::note(&format!("{name}: {problem}")));
        let message = format!("`{name}` has {}", output::count(problems.len(), "problem"));
        Failure::new(message, "mend the lines; docs/MM_TAU.md, section \"Judges\", has their form").into()
    })
}

/// Asks each judge for the labels of each episode that it has not labelled; each is kept as soon as it is there.
fn ask(
    global: &Global,
    (records, path): (&[EpisodeRecord], &Path),
    set: &mut LabelSet,
    Connected { models, client, recorder, prices }: &Connected,
    jobs: usize,
) -> Result<Exit, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| Failure::new(format!("no threads: {error}"), "ask for fewer `--jobs`"))?;
    let unwritable = |error: std::io::Error| {
        Failure::new(format!("`{}`: {error}", path.display()), "look at the permissions and the free space")
    };
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(unwritable)?;
    let bar = progress(global, models.len() * records.len());
    let is_lost = AtomicBool::new(false);
    let (mut usage, mut fault) = (Usage::default(), None);
    for model in models {
        let judge = format!("openai:{model}");
        let is_new = |record: &&EpisodeRecord| {
            !set.judges().any(|(known, labels)| known == judge && labels.contains_key(&record.name()))
        };
        let open: Vec<&EpisodeRecord> = records.iter().filter(is_new).collect();
        for batch in open.chunks(jobs.max(1)) {
            let one = |record: &&EpisodeRecord| {
                let asker = Asker { client, model, unit: &record.name() };
                let mut labelling = Labelling { asker, usage: Usage::default(), fault: None };
                let labels = (!is_lost.load(Relaxed)).then(|| labelling.labels(&judge, record)).flatten();
                is_lost.fetch_or(labelling.fault.is_some(), Relaxed);
                bar.inc(1);
                (labels, labelling.usage, labelling.fault)
            };
            let said: Vec<_> = pool.install(|| batch.par_iter().map(one).collect());
            for (labels, of_one, what) in said {
                usage += of_one;
                fault = fault.or(what);
                let Some(labels) = labels else { continue };
                // The break before it keeps a line apart from one that was cut off.
                file.write_all(format!("\n{}\n", labels.line()).as_bytes()).map_err(unwritable)?;
                set.add(labels).map_err(|conflict| Failure::new(conflict.to_string(), "report this as a fault"))?;
            }
        }
    }
    bar.finish_and_clear();
    finish(recorder.as_deref());
    if !global.quiet {
        tell(*prices, &usage);
    }
    match fault {
        Some(why) => {
            output::note(&format!("error: a judge could not be reached: {why}"));
            Ok(Exit::Infrastructure)
        }
        None => Ok(Exit::Clean),
    }
}

struct Labelling<'a> {
    asker: Asker<'a>,
    usage: Usage,
    fault: Option<String>,
}

impl Labelling<'_> {
    /// All labels of an episode; nothing once the model cannot be reached.
    fn labels(&mut self, judge: &str, record: &EpisodeRecord) -> Option<ConversationLabels> {
        let dialogue = transcript(record);
        let critical = critical_fields(&judged_episode(record)?.domain);
        let mut messages = Vec::new();
        for (index, message) in dialogue.iter().enumerate() {
            let prompt = message_prompt(&dialogue, index, critical)?;
            let counts = self.ask(&prompt, |reply| read_message(reply, message.role));
            messages.push(LabelledMessage { role: message.role, counts });
        }
        let conversation = self.ask(&conversation_prompt(&dialogue), read_conversation);
        let labels = ConversationLabels { judge: judge.to_owned(), episode: record.name(), messages, conversation };
        self.fault.is_none().then_some(labels)
    }

    fn ask(
        &mut self,
        prompt: &JudgePrompt,
        read: impl Fn(&str) -> Result<LabelCounts, ReplyRefusal>,
    ) -> Option<LabelCounts> {
        if self.fault.is_some() {
            return None;
        }
        let read = |reply: &str| read(reply).map_err(|refusal| JudgePrompt::again(&refusal));
        self.asker.ask(prompt.messages().to_vec(), &mut self.usage, read).unwrap_or_else(|why| {
            self.fault = Some(why);
            None
        })
    }
}
