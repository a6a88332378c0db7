//! Scores of episodes that are played by plan on the shop of `cases/base`, where the rules are easy to get wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use probity_behaviour::episode::play;
use probity_behaviour::episode::play::play_scripted;
use probity_behaviour::episode::play::{Plan, PlanAgent, PlannedCall, PlannedTurn};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::episode::{Scores, score};
use probity_behaviour::suite::{Files, Suite};
use probity_behaviour::task::Task;
use probity_bench::{Event, Finding, StepOutcome, Trace, Verdict};
use probity_proof::certify::no_return::no_return;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{cases, contents, suite};

const TASK: &str = "tasks/shop/counter/more_teapots.json";

/// The task of the shop with some values put in other places of its file.
fn task(edits: &BTreeMap<String, Value>) -> Arc<Task> {
    let base = cases("base");
    let names = ["environments/shop/counter.json", "scripts/shop/counter.rhai", "scripts/lib/goods.rhai"];
    let mut files: Files = names.iter().map(|name| ((*name).to_owned(), contents(base.join(name)))).collect();
    let mut file: Value = serde_json::from_str(&contents(base.join(TASK))).unwrap();
    for (pointer, value) in edits {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match file.pointer_mut(parent).unwrap() {
            Value::Array(items) => items.insert(key.parse().unwrap(), value.clone()),
            parent => parent[key] = value.clone(),
        }
    }
    files.insert(TASK.to_owned(), file.to_string());
    let suite = Suite::from_files(files, Vec::new());
    let loaded = suite.tasks.values().next();
    Arc::clone(&loaded.unwrap_or_else(|| unreachable!("{:?}", suite.diagnostics)).task)
}

/// Plays calls after the turns they belong to, with the oracle's replies or others.
fn played(task: &Task, variant: Variant, calls: &[(usize, String, Value)], replies: &[String]) -> Trace {
    let own = &task.behaviour(variant).unwrap().replies;
    let reply = |turn: usize| replies.get(turn).unwrap_or(&own[turn]).clone();
    let turn = |turn: usize| PlannedTurn { messages: Vec::new(), reply: reply(turn) };
    let mut plan = Plan { turns: (0..own.len()).map(turn).collect() };
    for (turn, tool, arguments) in calls {
        let arguments = arguments.as_object().unwrap().clone();
        plan.turns[*turn].messages.push(vec![PlannedCall { tool: tool.clone(), arguments, oracle: None }]);
    }
    play_scripted(task, variant, 0, &mut PlanAgent::new(plan)).unwrap().trace
}

/// Calls on a task, and what of their scores is to be told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What it stands for.
    of: String,
    /// A task of the repository; without it that of the shop, with these values in other places of its file.
    #[serde(default)]
    task: Option<String>,
    #[serde(default)]
    edits: BTreeMap<String, Value>,
    #[serde(default = "ideal")]
    variant: Variant,
    /// Turn, tool and arguments; of these a text `$NAME` is what the task binds it to.
    calls: Vec<(usize, String, Value)>,
    /// What the agent replies in place of the oracle.
    #[serde(default)]
    replies: Vec<String>,
    /// What is put behind the user's own words, turn by turn.
    #[serde(default)]
    beside: Vec<String>,
    /// Of the readings those that it is about.
    gives: BTreeMap<String, Value>,
}

fn ideal() -> Variant {
    Variant::Ideal
}

fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Pass => "pass".to_owned(),
        Verdict::Fail => "fail".to_owned(),
        Verdict::NotScored { reason } => format!("not scored: {reason}"),
    }
}

/// A finding's code, with its step or message.
fn place(finding: &Finding) -> String {
    match (finding.step, finding.message) {
        (Some(step), _) => format!("{} at step {step}", finding.code),
        (None, Some(message)) => format!("{} in message {message}", finding.code),
        (None, None) => finding.code.clone(),
    }
}

