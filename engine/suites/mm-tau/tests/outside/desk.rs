//! The desk tasks: what they are, and what agents of known care make of them.

use probity_bench::{Agent, AgentFault, AgentMessage, AgentName, Benchmark, Event, Heard, Instance, Options, Trace};
use proptest::prelude::*;

use crate::benchmark;

/// Desk instances of some levels.
fn instances(benchmark: &dyn Benchmark, channel: &str, persona: &str) -> Vec<Instance> {
    let is_wanted = |at: &Instance| {
        at.setting.get("channel") == Some(channel)
            && at.setting.get("persona") == Some(persona)
            && at.setting.get("exposure") == Some("p0")
            && at.properties.get("domain") != Some("telecom")
    };
    benchmark.instances().into_iter().filter(is_wanted).collect()
}

fn play(benchmark: &dyn Benchmark, at: &Instance, agent: &AgentName, options: &Options) -> Trace {
    crate::play(at, benchmark.agent(agent, at, 7).unwrap().as_mut(), options)
}

/// What was said and done, a line each.
fn talk(trace: &Trace) -> String {
    let line = |event: &Event| match event {
        Event::User { text, .. } => Some(format!("  user: {text}\n")),
        Event::Reply { text, .. } => Some(format!("  agent: {text}\n")),
        Event::Step(step) => Some(format!("  {} {} -> {:?}\n", step.tool, step.arguments, step.is_ok())),
        _ => None,
    };
    trace.events.iter().filter_map(line).collect()
}

fn value(benchmark: &dyn Benchmark, at: &Instance, trace: &Trace, metric: &str) -> Option<f64> {
    benchmark.score(at, &trace.clone().into()).unwrap().metrics[metric].value()
}

#[test]
fn the_oracle_serves_every_user_in_text() {
    let benchmark = benchmark();
    let mut failed = Vec::new();
    for persona in ["none", "easy", "hard"] {
        for at in instances(benchmark, "text", persona) {
            let trace = play(benchmark, &at, &AgentName::Oracle, &Options::new());
            let scores = benchmark.score(&at, &trace.clone().into()).unwrap();
            let right = scores.metrics["sr"].value() == Some(1.0)
                && scores.metrics["ias"].value().is_none_or(|ias| ias == 1.0)
                && scores.metrics["cfa"].value() == Some(1.0);
            if !right {
                failed.push(format!(
                    "{} {persona}: {:?} {:?}\n{}",
                    at.task,
                    scores.found,
                    scores.details,
                    talk(&trace)
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{} failed\n{}", failed.len(), failed.join("\n"));
}

/// The sums of a metric's two sides over all desk tasks.
fn pooled(benchmark: &dyn Benchmark, agent: &AgentName, channel: &str, options: &Options, metric: &str) -> f64 {
    let all = instances(benchmark, channel, "none");
    let readings = all.iter().filter_map(|at| value(benchmark, at, &play(benchmark, at, agent, options), metric));
    let values: Vec<f64> = readings.collect();
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn known_agents_have_the_numbers_they_must() {
    let benchmark = benchmark();
    let of = |agent: &str, metric: &str| pooled(benchmark, &agent.parse().unwrap(), "text", &Options::new(), metric);
    assert_eq!((of("oracle", "sr"), of("oracle", "ias"), of("oracle", "te")), (1.0, 1.0, 1.0));
    assert_eq!((of("oracle", "safety_precision"), of("oracle", "safety_recall")), (1.0, 1.0));
    assert_eq!(of("reckless", "ias"), 0.0);
    assert_eq!(of("fault:premature_transfer", "sr"), 0.0);
    assert_eq!(of("fault:wrong_number", "sr"), 0.0, "who does nothing has refused nothing");
    assert!(of("fault:wrong_number", "cfa") < of("oracle", "cfa"));
    let never = AgentName::Fault("never_transfers".to_owned());
    for at in instances(benchmark, "text", "none") {
        let trace = play(benchmark, &at, &never, &Options::new());
        let expected = if at.properties.get("ends") == Some("transfer") { 0.0 } else { 1.0 };
        assert_eq!(value(benchmark, &at, &trace, "sr"), Some(expected), "{}\n{}", at.task, talk(&trace));
    }
}

#[test]
fn noise_never_raises_what_was_taken_right() {
    let benchmark = benchmark();
    for agent in [AgentName::Oracle, AgentName::Own("reckless".to_owned())] {
        let levels = ["off", "mild", "strong"].map(|noise| {
            let options = Options::from([("noise".to_owned(), noise.to_owned())]);
            pooled(benchmark, &agent, "voice", &options, "cfa")
        });
        eprintln!("{agent}: cfa off, mild, strong {levels:?}");
        assert!(levels[0] >= levels[1] && levels[1] >= levels[2], "{agent}: {levels:?}");
        assert_eq!(levels[0], 1.0, "a line without noise loses nothing");
    }
}

#[test]
fn an_episode_is_replayed_to_the_byte() {
    let benchmark = benchmark();
    let options = Options::from([("noise".to_owned(), "strong".to_owned())]);
    for at in instances(benchmark, "voice", "hard").iter().step_by(4) {
        let trace = play(benchmark, at, &AgentName::Oracle, &options);
        let again = benchmark.replay(at, &crate::setting(&options), &trace).unwrap().trace;
        assert_eq!(serde_json::to_string(&trace).unwrap(), serde_json::to_string(&again).unwrap());
    }
}

const SOUP: &str = "(shall i|cancel|refund|order|#W1023988|#W1023989|is that right|\\?|\\.|,|unfortunately|cannot|done|\\$5|email|@|ivo|anything else|ü|😀| |\n){0,40}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_words_are_answered_and_come_to_an_end(texts in proptest::collection::vec(SOUP, 1..4), any in "(?s).{0,80}") {
        let benchmark = benchmark();
        let texts: Vec<String> = texts.into_iter().chain([any]).collect();
        for at in instances(benchmark, "text", "hard").iter().step_by(9) {
            let trace = crate::play(at, &mut Parrot { texts: texts.clone(), at: 0 }, &Options::new());
            prop_assert!(trace.events.len() < 200);
            prop_assert!(benchmark.score(at, &trace.clone().into()).is_some());
        }
    }
}

/// An agent that says some texts in turn.
struct Parrot {
    texts: Vec<String>,
    at: usize,
}

impl Agent for Parrot {
    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        self.at += 1;
        let text = format!("{}.", self.texts[self.at % self.texts.len()]);
        Ok(AgentMessage { text: Some(text), ..AgentMessage::default() })
    }
}
