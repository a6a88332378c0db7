//! Scoring: how many episodes of the suite are scored a second, beside replaying their calls alone.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{ROUNDS, median, per_second};
use probity_behaviour::episode::heuristic::HeuristicAgent;
use probity_behaviour::episode::play::{self, play_scripted};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::episode::Scorer;
use probity_behaviour::score::honesty::Grounds;
use probity_behaviour::score::replayed::Replayed;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::run::replay::TOGETHER;
use probity_bench::{Agent, Trace};
use probity_engine::recall::within;

const TIMES: u32 = 4;

type Episode<'a> = (&'a Scorer<Arc<Task>>, Trace);

/// Episodes a second on one core: of each task instance one by the oracle, and one by an agent that makes mistakes.
pub(super) fn measure(suite: &Suite) -> Value {
    let grounds = Grounds::default();
    let scorer = |task: &Arc<Task>| Scorer::of_suite(Arc::clone(task), &grounds);
    let scorers: Vec<Scorer<Arc<Task>>> = suite.tasks.values().map(|loaded| scorer(&loaded.task)).collect();
    let episodes: Vec<Episode> =
        scorers.iter().flat_map(|scorer| traces(scorer.task()).into_iter().map(move |trace| (scorer, trace))).collect();
    if episodes.is_empty() {
        return Value::Null;
    }
    let count = u32::try_from(episodes.len()).unwrap_or(u32::MAX).saturating_mul(TIMES);
    let all = |is_done: fn(&Episode) -> bool| {
        let some = |some: &[Episode]| within(|| some.iter().filter(|episode| is_done(episode)).count());
        (0..TIMES).map(|_| episodes.chunks(TOGETHER).map(some).sum::<usize>()).sum()
    };
    let (mut scored, mut replayed) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        scored.push(per_second(count, || all(|(scorer, trace)| scorer.score_trace(trace).is_some())));
        replayed.push(per_second(count, || all(|(scorer, trace)| Replayed::new(scorer.task(), trace).is_some())));
    }
    let calls: usize = episodes.iter().map(|(_, trace)| trace.steps().count()).sum();
    json!({
        "episodes": episodes.len(),
        "calls": calls,
        "episodes_per_second": median(scored),
        "baseline_episodes_per_second": median(replayed),
    })
}

fn traces(task: &Task) -> Vec<Trace> {
    let of = |variant: Variant| {
        let played = |agent: &mut dyn Agent| Some(play_scripted(task, variant, 0, agent)?.trace);
        let heuristic = played(&mut HeuristicAgent::default());
        play::agent(task, variant).and_then(|mut agent| played(&mut agent)).into_iter().chain(heuristic)
    };
    task.variants().keys().flat_map(|variant| of(*variant)).collect()
}
