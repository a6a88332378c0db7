//! An environment from a folder, calls, a step back, a fork: all that a door over environments needs.
#![allow(clippy::print_stdout, reason = "an example shows what came of it")]

use std::path::Path;

use probity_engine::{Actor, Difficulty, Environment, Session, ToolCall};
use serde_json::json;

fn main() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let loaded = Environment::load(&root, "travel_hospitality/front_desk");
    let desk = loaded.map_err(|found| found.iter().map(ToString::to_string).collect::<String>())?;
    let mut session = Session::new(&desk, desk.populate(Difficulty::Easy, 41)?);
    let mut ledger = Vec::new();
    for (tool, arguments) in [
        ("get_room", json!({"room_id": "101"})),
        ("get_room", json!({"room_id": "999"})),
        ("write_note", json!({"booking_id": "B0001", "note": "Arrives late."})),
    ] {
        session.mark();
        let made = session.call(&ToolCall::new(tool, arguments), Actor::Agent);
        ledger.push(match made.result {
            Ok(applied) => format!("{} {tool}: {}", made.step, applied.observation),
            Err(refused) => format!("{} {tool}: refused, {}", made.step, refused.code),
        });
    }
    println!("{}", ledger.join("\n"));
    let fork = session.clone();
    assert!(session.undo(), "the note is taken back here, and stands in the fork");
    println!("{} without the note\n{} with it", session.state().hash(), fork.state().hash());
    assert!(session.state().hash() == session.start().hash() && fork.state().hash() != session.start().hash());
    Ok(())
}
