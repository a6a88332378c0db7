//! The judged block: for every judge a column for each agent, domain and exposure, with the rows of the paper's program.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::counts::LabelCounts;
use super::label_set::{ConversationLabels, JudgedEpisode, LabelSet, LabelledMessage};
use crate::measures::{
    JudgedCounts, JudgedReport, JudgedText, MeasureRefusal, MessageRole, Modality, Quotient, Spread,
};

/// What one judge makes of one agent in one domain at one exposure.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedColumn {
    pub judge: String,
    pub agent: String,
    pub domain: String,
    pub exposure: String,
    pub voice_conversations: u64,
    pub text_conversations: u64,
    /// Voice and text conversations among these without readable counts of the whole: they add no task.
    pub unreadable_conversations: u64,
    pub messages: u64,
    /// Those of them without readable counts: they add to no sum and count in the totals of TE and UES.
    pub unreadable_messages: u64,
    /// Labelled conversations whose task has none of the other modality: left out.
    pub unpaired: u64,
    pub unlabelled: u64,
    pub rows: Result<Vec<JudgedRow>, MeasureRefusal>,
}

type LabelPlace<'l> = (&'l str, &'l str, &'l str);

/// The columns of all judges, in the order of their names and of the columns. One stands there for each judge and place
/// with a conversation that the judge labelled. Voice stands against text over the tasks that the judge labelled in
/// both; of text conversations the messages are numbered and not judged (b), so theirs need no counts.
pub fn judged_block(labels: &LabelSet) -> Vec<JudgedColumn> {
    let mut columns = Vec::new();
    for (judge, labelled) in labels.judges() {
        let mut places: BTreeMap<LabelPlace<'_>, Vec<Judged<'_>>> = BTreeMap::new();
        for (name, episode) in labels.episodes() {
            let place = (episode.agent.as_str(), episode.domain.as_str(), episode.exposure.as_str());
            places.entry(place).or_default().push(Judged { episode, labels: labelled.get(name) });
        }
        let places = places.into_iter().filter(|(_, all)| all.iter().any(|one| one.labels.is_some()));
        columns.extend(places.map(|(place, all)| column(judge, place, &all)));
    }
    columns
}

struct Judged<'l> {
    episode: &'l JudgedEpisode,
    labels: Option<&'l ConversationLabels>,
}

fn side<'l>(all: &[Judged<'l>], modality: Modality) -> Vec<(&'l str, &'l ConversationLabels)> {
    let of_it = all.iter().filter(|one| one.episode.modality == modality);
    of_it.filter_map(|one| Some((one.episode.task.as_str(), one.labels?))).collect()
}

fn tasks<'l>(side: &[(&'l str, &ConversationLabels)]) -> BTreeSet<&'l str> {
    side.iter().map(|(task, _)| *task).collect()
}

/// The sums of a side over its tasks that are among those of the other.
fn among(side: &[(&str, &ConversationLabels)], tasks: &BTreeSet<&str>) -> JudgedSums {
    let kept = side.iter().filter(|(task, _)| tasks.contains(task)).map(|(_, labels)| *labels);
    JudgedSums::of(&kept.collect::<Vec<_>>())
}

fn column(judge: &str, (agent, domain, exposure): LabelPlace<'_>, all: &[Judged<'_>]) -> JudgedColumn {
    let (spoken, written) = (side(all, Modality::Voice), side(all, Modality::Text));
    let (voice, text) = (among(&spoken, &tasks(&written)), among(&written, &tasks(&spoken)));
    let labelled = (spoken.len() + written.len()) as u64;
    let report = JudgedReport::of(&voice.voice(), &text.text());
    JudgedColumn {
        judge: judge.to_owned(),
        agent: agent.to_owned(),
        domain: domain.to_owned(),
        exposure: exposure.to_owned(),
        voice_conversations: voice.conversations,
        text_conversations: text.conversations,
        unreadable_conversations: voice.unreadable_conversations + text.unreadable_conversations,
        messages: voice.messages.all(),
        unreadable_messages: voice.messages.all() - voice.readable.all(),
        unpaired: labelled - voice.conversations - text.conversations,
        unlabelled: all.len() as u64 - labelled,
        rows: report.map(|report| rows(&report, &voice)),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JudgedRow {
    pub name: &'static str,
    /// Its value, in the unit of the formula; nothing where it is undefined.
    pub value: Option<f64>,
}

/// The report of voice conversations, and the sums that it was made from.
struct Voice<'r>(&'r JudgedReport, &'r JudgedSums);

type RowRule = (&'static str, fn(&Voice<'_>) -> Option<f64>);

/// The rows. A share of all messages of a party, of which none could be read, would be the zero of a judge that said
/// nothing, and has no value.
const ROWS: [RowRule; 13] = [
    ("CFA", |voice| voice.1.critical_field_accuracy),
    ("ARGA", |voice| voice.ratio("ARGA Score")),
    ("MRS", |voice| voice.0.modality_robustness.value()),
    ("TE", |voice| voice.ratio("Turn Efficiency").filter(|_| voice.1.readable.agent > 0)),
    ("TO", |voice| Some(voice.0.turn_overhead)),
    ("UES", |voice| voice.ratio("User Effort Score").filter(|_| voice.1.readable.user > 0)),
    ("ERR", |voice| voice.ratio("Error Recovery Rate")),
    ("RTC", |voice| voice.ratio("Recovery Turn Count")),
    ("CP", |voice| voice.ratio("Clarification Precision")),
    ("CR", |voice| voice.ratio("Clarification Recall")),
    ("Safety P", |voice| voice.ratio("Safety Precision")),
    ("Safety R", |voice| voice.ratio("Safety Recall")),
    ("pass@1", |voice| Some(voice.0.voice_pass_at_1)),
];

impl Voice<'_> {
    fn ratio(&self, name: &str) -> Option<f64> {
        self.0.ratios.get(name)?.value()
    }
}

