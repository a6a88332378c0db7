//! A small shop to play in: the scaffold of `probity new env`.

use std::sync::Arc;

use super::answer::{Answer, Done, answer};
use super::command::parse;
use super::save::by_hand;
use super::session::{Partner, Session};
use probity_behaviour::benchmark::BehaviourBenchmark;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::{Files, Suite};
use probity_bench::Limits;
use probity_engine::Difficulty;

fn suite() -> Suite {
    with_script(include_str!("../../../cli/src/cli/new/environment.rhai"))
}

fn with_script(script: &str) -> Suite {
    let texts = [
        ("environments/shop/counter.json", include_str!("../../../cli/src/cli/new/environment.json")),
        ("scripts/shop/counter.rhai", script),
        ("tasks/shop/counter/sell_two_teapots.json", include_str!("../../../cli/src/cli/new/task.json")),
    ];
    let files: Files = texts.map(|(path, text)| (path.to_owned(), text.replace("@ID@", "shop/counter"))).into();
    Suite::from_files(files, Vec::new())
}

pub fn shop() -> (Arc<Suite>, Session<'static>) {
    alone(&suite())
}

/// A suite's benchmark, for as long as the tests go on.
fn kept(suite: &Arc<Suite>) -> &'static BehaviourBenchmark {
    Box::leak(Box::new(BehaviourBenchmark::new(Arc::clone(suite))))
}

/// The shop alone, with another line in the place of the one that takes things off the shelf.
pub fn broken_shop(line: &str) -> (Arc<Suite>, Session<'static>) {
    let script = include_str!("../../../cli/src/cli/new/environment.rhai");
    assert!(script.contains("item.stock -= args.count;"));
    alone(&with_script(&script.replace("item.stock -= args.count;", line)))
}

fn alone(suite: &Suite) -> (Arc<Suite>, Session<'static>) {
    let environment = &suite.environments["shop/counter"];
    let (suite, id) = by_hand(environment, &suite.files["shop/counter"].text, Difficulty::Easy, 0).unwrap();
    let task = Arc::clone(&suite.tasks[&id].task);
    let limits = Limits { max_messages: 1000 };
    let session = Session::new(kept(&suite), task, Variant::Ideal, (Partner::Nobody, limits)).unwrap();
    (suite, session)
}

pub fn customer(variant: Variant, max_messages: u32) -> (Arc<Suite>, Session<'static>) {
    let suite = Arc::new(suite());
    let task = Arc::clone(&suite.tasks["shop/counter/sell_two_teapots"].task);
    let session = Session::new(kept(&suite), task, variant, (Partner::User, Limits { max_messages })).unwrap();
    (suite, session)
}

/// Types a line; the text of the answer, or of the refusal.
pub fn typed(session: &mut Session, line: &str) -> String {
    let command = parse(line, session.task().environment()).map(Option::unwrap);
    match command.and_then(|command| answer(session, command)) {
        Ok(Done::Answered(Answer { text, .. })) => text,
        Ok(Done::Wished(wish)) => format!("{wish:?}"),
        Err(refusal) => format!("error: {} / {}", refusal.message, refusal.help),
    }
}
