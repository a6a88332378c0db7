//! What an agent is told of who calls, as the call shows it (p2).

use probity_bench::{
    Agent, AgentFault, AgentMessage, AgentName, Brief, Context, Event, Heard, Instance, Levels, Note, Options,
};

use crate::benchmark;

/// An agent that answers questions beside the dialogue, and keeps what it is told.
struct Thoughtful {
    inner: Box<dyn Agent>,
    answer: Option<&'static str>,
    told: Vec<String>,
    asked: Vec<String>,
}

impl Agent for Thoughtful {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        self.inner.start(brief)
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        self.inner.respond(heard)
    }

    fn reflect(&mut self, question: &str) -> Result<Option<String>, AgentFault> {
        self.asked.push(question.to_owned());
        Ok(self.answer.map(str::to_owned))
    }

    fn learn(&mut self, context: &str) {
        self.told.push(context.to_owned());
    }
}

/// The contexts of an episode by an agent with such an answer, and whether it plays again as it was.
fn contexts(answer: Option<&'static str>, exposure: &str) -> (Vec<Context>, Thoughtful) {
    let benchmark = benchmark();
    let levels = Levels::from_iter([("channel", "text"), ("persona", "hard"), ("exposure", exposure)]);
    let fits = |at: &Instance| at.setting == levels && at.properties.get("ends") == Some("repair");
    let at = benchmark.instances().into_iter().find(fits).unwrap();
    let options = Options::new();
    let inner = benchmark.agent(&AgentName::Oracle, &at, 1).unwrap();
    let mut agent = Thoughtful { inner, answer, told: Vec::new(), asked: Vec::new() };
    let trace = crate::play(&at, &mut agent, &options);
    assert_eq!(benchmark.replay(&at, &crate::setting(&options), &trace).unwrap().trace, trace);
    assert_eq!(benchmark.score(&at, &trace.clone().into()).unwrap().value("sr"), Some(1.0));
    let mut spoken = 0;
    let mut contexts = Vec::new();
    for event in &trace.events {
        match event {
            Event::User { .. } => spoken += 1,
            Event::Note(Note::Context(context)) => {
                assert_eq!(spoken % 3, 0, "it is told with every third message of the user");
                contexts.push(context.clone());
            }
            _ => {}
        }
    }
    assert!(exposure != "p2" || contexts.len() >= spoken / 3 - 1 && !contexts.is_empty());
    (contexts, agent)
}

#[test]
fn an_agent_that_answers_is_told_its_own_profile() {
    let (contexts, agent) = contexts(Some("{\"age\": 64, \"gender\": \"N/A\"}"), "p2");
    assert!(contexts.iter().all(|context| context.text.ends_with("{\"age\":64}") && context.answer.is_some()));
    assert_eq!(contexts.iter().map(|context| context.text.clone()).collect::<Vec<_>>(), agent.told);
    assert!(agent.asked.iter().all(|question| question.lines().filter(|line| line.contains(": ")).count() <= 17));
}

#[test]
fn an_agent_that_does_not_answer_is_told_a_profile_by_rule() {
    let (contexts, _) = contexts(None, "p2");
    assert!(contexts.iter().all(|context| context.answer.is_none() && context.text.contains("\"frustration_level\":")));
}

#[test]
fn elsewhere_nobody_is_asked_and_nothing_is_told() {
    for exposure in ["p0", "p1"] {
        let (contexts, agent) = contexts(Some("{}"), exposure);
        assert!(contexts.is_empty() && agent.asked.is_empty() && agent.told.is_empty());
    }
}
