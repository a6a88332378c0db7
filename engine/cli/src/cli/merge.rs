//! `probity merge`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::exit::Exit;
use super::finish::{PAGE, PlayedRun, finish_proved};
use super::opened::mute;
use super::provider::CASSETTE;
use super::run::other;
use super::{Global, output};
use crate::cli::stopped::Stopped;
use probity_bench::provider::cassette;
use probity_bench::run::merge::{Merge, Parting, Taken};
use probity_bench::run::part::{self, PartEnd};
use probity_bench::run::{episodes, plan};
use probity_bench::{RunConfig, RunDirectory, RunError, Unit};
use probity_engine::Held;
use probity_engine::read::read_named;
use probity_local::Failure;

/// The largest `part.json`, in bytes.
const MAX_END: u64 = 64 << 10;
/// Pairs of records that are shown one by one.
const SHOWN: usize = 10;
/// Where the records go that `--prefer` did not keep.
const APART: &str = "apart.jsonl";

/// Which of two records of one unit is the run's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Prefer {
    /// That of the part which is named first.
    First,
}

/// Make one run of the parts of a plan that were played anywhere.
///
/// Prints the units that no part has, one a line, and exits with 1: `probity run --plan --units` plays them. Equal
/// records of one unit are kept once. Parts of another plan are refused with 2.
#[derive(clap::Args)]
pub struct MergeParts {
    /// The directories that `probity run --plan` wrote
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// The plan that they are parts of
    #[arg(long, value_name = "PLAN.json")]
    plan: PathBuf,
    /// The run directory; it must not exist yet
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// Where a model or a process said something else each time, keep the record of this part; the others go to apart.jsonl
    #[arg(long, value_name = "WHICH")]
    prefer: Option<Prefer>,
}

impl MergeParts {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let plan = plan::Plan::read(&self.plan)?;
        let (benchmark, units) = plan.opened(global.suites)?;
        let mut merge = Merge::new(&units);
        for part in &self.parts {
            take(&mut merge, part, &plan)?;
        }
        // What a merge left that was stopped: the same records once more.
        let is_stopped = RunDirectory::is_stopped(&self.out, &plan.run, PAGE);
        let stopped = is_stopped.then(|| RunDirectory::open(&self.out).and_then(|(stopped, _)| locked(stopped)));
        let stopped = stopped.transpose()?;
        if let Some((stopped, _)) = &stopped {
            merge.add(&stopped.file("episodes.jsonl"))?;
        }
        let partings = merge.settle(&plan.run)?;
        if partings.iter().any(|parting| !parting.is_free || self.prefer.is_none()) {
            return Ok(parted(&partings));
        }
        if let Some(exit) = missing(global.json, &merge, &plan)? {
            return Ok(exit);
        }
        let cassette = merge.cassette(CASSETTE)?;
        let (directory, _lock) = match stopped {
            Some(stopped) => stopped,
            None => locked(RunDirectory::create(&self.out, &plan.run, &plan.files()?, &recorded(&plan))?)?,
        };
        directory.write_with("episodes.jsonl", |file| merge.copy(file))?;
        if !partings.is_empty() {
            directory.write_with(APART, |file| merge.copy_apart(&partings, file))?;
            let count = output::count(partings.len(), "record");
            output::note(&format!("note: {count} of units that another part had first: {APART}"));
        }
        if let Some(cassette) = cassette {
            directory.write_with(CASSETTE, |file| cassette::write(&cassette, file))?;
        }
        let not_played = units.len() - merge.recorded();
        drop(merge);
        let played = PlayedRun::of(&directory, &plan.run, benchmark.as_ref());
        let path = directory.file("episodes.jsonl");
        Ok(finish_proved(global, &played, &units, episodes::batches(&path)?, not_played)?)
    }
}

fn locked(directory: RunDirectory) -> Result<(RunDirectory, Held), RunError> {
    directory.lock().map(|lock| (directory, lock))
}

