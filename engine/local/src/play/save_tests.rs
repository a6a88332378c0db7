use serde_json::json;

use super::super::sample::{customer, shop, typed};
use super::*;
use probity_behaviour::benchmark::CARD;
use probity_bench::{EndReason, Event, Replayer};

fn benchmark(suite: &Arc<Suite>) -> Arc<dyn Benchmark> {
    Arc::new(BehaviourBenchmark::new(Arc::clone(suite)))
}

#[test]
fn a_saved_play_is_what_was_played_and_can_be_replayed() {
    let (suite, mut session) = shop();
    typed(&mut session, "find_items name=cup");
    typed(&mut session, "sell_item item_id=I001 count=1");
    typed(&mut session, "call nothing {}");
    let saved = saved(&session, &suite).unwrap();
    let steps: Vec<&Event> = session.events().collect();
    assert!(saved.record.trace.events.iter().take(steps.len()).eq(steps.iter().copied()));
    assert_eq!(saved.record.trace.final_state, session.state().hash());
    assert_ne!(saved.record.scores.value("sr"), Some(1.0));
    let again = Suite::from_files(saved.files.clone(), Vec::new());
    let units = Units::of(&benchmark(&Arc::new(again)), &saved.config).unwrap();
    assert_eq!(Replayer::new(&units, &CARD).replay(std::slice::from_ref(&saved.record)), Vec::new());
}

#[test]
fn a_dialogue_saved_before_its_end_has_failed_and_a_whole_one_is_scored() {
    let (suite, mut session) = customer(Variant::Ideal, 20);
    typed(&mut session, "find_items name=teapot");
    let unfinished = saved(&session, &suite).unwrap();
    assert_eq!(unfinished.record.trace.end(), Some((EndReason::AgentFailed, Some("the player left"))));
    typed(&mut session, "sell_item item_id=T1 count=2");
    typed(&mut session, "say I sold you two green teapots at 24.00 EUR each.");
    let whole = saved(&session, &suite).unwrap();
    assert_eq!(whole.record.scores.value("sr"), Some(1.0));
    assert!(whole.record.trace.events.iter().eq(session.events()));
    for saved in [unfinished, whole] {
        let units = Units::of(&benchmark(&suite), &saved.config).unwrap();
        assert_eq!(Replayer::new(&units, &CARD).replay(&[saved.record]), Vec::new());
    }
}

#[test]
fn a_draft_holds_what_was_done_and_asks_for_the_rest() {
    let (suite, mut session) = shop();
    typed(&mut session, "find_items name=cup");
    typed(&mut session, "sell_item item_id=nobody count=1");
    typed(&mut session, "sell_item item_id=I001 count=1");
    let file = draft::draft(&session, "shop/counter/sold");
    let base = &file.outcomes[0];
    assert_eq!((base.budget, base.oracle.len()), (2, 2));
    // What an item is called, and not its key; the environment asks for the look already.
    assert_eq!(base.oracle[1].arguments["item_id"], json!("$item"));
    assert_eq!(base.achieves[0].path(), Some("/items/$item/stock"));
    assert!(file.bindings["$item"].fields.values().any(|value| *value == json!("cup")), "{:?}", file.bindings);
    assert!(file.facts.contains_key("name") && file.facts.contains_key("count"), "{:?}", file.facts);
    assert!(file.constraints.precedence.is_empty());
    assert_eq!(file.variants.len(), Variant::ALL.len());
    assert_eq!(file.initial_state.hash, session.task().initial().hash().to_string());
    // The goal, what must not happen and be said, the turns: keys are named by bindings already.
    assert_eq!(draft::to_do_list(&file).len(), 3);
    let mut files: Files = suite.files_of(&[session.task().id().to_owned()]);
    files.insert("tasks/shop/counter/sold.json".to_owned(), serde_json::to_string_pretty(&file).unwrap());
    let suite = Suite::from_files(files, Vec::new());
    let errors: Vec<String> = suite.diagnostics.iter().filter(|d| d.is_error()).map(ToString::to_string).collect();
    assert_eq!(errors, Vec::<String>::new());
    // It can be played, its state and delta are right, and what is left to do keeps it from passing.
    let found = probity_proof::check::check(&suite, &probity_proof::store::NoStore);
    assert!(found.iter().any(|d| d.is_error() && d.file.ends_with("sold.json")), "{found:?}");
    assert!(found.iter().all(|d| !["state_drift", "delta_differs"].contains(&d.code.as_ref())), "{found:?}");
}

#[test]
fn a_draft_of_a_dialogue_keeps_its_turns_and_replies() {
    let (_, mut session) = customer(Variant::Underspecification, 20);
    typed(&mut session, "find_items name=teapot");
    typed(&mut session, "say Which colour would you like?");
    typed(&mut session, "sell_item item_id=T1 count=2");
    let file = draft::draft(&session, "shop/counter/again");
    let base = &file.outcomes[0];
    assert_eq!(base.oracle.iter().map(|call| call.segment).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(base.replies, ["Which colour would you like?", "TODO: what a good agent replies"]);
    assert_eq!(file.variants[&Variant::Ideal].turns.len(), 2);
    assert_eq!(file.initial_state.patch, session.task().file().initial_state.patch);
}

#[test]
fn drafts_stay_in_their_environment() {
    let (_, session) = shop();
    let environment = session.task().environment();
    for text in ["mine", "shop/counter/mine", "tasks/shop/counter/mine.json"] {
        assert_eq!(task_id(text, environment).unwrap(), "shop/counter/mine");
    }
    for text in ["../mine", "shop/other/mine", "Mine", "", "/etc/mine", "shop/counter/../mine"] {
        assert!(task_id(text, environment).is_err(), "{text}");
    }
}
