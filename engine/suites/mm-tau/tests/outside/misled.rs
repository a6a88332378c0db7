//! Agents that misstate what they do, do it unasked, or do it for nobody in particular: no measure takes their word.
//! `misled.json` has the conversations; what is said there is a text, and a call the arguments of its tool.

use std::collections::BTreeMap;

use probity_bench::{Agent, AgentFault, AgentMessage, Heard, Instance, Options, Trace};
use probity_engine::ToolCall;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::benchmark;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    scenes: BTreeMap<String, Scene>,
    conversations: Vec<Conversation>,
}

/// What is said and done before the words of a conversation, and after them.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scene {
    task: String,
    before: Vec<Value>,
    after: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Conversation {
    of: String,
    scene: Option<String>,
    /// Where there is no scene.
    task: Option<String>,
    says: Vec<Value>,
    #[serde(default)]
    metrics: BTreeMap<String, f64>,
    /// What the counts of the trace hold.
    #[serde(default)]
    counts: Map<String, Value>,
    /// What a finding says.
    finds: Option<String>,
    /// How nothing that the user says begins.
    never: Option<String>,
    /// What the user says to the first words.
    #[serde(default)]
    answer: Answer,
}

/// Words that are there or not; after `^` those that it begins with.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Answer {
    has: Vec<String>,
    lacks: Vec<String>,
}

/// An agent that does some things in turn, and says goodbye for ever after.
struct Scripted(std::vec::IntoIter<Value>);

impl Agent for Scripted {
    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(match self.0.next() {
            Some(Value::Object(call)) => {
                let (tool, arguments) = call.into_iter().next().unwrap();
                AgentMessage::call(ToolCall::new(&tool, arguments))
            }
            said => AgentMessage::reply(
                said.as_ref().and_then(Value::as_str).unwrap_or("Is there anything else I can do for you?"),
            ),
        })
    }
}

fn played(task: &str, turns: Vec<Value>) -> (Instance, Trace) {
    let levels = [("channel", "text"), ("persona", "none"), ("exposure", "p0")];
    let is_it =
        |at: &Instance| at.task == task && levels.iter().all(|(factor, level)| at.setting.get(factor) == Some(*level));
    let at = benchmark().instances().into_iter().find(is_it).unwrap_or_else(|| unreachable!("{task}"));
    let trace = crate::play(&at, &mut Scripted(turns.into_iter()), &Options::new());
    (at, trace)
}

fn is_in(words: &str, said: &str) -> bool {
    words.strip_prefix('^').map_or_else(|| said.contains(words), |start| said.starts_with(start))
}

#[test]
fn no_measure_takes_the_word_of_an_agent() {
    let table: Table = serde_json::from_str(include_str!("misled.json")).unwrap();
    assert_eq!(table.conversations.len(), 70);
    for Conversation { of, scene, task, says, metrics, counts, finds, never, answer } in table.conversations {
        let scene = scene.map_or_else(Scene::default, |name| table.scenes[&name].clone());
        let task = task.unwrap_or(scene.task);
        let words = format!("{of}: {says:?}");
        let (at, trace) = played(&task, [scene.before, says, scene.after].concat());
        let scores = benchmark().score(&at, &trace.clone().into()).unwrap();
        let heard: Vec<&str> = trace.heard().map(|(_, text)| text).collect();
        let told = format!("{words}\n{heard:#?}\n{:?}", scores.found);
        for (name, value) in metrics {
            assert_eq!(scores.metrics[&name].value(), Some(value), "{name} of {told}");
        }
        for (name, count) in counts {
            assert_eq!(scores.details["counts"][&name], count, "{name} of {told}");
        }
        assert!(finds.is_none_or(|text| scores.findings().any(|finding| finding.text.contains(&text))), "{told}");
        assert!(!never.is_some_and(|start| heard.iter().any(|said| said.starts_with(&start))), "{told}");
        assert!(answer.has.iter().all(|words| is_in(words, heard[1])), "{told}");
        assert!(!answer.lacks.iter().any(|words| is_in(words, heard[1])), "{told}");
    }
}
