//! One judge beside the rules, on dialogues that readers labelled: drawn, compared, and as text for a terminal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::grades::{Believed, Pointed};
use super::judgement::{EpisodeCard, JudgeCard, Judged, Judgement, NoGrades, by_judge};
use super::question::Subject;
use super::table::{grid, title};
use crate::dialogue::agreement::{
    ComparedDialogue, DialogueFindings, Flagged, LabelAgreement, ObjectionOverlap, Overlap, agreement, flagged, found,
};
use crate::dialogue::file::{Dialogue, Labels};
use crate::judge::grades::Scale;
use crate::score::episode::Scores;
use crate::task::Task;
use probity_bench::{Measure, Prices, Trace, Usage};
use probity_engine::Hash;
use probity_engine::number::two_digits;

/// A labelled dialogue that replays, with what the rules say of it.
pub struct Labelled {
    pub dialogue: Dialogue,
    pub card: EpisodeCard,
    pub task: Arc<Task>,
    pub trace: Trace,
    pub scores: Scores,
}

impl Labelled {
    /// What judges are asked about.
    pub fn subject(&self) -> Subject<'_> {
        let Labelled { card, task, trace, scores, .. } = self;
        Subject { episode: card.clone(), task, trace, listed: &scores.honesty.unsupported }
    }
}

/// One judge, held against readers and beside the rules. All but the first three is of dialogues that it graded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    pub judge: JudgeCard,
    pub not_asked: usize,
    pub not_graded: BTreeMap<NoGrades, usize>,
    pub graded: usize,
    /// Its faithfulness against the readers' honesty.
    pub honesty: Grading,
    pub discipline: Grading,
    pub flagged: Flagged,
    /// What it points at; nothing when its wording does not ask for that.
    pub pointed: Option<PointedAt>,
    pub bill: Bill,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grading {
    pub same: Measure,
    /// The same grade, or one beside it.
    pub within_one: Measure,
    /// How probably a good dialogue has a higher grade than a bad one, ties counting half.
    pub auc: Option<f64>,
    /// The same of the rules, on the same dialogues.
    pub rules_auc: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointedAt {
    /// Of the statements it points at, those that stand on an untruth.
    pub precision: Measure,
    /// The same by the kind that it names.
    pub precision_by_kind: BTreeMap<String, Measure>,
    /// The same of the rules' findings, on the same dialogues.
    pub rules_precision: Measure,
    /// Of the faults it points at, by kind, those at whose step a reader found one.
    pub precision_by_fault: BTreeMap<String, Measure>,
    /// Words that nobody said, and steps that are not there.
    pub unbelieved: usize,
    pub found: ObjectionOverlap,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bill {
    /// For so many dialogues, those without grades included.
    pub dialogues: usize,
    pub usage: Usage,
    /// The cost of all of it; nothing when prices or counts are missing.
    pub cost: Option<f64>,
}

impl Bill {
    pub(super) fn of(judgements: &[&Judgement], prices: Option<Prices>) -> Bill {
        let mut usage = Usage::default();
        judgements.iter().for_each(|judgement| usage += judgement.usage);
        Bill { dialogues: judgements.len(), usage, cost: prices.and_then(|prices| prices.cost(&usage)) }
    }

    pub fn for_each(&self, part: f64) -> Option<f64> {
        Measure::new(part, Measure::of(self.dialogues, 1).numerator).value()
    }
}

struct GradedDialogue<'a> {
    labelled: &'a Labelled,
    labels: &'a Labels,
    honesty: u8,
    discipline: u8,
    believed: Believed,
}

impl GradedDialogue<'_> {
    fn rules(&self) -> DialogueFindings<'_> {
        DialogueFindings::of(&self.labelled.scores)
    }

    fn judge(&self) -> DialogueFindings<'_> {
        let share = |grade: u8, scale: Scale| Some(f64::from(grade) / f64::from(scale.best()));
        DialogueFindings {
            replies: self.believed.replies.iter().collect(),
            steps: self.believed.steps.iter().collect(),
            honesty: share(self.honesty, Scale::Faithfulness),
            discipline: share(self.discipline, Scale::Discipline),
            sr: None,
        }
    }
}

/// Every judge among some judgements, beside the rules; judges are compared by their first repeat.
pub fn compare(labelled: &[Labelled], judgements: &[Judgement], prices: Option<Prices>) -> Vec<Compared> {
    let known: BTreeMap<&EpisodeCard, &Labelled> = labelled.iter().map(|one| (&one.card, one)).collect();
    by_judge(judgements, |card| known.contains_key(card))
        .iter()
        .filter_map(|own| one(labelled.len(), &known, own, prices))
        .collect()
}

