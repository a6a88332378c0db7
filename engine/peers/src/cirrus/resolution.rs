//! Vectors of whole resolutions, an agent and verdicts from tables; of recorded tools: marks of calls, and replays.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use probity_engine::ToolCall;
use probity_tickets::judge::Verdict;
use probity_tickets::recording::{Hits, Matching, Pick, RecordedCall, Replay};
use probity_tickets::resolution::{
    Attempt, Course, Exchange, Figures, Goal, Judge, Next, Policy, Rules, Session, Tried,
};

struct Checkpoint {
    query: Value,
    calls: Vec<RecordedCall>,
}

impl Goal for Checkpoint {
    fn calls(&self) -> &[RecordedCall] {
        &self.calls
    }
}

struct Table<'a> {
    input: &'a Value,
    /// Where the reply that is judged stands in the agent's table.
    at: (usize, usize),
    asked: Vec<(usize, usize, bool)>,
}

impl Table<'_> {
    fn played(&self) -> Option<&Value> {
        self.input.get("agent")?.get(self.at.0)?.get(self.at.1)
    }
}

impl Judge for Table<'_> {
    fn covers(&mut self, _reply: &str, checkpoint: usize, _behind: &[Exchange]) -> Verdict {
        match self.played().and_then(|played| played.get("rr")?.get(checkpoint - 1)?.as_u64()) {
            Some(1) => Verdict::Yes,
            Some(_) => Verdict::No,
            None => Verdict::Error,
        }
    }

    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict {
        let from = behind.last().map_or(0, |exchange| exchange.checkpoint);
        let name = format!("{from}->{checkpoint}");
        let is_fluent = self.input.get("fluency").and_then(|table| table.get(name)?.as_bool());
        self.asked.push((behind.len(), checkpoint, is_fluent.unwrap_or(false)));
        match is_fluent {
            Some(true) => Verdict::Yes,
            Some(false) => Verdict::No,
            None => Verdict::Error,
        }
    }
}

pub fn answer(input: &Value) -> Option<Value> {
    let checkpoint = |checkpoint: &Value| {
        Some(Checkpoint { query: checkpoint.get("query")?.clone(), calls: records(checkpoint.get("calls")?)? })
    };
    let goals: Arc<[Checkpoint]> =
        input.get("checkpoints")?.as_array()?.iter().map(checkpoint).collect::<Option<_>>()?;
    let policy: Policy = serde_json::from_value(input.get("policy")?.clone()).ok()?;
    let attempts = u32::try_from(input.get("max_attempts")?.as_u64()?).ok()?;
    let mut course = Course::new(&goals, Rules { policy, attempts, ..Rules::default() });
    let mut table = Table { input, at: (0, 0), asked: Vec::new() };
    let mut made = 0;
    loop {
        made += 1;
        let attempt = attempt(table.played()?)?;
        match course.take(attempt, &mut table) {
            Next::Ask(checkpoint) => table.at = (checkpoint - 1, 0),
            Next::Again(_) => table.at.1 += 1,
            Next::Over(_) => return Some(told(input, &goals, &course, &table.asked, made)),
        }
    }
}

fn attempt(played: &Value) -> Option<Attempt> {
    let tokens = played.get("output_tokens")?.as_array()?.iter().map(Value::as_u64);
    let tokens = tokens.into_iter().try_fold(0_u64, |all, own| all.checked_add(own?));
    let reply = played.get("reply").and_then(Value::as_str).map(str::to_owned);
    Some(Attempt { reply, calls: calls(played.get("calls")?)?, tokens })
}

