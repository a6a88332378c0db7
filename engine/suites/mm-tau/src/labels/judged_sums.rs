//! The counts of a judge over several conversations as one.

use super::counts::LabelCounts;
use super::labelled::{ConversationLabels, LabelledMessage};
use super::metric::LabelMetric as M;
use crate::measures::{JudgedCounts, JudgedText, MessageRole, Quotient, Spread};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parties {
    pub(super) agent: u64,
    pub(super) user: u64,
}

impl Parties {
    fn of<'m>(messages: impl Iterator<Item = &'m LabelledMessage>) -> Parties {
        messages.fold(Parties::default(), |parties, message| match message.role {
            MessageRole::Agent => Parties { agent: parties.agent + 1, ..parties },
            MessageRole::User => Parties { user: parties.user + 1, ..parties },
        })
    }

    pub(super) fn all(self) -> u64 {
        self.agent + self.user
    }
}

/// Sums over conversations. What could not be read adds to no sum and is still in the totals of messages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JudgedSums {
    counts: LabelCounts,
    pub(super) messages: Parties,
    /// Those of them with counts.
    pub(super) readable: Parties,
    pub(super) conversations: u64,
    /// Those of them without counts of the whole.
    pub(super) unreadable_conversations: u64,
    /// Mean over conversations of their critical field accuracy.
    pub(super) critical_field_accuracy: Option<f64>,
}

impl JudgedSums {
    pub(super) fn of(conversations: &[&ConversationLabels]) -> JudgedSums {
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

    pub(super) fn voice(&self) -> JudgedCounts {
        let sum = |metric| self.counts.sum(metric);
        JudgedCounts {
            // The report only passes it on, and knows no absence: its row is made from the sums.
            critical_field_accuracy: self.critical_field_accuracy.unwrap_or(0.0),
            clarification_required: sum(M::ClarificationRequired),
            clarification_asked: sum(M::ClarificationAsked),
            clarification_true_positives: sum(M::ClarificationTruePositives),
            confirmation_required: sum(M::ConfirmationRequired),
            confirmation_asked: sum(M::ConfirmationAsked),
            confirmation_true_positives: sum(M::ConfirmationTruePositives),
            message_necessity: sum(M::MessageNecessity),
            error_committed: sum(M::ErrorCommitted),
            error_identified: sum(M::ErrorIdentified),
            error_recovered: sum(M::ErrorRecovered),
            user_effort: sum(M::UserEffort),
            total_agent_messages: self.messages.agent,
            total_user_messages: self.messages.user,
            agent_msg_counts: self.messages.agent,
            tasks_identified: sum(M::TasksIdentified),
            tasks_succeeded: sum(M::TasksSucceeded),
            tasks_with_agent_understanding_errors: sum(M::TasksWithErrors),
            tasks_with_agent_understanding_errors_succeeded: sum(M::TasksWithErrorsSucceeded),
        }
    }

    /// As the report of voice conversations takes the text conversations beside them.
    pub(super) fn text(&self) -> JudgedText {
        JudgedText {
            agent_msg_counts: self.messages.agent,
            tasks_identified: self.counts.sum(M::TasksIdentified),
            tasks_succeeded: self.counts.sum(M::TasksSucceeded),
        }
    }
}

/// The critical field accuracy of a conversation: its sum over the messages that could be read, those of the user
/// included. Nothing where none of the agent's could, since they alone carry it.
fn accuracy(conversation: &ConversationLabels) -> Option<f64> {
    let read: Vec<&LabelCounts> = conversation.messages.iter().filter_map(|one| one.counts.as_ref()).collect();
    let right: Vec<u64> = read.iter().filter_map(|counts| counts.get(M::CriticalFieldAccuracy)).collect();
    let mean = Quotient { dividend: right.iter().sum::<u64>() as f64, divisor: read.len() as f64 };
    (!right.is_empty()).then(|| mean.value()).flatten()
}
