//! The telecom tasks of MM-tau-p2 and tau2-bench, made from issue blocks; no I/O.
//!
//! A task is an intent and a set of issues ([`TelecomTask`]); all else follows from the two: how the state is made, the
//! gold calls, the assertions, when a transfer is right, which values a voice channel must not spoil, what the user
//! knows. Personas are not part of a task: cross them with tasks, or take the peer's dealing ([`dealt_tasks`]).

mod call;
mod composition;
mod critical_field;
mod dealing;
mod escalation;
mod facts;
mod intent;
mod issue;
mod issue_block;
mod issue_table;
mod literal;
pub(crate) mod named;
mod persona;
mod predicate;
mod record;
mod scenario;
mod task;
mod task_id;
mod task_set;

pub use call::{Assertion, Call, Side};
pub use composition::{CompositionError, compositions};
pub use critical_field::{CriticalFieldUse, Form, Slot, Source};
pub use dealing::{DealtTask, dealt_persona};
pub use escalation::{Diagnostic, ESCALATION, Escalation, Ground};
pub use facts::{
    BILL_CENTS, BILL_ID, CUSTOMER_ID, CUSTOMER_NAME, LINE_ID, PHONE_NUMBER, REFUEL_CENTS_PER_GB, REFUEL_GB, TODAY,
};
pub use intent::{Intent, IntentBlock, IssueSet};
pub use issue::Issue;
pub use issue_block::{IssueBlock, Repair};
pub use literal::Literal;
pub use persona::{Manner, Persona, Profile, Skill};
pub use predicate::Predicate;
pub use record::TaskRecord;
pub use scenario::{Goal, Offer, Scenario, Whereabouts};
pub use task::{Gold, RewardBasis, TelecomTask};
pub use task_id::{parse_id, task};
pub use task_set::{TaskSet, dealt_tasks, paper_tasks, tasks};
