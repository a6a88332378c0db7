//! Replies that a reader has labelled, and how far a judge agrees (paper, Table 7).

use serde::{Deserialize, Serialize};

use super::{FactJudge, Verdict};
use crate::resolution::Judge;
use crate::suite::TicketSuite;
use probity_bench::stats::kappa::{Weights, kappa};

/// A reply to the query of a checkpoint, and what a reader says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledReply {
    /// The ticket's id.
    pub ticket: String,
    /// The checkpoint, from 1.
    pub checkpoint: usize,
    /// The reply.
    pub reply: String,
    /// What the reader says.
    pub label: Label,
    /// Why.
    pub why: String,
}

/// What a reader says of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// It conveys what the recorded reply does.
    Included,
    /// It does not.
    NotIncluded,
}

/// A judge beside a reader: how many replies each held included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// Both say included.
    pub both: usize,
    /// The reader alone does.
    pub reader: usize,
    /// The judge alone does.
    pub judge: usize,
    /// Neither does.
    pub neither: usize,
}

impl Confusion {
    /// How the judge of facts agrees with readers, and the replies on which it does not, in their order; a reply to no
    /// known checkpoint is left out.
    pub fn of_facts<'a>(suite: &TicketSuite, replies: &'a [LabelledReply]) -> (Confusion, Vec<&'a LabelledReply>) {
        let mut confusion = Confusion::default();
        let mut missed = Vec::new();
        for labelled in replies {
            let Some(ticket) = suite.tickets.get(&labelled.ticket) else { continue };
            let verdict = FactJudge(ticket).covers(&labelled.reply, labelled.checkpoint, &[]);
            let count = match (labelled.label, verdict) {
                (_, Verdict::Error) => continue,
                (Label::Included, Verdict::Yes) => &mut confusion.both,
                (Label::Included, Verdict::No) => &mut confusion.reader,
                (Label::NotIncluded, Verdict::Yes) => &mut confusion.judge,
                (Label::NotIncluded, Verdict::No) => &mut confusion.neither,
            };
            *count += 1;
            if (labelled.label == Label::Included) != (verdict == Verdict::Yes) {
                missed.push(labelled);
            }
        }
        (confusion, missed)
    }

    /// The share of replies on which both say the same; nothing over none.
    pub fn accuracy(&self) -> Option<f64> {
        let Confusion { both, reader, judge, neither } = *self;
        let all = both + reader + judge + neither;
        (all > 0).then(|| (both + neither) as f64 / all as f64)
    }

    /// Cohen's kappa; nothing where it has no value.
    pub fn kappa(&self) -> Option<f64> {
        let Confusion { both, reader, judge, neither } = *self;
        let grades = [((1, 1), both), ((1, 0), reader), ((0, 1), judge), ((0, 0), neither)];
        let pairs: Vec<(u8, u8)> =
            grades.into_iter().flat_map(|(pair, count)| std::iter::repeat_n(pair, count)).collect();
        kappa(&pairs, Weights::Nominal).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::lacking;
    use std::path::Path;

    #[test]
    fn the_papers_table() {
        let paper = Confusion { both: 60, reader: 9, judge: 3, neither: 69 };
        assert!((paper.accuracy().unwrap() - 0.9149).abs() < 1e-4 && (paper.kappa().unwrap() - 0.829).abs() < 1e-3);
        assert_eq!((Confusion::default().accuracy(), Confusion::default().kappa()), (None, None));
    }

    #[test]
    fn the_judge_of_facts_agrees_with_a_reader() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let suite = TicketSuite::load(&root);
        let text = std::fs::read_to_string(root.join("labels/tickets.jsonl")).unwrap();
        let replies: Vec<LabelledReply> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (confusion, missed) = Confusion::of_facts(&suite, &replies);
        let Confusion { both, reader, judge, neither } = confusion;
        assert_eq!(both + reader + judge + neither, replies.len());
        let told = format!(
            "| | judge: included | judge: not included |\n|---|---|---|\n\
             | reader: included | {both} | {reader} |\n| reader: not included | {judge} | {neither} |\n\n\
             Accuracy {:.3}, kappa {:.3}.",
            confusion.accuracy().unwrap(),
            confusion.kappa().unwrap(),
        );
        let docs = std::fs::read_to_string(root.join("docs/TICKETS.md")).unwrap();
        let missed: String = missed.into_iter().map(|labelled| missing(&suite, labelled)).collect();
        println!("{missed}");
        assert!(docs.contains(&told), "docs/TICKETS.md says otherwise:\n{told}\n{missed}");
    }

    /// A reply on which judge and reader differ, with what the judge misses in it.
    fn missing(suite: &TicketSuite, labelled: &LabelledReply) -> String {
        let LabelledReply { ticket, checkpoint, reply, label, why } = labelled;
        let lost = lacking(&suite.tickets[ticket].checkpoints[checkpoint - 1], reply);
        format!("{ticket} {checkpoint}, {label:?}: {why}; lacks {lost:?}\n")
    }
}
