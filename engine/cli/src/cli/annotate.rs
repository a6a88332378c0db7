//! `probity annotate`: how users of logs from anywhere behave.

mod logs;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::exit::Exit;
use super::judge::judges::{JudgeFlags, end};
use super::overwrite::refuse_overwrite;
use super::stopped::{Stopped, sound};
use super::{Global, output};
use probity_behaviour::annotate::labels::{
    self, Annotation, BehaviourAgreement, BehaviourShare, Log, PlantedRow, TurnLabels, agreements, confusion, shares,
};
use probity_behaviour::benchmark::CARD;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::Suite;
use probity_bench::Interrupt;
use probity_engine::write_out;
use probity_local::Failure;
use probity_logs::Form;
use probity_ruling::asker::Asker;
use probity_ruling::session::Round;

/// Label how users behave in logs of dialogues, turn by turn: by rules, and by judges where some are named.
///
/// Reads the logs of most frameworks as they are (docs/FORMATS.md, "Logs of agents"), files and folders of them. The table says how often each of the seven behaviours is met, beside the shares that the RUT-Bench
/// paper found in logs of its own, and how far rules and judges agree. Without a file the suite's own instances are
/// read, with the replies of a good agent: their behaviours are known, so the table says which of them rules find.
#[derive(clap::Args)]
pub struct Annotate {
    /// Files and folders of logs, `-` for standard input; the suite's own instances when none is given
    #[arg(value_name = "LOGS")]
    files: Vec<PathBuf>,
    /// The form of the logs, where it is not found rightly
    #[arg(long, value_name = "FORM", value_parser = super::audit::inputs::form, requires = "files")]
    format: Option<Form>,
    /// Write the labels of every turn there, one JSON object a dialogue
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    judges: JudgeFlags,
}

struct Labelled {
    annotations: Vec<Annotation>,
    judged: OfJudges,
    shares: Vec<BehaviourShare>,
    agreement: Vec<BehaviourAgreement>,
    confusion: Vec<PlantedRow>,
}

impl Annotate {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        refuse_overwrite(self.out.as_deref(), &self.files)?;
        let logs = self.logs(global)?;
        let (labelled, exit) = self.label(global, &logs)?;
        global.tell(|| document(&labelled), || text(&labelled));
        Ok(exit)
    }

    fn logs(&self, global: &Global) -> Result<Vec<Log>, Stopped> {
        match self.files.is_empty() {
            true => Ok(labels::logs(&sound(Suite::load(&global.root))?)),
            false => Ok(logs::logs(&self.files, self.format)?),
        }
    }

    fn label(&self, global: &Global, logs: &[Log]) -> Result<(Labelled, Exit), Stopped> {
        let annotations: Vec<Annotation> = logs.iter().map(Annotation::of).collect();
        let interrupt = Arc::new(Interrupt::default());
        let (mut judged, mut exit) = (OfJudges::new(), Exit::Clean);
        self.judges.refuse_wording("here", "leave it out: there is one wording")?;
        if let Some((models, way)) = self.judges.way(None, &interrupt)? {
            let form = way.client.config().form;
            let all: Vec<(&String, &Log)> =
                models.iter().flat_map(|model| logs.iter().map(move |log| (model, log))).collect();
            let ask = |round: Round| {
                round.ask(&all, |(model, log), usage| {
                    let read = |reply: &str| labels::read(reply, log.turns.len());
                    Asker::new(&way.client, model, &log.id).read(labels::messages(log), usage, labels::AGAIN, read)
                })
            };
            let size = (all.len(), self.judges.jobs());
            let asked = way.ask(global, size, &interrupt, ask, |asked| asked.usage)?;
            for ((model, log), answer) in all.into_iter().zip(asked.answers) {
                let labels: &mut BTreeMap<_, _> = judged.entry(format!("{form}:{model}")).or_default();
                match answer {
                    Some(Some(turns)) => drop(labels.insert(log.id.clone(), turns)),
                    Some(None) => {
                        output::note(&format!("note: no label of {form}:{model} on `{}` can be read", log.id))
                    }
                    None => {}
                }
            }
            exit = end(&interrupt, asked.fault);
        }
        let rules: BTreeMap<String, TurnLabels> =
            annotations.iter().map(|one| (one.id.clone(), one.turns.clone())).collect();
        let known = || logs.iter().zip(&annotations).filter_map(|(log, one)| Some((log.planted?, one)));
        let labelled = Labelled {
            shares: shares(annotations.iter().map(|one| &one.turns)),
            agreement: {
                let judges = judged.iter().map(|(judge, labels)| (judge.as_str(), labels));
                agreements(&std::iter::once(("rules", &rules)).chain(judges).collect::<Vec<_>>())
            },
            confusion: confusion(known().collect::<Vec<_>>().into_iter()),
            annotations,
            judged,
        };
        if let Some(path) = &self.out {
            write(path, &labelled)?;
        }
        Ok((labelled, exit))
    }
}