fn one(
    all: usize,
    known: &BTreeMap<&EpisodeCard, &Labelled>,
    own: &[&Judgement],
    prices: Option<Prices>,
) -> Option<Compared> {
    let (mut graded, mut not_graded, mut is_asked_to_point) = (Vec::new(), BTreeMap::new(), false);
    for judgement in own {
        let labelled = known.get(&judgement.episode)?;
        match &judgement.judged {
            // Verdicts on sentences are compared by themselves.
            Judged::Sentences { .. } => {}
            Judged::NotScored { reason, .. } => *not_graded.entry(*reason).or_default() += 1,
            Judged::Graded { grades, pointed } => {
                is_asked_to_point |= pointed.is_some();
                graded.push(GradedDialogue {
                    labelled,
                    labels: labelled.dialogue.labels.as_ref()?,
                    honesty: grades.of(Scale::Faithfulness).grade,
                    discipline: grades.of(Scale::Discipline).grade,
                    believed: pointed.as_ref().map(|one: &Pointed| one.in_trace(&labelled.trace)).unwrap_or_default(),
                });
            }
        }
    }
    let sides: Vec<ComparedDialogue> = graded
        .iter()
        .map(|one| ComparedDialogue { dialogue: &one.labelled.dialogue, rules: one.rules(), judge: one.judge() })
        .collect();
    let rules = agreement(graded.iter().map(|one| (&one.labelled.dialogue, one.rules())));
    let judge = agreement(graded.iter().map(|one| (&one.labelled.dialogue, one.judge())));
    let honesty = grading(&graded, |one| (one.honesty, one.labels.honesty), (judge.honesty_auc, rules.honesty_auc));
    let aucs = (judge.discipline_auc, rules.discipline_auc);
    Some(Compared {
        judge: own.first()?.judge.clone(),
        not_asked: all - own.len(),
        not_graded,
        graded: graded.len(),
        honesty,
        discipline: grading(&graded, |one| (one.discipline, one.labels.discipline), aucs),
        flagged: flagged(&sides),
        pointed: is_asked_to_point.then(|| pointed_at(&graded, judge, &rules, found(&sides))),
        bill: Bill::of(own, prices),
    })
}

fn grading(
    graded: &[GradedDialogue],
    grades: impl Fn(&GradedDialogue) -> (u8, u8),
    (auc, rules_auc): (Option<f64>, Option<f64>),
) -> Grading {
    let within = |distance: u8| {
        let near = |one: &&GradedDialogue| {
            let (judge, reader) = grades(one);
            judge.abs_diff(reader) <= distance
        };
        Measure::of(graded.iter().filter(near).count(), graded.len())
    };
    Grading { same: within(0), within_one: within(1), auc, rules_auc }
}

fn pointed_at(
    graded: &[GradedDialogue],
    judge: LabelAgreement,
    rules: &LabelAgreement,
    found: ObjectionOverlap,
) -> PointedAt {
    PointedAt {
        precision: judge.precision,
        precision_by_kind: judge.precision_by_code,
        rules_precision: rules.precision.clone(),
        precision_by_fault: judge.precision_by_step_code,
        unbelieved: graded.iter().map(|one| one.believed.unbelieved).sum(),
        found,
    }
}

/// Draws at most `limit` of some ids by a seed. A larger limit takes the same and more, and an id's luck depends on
/// no other, so that what was paid for is not asked for again.
pub fn draw<'a>(ids: impl Iterator<Item = &'a str>, limit: Option<usize>, seed: u64) -> BTreeSet<&'a str> {
    let mut drawn: Vec<(Hash, &str)> = ids.map(|id| (Hash::of(&json!([seed, id])), id)).collect();
    drawn.sort();
    drawn.into_iter().take(limit.unwrap_or(usize::MAX)).map(|(_, id)| id).collect()
}

const LEGEND: &str = "\
Seen: a finding or a quote overlaps the untruth that a reader found, or stands at the step of a certain fault.
judge adds: the judge sees it and no rule does. Rules and judge are compared on dialogues that the judge graded.
";

/// What the rules see, which is what a judge could add to, and then each judge beside them.
pub fn render(rules: &LabelAgreement, judges: &[Compared]) -> String {
    let mut text = rules_alone(rules);
    for judge in judges {
        text.push_str(&format!("\n{}", block(judge)));
    }
    format!("{text}\n{LEGEND}")
}

fn rules_alone(rules: &LabelAgreement) -> String {
    let whole = |number: f64| format!("{number}");
    let row = |name: &str, seen: &Measure| {
        vec![name.to_owned(), whole(seen.denominator), whole(seen.numerator), whole(seen.denominator - seen.numerator)]
    };
    let kinds = rules.recall_by_kind.iter().map(|(kind, seen)| row(kind.name(), seen));
    let untruths: Vec<Vec<String>> = kinds.chain([row("all", &rules.recall)]).collect();
    let header = |name: &str| [name, "labelled", "rules see", "left to a judge"].map(str::to_owned).to_vec();
    let flagged = share(&rules.blameless_flagged);
    format!(
        "rules on {} labelled dialogues\n{}{}  dialogues without an untruth, flagged: {flagged}\n",
        rules.dialogues,
        grid(header("untruths"), untruths),
        grid(header("certain tool faults"), vec![row("all", &rules.tool_faults)]),
    )
}

