//! What a turn takes for granted: what its author says, and what is certain from its own words.

use probity_engine::Effect;
use probity_prose::value::values;
use probity_prose::{Amount, Answer, Calendar, Certainty, Found, Reply, Value};

use super::question::questions;
use super::{Behaviour, OracleCall, Task};
use crate::model::task_file::{Fact, Presumption};
use crate::model::variant::Variant;

/// Something that must be so before a turn is said.
#[derive(Clone, Debug)]
pub enum Premise {
    /// The agent has told one of these.
    Told(Vec<Answer>),
    /// The agent has told this value, which nobody else has.
    Value(Value),
    /// The agent has asked for one of these facts.
    Asked(Vec<String>),
    /// The agent has made a call by this tool, or told it as made.
    Made(String),
}

impl Premise {
    /// Whether a reply tells it, however it is meant.
    pub fn is_told_by(&self, reply: &Reply) -> bool {
        match self {
            Premise::Told(answers) => answers.iter().any(|answer| answer.is_mentioned_by(reply)),
            Premise::Value(value) => reply.values.iter().any(|found| value.is_same(&found.value)),
            Premise::Asked(_) | Premise::Made(_) => false,
        }
    }

    pub fn is_price(&self) -> bool {
        matches!(self, Premise::Value(Value::Quantity(quantity)) if quantity.is_money())
    }
}

/// What the turns of a user take for granted, each with its turn, from 1, in their order; of a turn for which an empty list
/// is written, nothing.
pub(super) fn premises(task: &Task, variant: Variant, behaviour: &Behaviour) -> Vec<(u32, Premise)> {
    let turns = u32::try_from(behaviour.turns.len()).unwrap_or(u32::MAX);
    let of_turn = |turn: u32| {
        let written = behaviour.presumes.get(&turn);
        let own = written.into_iter().flatten().filter_map(|presumption| premise(presumption, task));
        let mut all: Vec<Premise> = own.collect();
        if written.is_none_or(|written| !written.is_empty()) {
            all.extend(certain(task, variant, behaviour, turn as usize));
        }
        all.into_iter().map(move |premise| (turn, premise))
    };
    (2..=turns).flat_map(of_turn).collect()
}

fn premise(presumption: &Presumption, task: &Task) -> Option<Premise> {
    let calendar = || Calendar::at(task.initial().clock());
    match presumption {
        Presumption::Told(told) => {
            told.iter().map(|told| Answer::parse(told, calendar()).ok()).collect::<Option<_>>().map(Premise::Told)
        }
        Presumption::Asked(fact) => Some(Premise::Asked(vec![fact.clone()])),
        Presumption::Made(tool) => Some(Premise::Made(tool.clone())),
    }
}

/// What a turn says that only a reply of the oracle has told before, the sums that it says yes to and did not name, and
/// what it gives that was withheld, where the oracle asks for it.
fn certain(task: &Task, variant: Variant, behaviour: &Behaviour, turn: usize) -> Vec<Premise> {
    let calendar = Calendar::at(task.initial().clock());
    let before = turn.saturating_sub(1);
    let said = behaviour.turns.get(..before).unwrap_or_default();
    let replies = behaviour.replies.get(..before).unwrap_or_default();
    let now = behaviour.turns.get(before).map_or("", String::as_str);
    let read = |text: &str| values(text, &calendar);
    let told: Vec<Value> = replies.iter().flat_map(|reply| read(reply)).map(|found| found.value).collect();
    let facts = task.file().facts.values().flat_map(Fact::ways);
    let known: Vec<Value> =
        said.iter().cloned().chain(facts).flat_map(|text| read(&text)).map(|found| found.value).collect();
    let is_news = |value: &&Value| !known.iter().any(|known| known.is_same(value));
    let spoken = read(now).into_iter().filter(is_single).map(|found| found.value);
    let spoken: Vec<Value> = spoken.filter(|value| is_news(&value)).collect();
    let agreed: Vec<Amount> = agreed_numbers(task, variant, behaviour, turn).collect();
    let is_presumed = |value: &&Value| {
        let is_agreed = |amount: &Amount| is_sum(value, *amount);
        spoken.iter().any(|spoken| spoken.is_same(value)) || agreed.iter().any(is_agreed)
    };
    let mut news: Vec<Value> = Vec::new();
    for value in told.iter().filter(is_news).filter(is_presumed) {
        if !news.iter().any(|known| known.is_same(value)) {
            news.push(value.clone());
        }
    }
    let asked: Vec<_> = replies.iter().flat_map(|reply| questions(reply)).collect();
    let withheld = task.voices().iter().filter(|voice| behaviour.withheld.contains(&voice.name));
    let given = withheld.filter(|voice| {
        voice.ways.are_in(now)
            && !said.iter().any(|turn| voice.ways.are_in(turn))
            && asked.iter().any(|question| voice.is_asked_in(question))
    });
    let given: Vec<String> = given.map(|voice| voice.name.clone()).collect();
    let given = Some(given).filter(|given| !given.is_empty()).map(Premise::Asked);
    news.into_iter().map(Premise::Value).chain(given).collect()
}

/// A day, a time of day or a sum that can be no other.
fn is_single(found: &Found) -> bool {
    match &found.value {
        Value::Days(days) => days.len() == 1 && found.certainty == Certainty::Certain,
        Value::Times(_) => found.certainty != Certainty::Weak,
        Value::Quantity(quantity) => quantity.is_money() && found.certainty != Certainty::Weak,
        Value::Id(_) | Value::Name(_) => false,
    }
}

/// Whether a value is a sum of so much, in minor units or not.
fn is_sum(value: &Value, amount: Amount) -> bool {
    match value {
        Value::Quantity(quantity) => quantity.is_money() && quantity.forms().any(|form| form.value == amount),
        Value::Days(_) | Value::Times(_) | Value::Id(_) | Value::Name(_) => false,
    }
}

/// The numbers with which the oracle makes the calls that a turn says yes to.
fn agreed_numbers<'a>(
    task: &'a Task,
    variant: Variant,
    behaviour: &'a Behaviour,
    turn: usize,
) -> impl Iterator<Item = Amount> + 'a {
    let oracle: &[OracleCall] = task.oracle_outcome(variant).map_or(&[], |outcome| &outcome.oracle);
    let agreed = move |call: &&OracleCall| {
        let is_agreed =
            |(of, pattern): &(u32, probity_engine::Pattern)| *of as usize == turn && pattern.source.tool == call.tool;
        let is_write = task.environment().tool(&call.tool).is_some_and(|tool| tool.effect == Effect::Write);
        is_write && behaviour.consents.iter().any(is_agreed)
    };
    let numbers = oracle.iter().filter(agreed).flat_map(|call| call.arguments.values());
    numbers.filter_map(|value| value.as_number().filter(|number| number.as_f64() != Some(0.0)).and_then(Amount::of))
}
