//! Built-in service agents. They know the task, whose gold calls are their plan, but have the user's data only from
//! what they hear, and ids only from the records that they look up.

pub(crate) mod manner;
mod plan;
mod service_agent;

pub use manner::ServiceManner;
pub use service_agent::ServiceAgent;