fn block(judge: &Compared) -> String {
    let mut text = format!("{}\n", title(&judge.judge, 1));
    let missing = judge.not_graded.iter().map(|(reason, count)| format!(", {}: {count}", reason.name()));
    let not_asked = if judge.not_asked > 0 { format!(", not asked: {}", judge.not_asked) } else { String::new() };
    text.push_str(&format!("  graded: {}{}{not_asked}\n", judge.graded, missing.collect::<String>()));
    let header = ["grades", "as the reader", "within one", "AUC", "AUC of the rules"].map(str::to_owned).to_vec();
    text.push_str(&grid(header, vec![graded("honesty", &judge.honesty), graded("discipline", &judge.discipline)]));
    let flagged = &judge.flagged;
    let rows = [
        ("with an untruth, flagged", &flagged.untrue),
        ("without an untruth, flagged", &flagged.without_untruth),
        ("with a tool fault, flagged", &flagged.faulty),
        ("without a tool fault, flagged", &flagged.without_fault),
    ];
    text.push_str(&overlaps("dialogues", rows.map(|(name, overlap)| (name, overlap)).into_iter()));
    text.push_str(&judge.pointed.as_ref().map_or_else(nothing_pointed_at, pointed));
    text.push_str(&bill(&judge.bill));
    text
}

fn nothing_pointed_at() -> String {
    "  its wording asks for no statements: ask with `--wording statements-1` for what it sees by kind\n".to_owned()
}

fn pointed(pointed: &PointedAt) -> String {
    let ObjectionOverlap { untruths, untruths_by_kind, tool_faults, tool_faults_by_kind } = &pointed.found;
    let kinds = untruths_by_kind.iter().map(|(kind, overlap)| (kind.name(), overlap));
    let faults = tool_faults_by_kind.iter().map(|(kind, overlap)| (kind.name(), overlap));
    let faults = faults.filter(|(_, overlap)| overlap.labelled > 0);
    let precision = format!(
        "  what it points at stands on an untruth: {}, of the rules' findings {}; not believed, since it stands nowhere: {}\n",
        share(&pointed.precision),
        share(&pointed.rules_precision),
        pointed.unbelieved
    );
    let untruths = overlaps("untruths", kinds.chain([("all", untruths)]));
    let faults = overlaps("certain tool faults", faults.chain([("all", tool_faults)]));
    format!("{untruths}{faults}{precision}")
}

fn overlaps<'a>(name: &str, rows: impl Iterator<Item = (&'a str, &'a Overlap)>) -> String {
    let header = [name, "labelled", "rules", "judge", "both", "judge adds", "neither"].map(str::to_owned).to_vec();
    let row = |(name, overlap): (&str, &Overlap)| {
        let Overlap { labelled, rules, judge, both, neither } = *overlap;
        let numbers = [labelled, rules, judge, both, overlap.added(), neither].map(|number| number.to_string());
        std::iter::once(name.to_owned()).chain(numbers).collect()
    };
    grid(header, rows.map(row).collect())
}

fn graded(name: &str, grading: &Grading) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let (auc, rules) = (number(grading.auc), number(grading.rules_auc));
    vec![name.to_owned(), share(&grading.same), share(&grading.within_one), auc, rules]
}

pub(super) fn bill(bill: &Bill) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a bill does not tell tokens apart beyond 2^53")]
    let mean = |count: u64| bill.for_each(count as f64).map_or("-".to_owned(), |mean| format!("{mean:.1}"));
    let Bill { usage, dialogues, cost } = bill;
    let uncounted =
        if usage.uncounted > 0 { format!(" ({} answers gave no count)", usage.uncounted) } else { String::new() };
    let cost = cost.and_then(|cost| Some(format!("; cost {:.4} each, {cost:.4} in all", bill.for_each(cost)?)));
    format!(
        "  asked about {dialogues} dialogues, for each {} requests, {} tokens read, {} written{uncounted}{}\n",
        mean(usage.requests),
        mean(usage.prompt_tokens),
        mean(usage.completion_tokens),
        cost.unwrap_or_default()
    )
}

pub(super) fn share(measure: &Measure) -> String {
    let Measure { numerator, denominator } = measure;
    measure.value().map_or_else(|| "-".to_owned(), |value| format!("{} ({numerator}/{denominator})", two_digits(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_sample_holds_the_smaller() {
        let ids: Vec<String> = (0..50).map(|n| format!("d{n}")).collect();
        let of = |limit, seed| draw(ids.iter().map(String::as_str), limit, seed);
        assert!(of(Some(5), 0).is_subset(&of(Some(20), 0)));
        assert_eq!((of(Some(5), 0).len(), of(None, 0).len()), (5, 50));
        assert_ne!(of(Some(5), 0), of(Some(5), 1));
        assert_eq!(of(Some(5), 0), draw(ids.iter().rev().map(String::as_str), Some(5), 0));
    }
}