/// Takes in a part, which must be one of this plan and hold what it says.
fn take(merge: &mut Merge, path: &Path, plan: &plan::Plan) -> Result<(), Failure> {
    let (directory, own) = RunDirectory::open_any(path)?;
    let bad = |what: String| RunError::Plan { path: path.display().to_string(), what };
    let units = own.part.as_ref().map(|part| part.units);
    let wanted = RunConfig { part: units.map(|units| part::Part { plan: plan.digest, units }), ..plan.run.clone() };
    let is_whole = || own.part.is_none().then(|| "it is a run of its own, and no part".to_owned());
    if let Some(what) = other(&own, &wanted).or_else(is_whole) {
        return Err(bad(what).into());
    }
    let taken = merge.add(&directory.file("episodes.jsonl"))?;
    let Taken { episodes, lines, damaged, is_torn } = &taken;
    for (line, what) in damaged {
        output::note(&format!("note: line {line} of {}/episodes.jsonl counts for nothing: {what}", path.display()));
    }
    let end = directory.file(part::FILE);
    if !end.exists() {
        let cut = if *is_torn { ", the last line cut off" } else { "" };
        output::note(&format!("note: `{}` was stopped after {episodes} episodes{cut}", path.display()));
        return Ok(());
    }
    let unfit = |what: String| {
        let help = "copy the part anew; without its part.json it counts with what it has";
        Failure::new(format!("`{}`: {what}", end.display()), help)
    };
    let text = read_named(&end, MAX_END).map_err(unfit)?;
    let said: PartEnd = serde_json::from_str(&text).map_err(|error| unfit(error.to_string()))?;
    let found = own.part.map(|part| PartEnd { format: part::FORMAT, part, episodes: *episodes, lines: *lines });
    match found.as_ref() == Some(&said) {
        true => Ok(()),
        false => Err(unfit(format!(
            "it says {} episodes of {}, and episodes.jsonl holds {episodes} others: it was changed, or not copied whole",
            said.episodes, said.part.units
        ))),
    }
}

/// Shows records that say different things of one unit.
fn parted(partings: &[Parting]) -> Exit {
    for Parting { unit, files, first, .. } in partings.iter().take(SHOWN) {
        let [one, other] = files.each_ref().map(|file| file.parent().unwrap_or(file).display());
        output::note(&format!("error: `{unit}` was played twice and not alike, in {one} and {other}: {first}"));
    }
    let more = output::more(partings.len(), SHOWN);
    let help = match partings.iter().all(|parting| parting.is_free) {
        true => "`--prefer first` keeps that of the part which is named first, and the others apart",
        false => "a built-in agent does the same each time: find out which program played them, and play them anew",
    };
    output::note(&format!("  help: {more}{help}"));
    Exit::Failed
}

/// Prints the units that no part has.
fn missing(is_json: bool, merge: &Merge, plan: &plan::Plan) -> Result<Option<Exit>, Failure> {
    let input = |hash: &_| plan.input(hash);
    let agents = mute(&plan.run, &input)?;
    let mut count = 0;
    let line = |unit: Unit| {
        count += 1;
        if is_json { json!({"missing": unit.name()}).to_string() } else { unit.name() }
    };
    output::print_lines(merge.missing(&agents).map(line));
    if count == 0 {
        return Ok(None);
    }
    let units = output::count(count, "unit");
    output::error(
        &format!("{units} of {} not played, see above", plan.units),
        "play the parts that were stopped again, or `probity run --plan PLAN.json --units FILE --out DIR` with what is printed above, and merge with that too",
    );
    Ok(Some(Exit::Failed))
}

/// The inputs that are no authored files.
fn recorded(plan: &plan::Plan) -> Vec<String> {
    let is_authored = |hash: &_| plan.run.inputs.values().any(|own| own == hash);
    plan.inputs.iter().filter(|(hash, _)| !is_authored(hash)).map(|(_, text)| text.clone()).collect()
}