/// The labels of each judge, by dialogue.
type OfJudges = BTreeMap<String, BTreeMap<String, TurnLabels>>;

fn write(path: &Path, labelled: &Labelled) -> Result<(), Failure> {
    let lines: String = labelled.annotations.iter().map(|one| format!("{}\n", line(one, labelled))).collect();
    let written = write_out(path, |file| file.write_all(lines.as_bytes()));
    written.map_err(|error| {
        Failure::new(format!("`{}`: {error}", path.display()), "look at the permissions and the free space")
    })
}

/// A dialogue with the labels of all.
fn line(annotation: &Annotation, labelled: &Labelled) -> Value {
    let mut line = json!(annotation);
    let judged: BTreeMap<&str, &TurnLabels> = labelled
        .judged
        .iter()
        .filter_map(|(judge, labels)| Some((judge.as_str(), labels.get(&annotation.id)?)))
        .collect();
    if !judged.is_empty() {
        line["judged"] = json!(judged);
    }
    line
}

fn document(labelled: &Labelled) -> Value {
    let Labelled { annotations, shares, agreement, confusion, .. } = labelled;
    let dialogues: Vec<Value> = annotations.iter().map(|one| line(one, labelled)).collect();
    json!({"dialogues": dialogues, "shares": shares, "agreement": agreement, "confusion": confusion})
}

fn text(Labelled { annotations, shares, agreement, confusion, .. }: &Labelled) -> String {
    let percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let mut text = format!("{:<26} {:>6} {:>10} {:>8} {:>8}\n", "behaviour", "turns", "dialogues", "share", "paper");
    for BehaviourShare { behaviour, turns, dialogues, share, paper } in shares {
        let (share, paper) = (percent(*share), percent(*paper));
        text.push_str(&format!("{:<26} {turns:>6} {dialogues:>10} {share:>8} {paper:>8}\n", behaviour.name()));
    }
    if !agreement.is_empty() {
        text.push_str(&format!("\n{:<26} {:>6} {:>7} {:>7}  who\n", "agreement", "turns", "equal", "kappa"));
    }
    for BehaviourAgreement { left, right, behaviour, turns, equal, kappa } in agreement {
        let kappa = kappa.map_or_else(|| "-".to_owned(), |kappa| format!("{kappa:.3}"));
        let row = format!("{:<26} {turns:>6} {equal:>7.3} {kappa:>7}  {left}, {right}\n", behaviour.name());
        text.push_str(&row);
    }
    if !confusion.is_empty() {
        text.push_str(&planted(confusion));
    }
    format!("{text}\nlabelled {}\n", output::count(annotations.len(), "dialogue"))
}

/// Which behaviours rules find where they are known.
fn planted(rows: &[PlantedRow]) -> String {
    let heads: String = CARD
        .columns()
        .into_iter()
        .flat_map(|factor| factor.levels)
        .map(|level| format!(" {:>8}", level.short.concat()))
        .collect();
    let mut text = format!("\n{:<26} {:>4} {:>9} {heads}\n", "planted", "n", "recovered", heads = heads.trim_end());
    for PlantedRow { planted, dialogues, recovered, primary } in rows {
        let cells: String = primary.iter().map(|count| format!(" {count:>8}")).collect();
        let share = 100.0 * *recovered as f64 / *dialogues as f64;
        text.push_str(&format!("{:<26} {dialogues:>4} {share:>7.1} %{cells}\n", planted.name()));
    }
    let sums = |of: fn(&PlantedRow) -> usize| rows.iter().map(of).sum::<usize>();
    let (recovered, all) = (sums(|row| row.recovered), sums(|row| row.dialogues));
    let primary: usize = rows
        .iter()
        .map(|row| {
            Variant::ALL.iter().zip(row.primary).filter(|(is, _)| **is == row.planted).map(|(_, n)| n).sum::<usize>()
        })
        .sum();
    let percent = |count: usize| 100.0 * count as f64 / all as f64;
    format!(
        "{text}the planted behaviour is among the labels of {recovered} of {all} ({:.1} %), and the first one of {primary} ({:.1} %)\n",
        percent(recovered),
        percent(primary)
    )
}
