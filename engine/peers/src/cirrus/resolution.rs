//! Vectors of whole resolutions: an agent and verdicts from tables.

use std::sync::Arc;

use serde_json::{Value, json};

use super::recording::{bit, calls, records};
use probity_tickets::judge::Verdict;
use probity_tickets::recording::RecordedCall;
use probity_tickets::resolution::{Attempt, Course, Exchange, Figures, Goal, Judge, Next, Policy, Rules, Session};

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
        let said = course.behind().iter().take(behind);
        let said = said.flat_map(|exchange| [query(exchange.checkpoint), Value::from(exchange.reply.clone())]);
        before.into_iter().chain(said).collect()
    };
    let session = |session: &Session| {
        let context: Vec<Value> = history(session.behind).into_iter().chain([query(session.checkpoint)]).collect();
        let marks = session.marks;
        json!({
            "checkpoint": session.checkpoint, "attempts": session.attempts, "accepted": session.accepted,
            "context": context, "reply": session.last.reply, "stl": session.last.tokens,
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
        "termination": course.end(), "sessions": course.sessions().iter().map(session).collect::<Vec<_>>(),
        "fluency_calls": asked.iter().map(fluency).collect::<Vec<_>>(), "agent_calls": made,
        "evaluator_calls": course.judged(), "final_history": history(course.behind().len()),
        "checkpoint_status": course.standing(), "pass_at_1": figures.pass_at_1, "pass_at_2": figures.pass_at_2,
    })
}
