//! A small shop to play in: the scaffold of `probity new env`.

use std::sync::Arc;

use super::answer::answer;
use super::command::parse;
use super::save::by_hand;
use super::session::{Partner, Session};
use probity_behaviour::benchmark::BehaviourBenchmark;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::{Files, Suite};
use probity_bench::Limits;
use probity_engine::Difficulty;

fn suite() -> Suite {
    let texts = [
        ("environments/shop/counter.json", include_str!("../../../cli/src/cli/new/environment.json")),
        ("scripts/shop/counter.rhai", include_str!("../../../cli/src/cli/new/environment.rhai")),
        ("tasks/shop/counter/sell_two_teapots.json", include_str!("../../../cli/src/cli/new/task.json")),
    ];
    let files: Files = texts.map(|(path, text)| (path.to_owned(), text.replace("@ID@", "shop/counter"))).into();
    Suite::from_files(files, Vec::new())
}

/// A suite's benchmark, for as long as the tests go on.
fn kept(suite: &Arc<Suite>) -> &'static BehaviourBenchmark {
    Box::leak(Box::new(BehaviourBenchmark::new(Arc::clone(suite))))
}

/// The shop alone.
pub fn shop() -> Session<'static> {
    let suite = suite();
    let environment = &suite.environments["shop/counter"];
    let (suite, id) = by_hand(environment, &suite.files["shop/counter"].text, Difficulty::Easy, 0).unwrap();
    begun(&suite, &id, Partner::Nobody, 1000)
}

/// Its task, whose user speaks.
pub fn customer() -> Session<'static> {
    begun(&Arc::new(suite()), "shop/counter/sell_two_teapots", Partner::User, 20)
}

fn begun(suite: &Arc<Suite>, id: &str, partner: Partner, max_messages: u32) -> Session<'static> {
    let task = Arc::clone(&suite.tasks[id].task);
    Session::new(kept(suite), task, Variant::Ideal, (partner, Limits { max_messages })).unwrap()
}

/// Types a line, whatever is answered.
pub fn typed(session: &mut Session, line: &str) {
    let command = parse(line, session.task().environment()).map(Option::unwrap);
    let _ = command.and_then(|command| answer(session, command));
}
