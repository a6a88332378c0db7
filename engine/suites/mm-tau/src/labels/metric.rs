//! What a judge counts: every name with its subject, its greatest count and its description, in one table.

use self::LabelMetric as M;
use self::LabelSubject::{AgentMessage, Conversation, UserMessage};
use crate::measures::MessageRole;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelSubject {
    AgentMessage,
    UserMessage,
    Conversation,
}

impl From<MessageRole> for LabelSubject {
    fn from(role: MessageRole) -> LabelSubject {
        match role {
            MessageRole::Agent => LabelSubject::AgentMessage,
            MessageRole::User => LabelSubject::UserMessage,
        }
    }
}

/// A name that a judge gives a whole number for.
///
/// Which of the paper's two message lists holds which name is not visible (c.1). Here `user_effort` alone is counted in
/// messages of the user and all else in messages of the agent, as in the reference vectors; so a mistake that the user
/// points out is noticed where the agent takes it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelMetric {
    /// Whether every critical value of the message is right: 1 or 0, a whole number as all others (e), so that the mean
    /// over the messages of both parties is a share (c.3). A message without such a value counts as right.
    CriticalFieldAccuracy,
    ClarificationRequired,
    ClarificationAsked,
    ClarificationTruePositives,
    ConfirmationRequired,
    ConfirmationAsked,
    ConfirmationTruePositives,
    MessageNecessity,
    ErrorCommitted,
    /// Errors that it notices.
    ErrorIdentified,
    /// Turns, summed, from each error that it repairs to the repair: the formula of the recovery turn count wants a
    /// total of turns (c.3).
    ErrorRecovered,
    UserEffort,
    TasksIdentified,
    TasksSucceeded,
    TasksWithErrors,
    TasksWithErrorsSucceeded,
}

pub(super) struct MetricSheet {
    pub(super) metric: LabelMetric,
    pub(super) name: &'static str,
    pub(super) subject: LabelSubject,
    /// The greatest count that a judge may reply.
    pub(super) most: u64,
    pub(super) description: &'static str,
}

const fn sheet(
    metric: LabelMetric,
    name: &'static str,
    subject: LabelSubject,
    most: u64,
    description: &'static str,
) -> MetricSheet {
    MetricSheet { metric, name, subject, most, description }
}

const CRITICAL: &str = "1 if every critical value that the message states or acts on is the one that the user has \
given, and 1 if it touches none; 0 if one of them is wrong.";
const ASK_DUE: &str = "1 if something that the agent needs at this point is missing, garbled or contradictory in what \
was said before, so that a careful agent would ask back now; else 0.";
const ASKS: &str = "1 if the message asks the user to give, repeat, spell or choose something; else 0.";
const ASKS_DUE: &str = "1 if the message asks back, a careful agent would have, and it asks about that very thing; \
else 0.";
const YES_DUE: &str = "1 if the next thing to do changes something that cannot be taken back, so that a careful agent \
would get the user's yes now; else 0.";
const WANTS_YES: &str = "1 if the message asks the user for a yes to something it names: a step, a change or a value; \
else 0.";
const WANTS_YES_DUE: &str = "1 if the message asks for a yes, one was due, and it asks for that very one; else 0.";
const NEEDED: &str = "1 if the message brings the user's matter forward; 0 if the dialogue would lose nothing without \
it.";
const ERRS: &str = "How many new mistakes the message makes: wrong values, untrue statements, wrong or skipped steps, \
words of the user taken for something else.";
const NOTICES: &str = "How many mistakes the message shows that the agent has become aware of, whether by itself or \
because the user has said so.";
const REPAIRS: &str = "For each earlier mistake that the message puts right, the number of turns from the mistake to \
this message, all added up; 0 if it puts none right.";
const EFFORT: &str = "1 if the user has to repeat, correct, rephrase or spell out something said before; else 0.";
const TASKS: &str = "How many separate things the user wanted done.";
const TASKS_DONE: &str = "How many of those were done in full and as the user wanted. One that is handed over to a \
person counts only if neither the agent nor the user could have done anything more about it.";
const TASKS_MISTAKEN: &str = "In how many of those the agent at least once answered or acted on something other than \
what the user had said.";
const TASKS_MISTAKEN_DONE: &str = "How many of the tasks with such a misunderstanding were done all the same.";

