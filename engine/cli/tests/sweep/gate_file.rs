//! Gate files broken in the ways of authored files: what is wrong is told with its line, and nothing of a rule is
//! passed over.

use std::time::Instant;

use probity_behaviour::benchmark::CARD;
use probity_engine::Stream;
use probity_report::GateFile;

use super::slip::{Expected, SLIPS};
use super::{MOST_SECONDS, is_unseen, means_the_same, wanted};
use crate::support::{contents, root};

/// Ways that each slip is made each time: none asks for a process.
const EACH: u64 = 20;

/// What should not have come of a slip.
fn fault(whole: &GateFile, read: Result<GateFile, String>, expected: Expected) -> Option<String> {
    match (read, expected) {
        (Ok(_), Expected::Told) => Some("nothing is told".to_owned()),
        (Err(told), Expected::Clean) => Some(format!("what means nothing is told: {told}")),
        (Ok(file), Expected::Clean) => (file != *whole).then(|| "it means something else".to_owned()),
        (Ok(_), Expected::Either) => None,
        (Err(told), _) if !told.contains("line ") => Some(format!("told without a place: {told}")),
        (Err(told), _) if is_unseen(&told) => Some(format!("what cannot be seen is not shown: {told:?}")),
        (Err(told), _) => means_the_same(&told, &told).then(|| format!("it means the same: {told}")),
    }
}

#[test]
fn no_slip_in_a_gate_file_is_passed_over() {
    let (text, card) = (contents(root().join("docs/gate.toml")), &*CARD);
    let whole = GateFile::parse(card, &text).unwrap();
    let (mut wrong, mut told) = (Vec::new(), 0);
    for number in 0..wanted("PROBITY_SWEEP").unwrap_or(0).max(EACH) {
        for (name, slip) in SLIPS {
            let mut stream = Stream::new(number, "sweep", &format!("gate file {name}"));
            let slipped = slip(&text, "gate.toml", &mut stream);
            // What is no text is not read as one, whatever the file is for.
            let Some((Ok(slipped), expected)) = slipped.map(|(bytes, expected)| (String::from_utf8(bytes), expected))
            else {
                continue;
            };
            // TOML takes it for nothing.
            let expected = if name == "byte order mark" { Expected::Clean } else { expected };
            let began = Instant::now();
            let read = GateFile::parse(card, &slipped);
            told += u64::from(read.is_err());
            assert!(began.elapsed().as_secs() < MOST_SECONDS, "{name} {number}");
            wrong.extend(fault(&whole, read, expected).map(|fault| format!("{number} {name}: {fault}")));
        }
    }
    eprintln!("gate file: {told} slips told");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
