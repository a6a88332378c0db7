//! `probity compare`.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::exit::Exit;
use super::finish::about;
use super::opened::Opened;
use super::{Global, output};
use crate::cli::stopped::Stopped;
use probity_bench::{Card, EpisodeRecord};
use probity_engine::{MAX_FILE_BYTES, plain::plain_lines, read::read_named, write_out};
use probity_local::Failure;
use probity_report::{Apart, Comparison, Decision, GateFile, GateVerdict, Side, Sources, compare::write::html};
use probity_report::{github, junit, markdown, text};

/// The variable in which GitHub names the file of a job's summary.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Compare two runs: only what changed, down to the first event in which an episode differs.
///
/// With --gate it says whether the new run may take the place of the base, and ends with 1 when it may not, or with 3 when that was not measured. Where GITHUB_STEP_SUMMARY is set, the summary in Markdown is put there too.
#[derive(clap::Args)]
pub struct Compare {
    /// The directory of the base run
    #[arg(required_unless_present = "itself")]
    base: Option<PathBuf>,
    /// The directory of the new run
    #[arg(required_unless_present = "itself")]
    new: Option<PathBuf>,
    /// Instead, set the trials of one run against each other, and say how often the gate closes although nothing changed
    #[arg(long = "self", value_name = "RUN", conflicts_with_all = ["base", "new", "junit", "markdown", "html", "github", "all"])]
    itself: Option<PathBuf>,
    /// The agent of the base run, when it has several
    #[arg(long, value_name = "NAME")]
    base_agent: Option<String>,
    /// The agent of the new run, when it has several
    #[arg(long, value_name = "NAME")]
    new_agent: Option<String>,
    /// Let the new run through or not: no instance lost whole, nothing severe that is new, no significant drop in the few metrics that the suite's gate asks about; or what the rules of a TOML file ask for, `--gate=FILE`
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "no gate, a gate without a file, and one with")]
    gate: Option<Option<PathBuf>>,
    /// Write the gate's checks, and each instance, as JUnit XML
    #[arg(long, value_name = "OUT.xml", requires = "gate")]
    junit: Option<PathBuf>,
    /// Write a summary in Markdown
    #[arg(long, value_name = "OUT.md")]
    markdown: Option<PathBuf>,
    /// Write a page to look at: differences with their intervals, and both sides of every changed episode
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// Print annotations for GitHub's workflow log, with files and lines of tasks
    #[arg(long, requires = "gate", conflicts_with = "json")]
    github: bool,
    /// List all changed episodes, not only the first twenty
    #[arg(long)]
    all: bool,
    /// The seed of the draws behind intervals and chances
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    seed: u64,
}

/// A pair of agents, and what the gate says of it.
struct Judged<'a> {
    comparison: Comparison<'a>,
    verdict: Option<GateVerdict>,
}

/// A run with its episodes.
#[derive(Clone, Copy)]
pub(super) struct Loaded<'a> {
    pub opened: &'a Opened,
    pub records: &'a [EpisodeRecord],
}