fn rows(report: &JudgedReport, sums: &JudgedSums) -> Vec<JudgedRow> {
    let voice = Voice(report, sums);
    ROWS.into_iter().map(|(name, value)| JudgedRow { name, value: value(&voice) }).collect()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Parties {
    agent: u64,
    user: u64,
}

impl Parties {
    fn of<'m>(messages: impl Iterator<Item = &'m LabelledMessage>) -> Parties {
        messages.fold(Parties::default(), |parties, message| match message.role {
            MessageRole::Agent => Parties { agent: parties.agent + 1, ..parties },
            MessageRole::User => Parties { user: parties.user + 1, ..parties },
        })
    }

    fn all(self) -> u64 {
        self.agent + self.user
    }
}

/// Sums over conversations. What could not be read adds to no sum and is still in the totals of messages.
#[derive(Clone, Debug, PartialEq)]
struct JudgedSums {
    counts: LabelCounts,
    messages: Parties,
    /// Those of them with counts.
    readable: Parties,
    conversations: u64,
    /// Those of them without counts of the whole.
    unreadable_conversations: u64,
    /// Mean over conversations of their critical field accuracy.
    critical_field_accuracy: Option<f64>,
}

impl JudgedSums {
    fn of(conversations: &[&ConversationLabels]) -> JudgedSums {
        let messages = || conversations.iter().flat_map(|one| &one.messages);
        let of_messages = messages().filter_map(|message| message.counts.as_ref());
        let of_wholes = conversations.iter().filter_map(|one| one.conversation.as_ref());
        JudgedSums {
            counts: LabelCounts::total(of_messages.chain(of_wholes)),
            messages: Parties::of(messages()),
            readable: Parties::of(messages().filter(|message| message.counts.is_some())),
            conversations: conversations.len() as u64,
            unreadable_conversations: conversations.iter().filter(|one| one.conversation.is_none()).count() as u64,
            critical_field_accuracy: Spread::of(conversations.iter().map(|one| accuracy(one))).map(|all| all.mean),
        }
    }

    fn voice(&self) -> JudgedCounts {
        let sum = |metric| self.counts.sum(metric);
        JudgedCounts {
            // The report only passes it on, and knows no absence: its row is made from the sums.
            critical_field_accuracy: self.critical_field_accuracy.unwrap_or(0.0),
            clarification_required: sum("clarification_required"),
            clarification_asked: sum("clarification_asked"),
            clarification_true_positives: sum("clarification_true_positives"),
            confirmation_required: sum("confirmation_required"),
            confirmation_asked: sum("confirmation_asked"),
            confirmation_true_positives: sum("confirmation_true_positives"),
            message_necessity: sum("message_necessity"),
            error_committed: sum("error_committed"),
            error_identified: sum("error_identified"),
            error_recovered: sum("error_recovered"),
            user_effort: sum("user_effort"),
            total_agent_messages: self.messages.agent,
            total_user_messages: self.messages.user,
            agent_msg_counts: self.messages.agent,
            tasks_identified: sum("tasks_identified"),
            tasks_succeeded: sum("tasks_succeeded"),
            tasks_with_agent_understanding_errors: sum("tasks_with_agent_understanding_errors"),
            tasks_with_agent_understanding_errors_succeeded: sum("tasks_with_agent_understanding_errors_succeeded"),
        }
    }

    /// As the report of voice conversations takes the text conversations beside them.
    fn text(&self) -> JudgedText {
        JudgedText {
            agent_msg_counts: self.messages.agent,
            tasks_identified: self.counts.sum("tasks_identified"),
            tasks_succeeded: self.counts.sum("tasks_succeeded"),
        }
    }
}

/// The critical field accuracy of a conversation: its sum over the messages that could be read, those of the user
/// included. Nothing where none of the agent's could, since they alone carry it.
fn accuracy(conversation: &ConversationLabels) -> Option<f64> {
    let read: Vec<&LabelCounts> = conversation.messages.iter().filter_map(|one| one.counts.as_ref()).collect();
    let right: Vec<u64> = read.iter().filter_map(|counts| counts.get("critical_field_accuracy")).collect();
    let mean = Quotient { dividend: right.iter().sum::<u64>() as f64, divisor: read.len() as f64 };
    (!right.is_empty()).then(|| mean.value()).flatten()
}

#[cfg(test)]
#[path = "judged_block_tests.rs"]
mod tests;