/// What a case may be about, by its name.
fn reading(name: &str, task: &Task, trace: &Trace, scores: &Scores) -> Value {
    let (parts, honesty, clarification) = (&scores.success.parts, &scores.honesty, &scores.clarification.measure);
    let found = |code: &'static str| parts.findings.iter().filter(move |finding| finding.code == code);
    match name {
        "sr" => json!(word(&scores.success.sr)),
        "solved" => json!(word(&scores.success.solved)),
        "told" => parts.findings.iter().map(|finding| format!("{}: {}", place(finding), finding.text)).collect(),
        "missing" => found("call_missing").map(|finding| finding.text.as_str()).collect(),
        "broken" => json!(found("precedence_violated").count()),
        "made" => json!(parts.made),
        "instead" => json!(parts.instead),
        "no_return" => json!(no_return(task, trace, &scores.success)),
        "honesty" => json!(honesty.value),
        "untrue" => json!(honesty.findings.len()),
        "claims" => json!(honesty.measure.denominator),
        "discipline" => json!(scores.discipline.value),
        "conduct" => scores.discipline.findings.iter().map(place).collect(),
        "clarification" => json!([clarification.numerator, clarification.denominator]),
        other => unreachable!("there is no reading `{other}`"),
    }
}

#[test]
fn calls_are_scored_as_the_table_says() {
    let (suite, mut wrong) = (suite(), Vec::new());
    for line in contents(cases("scores.jsonl")).lines() {
        let mut case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let task = match &case.task {
            Some(id) => Arc::clone(&suite.tasks.get(id).unwrap_or_else(|| panic!("{:?}", suite.diagnostics)).task),
            None => task(&case.edits),
        };
        for (_, _, arguments) in &mut case.calls {
            for value in arguments.as_object_mut().unwrap().values_mut() {
                if let Some(bound) = value.as_str().and_then(|name| task.bindings().get(name)) {
                    *value = bound.clone().into();
                }
            }
        }
        let mut trace = played(&task, case.variant, &case.calls, &case.replies);
        let mut beside = case.beside.iter();
        for event in &mut trace.events {
            if let Event::User { text, .. } = event {
                text.push_str(beside.next().map_or("", String::as_str));
            }
        }
        let scores = score(&task, &trace).unwrap();
        for (name, wanted) in case.gives {
            let found = reading(&name, &task, &trace, &scores);
            if found != wanted {
                wrong.push(format!("{}: {name} is {found} in place of {wanted}", case.of));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_look_finds_what_it_names_by_fewer_words() {
    let suite = suite();
    let task = &suite.tasks["infrastructure_devops/platform/retire_old_resizer"].task;
    let sr = |name: &str| {
        let mut plan = Plan::of_oracle(task, Variant::Ideal).unwrap();
        let calls = plan.turns.iter_mut().flat_map(|turn| turn.messages.iter_mut().flatten());
        for call in calls.filter(|call| call.arguments.get("name") == Some(&json!("image-resizer"))) {
            call.arguments.insert("name".to_owned(), json!(name));
        }
        let played = play_scripted(task, Variant::Ideal, 0, &mut PlanAgent::new(plan)).unwrap();
        score(task, &played.trace).unwrap().success.sr
    };
    assert_eq!(["image-resizer", "resizer"].map(sr), [Verdict::Pass, Verdict::Pass]);
    // Part of a word names nothing, and neither does a name that finds something else.
    assert_eq!(["resiz", "avatar"].map(sr), [Verdict::Fail, Verdict::Fail]);
}

#[test]
fn a_trace_that_is_not_what_its_calls_do_is_not_scored() {
    let task = task(&BTreeMap::new());
    let mut trace =
        play_scripted(&task, Variant::Ideal, 0, &mut play::agent(&task, Variant::Ideal).unwrap()).unwrap().trace;
    assert_eq!(score(&task, &trace).unwrap().success.sr, Verdict::Pass);
    for event in &mut trace.events {
        if let Event::Step(step) = event
            && let StepOutcome::Ok { observation, .. } = &mut step.outcome
        {
            *observation = json!({"order_id": "OR002", "quantity": 4});
        }
    }
    let Verdict::NotScored { reason } = score(&task, &trace).unwrap().success.sr else { unreachable!() };
    assert_eq!(reason, "step 1 does not give what the trace says");
}
