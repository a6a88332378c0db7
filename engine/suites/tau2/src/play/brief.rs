//! What an agent is told: how to work, and the policy of its world.

use serde_json::Value;

use super::protocol::Mode;
use super::tau2_world::Tau2World;
use probity_bench::Brief;
use probity_engine::Actor;

const WITH_A_USER: &str = "\
You serve customers, and keep to the policy below.
- A message is either words for the customer, or calls of tools.
- You act by calling tools; say nothing of what they do not show.
- What the customer has tools for, only the customer can do.";

const ALONE: &str = "\
You settle a ticket, and keep to the policy below.
- There is nobody to ask. You have the customer's tools beside your own.
- You act by calling tools. When you are finished, or nothing is left to do, say so: that ends your work.";

/// What an agent is told; nothing where it cannot be played so.
pub fn brief(world: &Tau2World, mode: Mode) -> Option<Brief> {
    let policy = world.policy(mode == Mode::Solo)?;
    let rules = if mode == Mode::Solo { ALONE } else { WITH_A_USER };
    let mut tools = world.environment().functions(Actor::Agent);
    if mode == Mode::Solo
        && let (Value::Array(own), Value::Array(users)) = (&mut tools, world.environment().functions(Actor::User))
    {
        own.extend(users);
    }
    Some(Brief {
        system: format!("{rules}\n\n<policy>\n{}\n</policy>\n", policy.trim_end()),
        tools,
        history: Vec::new(),
    })
}
