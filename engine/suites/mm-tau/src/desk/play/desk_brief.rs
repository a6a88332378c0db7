//! What an agent of a desk is told.

use crate::telecom::Persona;
use probity_bench::Brief;
use probity_engine::{Actor, Environment};

const RULES: &str = concat!(
    probity_bench::how_to_work!(),
    "\
- You act by calling tools; the user has none, and only talks with you.
- Use only values that the user, these rules or a tool gave you. On the telephone you may hear wrong: when a value is
  not found, say what you heard and ask again.
- Before you do what has consequences, say exactly what it is and what it costs, and get a clear yes.
- When the user wants something that these rules or the tools do not allow, say so and why."
);

const GUARD: &str = "Hand over only what is beyond your tools, and not before you have looked.";

/// What an agent is told; `guarded` with a warning of early hand-overs, `known` with who calls.
pub fn desk_brief(environment: &Environment, guarded: bool, known: Option<Persona>) -> Brief {
    let file = environment.file();
    let rules: String = file.policy.iter().map(|rule| format!("- {}\n", rule.text())).collect();
    let mut system = format!("{}\n{}\n\nRules\n{rules}\n{RULES}\n", file.title, file.summary);
    if guarded {
        system.push_str(&format!("\n{GUARD}\n"));
    }
    if let Some(profile) = known.and_then(Persona::profile) {
        system.push_str(&format!("\nWho calls, in the words of somebody who knows them\n{}\n", profile.text));
    }
    Brief { system, tools: environment.functions(Actor::Agent), history: Vec::new() }
}
