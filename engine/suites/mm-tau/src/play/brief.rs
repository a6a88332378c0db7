//! What an agent is told: its rules, the guard against early hand-overs, and who calls, where it may know.

use crate::telecom::Persona;
use probity_bench::Brief;
use probity_engine::{Actor, Environment};

const RULES: &str = concat!(
    probity_bench::how_to_work!(),
    "\
- You act by calling tools; the user has a phone of their own with tools that only they can use. Tell them what to do.
- Ask for one step at a time, and wait for what the user sees.
- Use only values that the user, these rules or a tool gave you. On the telephone you may hear wrong: when a number is
  not found, say what you heard and ask again.
- Before you do what cannot be taken back or costs money, say what it is and get a clear yes.
- When you are finished, have the user look whether it works."
);

const GUARD: &str = "\
Do not hand a user over before you have looked for the cause. Hand over only what neither you nor the user can repair.";

/// What an agent is told in an environment; `guarded` with the guard against early hand-overs, `known` with who calls.
pub fn brief(environment: &Environment, guarded: bool, known: Option<Persona>) -> Brief {
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