/// The table, in the order in which a judge is told of it.
pub(super) const SHEETS: [MetricSheet; 16] = [
    sheet(M::CriticalFieldAccuracy, "critical_field_accuracy", AgentMessage, 1, CRITICAL),
    sheet(M::ClarificationRequired, "clarification_required", AgentMessage, 1, ASK_DUE),
    sheet(M::ClarificationAsked, "clarification_asked", AgentMessage, 1, ASKS),
    sheet(M::ClarificationTruePositives, "clarification_true_positives", AgentMessage, 1, ASKS_DUE),
    sheet(M::ConfirmationRequired, "confirmation_required", AgentMessage, 1, YES_DUE),
    sheet(M::ConfirmationAsked, "confirmation_asked", AgentMessage, 1, WANTS_YES),
    sheet(M::ConfirmationTruePositives, "confirmation_true_positives", AgentMessage, 1, WANTS_YES_DUE),
    sheet(M::MessageNecessity, "message_necessity", AgentMessage, 1, NEEDED),
    sheet(M::ErrorCommitted, "error_committed", AgentMessage, 20, ERRS),
    sheet(M::ErrorIdentified, "error_identified", AgentMessage, 20, NOTICES),
    sheet(M::ErrorRecovered, "error_recovered", AgentMessage, 1000, REPAIRS),
    sheet(M::UserEffort, "user_effort", UserMessage, 1, EFFORT),
    sheet(M::TasksIdentified, "tasks_identified", Conversation, 20, TASKS),
    sheet(M::TasksSucceeded, "tasks_succeeded", Conversation, 20, TASKS_DONE),
    sheet(M::TasksWithErrors, "tasks_with_agent_understanding_errors", Conversation, 20, TASKS_MISTAKEN),
    sheet(
        M::TasksWithErrorsSucceeded,
        "tasks_with_agent_understanding_errors_succeeded",
        Conversation,
        20,
        TASKS_MISTAKEN_DONE,
    ),
];

/// What is part of what: in a reply the first is never more than the second. A supplied label is taken as it is, since
/// nothing kept the judges of the paper consistent (c.3).
pub(super) const PARTS: [(LabelMetric, LabelMetric); 8] = [
    (M::ClarificationTruePositives, M::ClarificationAsked),
    (M::ClarificationTruePositives, M::ClarificationRequired),
    (M::ConfirmationTruePositives, M::ConfirmationAsked),
    (M::ConfirmationTruePositives, M::ConfirmationRequired),
    (M::TasksSucceeded, M::TasksIdentified),
    (M::TasksWithErrors, M::TasksIdentified),
    (M::TasksWithErrorsSucceeded, M::TasksWithErrors),
    (M::TasksWithErrorsSucceeded, M::TasksSucceeded),
];

impl LabelSubject {
    pub(super) fn sheets(self) -> impl Iterator<Item = &'static MetricSheet> {
        SHEETS.iter().filter(move |sheet| sheet.subject == self)
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            LabelSubject::AgentMessage => "a message of the agent",
            LabelSubject::UserMessage => "a message of the user",
            LabelSubject::Conversation => "a conversation",
        }
    }
}

impl LabelMetric {
    /// Its name in files and replies: the one that the reference code consumes (c.1).
    pub fn name(self) -> &'static str {
        // The table holds every metric; a test says so.
        SHEETS.iter().find(|sheet| sheet.metric == self).map_or("", |sheet| sheet.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_one_row() {
        let order: Vec<LabelMetric> = SHEETS.iter().map(|sheet| sheet.metric).collect();
        let mut sorted = order.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!((&order, order.last()), (&sorted, Some(&LabelMetric::TasksWithErrorsSucceeded)));
        assert!(SHEETS.iter().all(|sheet| !sheet.metric.name().is_empty() && sheet.most > 0));
        let of = |subject: LabelSubject| subject.sheets().count();
        assert_eq!((of(AgentMessage), of(UserMessage), of(Conversation)), (11, 1, 4));
    }

    #[test]
    fn parts_belong_to_the_subject_of_their_whole() {
        let subject = |metric| SHEETS.iter().find(|sheet| sheet.metric == metric).map(|sheet| sheet.subject);
        assert!(PARTS.iter().all(|(part, whole)| subject(*part) == subject(*whole)));
    }
}