impl Compare {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        if let Some(run) = &self.itself {
            return self.against_itself(global, run);
        }
        let nothing = PathBuf::new();
        let [base, new] = [&self.base, &self.new].map(|path| path.as_ref().unwrap_or(&nothing));
        let (base, new) = (Opened::open(global, base)?, Opened::open(global, new)?);
        let damaged = [("base", base.is_damaged()), ("new", new.is_damaged())].into_iter().filter(|(_, is)| *is);
        let mut gaps: Vec<String> =
            damaged.map(|(which, _)| format!("the {which} run has lines that cannot be read: play it again")).collect();
        let is_damaged = !gaps.is_empty();
        let (of_base, is_base_doubted) = side_of("base", &base, &mut gaps)?;
        let (of_new, is_new_doubted) = side_of("new", &new, &mut gaps)?;
        let is_damaged = is_damaged || is_base_doubted || is_new_doubted;
        let (of_base, of_new) =
            (Loaded { opened: &base, records: &of_base }, Loaded { opened: &new, records: &of_new });
        let judged = self.judge(of_base, of_new, &gaps)?;
        let sources = sources(&new)?;
        self.print(global, &judged, &sources);
        self.write(&base, &new, &judged, &sources)?;
        let decisions = judged.iter().filter_map(|pair| Some(pair.verdict.as_ref()?.decision));
        let exit = decisions.map(exit_of).max_by_key(|exit| urgency(*exit)).unwrap_or(Exit::Clean);
        Ok(if is_damaged { Exit::Failed } else { exit })
    }

    /// How often the gate closes between halves of one run.
    fn against_itself(&self, global: &Global, run: &Path) -> Result<Exit, Stopped> {
        let opened = Opened::open(global, run)?;
        let (records, is_doubted) = side_of("only", &opened, &mut Vec::new())?;
        let loaded = Loaded { opened: &opened, records: &records };
        let all = self.apart(loaded)?;
        global.tell(|| json!({"apart": all}), || all.iter().map(text::apart).collect());
        Ok(if is_doubted || opened.is_damaged() { Exit::Failed } else { Exit::Clean })
    }

    fn apart(&self, loaded: Loaded) -> Result<Vec<Apart>, Failure> {
        let card = loaded.opened.benchmark.card();
        let file = self.gate.as_ref().and_then(Option::as_deref).map(|path| rules(card, path)).transpose()?;
        let named = self.new_agent.as_ref().or(self.base_agent.as_ref());
        let agents: Vec<String> = match named {
            Some(name) => vec![name.clone()],
            None => names(loaded.opened).into_iter().collect(),
        };
        let of = |agent: &String| {
            let apart = Apart::of(card, loaded.side(agent)?, file.as_ref(), self.seed);
            apart.map_err(|what| Failure::new(what, "play the run with `--trials 4` or more"))
        };
        agents.iter().map(of).collect()
    }

    fn judge<'a>(&self, base: Loaded<'a>, new: Loaded<'a>, gaps: &[String]) -> Result<Vec<Judged<'a>>, Failure> {
        let (card, other) = (base.opened.benchmark.card(), new.opened.benchmark.card());
        if card.name != other.name {
            let message = format!("the runs are of two suites, `{}` and `{}`", card.name, other.name);
            return Err(Failure::new(message, "compare runs of one suite"));
        }
        let rules = |path: &Path| rules(card, path);
        let file = self.gate.as_ref().map(|path| path.as_deref().map(rules).transpose()).transpose()?;
        let agents = self.agents(base.opened, new.opened)?;
        let gaps: Vec<String> = gaps.iter().cloned().chain(self.agents_apart(base.opened, new.opened)).collect();
        let mut judged = Vec::new();
        for (base_agent, new_agent) in &agents {
            let mut comparison = Comparison::of(card, base.side(base_agent)?, new.side(new_agent)?, self.seed);
            let mut verdict = file.as_ref().map(|file| match file {
                Some(file) => GateVerdict::by_file(card, &mut comparison, file),
                None => GateVerdict::by_default(card, &comparison),
            });
            verdict.iter_mut().for_each(|verdict| verdict.obstruct(&gaps));
            judged.push(Judged { comparison, verdict });
        }
        Ok(judged)
    }

    /// Agents that one run has and the other lacks, unless two are named.
    fn agents_apart(&self, base: &Opened, new: &Opened) -> Vec<String> {
        if self.base_agent.is_some() || self.new_agent.is_some() {
            return Vec::new();
        }
        let (left, right) = (names(base), names(new));
        // One agent each, under two names, is what is compared.
        if left.len() == 1 && right.len() == 1 {
            return Vec::new();
        }
        let apart = |of: &BTreeSet<String>, other: &BTreeSet<String>, which: &str| {
            let lacking: BTreeSet<String> = of.difference(other).cloned().collect();
            let help = "name two agents with `--base-agent` and `--new-agent`, or play the same";
            (!lacking.is_empty()).then(|| format!("the {which} run has no agent {}: {help}", list(&lacking)))
        };
        apart(&left, &right, "new").into_iter().chain(apart(&right, &left, "base")).collect()
    }

    /// Which agent of the new run is compared with which of the base.
    fn agents(&self, base: &Opened, new: &Opened) -> Result<Vec<(String, String)>, Failure> {
        let (left, right) = (names(base), names(new));
        let both: Vec<(String, String)> = left.intersection(&right).map(|name| (name.clone(), name.clone())).collect();
        let is_named = self.base_agent.is_some() || self.new_agent.is_some();
        if !is_named && !both.is_empty() {
            return Ok(both);
        }
        let pick = |wanted: &Option<String>, other: &Option<String>, names: &BTreeSet<String>, flag: &str| match wanted
        {
            Some(name) if names.contains(name) => Ok(name.clone()),
            Some(name) => Err(Failure::new(
                format!("that run has no agent `{name}`"),
                format!("`{flag}` takes one of: {}", list(names)),
            )),
            None => {
                let only = names.first().filter(|_| names.len() == 1);
                let same = other.as_ref().filter(|name| names.contains(*name));
                only.or(same).cloned().ok_or_else(|| {
                    Failure::new(
                        format!("the run has several agents: {}", list(names)),
                        format!("name one with `{flag}`"),
                    )
                })
            }
        };
        let base = pick(&self.base_agent, &self.new_agent, &left, "--base-agent")?;
        let new = pick(&self.new_agent, &self.base_agent, &right, "--new-agent")?;
        Ok(vec![(base, new)])
    }

    fn print(&self, global: &Global, judged: &[Judged], sources: &Sources) {
        if global.json {
            let entry = |Judged { comparison, verdict }: &Judged| json!({"comparison": comparison, "gate": verdict});
            output::json(&json!({"comparisons": judged.iter().map(entry).collect::<Vec<_>>()}));
            return;
        }
        for Judged { comparison, verdict } in judged {
            // The verdict first: it is what people read.
            let gate = verdict.as_ref().map(|verdict| format!("{}\n", text::gate(verdict, comparison)));
            let told = format!("{}{}", gate.unwrap_or_default(), text::comparison(comparison, self.all));
            match verdict.as_ref().filter(|_| self.github) {
                Some(verdict) => {
                    output::commands(&github::muted(&plain_lines(&told)));
                    output::commands(&github::render(verdict, comparison, sources));
                }
                None => output::print(&told),
            }
        }
    }

    fn write(&self, base: &Opened, new: &Opened, judged: &[Judged], sources: &Sources) -> Result<(), Failure> {
        let file = |path: &Path, text: String| {
            write_out(path, |file| file.write_all(text.as_bytes())).map_err(|error| {
                Failure::new(format!("`{}`: {error}", path.display()), "name a file in a directory that can be written")
            })
        };
        let all: Vec<_> = judged.iter().map(|pair| (&pair.comparison, pair.verdict.as_ref())).collect();
        if let Some(path) = &self.junit {
            let gates: Vec<_> =
                all.iter().filter_map(|(comparison, verdict)| Some((*comparison, (*verdict)?))).collect();
            file(path, junit::render(base.benchmark.card(), &gates, sources))?;
        }
        if let Some(path) = &self.markdown {
            file(path, markdown::render(&all))?;
        }
        if self.gate.is_some() {
            summarise(|| markdown::render(&all))?;
        }
        if let Some(path) = &self.html {
            let about = |run: &Opened| about(&run.config, run.benchmark.as_ref());
            let page = html::render(base.benchmark.card(), &all, [&about(base)?, &about(new)?]);
            file(path, page.map_err(|error| Failure::new(error.to_string(), "report this"))?)?;
        }
        Ok(())
    }
}

