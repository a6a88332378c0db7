//! Wire forms against the mock: the same words and calls through each, and every misbehaviour the right one's fault;
//! `cases/sessions/forms.sh` has runs.

use std::sync::Arc;

use probity_behaviour::benchmark::record;
use probity_behaviour::episode::play::play_scripted;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::Task;
use probity_bench::{ApiKey, ChatAgent, Client, EndReason, Form, Http, ProviderConfig, Stop, ToolMode, Trace};
use probity_local::mock::mode::{Expected, MODES, Mode};

use crate::support::mock::{Mock, mode};
use crate::support::{sr, suite};

/// The first of all tasks.
fn task() -> &'static Task {
    &suite().tasks.values().next().unwrap().task
}

/// An episode of an agent behind the mock.
fn episode(form: Form, url: &str, tool_mode: ToolMode) -> Trace {
    let config =
        ProviderConfig { form, tool_mode, attempts: 2, retry_wait_ms: 1, timeout: 1, ..ProviderConfig::at(url) };
    let stop: Stop = Arc::new(|| false);
    let http = Http::new(&config, ApiKey::new("sk-not-to-be-told").ok(), Arc::clone(&stop));
    let mut agent = ChatAgent::new(Arc::new(Client::new(config, Box::new(http), stop)), "mock", "unit");
    play_scripted(task(), Variant::Ideal, 0, &mut agent).unwrap().trace
}

/// The episodes of all forms in one mode.
fn episodes(mode: &'static Mode, tool_mode: ToolMode) -> Vec<(Form, Trace)> {
    let mock = Mock::start(mode);
    let url = mock.url.as_str();
    std::thread::scope(|scope| {
        let played: Vec<_> =
            Form::all().map(|form| (form, scope.spawn(move || episode(form, url, tool_mode)))).collect();
        played.into_iter().map(|(form, trace)| (form, trace.join().unwrap())).collect()
    })
}

#[test]
fn every_misbehaviour_in_every_form_is_the_right_ones_fault() {
    let mut wrong = Vec::new();
    for mode in MODES.iter() {
        let played = episodes(mode, ToolMode::Native);
        let first = played[0].1.digest();
        for (form, trace) in played {
            let digest = trace.digest();
            let (end, detail) = trace.end().map(|(end, detail)| (end, format!("{detail:?}"))).unwrap();
            let has_stumbled = serde_json::to_string(&trace).unwrap().contains("\"rejected\"");
            let record = serde_json::to_value(record("model", 0, task(), trace.into()).unwrap()).unwrap();
            let is_right = match mode.expected {
                Expected::Works | Expected::Stumbles => {
                    let is_said_alike = digest == first;
                    end == EndReason::Completed && sr(&record) == "pass" && is_said_alike
                }
                Expected::Fails => end != EndReason::ProviderUnreachable && sr(&record) == "fail",
                Expected::Unreachable => end == EndReason::ProviderUnreachable && sr(&record) == "not_scored",
            };
            if !is_right || has_stumbled != (mode.expected == Expected::Stumbles) {
                wrong.push(format!("{} {form}: {end:?} {} {detail} {has_stumbled}", mode.name, sr(&record)));
            }
            assert!(!record.to_string().contains("sk-not-to-be-told"), "{} {form}", mode.name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn models_without_tool_calls_write_blocks_in_every_form() {
    let played = episodes(mode("plain"), ToolMode::Prompt);
    assert!(played.iter().all(|(_, trace)| trace.digest() == played[0].1.digest()), "{played:?}");
    assert_eq!(played[0].1.end().unwrap().0, EndReason::Completed);
}
