//! The workload through the engine: states of any size, and calls spread over them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use probity_bench::named;
use probity_engine::{
    Actor, Difficulty, Environment, EnvironmentFile, Fields, Problem, Source, Sources, State, Stream, ToolCall,
};

/// The environment with a state of some number of parts.
pub struct Workload {
    pub environment: Environment,
    pub state: State,
    entities: u32,
}

named! {
    pub enum Operation {
        /// `get_item`.
        Read = "read",
        /// `set_item_quantity`.
        Write = "write",
    }
}

/// Parts that the script makes; what is beyond are copies of them, since a script has an end.
const POPULATED: u32 = 10_000;

/// The state with copies of its parts, until there are so many.
fn multiplied(environment: &Environment, state: &State, entities: u32) -> Result<State, String> {
    let slot = state.shape().index("items").unwrap_or_default();
    let items: Vec<Fields> = state.entities(slot).map(|(_, fields)| fields.clone()).collect();
    let copies: Fields = (POPULATED..entities)
        .zip(items.iter().cycle())
        .map(|(number, fields)| {
            let id = format!("ITM-{number:06}");
            let mut fields = fields.clone();
            fields.insert("part_id".to_owned(), json!(id));
            (id, Value::Object(fields))
        })
        .collect();
    let patch = Fields::from_iter([("items".to_owned(), Value::Object(copies))]);
    environment.patch(state, &patch).map_err(|found| Problem::lines(&found))
}

impl Workload {
    /// The workload with so many parts.
    /// An error: a line that says what does not hold; only a change of the engine can cause it.
    pub fn new(entities: u32) -> Result<Workload, String> {
        let file = serde_json::from_str(include_str!("workload.json")).map_err(|error| error.to_string())?;
        let mut file: EnvironmentFile = file;
        file.populate.sizes.insert(Difficulty::Easy, BTreeMap::from([("items".to_owned(), entities.min(POPULATED))]));
        let main = Source { file: "workload.rhai".to_owned(), text: include_str!("workload.rhai").to_owned() };
        let built = Environment::build(file, Sources { main, libraries: BTreeMap::new() });
        let (environment, _) = built.map_err(|problems| format!("{problems:?}"))?;
        let state = multiplied(&environment, &environment.populate(Difficulty::Easy, 0)?, entities)?;
        Ok(Workload { environment, state, entities })
    }

    /// `count` calls on parts drawn from a seed.
    pub fn calls(&self, operation: Operation, count: u32) -> Vec<ToolCall> {
        let mut stream = Stream::new(7, "bench", operation.name());
        let call = |k: u32| {
            let id = format!("ITM-{:06}", stream.below(u64::from(self.entities)));
            match operation {
                Operation::Read => ToolCall::new("get_item", json!({"part_id": id})),
                Operation::Write => ToolCall::new("set_item_quantity", json!({"part_id": id, "held": 1000 + k})),
            }
        };
        (0..count).map(call).collect()
    }

    /// Runs calls one after the other, observations written out as JSON; gives their length and the last state.
    pub fn run(&self, calls: &[ToolCall]) -> (usize, State) {
        let mut state = self.state.clone();
        let mut written = 0;
        for call in calls {
            let stepped = self.environment.advance(state, call, Actor::Agent);
            state = stepped.after;
            written += stepped.result.map_or(0, |applied| applied.observation.to_string().len());
        }
        (written, state)
    }

    /// `count` live forks of the state with one write each.
    pub fn forks(&self, count: u32) -> Vec<State> {
        let calls = self.calls(Operation::Write, count);
        calls.iter().map(|call| self.environment.step(&self.state, call, Actor::Agent).after).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depot::Plain;

    #[test]
    fn both_sides_do_the_same_work() {
        let workload = Workload::new(20).unwrap();
        let mut plain = Plain::new(&workload).unwrap();
        for operation in [Operation::Read, Operation::Write] {
            for call in workload.calls(operation, 5) {
                let ours = workload.environment.step(&workload.state, &call, Actor::Agent).result.unwrap();
                let theirs: serde_json::Value = serde_json::from_str(&plain.call(&call).unwrap()).unwrap();
                assert_eq!(ours.observation, theirs);
            }
        }
    }
}
