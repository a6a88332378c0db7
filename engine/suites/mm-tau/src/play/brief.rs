//! What an agent is told: its rules, the guard against early hand-overs, and who calls, where it may know.

use crate::score::PlayedTask;
use crate::telecom::Persona;
use probity_bench::Brief;
use probity_engine::Actor;

/// What the agent of a task is told; `guarded` with the guard against early hand-overs, `known` with who calls.
pub fn brief(task: &dyn PlayedTask, guarded: bool, known: Option<Persona>) -> Brief {
    let (environment, (manual, guard)) = (task.environment(), task.manual());
    let file = environment.file();
    let rules: String = file.policy.iter().map(|rule| format!("- {}\n", rule.text())).collect();
    let mut system = format!("{}\n{}\n\nRules\n{rules}\n{manual}\n", file.title, file.summary);
    if guarded {
        system.push_str(&format!("\n{guard}\n"));
    }
    if let Some(profile) = known.and_then(Persona::profile) {
        system.push_str(&format!("\nWho calls, in the words of somebody who knows them\n{}\n", profile.text));
    }
    Brief { system, tools: environment.functions(Actor::Agent), history: Vec::new() }
}
