//! Who stands for the user where the agent is alone: a ticket.

use probity_bench::ScriptedUser;

/// A user who hands in a ticket, and says nothing else.
pub fn ticket_user(ticket: &str) -> ScriptedUser {
    ScriptedUser::new(vec![ticket.to_owned()])
}
