//! What holds of every composition, tried on all 3,405.

use std::collections::BTreeSet;

use probity_mm_tau::telecom::{
    Gold, Intent, Issue, Persona, RewardBasis, TaskSet, TelecomTask, compositions, dealt_persona, dealt_tasks,
    escalation,
};

fn all() -> impl Iterator<Item = TelecomTask> {
    Intent::ALL.iter().flat_map(|intent| compositions(*intent))
}

#[test]
fn at_most_one_member_of_each_set() {
    for task in all() {
        let sets = &task.intent().block().sets;
        let members = |set: &probity_mm_tau::telecom::IssueSet| {
            task.issues().iter().filter(|issue| set.members.contains(issue)).count()
        };
        assert!(sets.iter().all(|set| members(set) <= 1), "{}", task.id());
        assert!(sets.iter().any(|set| set.is_essential && members(set) == 1), "{}", task.id());
        assert_eq!(sets.iter().map(members).sum::<usize>(), task.issues().len(), "{}", task.id());
    }
}

/// Every subset of the issues is tried, so that nothing that can stand together is missing.
#[test]
fn no_composition_is_missing() {
    for intent in Intent::ALL {
        let issues: Vec<Issue> = intent.block().sets.iter().flat_map(|set| &set.members).copied().collect();
        let subsets = (0..1_u32 << issues.len()).map(|bits| {
            let chosen = issues.iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1);
            TelecomTask::compose(intent, chosen.map(|(_, issue)| *issue))
        });
        let composed: BTreeSet<TelecomTask> = subsets.filter_map(Result::ok).collect();
        assert_eq!(composed, compositions(intent).into_iter().collect());
    }
}

#[test]
fn ids_are_parsed_back() {
    let tasks: BTreeSet<TelecomTask> = all().collect();
    let ids: BTreeSet<String> = tasks.iter().map(TelecomTask::id).collect();
    assert_eq!((tasks.len(), ids.len()), (3405, 3405));
    for task in &tasks {
        assert_eq!(probity_mm_tau::telecom::task(&task.id()).as_ref(), Some(task));
        for persona in Persona::ALL {
            assert_eq!(probity_mm_tau::telecom::parse_id(&task.id_with(persona)), Some((task.clone(), Some(persona))));
        }
    }
}

#[test]
fn order_of_issues_does_not_matter() {
    for task in all() {
        let mut issues: Vec<Issue> = task.issues().iter().copied().collect();
        for _ in 0..issues.len() {
            issues.rotate_left(1);
            let names: Vec<&str> = issues.iter().rev().map(|issue| issue.name()).collect();
            let id = format!("[{}]{}", task.intent(), names.join("|"));
            assert_eq!(probity_mm_tau::telecom::task(&id).as_ref(), Some(&task));
        }
    }
}

#[test]
fn a_transfer_is_all_there_is_to_do_or_nothing_of_it() {
    for task in all() {
        let gold = task.gold();
        let has_transfer = gold.calls().iter().any(|call| call.function == escalation().tool);
        assert_eq!(has_transfer, matches!(gold, Gold::Transfer(_)));
        assert_eq!(has_transfer, task.grounds().count() > 0);
        assert_eq!(has_transfer, task.reward_basis().contains(&RewardBasis::Action));
        assert!(!gold.calls().is_empty() && !task.assertions().is_empty());
    }
}

#[test]
fn personas_are_dealt_in_turn() {
    let dealt: Vec<_> = dealt_tasks(TaskSet::Extended).collect();
    let of = |persona| dealt.iter().filter(|dealt| dealt.persona == persona).count();
    assert_eq!(Persona::ALL.iter().map(|persona| of(*persona)).collect::<Vec<_>>(), [1136, 1135, 1134]);
    for dealt in dealt_tasks(TaskSet::Paper) {
        assert_eq!(dealt_persona(&dealt.task), Some(dealt.persona));
    }
}

#[test]
fn a_task_is_written_whole() {
    let record = serde_json::to_value(
        probity_mm_tau::telecom::task("[service_issue]lock_sim_card_pin|unseat_sim_card").unwrap(),
    )
    .unwrap();
    let keys: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "assertions",
        "critical_fields",
        "escalation",
        "gold",
        "id",
        "initialization",
        "intent",
        "issues",
        "reward_basis",
        "scenario",
        "scenario_text",
    ];
    assert_eq!(keys, expected);
}
