//! Random calls over all environments, with what is conserved, held and used up counted beside them: by what the texts
//! and schemas of an environment say, and not by its scripts. `PROBITY_COUNTS=10000000` makes so many calls.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test stops, says what it counted and hears from its environment how much to do"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use probity_behaviour::suite::Suite;
use probity_engine::{Environment, State, Stepped, ToolCall};
use probity_proof::check::environment::journey::watched;

mod count;
mod money;
mod points;
mod seats;
mod seen;
mod stock;

use count::{Count, EVERYWHERE, same};
use seen::{Seen, alone};

/// Calls that are made each time, from a small, a middling and a large state of each environment.
const FEW: u64 = 3 * 16 * 7 * 64;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const ALL: &[Count] = &[same(EVERYWHERE, "a call that is refused changes nothing", |seen| {
    let changes = if seen.got.is_none() && !seen.has_fired { seen.differences() } else { 0 };
    alone(changes, 0)
})];

fn table() -> Vec<&'static Count> {
    [ALL, money::MONEY, points::POINTS, seats::SEATS, stock::STOCK].into_iter().flatten().collect()
}

/// What came of one count.
#[derive(Default, Clone)]
struct Tally {
    compared: u64,
    /// Of these, those where something was counted at all.
    told: u64,
    wrong: u64,
    first: String,
}

/// Makes so many calls; what came of each count, and of the environments' own invariants.
fn counted(suite: &Suite, calls: u64) -> (u64, Vec<String>, BTreeMap<usize, Tally>) {
    let (table, tallies) = (table(), Mutex::new(BTreeMap::<usize, Tally>::new()));
    let onlooker = |environment: &Environment, before: &State, call: &ToolCall, stepped: &Stepped| {
        let seen = Seen::of(before, call, stepped);
        for (at, count) in table.iter().enumerate().filter(|(_, count)| count.is_due(environment.id(), &seen)) {
            let pairs = (count.pairs)(&seen);
            let wrong: Vec<_> = pairs.iter().filter(|pair| !count.holds(pair)).collect();
            let mut tallies = tallies.lock().unwrap();
            let tally = tallies.entry(at).or_default();
            tally.compared += pairs.len() as u64;
            tally.told += pairs.iter().filter(|pair| pair.one != 0 || pair.other != 0).count() as u64;
            tally.wrong += wrong.len() as u64;
            if let Some(pair) = wrong.first().filter(|_| tally.first.is_empty()) {
                let (what, one, other) = (&pair.what, pair.one, pair.other);
                let told = stepped.result.as_ref().map(|applied| applied.observation.to_string());
                tally.first = format!("{what}: {one} and {other} after {call:?}: {told:?}");
            }
        }
    };
    let journeys = watched(suite, calls, &|| (), &onlooker);
    let faults = journeys.diagnostics.iter().map(ToString::to_string).collect();
    (journeys.calls, faults, tallies.into_inner().unwrap())
}

fn told(count: &Count, tally: &Tally) -> String {
    format!("{} {}: {} of {} wrong: {}", count.scope.environment, count.says, tally.wrong, tally.compared, tally.first)
}

#[test]
fn what_is_counted_beside_the_scripts_is_what_they_say() {
    let calls = std::env::var("PROBITY_COUNTS").map_or(FEW, |count| count.parse().unwrap());
    let (made, faults, tallies) = counted(&Suite::load(&root()), calls);
    let table = table();
    let (mut wrong, mut idle) = (faults, 0);
    for (at, count) in table.iter().enumerate() {
        let tally = tallies.get(&at).cloned().unwrap_or_default();
        if std::env::var("PROBITY_COUNTS").is_ok() {
            eprintln!("{} {}: {} compared, {} told", count.scope.environment, count.says, tally.compared, tally.told);
        }
        // Some come up once in thousands of calls, and some have not come up yet.
        idle += u64::from(tally.compared == 0);
        if tally.wrong > 0 {
            wrong.push(told(count, &tally));
        }
    }
    eprintln!("{made} calls, {} counts, {idle} never came up, {} wrong", table.len(), wrong.len());
    assert!(idle * 10 < table.len() as u64, "{idle} counts never came up");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A fault in a script, and what counts it.
struct Planted {
    environment: &'static str,
    was: &'static str,
    is: &'static str,
    says: &'static str,
}

const PLANTED: [Planted; 4] = [
    Planted {
        environment: "finance/bank",
        was: "account.balance_cents = account.balance_cents + signed;",
        is: "account.balance_cents = account.balance_cents + signed + if kind == \"internal\" { 1 } else { 0 };",
        says: "a balance moves by what is booked on its account",
    },
    Planted {
        environment: "e_commerce/marketplace",
        was: "if offer != () { offer.stock += 1; }",
        is: "if offer != () && offer.stock > 0 { offer.stock += 1; }",
        says: "stock falls by what is sent and rises by what does not leave",
    },
    // The environment's own invariant counts people with the same function.
    Planted {
        environment: "travel_hospitality/tours",
        was: "if b.status != \"cancelled\" { people +=",
        is: "if b.status == \"confirmed\" { people +=",
        says: "no departure has more people than its maximum",
    },
    Planted {
        environment: "healthcare/clinic",
        was: "if late { patient.late_cancellations += 1; }",
        is: "patient.late_cancellations += 1;",
        says: "a late cancellation counts, an early one does not",
    },
];

/// One environment alone, with its script changed.
fn planted(fault: &Planted) -> Suite {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counts").join(fault.environment);
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("scripts/lib"))
        .unwrap()
        .map(|entry| Path::new("scripts/lib").join(entry.unwrap().file_name()))
        .collect();
    let script = PathBuf::from(format!("scripts/{}.rhai", fault.environment));
    files.extend([script.clone(), format!("environments/{}.json", fault.environment).into()]);
    for file in files {
        fs::create_dir_all(folder.join(&file).parent().unwrap()).unwrap();
        let text = fs::read_to_string(root().join(&file)).unwrap();
        let is_script = file == script;
        assert!(!is_script || text.matches(fault.was).count() == 1, "{}", fault.was);
        fs::write(folder.join(file), if is_script { text.replace(fault.was, fault.is) } else { text }).unwrap();
    }
    Suite::load(&folder)
}

#[test]
fn a_fault_in_a_script_is_counted() {
    for fault in &PLANTED {
        let suite = planted(fault);
        assert_eq!(suite.environments.len(), 1, "{:?}", suite.diagnostics);
        let (_, _, tallies) = counted(&suite, FEW / 4);
        let table = table();
        let wrong: Vec<&str> =
            tallies.iter().filter(|(_, tally)| tally.wrong > 0).map(|(at, _)| table[*at].says).collect();
        assert!(wrong.contains(&fault.says), "{}: {wrong:?}", fault.says);
    }
}
