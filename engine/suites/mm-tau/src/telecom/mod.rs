//! The telecom tasks of MM-tau-p2 and tau2-bench, made from issue blocks; no I/O.
//!
//! A task is an intent and a set of issues ([`TelecomTask`]); all else follows from the two: how the state is made, the
//! gold calls, the assertions, when a transfer is right, which values a voice channel must not spoil, what the user
//! knows. Personas are not part of a task: cross them with tasks, or take the peer's dealing ([`dealt_tasks`]).

mod composition;
mod critical_field;
mod issue;
mod persona;
mod predicate;
mod scenario;
mod tables;
mod task;
mod task_id;
mod task_set;

pub use composition::{CompositionError, compositions};
pub use critical_field::{CriticalFieldUse, Form, Slot, Source};
pub use issue::Issue;
pub use persona::{Manner, Persona, Profile, Skill};
pub use predicate::Predicate;
pub use scenario::{
    BILL_CENTS, BILL_ID, CUSTOMER_ID, CUSTOMER_NAME, Goal, LINE_ID, Offer, PHONE_NUMBER, REFUEL_CENTS_PER_GB,
    REFUEL_GB, Scenario, Whereabouts,
};
pub use tables::{Diagnostic, Escalation, Ground, Intent, IntentBlock, IssueBlock, IssueSet, Repair, escalation};
pub use task::{Assertion, Call, Gold, RewardBasis, Side, TaskRecord, TelecomTask};
pub use task_id::{parse_id, task};
pub use task_set::{DealtTask, TaskSet, dealt_persona, dealt_tasks, paper_tasks, tasks};
