//! One judge beside the rules, on dialogues that readers labelled.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::super::judgement::{EpisodeCard, JudgeCard, Judged, Judgement, NoGrades, by_judge};
use super::super::pointed::{Believed, Pointed};
use super::super::question::Subject;
use crate::dialogue::agreement::{DialogueFindings, LabelAgreement, agreement};
use crate::dialogue::file::Dialogue;
use crate::dialogue::labels::Labels;
use crate::dialogue::overlap::{ComparedDialogue, Flagged, ObjectionOverlap, flagged, found};
use crate::judge::grades::Scale;
use crate::score::episode::Scores;
use crate::task::Task;
use probity_bench::{Measure, Prices, Trace, Usage};

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
    pub(in crate::judge) fn of(judgements: &[&Judgement], prices: Option<Prices>) -> Bill {
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
