//! Tickets whose judge, or whose agent, is a model: played once against a provider that says what a test tells it.

use std::sync::{Arc, Mutex};

use super::*;
use probity_bench::{ChatAgent, Client, EndReason, Event, Limits, Note, Options, Outgoing, Reading, Reply, Services};
use serde_json::{Value, json};

const TICKET: &str = r#"{
 "tools": ["look"],
 "history": [{"user": "Hello"}, {"agent": "Good day"}],
 "checkpoints": [
  {"query": "Is disk d-1 full?", "reply": "It is 91 % full.", "reply_type": "solution", "facts": ["91 %"],
   "calls": [{"tool": "look", "arguments": {"disk": "d-1"}, "result": {"used": "91 %"}}]},
  {"before": [{"user": "I see."}, {"agent": "Gladly."}],
   "query": "What now?", "reply": "Extend it.", "reply_type": "solution", "facts": ["extend"], "requires": [1]}
 ]
}"#;
const TOOLS: &str = r#"[{"name": "look", "description": "Looks.", "parameters": {"type": "object"}}]"#;

fn benchmark() -> TicketBenchmark {
    let files = [("tickets/disk/full.json", TICKET), ("tickets/tools/disk.json", TOOLS)];
    let suite =
        TicketSuite::from_files(files.map(|(path, text)| (path.to_owned(), text.to_owned())).into(), Vec::new());
    assert_eq!(suite.diagnostics, []);
    TicketBenchmark { suite }
}

/// A suite of one ticket whose customer says the same at two checkpoints, where the same call is answered otherwise.
fn same_again() -> TicketBenchmark {
    let ticket = r#"{
 "tools": ["look"],
 "checkpoints": [
  {"query": "How full is d-1?", "reply": "It is 91 % full.", "reply_type": "solution", "facts": ["91 %"],
   "calls": [{"tool": "look", "arguments": {"disk": "d-1"}, "result": "91 %"}]},
  {"query": "How full is d-1?", "reply": "It is 12 % full.", "reply_type": "solution", "facts": ["12 %"],
   "calls": [{"tool": "look", "arguments": {"disk": "d-1"}, "result": "12 %"}]}
 ]
}"#;
    let files = [("tickets/disk/twice.json", ticket), ("tickets/tools/disk.json", TOOLS)];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    TicketBenchmark { suite: TicketSuite::from_files(files, Vec::new()) }
}

#[test]
fn what_was_recorded_before_a_checkpoint_has_answered_already() {
    let benchmark = same_again();
    let options = Options::new();
    let setting = Setting { seed: 0, limits: Limits::default(), options: &options, user: "facts", next: None };
    let with = Services { user_client: None, line: None, user_unit: "judge" };
    let mut seen = Vec::new();
    for at in benchmark.instances() {
        let mut agent = benchmark.agent(&AgentName::Oracle, &at, 0).unwrap();
        let played = benchmark.play(&at, &setting, agent.as_mut(), &with).unwrap();
        assert_eq!(benchmark.score(&at, &played).unwrap().value("sr_pass1"), Some(1.0), "{at:?}");
        let observed = |event: &Event| match event {
            Event::Step(step) => step.observation().and_then(Value::as_str).map(str::to_owned),
            _ => None,
        };
        seen.push(played.trace.events.iter().filter_map(observed).collect::<Vec<_>>());
    }
    assert_eq!(seen, [vec!["91 %", "12 %"], vec!["91 %"], vec!["12 %"]]);
}

/// What a provider says to the messages of a request, of which so many came before.
type Says = fn(usize, &[Value]) -> Option<Value>;

type Tape = Arc<Mutex<Vec<Vec<Value>>>>;

/// A provider that answers by a function, and what it was asked.
fn client(says: Says) -> (Arc<Client>, Tape) {
    let asked = Tape::default();
    let tape = Arc::clone(&asked);
    let provider = move |request: Outgoing<'_>| {
        let body: Value = serde_json::from_str(request.body).unwrap();
        let messages = body["messages"].as_array().unwrap().clone();
        let mut asked = tape.lock().unwrap();
        let said = says(asked.len(), &messages);
        asked.push(messages);
        let choices = json!([{"message": said, "finish_reason": "stop"}]);
        let body = json!({"choices": choices, "usage": {"prompt_tokens": 5, "completion_tokens": 40}});
        let status = if said.is_some() { 200 } else { 400 };
        Ok(Reply { status, body: body.to_string(), ..Reply::default() })
    };
    let config = json!({
        "base_url": "http://127.0.0.1/v1", "tool_mode": "native", "temperature": 0.0, "max_tokens": 128,
        "timeout": 60, "attempts": 1, "retry_wait_ms": 1, "concurrency": 1, "api_key_env": "",
    });
    let config = serde_json::from_value(config).unwrap();
    (Arc::new(Client::new(config, Box::new(provider), Arc::new(|| false))), asked)
}

struct Played {
    trace: Trace,
    replayed: Trace,
    scores: Scores,
}

fn played(user: &str, judge: Option<&Arc<Client>>, agent: &mut dyn Agent, options: &Options, mode: Mode) -> Played {
    let benchmark = benchmark();
    let at = benchmark.instances().into_iter().find(|at| at.setting == mode.levels()).unwrap();
    let setting = Setting { seed: 0, limits: Limits::default(), options, user, next: None };
    let with = Services { user_client: judge, line: None, user_unit: "judge" };
    let played = benchmark.play(&at, &setting, agent, &with).unwrap();
    let scores = CARD.checked(benchmark.score(&at, &played));
    let replayed = benchmark.replay(&at, &setting, &played.trace).unwrap().trace;
    Played { replayed, scores, trace: played.trace }
}

