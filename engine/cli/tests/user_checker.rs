//! What the checker refuses of a model that speaks for a user, and what it lets through.

use std::collections::{BTreeMap, BTreeSet};

use probity_behaviour::{episode::user::model::Checker, model::task_file::Fact, task::question::FactPhrases};
use serde::Deserialize;

use crate::support::suite;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    meant: String,
    said: String,
    /// The code of the refusal; none when the words are fine.
    #[serde(default)]
    refused: Option<String>,
    #[serde(default)]
    withheld: Vec<String>,
    #[serde(default)]
    planted: Vec<String>,
}

#[test]
fn the_checker_refuses_what_adds_changes_or_leaks() {
    let facts: BTreeMap<String, Fact> = serde_json::from_str(include_str!("cases/user/facts.json")).unwrap();
    let voices: Vec<FactPhrases> = facts.iter().map(|(name, fact)| FactPhrases::of(name, fact)).collect();
    let names: BTreeSet<String> = ["peter", "okafor", "ines"].map(str::to_owned).into();
    let (mut fine, mut refused, mut wrong) = (0, 0, Vec::new());
    for line in include_str!("cases/user/utterances.jsonl").lines().filter(|line| !line.trim().is_empty()) {
        let case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        // 11 June 2026, 09:00 UTC.
        let checker = Checker::new(&voices, &case.withheld, &case.planted, names.clone(), 1_781_168_400);
        let verdict = checker.check(&case.said, &case.meant);
        let code = verdict.as_ref().err().map(|refusal| refusal.code);
        if code != case.refused.as_deref() {
            wrong.push(format!("{line}: {verdict:?}"));
        }
        *(if code.is_none() { &mut fine } else { &mut refused }) += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fine >= 15 && refused >= 25, "{fine} fine, {refused} refused");
}

/// Everything the contract user says passes unchanged, and with courtesy around it.
#[test]
fn the_checker_lets_the_contract_users_own_words_through() {
    for loaded in suite().tasks.values() {
        for (variant, behaviour) in loaded.task.variants() {
            let checker = Checker::of(&loaded.task, *variant).unwrap();
            for turn in &behaviour.turns {
                for said in [turn.clone(), format!("Hello again. {turn}"), format!("{turn}\nThanks.")] {
                    let verdict = checker.check(&said, turn);
                    assert!(verdict.is_ok(), "{} {variant}: {verdict:?}: {said}", loaded.task.id());
                }
                let more = format!("{turn} The number is 99887.");
                assert!(checker.check(&more, turn).is_err(), "{more}");
            }
        }
    }
}