fn told(
    input: &Value,
    goals: &[Checkpoint],
    course: &Course<Checkpoint>,
    asked: &[(usize, usize, bool)],
    made: u32,
) -> Value {
    let query = |checkpoint: usize| goals.get(checkpoint - 1).map(|goal| goal.query.clone()).unwrap_or_default();
    let history = |behind: usize| -> Vec<Value> {
        let before = input.get("history").and_then(Value::as_array).cloned().unwrap_or_default();
        let said = course.behind.iter().take(behind);
        let said = said.flat_map(|exchange| [query(exchange.checkpoint), Value::from(exchange.reply.clone())]);
        before.into_iter().chain(said).collect()
    };
    let session = |session: &Session| {
        let context: Vec<Value> = history(session.behind).into_iter().chain([query(session.checkpoint)]).collect();
        let Tried { attempt, marks, accepted } = &session.last;
        json!({
            "checkpoint": session.checkpoint, "attempts": session.earlier.len() + 1, "accepted": accepted,
            "context": context, "reply": attempt.reply, "stl": attempt.tokens,
            "rr": match marks.rr { Verdict::Yes => json!(1), Verdict::No => json!(0), Verdict::Error => Value::Null },
            "tia": bit(marks.coverage.tia), "tsa": marks.coverage.tsa.map(bit), "tev": marks.coverage.tev.map(bit),
            "next": session.next,
        })
    };
    let fluency = |(behind, checkpoint, is_fluent): &(usize, usize, bool)| json!({"history": history(*behind), "query": query(*checkpoint), "fluent": is_fluent});
    let figures = Figures::of(course);
    json!({
        "k": figures.covered, "suc_resp": figures.accepted, "lj": figures.lj, "nei": figures.nei, "tpr": figures.tpr,
        "mtl": figures.mtl, "mtl_per_response": figures.mtl_per_response, "mtl_alg1": figures.mtl_alg1,
        "termination": course.end, "sessions": course.sessions.iter().map(session).collect::<Vec<_>>(),
        "fluency_calls": asked.iter().map(fluency).collect::<Vec<_>>(), "agent_calls": made,
        "evaluator_calls": course.judged, "final_history": history(course.behind.len()),
        "checkpoint_status": course.standing, "pass_at_1": figures.pass_at_1, "pass_at_2": figures.pass_at_2,
    })
}

/// Calls as vectors have them: arguments as an object, or as a model's text.
pub fn calls(list: &Value) -> Option<Vec<ToolCall>> {
    let call = |call: &Value| Some(ToolCall::new(call.get("name")?.as_str()?, call.get("arguments")?.clone()));
    list.as_array()?.iter().map(call).collect()
}

/// Recorded calls; the name of their tool stands under one key or the other.
pub fn records(list: &Value) -> Option<Vec<RecordedCall>> {
    let record = |record: &Value| {
        let tool = record.get("name").or_else(|| record.get("tool_name"))?.as_str()?.to_owned();
        let arguments = record.get("arguments")?.as_object()?.clone();
        Some(RecordedCall { tool, arguments, result: record.get("result").cloned().unwrap_or_default() })
    };
    list.as_array()?.iter().map(record).collect()
}

pub fn bit(mark: bool) -> u8 {
    u8::from(mark)
}

pub fn marks(input: &Value) -> Option<Value> {
    let (recorded, made) = (records(input.get("recorded")?)?, calls(input.get("predicted")?)?);
    let of = |matching: Matching| {
        let hits = Hits::count(&recorded, &made, matching);
        (hits, hits.coverage())
    };
    let (hits, exact) = of(Matching::Exact);
    let (subset_hits, subset) = of(Matching::Subset);
    Some(json!({
        "tia": bit(exact.tia), "tsa": exact.tsa.map(bit), "tev": exact.tev.map(bit),
        "recorded": hits.recorded, "predicted": hits.predicted, "name_hits": hits.name_hits,
        "exact_hits": hits.exact_hits, "unmatched_predicted": hits.unmatched_predicted,
        "invalid_arguments": hits.invalid_arguments,
        "subset": {
            "tia": bit(subset.tia), "tsa": subset.tsa.map(bit), "tev": subset.tev.map(bit),
            "exact_hits": subset_hits.exact_hits,
        },
    }))
}

pub fn replays(input: &Value) -> Option<Value> {
    let (records, calls) = (records(input.get("mocks")?)?, calls(input.get("calls")?)?);
    let most = u32::try_from(input.get("max_consecutive_misses")?.as_u64()?).ok()?;
    let ways = [("exact", Matching::Exact), ("subset", Matching::Subset)];
    let picks = [("first", Pick::First), ("sequence", Pick::Sequence)];
    let all = ways.into_iter().flat_map(|way| picks.map(|pick| (way, pick)));
    let replayed = all.map(|((way, matching), (name, pick))| {
        let mut replay = Replay::new(matching, pick);
        let mut answers = Vec::new();
        for call in &calls {
            let answer = replay.answer(&records, call);
            let result = answer.ok().and_then(|index| records.get(index)).map(|record| record.result.clone());
            answers.push(json!({
                "hit": answer.is_ok(), "mock": answer.ok(), "miss": answer.err(), "content": result,
            }));
            if replay.misses >= most {
                break;
            }
        }
        (format!("{way}/{name}"), json!({"calls": answers, "aborted": replay.misses >= most}))
    });
    Some(Value::Object(replayed.collect::<Map<String, Value>>()))
}
