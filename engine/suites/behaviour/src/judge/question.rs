//! What a judge is asked of an episode: the document that it reads, and how its reply is read.

use serde_json::{Value, json};

use super::grades::{self, Grades};
use super::judgement::{EpisodeCard, Judged};
use super::prompt::{ReplyForm, Wording};
use super::sentences::asked::AskedSentences;
use super::sentences::judged;
use crate::model::variant::Variant;
use crate::task::{OracleCall, Outcome, Task};
use probity_bench::{Event, Finding, Step, Trace};
use probity_engine::{Actor, PolicyEntry, ToolFile};

/// An episode that judges are asked about.
#[derive(Clone)]
pub struct Subject<'a> {
    pub episode: EpisodeCard,
    pub task: &'a Task,
    pub trace: &'a Trace,
    /// Its reading list; of no account for who grades it whole.
    pub listed: &'a [Finding],
}

pub struct JudgeQuestion {
    wording: Wording,
    document: Value,
    /// What it is about, where it asks for verdicts on sentences.
    asked: Option<AskedSentences>,
}

impl JudgeQuestion {
    pub fn of(subject: &Subject, wording: Wording) -> JudgeQuestion {
        let Subject { task, trace, listed, .. } = subject;
        let asked = (wording.reply() == ReplyForm::Sentences).then(|| AskedSentences::of(task, trace, listed));
        let is_to_point = wording.reply() == ReplyForm::Statements;
        let document = asked.as_ref().map_or_else(|| document(task, trace, is_to_point), AskedSentences::document);
        JudgeQuestion { wording, document, asked }
    }

    /// Whether there is nothing to ask about.
    pub fn is_empty(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.sentences.is_empty())
    }

    pub fn messages(&self) -> Vec<Value> {
        self.wording.messages(&self.document)
    }

    /// How many characters its messages have.
    pub fn characters(&self) -> usize {
        let content = |message: &Value| message.get("content")?.as_str().map(|text| text.chars().count());
        self.messages().iter().filter_map(content).sum()
    }

    /// Reads a reply as it was asked for.
    /// An error: why it is no judgement; nothing in it is mended.
    pub fn read(&self, text: &str) -> Result<Judged, String> {
        match (&self.asked, self.wording.reply()) {
            (Some(asked), _) => Ok(Judged::Sentences { sentences: judged::read(text, asked)? }),
            (None, ReplyForm::Statements) => {
                let (grades, pointed) = grades::read_pointed(text)?;
                Ok(Judged::Graded { grades, pointed: Some(pointed) })
            }
            (None, ReplyForm::Grades | ReplyForm::Sentences) => {
                Ok(Judged::Graded { grades: Grades::read(text)?, pointed: None })
            }
        }
    }
}

pub fn document(task: &Task, trace: &Trace, is_to_point: bool) -> Value {
    json!({
        "task": wanted(task, Variant::of(&trace.header.levels)),
        "environment": environment(task),
        "dialogue": trace.events.iter().filter_map(|one| event(one, is_to_point)).collect::<Vec<_>>(),
    })
}

fn wanted(task: &Task, variant: Option<Variant>) -> Value {
    let file = task.file();
    let facts: serde_json::Map<String, Value> =
        file.facts.iter().map(|(name, fact)| (name.clone(), fact.value.clone())).collect();
    let behaviour = variant.and_then(|variant| task.behaviour(variant));
    let accepted = behaviour.map(|behaviour| behaviour.accept.as_slice()).unwrap_or_default();
    let outcomes = accepted.iter().filter_map(|at| Some(outcome(task.outcomes().get(*at)?, file.outcomes.get(*at)?)));
    let mut wanted = json!({
        "id": task.id(),
        "difficulty": task.difficulty(),
        "goal": variant.map_or(file.goal.as_str(), |variant| task.goal(variant)),
        "user_knows": facts,
        "user_behaves": variant,
        "accepted_outcomes": outcomes.collect::<Vec<_>>(),
        "constraints": file.constraints,
    });
    if let (Some(map), Some(behaviour)) =
        (wanted.as_object_mut(), variant.and_then(|variant| file.variants.get(&variant)))
    {
        let known = [
            ("withheld_at_first", json!(behaviour.withheld)),
            ("does_not_exist", json!(behaviour.planted)),
            ("contradicts_itself", json!(behaviour.contradicts)),
            ("says_yes_to", json!(behaviour.consents)),
        ];
        let told = known.into_iter().filter(|(_, value)| *value != json!([]) && *value != json!({}));
        map.extend(told.map(|(name, value)| (name.to_owned(), value)));
    }
    wanted
}