fn oracle() -> PlannedAgent {
    let benchmark = benchmark();
    PlannedAgent::new(benchmark.suite.ticket("disk/full").unwrap(), Mode::MultiTurn, Manner::Recorded)
}

fn rulings(trace: &Trace) -> Vec<String> {
    let ruling = |event: &Event| match event {
        Event::Note(Note::Ruling(ruling)) => Some(format!("{ruling} ({})", ruling.tries)),
        _ => None,
    };
    trace.events.iter().filter_map(ruling).collect()
}

fn words(text: &str) -> Option<Value> {
    Some(json!({"role": "assistant", "content": text}))
}

#[test]
fn a_model_judges_and_its_verdicts_are_played_again() {
    let (judge, asked) = client(|_, messages| {
        let told = messages[1]["content"].as_str().unwrap();
        match messages[0]["content"].as_str().unwrap().starts_with("You compare") {
            true if told.contains("\"reply_a\":\"Extend it.\",\"reply_b\":\"It is") => words("Not Included"),
            true => words("<result>Included</result>"),
            false => words("Yes"),
        }
    });
    let Played { trace, replayed, scores } =
        played("model:m", Some(&judge), &mut oracle(), &Options::new(), Mode::MultiTurn);
    assert_eq!(rulings(&trace), ["covers 1: yes (1)", "covers 2: no (1)", "follows 2: yes (1)", "covers 2: yes (1)"]);
    assert_eq!(trace, replayed);
    assert_eq!(scores.value("sr_pass1"), Some(1.0));
    let fluency = &asked.lock().unwrap()[2][1]["content"];
    assert!(!fluency.as_str().unwrap().contains("Extend it."), "who judges a query never sees the recorded reply");
}

#[test]
fn a_verdict_that_cannot_be_read_is_asked_for_again_and_then_scores_nothing() {
    let (judge, asked) = client(|_, _| words("It is Included, I think"));
    let Played { trace, replayed, scores } =
        played("model:m", Some(&judge), &mut oracle(), &Options::new(), Mode::MultiTurn);
    assert_eq!(rulings(&trace), ["covers 1: no verdict (3)"]);
    assert_eq!((asked.lock().unwrap().len(), trace == replayed), (3, true));
    assert_eq!(scores.metrics["sr_pass1"], Reading::new(None, "the judge gave no verdict"));
    assert_eq!(scores.findings().next().unwrap().code, "no_verdict");
}

#[test]
fn a_judge_that_cannot_be_reached_scores_nothing() {
    let (judge, _) = client(|_, _| None);
    let Played { trace, replayed, scores } =
        played("model:m", Some(&judge), &mut oracle(), &Options::new(), Mode::MultiTurn);
    assert_eq!((trace.end().unwrap().0, trace == replayed), (EndReason::UserUnreachable, true));
    assert_eq!(scores.metrics["atpr"], Reading::new(None, "the judge's provider could not be reached"));
}

#[test]
fn a_model_is_put_into_the_recorded_dialogue_and_its_provider_counts_its_tokens() {
    let (provider, asked) = client(|_, _| words("Extend it."));
    let mut agent = ChatAgent::new(provider, "m", "unit");
    let Played { trace, replayed, scores } = played(FACTS, None, &mut agent, &Options::new(), Mode::SingleTurn(2));
    let asked = asked.lock().unwrap();
    let said: Vec<(&str, &Value)> =
        asked[0][1..].iter().map(|message| (message["role"].as_str().unwrap(), &message["content"])).collect();
    assert_eq!(
        said,
        [
            ("user", &json!("Hello")),
            ("assistant", &json!("Good day")),
            ("user", &json!("Is disk d-1 full?")),
            ("assistant", &json!(null)),
            ("tool", &json!("{\"used\":\"91 %\"}")),
            ("assistant", &json!("It is 91 % full.")),
            ("user", &json!("I see.")),
            ("assistant", &json!("Gladly.")),
            ("user", &json!("What now?")),
        ]
    );
    assert_eq!(trace, replayed);
    assert_eq!(
        (scores.value("rr"), scores.value("stl"), scores.tag("token_source")),
        (Some(1.0), Some(40.0), Some("provider"))
    );
}

#[test]
fn what_was_taken_back_is_not_in_the_second_attempts_history() {
    let (provider, asked) = client(|before, _| match before {
        0 => words("Could you tell me more?"),
        1 => {
            let call = json!({"name": "look", "arguments": "{\"disk\":\"d-1\"}"});
            Some(
                json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": call}]}),
            )
        }
        2 => words("It is 91 % full."),
        _ => words("Extend it."),
    });
    let options = Options::from([("attempts".to_owned(), "2".to_owned())]);
    let mut agent = ChatAgent::new(provider, "m", "unit");
    let Played { trace, replayed, scores } = played(FACTS, None, &mut agent, &options, Mode::MultiTurn);
    assert_eq!((scores.value("sr_pass1"), scores.value("sr_pass2"), trace == replayed), (Some(0.0), Some(1.0), true));
    // The question is gone; what was said between the checkpoints is there.
    let last: Vec<String> =
        asked.lock().unwrap().last().unwrap()[1..].iter().map(|message| message["role"].to_string()).collect();
    assert_eq!(last.len(), 9, "{last:?}");
}
