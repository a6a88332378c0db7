//! What the tables say of the state holds in the states that the peer recorded, before and after the gold calls.

use probity_mm_tau::telecom::{Issue, Predicate, Repair, TelecomTask, escalation};
use serde_json::{Map, Value};

const COLLECTIONS: [(&str, &str); 5] = [
    ("plans", "plan_id"),
    ("customers", "customer_id"),
    ("lines", "line_id"),
    ("devices", "device_id"),
    ("bills", "bill_id"),
];

/// The two databases of the peer, as they are.
#[derive(Clone)]
struct Databases {
    agent: Value,
    user: Value,
}

impl Databases {
    fn pristine() -> Option<Databases> {
        let agent = super::vectors::json("data/initial_telecom_agent.canonical.json")?;
        Some(Databases { agent, user: super::vectors::json("data/initial_telecom_user.canonical.json")? })
    }

    fn changed(&self, agent: &Value, user: &Value) -> Databases {
        let mut databases = self.clone();
        apply(&mut databases.agent, agent);
        apply(&mut databases.user, user);
        databases
    }

    /// One state as in our environment: collections by id, and the user's parts beside them.
    fn state(&self) -> Value {
        let mut state = self.user.as_object().unwrap().clone();
        for (name, key) in COLLECTIONS {
            let keyed = |item: &Value| (item[key].as_str().unwrap().to_owned(), item.clone());
            let items: Map<String, Value> = self.agent[name].as_array().unwrap().iter().map(keyed).collect();
            state.insert(name.to_owned(), Value::Object(items));
        }
        Value::Object(state)
    }
}

/// Applies a recorded difference: JSON Pointer to `{"new": value}`; nothing is ever removed in these.
fn apply(database: &mut Value, difference: &Value) {
    for (path, change) in difference.as_object().into_iter().flatten() {
        let (parent, key) = path.rsplit_once('/').unwrap();
        match database.pointer_mut(parent).unwrap() {
            Value::Object(fields) => _ = fields.insert(key.to_owned(), change["new"].clone()),
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = change["new"].clone(),
            other => unreachable!("{path} in {other}"),
        }
    }
}

fn assert_all(predicates: &[Predicate], state: &Value, of: &str) {
    for predicate in predicates {
        assert!(predicate.holds(state), "{of}: {predicate}");
    }
}

fn check(task: &TelecomTask, before: &Value, after: &Value) {
    let id = task.id();
    let is_transfer = task.gold().is_transfer();
    for issue in task.issues() {
        let (block, of) = (issue.block(), format!("{id}: {issue}"));
        assert!(!block.breaks.iter().all(|predicate| predicate.holds(before)), "{of} breaks nothing");
        match (&block.repair, is_transfer) {
            (Repair::Transfer(_), _) => assert_all(block.leaves(), after, &of),
            (Repair::Calls(_), false) => {
                assert!(!block.leaves().iter().all(|predicate| predicate.holds(before)), "{of} leaves nothing new");
                assert_all(&block.breaks, after, &of);
                assert_all(block.leaves(), after, &of);
            }
            (Repair::Calls(_), true) => assert_eq!(before, after, "{of} is repaired before a transfer"),
        }
    }
    assert!(task.grounds().all(|ground| ground.allowed_when.holds(before)), "{id}");
    assert_eq!(escalation().is_allowed(before), is_transfer, "{id}");
    assert_eq!(escalation().is_allowed(after), is_transfer, "{id}");
}

#[test]
fn nothing_is_broken_at_first() {
    let Some(databases) = Databases::pristine() else { return };
    let state = databases.state();
    for issue in Issue::ALL {
        assert_all(&issue.block().breaks, &state, issue.name());
    }
}

#[test]
fn issues_break_and_repairs_leave_what_they_say() {
    let Some(pristine) = Databases::pristine() else { return };
    for file in ["gold/telecom.jsonl", "gold/telecom_full_rest.jsonl"] {
        for line in super::vectors::json_lines(file).unwrap_or_default() {
            let task = probity_mm_tau::telecom::task(line["task_id"].as_str().unwrap()).unwrap();
            let before = pristine.changed(&line["init_diff"], &line["init_user_diff"]);
            let after = before.changed(&line["diff"], &line["user_diff"]);
            check(&task, &before.state(), &after.state());
        }
    }
}