fn outcome(outcome: &Outcome, file: &crate::model::task_file::OutcomeFile) -> Value {
    let call = |call: &OracleCall| json!({"tool": call.tool, "arguments": call.arguments});
    json!({
        "calls": outcome.oracle.iter().map(call).collect::<Vec<_>>(),
        "becomes_true": file.achieves,
        "stays_true": file.preserves,
        "forbidden": file.forbidden,
        "must_be_said": file.must_say,
    })
}

fn environment(task: &Task) -> Value {
    let file = task.environment().file();
    let tool = |tool: &ToolFile| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "effect": tool.effect,
            "parameters": tool.parameters,
            "refuses": tool.preconditions.iter().map(|refusal| &refusal.message).collect::<Vec<_>>(),
            "irreversible": tool.irreversible,
            "needs_a_yes": tool.confirm,
        })
    };
    json!({
        "title": file.title,
        "summary": file.summary,
        "now": file.clock,
        "rules": file.policy.iter().map(PolicyEntry::text).collect::<Vec<_>>(),
        "constraints": file.constraints,
        "tools": file.tools.iter().filter(|tool| tool.actor == Actor::Agent).map(tool).collect::<Vec<_>>(),
    })
}

/// An event as the two parties knew it; what only the engine and the rules know is left out. Who is to point at
/// messages and calls is given their numbers.
fn event(event: &Event, is_to_point: bool) -> Option<Value> {
    Some(match (event, is_to_point) {
        (Event::User { text, .. }, _) => json!({"user": text}),
        (Event::Reply { text, .. }, false) => json!({"agent": text}),
        (Event::Reply { text, message, .. }, true) => json!({"agent": text, "message": message}),
        (Event::Step(step), false) => called(step),
        (Event::Step(step), true) => numbered(called(step), step),
        (Event::Finding(_) | Event::Note(_), _) => return None,
        (Event::End { reason, .. }, _) => json!({"end": reason}),
    })
}

fn called(step: &Step) -> Value {
    let key = if step.is_ok() { "returned" } else { "refused" };
    json!({"call": step.tool, "arguments": step.arguments, "message": step.message, key: step.shown()})
}

fn numbered(mut called: Value, step: &Step) -> Value {
    if let Some(called) = called.as_object_mut() {
        called.insert("step".to_owned(), json!(step.step));
    }
    called
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::play::{Plan, PlanAgent};
    use crate::episode::play::{Setting, play};
    use crate::episode::user::ScriptedUser;
    use crate::suite::Suite;
    use probity_bench::Limits;

    #[test]
    fn every_episode_of_the_suite_is_shown_without_who_played_it() {
        let suite = Suite::load(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."));
        for loaded in suite.tasks.values() {
            let task = &loaded.task;
            for (variant, behaviour) in task.variants() {
                let setting = Setting { task, variant: *variant, seed: 0, limits: Limits::default(), user: "scripted" };
                let mut agent = PlanAgent::new(Plan::of_oracle(task, *variant).unwrap());
                let trace = play(setting, &mut agent, ScriptedUser::new(behaviour.turns.clone()));
                let document = document(task, &trace, false);
                assert!(document["task"]["accepted_outcomes"].as_array().is_some_and(|all| !all.is_empty()));
                let shown = document["dialogue"].as_array().unwrap();
                assert_eq!(shown.iter().filter(|event| event.get("call").is_some()).count(), trace.steps().count());
                assert!(!document.to_string().contains("state_hash"));
            }
        }
    }
}
