//! The telecom tasks of MM-tau-p2 and tau2-bench, made from issue blocks; no I/O.
//!
//! A task is an intent and a set of issues ([`TelecomTask`]); all else follows from the two: how the state is made, the
//! gold calls, the assertions, when a transfer is right, which values a voice channel must not spoil, what the user
//! knows. Personas are not part of a task: cross them with tasks, or take the peer's dealing ([`dealt_tasks`]).

mod critical_field;
mod predicate;
mod scenario;
mod tables;
mod task;
mod task_set;

pub use critical_field::{CriticalFieldUse, Form, Slot, Source};
pub use predicate::Predicate;
pub use scenario::{
    BILL_CENTS, BILL_ID, CUSTOMER_ID, CUSTOMER_NAME, Goal, LINE_ID, Manner, Offer, PHONE_NUMBER, Persona, Profile,
    REFUEL_CENTS_PER_GB, REFUEL_GB, Scenario, Skill, Whereabouts,
};
pub use tables::{
    Assertion, Call, Diagnostic, Escalation, Ground, Intent, IntentBlock, Issue, IssueBlock, IssueSet, Repair,
    escalation,
};
pub use task::{CompositionError, Gold, RewardBasis, TelecomTask, parse_id, task};
pub use task_set::{DealtTask, TaskSet, compositions, dealt_persona, dealt_tasks, paper_tasks, tasks};
