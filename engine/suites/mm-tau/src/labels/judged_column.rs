//! The judged block: for every judge a column for each agent, domain and exposure.

use std::collections::{BTreeMap, BTreeSet};

use super::judged_row::{JudgedRow, rows};
use super::judged_sums::JudgedSums;
use super::label_set::{JudgedEpisode, LabelSet};
use super::labelled::ConversationLabels;
use crate::measures::{JudgedReport, MeasureRefusal, Modality};

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

#[cfg(test)]
mod tests;