/// Adds to the summary of a job on GitHub, where there is one.
#[expect(clippy::disallowed_methods, reason = "where the summary goes is the build server's business, not a result's")]
fn summarise(summary: impl Fn() -> String) -> Result<(), Failure> {
    let Some(path) = std::env::var_os(SUMMARY).filter(|path| !path.is_empty()) else { return Ok(()) };
    let opened = OpenOptions::new().append(true).create(true).open(&path);
    opened.and_then(|mut file| file.write_all(summary().as_bytes())).map_err(|error| {
        Failure::new(format!("{SUMMARY}, `{}`: {error}", Path::new(&path).display()), "unset it, or name a file")
    })
}

/// The authored files of a run, which say where its tasks stand.
fn sources(run: &Opened) -> Result<Sources, Failure> {
    Ok(Sources::new(run.directory.files(&run.config)?))
}

fn exit_of(decision: Decision) -> Exit {
    match decision {
        Decision::Open => Exit::Clean,
        Decision::Closed | Decision::Undecided => Exit::Failed,
        Decision::NotMeasured => Exit::Infrastructure,
    }
}

/// Of several agents' gates, what is worse says more than what was not measured.
fn urgency(exit: Exit) -> u8 {
    match exit {
        Exit::Failed => 2,
        Exit::Infrastructure => 1,
        Exit::Clean | Exit::BadInput | Exit::Interrupted => 0,
    }
}

pub(super) fn rules(card: &Card, path: &Path) -> Result<GateFile, Failure> {
    let bad = |what: String| {
        Failure::new(
            format!("`{}`: {what}", path.display()),
            "docs/FORMATS.md, section \"Gate\", says what it may hold",
        )
    };
    let text = read_named(path, MAX_FILE_BYTES).map_err(bad)?;
    GateFile::parse(card, &text).map_err(bad)
}

/// The episodes of a run, scored anew, and whether some say otherwise; what keeps them from being believed is put
/// with the `gaps`.
pub(super) fn side_of(
    which: &str,
    opened: &Opened,
    gaps: &mut Vec<String>,
) -> Result<(Vec<EpisodeRecord>, bool), Stopped> {
    let (units, is_complete) = opened.note_gaps()?;
    if !is_complete {
        gaps.push(format!("the {which} run is not complete: `probity run --resume` plays the rest"));
    }
    let (records, doubts) = opened.load_proved(&units)?;
    doubts.say(opened.directory.path());
    gaps.extend(doubts.line().map(|line| format!("the {which} run is not to be believed: {line}")));
    Ok((records, !doubts.is_empty()))
}

impl<'a> Loaded<'a> {
    pub(super) fn side(self, agent: &str) -> Result<Side<'a>, Failure> {
        let config = &self.opened.config;
        let named = config.agents.iter().find(|named| named.name == agent);
        let named = named.ok_or_else(|| Failure::new(format!("the run has no agent `{agent}`"), "name one it has"))?;
        let is_repeatable = named.agent.is_repeatable() && config.user_model.is_none();
        Ok(Side { records: self.records, agent: &named.name, is_repeatable })
    }
}

fn names(opened: &Opened) -> BTreeSet<String> {
    opened.config.agents.iter().map(|agent| agent.name.clone()).collect()
}

fn list(names: &BTreeSet<String>) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
