//! How far each two judges agree on what both labelled.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counts::{CountSheet, LabelCounts, LabelSubject, WORDING};
use super::label_set::{ConversationLabels, LabelSet};
use probity_ruling::agreement::{Agreement, Column, pairs};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelAgreement {
    /// The judge whose name comes first.
    pub left: String,
    pub right: String,
    pub metric: &'static str,
    /// Messages, or conversations, that both labelled.
    pub n: usize,
    /// Share of them that both hold the same of; nothing where there are none.
    pub equal: Option<f64>,
    /// Cohen's kappa; nothing where it has no value, as when both hold the same of all.
    pub kappa: Option<f64>,
}

/// The agreement of each two judges on every name of messages, on whether all tasks of a conversation succeeded, and on
/// whether the agent misunderstood in one. Each is a yes or a no: for messages whether the count is above 0.
pub fn agreements(labels: &LabelSet) -> Vec<LabelAgreement> {
    let judges: Vec<(&str, &BTreeMap<String, ConversationLabels>)> = labels.judges().collect();
    let compared = || WORDING.count.iter().filter(|sheet| sheet.is_compared);
    let of = |((left, lefts), (right, rights)): &(&JudgeLabels, &JudgeLabels), sheet: &'static CountSheet| {
        let Agreement { units, equal, kappa, .. } = Agreement::of(&[&column(lefts, sheet), &column(rights, sheet)]);
        let (left, right) = ((*left).to_owned(), (*right).to_owned());
        LabelAgreement { left, right, metric: &sheet.name, n: units, equal: equal.value(), kappa: kappa.ok() }
    };
    pairs(&judges).flat_map(|pair| compared().map(move |sheet| of(&pair, sheet))).collect()
}

type JudgeLabels<'l> = (&'l str, &'l BTreeMap<String, ConversationLabels>);

/// What a judge holds of all that it counted a name in, by episode and message.
fn column<'l>(judged: &'l BTreeMap<String, ConversationLabels>, sheet: &CountSheet) -> Column<(&'l str, usize)> {
    let counted = judged.iter().flat_map(|(episode, labels)| {
        let counts: Vec<Option<&LabelCounts>> = match sheet.subject {
            LabelSubject::Conversation => vec![labels.conversation.as_ref()],
            LabelSubject::AgentMessage | LabelSubject::UserMessage => {
                labels.messages.iter().map(|message| message.counts.as_ref()).collect()
            }
        };
        counts.into_iter().enumerate().map(move |(at, counts)| ((episode.as_str(), at), counts))
    });
    counted.filter_map(|(unit, counts)| Some((unit, class(counts?, sheet)?))).collect()
}

/// 1 for yes, 0 for no. Of a conversation without a task nothing succeeded.
fn class(counts: &LabelCounts, sheet: &CountSheet) -> Option<u8> {
    let count = counts.get(&sheet.name)?;
    let least = sheet.yes_takes.as_ref().map_or(Some(1), |all| counts.get(all))?;
    Some(u8::from(count >= least.max(1)))
}

#[cfg(test)]
mod tests {
    use super::super::sample::{agent, episode, line, run, tasks, unread, user};
    use super::*;
    use crate::measures::Modality::Voice;
    use serde_json::Value;

    fn set(lines: &[String]) -> LabelSet {
        let episodes = ["e1", "e2"].map(|name| (name, episode("t", Voice, "p0", "uaa")));
        run(&episodes).with_file("l.jsonl", &lines.join("\n")).unwrap()
    }

    fn on<'a>(found: &'a [LabelAgreement], metric: &str) -> &'a LabelAgreement {
        found.iter().find(|one| one.metric == metric).unwrap()
    }

    fn numbers(found: &[LabelAgreement], metric: &str) -> (usize, Option<f64>, Option<f64>) {
        let LabelAgreement { n, equal, kappa, .. } = on(found, metric);
        (*n, *equal, *kappa)
    }

    const ERRS: (&str, u64) = ("error_committed", 1);

    #[test]
    fn two_judges_are_compared_where_both_labelled() {
        let found = agreements(&set(&[
            line("ann", "e1", &[user(1), agent(&[ERRS]), agent(&[])], tasks([2, 2, 0, 0])),
            line("ann", "e2", &[user(0), agent(&[("error_committed", 3)]), agent(&[])], tasks([2, 1, 0, 0])),
            line("bob", "e1", &[user(0), agent(&[("error_committed", 2)]), agent(&[])], tasks([1, 1, 1, 0])),
            line("bob", "e2", &[unread("user"), agent(&[]), agent(&[])], tasks([1, 0, 0, 0])),
        ]));
        assert_eq!(found.len(), 14);
        assert!(found.iter().all(|one| (one.left.as_str(), one.right.as_str()) == ("ann", "bob")));
        // ann 1 0 1 0, bob 1 0 0 0: 3 of 4 equal; by chance 2/4 * 1/4 + 2/4 * 3/4 = 1/2; (3/4 - 1/2) / (1/2).
        assert_eq!(numbers(&found, "error_committed"), (4, Some(0.75), Some(0.5)));
        // Only the first message of e1 is labelled by both: 1 against 0.
        assert_eq!(numbers(&found, "user_effort"), (1, Some(0.0), Some(0.0)));
        // All of e1 and not all of e2 succeeded for both, whatever they count.
        assert_eq!(numbers(&found, "tasks_succeeded"), (2, Some(1.0), Some(1.0)));
        assert_eq!(numbers(&found, "tasks_with_agent_understanding_errors"), (2, Some(0.5), Some(0.0)));
        // One class only.
        assert_eq!(numbers(&found, "message_necessity"), (4, Some(1.0), None));
    }

    #[test]
    fn what_nobody_shares_has_no_agreement() {
        let one = line("ann", "e1", &[user(1), agent(&[]), agent(&[])], Value::Null);
        assert_eq!(agreements(&set(std::slice::from_ref(&one))), []);
        assert_eq!(agreements(&run(&[])), []);
        let other = line("bob", "e2", &[user(1), agent(&[]), agent(&[])], Value::Null);
        let unread = line("cid", "e1", &[unread("user"), unread("agent"), unread("agent")], tasks([0, 0, 0, 0]));
        let found = agreements(&set(&[one, other, unread]));
        assert_eq!(found.len(), 3 * 14);
        assert!(found.iter().all(|one| (one.n, one.equal, one.kappa) == (0, None, None)));
    }
}
